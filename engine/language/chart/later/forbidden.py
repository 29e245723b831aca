"""What must never, or always, be so, said in words: "never open the window while the AC is on", "the heater is never on
for more than two hours", "the front door must always be locked at night".

These are AutoTap's seven templates (Zhang et al., ICSE 2019): a state that is always or never so, for no longer than so
long, together with others, or while others are; an act that is never or only done while something is so, or always
within so long after it. All of them come to facts that must never be so together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from engine.language.chart.heard.items import Sort
from engine.language.chart.later.rule_talk import PARTS
from engine.language.chart.later.sentence import LEADING, MARKS, Sentence
from engine.language.chart.later.told import Told, denied
from engine.language.meanings.context import Context
from engine.language.times.times import Duration, Length
from engine.language.words.records import replace
from engine.model.intent import Category, Intent, Measure, Operation
from engine.model.rule import After, Becomes, Daytime, Fact, Forbids, Holds, Part, Recurrence, Rule, Window
from engine.model.selection import Condition, Quantity
from engine.model.vocabulary import Command, Form, Vocabulary

_NEVER, _ALWAYS, _ONLY, _WEAKLY = "Forbidding", "Demanding", "Limiting", "Disallowing"
FORBIDDING = (_NEVER, _ALWAYS, _ONLY, _WEAKLY)
_BREAKS = (",", ":", ";", "-")
MOST_SAID = 200
MOST_NAMED = 5
"""How many words the name of something has."""
_MEANWHILE = frozenset({"Meanwhile", "ConditionMarker", "EventMarker", "OnceMarker"})


@dataclass(frozen=True, slots=True)
class _Split:
    """A sentence in parts: which word forbids or demands, what, and while what; by the places of their tokens."""

    kind: str
    what: tuple[int, ...]
    meanwhile: tuple[int, ...]


def forbidden(sentence: Sentence, request: str) -> Intent | None:
    """The intent to keep what must never be so; None where a sentence says no such thing, or nothing that this home can
    tell."""
    split = _split(sentence)
    if split is None:
        return None
    what = sentence.teller.told(split.what)
    meanwhile = sentence.teller.told(split.meanwhile) if split.meanwhile else Told(())
    windows = tuple(_windows(sentence))
    if what is None or meanwhile is None or what.unknown or meanwhile.unknown:
        said = bool(split.meanwhile) and split.kind != _WEAKLY
        fault = Intent(f"{request}/intent-1", sentence.text, fault="no_such_event", subject=sentence.text[:MOST_SAID])
        return fault if said and not (what and meanwhile) else None
    bounded = meanwhile.facts or windows or (split.kind == _WEAKLY and any(fact.seconds for fact in what.facts))
    if not what.facts or (split.kind in (_ONLY, _WEAKLY) and not bounded):
        return None
    within = next((one.meaning.seconds for one in sentence.times if isinstance(one.meaning, After)), 0.0)
    act = _is_act(sentence, split.what)
    if split.kind == _ALWAYS and act and not within:
        return None  # "the light should always come on when …" is to be done
    facts = _together(split.kind, what, meanwhile, within)
    rule = Rule(
        sentence.text,
        (Becomes(facts),),
        tuple(_mend(facts, sentence.teller.context, request)),
        windows=windows,
        notice=f"What must not be has come about: “{sentence.text}”",
        location=sentence.teller.context.location,
        forbids=Forbids.ACT if act and split.kind != _ALWAYS else Forbids.STATE,
    )
    return Intent(f"{request}/intent-1", sentence.text, Category.RULE, Operation.MAKE, rule=rule)


# Which words say what


def _split(sentence: Sentence) -> _Split | None:
    marked = [(p, *term) for p in range(len(sentence.tokens)) if (term := sentence.term(p)) and term[1] in FORBIDDING]
    if not marked or sentence.tokens[-1].text == "?" or _is_past(sentence):
        return None
    mark, end, kind = marked[0]
    if _is_of_speaker(sentence, mark, end):
        return None
    inside = {p for place, end, _ in marked for p in range(place, end)}
    start, stop = _meanwhile(sentence, mark, inside)
    inside |= _extra(sentence)
    meanwhile = tuple(p for p in range(start, stop) if p not in inside)
    opening = range(_opening(sentence, start), stop) if meanwhile else range(0)
    what = tuple(p for p in range(len(sentence.tokens)) if p not in inside and p not in opening)
    while what and sentence.tokens[what[0]].text in LEADING:
        what = what[1:]
    if not what or any(sentence.is_at(p, Sort.VERB) is not None and not _names(sentence, p) for p in what if p < mark):
        return None  # it orders something, too
    return _Split(kind, what, meanwhile)


def _is_of_speaker(sentence: Sentence, mark: int, end: int) -> bool:
    """Whether it tells of an act that the speaker never does, and of no wish: "I never hear the bell"."""
    speaks = mark > 0 and sentence.is_at(mark - 1, Sort.SpeakerWord) == mark
    return speaks and sentence.is_at(end, Sort.Modal, Sort.Requesting) is None


def _names(sentence: Sentence, place: int) -> bool:
    """Whether a word is of the name of something: "the light" is nothing to do."""
    ends = (
        i.end for p in range(max(0, place - MOST_NAMED), place + 1) for i in sentence.items[p] if i.sort is Sort.NOUN
    )
    return any(end > place for end in ends)


def _is_past(sentence: Sentence) -> bool:
    """Whether it tells how it was ("it was never on"), and forbids nothing."""
    return any(sentence.is_at(p, Sort.PastMark) is not None for p in range(len(sentence.tokens)))


def _extra(sentence: Sentence) -> set[int]:
    """The places of words that join, and of times that are no length of what is forbidden."""
    found: set[int] = set()
    for place in range(len(sentence.tokens)):
        term = sentence.term(place)
        if term is not None and term[1] == "Jointly":
            found |= set(range(place, term[0]))
    for one in sentence.times:
        if not isinstance(one.meaning, Duration | Length):
            found |= set(range(one.start, one.end))
    return found


def _meanwhile(sentence: Sentence, mark: int, inside: Set[int]) -> tuple[int, int]:
    """From where to where a sentence says while what: behind the mark of it until the sentence ends, or, where it comes
    first, until the clause does."""
    for place in range(len(sentence.tokens)):
        behind = None if place in inside else _behind_mark(sentence, place)
        if behind is not None and place < mark:
            return behind, next((p for p in range(behind, mark) if sentence.tokens[p].text in _BREAKS), mark)
        if behind is not None:
            return behind, len(sentence.tokens)
    return 0, 0


def _behind_mark(sentence: Sentence, place: int) -> int | None:
    term = sentence.term(place)
    ends = [term[0]] if term is not None and term[1] in _MEANWHILE else []
    ends += [end for end in [sentence.is_at(place, *MARKS)] if end is not None]
    return max(ends, default=None)


def _opening(sentence: Sentence, start: int) -> int:
    """Where the words begin that say "while"."""
    return next((p for p in range(start - 1, -1, -1) if _behind_mark(sentence, p) == start), start)


def _is_act(sentence: Sentence, what: Sequence[int]) -> bool:
    """Whether it is an act of somebody, and not a state, that is spoken of."""
    does = any(sentence.is_at(p, Sort.VERB) is not None and not _names(sentence, p) for p in what)
    return does and not any(sentence.is_at(p, Sort.Being, Sort.Copula) is not None for p in what)


def _windows(sentence: Sentence) -> Iterator[Window]:
    for one in sentence.times:
        meaning = one.meaning
        part = meaning if isinstance(meaning, Part) else meaning.part if isinstance(meaning, Recurrence) else None
        if isinstance(meaning, Window):
            yield meaning
        elif part is not None:
            start, end = PARTS[part]
            yield Window(Daytime(start), Daytime(end))


# What must never be so


def _together(kind: str, what: Told, meanwhile: Told, within: float) -> tuple[Fact, ...]:
    """The facts that must never be so together."""
    if kind == _ALWAYS:
        lasting = tuple(replace(one, seconds=within) for one in meanwhile.facts) if within else meanwhile.facts
        return (*(_not(one) for one in what.facts[:1]), *lasting)
    if kind == _ONLY:
        return (*map(_any, what.facts), *(_not(one) for one in meanwhile.facts[:1]))
    return (*map(_any, what.facts), *meanwhile.facts)


def _any(fact: Fact) -> Fact:
    """That it is so of any of them: no window is to be open where "the windows" are not to be."""
    return replace(fact, holds=Holds.ANY) if fact.holds is Holds.EVERY else fact


def _not(fact: Fact) -> Fact:
    """That it is not so: of somebody that nobody is there, of several things that one is otherwise."""
    if fact.holds is Holds.NONE:
        return replace(fact, holds=Holds.ANY)
    if fact.selection.things or fact.selection.classes:
        return replace(denied(fact), holds=Holds.ANY)
    return replace(fact, holds=Holds.NONE)


def _mend(facts: Sequence[Fact], context: Context, request: str) -> Iterator[Intent]:
    """What puts an end to what lasts too long. What is forbidden at once is only told: nobody knows which is to give
    way."""
    if not any(one.seconds for one in facts):
        return
    wrong = facts[0]
    select = replace(wrong.selection, quantity=Quantity.ALL)
    for test in wrong.tests:
        for condition in test.conditions:
            command = _bringing(condition, context.vocabulary, negated=test.negated)
            if command is not None and condition.amount is not None:
                yield Intent(f"{request}/mend", context.vocabulary.name(command), selection=select, command=command)
                return


def _bringing(condition: Condition, vocabulary: Vocabulary, *, negated: bool) -> str | None:
    """The command that brings about the contrary of a condition, of all devices rather than of some."""
    if condition.amount is None or condition.amount.measure is not Measure.TRUTH:
        return None
    to = not condition.amount.value if not negated else condition.amount.value
    bound = "maximum" if to else "minimum"
    found = [
        (_asks(command), -len(command.effects), command.iri)
        for command in vocabulary.commands.values()
        for effect in command.effects
        if effect.kind == condition.kind
        and (
            (effect.form is Form.TO and effect.value is to) or (effect.form is Form.TO_BOUND and effect.value == bound)
        )
    ]
    return min(found)[-1] if found else None


def _asks(command: Command) -> bool:
    """Whether a command needs a value besides: no plain one does."""
    return any(effect.form not in (Form.TO, Form.TO_BOUND) for effect in command.effects)
