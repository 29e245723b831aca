"""A sentence with all that its words may be, and which of them say when: "at seven turn on the light", not "at 40"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from engine.graph.terms import expand
from engine.language.chart.goals.prepared import heard_items, states_of_commands, tokens_of
from engine.language.chart.heard.items import Item, Sort, includes
from engine.language.chart.heard.rule_lexicon import rule_words
from engine.language.chart.later.parting import chosen
from engine.language.chart.later.sentence import Sentence
from engine.language.chart.later.told import Teller
from engine.language.meanings.context import Context
from engine.language.meanings.past import Hearing
from engine.language.meanings.readings import Alternatives
from engine.language.questions.asked_facts import fact_of
from engine.language.times.times import TimeItem
from engine.language.words.lexicon import Role
from engine.language.words.records import replace
from engine.language.words.tokens import Token
from engine.model.rule import Daytime, Fact

Ask = Callable[[str, str, Context], tuple[Alternatives, ...]]
_HOW_MUCH = frozenset({"by", "to"})
OFF, ON = expand("hg:IsOff"), expand("hg:IsOn")
PUT_ON, PUT_OUT = expand("hg:TurnOn"), expand("hg:TurnOff")
NOON = 12


def sentence_of(text: str, request: str, context: Context, asks: Ask, *, unsure: bool = False) -> Sentence:
    """A sentence with all that its words may be; `unsure`: also with what may be a time ("at 8") beside
    what is one."""
    tokens = tokens_of(text, context)
    known = rule_words(context.store)
    items = _without_amounts(_particles(heard_items(text, context)), tokens)
    reminds = any((term := known.at(tokens, p)) and term[1] == "Reminding" for p in range(len(tokens)))
    times = chosen(items, unsure=reminds)
    sure = _is_put_out_at(items) or _is_led_by_hour(items) or _is_for_later(items)
    if (unsure and times) or sure:  # "on at eight in the evening, off at ten"
        times = chosen(
            [[i for i in own if i.said == "plain" or i.text.startswith("at ")] for own in items], unsure=True
        )

    times = tuple(_led_by_later(one, items) for one in times if not _is_of_now(one.start, items))

    def asked(question: str) -> Iterator[Fact]:
        for readings in asks(question, f"{request}/asked", replace(context, hearing=Hearing())):
            yield from (fact for reading in readings if (fact := fact_of(reading[0])) is not None)

    teller = Teller(tokens, items, known, context, asked, states_of_commands(context))
    named = teller.places(range(len(tokens)))
    teller = replace(teller, about=teller.first(range(len(tokens))))
    return Sentence(text, tokens, items, times, known, replace(teller, nearby=named))


def _led_by_later(time: TimeItem, items: Sequence[Sequence[Item]]) -> TimeItem:
    """A time with the word for another time that it makes clear: "*later* today at nine"."""
    before = (i for own in items[: time.start] for i in own if i.sort is Sort.Sometime)
    led = (i.start for i in before if _past_pauses(i.end, items) >= time.start)
    return replace(time, start=min(led, default=time.start))


def _is_for_later(items: Sequence[Sequence[Item]]) -> bool:
    """Whether an hour makes clear for when something is: "later, at nine"."""
    ends = {_past_pauses(i.end, items) for own in items for i in own if i.sort is Sort.Sometime}
    return any(i.sort is Sort.TIME and i.text.startswith("at ") for n in ends for own in items[n : n + 1] for i in own)


def _past_pauses(place: int, items: Sequence[Sequence[Item]]) -> int:
    while place < len(items) and includes((items[place],), Sort.PauseMark):
        place += 1
    return place


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
        if verbs and not includes((items[place],), Sort.NOUN):
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
        if open_ and includes((own,), Sort.On):
            own = [i for i in own if i.sort is not Sort.TIME]
        ends = any(i.sort in (Sort.VALUE, Sort.PARTICLE, Sort.NUMBER) for i in own)
        begins = any(e.role is Role.LIGHT_VERB for i in own if i.sort is Sort.VERB for e in i.entries)
        open_ = begins or (open_ and not ends)
        found.append(own)
    return found


def _without_amounts(items: Sequence[Sequence[Item]], tokens: Sequence[Token]) -> list[Sequence[Item]]:
    """The items, without a time that would take how much of the property that was named before: "raise the brightness
    by 5 every day"."""
    kinds = [p for p, own in enumerate(items) if includes((own,), Sort.KIND)]
    first = min(kinds, default=len(items))
    return [[i for i in own if i.sort is not Sort.TIME or not _is_amount(i, first, items, tokens)] for own in items]


def _is_amount(one: Item, kind: int, items: Sequence[Sequence[Item]], tokens: Sequence[Token]) -> bool:
    """Whether a time begins with a bare number that "by" or "to" makes an amount of the kind at a place before it."""
    number = next((p for p in range(one.start, one.end) if tokens[p].number is not None), None)
    if number is None or number <= kind or number > one.start + 1 or tokens[number - 1].text not in _HOW_MUCH:
        return False
    clock = [i for i in items[number] if i.sort is Sort.TIME and i.said == "plain" and i.end <= one.end]
    return not any(isinstance(i.time, Daytime) for i in clock)
