"""SMH-Bench's kind of tasks on HomeEnv homes: played turn by turn, judged, and tallied by subcategory and home."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from engine.errors import InputError, SyntaxFault
from engine.evaluation.batch import Batch
from engine.evaluation.homeenv_judge import House, judge
from engine.evaluation.intervals import Tally
from engine.evaluation.requests import Line
from engine.settings import Settings

SIZES = ("simple", "medium", "complex")
BASELINES: Mapping[str, Mapping[str, Any]] = {
    "do nothing": {"status": "done", "answer": {"text": "Done."}},
    "ask vaguely": {"status": "clarify", "question": "Sorry, could you say more about that?"},
    "ask for the room": {"status": "clarify", "question": "Which room or device do you mean?"},
    "ask for everything": {
        "status": "clarify",
        "question": "Which room, what value, which mode, for how long and when?",
    },
    "refuse": {"status": "refused", "reason": "no_such_device"},
}
"""What those score who do always the same."""


@dataclass(frozen=True, slots=True)
class Task:
    """A task: the last of `turns` is scored, those before are its context. `now` is in the home's time zone."""

    id: str
    category: str
    subcategory: str
    home: str
    size: str
    now: datetime
    user: str | None
    location: str | None
    memory: tuple[str, ...]
    turns: tuple[Mapping[str, Any], ...]
    expected: Mapping[str, Any]
    extra: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """A task with its result object and the fault of that, None where it is right."""

    task: Task
    result: Mapping[str, Any]
    fault: str | None

    @property
    def column(self) -> str:
        """What came of it, as one of `COLUMNS`."""
        if self.fault is None:
            return COLUMNS[0]
        if self.result.get("changes") or self.result.get("rule"):
            return COLUMNS[1]
        return _OF_STATUS.get(str(self.result.get("status")), COLUMNS[4])


COLUMNS = ("right", "acted wrongly", "answered wrongly", "asked needlessly", "refused or nothing")
"""What may come of a task; who is wrong and changes something, or makes a rule, acts wrongly, whatever else it says."""
_OF_STATUS = {"answered": COLUMNS[2], "clarify": COLUMNS[3], "proposed": COLUMNS[3]}


@dataclass(slots=True)
class Scores:
    """Tallies by row and column: rows are subcategories and categories, columns the sizes of home, and `all`."""

    cells: dict[tuple[str, str], Tally] = field(default_factory=lambda: defaultdict(Tally))

    @classmethod
    def of(cls, verdicts: Iterable[Verdict]) -> Scores:
        """The tallies of verdicts; tasks that are extra count in the row `refusals` alone."""
        scores = cls()
        for one in verdicts:
            task = one.task
            own = ("refusals",) if task.extra else (task.category, f"{task.category} {task.subcategory}", "core")
            for row in own:
                for column in (task.size, "all"):
                    scores.cells[row, column].add(one.fault is None)
        return scores


def in_other_words(tasks: Sequence[Task], path: Path) -> list[Task]:
    """The tasks whose last turns a file says in other words (`id` and `text`, a JSON object a line), so said. Raises
    InputError for a file that is none."""
    try:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        words = {str(row["id"]): str(row["text"]) for row in rows}
    except (OSError, LookupError, TypeError, ValueError) as error:
        remedy = 'Give a JSONL file with an "id" and a "text" in each line.'
        raise InputError(f"{path} cannot be read: {error!r}.", remedy=remedy) from error
    said = ((task, words[task.id]) for task in tasks if task.id in words)
    return [replace(task, turns=(*task.turns[:-1], {**task.turns[-1], "text": text})) for task, text in said]


def read_tasks(path: Path) -> list[Task]:
    """The tasks of a file, one a line. Raises InputError, SyntaxFault with the line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}.", remedy="Give a JSONL file of tasks.") from error
    return [_task(line, path, number) for number, line in enumerate(lines, start=1) if line.strip()]


def _task(line: str, path: Path, number: int) -> Task:
    try:
        data = json.loads(line)
        return Task(
            data["id"],
            data["category"],
            data["subcategory"],
            data["home"],
            data["complexity"],
            datetime.fromisoformat(data["now"]),
            data.get("user"),
            data.get("location"),
            tuple(data.get("memory") or ()),
            _turns(data["turns"]),
            data["expect"],
            bool(data.get("extra")),
        )
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise SyntaxFault(f"not a task: {error!r}.", source=str(path), line=number) from error


def _turns(turns: Any) -> tuple[Mapping[str, Any], ...]:
    if not turns or not all(isinstance(turn["text"], str) for turn in turns):
        raise ValueError("there is no turn")
    return tuple(turns)


def read_houses(folder: Path) -> dict[str, House]:
    """The homes of a folder by id, as the judge needs them. Raises InputError for a file that is none."""
    found = {}
    for path in _files(folder):
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            found[str(data["id"])] = House.of(data)
        except (OSError, LookupError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"{path}: not a HomeEnv home: {error!r}.") from error
    return found


def _files(folder: Path) -> list[Path]:
    files = sorted(folder.glob("*.json"))
    if not files:
        raise InputError(f"{folder} holds no home.", remedy="Give the folder of the homes, a JSON file each.")
    return files


def evaluate(folder: Path, tasks: Sequence[Task], settings: Settings) -> Iterator[Verdict]:
    """Plays each task on its home, from its initial state, and judges it. Raises InputError for a task whose home is
    not among the homes."""
    houses = read_houses(folder)
    for task in tasks:
        if task.home not in houses:
            raise InputError(f"Task {task.id} is on home {task.home}, which {folder} does not have.")
    with Batch(_files(folder), execute=True, settings=settings) as batch:
        for task in sorted(tasks, key=lambda task: task.home):
            yield verdict(task, played(task, batch), houses[task.home])


def played(task: Task, batch: Batch) -> dict[str, Any]:
    """The result of the last turn; where that is a question, `then` has the result of the task's own reply."""
    result: dict[str, Any] = {}
    for turn in task.turns:
        result = _said(turn["text"], task, batch)
    then = task.expected.get("then")
    if then and result["status"] == "clarify":
        result["then"] = _said(then["text"], task, batch)
    return result


def _said(text: str, task: Task, batch: Batch) -> dict[str, Any]:
    line = Line(task.id, text, task.id, task.home, task.user, task.location, task.now, task.memory)
    return next(batch.run([line]))


def verdict(task: Task, result: Mapping[str, Any], house: House) -> Verdict:
    """A result, judged."""
    return Verdict(task, result, judge(task.expected, result, house.after(task.turns, task.now)))


def baselines(tasks: Sequence[Task], houses: Mapping[str, House]) -> dict[str, Scores]:
    """The scores of baselines on the same tasks that always give the same result."""
    return {
        name: Scores.of(verdict(task, constant, houses[task.home]) for task in tasks)
        for name, constant in BASELINES.items()
    }
