"""Resolves references to earlier orders: "the same as I did to the lamp", "to match it", "that same colour"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.environment.selection import Selector
from engine.language.meanings.context import Context
from engine.language.meanings.names import denotations
from engine.language.meanings.past import Hearing, Said
from engine.language.meanings.places import is_inside, whereabouts
from engine.language.phrases.coordination import Goal, goals
from engine.language.phrases.frames import read_frame
from engine.language.phrases.segments import Segment
from engine.language.phrases.slots import HowMuch, Quality
from engine.language.talk.anaphora import about, group, resolved
from engine.language.talk.ellipsis import again
from engine.language.words import grammar
from engine.language.words.lexicon import Entry, Role
from engine.language.words.spans import Span
from engine.model.selection import Select

_LIKE = frozenset({"as", "like", "what", "that", "which", "way"})
_SPEAKERS = frozenset({"i", "we"})
_ADVERBS = frozenset({"just", "also", "only", "already", "earlier", "previously", "have", "had"})
_DID = frozenset("did had set made picked chose gave used put mentioned told said asked wanted got".split())  # noqa: SIM905
_MATCH = frozenset({"match", "matching", "matches", "mirror", "mirroring", "equal"})
_STOPS = grammar.PAUSES | grammar.BREAKS


def referred(spans: Sequence[Span], hearing: Hearing) -> list[Span]:
    """The spans without a reference to an earlier order, whose thing is noted in `hearing`."""
    if not spans:
        return []
    found: list[Span] = []
    place = 0
    while place < len(spans):
        end, about = _reference(spans, place, found)
        if end == place:
            found.append(spans[place])
            place += 1
        else:
            hearing.reference = about
            while found and found[-1].text in grammar.TO | {"just", "the"}:
                found.pop()
            place = end
    return found


def _reference(spans: Sequence[Span], place: int, before: Sequence[Span]) -> tuple[int, tuple[Span, ...]]:
    """Past a reference that begins here, and the words for the thing in it."""
    text = spans[place].text
    end = next((i for i in range(place, len(spans)) if spans[i].text in _STOPS), len(spans))
    if text in _MATCH and place + 1 < end and before:
        return end, tuple(spans[place + 1 : end])
    if text in grammar.SAME and place + 1 < end and spans[place + 1].can_be(Role.PROPERTY):
        return place + 1, ()
    if text == "as" and any(span.text in grammar.SAME for span in before) and _text(spans, place + 1) not in _SPEAKERS:
        return end, tuple(spans[place + 1 : end])
    who = place + 1 if text in _LIKE else place
    if _text(spans, who) not in _SPEAKERS:
        return place, ()
    did = who + 1
    while _text(spans, did) in _ADVERBS and _text(spans, did + 1) not in _STOPS:
        did += 1
    known = _text(spans, did) in _DID or _text(spans, did).endswith("ed")
    told = who > place or (bool(before) and before[-1].can_be(Role.PROPERTY))
    if not (known and told) or did >= end or not before:
        return place, ()
    return end, tuple(spans[did + 1 : end])


def _text(spans: Sequence[Span], place: int) -> str:
    return spans[place].text if place < len(spans) else ""


def repeated_from(goal: Goal, about: tuple[Span, ...], context: Context) -> Goal | None:
    """The goal with the earlier order on the things that a reference names; None without one."""
    target = _parts_of(goal, context)
    kinds = [e.iri for quality in goal.qualities for e in quality.entries]
    named = _named_goal(about, context)
    for said in _candidates(goal, context):
        if set(said.parts) <= target or not (said.goal.amounts or said.goal.verbs):
            continue
        akin = not kinds or any(context.vocabulary.is_a(own, k) for own in said.kinds for k in kinds)
        if akin and (named is None or any(_denotes(named, part, context) for part in said.parts)):
            found = again(said, replace(goal, amounts=()), goal.noun, context)
            return replace(found, qualities=said.goal.qualities, nearby=(), negated=False)
    return None


def matched(goal: Goal, context: Context) -> Goal | None:
    """The goal of setting the one end of a group to the other's value: "make the warmer of those two match the cooler";
    None for another goal."""
    noun = goal.noun
    if noun is None or noun.text != grammar.THOSE:
        return None
    ranked = [e.iri for r in noun.restrictions if r.relation is not None for e in r.relation.entries]
    selector = Selector(context.store, context.registry)
    for relation in (r for iri in ranked for r in context.dictionary.relations.get(iri, ())):
        levels = selector.levels(Select(things=group(context)), relation.about) if relation.about else []
        ends = sorted(levels, key=lambda one: relation.direction * one[2])
        if len(ends) > 1:
            value = HowMuch("to", f"{ends[0][2]:g}", number=ends[0][2])
            quality = Quality(
                (Entry(Role.PROPERTY, str(relation.about)),), context.vocabulary.name(str(relation.about))
            )
            return replace(about(goal, ends[-1][:1], context), amounts=(value,), qualities=(quality,))
    return None


def _candidates(goal: Goal, context: Context) -> Iterator[Said]:
    """Earlier orders, the latest first; those on the goal's kind of thing before all else."""
    orders = [s for turn in reversed(context.past.turns) for s in reversed(turn.said) if not s.goal.question]
    alike = [s for s in orders if any(_denotes(replace(goal, places=()), part, context) for part in s.parts)]
    yield from (*alike, *(said for said in orders if said not in alike))


def _named_goal(about: Sequence[Span], context: Context) -> Goal | None:
    """The goal that the words of a reference would make; None where they name nothing."""
    spans = [s for s in about if s.text not in ("to", "for", "with", "on", "there", "here", "just", "now", "before")]
    if not any(span.can_be(Role.DEVICE, Role.THING, Role.PLACE, Role.PLACE_CLASS) for span in spans):
        return None
    found = goals([read_frame(Segment(tuple(spans), "."), context.dictionary.lexicon)], " ")
    return resolved(found[0], context.past.last, context) if found and context.past.last is not None else None


def _parts_of(goal: Goal, context: Context) -> set[str]:
    return {part for part in context.registry.parts if goal.noun is not None and _denotes(goal, part, context)}


def _denotes(goal: Goal, part: str, context: Context) -> bool:
    """Whether the noun and places of a goal may denote this part."""
    thing = context.registry.thing_of.get(part)
    if thing is None:
        return False
    places = whereabouts(goal, context.registry, None)[0].places if goal.places else ()
    if goal.places and not any(is_inside(thing.place or "", place, context.registry) for place in places):
        return False
    if goal.noun is None:
        return bool(goal.places)
    known = context.registry.parts.get(part)
    owned = (known.every_class if known is not None else frozenset()) | thing.parts[0].every_class
    return any(
        part in things or thing.iri in things or any(context.vocabulary.is_a(o, c) for o in owned for c in classes)
        for classes, things in denotations(goal.noun, goal.quantity, context)
    )
