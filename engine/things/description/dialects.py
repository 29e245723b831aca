"""Translates descriptions of things to the canonical dialect: from W3C TD 1.1 on one side, the HMAS papers, Yggdrasil
and older tools on the other (VOCABULARY, "what is found in the wild").

Statements beyond our terms pass through untouched. Missing ones are not invented: a nameless affordance or a form
without a target stays so, for the shapes to refuse.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote, urljoin

from engine.errors import ThingRefused
from engine.graph.terms import RDF_TYPE, Literal, NamedNode, Node, Quad, Term, expand, literal, node, python
from engine.model import thing_rdf as rdf
from engine.things.description.schemas import SchemaDialect
from engine.things.description.statements import FOREIGN, Draft
from engine.things.description.turtle import ORIGIN, THING, Facts

NAMES = (node("rdfs:label"), node("schema:name"), NamedNode("http://schema.org/name"), node("skos:prefLabel"))
TITLES = (rdf.TITLE, *NAMES, NamedNode("http://purl.org/dc/terms/title"), rdf.NAME)
DESCRIPTIONS = (rdf.DESCRIPTION, node("rdfs:comment"), node("js:description"))
STATE_TERMS = (node("hg:value"), node("hg:observedAt"), node("hg:changedAt"))
BASES = (rdf.BASE, node("td:hasBase"), node("td:base"))
SUBPROTOCOLS = (rdf.SUBPROTOCOL, node("hctl:hasSubProtocol"))
NAMED_SCHEME = node("td:hasInstanceConfiguration")
OPERATIONS = {
    name.lower(): node(f"td:{name}")
    for name in (
        *("readProperty", "writeProperty", "observeProperty", "unobserveProperty"),
        *("invokeAction", "queryAction", "cancelAction", "subscribeEvent", "unsubscribeEvent"),
        *("readAllProperties", "writeAllProperties", "readMultipleProperties", "writeMultipleProperties"),
        *("observeAllProperties", "unobserveAllProperties", "queryAllActions", "subscribeAllEvents"),
        "unsubscribeAllEvents",
    )
}
EVENT_SCHEMAS = {
    rdf.NOTIFICATION: "data",
    node("td:hasSubscriptionSchema"): "subscription",
    node("td:hasCancellationSchema"): "cancellation",
}

_SCHEME = "SecurityScheme"
_STEPS = re.compile(r"[/#]")
_GIVEN = re.compile(r"[^\W\d][\w.~-]*")
_UUID = re.compile(r"[0-9a-fA-F]{8}-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}")
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


@dataclass(frozen=True, slots=True, eq=False)
class Description:
    """A thing in the canonical form: the quads of its document (as `facts`, too), the state said in it, small faults.

    `state` has the property's IRI, its value and, where it was said, when it was observed and changed.
    """

    iri: str
    document: str
    quads: tuple[Quad, ...]
    state: tuple[tuple[NamedNode, dict[str, Term]], ...]
    warnings: tuple[str, ...]
    names: dict[Node, NamedNode]
    facts: Facts


def normalise(
    facts: Facts, subject: Node, place: str | None = None, others: frozenset[Node] = frozenset()
) -> Description:
    """The thing at `subject` of a file, with all that hangs on it, in the canonical form.

    `place` is where the file says it is by other statements than the thing's own; `others` are the nodes of the file
    that belong to somebody else. Raises ThingRefused (node, shape, remedy) for a schema that contains itself.
    """
    return _Thing(facts, subject, others).description(place)


class _Thing:
    """One walk through one description. Each node is taken once and gets its canonical address."""

    def __init__(self, facts: Facts, subject: Node, others: frozenset[Node]) -> None:
        self._subject = subject
        self._draft = Draft(facts, others)
        self._iri = NamedNode(self._address())
        self._draft.document = rdf.document_iri(self._iri.value)
        self._schemas = SchemaDialect(self._draft)
        self._state: list[tuple[NamedNode, dict[str, Term]]] = []
        self._base: str | None = None
        self._paths: dict[Node, str] = {}

    def description(self, place: str | None) -> Description:
        draft, iri = self._draft, self._iri
        draft.name(self._subject, iri)
        for cls in (THING, node("hmas:Artifact"), *draft.classes(self._subject)):
            draft.say(iri, RDF_TYPE, cls)
        self._names()
        self._draft.text(self._subject, iri, rdf.DESCRIPTION, DESCRIPTIONS)
        self._where(place)
        self._address_base()
        self._security()
        self._forms(self._subject, iri, ())
        self._affordances(self._subject, iri, "")
        self._parts(self._subject, "")
        draft.carry_rest()
        state, warnings = tuple(self._state), tuple(draft.warnings)
        return Description(iri.value, draft.document, draft.quads(), state, warnings, draft.names, draft.canonical())

    def _address(self) -> str:
        if isinstance(self._subject, NamedNode):
            return self._subject.value
        english, foreign = self._draft.texts(self._subject, *TITLES)
        title = next(iter(english or foreign), None)
        if title is None:
            raise ThingRefused(
                "A thing has neither an address nor a name.",
                node=str(self._subject),
                shape=expand("hg:ThingShape"),
                remedy="Give it an IRI, or a td:title.",
            )
        self._draft.warn(f"'{title.value}' has no address; it was given one made of its title.")
        return rdf.below("https://w3id.org/hearthgraph/thing/" + rdf.below("", title.value)[1:])

    # Texts

    def _names(self) -> None:
        """The first name is the title; every further one is an alias."""
        draft = self._draft
        titled = bool(draft.facts[self._subject].get(rdf.TITLE))
        english, foreign = draft.texts(self._subject, *TITLES)
        draft.take(self._subject, *TITLES)
        for text in foreign:
            draft.say(self._iri, FOREIGN[rdf.TITLE], text)
        found = english or foreign
        said = found[0].value if found else ""
        title = said or local_name(self._iri.value) or (self._iri.value if titled else "")
        if title and not (titled and said):
            draft.warn(f"{self._iri.value} has no td:title; it is called '{title}'.")
        if title:
            draft.say(self._iri, rdf.TITLE, Literal(title, language="en"))
        aliases = [*(text.value for text in found[1:]), *(a.value for a in draft.take(self._subject, rdf.ALIAS))]
        for alias in dict.fromkeys(aliases):
            if alias != title:
                draft.say(self._iri, rdf.ALIAS, Literal(alias, language="en"))

    # Where it is, and how it is reached

    def _where(self, place: str | None) -> None:
        own = [value.value for value in self._draft.take(self._subject, rdf.PLACE, node("hmas:isHostedOn"))]
        if len(own) > 1:
            self._draft.warn(f"{self._iri.value} is said to be in {len(own)} places; {own[0]} is taken.")
        if chosen := own[0] if own else place:
            self._draft.say(self._iri, rdf.PLACE, NamedNode(chosen))

    def _address_base(self) -> None:
        for base in self._draft.take(self._subject, *BASES)[:1]:
            self._base = base.value
            self._draft.say(self._iri, rdf.BASE, Literal(base.value, datatype=rdf.ANY_URI))

    def _security(self) -> None:
        draft = self._draft
        schemes = draft.take(self._subject, rdf.DEFINES_SECURITY)
        chosen = draft.take(self._subject, rdf.SECURITY)
        names = [self._scheme(value) for value in (chosen or schemes)]
        if not names:
            draft.warn(f"{self._iri.value} says nothing of security; it is taken to need none.")
            names = [rdf.NO_SECURITY]
        for name in names:
            draft.say(self._iri, rdf.SECURITY, Literal(name))
            scheme = NamedNode(rdf.below(draft.document, "security", name))
            draft.say(self._iri, rdf.DEFINES_SECURITY, scheme)
            if name == rdf.NO_SECURITY:
                draft.say(scheme, RDF_TYPE, rdf.NO_SECURITY_SCHEME)
        for value in schemes:
            name = self._scheme(value)
            draft.say(self._iri, rdf.DEFINES_SECURITY, NamedNode(rdf.below(draft.document, "security", name)))

    def _scheme(self, value: Term) -> str:
        """The name of a security scheme, which may stand as a text, as a node, or as a class."""
        if isinstance(value, Literal):
            return value.value
        own = rdf.below(self._draft.document, "security", "")
        about = self._draft.facts.get(value, {})
        if value.value.startswith(own) and value.value != own:
            self._draft.name(value, NamedNode(value.value))
            return next((v.value for v in about.get(NAMED_SCHEME, ())), unquote(value.value[len(own) :]))
        schemes = [c.value for c in (value, *about.get(RDF_TYPE, ())) if c.value.endswith(_SCHEME)]
        if rdf.NO_SECURITY_SCHEME.value in schemes:
            name = rdf.NO_SECURITY
        else:
            said = about.get(NAMED_SCHEME) or ([value] if isinstance(value, NamedNode) and not schemes else [])
            name = local_name(said[0].value) if said else f"{local_name(schemes[0])[: -len(_SCHEME)].lower()}_sc"
        self._draft.name(value, NamedNode(rdf.below(self._draft.document, "security", name)))
        return name

    # Parts and affordances

    def _parts(self, owner: Node, path: str) -> None:
        for n in self._draft.take(owner, rdf.HAS_PART):
            if not isinstance(n, Literal):
                self._part(n, path)

    def _part(self, n: Node, outer: str) -> None:
        draft = self._draft
        if n in draft.names:
            return
        path = next((value.value for value in draft.take(n, rdf.PATH)), "") or local_name(n.value) or "part"
        if outer and not path.startswith(f"{outer}."):
            path = f"{outer}.{path}"
        iri = NamedNode(rdf.part_iri(draft.document, path))
        self._paths[n] = path
        draft.rename(n, iri)
        draft.say(self._iri, rdf.HAS_PART, iri)
        draft.say(iri, rdf.PATH, Literal(path))
        for cls in draft.classes(n):
            draft.say(iri, RDF_TYPE, cls)
        draft.text(n, iri, rdf.TITLE, TITLES)
        self._affordances(n, iri, path)
        self._parts(n, path)

    def _affordances(self, owner: Node, part: NamedNode, path: str) -> None:
        for link, write in (
            (rdf.HAS_PROPERTY, self._property),
            (rdf.HAS_ACTION, self._action),
            (rdf.HAS_EVENT, self._event),
        ):
            for n in self._draft.take(owner, link):
                if not isinstance(n, Literal) and n not in self._draft.names:
                    write(n, link, part, path)

    def _affordance(self, n: Node, link: NamedNode, part: NamedNode, path: str, group: str) -> NamedNode:
        """The canonical address of an affordance, after its name, title, part and other members common to all three
        sorts were said of it. Raises ThingRefused where another one has its name."""
        draft = self._draft
        part, path = self._owner(n, part, path)
        said = [value.value for value in draft.take(n, rdf.NAME) if value.value]
        name = said[0] if said else local_name(n.value) if isinstance(n, NamedNode) else ""
        if name and path and not name.startswith(f"{path}."):
            name = f"{path}.{name}"
        known = draft.said(self._iri, link)
        iri = NamedNode(rdf.below(draft.document, group, name or f"nameless-{len(known)}"))
        if iri in known:
            raise ThingRefused(
                f"{self._iri.value} has two {group} of the name '{name}'.",
                node=iri.value,
                shape=expand("hg:UniqueNameShape"),
                remedy="Give each its own td:name.",
            )
        draft.rename(n, iri)
        draft.say(self._iri, link, iri)
        draft.say(iri, rdf.PART, part)
        for text in said[1:] if said else ():
            draft.say(iri, rdf.NAME, Literal(text))
        if name:
            draft.say(iri, rdf.NAME, Literal(name))
        self._draft.text(n, iri, rdf.TITLE, (rdf.TITLE, *NAMES))
        self._draft.text(n, iri, rdf.DESCRIPTION, DESCRIPTIONS)
        return iri

    def _owner(self, n: Node, part: NamedNode, path: str) -> tuple[NamedNode, str]:
        """The part that an affordance says it belongs to; where it says nothing, the node that it hangs on."""
        for said in self._draft.take(n, rdf.PART):
            if said != self._subject and not isinstance(said, Literal):
                self._part(said, "")
                return self._draft.names[said], self._paths.get(said, "")
        return part, path

    def _property(self, n: Node, link: NamedNode, part: NamedNode, path: str) -> None:
        draft = self._draft
        iri = self._affordance(n, link, part, path, "properties")
        draft.say(iri, RDF_TYPE, node("td:PropertyAffordance"))
        observable = any(python(value) is True for value in draft.take(n, rdf.OBSERVABLE))
        self._schemas.affordance(n, iri)
        for value in draft.take(n, rdf.INVERTED):
            draft.say(iri, rdf.INVERTED, value)
        writable = not any(python(value) is True for value in draft.said(iri, rdf.READ_ONLY))
        operations = ("readproperty", "writeproperty") if writable else ("readproperty",)
        observable |= self._forms(n, iri, operations)
        if observable:
            draft.say(iri, rdf.OBSERVABLE, literal(True))
        self._take_state(n, iri)

    def _take_state(self, n: Node, iri: NamedNode) -> None:
        found = {term.value: values[0] for term in STATE_TERMS if (values := self._draft.take(n, term))}
        if found:
            self._state.append((iri, found))

    def _action(self, n: Node, link: NamedNode, part: NamedNode, path: str) -> None:
        draft = self._draft
        iri = self._affordance(n, link, part, path, "actions")
        for cls in (node("td:ActionAffordance"), *draft.classes(n)):
            draft.say(iri, RDF_TYPE, cls)
        for predicate, step in ((rdf.INPUT, "input"), (rdf.OUTPUT, "output")):
            for index, value in enumerate(draft.take(n, predicate)):
                self._schemas.linked(value, iri, predicate, f"{step}-{index}" if index else step)
        for index, effect in enumerate(draft.take(n, rdf.EFFECT)):
            draft.name(effect, NamedNode(rdf.below(iri.value, "effects", str(index))))
            draft.say(iri, rdf.EFFECT, draft.carry(effect))
        self._forms(n, iri, ("invokeaction",))

    def _event(self, n: Node, link: NamedNode, part: NamedNode, path: str) -> None:
        draft = self._draft
        iri = self._affordance(n, link, part, path, "events")
        for cls in (node("td:EventAffordance"), *draft.classes(n)):
            draft.say(iri, RDF_TYPE, cls)
        for predicate, step in EVENT_SCHEMAS.items():
            for value in draft.take(n, predicate):
                self._schemas.linked(value, iri, predicate, step)
        self._forms(n, iri, ("subscribeevent",))

    # Forms

    def _forms(self, n: Node, iri: NamedNode, operations: tuple[str, ...]) -> bool:
        """Writes the forms; True where one of them says that the affordance can be observed."""
        observed = False
        root = self._draft.document if iri == self._iri else iri.value
        for index, form in enumerate(self._draft.take(n, rdf.HAS_FORM)):
            if not isinstance(form, Literal) and not self._leads_to(form, iri):
                address = NamedNode(rdf.below(root, "forms", str(index)))
                self._draft.say(iri, rdf.HAS_FORM, address)
                observed |= self._form(form, address, operations)
        return observed

    def _leads_to(self, form: Node, affordance: NamedNode) -> bool:
        """Whether a form leads to its own affordance, which is how things are published that nothing can call yet."""
        targets = self._draft.facts.get(form, {}).get(rdf.TARGET, [])
        return bool(targets) and all(target.value == affordance.value for target in targets)

    def _form(self, n: Node, iri: NamedNode, defaults: tuple[str, ...]) -> bool:
        draft = self._draft
        draft.name(n, iri)
        draft.say(iri, RDF_TYPE, node("hctl:Form"))
        for cls in draft.classes(n):
            draft.say(iri, RDF_TYPE, cls)
        for target in draft.take(n, rdf.TARGET):
            draft.say(iri, rdf.TARGET, Literal(self._target(target.value), datatype=rdf.ANY_URI))
        said = draft.take(n, rdf.OPERATION)
        operations = [*map(_operation, said)] if said else [OPERATIONS[name] for name in defaults]
        for operation in operations:
            if isinstance(operation, Literal):
                draft.warn(f"{iri.value}: the operation '{operation.value}' is not known; it is left out.")
            draft.say(iri, rdf.OPERATION, operation)
        for content in draft.take(n, rdf.CONTENT_TYPE) or [Literal("application/json")]:
            draft.say(iri, rdf.CONTENT_TYPE, content)
        for subprotocol in draft.take(n, *SUBPROTOCOLS):
            draft.say(iri, rdf.SUBPROTOCOL, Literal(subprotocol.value))
        for scheme in draft.take(n, rdf.SECURITY):
            draft.say(iri, rdf.SECURITY, Literal(self._scheme(scheme)))
        self._headers(n, iri)
        return OPERATIONS["observeproperty"] in operations

    def _target(self, target: str) -> str:
        """An absolute target. A relative one, which the parser resolved against the file, is resolved against the
        thing's base."""
        if self._base is not None and target.startswith(ORIGIN):
            target = target[len(ORIGIN) :]
        return _join(self._base or self._draft.document, target)

    def _headers(self, n: Node, iri: NamedNode) -> None:
        draft = self._draft
        fields = [item for value in draft.take(n, rdf.HEADERS) for item in draft.items(value)]
        if not fields:
            return
        cells = [NamedNode(rdf.below(iri.value, "headers", str(index))) for index in range(len(fields))]
        for cell, rest, item in zip(cells, [*cells[1:], rdf.NIL], fields, strict=True):
            draft.say(cell, rdf.FIRST, draft.carry(item, NamedNode(rdf.below(cell.value, "field"))))
            draft.say(cell, rdf.REST, rest)
        draft.say(iri, rdf.HEADERS, cells[0])


def _operation(value: Term) -> Term:
    """An operation type as its IRI, whether it is written `td:invokeAction`, "invokeaction" or "td:invokeAction"."""
    name = value.value.rpartition("#")[2].rpartition(":")[2].lower()
    return OPERATIONS.get(name, value)


def _join(base: str, target: str) -> str:
    """`urljoin` for any scheme: Python's own knows the relative form of few."""
    scheme, mark, rest = base.partition("://")
    if not mark or _ABSOLUTE.match(target):
        return target or base
    joined = urljoin(f"http://{rest}", target)
    return joined if target.startswith("//") else scheme + joined[len("http") :]


def local_name(iri: str) -> str:
    """The last step of an IRI where it is a name that a person could have given; else nothing."""
    last = next((step for step in reversed(_STEPS.split(iri)) if step), "")
    return last if _GIVEN.fullmatch(last) and not _UUID.fullmatch(last) else ""
