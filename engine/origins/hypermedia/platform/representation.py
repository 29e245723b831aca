"""The RDF of the platform, of workspaces and of artifacts: each a resource, and its profile.

The page is the profile (`hmas:ResourceProfile`); its resource has the page's address with a fragment. A profile exposes
signifiers: ways for an agent to use the resource besides those of a Thing Description, with the form to do it by
(https://purl.org/hmas/ ; W3C WebSub for `join`, `leave` and `focus`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.graph.terms import RDF_TYPE, Literal, NamedNode, Quad, Triple, expand, node
from engine.model import thing_rdf as rdf
from engine.model.place import Place
from engine.model.thing import Form, Schema, Thing
from engine.origins.hypermedia.platform.artifacts import artifact_iri, described, state, workspace_iri
from engine.origins.hypermedia.platform.web import Web
from engine.things import places
from engine.things.description import emission
from engine.things.description.emission import Profile

PLATFORM = "#platform"
NAME = "Hearthgraph"
FORM = "application/x-www-form-urlencoded"
PROFILE, OF, HAS = node("hmas:ResourceProfile"), node("hmas:isProfileOf"), node("hmas:hasProfile")
HOSTS, HOSTED, CONTAINS = node("hmas:hosts"), node("hmas:isHostedOn"), node("hmas:contains")
EXPOSES, SIGNIFIER, SIGNIFIES = node("hmas:exposesSignifier"), node("hmas:Signifier"), node("hmas:signifies")
AFFORDANCE, ACTION = node("td:InteractionAffordance"), node("td:ActionAffordance")
_LONGEST_SECRET = 199
_SUBSCRIBE = {"join": "subscribe", "leave": "unsubscribe", "focus": "subscribe", "unfocus": "unsubscribe"}
_COMMENTS = {
    "join": "Hear of every change of what is in this workspace.",
    "leave": "Hear no more of this workspace.",
    "focus": "Hear of every change of this artifact.",
    "unfocus": "Hear no more of this artifact.",
}


def platform(web: Web) -> list[Triple]:
    """The platform and the workspaces that it hosts: those that are in no other."""
    own = web.at.platform + PLATFORM
    said = [
        *_profiled(web.at.platform, own),
        Triple(NamedNode(own), RDF_TYPE, node("hmas:HypermediaMASPlatform")),
        Triple(NamedNode(own), places.LABEL, Literal(NAME, language="en")),
    ]
    for place in web.names.workspaces.values():
        if place is None or _parent(web, place) is None:
            said.append(Triple(NamedNode(own), HOSTS, NamedNode(workspace_iri(web, place))))
            said += _workspace(web, place)
    return said


def workspace(web: Web, place: Place | None) -> list[Triple]:
    """A workspace: the workspaces and artifacts that it contains, the state of these, how it is joined and left."""
    iri = None if place is None else place.iri
    page, own = web.at.workspace(iri), workspace_iri(web, iri)
    subject = NamedNode(own)
    said = [*_profiled(page, own), *_workspace(web, iri), *_inside(web, iri, subject)]
    if place is not None:
        about = (quad for quad in places.describe(place) if quad.predicate != rdf.PLACE)
        said += [Triple(subject, quad.predicate, quad.object) for quad in about]
        said.append(Triple(subject, node("owl:sameAs"), NamedNode(place.iri)))
    for inner in web.names.workspaces.values():
        if iri is not None and inner is not None and _parent(web, inner) == iri:
            said.append(Triple(subject, CONTAINS, NamedNode(workspace_iri(web, inner))))
            said += _workspace(web, inner)
    for thing in web.things_in(iri).values():
        said += [Triple(subject, CONTAINS, NamedNode(artifact_iri(web, thing))), *_artifact_named(web, thing)]
        said += state(web, thing)
    said += _controls(web, page, own, ("join", "leave"))
    for name in ("join", "leave"):
        control = NamedNode(f"{page}#controls/{name}")
        said += [Triple(subject, rdf.HAS_ACTION, control), Triple(control, RDF_TYPE, ACTION)]
    return [*dict.fromkeys(said)]


def artifact(web: Web, thing: Thing, profile: Profile) -> tuple[Thing, list[Triple]]:
    """A thing under its name here, with its description in a dialect, its state, and how it is focused on."""
    here, quads = described(web, thing)
    page, own = here.document, here.iri
    said = [
        *emission.in_dialect(here, quads, profile),
        *state(web, thing),
        *_profiled(page, own),
        *_controls(web, page, own, ("focus", "unfocus")),
    ]
    return here, [*dict.fromkeys(said)]


def td(web: Web, thing: Thing) -> list[Quad]:
    """The Thing Description alone, in the canonical form."""
    return described(web, thing)[1]


def _parent(web: Web, place: str) -> str | None:
    known = web.index.places.get(place)
    return known.parent if known is not None and known.parent in web.names.places else None


def _profiled(page: str, own: str) -> Iterator[Triple]:
    """The statements that a page is the profile of its resource. They are two: no resource is its own profile."""
    yield Triple(NamedNode(page), RDF_TYPE, PROFILE)
    yield Triple(NamedNode(page), OF, NamedNode(own))
    yield Triple(NamedNode(own), HAS, NamedNode(page))


def _workspace(web: Web, place: str | None) -> Iterator[Triple]:
    subject = NamedNode(workspace_iri(web, place))
    known = web.index.places.get(place or "")
    yield Triple(subject, RDF_TYPE, node("hmas:Workspace"))
    yield Triple(subject, places.LABEL, Literal(known.name if known else "elsewhere", language="en"))


def _inside(web: Web, place: str | None, subject: NamedNode) -> Iterator[Triple]:
    """The container of a workspace: the one around it, else the platform."""
    around = None if place is None else _parent(web, place)
    if around is None:
        yield Triple(subject, HOSTED, NamedNode(web.at.platform + PLATFORM))
    else:
        yield Triple(subject, rdf.PLACE, NamedNode(workspace_iri(web, around)))


def _artifact_named(web: Web, thing: Thing) -> Iterator[Triple]:
    subject = NamedNode(artifact_iri(web, thing))
    yield Triple(subject, RDF_TYPE, node("hmas:Artifact"))
    yield Triple(subject, rdf.TITLE, Literal(thing.title, language="en"))
    yield Triple(subject, HAS, NamedNode(web.at.artifact(thing)))


def _controls(web: Web, page: str, own: str, names: Iterable[str]) -> Iterator[Triple]:
    """How one subscribes to the page at the hub and lets it be again, each a signifier with an affordance."""
    for name in names:
        signifier, action = NamedNode(f"{page}#signifiers/{name}"), NamedNode(f"{page}#controls/{name}")
        yield Triple(NamedNode(page), EXPOSES, signifier)
        yield Triple(signifier, RDF_TYPE, SIGNIFIER)
        yield Triple(signifier, places.LABEL, Literal(f"{own.rpartition('#')[2]}_{name}"))
        context = NamedNode(f"{signifier.value}/context")
        yield Triple(signifier, node("hmas:recommendsContext"), context)
        yield Triple(context, node("rdfs:comment"), Literal(_COMMENTS[name], language="en"))
        yield Triple(signifier, SIGNIFIES, action)
        yield Triple(action, RDF_TYPE, AFFORDANCE)
        yield Triple(action, rdf.NAME, Literal(name))
        yield Triple(action, rdf.TITLE, Literal(name, language="en"))
        form = Form(web.at.hub, (expand("td:invokeAction"),), "POST", FORM)
        for subject, predicate, value in rdf.form_statements(action, NamedNode(f"{action.value}/forms/0"), form):
            yield Triple(subject, predicate, value)
        entered = NamedNode(f"{action.value}/input")
        yield Triple(action, rdf.INPUT, entered)
        for subject, predicate, value in rdf.schema_statements(entered, _subscription(page, _SUBSCRIBE[name])):
            yield Triple(subject, predicate, value)


def _subscription(topic: str, mode: str) -> Schema:
    """The schema of a request to the hub (W3C WebSub, section 5.1)."""
    text = Schema(type="string")
    members = [
        ("hub.mode", Schema(type="string", const=mode, has_const=True)),
        ("hub.topic", Schema(type="string", const=topic, has_const=True)),
        ("hub.callback", text),
    ]
    if mode == "subscribe":
        members.append(("hub.lease_seconds", Schema(type="integer", minimum=1)))
        members.append(("hub.secret", Schema(type="string", max_length=_LONGEST_SECRET)))
    required = frozenset(("hub.mode", "hub.topic", "hub.callback"))
    return Schema(type="object", properties=tuple(members), required=required)
