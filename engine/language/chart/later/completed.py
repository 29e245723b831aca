"""A request that something was asked about, completed by the reply: a rule, an order for later, or a wish that names
nothing; its time, device, room, and how much."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from engine.language.chart.heard.items import Item, Sort
from engine.language.chart.later.parted import is_open
from engine.language.chart.later.parting import chosen
from engine.language.chart.later.ruled import schedule
from engine.language.chart.later.sentence import Sentence
from engine.language.chart.later.timed import sentence_of
from engine.language.meanings.context import Context
from engine.language.meanings.readings import Alternatives
from engine.language.phrases.coordination import Goal
from engine.language.phrases.temporal import NO_TIME
from engine.language.talk.asking import Asked
from engine.language.talk.discourse import interpreted
from engine.language.times.times import Element, Meaning, united
from engine.language.understanding import understand
from engine.language.words.lexicon import Role
from engine.language.words.records import replace
from engine.model.intent import Amount, Category, Intent, Measure, Operation
from engine.model.rule import Next, Recurrence, Rule, Schedule
from engine.model.selection import Quantity, Select

_ACTION = re.compile(r"/action-(\d+)$")
_ALL = (Sort.Every, Sort.Both, Sort.Everything, Sort.Anything)
_ACTING = (Sort.VERB, Sort.PARTICLE, Sort.Downwards, Sort.Upwards, Sort.PronounOne, Sort.RELATIVE)
_SMALL = (
    Sort.Definite, Sort.Of, Sort.In, Sort.On, Sort.To, Sort.One, Sort.Fillers, Sort.PauseMark, Sort.StopMark, Sort.And,
    Sort.PronounSeveral, Sort.Loose, Sort.Requesting, *_ALL,
)  # fmt: skip


def completed(
    text: str, request: str, ruled: Alternatives, asked: Asked, context: Context
) -> tuple[Alternatives, ...] | None:
    """The goals of a request that answers what was asked of a rule, an order for later or a wish, with the answer in
    them; None for what is no answer, or where none of these was. `ruled` are the readings of the rule."""
    read = partial(sentence_of, request=request, context=context, asks=understand)
    iri = f"{request}/intent-1"
    meant = next((one for way in ruled for one in way if asked.intent.iri.startswith(one.iri)), None)
    if meant is not None and isinstance(rule := meant.rule, Rule):
        is_when = any(map(is_open, rule.triggers))
        found = _timed(rule, text, read) if is_when else _chosen(rule, text, asked.intent, read)
        return None if found is None else (((replace(meant, iri=iri, rule=found),),),)
    if asked.reason == "missing_time":
        later = _scheduled(text, iri, asked, context, read)
        return None if later is None else (((later,),),)
    if asked.intent.category is Category.IMPLICIT:
        wish = _wished(asked, text, read)
        return None if wish is None else (((replace(wish, iri=iri),),),)
    return None


def _scheduled(text: str, iri: str, asked: Asked, context: Context, read: Callable[[str], Sentence]) -> Intent | None:
    """The rule to carry the order out at the time of the reply."""
    goals = [item for item in asked.items.values() if isinstance(item, Goal)]
    when = next((when for times in _times_alone(text, read) if (when := _when(times)) is not None), None)
    if when is None or len(goals) != len(asked.items):
        return None
    ways = [interpreted(replace(goal, when=NO_TIME), f"{iri}/action-{n}", context) for n, goal in enumerate(goals, 1)]
    actions = tuple(intent for way in ways for intent in way[0])
    said = asked.intent.text
    rule = Rule(said, (when,), actions, location=context.location, once=not isinstance(when, Recurrence))
    fault = next((one.fault for one in actions if one.fault is not None), None)
    if fault is not None:
        return Intent(iri, said, Category.RULE, Operation.MAKE, fault=fault, subject=said)
    return Intent(iri, said, Category.RULE, Operation.MAKE, rule=rule)


def _times_alone(text: str, read: Callable[[str], Sentence]) -> Iterator[list[Meaning]]:
    """The times in a reply that says nothing else, as it is, and as "at" it."""
    for said in (text, f"at {text}"):
        sentence = read(said)
        items = chosen(sentence.items, unsure=True)
        if items and _is_all(sentence, {p for one in items for p in range(one.start, one.end)}):
            yield [one.meaning for one in items]


def _when(times: Sequence[Meaning]) -> Schedule | None:
    """When, as all that is said of time comes to; None where that is not one time."""
    when, windows, whole = schedule(times)
    return when if whole and not windows and not is_open(when) else None


def _wished(asked: Asked, text: str, read: Callable[[str], Sentence]) -> Intent | None:
    """The wish, of the room or the device that the reply names, and by how much it says: "the one in the hall", "in the
    hall, drop it to 30"."""
    sentence = read(text)
    items = [i for own in sentence.items for i in own]
    named = _of(items, Sort.NOUN, Sort.PLACE)
    numbers = _of(items, Sort.NUMBER) if not _of(items, Sort.One) or _of(items, Sort.To) else []
    acting = _of(items, *_ACTING) if numbers else []
    if not (named or _of(items, *_ALL)) or not _is_all(sentence, _covered((*named, *numbers, *acting))):
        return None
    levels = {(i.number, i.unit) for i in numbers if i.number != 1}
    if len(levels) > 1 or (levels and not _of(items, Sort.To)):
        return None
    amounts = (Amount(Measure.NUMBER, number, unit) for number, unit in levels)
    select = asked.intent.selection
    select = _with(select, named, sentence) if named else replace(select, places=_rooms(asked.choices, sentence))
    return replace(asked.intent, selection=select, amount=next(amounts, None))


def _of(items: Sequence[Item], *sorts: Sort) -> list[Item]:
    """The items of these sorts."""
    return [i for i in items if i.sort in sorts]


def _covered(items: Sequence[Item]) -> set[int]:
    """The places of the tokens of items."""
    return {p for i in items for p in range(i.start, i.end)}


def _rooms(choices: Sequence[str], sentence: Sentence) -> tuple[str, ...]:
    """The choices that are rooms."""
    return tuple(one for one in choices if one in sentence.teller.context.registry.places)


def _timed(rule: Rule, text: str, read: Callable[[str], Sentence]) -> Rule | None:
    """The rule at the time that the reply says."""
    for times in _times_alone(text, read):
        elements: list[Element] = [one for one in times if isinstance(one, Element)]
        if len(elements) != len(times):
            continue
        first, *more = rule.triggers
        one = united([first, *elements]) if isinstance(first, Element) else None
        if isinstance(one, Next | Recurrence) and not is_open(one):
            return replace(rule, triggers=(one, *more))
    return None


def _chosen(rule: Rule, text: str, about: Intent, read: Callable[[str], Sentence]) -> Rule | None:
    """The rule with the device or the room that the reply names."""
    number = _ACTION.search(about.iri)
    place = int(number[1]) - 1 if number is not None else 0
    if place >= len(rule.actions):
        return None
    sentence = read(text)
    named = [i for own in sentence.items for i in own if i.sort in (Sort.NOUN, Sort.PLACE)]
    inside = {p for one in named for p in range(one.start, one.end)}
    every = any(sentence.is_at(p, *_ALL) is not None for p in range(len(sentence.tokens)))
    if not _is_all(sentence, inside) or not (named or every):
        return None
    action = rule.actions[place]
    select = _with(action.selection, named, sentence) if named else replace(action.selection, quantity=Quantity.ALL)
    actions = (*rule.actions[:place], replace(action, selection=select), *rule.actions[place + 1 :])
    return replace(rule, actions=actions)


def _with(select: Select, named: Sequence[Item], sentence: Sentence) -> Select:
    """A selection that the names of a reply narrow: the devices themselves, or where they are."""
    things = tuple(dict.fromkeys(e.iri for one in named for e in one.entries if e.role is Role.THING))
    if things:
        return Select(things=things, quantity=Quantity.ALL if len(things) > 1 else select.quantity)
    places = sentence.teller.places(range(len(sentence.tokens)))
    classes = tuple(dict.fromkeys(e.iri for one in named for e in one.entries if e.role is Role.DEVICE))
    return replace(select, places=places or select.places, classes=classes or select.classes)


def _is_all(sentence: Sentence, inside: set[int]) -> bool:
    """Whether a reply says nothing but what is inside, and words that only join."""
    small = _covered([i for own in sentence.items for i in _of(own, *_SMALL)])
    return small | inside >= {*range(len(sentence.tokens))}
