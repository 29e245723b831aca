"""A thing as an artifact of this platform: its description under its address here, with forms that lead here.

Reading needs no credentials, writing a bearer token. The forms that lead to the device itself are left out: who acts
through this platform acts by its checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from engine.environment.effects import effects_of, reached
from engine.graph.terms import RDF_TYPE, Literal, NamedNode, Quad, Term, Triple, expand, literal, node
from engine.model import thing_rdf as rdf
from engine.model.thing import Action, Event, Form, Property, Thing
from engine.model.vocabulary import Form as EffectForm
from engine.model.vocabulary import Vocabulary
from engine.origins.hypermedia.platform.addresses import Affordance
from engine.origins.hypermedia.platform.web import Web
from engine.things.description import emission
from engine.things.index import affordances

BEARER = "bearer_sc"
ARTIFACT, WORKSPACE = "#artifact", "#workspace"
SAME, VALUE, CHANGED = node("owl:sameAs"), node("hg:value"), node("hg:changedAt")
EVENTS = "text/event-stream"
_LEFT_OUT = frozenset((rdf.HAS_FORM, rdf.SECURITY, rdf.DEFINES_SECURITY, rdf.BASE, node("td:hasUriTemplateSchema")))
_READ, _WRITE, _INVOKE, _SUBSCRIBE, _READ_ALL, _OBSERVE_ALL, _OBSERVE = (
    expand(f"td:{name}")
    for name in (
        *("readProperty", "writeProperty", "invokeAction", "subscribeEvent", "readAllProperties"),
        *("observeAllProperties", "observeProperty"),
    )
)


def artifact_iri(web: Web, thing: Thing) -> str:
    """The IRI of a thing here: that of its page with `#artifact`."""
    return web.at.artifact(thing) + ARTIFACT


def workspace_iri(web: Web, place: str | None) -> str:
    """The IRI of a place here: that of its page with `#workspace`."""
    return web.at.workspace(place) + WORKSPACE


def settable(prop: Property, thing: Thing, vocabulary: Vocabulary) -> bool:
    """Whether a property can be brought to a value: by being written, or by an action that has an effect on it."""
    kinds = vocabulary.kinds
    if prop.schema.read_only or not prop.kinds or not all(kinds[k].settable for k in prop.kinds if k in kinds):
        return False
    operations = {operation for form in prop.forms for operation in form.operations}
    return (
        not operations
        or _WRITE in operations
        or any(_sets(action, prop, thing, vocabulary) for action in thing.actions)
    )


def _sets(action: Action, prop: Property, thing: Thing, vocabulary: Vocabulary) -> bool:
    found = (e for e in effects_of(action, vocabulary) if e.form not in (EffectForm.BY, EffectForm.TO_NEXT))
    return any(prop in reached(effect, action, thing, vocabulary) for effect in found)


def described(web: Web, thing: Thing) -> tuple[Thing, list[Quad]]:
    """The thing as it is called here, and all that is said of it here but its state, in the canonical form."""
    known = web.kept.get(thing.iri)
    if known is None:
        known = web.kept[thing.iri] = _described(web, thing)
    return known  # type: ignore[return-value]


def _described(web: Web, thing: Thing) -> tuple[Thing, list[Quad]]:
    moved = _Moved(web, thing)
    graph = NamedNode(moved.page)
    said = [moved.quad(quad, graph) for quad in _without_forms(emission.quads(web.store, thing), thing)]
    for subject, predicate, value in (*_recognised(moved, thing), *_forms(web, moved, thing), *_security(moved)):
        said.append(Quad(NamedNode(subject), predicate, value, graph))
    said.append(Quad(NamedNode(moved.own), SAME, NamedNode(thing.iri), graph))
    return moved.thing(), [*dict.fromkeys(said)]


def state(web: Web, thing: Thing) -> Iterator[Triple]:
    """The values of a thing's properties, as far as they are known, and since when they are so."""
    moved = _Moved(web, thing)
    for prop in thing.properties:
        value, since = web.state.get(prop.iri), web.state.changed_at(prop.iri)
        if value is not None:
            subject = NamedNode(moved.iri(prop.iri))
            yield Triple(subject, VALUE, literal(value))
            if since is not None:
                yield Triple(subject, CHANGED, literal(since))


class _Moved:
    """Translates the IRIs of a thing, its parts and affordances to addresses on this platform."""

    def __init__(self, web: Web, thing: Thing) -> None:
        self._web, self._thing = web, thing
        self.page = web.at.artifact(thing)
        self.own = self.page + ARTIFACT

    @property
    def loose(self) -> bool:
        return self._web.names.within(self._thing) is None

    @property
    def nowhere(self) -> str:
        return workspace_iri(self._web, None)

    def iri(self, iri: str) -> str:
        if iri == self._thing.iri:
            return self.own
        if iri == self._thing.document:
            return self.page
        if iri.startswith(f"{self._thing.document}#"):
            return self.page + iri[len(self._thing.document) :]
        if iri in self._web.names.places:
            return workspace_iri(self._web, iri)
        other = self._web.names.things.get(iri)
        return iri if other is None else artifact_iri(self._web, other)

    def term(self, term: Term) -> Term:
        return NamedNode(self.iri(term.value)) if isinstance(term, NamedNode) else term

    def quad(self, quad: Quad, graph: NamedNode) -> Quad:
        subject, value = self.term(quad.subject), self.term(quad.object)  # type: ignore[arg-type]
        return Quad(subject, quad.predicate, value, graph)  # type: ignore[arg-type]

    def thing(self) -> Thing:
        properties = tuple(replace(p, iri=self.iri(p.iri), part=self.iri(p.part)) for p in self._thing.properties)
        return replace(self._thing, iri=self.own, document=self.page, properties=properties)


def _without_forms(said: list[Quad], thing: Thing) -> Iterator[Quad]:
    """The quads of a thing's description without forms and security, and without outputs of actions: calls end at this
    platform."""
    forms = {quad.object.value for quad in said if quad.predicate == rdf.HAS_FORM}  # type: ignore[union-attr]
    secrets = rdf.below(thing.document, "security", "")
    outputs = {rdf.below(action.iri, emission.OUTPUT_STEP) for action in thing.actions}
    for quad in said:
        subject = quad.subject.value  # type: ignore[union-attr]
        of_form = subject in forms or any(subject.startswith(f"{form}/") for form in forms)
        of_output = any(subject.startswith(output) for output in outputs) or quad.predicate == rdf.OUTPUT
        if not (quad.predicate in _LEFT_OUT or of_form or of_output or subject.startswith(secrets)):
            yield quad


def _recognised(moved: _Moved, thing: Thing) -> Iterator[tuple[str, NamedNode, Term]]:
    """The inferred classes of parts, kinds of properties and commands of actions, as triples."""
    for part in thing.parts:
        yield from ((moved.iri(part.iri), RDF_TYPE, NamedNode(cls)) for cls in sorted(part.classes))
    for prop in thing.properties:
        yield from ((moved.iri(prop.iri), RDF_TYPE, NamedNode(kind)) for kind in sorted(prop.kinds))
    for action in thing.actions:
        yield from ((moved.iri(action.iri), RDF_TYPE, NamedNode(command)) for command in sorted(action.commands))
    if moved.loose:
        yield moved.own, rdf.PLACE, NamedNode(moved.nowhere)


def _security(moved: _Moved) -> Iterator[tuple[str, NamedNode, Term]]:
    for name, cls in ((rdf.NO_SECURITY, "wotsec:NoSecurityScheme"), (BEARER, "wotsec:BearerSecurityScheme")):
        scheme = rdf.below(moved.page, "security", name)
        yield moved.own, rdf.DEFINES_SECURITY, NamedNode(scheme)
        yield scheme, RDF_TYPE, node(cls)
    yield moved.own, rdf.SECURITY, Literal(rdf.NO_SECURITY)
    yield rdf.below(moved.page, "security", BEARER), node("wotsec:in"), Literal("header")


def _forms(web: Web, moved: _Moved, thing: Thing) -> Iterator[tuple[str, NamedNode, Term]]:
    yield from _said(moved.own, rdf.below(moved.page, "forms"), _of_all(moved.page))
    for affordance in affordances(thing):
        iri = moved.iri(affordance.iri)
        yield from _said(iri, rdf.below(iri, "forms"), _of(web, thing, affordance))


def _said(owner: str, below: str, forms: Iterable[Form]) -> Iterator[tuple[str, NamedNode, Term]]:
    for number, form in enumerate(forms):
        statements = rdf.form_statements(NamedNode(owner), NamedNode(f"{below}/{number}"), form)
        yield from ((subject.value, predicate, value) for subject, predicate, value in statements)


def _of_all(page: str) -> list[Form]:
    """The forms that read or observe all properties of a thing at once."""
    target = f"{page}/properties"
    return [
        Form(target, (_READ_ALL,), "GET"),
        Form(target, (_OBSERVE_ALL,), "GET", EVENTS, "sse"),
        Form(target, (_OBSERVE_ALL,), "GET", subprotocol="websub"),
    ]


def _of(web: Web, thing: Thing, affordance: Affordance) -> list[Form]:
    target = web.at.of_affordance(thing, affordance)
    if isinstance(affordance, Event):
        return [Form(target, (_SUBSCRIBE,), "GET", EVENTS, "sse")]
    if isinstance(affordance, Action):
        return [Form(target, (_INVOKE,), "POST", security=(BEARER,))]
    found = [] if affordance.schema.write_only else [Form(target, (_READ,), "GET")]
    if settable(affordance, thing, web.index.vocabulary):
        found.append(Form(target, (_WRITE,), "PUT", security=(BEARER,)))
    if affordance.observable:
        # As events first: who knows no WebSub may take any other subprotocol for long polling, and ask without a pause.
        found.append(Form(target, (_OBSERVE,), "GET", subprotocol="sse"))
        found.append(Form(target, (_OBSERVE,), "GET", subprotocol="websub"))
    return found
