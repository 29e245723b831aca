"""Terms for offers of artifacts that nobody here has words for yet: commands, kinds, classes of a thing's own.

Words that mean something here already are never taken by a stranger's tool.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from engine.graph.store import GraphStore
from engine.graph.terms import RDF_TYPE, BlankNode, Literal, NamedNode, Triple, expand, node
from engine.model import thing_rdf as rdf
from engine.things import reserved
from engine.things.ontology.identifiers import spelled, tokens
from engine.things.registry import Registry

NUMBERS = ("number", "integer")
MOST_WORDS = 4
LABEL, OTHER_LABEL = node("skos:prefLabel"), node("skos:altLabel")


class Minting:
    """The new terms of one thing, gathered in `triples`; `called` is what it is registered as, `taken` are names that
    no action can have."""

    def __init__(
        self, thing: str, called: str, registry: Registry, taken: Collection[tuple[str, ...]] = frozenset()
    ) -> None:
        self.triples: list[Triple] = []
        self._thing, self._called, self._strange = thing, called, bool(taken)
        self._known = known_words(registry.store) | set(taken)
        self._reserved = reserved.reserved(registry.store)
        words = registry.vocabulary
        shared = (iri for iri in words.ancestors if not is_own(iri))
        self._named = {tokens(label) for iri in shared for label in words.labels.get(iri, ())}
        self._units = {label.lower(): unit for unit in words.units for label in words.labels.get(unit, ())}

    def free(self, name: str) -> bool:
        """Whether something can be called so: its name is plain words, which mean nothing here already."""
        words = tokens(name)
        plain = 0 < len(words) <= MOST_WORDS and all(word.isalpha() and word.isascii() for word in words)
        return plain and words not in self._known and not reserved.is_reserved(spelled(name), self._reserved)

    def sayable(self, title: str) -> bool:
        """Whether a title is free, and no sentence that means something here already: “it is too dark”."""
        return self.free(title) and not self.made_of_known(title)

    def made_of_known(self, text: str) -> bool:
        """Whether a text is put together of words that mean something here."""
        words, ends = tokens(text), {0}
        known = self._known | {tokens(" ".join(one)) for one in self._reserved}
        for start in range(len(words)):
            if start in ends:
                ends |= {end for end in range(start + 1, len(words) + 1) if words[start:end] in known}
        return len(words) in ends

    def known(self, word: str) -> bool:
        """Whether a word means something here by itself."""
        return (word,) in self._known

    def joins(self, word: str) -> bool:
        """Whether a word only joins others: “by”, “to”."""
        return (word,) in self._reserved

    def names(self, word: str) -> bool:
        """Whether a word by itself names a class of things or places, a kind of property, or a command."""
        return (word,) in self._named

    def device_class(self, name: str) -> str:
        """The class that the thing alone is of, so that its name is known as that of a device."""
        iri = rdf.below(self._thing, "class")
        self._term(iri, "hg:DeviceClass", (name,))
        self.triples.append(Triple(NamedNode(iri), node("rdfs:subClassOf"), NamedNode(expand("hg:Device"))))
        return iri

    def command(self, key: str, names: Sequence[str], kinds: Sequence[str]) -> str:
        """The command that is called by names, which takes numbers of these kinds."""
        iri = rdf.below(self._thing, "commands", key)
        labels = (" ".join(tokens(names[0])), *(spelled(name) for name in names))
        self._term(iri, "hg:Command", tuple(dict.fromkeys(labels)))
        for kind in kinds:
            self.triples += _effect(NamedNode(iri), NamedNode(kind))
        return iri

    def told(self, key: str, name: str) -> str | None:
        """The kind of a reading, so that it can be asked for by its name; None as for commands, and where
        each word of it is known: "bedroom temperature" is not for a stranger to tell."""
        if not self.free(name) or all(self.known(word) for word in tokens(name)):
            return None
        iri = rdf.below(self._thing, "kinds", key)
        self._term(iri, "hg:Kind", (spelled(name),))
        return iri

    def extent(self, key: str, name: str, said: Sequence[str]) -> tuple[str, str | None]:
        """The kind of a number that a tool takes, and its unit, if one is among the words `said` of it."""
        iri = rdf.below(self._thing, "kinds", f"{key}-{name}" if name else key)
        label = " ".join(filter(None, (self._called, key, " ".join(tokens(name)) or name)))
        self._term(iri, "hg:Kind", () if self._strange and self.made_of_known(label) else (label,))
        kind, unit = NamedNode(iri), self._unit(said)
        self.triples.append(Triple(kind, node("rdfs:subClassOf"), node("hg:Extent")))
        if unit:
            self.triples.append(Triple(kind, node("hg:unit"), NamedNode(unit)))
        return iri, unit

    def _term(self, iri: str, speech: str, labels: Sequence[str]) -> None:
        """Statements of each term: the first label is its name, others are heard."""
        term = NamedNode(iri)
        self.triples += [Triple(term, RDF_TYPE, node(speech)), Triple(term, RDF_TYPE, node("owl:Class"))]
        for label, text in zip((LABEL, *[OTHER_LABEL] * len(labels)), labels, strict=False):
            self.triples.append(Triple(term, label, Literal(text, language="en")))

    def _unit(self, said: Sequence[str]) -> str | None:
        """The unit that a schema names, or of which its name or description speaks."""
        named = [said[0], *(word for text in said[1:] for word in _words(text))]
        return next((self._units[word.lower()] for word in named if word and word.lower() in self._units), None)


def is_own(term: str) -> bool:
    """Whether a term is that of one thing alone, by its address."""
    return "commands/" in term or "kinds/" in term


def known_words(store: GraphStore) -> frozenset[tuple[str, ...]]:
    """The words that mean something here."""
    return store.of_terms("things/taken_words", lambda: _known(store))


def _known(store: GraphStore) -> frozenset[tuple[str, ...]]:
    rows = store.select("things/taken_words")
    return frozenset(tokens(str(label.value)) for (label,) in rows if label is not None)


def _effect(command: NamedNode, kind: NamedNode) -> Iterator[Triple]:
    effect = BlankNode()
    yield Triple(command, node("hg:effect"), effect)
    yield Triple(effect, node("hg:kind"), kind)
    yield Triple(effect, node("hg:toInput"), kind)


def _words(text: str) -> list[str]:
    """The words of a text of which one may be a unit; a single letter is seldom one."""
    found = "".join(c if c.isalpha() or c in "°%/³²" else " " for c in text.replace("_", " ")).split()
    said = [word for word in found if len(word) > 1 and word.lower() != "in"]  # which is seldom an inch
    return [one for word in said for one in (word, word.rstrip("s"))]
