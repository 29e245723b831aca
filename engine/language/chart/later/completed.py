"""A rule that something was asked about, completed by the reply: at what time, which device, in which room."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from engine.language.chart.heard.items import Item, Sort
from engine.language.chart.later.parted import is_open
from engine.language.chart.later.parting import chosen
from engine.language.chart.later.sentence import Sentence
from engine.language.chart.later.timed import sentence_of
from engine.language.meanings.context import Context
from engine.language.meanings.readings import Alternatives
from engine.language.talk.asking import Asked
from engine.language.times.times import Element, united
from engine.language.understanding import understand
from engine.language.words.lexicon import Role
from engine.language.words.records import replace
from engine.model.intent import Intent
from engine.model.rule import Next, Recurrence, Rule
from engine.model.selection import Quantity, Select

_ACTION = re.compile(r"/action-(\d+)$")
_ALL = (Sort.Every, Sort.Both, Sort.Everything)
_SMALL = (
    Sort.Definite, Sort.Of, Sort.In, Sort.On, Sort.To, Sort.One, Sort.Fillers, Sort.PauseMark, Sort.StopMark, Sort.And,
    Sort.PronounSeveral, Sort.Loose, Sort.Requesting, *_ALL,
)  # fmt: skip


def completed(
    text: str, request: str, ruled: Alternatives, asked: Asked, context: Context
) -> tuple[Alternatives, ...] | None:
    """The goal of a request that answers what was asked of a rule, the rule with the answer in it; None for what is no
    answer, or where no rule was. `ruled` are the readings of the rule."""
    meant = next((one for way in ruled for one in way if asked.intent.iri.startswith(one.iri)), None)
    if meant is None or not isinstance(rule := meant.rule, Rule):
        return None
    read = partial(sentence_of, request=request, context=context, asks=understand)
    found = _timed(rule, text, read) if any(map(is_open, rule.triggers)) else _chosen(rule, text, asked.intent, read)
    return None if found is None else (((replace(meant, iri=f"{request}/intent-1", rule=found),),),)


def _timed(rule: Rule, text: str, read: Callable[[str], Sentence]) -> Rule | None:
    """The rule at the time that the reply says."""
    for said in (text, f"at {text}"):
        sentence = read(said)
        items = chosen(sentence.items, unsure=True)
        inside = {p for one in items for p in range(one.start, one.end)}
        elements: list[Element] = [one.meaning for one in items if isinstance(one.meaning, Element)]
        if not elements or len(elements) != len(items) or not _is_all(sentence, inside):
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
    left = (p for p in range(len(sentence.tokens)) if p not in inside)
    return all(sentence.is_at(p, *_SMALL) is not None for p in left)
