"""The ontology graph as flat records: kinds, commands, values, classes and their words."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from engine.graph.store import GraphStore
from engine.graph.terms import (
    ONTOLOGY,
    RDF_TYPE,
    Json,
    Literal,
    NamedNode,
    Node,
    Quad,
    Term,
    Triple,
    expand,
    node,
    python,
)
from engine.model import thing_rdf as rdf
from engine.model.vocabulary import Command, Effect, Influence, Kind, Value, Vocabulary
from engine.things.description.turtle import Facts, facts_of
from engine.things.ontology import definitions

SUBCLASS = node("rdfs:subClassOf")
PREFERRED, ALSO, HIDDEN = node("skos:prefLabel"), node("skos:altLabel"), node("skos:hiddenLabel")
NOTATION = node("skos:notation")
REGRETTABLE, READING, SETTING = expand("hg:Regrettable"), expand("hg:Reading"), expand("hg:Setting")
KIND, COMMAND, WORD_OF = node("hg:Kind"), node("hg:Command"), node("hg:wordOf")
"""The last leads from a term to the thing that alone has it."""
EXTENSION, SETTABLE = node("hg:extension"), node("hg:settable")
_BOUNDS = {rdf.BOUNDS[name]: name for name in rdf.BOUNDS}


def load(store: GraphStore) -> Vocabulary:
    """The whole vocabulary of a store."""
    return store.of_terms("things/vocabulary", lambda: _Reader(facts(store)).vocabulary(), kept=False)


def facts(store: GraphStore) -> Facts:
    """The statements of a store's ontology graph by subject."""
    return facts_of(store.graph(ONTOLOGY))


def read(quads: Iterable[Triple | Quad]) -> Vocabulary:
    """The vocabulary that the quads of an ontology graph describe."""
    return _Reader(facts_of(quads)).vocabulary()


class _Reader:
    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._ancestors = _closure(facts)
        self._instances: dict[str, list[NamedNode]] = {}
        for n, about in facts.items():
            if isinstance(n, NamedNode):
                for cls in {a for t in about.get(RDF_TYPE, ()) for a in self._ancestors.get(t.value, (t.value,))}:
                    self._instances.setdefault(cls, []).append(n)

    def vocabulary(self) -> Vocabulary:
        labels = {n.value: words for n in self._facts if isinstance(n, NamedNode) and (words := self._labels(n))}
        return Vocabulary(
            kinds={n.value: self._kind(n) for n in self._of("hg:Kind")},
            commands={n.value: self._command(n) for n in self._of("hg:Command")},
            values={n.value: self._value(n) for n in self._of("hg:Value")},
            ancestors=self._ancestors,
            main_kinds=self._main_kinds(),
            labels=labels,
            regrettable=self._inherited(REGRETTABLE),
            units=frozenset(n.value for n in self._of("hg:Unit")),
            confined=self._confined(),
            regrets={n.value: found for n in self._of("hg:DeviceClass") if (found := self._regrets(n))},
            definitions=definitions.read(self._facts),
            main_commands={n.value: one for n in self._of("hg:DeviceClass") if (one := self._iri(n, "hg:mainCommand"))},
            otherwise={n.value: said[0] for n in self._of("hg:Condition") if (said := self._texts(n, "hg:otherwise"))},
            stand_ins={
                n.value: tuple(sorted(o)) for n in self._of("hg:DeviceClass") if (o := self._texts(n, "hg:orElse"))
            },
        )

    def _of(self, curie: str) -> list[NamedNode]:
        return self._instances.get(expand(curie), [])

    def _kind(self, n: NamedNode) -> Kind:
        settable = self._one(n, "hg:settable")
        step = self._one(n, "hg:step")
        return Kind(
            iri=n.value,
            unit=self._iri(n, "hg:unit"),
            high=frozenset(self._texts(n, "hg:high")),
            low=frozenset(self._texts(n, "hg:low")),
            influences=tuple(self._influence(m) for m in self._nodes(n, "hg:influence")),
            measures=self._iri(n, "hg:measures"),
            settable=settable is None or python(settable) is True,
            default_step=None if step is None else float(step.value),
        )

    def _influence(self, n: Node) -> Influence:
        direction, gain = self._one(n, "hg:direction"), self._one(n, "hg:gain")
        return Influence(
            variable=self._iri(n, "hg:variable") or "",
            direction=-1 if direction is not None and direction.value.startswith("-") else 1,
            gain=1.0 if gain is None else float(gain.value),
            when=self._iri(n, "hg:when"),
            of=self._iri(n, "hg:of"),
        )

    def _command(self, n: NamedNode) -> Command:
        """A command has the effects of its class, or else those of the nearest classes above it."""
        level: list[Node] = [n]
        effects: list[Effect] = []
        while level and not effects:
            effects = [e for m in level for link in self._nodes(m, "hg:effect") for e in self._effects(link)]
            level = [parent for m in level for parent in self._nodes(m, "rdfs:subClassOf")]
        regrettable = any(self._typed(cls, REGRETTABLE) for cls in self._ancestors.get(n.value, (n.value,)))
        usually = frozenset(self._texts(n, "hg:usually"))
        return Command(n.value, tuple(sorted(effects, key=repr)), regrettable, usually)

    def _regrets(self, n: NamedNode) -> tuple[Effect, ...]:
        """The effects to be regretted (hg:regret) of devices of a class, from it and its superclasses."""
        above = self._ancestors.get(n.value, frozenset((n.value,)))
        links = (link for cls in above for link in self._nodes(NamedNode(cls), "hg:regret"))
        return tuple(sorted((e for link in links for e in self._effects(link)), key=repr))

    def _effects(self, n: Node) -> Iterable[Effect]:
        for form, predicate in rdf.EFFECT_FORMS.items():
            for value in self._facts.get(n, {}).get(predicate, ()):
                bound: Json = _BOUNDS.get(value) if isinstance(value, NamedNode) else None
                said: Json = bound if bound is not None else python(value)  # type: ignore[assignment]
                yield Effect(self._iri(n, "hg:kind") or "", form, said, self._iri(n, "hg:property"))

    def _value(self, n: NamedNode) -> Value:
        level, number, rgb = (self._one(n, name) for name in ("hg:level", "hg:number", "hg:rgb"))
        red, green, blue = (int(part) for part in rgb.value.split(",")) if rgb is not None else (0, 0, 0)
        return Value(
            iri=n.value,
            notations=frozenset(self._texts(n, "skos:notation")),
            level=None if level is None else float(level.value),
            number=None if number is None else float(number.value),
            unit=self._iri(n, "hg:unit"),
            rgb=None if rgb is None else (red, green, blue),
            kinds=frozenset(self._texts(n, "hg:ofKind")),
        )

    def _main_kinds(self) -> dict[str, tuple[str, ...]]:
        """Each device class with its main kinds, the first before the others; its own, or else those above it."""
        found: dict[str, tuple[str, ...]] = {}
        for n in self._of("hg:DeviceClass"):
            level: list[Node] = [n]
            kinds: list[str] = []
            while level and not kinds:
                first = [kind for m in level for kind in self._texts(m, "hg:firstKind")]
                kinds = [*first, *sorted(kind for m in level for kind in self._texts(m, "hg:mainKind"))]
                level = [parent for m in level for parent in self._nodes(m, "rdfs:subClassOf")]
            if kinds:
                found[n.value] = tuple(dict.fromkeys(kinds))
        return found

    def _confined(self) -> dict[str, frozenset[str]]:
        terms = [*self._of("hg:Kind"), *self._of("hg:Command")]
        return {n.value: frozenset(classes) for n in terms if (classes := self._texts(n, "hg:of"))}

    def _labels(self, n: NamedNode) -> tuple[str, ...]:
        """English words: the one to speak first, then those to hear, those hidden, and signs and codes."""
        about = self._facts[n]
        words: list[str] = []
        for predicate in (PREFERRED, ALSO, HIDDEN, NOTATION):
            texts = (t for t in about.get(predicate, ()) if isinstance(t, Literal))
            words += sorted(t.value for t in texts if (t.language or "en").startswith("en"))
        return tuple(dict.fromkeys(words))

    def _inherited(self, cls: str) -> frozenset[str]:
        """The instances of the class `cls` and its subclasses."""
        named = {n.value for n in self._instances.get(cls, ())}
        return frozenset(iri for iri, above in self._ancestors.items() if named & above) | named

    def _typed(self, iri: str, cls: str) -> bool:
        return any(t.value == cls for t in self._facts.get(NamedNode(iri), {}).get(RDF_TYPE, ()))

    def _values(self, n: Node, curie: str) -> list[Term]:
        return self._facts.get(n, {}).get(_predicate(curie), [])

    def _nodes(self, n: Node, curie: str) -> list[Node]:
        return [value for value in self._values(n, curie) if not isinstance(value, Literal)]

    def _texts(self, n: Node, curie: str) -> list[str]:
        return [value.value for value in self._values(n, curie)]

    def _one(self, n: Node, curie: str) -> Literal | None:
        return next((value for value in self._values(n, curie) if isinstance(value, Literal)), None)

    def _iri(self, n: Node, curie: str) -> str | None:
        return next((value.value for value in self._values(n, curie) if isinstance(value, NamedNode)), None)


@cache
def _predicate(curie: str) -> NamedNode:
    return node(curie)


def _closure(facts: Facts) -> dict[str, frozenset[str]]:
    """Each class and each value class with itself and all above it; circles are walked once."""
    above = {
        n.value: [parent.value for parent in about.get(SUBCLASS, ()) if isinstance(parent, NamedNode)]
        for n, about in facts.items()
        if isinstance(n, NamedNode)
    }
    for n, cls in (*_by_nature(facts), *_called_alike(facts)):
        above[n].append(cls)
    closed: dict[str, frozenset[str]] = {}
    for cls in above:
        found = {cls}
        waiting = [cls]
        while waiting:
            fresh = [parent for parent in above.get(waiting.pop(), ()) if parent not in found]
            found.update(fresh)
            waiting += fresh
        closed[cls] = frozenset(found)
    return closed


def _called_alike(facts: Facts) -> Iterable[tuple[str, str]]:
    """Pairs of commands, each of one thing alone, that are called the same: who says so may mean either."""
    called: dict[str, set[str]] = {}
    for n, about in facts.items():
        if WORD_OF in about and COMMAND in about.get(RDF_TYPE, ()):
            for label in (*about.get(PREFERRED, ()), *about.get(ALSO, ())):
                called.setdefault(label.value.lower(), set()).add(n.value)
    return [(one, other) for alike in called.values() for one in alike for other in alike if one != other]


def _by_nature(facts: Facts) -> Iterable[tuple[str, str]]:
    """Pairs of a class and the class of its instances, by metaclass: kinds are readings or settings, and a class of
    classes may have an hg:extension."""
    for n, about in facts.items():
        if isinstance(n, NamedNode):
            metaclasses = (meta for meta in about.get(RDF_TYPE, ()) if isinstance(meta, NamedNode))
            yield from ((n.value, e.value) for meta in metaclasses for e in facts.get(meta, {}).get(EXTENSION, ()))
            if KIND in about.get(RDF_TYPE, ()):
                read_only = any(python(value) is False for value in about.get(SETTABLE, ()))
                yield n.value, READING if read_only else SETTING
