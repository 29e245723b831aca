"""Why a candidate for an order was not taken, where the journal need not say it: it follows from what it is."""

from __future__ import annotations

from collections.abc import Sequence

from engine.environment import effects
from engine.language.replies.replies import place_name
from engine.model.outcome import Loss
from engine.model.thing import Action
from engine.model.vocabulary import Form
from engine.things.registry import Registry


class Losing:
    """The candidates of one order. `command` is what was said, `taken` what was done; `asked`: it was asked which one
    is meant."""

    def __init__(self, registry: Registry, command: str, taken: Sequence[str], *, asked: bool) -> None:
        self._registry, self._command, self._asked = registry, command, asked
        self._taken = [one for one in taken if one in registry.thing_of]

    def loss(self, affordance: str) -> Loss | None:
        """Why it was not taken; None for what is not here any more."""
        thing = self._registry.thing_of.get(affordance)
        if thing is None:
            return None
        if not self._taken:
            return Loss("AskedBack" if self._asked else "NotUsed", affordance)
        same = [one for one in self._taken if self._part(one) == self._part(affordance)]
        if same:
            return Loss(self._beside(affordance, same[0]), affordance, same[0])
        near = [one for one in self._taken if self._registry.thing_of[one].place == thing.place]
        if not near:
            where = place_name(thing.place, self._registry) or "elsewhere"
            return Loss("OtherPlace", affordance, self._taken[0], where)
        reason = "OtherCommand" if self._says(near[0]) and not self._says(affordance) else "OneIsEnough"
        return Loss(reason, affordance, near[0])

    def _beside(self, affordance: str, taken: str) -> str:
        """Why another affordance of the same part was taken, in the order in which that is decided."""
        if self._says(taken) and not self._says(affordance):
            return "OtherCommand"
        own, other = self._does(affordance), self._does(taken)
        if Form.TO_NEXT in own and Form.TO_NEXT not in other:
            return "NextStateOnly"
        takes, took = Form.TO_INPUT in own, Form.TO_INPUT in other
        if takes != took:
            return "ValueNeeded" if takes else "NoValueTaken"
        return "DoesMore" if len(own) > len(other) else "SameResult"

    def _does(self, affordance: str) -> list[Form]:
        action = self._registry.actions.get(affordance)
        return [one.form for one in effects.effects_of(action, self._registry.vocabulary)] if action else []

    def _says(self, affordance: str) -> bool:
        """Whether an affordance is the very command that was said."""
        action = self._registry.actions.get(affordance)
        vocabulary = self._registry.vocabulary
        return action is not None and any(vocabulary.is_a(one, self._command) for one in action.commands)

    def _part(self, affordance: str) -> str | None:
        known: Action | None = self._registry.actions.get(affordance)
        prop = self._registry.properties.get(affordance)
        return known.part if known is not None else prop.part if prop is not None else None
