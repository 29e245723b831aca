"""What a language model expects of a day, from a fixed list and own examples; own experience has the last word.

"Towards ad hoc teamwork", execution traces: the prompt has the list of tasks, two earlier days as examples, and what
kind of day it is; what comes back is validated against what was done on such days. It tells of one person alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.llm import Message, Model
from engine.memory.kept.habits import Circumstances, Expectation, Habits

MOST_TASKS = 40
"""How many tasks the list has at most."""
EXAMPLES = 2
_SYSTEM = (
    "You are an intelligent household assistant. You get the list of tasks that can be done, the kind of day, two "
    "earlier days and a routine that is partly done. Complete the routine with the tasks that are still to come today, "
    "in their order, with tasks of the list alone, and no more than are likely."
)


@dataclass(frozen=True, slots=True)
class Anticipated:
    """The tasks that are kept of what a model expects, and those that experience speaks against, with its numbers."""

    kept: tuple[str, ...]
    removed: tuple[Expectation, ...]


def anticipated(
    habits: Habits, circumstances: Circumstances, done: Sequence[str], model: Model, tasks: Sequence[str] = ()
) -> Anticipated:
    """What a model expects of the rest of a day, validated. `tasks` is the fixed list; without one, what the person is
    known to do. Raises ModelError where the model does not answer."""
    listed = list(dict.fromkeys(tasks or habits.tasks(circumstances.person)))[:MOST_TASKS]
    if not listed:
        return Anticipated((), ())
    answer = model.complete(messages(habits, circumstances, done, listed), schema(listed))
    said = answer.get("tasks", [])
    expected = [task for task in dict.fromkeys(said) if task in listed and task not in done]
    kept, removed = habits.validate(expected, circumstances)
    return Anticipated(tuple(kept), tuple(removed))


def schema(tasks: Sequence[str]) -> dict[str, Any]:
    """What an answer is: tasks of the list, each once at most."""
    return {
        "type": "object",
        "properties": {
            "tasks": {"type": "array", "items": {"type": "string", "enum": list(tasks)}, "maxItems": len(tasks)}
        },
        "required": ["tasks"],
        "additionalProperties": False,
    }


def messages(
    habits: Habits, circumstances: Circumstances, done: Sequence[str], tasks: Sequence[str]
) -> tuple[Message, ...]:
    """The prompt: the list, examples of the same person's days that were most like this one, and this day."""
    lines = [f"Task list: {', '.join(tasks)}"]
    for number, (day, routine) in enumerate(habits.examples(circumstances, EXAMPLES), start=1):
        lines.append(f"Example {number}: on {_kind(day)} the routine was: {', '.join(routine)}")
    lines.append(f"Complete the routine on {_kind(circumstances)}. Done so far: {', '.join(done) or 'nothing'}.")
    return ({"role": "system", "content": _SYSTEM}, {"role": "user", "content": "\n".join(lines)})


def _kind(circumstances: Circumstances) -> str:
    day = "a day of the weekend" if circumstances.weekend else "a weekday"
    return f"{day} ({', '.join(sorted(circumstances.notes))})" if circumstances.notes else day
