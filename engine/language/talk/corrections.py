"""Corrections of earlier turns: "no, I meant 26", "not that one, the boys' room", "undo that"."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.environment.values.quantities import amount_of
from engine.environment.values.scales import scale_of
from engine.errors import ValueFault
from engine.graph.terms import expand
from engine.language.meanings.context import Context
from engine.language.meanings.names import denotations
from engine.language.meanings.past import Item, Said, Turn, Undo
from engine.language.meanings.places import is_inside, whereabouts
from engine.language.phrases.coordination import Goal
from engine.language.phrases.formerly import FORMER
from engine.language.phrases.slots import HowMuch
from engine.language.talk.anaphora import about, meant, resolved
from engine.language.talk.ellipsis import repeated
from engine.language.words.grammar import FORMER_LATTER
from engine.language.words.lexicon import Role
from engine.language.words.tokens import tokenize
from engine.model.intent import Intent, Operation
from engine.model.outcome import Change
from engine.model.selection import Quantity, Select
from engine.model.thing import Property

UNDO = expand("hg:Undo")
POWER = (expand("hg:Power"), expand("hg:Activity"))


def undoes(goal: Goal) -> bool:
    """Whether a goal is to have things as they were."""
    former = any(e.iri == FORMER for how in goal.amounts for e in how.entries)
    return former or any(e.iri == UNDO for e in goal.verbs)


def undoes_here(goal: Goal, context: Context) -> bool:
    """Whether a goal takes back something: a verb that could also be a command ("go back", of a player) does so only
    where something was done."""
    if not undoes(goal):
        return False
    return any(turn.changes for turn in context.past.changed) or all(e.iri == UNDO for e in goal.verbs)


def undo(goal: Goal, context: Context) -> Undo:
    """The changes that a goal reverts: the latest of the parts it names, or those of the last turn with any."""
    past = context.past
    last = past.last
    found = resolved(goal, last, context) if last is not None else goal
    named = goal.noun is not None or bool(found.places) or bool(goal.qualities)
    named = named or (goal.pronoun in ("both", "them") and found.noun is not None)
    for turn in past.changed:
        changes = tuple(c for c in turn.changes if _is_named(c, found, context)) if named else turn.changes
        changes = _of_one(changes, goal, context)
        if changes:
            return Undo(goal.text, changes)
    return Undo(goal.text, ())


def _of_one(changes: Iterable[Change], goal: Goal, context: Context) -> tuple[Change, ...]:
    """The changes of the part that "the former" or "the latter" is, where a goal says so; else all."""
    if context.past.last is None or goal.pronoun not in FORMER_LATTER:
        return tuple(changes)
    parts, properties = meant(goal, context), context.registry.properties
    return tuple(c for c in changes if c.property in properties and properties[c.property].part in parts)


def _is_named(change: Change, goal: Goal, context: Context) -> bool:
    """Whether a change is of a part and kind that a goal names."""
    prop = context.registry.properties.get(change.property)
    thing = context.registry.thing_of.get(change.property)
    if prop is None or thing is None:
        return False
    kinds = {e.iri for quality in goal.qualities for e in quality.entries}
    if kinds and not any(context.vocabulary.is_a(own, kind) for own in prop.kinds for kind in kinds):
        return False
    places = whereabouts(goal, context.registry, None)[0].places if goal.places else ()
    if goal.places and not any(is_inside(thing.place or "", place, context.registry) for place in places):
        return False
    if goal.noun is None:
        return True
    owned = {c for part in thing.parts if part.iri == prop.part for c in part.every_class} | set(
        thing.parts[0].every_class
    )
    return any(
        prop.part in things or thing.iri in things or any(context.vocabulary.is_a(o, c) for o in owned for c in classes)
        for classes, things in denotations(goal.noun, goal.quantity, context)
    )


def intents_of(undone: Undo, iri: str, context: Context) -> tuple[Intent, ...]:
    """The intents that revert changes, switches last; one with a fault where nothing changed."""
    found: list[Intent] = []
    changes = sorted(undone.changes, key=lambda c: _is_switch(context.registry.properties.get(c.property), context))
    for change in changes:
        prop = context.registry.properties.get(change.property)
        intent = _back(change, prop, undone, iri if not found else f"{iri}-{len(found) + 1}", context) if prop else None
        if intent is not None:
            found.append(intent)
    return tuple(found) or (Intent(iri, undone.text, fault="nothing_to_undo", subject=undone.text),)


def _is_switch(prop: Property | None, context: Context) -> bool:
    return prop is not None and any(context.vocabulary.is_a(k, power) for k in prop.kinds for power in POWER)


def _back(change: Change, prop: Property, undone: Undo, iri: str, context: Context) -> Intent | None:
    if change.before is None or change.before == change.after:
        return None
    select = Select(things=(prop.part,), quantity=Quantity.ALL)
    kind = min(prop.kinds, default=None)
    try:
        amount = amount_of(change.before, scale_of(prop, context.vocabulary))
    except ValueFault:
        return Intent(iri, undone.text, selection=select, property=kind, fault="no_such_command")
    return Intent(iri, undone.text, operation=Operation.SET, selection=select, property=kind, amount=amount)


def is_fragment(goal: Goal) -> bool:
    """Whether a goal has no verb of its own."""
    return not goal.verb and not goal.question


def corrected(goal: Goal, context: Context) -> list[Item]:
    """The items of a fragment after "no, I meant": the order before, with the fragment in its place. Where that was of
    something else, or relative to the former state, it is reverted first."""
    last = _last_order(context)
    if last is None:
        return [goal]
    said = goal
    goal = _as_value(resolved(goal, last, context), context)
    named = goal.noun is not None or bool(goal.places) or bool(goal.unknown)
    if not named and goal.amounts:
        order = _said_with(last, goal.amounts[-1])
        return [*_taken_back(order, last, context), _with_amounts(order, goal, context)]
    if not named:
        return [goal]
    again = repeated(replace(goal, amounts=()), last, context)
    if not again:
        return [goal]
    whole = [replace(one, amounts=goal.amounts or one.amounts, negated=False) for one in again]
    of_it = tuple(c for c in _of_one(last.changes, said, context) if _is_named(c, goal, context))
    undone = of_it if goal.amounts and of_it else last.changes  # of several one may be to be otherwise
    return [Undo(goal.text, undone), *whole] if undone else list(whole)


def _last_order(context: Context) -> Turn | None:
    """The last turn, if it ordered something."""
    last = context.past.last
    orders = last is not None and any(not said.goal.question for said in last.said)
    return last if orders else None


def _as_value(goal: Goal, context: Context) -> Goal:
    """ "Heat, not cool": a noun of which there is none here may be a value."""
    if goal.noun is None or goal.places or any(e.role is Role.THING for e in goal.noun.entries):
        return goal
    if any(e.iri in context.dictionary.held for e in goal.noun.entries):
        return goal
    matches = context.dictionary.lexicon.at(tokenize(goal.noun.text), 0)
    entries = tuple(e for e in (matches[0].entries if matches else ()) if e.role in (Role.VALUE, Role.OPTION))
    return replace(goal, noun=None, amounts=(HowMuch("", goal.noun.text, entries),)) if entries else goal


def _said_with(last: Turn, amount: HowMuch) -> Said:
    """The goal of a turn whose value is of the sort of an amount; else its last."""
    numeric = amount.number is not None
    fitting = (s for s in reversed(last.said) if any((a.number is not None) == numeric for a in s.goal.amounts))
    return next(fitting, last.said[-1])


def _taken_back(said: Said, last: Turn, context: Context) -> list[Undo]:
    """The reversal of a relative change, so that it counts from the former state again."""
    relative = any(e.role is Role.RELATIVE for e in said.goal.verbs) or any(
        a.preposition == "by" for a in said.goal.amounts
    )
    of = (c for c in last.changes if context.registry.properties[c.property].part in said.parts)
    own = tuple(c for c in of if _is_of_kinds(c, said, context))
    relative = relative or bool(said.goal.direction and not any(a.preposition == "to" for a in said.goal.amounts))
    return [Undo(said.goal.text, own)] if relative and own else []


def _is_of_kinds(change: Change, said: Said, context: Context) -> bool:
    """Whether a change is of an order's kinds, and of no other in the same utterance."""
    own = context.registry.properties[change.property].kinds
    is_a = context.vocabulary.is_a
    return not said.kinds or any(is_a(one, kind) or is_a(kind, one) for one in own for kind in said.kinds)


def _with_amounts(said: Said, goal: Goal, context: Context) -> Goal:
    base = said.goal
    kept = [a for a in base.amounts if (a.number is None) != (goal.amounts[-1].number is None)]
    old = next((a for a in base.amounts if (a.number is None) == (goal.amounts[-1].number is None)), None)
    new = [_like(how, old) for how in goal.amounts]
    told = any(e.role is Role.RELATIVE for e in base.verbs) and not base.amounts
    verbs = () if told else base.verbs  # "cool the room", "no, heat"
    found = replace(base, text=goal.text, start=goal.start, end=goal.end, amounts=(*kept, *new), verbs=verbs)
    return about(found, said.parts, context) if said.parts else found


def _like(how: HowMuch, old: HowMuch | None) -> HowMuch:
    """The new value, introduced as the old one was, and in its unit, where it says nothing of that itself."""
    if old is None:
        return how
    return replace(how, preposition=how.preposition or old.preposition, unit=how.unit or old.unit)


def rejected(goal: Goal, context: Context) -> list[Undo]:
    """The reversals of a rejection, "not the kitchen": changes there; none for a rejected value."""
    last = _last_order(context)
    if last is None or not last.changes:
        return []
    if goal.noun is None and not goal.places and not goal.refers:
        return []
    found = _as_value(resolved(goal, last, context), context)
    if found.noun is None and not found.places:
        return []
    changes = tuple(c for c in last.changes if _is_named(c, found, context))
    return [Undo(goal.text, changes or (last.changes if goal.noun is None or not goal.noun.entries else ()))]


def without_doubles(items: Iterable[Item]) -> list[Item]:
    """Each change is taken back once."""
    found: list[Item] = []
    seen: set[str] = set()
    for item in items:
        if isinstance(item, Undo):
            fresh = tuple(c for c in item.changes if c.property not in seen)
            if not fresh and item.changes:
                continue
            seen |= {c.property for c in fresh}
            item = replace(item, changes=fresh)
        found.append(item)
    undone = any(isinstance(item, Undo) and item.changes for item in found)
    return [item for item in found if not (isinstance(item, Undo) and not item.changes and undone)]
