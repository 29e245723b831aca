"""Only one of its kind: "only the desk lamp should be on", "keep just the fan on": the others are to be off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.graph.terms import expand
from engine.language.chart.goals.prepared import heard_items, tokens_of
from engine.language.chart.heard.items import ARTICLES, Sort, includes
from engine.language.chart.judging.reader import intents_of
from engine.language.chart.judging.spared import past
from engine.language.meanings.context import Context
from engine.language.meanings.property_kinds import DEVICE
from engine.language.meanings.readings import Alternatives
from engine.language.words.records import replace
from engine.model.intent import Amount, Category, Intent, Measure, Operation
from engine.model.selection import Quantity, Select

_POWER, _TURN_ON = expand("hg:Power"), expand("hg:TurnOn")
_OWN = expand("hg:")
_STAYING = ("leave", "keep")


def with_the_others_off(text: str, context: Context, goals: tuple[Alternatives, ...]) -> tuple[Alternatives, ...]:
    """The goals of a text; where only one thing is to be on, or to stay so, with the goal that the others of its kind
    are off."""
    intents = intents_of(goals)
    if len(intents) != 1 or not _puts_on(intents[0]) or not _is_only_one(text, context):
        return goals
    intent = intents[0]
    kinds = tuple(dict.fromkeys(_kinds(intent.selection, context)))
    if len(kinds) != 1:
        return goals
    others = replace(
        intent,
        iri=f"{intent.iri}-others",
        operation=Operation.SET,
        selection=Select(classes=kinds, quantity=Quantity.ALL, minus=(intent.selection,)),
        command=None,
        property=_POWER,
        amount=Amount(Measure.TRUTH, False),
    )
    return (*goals, ((others,),))


def _puts_on(intent: Intent) -> bool:
    """Whether an intent is to have something on, now, and nothing else."""
    now = intent.category is Category.EXPLICIT and intent.fault is None and intent.timing is None
    to = intent.property == _POWER and intent.amount is not None and intent.amount.value is True
    return now and intent.rule is None and (to or intent.command == _TURN_ON) and not intent.selection.minus


def _is_only_one(text: str, context: Context) -> bool:
    """Whether a text says that only one thing shall be, or stay, as follows."""
    items = heard_items(text, context)
    start = past((Sort.Leave, Sort.VERB), past((Sort.Requesting,), 0, items), items)
    stays = any(token.text in _STAYING for token in tokens_of(text, context)[:start])
    ends = {i.end for i in items[start] if i.sort is Sort.Only} if start < len(items) else set()
    named = {past((Sort.NOUN, Sort.One), past(ARTICLES, end, items), items) for end in ends} - ends
    return any(stays or includes(items[end : end + 1], Sort.Modal) for end in named)


def _kinds(select: Select, context: Context) -> Iterator[str]:
    """The widest classes of device that a selection names."""
    registry = context.registry
    things = (registry.thing_of[iri] for iri in select.things if iri in registry.thing_of)
    own: Sequence[str] = [*select.classes, *(cls for thing in things for part in thing.parts for cls in part.classes)]
    for cls in own:
        above = {cls, *context.vocabulary.ancestors.get(cls, ())} - {DEVICE}
        known = [one for one in above if one.startswith(_OWN)]
        yield from (one for one in known if not any(context.vocabulary.is_a(one, w) for w in known if w != one))
