"""The words of the ontology and the names of one home, gathered into a lexicon; rebuilt when the graph changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace

import webcolors

from engine.graph.store import GraphStore
from engine.graph.terms import Json, Literal, Term, expand, python
from engine.language.words.lexicon import Entry, Lexicon, Role, owner_of, phrase, split_identifier
from engine.language.words.morphology import positive_of, superlative_of
from engine.model.thing import Property, Schema, Thing
from engine.things.bulk import uncollected
from engine.things.registry import Registry
from engine.things.reserved import Words, is_reserved, reserved

_SPEECH = {
    expand("hg:Command"): Role.COMMAND,
    expand("hg:LightVerb"): Role.LIGHT_VERB,
    expand("hg:Filler"): Role.FILLER,
    expand("hg:EditingTerm"): Role.EDITING,
    expand("hg:TopicShift"): Role.SHIFT,
    expand("hg:Dismissal"): Role.DISMISSAL,
    expand("hg:Aside"): Role.ASIDE,
    expand("hg:DegreePhrase"): Role.DEGREE,
    expand("hg:Relative"): Role.RELATIVE,
    expand("hg:Complaint"): Role.COMPLAINT,
    expand("hg:DeviceClass"): Role.DEVICE,
    expand("hg:Kind"): Role.PROPERTY,
    expand("hg:PlaceClass"): Role.PLACE_CLASS,
    expand("hg:StateWord"): Role.STATE,
    expand("hg:Unit"): Role.UNIT,
    expand("hg:Value"): Role.VALUE,
    expand("hg:Level"): Role.VALUE,
    expand("hg:Mode"): Role.VALUE,
    expand("hg:Colour"): Role.VALUE,
}
_HIDDEN_SPEECH = frozenset(
    {Role.COMMAND, Role.LIGHT_VERB, Role.RELATIVE, Role.STATE, Role.COMPLAINT, Role.VALUE, Role.UNIT}
)


@dataclass(frozen=True, slots=True)
class Relation:
    """The meaning of a relative or complaint: the kind or variable (None: that of the device), the direction, and,
    where it multiplies, the factor. It `yields` to another where no device is named."""

    about: str | None
    direction: int
    factor: float | None = None
    yields: bool = False


@dataclass(frozen=True, slots=True)
class StateMeaning:
    """The state that a word describes: a property of this kind is `to`, or at its `bound`; said of these classes alone,
    where there are any."""

    kind: str
    to: Json = None
    bound: str | None = None
    classes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Dictionary:
    """All that is known of words here. `options` maps an option's text to the kinds of property that list it;
    `placed` are the kinds whose values are places, `textual` those whose values are any words; `spelt` maps a named
    value to the kinds of property here that have an option for it, `held` a class to the kinds that its devices
    here have, or have an action for; `graded` are the kinds that are more than on and off here; `needs` maps a
    command to the inputs that a person is asked for."""

    lexicon: Lexicon
    relations: Mapping[str, tuple[Relation, ...]]
    states: Mapping[str, tuple[StateMeaning, ...]]
    options: Mapping[str, frozenset[str]]
    placed: frozenset[str] = frozenset()
    textual: frozenset[str] = frozenset()
    spelt: Mapping[str, frozenset[str]] = field(default_factory=dict)
    held: Mapping[str, frozenset[str]] = field(default_factory=dict)
    graded: frozenset[str] = frozenset()
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@uncollected()
def build(store: GraphStore, registry: Registry) -> Dictionary:
    """The dictionary of a store as it is now."""
    lexicon = Lexicon()
    for name in webcolors.names("css3"):
        lexicon.add(name, Entry(Role.COLOUR, webcolors.name_to_hex(name)))
    for term, speech, label, hidden, _ in store.select("language/words"):
        role = _SPEECH[_text(speech)]
        if not (_is_true(hidden) and (role not in _HIDDEN_SPEECH or "_" in _text(label))):
            lexicon.add(_text(label), Entry(role, _text(term)))
        if role is Role.RELATIVE and (superlative := superlative_of(_text(label))):
            lexicon.add(superlative, Entry(Role.SUPERLATIVE, _text(term)))
            if not _text(label).startswith("less "):
                lexicon.add(positive_of(_text(label)), Entry(Role.GRADABLE, _text(term)))
    for term, speech, label in store.select("language/plurals"):
        lexicon.add(_text(label), Entry(_SPEECH[_text(speech)], _text(term)))
        lexicon.plurals.update(phrase(_text(label))[-1:])
    relations, states = _relations(store)
    taken = reserved(store)
    _add_places(lexicon, registry, taken)
    _add_storeys(lexicon, registry, store)
    kinds = _kinds_of_device(registry)
    for thing in registry.things.values():
        _add_names(lexicon, thing, registry, kinds, taken)
    for heard, words in store.select("language/respellings"):
        lexicon.respell(_text(heard), _text(words))
    placed, textual = _value_classes(store)
    options = _add_options(lexicon, registry)
    return Dictionary(
        lexicon,
        relations,
        states,
        options,
        placed,
        textual,
        _spelt(options, registry),
        _held(registry),
        _graded(registry),
        _needs(store),
    )


def _held(registry: Registry) -> dict[str, frozenset[str]]:
    """For each class, the kinds that devices of it here have or can set, with all above both."""
    ancestors = registry.vocabulary.ancestors
    found: dict[str, set[str]] = {}
    for thing in registry.things.values():
        for part in thing.parts:
            said = {k for p in thing.of_part(part.iri) for k in p.kinds}
            said |= {k for a in thing.actions if a.part == part.iri for k in _kinds_of_input(a.input)}
            kinds = {above for k in said for above in ancestors.get(k, frozenset((k,)))}
            for cls in {above for c in part.every_class for above in ancestors.get(c, frozenset((c,)))}:
                found.setdefault(cls, set()).update(kinds)
    return {cls: frozenset(kinds) for cls, kinds in found.items()}


def _needs(store: GraphStore) -> dict[str, tuple[str, ...]]:
    """For each command, the inputs that a person is asked for."""
    found: dict[str, list[str]] = {}
    for command, kind in store.select("language/needs"):
        found.setdefault(_text(command), []).append(_text(kind))
    return {command: tuple(kinds) for command, kinds in found.items()}


def _graded(registry: Registry) -> frozenset[str]:
    """The kinds, and all above them, of properties and inputs here that have more than two values."""
    graded = {k for p in registry.properties.values() if _is_graded(p.schema) for k in p.kinds}
    for action in registry.actions.values():
        members = (action.input, *(m for _, m in action.input.properties)) if action.input else ()
        graded |= {k for member in members if _is_graded(member) for k in member.kinds}
    ancestors = registry.vocabulary.ancestors
    return frozenset(above for k in graded for above in ancestors.get(k, frozenset((k,))))


def _is_graded(schema: Schema) -> bool:
    return schema.type in ("number", "integer", None) or len(schema.enum) > 2


def _kinds_of_input(schema: Schema | None) -> Iterable[str]:
    if schema is None:
        return ()
    return (*schema.kinds, *(k for _, member in schema.properties for k in _kinds_of_input(member)))


def _spelt(options: Mapping[str, frozenset[str]], registry: Registry) -> dict[str, frozenset[str]]:
    """For each named value, the kinds of the properties that list an option for it."""
    by_words: dict[tuple[str, ...], frozenset[str]] = {}
    for option, kinds in options.items():
        words = phrase(option)
        by_words[words] = by_words.get(words, frozenset()) | kinds
    found: dict[str, frozenset[str]] = {}
    for value in registry.vocabulary.values.values():
        words_of = {phrase(w) for w in (*value.notations, *registry.vocabulary.labels.get(value.iri, ()))}
        kinds = frozenset(k for words in words_of for k in by_words.get(words, ()))
        if kinds:
            found[value.iri] = kinds
    return found


def _value_classes(store: GraphStore) -> tuple[frozenset[str], frozenset[str]]:
    rows = [(_text(kind), _text(cls)) for kind, cls in store.select("language/value_classes")]
    placed = frozenset(kind for kind, cls in rows if cls == expand("hg:Place"))
    return placed, frozenset(kind for kind, _ in rows) - placed


def _text(term: Term | None) -> str:
    return "" if term is None else term.value


def _is_true(term: Term | None) -> bool:
    return isinstance(term, Literal) and term.value == "true"


def _relations(
    store: GraphStore,
) -> tuple[dict[str, tuple[Relation, ...]], dict[str, tuple[StateMeaning, ...]]]:
    relations: dict[str, list[Relation]] = {}
    states: dict[str, dict[StateMeaning, set[str]]] = {}
    for term, about, direction, factor, kind, to, bound, of, yields in store.select("language/relations"):
        if direction is not None:
            way = 1 if float(_text(direction)) > 0 else -1
            share = float(_text(factor)) if factor is not None else None
            one = Relation(_text(about) or None, way, share, _is_true(yields))
            relations.setdefault(_text(term), []).append(one)
        elif kind is not None:
            end = _text(bound).rpartition("#")[2] or None
            value: Json = python(to) if to is not None else None  # type: ignore[assignment]
            classes = states.setdefault(_text(term), {}).setdefault(StateMeaning(kind.value, value, end), set())
            classes |= {of.value} if of is not None else set()
    return {k: tuple(v) for k, v in relations.items()}, {k: tuple(_said_of(v)) for k, v in states.items()}


def _said_of(meanings: Mapping[StateMeaning, set[str]]) -> Iterator[StateMeaning]:
    """The meanings of a state word, yes and no first, each with the classes that it applies to."""
    for meaning in sorted(meanings, key=lambda m: not isinstance(m.to, bool)):
        yield replace(meaning, classes=frozenset(meanings[meaning]))


def _add_places(lexicon: Lexicon, registry: Registry, taken: frozenset[Words]) -> None:
    for place in registry.places.values():
        for name in (place.name, *place.aliases):
            if not is_reserved(name, taken):
                lexicon.add(split_identifier(name), Entry(Role.PLACE, place.iri))
                if owner := owner_of(name):
                    lexicon.add(owner, Entry(Role.PLACE, place.iri))


def _add_storeys(lexicon: Lexicon, registry: Registry, store: GraphStore) -> None:
    """Floors by their numbers: "level three", "the second floor"."""
    is_a, floor = registry.vocabulary.is_a, expand("hg:Floor")
    floors = {p.floor: p.iri for p in registry.places.values() if any(is_a(cls, floor) for cls in p.classes)}
    for number, label in store.select("language/storeys"):
        if (place := floors.get(int(_text(number)))) is not None:
            lexicon.add(_text(label), Entry(Role.PLACE, place))


def _kinds_of_device(registry: Registry) -> dict[Words, list[str]]:
    """The classes of device by each of their labels, as a phrase: the rest of a name without its room may be no more
    than one."""
    vocabulary, device = registry.vocabulary, expand("hg:Device")
    found: dict[Words, list[str]] = {}
    for cls in (cls for cls in vocabulary.ancestors if vocabulary.is_a(cls, device)):
        for label in vocabulary.labels.get(cls, ()):
            found.setdefault(phrase(label), []).append(cls)
    return found


def _other_names(words: Words, classes: Set[str], registry: Registry, kinds: Mapping[Words, list[str]]) -> list[str]:
    """The other labels of a class whose label a name is: a fan called "exhaust fan" is an extractor, too."""
    vocabulary = registry.vocabulary
    narrower = (cls for cls in kinds.get(words, ()) if cls not in classes)
    return [
        label
        for cls in narrower
        if any(vocabulary.is_a(cls, own) for own in classes)
        for label in vocabulary.labels.get(cls, ())
        if phrase(label) != words
    ]


def _add_names(
    lexicon: Lexicon, thing: Thing, registry: Registry, kinds: Mapping[Words, list[str]], taken: frozenset[Words]
) -> None:
    """A thing's own names, also without the name of its room before them; a name that is only its class, or is made of
    words of the language, is none. And the names of its parts, where they have any."""
    classes = {c for part in thing.parts for c in part.classes}
    generic = {phrase(label) for c in classes for label in _class_names(c, registry)}
    for part in thing.parts[1:]:
        if part.title and phrase(part.title) not in generic and not is_reserved(part.title, taken):
            lexicon.add(split_identifier(part.title), Entry(Role.THING, part.iri))
    room = registry.places.get(thing.place or "")
    for name in (thing.title, *thing.aliases):
        words = phrase(name)
        if words in generic or is_reserved(name, taken):
            continue
        for called in (split_identifier(name), *_other_names(words, classes, registry, kinds)):
            lexicon.add(called, Entry(Role.THING, thing.iri))
        prefix = phrase(room.name) if room else ()
        rest = words[len(prefix) :]
        own = rest not in (*generic, *kinds, ()) and not is_reserved(" ".join(rest), taken)
        if prefix and words[: len(prefix)] == prefix and own:
            lexicon.add(" ".join(rest), Entry(Role.THING, thing.iri))


def _class_names(cls: str, registry: Registry) -> Iterable[str]:
    """The first label of each class of a thing."""
    vocabulary = registry.vocabulary
    for ancestor in vocabulary.ancestors.get(cls, frozenset((cls,))):
        yield from vocabulary.labels.get(ancestor, ())[:1]


def _add_options(lexicon: Lexicon, registry: Registry) -> dict[str, frozenset[str]]:
    options: dict[str, set[str]] = {}
    for prop in registry.properties.values():
        for option in texts_of(prop):
            options.setdefault(option, set()).update(prop.kinds)
    for option in options:
        lexicon.add(split_identifier(option), Entry(Role.OPTION, option))
    return {option: frozenset(kinds) for option, kinds in options.items()}


_TRUTHS = frozenset({"on", "off", "true", "false", "yes", "no"})


def texts_of(prop: Property) -> list[str]:
    """The options of a property that are words."""
    schemas: tuple[Schema, ...] = (prop.schema, *prop.schema.one_of)
    return [o for s in schemas for o in s.enum if isinstance(o, str) and o.casefold() not in _TRUTHS]
