"""The offers of a resource to agents, whatever protocol it speaks: a profile that exposes signifiers.

Agentic Web, section 3.1; https://purl.org/hmas/ . A signifier has a label, a context in words, and signifies one
affordance with one form; fixed members of the body are `const` in its schema, open ones have a description.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.graph.terms import Json

TOOL, RESOURCE, SKILL = "tool", "resource", "skill"
JSON_TYPE = "application/json"


@dataclass(frozen=True, slots=True)
class Exposed:
    """One signifier that a profile exposes. `schema` is the JSON Schema of the body, `method`, `target`, `headers` and
    `content_type` say where and how to send it; `abilities` are those that an agent should have.

    `affordance` is the IRI of the same in this graph, by which the house itself uses it; `takes` the JSON Schema of the
    open members, None for none; `gives` that of the result, None where it is not described. `operation` is its name in
    a Thing Description (invokeaction), where one describes it.
    """

    label: str
    context: str
    target: str
    method: str = "POST"
    content_type: str | None = JSON_TYPE
    headers: tuple[tuple[str, str], ...] = ()
    schema: Mapping[str, Json] | None = field(default=None, hash=False)
    abilities: tuple[str, ...] = ()
    affordance: str = ""
    takes: Mapping[str, Json] | None = field(default=None, hash=False)
    gives: Mapping[str, Json] | None = field(default=None, hash=False)
    operation: str = ""


@dataclass(frozen=True, slots=True)
class Offer:
    """One tool, resource or skill, as its protocol describes it. `call` has the protocol's data for calling it."""

    sort: str
    name: str
    title: str
    description: str
    exposed: Exposed
    input: Mapping[str, Json] | None = field(default=None, hash=False)
    output: Mapping[str, Json] | None = field(default=None, hash=False)
    call: Mapping[str, Json] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Artifact:
    """A registered resource: `id` is its name here, `kind` its protocol, `endpoint` its address.

    `seconds` is how long the description is good for (0: until somebody asks), `tag` its entity tag, if it has one.
    """

    id: str
    kind: str
    endpoint: str
    title: str
    offers: tuple[Offer, ...] = ()
    description: str = ""
    seconds: float = 0.0
    tag: str = ""
    facts: Mapping[str, Json] = field(default_factory=dict, hash=False)
    thing: str = ""

    @property
    def iri(self) -> str:
        """The thing that it is in the graph."""
        return self.thing or f"urn:{self.kind}:{self.id}"

    @property
    def signifiers(self) -> tuple[Exposed, ...]:
        """The signifiers of its profile: those of offers with a context in words."""
        return tuple(offer.exposed for offer in self.offers if offer.exposed.context)

    def offer(self, affordance: str) -> Offer | None:
        """The offer by the IRI of its affordance."""
        return next((offer for offer in self.offers if offer.exposed.affordance == affordance), None)


@dataclass(frozen=True, slots=True)
class AgentProfile:
    """An agent that signifiers are exposed to: its name, its present context in words, and its abilities."""

    id: str
    name: str
    context: str = ""
    abilities: tuple[str, ...] = ()
