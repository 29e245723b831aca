"""Which things a noun denotes: those with that name, or those of that class whose names have its modifiers."""

from __future__ import annotations

from collections.abc import Iterable

from engine.language.context import Context
from engine.language.lexicon import Role, phrase
from engine.language.morphology import singular
from engine.language.slots import Noun
from engine.model.thing import Thing

Denotation = tuple[tuple[str, ...], tuple[str, ...]]
"""Classes (any of them) and things (any of them)."""


def denotations(noun: Noun | None, quantity: str, context: Context) -> list[Denotation]:
    """The denotations of a noun, likeliest first: a name before a class, a class before a name where many are meant.

    Empty where its modifiers fit nothing here.
    """
    if noun is None:
        return [((), ())]
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
        many = quantity in ("all", "plural") and not any(_is_title(noun.text, t, context) for t in things)
        found.insert(0 if many else len(found), (classes, ()))
    made = tuple(_made_up(classes, context)) if classes else ()
    return [*found, ((), made)] if made else found


def _narrowest(classes: tuple[str, ...], context: Context) -> tuple[str, ...]:
    """Of the classes that one word names, one within another, the narrower where there is any here: "the heating" is
    that of the house, or else a heater."""
    is_a, held = context.vocabulary.is_a, context.dictionary.held
    wider = {c for c in classes for other in classes if other != c and other in held and is_a(other, c)}
    return tuple(c for c in classes if c not in wider)


def _made_up(classes: tuple[str, ...], context: Context) -> Iterable[str]:
    """The things of these classes with several parts: a fan-light's state may be that of its light."""
    for thing in context.registry.things.values():
        if len(thing.parts) > 1 and any(context.vocabulary.is_a(c, cls) for c in thing.classes for cls in classes):
            yield thing.iri


def _is_title(text: str, thing: str, context: Context) -> bool:
    """Whether a thing's name is itself in the plural, and just that: "venetian blinds"."""
    known = context.registry.thing_of[thing]
    return text in (name.casefold() for name in (known.title, *known.aliases))


def _called(noun: Noun, things: tuple[str, ...], classes: tuple[str, ...], context: Context) -> Iterable[str]:
    """The things of these classes, or among these, whose names or room have all the modifiers."""
    wanted = {singular(word) for word in noun.modifiers}
    labels = [set(phrase(label)) for cls in classes for label in context.vocabulary.labels.get(cls, ())[:1]]
    for thing in context.registry.things.values():
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
    """The things with exactly this name, where others have longer ones."""
    wanted = phrase(noun.text)
    for thing in context.registry.things.values():
        called = any(phrase(name) == wanted for name in (thing.title, *thing.aliases))
        if called and (thing.iri in things or _is_of(thing, classes, context)):
            yield thing.iri


def _with_words(noun: Noun, context: Context) -> Iterable[str]:
    """The things in whose names stand all the words of a noun: "the front door" is the front door lock."""
    wanted = {singular(word) for word in (*noun.modifiers, *noun.text.split())}
    for thing in context.registry.things.values():
        if any(wanted <= set(phrase(name)) for name in (thing.title, *thing.aliases)):
            yield thing.iri


def _is_of(thing: Thing, classes: tuple[str, ...], context: Context) -> bool:
    return any(context.vocabulary.is_a(c, cls) for part in thing.parts for c in part.every_class for cls in classes)


def words_of(thing: Thing, context: Context) -> frozenset[str]:
    """The words of the names of a thing and of its room, kept while the graph of the home is the same."""
    known = context.store.derived("names/words", dict[str, frozenset[str]])
    words = known.get(thing.iri)
    if words is None:
        room = context.registry.places.get(thing.place or "")
        names = [thing.title, *thing.aliases, *((room.name, *room.aliases) if room else ())]
        words = known[thing.iri] = frozenset(word for name in names for word in phrase(name))
    return words
