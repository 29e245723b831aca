"""Which things a noun denotes: those with that name, or those of that class whose names have its modifiers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from engine.language.meanings.context import Context, kept_as
from engine.language.phrases.slots import Noun
from engine.language.words.lexicon import Role, phrase
from engine.language.words.morphology import singular
from engine.model.selection import Select
from engine.model.thing import Thing

Denotation = tuple[tuple[str, ...], tuple[str, ...]]
"""Classes (any of them) and things (any of them)."""


@dataclass(frozen=True, slots=True)
class _Index:
    """The things of a home by each word of their names and of their room's, and those with several parts."""

    by_word: Mapping[str, Collection[Thing]]
    made_up: Collection[Thing]


def denotations(noun: Noun | None, quantity: str, context: Context) -> tuple[Denotation, ...]:
    """The denotations of a noun, likeliest first: a name before a class, a class before a name where many are meant.

    Empty where its modifiers fit nothing here.
    """
    if noun is None:
        return (((), ()),)
    known: dict[tuple[Noun, str], tuple[Denotation, ...]] = kept_as("names/denoted", context)
    found = known.get((noun, quantity))
    if found is None:
        found = known[noun, quantity] = tuple(_denotations(noun, quantity, context))
    return found


def _denotations(noun: Noun, quantity: str, context: Context) -> list[Denotation]:
    things = tuple(e.iri for e in noun.entries if e.role is Role.THING)
    classes = _narrowest(tuple(e.iri for e in noun.entries if e.role is Role.DEVICE), context)
    if noun.whole is not None and (parts := _parts(noun, noun.whole, quantity, context)):
        return parts
    if noun.plain and (plain := tuple(_just_so_called(noun, things, classes, context))):
        return [((), plain)]
    named = tuple(_called(noun, things, classes, context)) if noun.modifiers else ()
    held = any(c in context.dictionary.held for c in classes)
    several = noun.plural and quantity in ("all", "plural", "any")
    if not named and (noun.modifiers or not (held or (things and not several))):
        named = tuple(_with_words(noun, context))
    if named or noun.modifiers:
        own = classes if named and classes and all(_is_said_of_part(t, noun, classes, context) for t in named) else ()
        return [(own, named)] if named else []
    found: list[Denotation] = [((), things)] if things else []
    if classes:
        many = quantity in ("all", "plural") and not any(is_title(noun.text, t, context) for t in things)
        found.insert(0 if many else len(found), (classes, ()))
    made = tuple(_made_up(classes, context)) if classes else ()
    return [*found, ((), made)] if made else found


def _narrowest(classes: tuple[str, ...], context: Context) -> tuple[str, ...]:
    """Of the classes that one word names, one within another, the narrower where there is any here: "the heating" is
    that of the house, or else a heater."""
    is_a, held = context.vocabulary.is_a, context.dictionary.held
    classes = tuple(dict.fromkeys(one for c in classes for one in or_else(c, context)))
    wider = {c for c in classes for other in classes if other != c and other in held and is_a(other, c)}
    return tuple(c for c in classes if c not in wider)


def or_else(cls: str, context: Context) -> tuple[str, ...]:
    """A class that has a device here, or else those that stand in for it: "the telly" is a smart screen."""
    held = context.dictionary.held
    others = () if cls in held else tuple(c for c in context.vocabulary.stand_ins.get(cls, ()) if c in held)
    return others or (cls,)


def _made_up(classes: tuple[str, ...], context: Context) -> Iterable[str]:
    """The things of these classes with several parts: a fan-light's state may be that of its light."""
    for thing in _index(context).made_up:
        if any(context.vocabulary.is_a(c, cls) for c in thing.classes for cls in classes):
            yield thing.iri


def is_title(text: str, thing: str, context: Context) -> bool:
    """Whether a thing's name is itself in the plural, and just that: "venetian blinds"."""
    known = context.registry.thing_of[thing]
    return _bare(text) in (_bare(name) for name in (known.title, *known.aliases))


def _bare(name: str) -> str:
    """The letters and digits of a name, however it is written: "sea-side drapes", "sea - side drapes"."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def _called(noun: Noun, things: tuple[str, ...], classes: tuple[str, ...], context: Context) -> Iterable[str]:
    """The things of these classes, or among these, whose names or room have all the modifiers."""
    wanted = {singular(word) for word in noun.modifiers}
    labels = [set(phrase(label)) for cls in classes for label in context.vocabulary.labels.get(cls, ())[:1]]
    for thing in _named_with(wanted, context):
        words = words_of(thing, context)
        if not wanted <= words:
            continue
        called = any(label <= words for label in labels)  # a lamp may be called a lantern
        if called or thing.iri in things or _is_of(thing, classes, context):
            yield thing.iri


def _parts(noun: Noun, whole: Noun, quantity: str, context: Context) -> list[Denotation]:
    """The parts of such classes of the things that the whole may denote, where they have any."""
    classes = tuple(e.iri for e in noun.entries if e.role is Role.DEVICE)
    found: list[Denotation] = []
    for above, named in denotations(whole, quantity, context):
        things = named or tuple(t.iri for t in context.registry.things.values() if _is_of(t, above, context))
        made = tuple(t for t in things if _is_made_with(context.registry.things.get(t), classes, context))
        found += [(classes, made)] if made else []
    return found


def _is_made_with(thing: Thing | None, classes: tuple[str, ...], context: Context) -> bool:
    return thing is not None and len(thing.parts) > 1 and _is_of(thing, classes, context)


def _is_said_of_part(iri: str, noun: Noun, classes: tuple[str, ...], context: Context) -> bool:
    """Whether a noun behind a name tells which part is meant: of a fan-light called Orient, "the Orient fan"."""
    thing = context.registry.things.get(iri)
    own = {word for name in (thing.title, *thing.aliases) for word in phrase(name)} if thing is not None else set()
    return _is_made_with(thing, classes, context) and not own & {singular(word) for word in noun.text.split()}


def _just_so_called(noun: Noun, things: tuple[str, ...], classes: tuple[str, ...], context: Context) -> Iterable[str]:
    """The things with exactly this name, or that of their class, where others have longer ones."""
    labels = (label for cls in classes for label in context.vocabulary.labels.get(cls, ()))
    names = {phrase(noun.text), *map(phrase, labels)}
    found = {thing.iri: thing for name in names for thing in _named_with(name, context)}
    for iri, thing in found.items():
        called = any(phrase(name) in names for name in (thing.title, *thing.aliases))
        if called and (iri in things or _is_of(thing, classes, context)):
            yield iri


def _with_words(noun: Noun, context: Context) -> Iterable[str]:
    """The things in whose names stand all the words of a noun: "the front door" is the front door lock."""
    wanted = {singular(word) for word in (*noun.modifiers, *noun.text.split())}
    for thing in _named_with(wanted, context):
        if any(wanted <= set(phrase(name)) for name in (thing.title, *thing.aliases)):
            yield thing.iri


def _is_of(thing: Thing, classes: tuple[str, ...], context: Context) -> bool:
    return any(context.vocabulary.is_a(c, cls) for part in thing.parts for c in part.every_class for cls in classes)


def _named_with(words: Collection[str], context: Context) -> Iterable[Thing]:
    """The things in whose names, or those of their room, the rarest of the words stands: no other has all of them."""
    by_word = _index(context).by_word
    return min((by_word.get(word, ()) for word in words), key=len, default=context.registry.things.values())


def _index(context: Context) -> _Index:
    return context.store.derived("names/index", lambda: _indexed(context))


def _indexed(context: Context) -> _Index:
    by_word: dict[str, list[Thing]] = {}
    things = context.registry.things.values()
    for thing in things:
        for word in words_of(thing, context):
            by_word.setdefault(word, []).append(thing)
    return _Index(by_word, [thing for thing in things if len(thing.parts) > 1])


def words_of(thing: Thing, context: Context) -> frozenset[str]:
    """The words of the names of a thing and of its room, kept while the graph of the home is the same."""
    known = context.store.derived("names/words", dict[str, frozenset[str]])
    words = known.get(thing.iri)
    if words is None:
        room = context.registry.places.get(thing.place or "")
        names = [thing.title, *thing.aliases, *((room.name, *room.aliases) if room else ())]
        words = known[thing.iri] = frozenset(word for name in names for word in phrase(name))
    return words


def kinds_said(select: Select, context: Context) -> Iterator[str]:
    """The classes of device that the last words are for with which a selection is named: a ceiling *light*, the study
    *blinds*."""
    registry, vocabulary = context.registry, context.vocabulary
    things = [registry.thing_of[iri] for iri in select.things if iri in registry.thing_of]
    named = [(vocabulary.name(cls), cls) for cls in select.classes]
    named += [(thing.title, cls) for thing in things for part in thing.parts[:1] for cls in sorted(part.classes)]
    for name, cls in named:
        last = singular(name.casefold().split()[-1]) if name.split() else ""
        above = [cls, *vocabulary.ancestors.get(cls, ())]
        found = [one for one in above if last in vocabulary.labels.get(one, ())]
        yield from found or [cls]
