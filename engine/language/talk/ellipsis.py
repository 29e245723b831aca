"""Completes ellipses from earlier turns: the verb and value of "the bedroom too", the thing of "make it 26".

Ellipsis needs evidence: a goal without a verb repeats the one before for something else, one without an object is about
the last referent. A full sentence inherits nothing but its pronouns' referents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.language.meanings.context import Context
from engine.language.meanings.names import denotations
from engine.language.meanings.past import Said, Turn
from engine.language.phrases.coordination import Goal
from engine.language.phrases.segments import Segment
from engine.language.phrases.slots import HowMuch, Noun, Quality
from engine.language.phrases.temporal import NO_TIME
from engine.language.talk.anaphora import about, holds, kind_of, noun_of, resolved
from engine.language.words.grammar import KNOWN
from engine.language.words.lexicon import Role
from engine.model.intent import Asks

_NAMING = (Role.DEVICE, Role.THING, Role.PLACE, Role.PLACE_CLASS, Role.PROPERTY)


def resumed(goal: Goal, context: Context) -> list[Goal]:
    """The goals of one goal in the light of earlier turns."""
    last = context.past.last
    if last is None:
        return [goal]
    found = _as_name(resolved(goal, last, context), last, context)
    if _asks_more(found, last):
        return [replace(found, places=last.said[-1].goal.places)]
    if _repeats(found):
        return repeated(found, last, context) or [found]
    if found.noun is None and found.places and found.amounts and not found.verb and not found.qualities:
        return [replace(found, noun=kind_of(last.said[-1], context), qualities=_shared(found, last.said[-1]))]
    if not _is_without_object(found) or found.antecedent is not None:
        return [found]
    return [_continued(found, last, context)]


def asked_on(goals: Sequence[Goal], context: Context) -> list[Goal]:
    """Goals, a question of its subject alone in the words of the question before it: "is the oven on? And the hob?"."""
    found: list[Goal] = []
    for goal in goals:
        takes_on = bool(found) and goal.question and _repeats(goal) and _asks_whether(found[-1])
        found.append(again(Said(found[-1]), goal, goal.noun, context) if takes_on else goal)
    return found


def _asks_whether(goal: Goal) -> bool:
    """Whether a question asks if something is so."""
    return goal.question and goal.inquiry is not None and bool(goal.inquiry.predicate)


def _as_name(goal: Goal, last: Turn, context: Context) -> Goal:
    """ "And the right": a word that may be a value is of a name, where one of the kind that was spoken of has it."""
    words = tuple(how.text for how in goal.amounts)
    if (
        goal.verb
        or goal.noun
        or goal.places
        or goal.unknown
        or not words
        or any(a.number is not None for a in goal.amounts)
    ):
        return goal
    named = replace(goal, amounts=(), unknown=words)
    return named if _called(named, last, context) is not None else goal


def _repeats(goal: Goal) -> bool:
    """Whether it names something, without verb, amount or question: it repeats the order before."""
    named = goal.noun is not None or bool(goal.places) or bool(goal.unknown) or goal.here
    asks = goal.question and not _is_bare(goal)
    return named and not (goal.verb or goal.amounts or goal.direction or asks or goal.qualities)


def _asks_more(goal: Goal, last: Turn) -> bool:
    """ "And the humidity?": another property of the place that was asked about."""
    before = last.said[-1].goal
    asked = before.question and bool(before.places) and goal.question and bool(goal.qualities) and _is_bare(goal)
    return asked and not (goal.noun or goal.places or goal.everywhere or goal.here or goal.there or goal.refers)


def _is_bare(goal: Goal) -> bool:
    """Whether a question consists of its subject alone: "and the pantry light?"."""
    asked = goal.inquiry
    return asked is not None and not (asked.predicate or asked.relation or asked.versus) and asked.asks is Asks.VALUE


def _is_without_object(goal: Goal) -> bool:
    said = goal.noun is None and not goal.places and not goal.everywhere and not goal.here
    return said and (goal.quantity != "all" or goal.refers) and bool(goal.verbs or goal.amounts or goal.direction)


def continues(segment: Segment, context: Context) -> bool:
    """Whether a segment of a name alone, or of words for more or less alone, continues the turn before."""
    last = context.past.last
    if last is None:
        return False
    words = [span for span in segment.spans if span.entries or span.text not in KNOWN]
    if words and all(span.can_be(*_NAMING) for span in words):
        return True
    if any(span.can_be(*_NAMING) for span in segment.spans):
        return False
    entries = [e for span in segment.spans for e in span.having(Role.RELATIVE)]
    about_what = [r.about for e in entries for r in context.dictionary.relations.get(e.iri, ())]
    return any(kind is None or any(holds(part, (kind,), context) for part in last.parts) for kind in about_what)


def repeated(goal: Goal, last: Turn, context: Context) -> list[Goal]:
    """The orders of the last turn, repeated for the referents of this goal; none where they are unknown here."""
    noun = _called(goal, last, context) if goal.noun is None and goal.unknown else goal.noun
    if goal.unknown and noun is None:
        return []
    bases = [said for said in last.said if not said.goal.says_nothing]
    if noun is not None:
        bases = bases[-1:]
    return [again(said, goal, noun, context) for said in bases]


def _called(goal: Goal, last: Turn, context: Context) -> Noun | None:
    """ "And the right": the words are of the name of one of the kind that was spoken of."""
    kind = kind_of(last.said[-1], context)
    named = replace(kind, modifiers=goal.unknown) if kind is not None else None
    return named if named is not None and any(things for _, things in denotations(named, "", context)) else None


def again(said: Said, goal: Goal, noun: Noun | None, context: Context) -> Goal:
    """One order before, repeated for the referents of another goal."""
    base = said.goal
    rooms = base.places if noun is not None and not goal.places else ()
    return replace(
        base,
        text=goal.text,
        start=goal.start,
        end=goal.end,
        noun=noun if noun is not None else kind_of(said, context),
        places=goal.places,
        nearby=(rooms,) if rooms else (),
        antecedent=None,
        refers=False,
        quantity=goal.quantity,
        here=goal.here,
        everywhere=goal.everywhere,
        unknown=(),
        exceptions=goal.exceptions,
        fronted=False,
        when=goal.when if goal.when != NO_TIME else base.when,
    )


def _continued(goal: Goal, last: Turn, context: Context) -> Goal:
    """The goal about the last referent: certainly, where it is only a value; else if the home allows it."""
    said = next((one for one in reversed(last.said) if one.parts), None)
    if said is None:
        base = last.said[-1].goal
        return replace(goal, noun=base.noun, places=base.places, qualities=_shared(goal, last.said[-1]))
    kinds = {e.iri for quality in goal.qualities for e in quality.entries}
    if kinds and not any(holds(part, kinds, context) for part in said.parts):
        return goal
    if goal.question and not kinds:
        return goal
    full = any(e.role is Role.COMMAND for e in goal.verbs)
    if full or kinds:
        return replace(goal, antecedent=noun_of(said.parts, context), unknown=() if kinds else goal.unknown)
    found = about(goal, said.parts, context)
    return replace(found, qualities=_shared(goal, said), unknown=())


def _shared(goal: Goal, said: Said) -> tuple[Quality, ...]:
    """The property that was named before, where the new value is one of the same sort."""
    if goal.qualities or not said.goal.qualities:
        return goal.qualities
    alike = _is_like(goal.amounts, said.goal.amounts) or (bool(goal.direction) and not goal.amounts)
    return said.goal.qualities if alike else ()


def _is_like(these: Sequence[HowMuch], those: Sequence[HowMuch]) -> bool:
    """Whether two amounts may be of one property: both numbers, of one unit if both have one, or both words."""
    if not these or not those:
        return False
    one, other = these[-1], those[-1]
    if one.number is None or other.number is None:
        return one.number is None and other.number is None
    return one.unit is None or other.unit is None or one.unit == other.unit
