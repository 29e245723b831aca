"""Rules read in parts: when, under what condition, and what is to be done, each by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engine.graph.terms import expand
from engine.language.asked_facts import fact_of
from engine.language.chart.doing import Read, Reader
from engine.language.chart.forbidden import FORBIDDING, forbidden
from engine.language.chart.items import Item, Sort
from engine.language.chart.parting import Parts, chosen, is_present, ways_told
from engine.language.chart.prepared import heard_items, states_of_commands, tokens_of
from engine.language.chart.remarks import without_remarks
from engine.language.chart.ruled import hours_of, schedule
from engine.language.chart.sentence import MARKS, Sentence
from engine.language.chart.told import Teller, Told, rule_words
from engine.language.chart.unmarked import waits_unmarked
from engine.language.context import Context
from engine.language.lexicon import Role
from engine.language.past import Hearing
from engine.language.readings import Alternatives
from engine.language.records import replace
from engine.language.tokens import Token
from engine.model.intent import Category, Intent, Operation
from engine.model.rule import After, Becomes, Daytime, Fact, Match, Next, Recurrence, Rule, Schedule, Trigger

Ask = Callable[[str, str, Context], tuple[Alternatives, ...]]
_REFERRING = (Sort.PronounOne, Sort.PronounSeveral, Sort.There)
_HOW_MUCH = frozenset({"by", "to"})
_PAST = frozenset({"was", "were", "did", "had", "last"})
OFF, ON = expand("hg:IsOff"), expand("hg:IsOn")
PUT_ON, PUT_OUT = expand("hg:TurnOn"), expand("hg:TurnOff")
NOON = 12
MOST_READ, MOST_RULES = 10, 8
"""In how many ways to part a sentence the order is read, and how many rules are offered."""


def ruled(text: str, request: str, context: Context, read: Read, asks: Ask) -> Alternatives:
    """The readings of a text as a rule, likeliest first, each the intent to make it; none where it says none, or not
    all of it can be read.

    `read` reads what is to be done, `asks` a question."""
    sentence = _heard(text, request, context, asks)
    if not sentence.tokens or _is_question(sentence):
        return ()
    when, windows, whole = schedule([one.meaning for one in sentence.times])
    if not whole or (is_open(when) and not _is_for_another_day(when) and not hours_of(when)):
        return ()
    reader = Reader(sentence, request, context, read)
    made: list[tuple[tuple[float, ...], Rule]] = []
    present: list[Rule] = []
    for wrong, parts, told in sorted(ways_told(sentence), key=lambda one: one[0])[:MOST_READ]:
        hours = hours_of(when) if told else ()
        trigger, conditions, match = _set_off(None if hours else when, told)
        if trigger is None or _selects(sentence, parts, told):
            continue
        once = (isinstance(when, Next | After) and trigger is when) or "OnceMarker" in parts.marks
        rule = Rule(text, (trigger,), (), conditions, match, (*windows, *hours), location=context.location, once=once)
        found = [
            ((int(wrong), *cost, wrong), one)
            for cost, one in reader.doing(rule, parts, told)
            if hours or not is_open(when) or _is_ordered(one)
        ]
        made += found
        if not windows and not hours and isinstance(trigger, Becomes) and is_present(sentence, parts):
            present += [one for _, one in found if one.actions and one.notice is None]
    return tuple(
        (Intent(f"{request}/intent-{n}", text, Category.RULE, _operation(rule, present), rule=rule),)
        for n, rule in enumerate(_likeliest(made), start=1)
    )


def _operation(rule: Rule, present: Sequence[Rule]) -> Operation:
    """Whether a rule is to be made, or its actions carried out now, if its condition is so."""
    lasts = any(fact.seconds for one in rule.triggers if isinstance(one, Becomes) for fact in one.facts)
    return Operation.CARRY_OUT if rule in present and not lasts else Operation.MAKE


def _heard(text: str, request: str, context: Context, asks: Ask) -> Sentence:
    """A sentence without what is told around it; what that is about may be taken up: "I never hear the dryer, so once
    it has finished, …"."""
    plain = without_remarks(text, context)
    sentence = sentence_of(plain, request, context, asks)
    before = text[: text.index(plain)] if plain in text else ""
    if not before.strip():
        return sentence
    about = sentence_of(before, request, context, asks).teller.about
    return replace(sentence, teller=replace(sentence.teller, about=about)) if about else sentence


def forbids(text: str, request: str, context: Context, asks: Ask) -> Intent | None:
    """The intent to keep what must never be so, where a text says that; else None."""
    known, text = rule_words(context.store), without_remarks(text, context)
    tokens = tokens_of(text, context)
    if not any((term := known.at(tokens, p)) and term[1] in FORBIDDING for p in range(len(tokens))):
        return None
    return forbidden(sentence_of(text, request, context, asks), request)


def waits(text: str, context: Context, asks: Ask) -> bool:
    """Whether a text begins with what has to happen first ("the minute that …", "the window opens, …"): nothing of it
    may be done now."""
    tokens, words = tokens_of(text, context), rule_words(context.store)
    if bool(tokens) and (found := words.at(tokens, 0)) is not None and found[1] == "EventMarker":
        return True
    return waits_unmarked(sentence_of(text, "urn:waits", context, asks))


def is_awaited(rule: Rule, text: str, context: Context) -> bool:
    """Whether a notice is of an event to come, and does not answer how it is now: "could you tell me when …",
    "tell me if the fridge is open for five minutes"."""
    lasts = any(fact.seconds for one in rule.triggers if isinstance(one, Becomes) for fact in one.facts)
    tokens, items, words = tokens_of(text, context), heard_items(text, context), rule_words(context.store)
    told = [term[0] for p in range(len(tokens)) if (term := words.at(tokens, p)) is not None and term[1] == "Reminding"]
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
    """Whether a condition only says which things or rooms are meant, now: "if a lamp is on, put it out"."""
    refers = any(sentence.is_at(p, *_REFERRING) for p in parts.order)
    return refers and not sentence.times and any(one.any_one for one in told)


def sentence_of(text: str, request: str, context: Context, asks: Ask, *, unsure: bool = False) -> Sentence:
    """A sentence with all that its words may be; `unsure`: also with what may be a time ("at 8") beside
    what is one."""
    tokens = tokens_of(text, context)
    known = rule_words(context.store)
    items = _without_amounts(_particles(heard_items(text, context)), tokens)
    reminds = any((term := known.at(tokens, p)) and term[1] == "Reminding" for p in range(len(tokens)))
    times = chosen(items, unsure=reminds)
    if (
        (unsure and times) or _is_put_out_at(items) or _is_led_by_hour(items)
    ):  # "on at eight in the evening, off at ten"
        times = chosen(
            [[i for i in own if i.said == "plain" or i.text.startswith("at ")] for own in items], unsure=True
        )

    times = tuple(one for one in times if not _is_of_now(one.start, items))

    def asked(question: str) -> Iterator[Fact]:
        for readings in asks(question, f"{request}/asked", replace(context, hearing=Hearing())):
            yield from (fact for reading in readings if (fact := fact_of(reading[0])) is not None)

    teller = Teller(tokens, items, known, context, asked, states_of_commands(context))
    named = teller.places(range(len(tokens)))
    teller = replace(teller, about=teller.first(range(len(tokens))))
    return Sentence(text, tokens, items, times, known, replace(teller, nearby=named))


def _is_of_now(time: int, items: Sequence[Sequence[Item]]) -> bool:
    """Whether somebody only says how late it is: "it's half ten at night, send him back"."""
    said = (i for own in items[:time] for i in own if i.sort is Sort.Cleft)
    told = (i.start for i in said if all(_is_small(items[n]) for n in range(i.end, time)))
    return any(start == 0 or _is_stop(items[start - 1]) for start in told)


def _is_small(own: Sequence[Item]) -> bool:
    return any(i.sort in (Sort.Fillers, Sort.Still) for i in own)


def _is_put_out_at(items: Sequence[Sequence[Item]]) -> bool:
    """Whether something is said to be off "at ten": what is off has no level, so that is a time. What is on "at seven",
    and no more is said, is on from an hour of the clock, too: nobody means so low a level without its unit."""
    for own in items:
        for state in (i for i in own if i.sort is Sort.VALUE and i.end < len(items)):
            hours = [i for i in items[state.end] if i.sort is Sort.TIME and i.text.startswith("at ")]
            said = {e.iri for e in state.entries}
            if hours and (OFF in said or (ON in said and any(_is_bare(i, items) and _is_low(i) for i in hours))):
                return True
    return any(_is_switched_at(i, items) for own in items for i in own if i.sort is Sort.TIME)


def _is_switched_at(hour: Item, items: Sequence[Sequence[Item]]) -> bool:
    """Whether something is only switched "at seven": "turn on the hall light at seven"."""
    if not hour.text.startswith("at ") or not _is_bare(hour, items):
        return False
    for place in range(hour.start - 1, -1, -1):
        if any(i.sort in (Sort.And, Sort.PauseMark, Sort.NUMBER, Sort.KIND) for i in items[place]):
            return False
        verbs = [e.iri for i in items[place] if i.sort is Sort.VERB for e in i.entries]
        if verbs and not any(i.sort is Sort.NOUN for i in items[place]):
            return PUT_OUT in verbs or (PUT_ON in verbs and _is_low(hour))
    return False


def _is_bare(hour: Item, items: Sequence[Sequence[Item]]) -> bool:
    """Whether nothing is said behind a number that could be an hour."""
    return hour.end == len(items) or _is_stop(items[hour.end])


def _is_low(hour: Item) -> bool:
    """Whether a number is on the clock of twelve hours: an air conditioner "at 22" is no time."""
    return isinstance(hour.time, Daytime) and hour.time.hour <= NOON


def _is_stop(own: Sequence[Item]) -> bool:
    return any(i.sort in (Sort.PauseMark, Sort.StopMark, Sort.And, Sort.Fillers, Sort.Requesting) for i in own)


def _is_led_by_hour(items: Sequence[Sequence[Item]]) -> bool:
    """Whether an order begins with what can only be an hour: "at seven turn on the light", "at seven, light on"."""
    hours = [i for own in items[:1] for i in own if i.sort is Sort.TIME and i.text.startswith("at ")]
    behind = {p for hour in hours for p in (hour.end, hour.end + 1) if p < len(items)}
    if any(i.sort is Sort.VERB for p in behind for i in items[p]):
        return True
    states = {i.start for own in items for i in own if i.sort in (Sort.VALUE, Sort.PARTICLE) and i.number is None}
    return any(
        _is_low(i) and i.end < len(items) and _is_stop(items[i.end]) and any(p > i.end for p in states) for i in hours
    )


def _particles(items: Sequence[Sequence[Item]]) -> list[Sequence[Item]]:
    """The items, without a time that would take "on" from its verb: "turn the lamp on every day"."""
    found: list[Sequence[Item]] = []
    open_ = False
    for own in items:
        if open_ and any(i.sort is Sort.On for i in own):
            own = [i for i in own if i.sort is not Sort.TIME]
        ends = any(i.sort in (Sort.VALUE, Sort.PARTICLE, Sort.NUMBER) for i in own)
        begins = any(e.role is Role.LIGHT_VERB for i in own if i.sort is Sort.VERB for e in i.entries)
        open_ = begins or (open_ and not ends)
        found.append(own)
    return found


def _without_amounts(items: Sequence[Sequence[Item]], tokens: Sequence[Token]) -> list[Sequence[Item]]:
    """The items, without a time that would take how much of the property that was named before: "raise the brightness
    by 5 every day"."""
    kinds = [p for p, own in enumerate(items) if any(i.sort is Sort.KIND for i in own)]
    first = min(kinds, default=len(items))
    return [[i for i in own if i.sort is not Sort.TIME or not _is_amount(i, first, items, tokens)] for own in items]


def _is_amount(one: Item, kind: int, items: Sequence[Sequence[Item]], tokens: Sequence[Token]) -> bool:
    """Whether a time begins with a bare number that "by" or "to" makes an amount of the kind at a place before it."""
    number = next((p for p in range(one.start, one.end) if tokens[p].number is not None), None)
    if number is None or number <= kind or number > one.start + 1 or tokens[number - 1].text not in _HOW_MUCH:
        return False
    clock = [i for i in items[number] if i.sort is Sort.TIME and i.said == "plain" and i.end <= one.end]
    return not any(isinstance(i.time, Daytime) for i in clock)


def _is_question(sentence: Sentence) -> bool:
    """Whether it asks, and orders nothing: its first words ask, and no order follows."""
    begun = sentence.is_at(0, Sort.Requesting) or 0  # "could you tell me when …"
    while sentence.is_at(begun, Sort.Fillers) == begun + 1:
        begun += 1
    if any((term := sentence.term(place)) is not None and term[1] == "Reminding" for place in (0, begun)):
        return any(sentence.is_at(p, Sort.PastMark) or t.text in _PAST for p, t in enumerate(sentence.tokens))
    first = sentence.is_at(0, Sort.HowMany, Sort.Which, Sort.What, Sort.How, Sort.Where, Sort.HowLong, Sort.WhenDid)
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
