"""Reads shapes from quads into frozen dataclasses; components outside the compiled subset are refused by name.

https://www.w3.org/TR/shacl/#core-components
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from engine.errors import UnsupportedShape
from engine.graph.shacl import literals
from engine.graph.shacl.data import QuadData, label
from engine.graph.terms import Literal, NamedNode, Quad, Term, Triple, compact, expand

SH = expand("sh:")
RDF = expand("rdf:")
TYPE = expand("rdf:type")
REMEDY = expand("hg:remedy")
_CLASSES = (expand("rdfs:Class"), expand("owl:Class"))


@dataclass(frozen=True, slots=True)
class Path:
    """A property path. `form` is "predicate" or "inverse" (of `iri`), "sequence" or "alternative" (of `parts`)."""

    form: str
    iri: str = ""
    parts: tuple[Path, ...] = ()

    def __str__(self) -> str:
        if self.form == "predicate":
            return self.iri
        if self.form == "inverse":
            return f"^{self.iri}"
        return ("/" if self.form == "sequence" else "|").join(map(str, self.parts))


@dataclass(frozen=True, slots=True)
class Constraint:
    """One constraint: the name of its component ("MinCount") and its parameter.

    The parameter is an int (counts, lengths), a Literal (bounds), an IRI (Datatype, Class, NodeKind, Equals, Disjoint),
    a term (HasValue), a tuple of terms (In), (pattern, flags), the key of a shape (Not, Node, Property), several keys
    (And, Or, Xone), the IRIs that are allowed (Closed), or True (UniqueLang).
    """

    component: str
    parameter: object


@dataclass(frozen=True, slots=True)
class Shape:
    """A node shape (`path` is None) or a property shape. `name` is its IRI, or that of the shape that holds it."""

    key: str
    name: str
    path: Path | None = None
    constraints: tuple[Constraint, ...] = ()
    target_classes: tuple[str, ...] = ()
    target_nodes: tuple[Term, ...] = ()
    target_subjects_of: tuple[str, ...] = ()
    severity: str = "Violation"
    message: str = ""
    remedy: str = ""

    @property
    def targeted(self) -> bool:
        """Whether it has targets of its own."""
        return bool(self.target_classes or self.target_nodes or self.target_subjects_of)


@dataclass(frozen=True, slots=True)
class Shapes:
    """Shapes by key (an IRI, or `_:` and a label), with all that they refer to."""

    by_key: Mapping[str, Shape] = field(default_factory=dict)

    def __getitem__(self, key: str) -> Shape:
        return self.by_key[key]

    @property
    def targeted(self) -> tuple[Shape, ...]:
        return tuple(shape for shape in self.by_key.values() if shape.targeted)


def parse(quads: Iterable[Quad | Triple], roots: Iterable[str] | None = None) -> Shapes:
    """The shapes among `quads`: all of them, or those of the keys `roots` and the shapes that they refer to.

    Raises UnsupportedShape, which names the component, for a shape outside the compiled subset.
    """
    reader = _Reader(QuadData(quads))
    for key in reader.declared() if roots is None else roots:
        reader.shape(key)
    return Shapes(reader.shapes)


def read_path(data: QuadData, term: Term) -> Path:
    """The property path that `term` stands for. Raises UnsupportedShape for the `*`, `+` and `?` of paths."""
    if isinstance(term, NamedNode):
        return Path("predicate", term.value)
    if parts := _list(data, term):
        return Path("sequence", parts=tuple(read_path(data, part) for part in parts))
    for inverse in data.values(label(term), f"{SH}inversePath"):
        if isinstance(inverse, NamedNode):
            return Path("inverse", inverse.value)
    for choice in data.values(label(term), f"{SH}alternativePath"):
        return Path("alternative", parts=tuple(read_path(data, part) for part in _list(data, choice)))
    forms = ", ".join(sorted(compact(predicate) for predicate in data.predicates(label(term))))
    raise _unsupported(forms or "sh:path", label(term))


class _Reader:
    """Reads shapes from their graph, each once, with those that they refer to."""

    def __init__(self, data: QuadData) -> None:
        self.data = data
        self.shapes: dict[str, Shape] = {}
        self._open: set[str] = set()

    def declared(self) -> list[str]:
        """The nodes that are typed as shapes or have a target."""
        types = {f"{SH}NodeShape", f"{SH}PropertyShape"}
        marks = {f"{SH}{name}" for name in ("targetClass", "targetNode", "targetSubjectsOf")}
        return [
            node for node in self.data.nodes() if marks & {*self.data.predicates(node)} or types & self._types(node)
        ]

    def shape(self, key: str) -> str:
        """Reads the shape of `key`, unless that is done or being done (shapes may be recursive). Comes back: `key`."""
        if key in self.shapes or key in self._open:
            return key
        self._open.add(key)
        path = next((read_path(self.data, term) for term in self.values(key, "path")), None)
        off = any(literals.value(term) is True for term in self.values(key, "deactivated") if isinstance(term, Literal))
        implicit = (key,) if self._types(key) & {*_CLASSES} and f"{SH}NodeShape" in self._types(key) else ()
        self.shapes[key] = Shape(
            key=key,
            name=self.data.holder(key),
            path=path,
            constraints=() if off else self._constraints(key),
            target_classes=() if off else (*map(label, self.values(key, "targetClass")), *implicit),
            target_nodes=() if off else self.values(key, "targetNode"),
            target_subjects_of=() if off else tuple(map(label, self.values(key, "targetSubjectsOf"))),
            severity=next((label(term).removeprefix(SH) for term in self.values(key, "severity")), "Violation"),
            message=_words(self.values(key, "message")),
            remedy=_words(self.data.values(key, REMEDY)),
        )
        return key

    def values(self, key: str, name: str) -> tuple[Term, ...]:
        return self.data.values(key, SH + name)

    def _types(self, key: str) -> set[str]:
        return {label(term) for term in self.data.values(key, TYPE)}

    def _constraints(self, key: str) -> tuple[Constraint, ...]:
        found: list[Constraint] = []
        for predicate in self.data.predicates(key):
            name = predicate.removeprefix(SH)
            if predicate == name or name in _SILENT:
                continue
            if name not in _PARAMETERS:
                raise _unsupported(f"sh:{name}", key)
            component, read, several = _PARAMETERS[name]
            terms = self.values(key, name)
            if len(terms) > 1 and not several:
                raise _unsupported(f"sh:{name} given {len(terms)} times", key)
            found += [Constraint(component, read(self, key, term)) for term in terms]
        return tuple(constraint for constraint in found if constraint.parameter is not False)


def _unsupported(component: str, key: str) -> UnsupportedShape:
    return UnsupportedShape(
        f"The shape {compact(key)} uses {component}, which the compiled shapes do not cover.",
        component=component,
        remedy="Say it with other components, or have it validated by pyshacl alone.",
    )


def _words(terms: Iterable[Term]) -> str:
    """The text among `terms`: the English or untagged one where there are several."""
    texts = [term for term in terms if isinstance(term, Literal)]
    texts.sort(key=lambda term: (term.language or "en") != "en")
    return texts[0].value if texts else ""


def _list(data: QuadData, term: Term) -> tuple[Term, ...]:
    items: dict[Term, Term] = {}  # by the node of the list: one that bites its tail ends there
    while term not in items and not isinstance(term, Literal) and (first := data.values(label(term), f"{RDF}first")):
        items[term] = first[0]
        term = next(iter(data.values(label(term), f"{RDF}rest")), NamedNode(f"{RDF}nil"))
    return tuple(items.values())


def _integer(_: _Reader, key: str, term: Term) -> int:
    found = literals.value(term) if isinstance(term, Literal) else None
    if not isinstance(found, int) or isinstance(found, bool) or found < 0:
        raise _unsupported(f"{term}, where a whole number is needed,", key)
    return found


def _bound(_: _Reader, key: str, term: Term) -> Literal:
    if not isinstance(term, Literal) or literals.value(term) is None:
        raise _unsupported(f"the bound {term}", key)
    return term


def _iri(_: _Reader, key: str, term: Term) -> str:
    if not isinstance(term, NamedNode):
        raise _unsupported(f"{term}, where an IRI is needed,", key)
    return term.value


def _node_kind(reader: _Reader, key: str, term: Term) -> str:
    name = _iri(reader, key, term).removeprefix(SH)
    if not re.fullmatch("IRI|Literal|BlankNode|BlankNodeOrIRI|BlankNodeOrLiteral|IRIOrLiteral", name):
        raise _unsupported(f"the node kind {name}", key)
    return name


def _pattern(reader: _Reader, key: str, term: Term) -> tuple[str, str]:
    flags = "".join(sorted({*_words(reader.values(key, "flags"))}))
    if not isinstance(term, Literal) or not re.fullmatch("i?m?s?", flags):
        raise _unsupported(f"sh:flags '{flags}'", key)
    try:
        re.compile(term.value)
    except re.error:
        raise _unsupported(f"the pattern '{term.value}'", key) from None
    return (term.value, flags)


def _truth(_: _Reader, __: str, term: Term) -> bool:
    return isinstance(term, Literal) and literals.value(term) is True


def _closed(reader: _Reader, key: str, term: Term) -> object:
    if not _truth(reader, key, term):
        return False
    ignored = [item for held in reader.values(key, "ignoredProperties") for item in _list(reader.data, held)]
    paths = [path for held in reader.values(key, "property") for path in reader.values(label(held), "path")]
    return frozenset(item.value for item in (*ignored, *paths) if isinstance(item, NamedNode))


def _term(_: _Reader, __: str, term: Term) -> Term:
    return term


def _terms(reader: _Reader, _: str, term: Term) -> tuple[Term, ...]:
    return _list(reader.data, term)


def _shape(reader: _Reader, _: str, term: Term) -> str:
    return reader.shape(label(term))


def _shapes(reader: _Reader, _: str, term: Term) -> tuple[str, ...]:
    return tuple(reader.shape(label(item)) for item in _list(reader.data, term))


# The parameters of https://www.w3.org/TR/shacl/#core-components: component, how it is read, whether it may be repeated.
_PARAMETERS: dict[str, tuple[str, Callable[[_Reader, str, Term], object], bool]] = {
    "minCount": ("MinCount", _integer, False),
    "maxCount": ("MaxCount", _integer, False),
    "datatype": ("Datatype", _iri, False),
    "nodeKind": ("NodeKind", _node_kind, False),
    "class": ("Class", _iri, True),
    "minInclusive": ("MinInclusive", _bound, False),
    "maxInclusive": ("MaxInclusive", _bound, False),
    "minExclusive": ("MinExclusive", _bound, False),
    "maxExclusive": ("MaxExclusive", _bound, False),
    "minLength": ("MinLength", _integer, False),
    "maxLength": ("MaxLength", _integer, False),
    "pattern": ("Pattern", _pattern, True),
    "in": ("In", _terms, False),
    "hasValue": ("HasValue", _term, True),
    "equals": ("Equals", _iri, True),
    "disjoint": ("Disjoint", _iri, True),
    "uniqueLang": ("UniqueLang", _truth, False),
    "not": ("Not", _shape, True),
    "and": ("And", _shapes, True),
    "or": ("Or", _shapes, True),
    "xone": ("Xone", _shapes, True),
    "node": ("Node", _shape, True),
    "property": ("Property", _shape, True),
    "closed": ("Closed", _closed, False),
}
# Read elsewhere, or without any bearing on whether data conform.
_SILENT = frozenset(
    (
        *("path", "targetClass", "targetNode", "targetSubjectsOf", "severity", "message", "deactivated"),
        *("flags", "ignoredProperties", "name", "description", "order", "group", "defaultValue"),
    )
)
