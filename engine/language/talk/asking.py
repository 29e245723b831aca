"""Reads the reply to a question: the choice that it means, or the value that it gives; then the request goes on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.graph.terms import expand
from engine.language.meanings.context import Context
from engine.language.meanings.names import denotations
from engine.language.meanings.past import Hearing, Item
from engine.language.meanings.places import is_inside, whereabouts
from engine.language.phrases.coordination import Goal, goals
from engine.language.phrases.formerly import formerly
from engine.language.phrases.frames import read_frame
from engine.language.phrases.segments import segments
from engine.language.phrases.slots import Frame, HowMuch
from engine.language.talk.anaphora import about, noun_of
from engine.language.talk.self_repair import repaired
from engine.language.words import grammar
from engine.language.words.lexicon import Entry, Role, phrase
from engine.language.words.morphology import singular
from engine.language.words.spans import Span, read_spans
from engine.language.words.tokens import MAX_CHARACTERS
from engine.model.intent import Intent
from engine.model.thing import Thing

_ALL = frozenset({"all", "both", "everything", "each", "every", "them"})
_ANY = frozenset({"either", "any", "whichever", "whatever"})
_ORDER = {"first": 0, "former": 0, "second": 1, "third": 2, "last": -1, "latter": -1}
SECOND = expand("hg:Second")
_MOST_STRANGE = 1
"""How many words of an answer may be of nothing that is known: "the one by the aquarium"."""
_MOST_BESIDE = 2
"""How many of those that give a value may be: "make it seventy, darling"."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that is open: the goals of the request by the IRI of their first intent, which of them it is about,
    the intent as it was read, why it was asked, and the parts that may be meant."""

    items: Mapping[str, Item]
    about: str | None
    intent: Intent
    reason: str
    choices: tuple[str, ...] = ()


def filled(text: str, asked: Asked, context: Context) -> list[Item] | None:
    """The goals of the request completed by the reply; None for a text that is no reply to the question."""
    goal = asked.items.get(asked.about or "")
    if not isinstance(goal, Goal) or asked.reason == "missing_time":
        return None
    lexicon = context.dictionary.lexicon
    spans = repaired(formerly(read_spans(text[:MAX_CHARACTERS], lexicon)), lexicon, Hearing())
    frames = [read_frame(segment, lexicon) for segment in segments(spans)]
    said = goals(frames, text)
    if any(_is_order(one) for one in said):
        return None
    if _says_more(spans, asked, context):
        return None
    new = _chosen(goal, spans, said, asked, context) if asked.choices else _valued(goal, frames, said, asked, context)
    return None if new is None else [new if iri == asked.about else item for iri, item in asked.items.items()]


def _says_more(spans: Sequence[Span], asked: Asked, context: Context) -> bool:
    """Whether a text says more than an answer does: some words of it are of nothing that is here, nor of grammar, nor
    of a choice. "Can't abide the fan roaring" is no answer to which fan."""
    called = {word for part in asked.choices if part in context.registry.thing_of for word in _words(part, context)}
    words = [word for span in spans if not span.entries for word in span.text.split()]
    strange = [w for w in words if w.isalpha() and w not in grammar.KNOWN and w not in _ORDER and w not in _ALL | _ANY]
    return len([w for w in strange if singular(w) not in called and w not in called]) > (
        _MOST_STRANGE if asked.choices else _MOST_BESIDE
    )


def _is_order(goal: Goal) -> bool:
    """Whether a goal is an order by itself: it has a full verb, or is a question."""
    full = any(e.role in (Role.COMMAND, Role.RELATIVE) for e in goal.verbs)
    return goal.question or (full and (goal.noun is not None or bool(goal.places) or goal.refers))


def _chosen(goal: Goal, spans: Sequence[Span], said: Sequence[Goal], asked: Asked, context: Context) -> Goal | None:
    parts = _matching(spans, said, asked.choices, context)
    if not parts:
        return None
    called = {word for part in parts for word in _words(part, context)}
    amounts = tuple(how for one in said for how in one.amounts if not set(how.text.split()) <= called)
    found = about(goal, parts, context)
    return replace(found, amounts=amounts or goal.amounts, exceptions=(), here=False, everywhere=False)


def _matching(spans: Sequence[Span], said: Sequence[Goal], choices: Sequence[str], context: Context) -> list[str]:
    """The choices that the words of a reply mean."""
    words = [word for span in spans for word in span.text.split()]
    content = [w for w in words if w.isalnum() and (w not in grammar.KNOWN or w in ("right", *_ORDER))]
    content = [w for w in content if w not in _ALL | _ANY]
    choices = [c for c in choices if c in context.registry.thing_of]
    pointed = next((_ORDER[w] for w in content if w in _ORDER), None)
    if pointed is not None and len(content) == 1 and pointed < len(choices):
        return [choices[pointed]]
    named = [c for c in choices if content and {singular(w) for w in content} <= _words(c, context)]
    if named:
        return named
    meant = [c for c in choices if any(_means(one, c, context) for one in said)]
    if content and meant and len(meant) < len(choices):
        return meant
    if set(words) & _ALL and not content:
        return list(choices)
    return [choices[0]] if set(words) & _ANY and not content else []


def _words(part: str, context: Context) -> set[str]:
    """All words by which a choice may be called: its names, those of its rooms, and of its classes."""
    thing = context.registry.thing_of[part]
    names = [thing.title, *thing.aliases, *_rooms(thing, context)]
    known = context.registry.parts.get(part)
    if known is not None:
        names += [known.title, known.path]
        names += [label for cls in known.every_class for label in context.vocabulary.labels.get(cls, ())]
    return {word for name in names if name for word in phrase(name)} | {"hand", "side"}


def _rooms(thing: Thing, context: Context) -> Iterable[str]:
    place, seen = thing.place, set()
    while place and place not in seen and place in context.registry.places:
        seen.add(place)
        known = context.registry.places[place]
        yield from (known.name, *known.aliases)
        place = known.parent


def _means(goal: Goal, part: str, context: Context) -> bool:
    """Whether the noun and places of a reply may denote this choice."""
    thing = context.registry.thing_of[part]
    if goal.noun is None and not goal.places:
        return False
    if goal.places:
        places = whereabouts(goal, context.registry, None)[0].places
        if not any(is_inside(thing.place or "", place, context.registry) for place in places):
            return False
    if goal.noun is None or not goal.noun.entries:
        return goal.noun is None or {singular(w) for w in goal.noun.modifiers} <= _words(part, context)
    classes = context.registry.parts[part].every_class | thing.parts[0].every_class
    return any(
        thing.iri in things or part in things or any(context.vocabulary.is_a(o, c) for o in classes for c in several)
        for several, things in denotations(goal.noun, "", context)
    )


def _valued(goal: Goal, frames: Sequence[Frame], said: Sequence[Goal], asked: Asked, context: Context) -> Goal | None:
    """The goal with the value of the reply, of the things that the question was about."""
    amounts = [how for frame in frames for how in frame.amounts]
    amounts += [HowMuch("", "for", number=f.when.duration, unit=SECOND) for f in frames if f.when.duration is not None]
    amounts += [how for one in said for how in _as_values(one, context)]
    if not amounts:
        return None
    things = asked.intent.selection.things
    found = replace(_narrowed(goal, said, context), amounts=(*goal.amounts, *amounts), unknown=())
    return replace(found, noun=noun_of(things, context)) if len(things) == 1 and goal.noun is None else found


def _narrowed(goal: Goal, said: Sequence[Goal], context: Context) -> Goal:
    """The goal, of the very thing that the reply names beside the value: "the left one, to 70"."""
    for one in said:
        modifiers = one.noun.modifiers if one.noun is not None and not one.noun.entries else ()
        named = replace(goal.noun, modifiers=modifiers) if goal.noun is not None and modifiers else one.noun
        if named is not None and named.entries and any(things for _, things in denotations(named, "", context)):
            return replace(goal, noun=named, places=one.places or goal.places)
        if one.places and not goal.places:
            return replace(goal, places=one.places)
    return goal


def _as_values(goal: Goal, context: Context) -> list[HowMuch]:
    """The words of a reply that are options of the property in question, whatever else they may be."""
    words = [*([goal.noun.text] if goal.noun is not None else []), *goal.unknown, *([goal.verb] if goal.verb else [])]
    options = {phrase(option): option for option in context.dictionary.options}
    found = [option for word in words if (option := options.get(phrase(word))) is not None]
    return [HowMuch("to", option, (Entry(Role.OPTION, option),)) for option in found]
