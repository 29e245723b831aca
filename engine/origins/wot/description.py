"""A Thing Description as offers with signifiers, one an affordance that is described in words.

https://www.w3.org/TR/wot-thing-description11/ ; Agentic Web, section 3.1, Listings 7 and 11
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, cast
from urllib.parse import urljoin

import httpx

from engine.environment.asked import plain
from engine.environment.http.credentials import Secrets
from engine.environment.http.exchange import Way
from engine.environment.http.requests import HttpRequest
from engine.errors import InputError
from engine.graph.terms import Json, Literal, NamedNode, Triple
from engine.model.exposure import RESOURCE, TOOL, Artifact, Exposed, Offer
from engine.model.json_schemas import choices
from engine.model.thing import Action, Form, Property, Thing
from engine.things import door
from engine.things.description import jsonld, turtle
from engine.things.registry import Registry

KIND = "wot"
ACCEPT = "application/td+json, application/ld+json;q=0.9, application/json;q=0.8, text/turtle;q=0.7"


async def described(
    exchange: Way, name: str, endpoint: str, secrets: Secrets | None, reach: frozenset[str] | None
) -> Artifact:
    """The description at an address, still to be admitted. Raises BindingError."""
    asked = HttpRequest("GET", httpx.URL(endpoint), (("Accept", ACCEPT),), None, secrets or Secrets(), reach=reach)
    answer = await exchange.send(asked)
    text = answer.body.decode("utf-8", "replace")
    facts: dict[str, Json] = {"text": text, "type": answer.content_type.partition(";")[0].strip().lower()}
    tag = answer.headers.get("etag", "")
    return Artifact(name, KIND, endpoint, name, seconds=answer.fresh, tag=tag, facts=facts)


def admitted(fetched: Artifact, registry: Registry, now: datetime) -> Artifact:
    """The artifact of a fetched thing, which is admitted, with its offers. Raises InputError, ThingRefused."""
    triples, source = _triples(fetched), fetched.endpoint
    report, things = door.preview(registry, triples, source=source, now=now)
    if len(things) != 1 or report.terms:
        raise InputError("An artifact is one thing.", remedy="Give the address of one description.")
    door.admit(registry, triples, source=source, now=now, called=fetched.id)
    thing = registry.things[report.things[0]]
    needed = _abilities(thing, registry)
    offers = tuple(_able(offer, needed) for offer in _offers(fetched, thing, _inputs(fetched)))
    return Artifact(
        fetched.id,
        KIND,
        fetched.endpoint,
        thing.title,
        offers,
        thing.description or "",
        seconds=fetched.seconds,
        tag=fetched.tag,
        thing=thing.iri,
    )


def _abilities(thing: Thing, registry: Registry) -> Mapping[str, frozenset[str]]:
    """The abilities that the description recommends (`hmas:recommendsAbility`), by affordance."""
    found: dict[str, frozenset[str]] = {}
    for affordance, ability in registry.store.select("origins/abilities", thing=NamedNode(thing.iri)):
        if isinstance(affordance, NamedNode) and isinstance(ability, NamedNode | Literal):
            found[affordance.value] = found.get(affordance.value, frozenset()) | {ability.value}
    return found


def _able(offer: Offer, needed: Mapping[str, frozenset[str]]) -> Offer:
    abilities = tuple(sorted(needed.get(offer.exposed.affordance, ())))
    return replace(offer, exposed=replace(offer.exposed, abilities=abilities))


def _triples(fetched: Artifact) -> list[Triple]:
    text = str(fetched.facts["text"])
    if fetched.facts["type"] in ("text/turtle", "text/n3"):
        return turtle.parse_text(text.encode(), source=fetched.endpoint, base=fetched.endpoint)
    return jsonld.statements(jsonld.parse_text(text), name=fetched.id, source=fetched.endpoint)[0]


def _inputs(fetched: Artifact) -> Mapping[str, Any]:
    """The inputs of actions as the description has them, word for word, where it is JSON."""
    try:
        document = json.loads(str(fetched.facts["text"]))
    except (ValueError, RecursionError):
        return {}
    actions = document.get("actions") if isinstance(document, dict) else None
    return actions if isinstance(actions, dict) else {}


def _offers(fetched: Artifact, thing: Thing, said: Mapping[str, Any]) -> Iterator[Offer]:
    for action in thing.actions:
        if action.forms:
            about = said.get(action.name)
            given = about.get("input") if isinstance(about, dict) else _schema(action)
            yield _offer(fetched, thing, action, TOOL, given if isinstance(given, dict) else None)
    for prop in thing.properties:
        if prop.forms:
            yield _offer(fetched, thing, prop, RESOURCE, None)


def _offer(
    fetched: Artifact, thing: Thing, found: Action | Property, sort: str, given: Mapping[str, Json] | None
) -> Offer:
    form = found.forms[0]
    about = plain(found.description)
    exposed = Exposed(
        label=f"{fetched.id}_{found.name}",
        context=about,
        target=urljoin(thing.base or fetched.endpoint, form.target),
        method=form.method or ("GET" if sort == RESOURCE else "POST"),
        content_type=_content(form, given, sort),
        headers=form.headers,
        schema=given,
        affordance=found.iri,
        takes=choices(given),
        gives=_given_back(found),
        operation="readproperty" if sort == RESOURCE else "invokeaction",
    )
    return Offer(sort, found.name, found.title or found.name, about, exposed, given)


def _given_back(found: Action | Property) -> Mapping[str, Json] | None:
    """The schema of the result, as far as it is described."""
    schema = found.output if isinstance(found, Action) else found.schema
    if schema is None:
        return None
    return {"type": schema.type} if schema.type else {}


def _content(form: Form, given: Mapping[str, Json] | None, sort: str) -> str | None:
    return form.content_type if given is not None or sort == TOOL else None


def _schema(action: Action) -> dict[str, Json] | None:
    """The input of an action that was described in Turtle."""
    if action.input is None:
        return None
    schema = action.input
    found: dict[str, Any] = {"type": schema.type} if schema.type else {}
    if schema.description:
        found["description"] = schema.description
    if schema.has_const:
        found["const"] = schema.const
    members = {name: {"type": one.type} if one.type else {} for name, one in schema.properties}
    if members:
        found |= {"properties": members, "required": sorted(schema.required)}
    return cast("dict[str, Json]", found)
