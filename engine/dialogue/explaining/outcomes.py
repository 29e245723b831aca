"""What became of each intent, told by what its actions came to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.model.outcome import ActionResult, IntentOutcome, Status

if TYPE_CHECKING:
    from engine.execution.runner import Run

STOPPED = frozenset({"cancelled", "limit_reached", "internal"})
"""Why a plan as a whole was stopped: then what was not reached was not reached because of that."""


def fate(outcome: IntentOutcome, outcomes: Sequence[IntentOutcome], result: Run) -> IntentOutcome:
    """The outcome of an intent after the run: an intent whose actions failed, failed; in part, if some were done."""
    if outcome.status is not Status.DONE:
        return outcome
    own = _actions(outcome, outcomes, result)
    failed = [action for action in own if action.outcome == "failed"]
    skipped = [action for action in own if action.outcome == "skipped"]
    if not failed and not skipped:
        return outcome
    status = Status.PARTIAL if len(failed) + len(skipped) < len(own) else Status.FAILED
    reason, message = _cause(failed, result)
    return replace(outcome, status=status, reason=reason, message=message)


def _actions(outcome: IntentOutcome, outcomes: Sequence[IntentOutcome], result: Run) -> list[ActionResult]:
    """The actions of an intent; where it needs none of its own, those that the same words led to."""
    own = [action for action in result.actions if action.intent == outcome.intent.iri]
    together = {one.intent.iri for one in outcomes if one.intent.text == outcome.intent.text}
    return own or [action for action in result.actions if action.intent in together]


def _cause(failed: Sequence[ActionResult], result: Run) -> tuple[str, str]:
    if failed:
        return failed[0].reason or "device_failed", failed[0].message
    if result.reason in STOPPED:
        return str(result.reason), result.error or ""
    return "skipped", "It was left out, because something before it failed."
