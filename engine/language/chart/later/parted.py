"""Rules read in parts: when, under what condition, and what is to be done, each by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.language.chart.goals.prepared import heard_items, tokens_of
from engine.language.chart.heard.items import Sort
from engine.language.chart.heard.rule_lexicon import rule_words
from engine.language.chart.heard.statements import ASKING_FOR, asks_at_last, recounts
from engine.language.chart.later.doing import Read, Reader
from engine.language.chart.later.forbidden import FORBIDDING, forbidden
from engine.language.chart.later.parting import Parts, is_present, ways_told
from engine.language.chart.later.remarks import without_remarks
from engine.language.chart.later.ruled import REMINDING, beginning, hours_of, schedule, timer
from engine.language.chart.later.sentence import LEADING, MARKS, Sentence
from engine.language.chart.later.told import ITS, Told
from engine.language.chart.later.unmarked import waits_unmarked
from engine.language.meanings.context import Context
from engine.language.meanings.readings import Alternatives
from engine.language.words.records import replace
from engine.model.intent import Category, Intent, Operation
from engine.model.rule import After, Becomes, Fact, Match, Next, Recurrence, Rule, Schedule, Trigger

Hear = Callable[[str], Sentence]
"""A text as a sentence with all that its words may be."""
_REFERRING = (Sort.PronounOne, Sort.PronounSeveral, Sort.There)
_DID = frozenset({"did", "didn't", "has", "hasn't"})
_PAST = frozenset({"was", "were", "did", "had", "last"})
MOST_READ, MOST_RULES = 10, 8
"""In how many ways to part a sentence the order is read, and how many rules are offered."""


def ruled(text: str, request: str, context: Context, read: Read, hear: Hear) -> Alternatives:
    """The readings of a text as a rule, likeliest first, each the intent to make it; none where it says none, or not
    all of it can be read.

    `read` reads what is to be done, `hear` makes a sentence of a text."""
    sentence = _heard(text, context, hear)
    if not sentence.tokens or _is_question(sentence) or recounts(sentence.items):
        return ()
    when, windows, whole = schedule([one.meaning for one in sentence.times] or timer(sentence))
    start = beginning(when, windows, again=_comes_again(sentence))
    vague = is_open(when) and not _is_for_another_day(when) and not hours_of(when)
    if not whole or (vague and start is None):
        return ()
    reader = Reader(sentence, request, context, read)
    made: list[tuple[tuple[float, ...], Rule]] = []
    present: list[Rule] = []
    for wrong, parts, told in sorted(ways_told(sentence), key=lambda one: one[0])[:MOST_READ]:
        hours = hours_of(when) if told else ()
        begins = start if not told else None
        at = begins or (None if hours or (vague and told) else when)
        trigger, conditions, match = _set_off(at, told)
        selects = _selects(sentence, parts, told)
        if selects and not made:
            return ()  # no worse way to part it makes a rule of what is meant now
        if trigger is None or selects:
            continue
        once = (isinstance(at, Next | After) and trigger is at) or "OnceMarker" in parts.marks
        during = (*windows, *hours) if begins is None else ()
        rule = Rule(text, (trigger,), (), conditions, match, during, location=context.location, once=once)
        found = [
            ((int(wrong), *cost, wrong), one)
            for cost, one in reader.doing(rule, parts, told)
            if hours or begins or not is_open(when) or _is_ordered(one)
        ]
        made += found
        if not windows and not hours and isinstance(trigger, Becomes) and is_present(sentence, parts):
            present += [one for _, one in found if one.actions and one.notice is None]
    return tuple(
        (Intent(f"{request}/intent-{n}", text, Category.RULE, _operation(rule, present), rule=rule),)
        for n, rule in enumerate(_likeliest(made), start=1)
    )


def _comes_again(sentence: Sentence) -> bool:
    """Whether a repetition is said of when: "every day from ten on"."""
    inside = (i for one in sentence.times for p in range(one.start, one.end) for i in sentence.items[p])
    return any(i.sort is Sort.TIME and isinstance(i.time, Recurrence) for i in inside)


def _operation(rule: Rule, present: Sequence[Rule]) -> Operation:
    """Whether a rule is to be made, or its actions carried out now, if its condition is so."""
    lasts = any(fact.seconds for one in rule.triggers if isinstance(one, Becomes) for fact in one.facts)
    return Operation.CARRY_OUT if rule in present and not lasts else Operation.MAKE


def _heard(text: str, context: Context, hear: Hear) -> Sentence:
    """A sentence without what is told around it; what that is about may be taken up: "I never hear the dryer, so once
    it has finished, …"."""
    plain = without_remarks(text, context)
    sentence = hear(plain)
    before = text[: text.index(plain)] if plain in text else ""
    if not before.strip():
        return sentence
    about = hear(before).teller.about
    return replace(sentence, teller=replace(sentence.teller, about=about)) if about else sentence


def forbids(text: str, request: str, context: Context, hear: Hear) -> Intent | None:
    """The intent to keep what must never be so, where a text says that; else None."""
    known, text = rule_words(context.store), without_remarks(text, context)
    tokens = tokens_of(text, context)
    if not any((term := known.at(tokens, p)) and term[1] in FORBIDDING for p in range(len(tokens))):
        return None
    return forbidden(hear(text), request)


def waits(text: str, context: Context, hear: Hear) -> bool:
    """Whether a text begins with what has to happen first ("the minute that …", "the window opens, …"): nothing of it
    may be done now."""
    tokens, words = tokens_of(text, context), rule_words(context.store)
    if bool(tokens) and (found := words.at(tokens, 0)) is not None and found[1] == "EventMarker":
        return True
    return waits_unmarked(hear(text))


def is_awaited(rule: Rule, text: str, context: Context) -> bool:
    """Whether a notice is of an event to come, and does not answer how it is now: "could you tell me when …",
    "tell me if the fridge is open for five minutes"."""
    timed = any(isinstance(one, After | Next | Recurrence) for one in rule.triggers)
    lasts = any(fact.seconds for one in rule.triggers if isinstance(one, Becomes) for fact in one.facts)
    tokens, items, words = tokens_of(text, context), heard_items(text, context), rule_words(context.store)
    whole = " ".join(t.text for t in tokens if t.text not in LEADING)
    if timed and rule.notice is not None and rule.notice.casefold() == whole:
        return True  # "remind me at seven"
    told = [term[0] for p in range(len(tokens)) if (term := words.at(tokens, p)) is not None and term[1] == REMINDING]
    return lasts or any(i.sort is Sort.When for end in told if end < len(items) for i in items[end])


def _likeliest(made: Sequence[tuple[tuple[float, ...], Rule]]) -> list[Rule]:
    """The rules with which the least is wrong, each once."""
    ranked = [rule for _, rule in sorted(made, key=lambda one: one[0])]
    return [rule for n, rule in enumerate(ranked) if rule not in ranked[:n]][:MOST_RULES]


def is_open(when: object) -> bool:
    """Whether a day is said, and no time of it."""
    if isinstance(when, Recurrence):
        return not when.times and when.period is None
    return isinstance(when, Next) and when.time is None


def _is_for_another_day(when: object) -> bool:
    """Whether a day without a time can only be meant for what is not to be done now: it comes again, or is to come.
    "The sun" is no day of the week."""
    if isinstance(when, Recurrence):
        return True
    return isinstance(when, Next) and when.day is not None and bool(when.day.ahead or when.day.day)


def _is_ordered(rule: Rule) -> bool:
    """Whether a rule does something that somebody ordered: a wish for some days is no order."""
    return any(action.command is not None for action in rule.actions) or rule.notice is not None


def _selects(sentence: Sentence, parts: Parts, told: Sequence[Told]) -> bool:
    """Whether a condition only says which things or rooms are meant, now: "if a lamp is on, put it out", "lamps down to
    20, if they are on"."""
    refers = any(sentence.is_at(p, *_REFERRING) for p in parts.order)
    owned = any(sentence.tokens[p].text in ITS for p in parts.order) and is_present(sentence, parts)
    refers = refers or owned  # "should any room be warmer than 27, its lights are to be on"
    takes_up = any(one[0] > parts.order[0] and sentence.is_at(one[0], Sort.PronounSeveral) for one in parts.conditions)
    lasts = any(fact.seconds for one in told for fact in one.facts)
    return not sentence.times and (
        (refers and any(one.any_one for one in told)) or (takes_up and not lasts and not is_present(sentence, parts))
    )


def _is_question(sentence: Sentence) -> bool:
    """Whether it asks, and orders nothing: its first words ask, and no order follows."""
    begun = sentence.is_at(0, Sort.Requesting) or 0  # "could you tell me when …"
    while sentence.is_at(begun, Sort.Fillers) == begun + 1:
        begun += 1
    if any((term := sentence.term(place)) is not None and term[1] == REMINDING for place in (0, begun)):
        return any(sentence.is_at(p, Sort.PastMark) or t.text in _PAST for p, t in enumerate(sentence.tokens))
    if sentence.tokens[-1].text == "?" and (sentence.tokens[0].text in _DID or asks_at_last(sentence.items)):
        return True
    first = sentence.is_at(0, *ASKING_FOR)
    return first is not None and sentence.is_at(0, *MARKS) is None


def _set_off(when: Schedule | None, told: Sequence[Told]) -> tuple[Trigger | None, tuple[Fact, ...], Match]:
    """What sets the rule off, and what must hold then."""
    facts = tuple(fact for one in told for fact in one.facts)
    either = len(told) == 1 and told[0].match is Match.ANY and len(facts) > 1
    match = Match.ANY if either else Match.ALL
    lasting = isinstance(when, After) and any(fact.seconds == when.seconds for fact in facts)
    if when is not None and not lasting:
        return when, facts, match
    moved = [one for one in told if one.moves is not None]
    if len(moved) == 1 and moved[0].match is Match.ALL and len(moved[0].facts) == 1:
        return moved[0].moves, tuple(f for one in told if one is not moved[0] for f in one.facts), Match.ALL
    return (Becomes(facts, match), (), Match.ALL) if facts else (None, (), Match.ALL)
