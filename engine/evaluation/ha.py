"""Sentences in homes of Home Assistant: the right entities, operation and value, or the right answer, or nothing."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from engine.errors import InputError, SyntaxFault
from engine.evaluation.batch import Batch
from engine.evaluation.ha_operations import Done, all_same, comes_to, done
from engine.evaluation.intervals import Tally
from engine.evaluation.requests import BadLine, Line, read_lines
from engine.origins.home_assistant import snapshot
from engine.origins.home_assistant.snapshot import Snapshot
from engine.settings import Settings

Result = Mapping[str, Any]
NOTHING: Result = {"status": "refused"}
CONSTANTS: Mapping[str, Mapping[str, Any]] = {
    "yes": {"text": "Yes", "value": True},
    "no": {"text": "No", "value": False},
    **{str(number): {"text": str(number), "value": number} for number in (0, 1, 2, 50)},
    "none": {"text": "none", "value": []},
    "on": {"text": "on"},
}
"""What those answer who answer always the same."""


@dataclass(frozen=True, slots=True)
class Case:
    """A request with its gold labels. Requests of one `block` are paraphrases of each other."""

    id: str
    line: Line
    home: Path
    gold: Mapping[str, Any]

    @property
    def block(self) -> str:
        """The id shared by paraphrases."""
        return str(self.gold["block"])


@dataclass(frozen=True, slots=True)
class Verdict:
    """A case with the result object that came of it, and whether it is right by each metric; the first one counts."""

    case: Case
    result: Result
    metrics: Mapping[str, bool]

    @property
    def right(self) -> bool:
        """Whether it is right."""
        return next(iter(self.metrics.values()))


@dataclass(slots=True)
class Score:
    """One metric over cases; `blocks` has the tally of each block."""

    tally: Tally = field(default_factory=Tally)
    blocks: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))

    @property
    def by_block(self) -> float:
        """The mean of the blocks' shares: paraphrases do not count several times."""
        return sum(tally.share for tally in self.blocks.values()) / len(self.blocks) if self.blocks else 0.0


def read_cases(homes: Path, requests: Path, gold: Path) -> list[Case]:
    """The cases of two files, by id. Raises InputError for a request without gold or home, and for a broken line."""
    right = dict(_gold(gold))
    cases = []
    for line in read_lines(requests):
        if isinstance(line, BadLine):
            raise InputError(f"{requests}: {line.message}", reason=line.reason)
        if line.id not in right:
            raise InputError(f"{gold} says nothing of {line.id}.")
        cases.append(Case(line.id, line, _home(line, homes), right[line.id]))
    return cases


def _gold(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for number, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            data = json.loads(raw)
            if data["kind"] and data["block"] is not None:
                yield data["id"], data
        except (ValueError, LookupError, TypeError) as error:
            raise SyntaxFault(f"not a gold line: {error!r}.", source=str(path), line=number) from error


def _home(line: Line, homes: Path) -> Path:
    """The snapshot of a request, whose path may begin with the name of the folder of homes itself."""
    for path in (homes / (line.home or ""), homes.parent / (line.home or "")):
        if snapshot.is_one(path):
            return path
    raise InputError(f"{line.id}: there is no snapshot {line.home} in {homes}.")


def evaluate(cases: Sequence[Case], settings: Settings) -> Iterator[Verdict]:
    """The verdict on each case on its home. Raises InputError for a home that cannot be loaded."""
    for home in dict.fromkeys(case.home for case in cases):
        with Batch([home], execute=True, settings=settings) as batch:
            for case in (one for one in cases if one.home == home):
                result = next(batch.run([replace(case.line, home=home.name)]))
                yield Verdict(case, result, metrics(case, result))


@cache
def _snapshot(path: Path) -> Snapshot:
    return snapshot.read(path)


def metrics(case: Case, result: Result) -> dict[str, bool]:
    """Whether a result is right, by metric; the first one counts."""
    gold, got = case.gold, done(result)
    if "want" in gold:
        return _by_state(case, result, got)
    if gold["kind"] == "query":
        right = not got and answers(result.get("answer"), gold["answer"])
        return {"answer": right, f"answer, {gold['answer']['kind']}": right}
    if gold["kind"] == "infeasible":
        return {"infeasible: nothing done": not got}
    wanted = [Done(*one) for one in gold["ops"]]
    return {
        "command: entities, operation, value": all_same(got, wanted),
        "command: entities": {one.entity for one in got} == set(gold["entities"]),
        "command: operation": {one.operation for one in got} == {one.operation for one in wanted},
    }


def _by_state(case: Case, result: Result, got: Sequence[Done]) -> dict[str, bool]:
    gold, home = case.gold, _snapshot(case.home)
    if gold["kind"] in ("query", "service_query"):
        return {"answer": comes_to(got, home, {}) and answers(result.get("answer"), gold["answer"])}
    right = comes_to(got, home, gold["want"])
    return {"final state": right, f"final state, {gold['kind']}": right}


def answers(answer: Mapping[str, Any] | None, gold: Mapping[str, Any]) -> bool:
    """Whether an answer is the right one: by its value where that is of the right type, else by its words."""
    if not answer:
        return False
    text = str(answer.get("text") or "")
    return _ANSWERS[gold["kind"]](answer.get("value"), text.lower(), gold)


_YES, _NO = ("yes", "yep"), ("no", "nope", "none", "nobody", "nothing", "not any")
_TRUTHS: Mapping[str, bool] = {"yes": True, "true": True, "no": False, "false": False}
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COUNTS = {word: number for number, word in enumerate(_NUMBERS)} | dict.fromkeys(("no", "none", "nothing", "nobody"), 0)


def _boolean(value: Any, text: str, gold: Mapping[str, Any]) -> bool:
    said = value if isinstance(value, bool) else _TRUTHS.get(str(value).strip().lower())
    if said is None:
        found = re.match(rf"\W*({'|'.join((*_YES, *_NO))})\b", text)
        said = None if found is None else found[1] in _YES
    return said is not None and said == gold["value"]


def _number(value: Any, text: str, gold: Mapping[str, Any]) -> bool:
    if isinstance(value, list) and gold["kind"] == "count":
        value = len(value)
    if isinstance(value, str) and _numbers(value):
        value = _numbers(value)[-1]
    if isinstance(value, bool) or not isinstance(value, int | float):
        said = _numbers(text) or [_COUNTS[word] for word in re.findall(r"[a-z]+", text) if word in _COUNTS]
        value = said[-1] if said else None
    return value is not None and abs(value - gold["value"]) < 1e-6


def _numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)]


def _list(value: Any, text: str, gold: Mapping[str, Any]) -> bool:
    wanted = {name.lower() for name in gold["value"]}
    if isinstance(value, list):
        return {str(name).lower() for name in value} == wanted
    rest = text
    for name in wanted:
        rest = rest.replace(name, " ")
    if any(_stands(name.lower(), rest) for name in gold.get("others", ())):
        return False
    if not wanted:
        return re.search(r"\b(no|none|not any|nothing|nobody|0)\b", text) is not None
    named = sum(_stands(name, text) for name in wanted)
    more = re.search(r"(\d+) more", text)
    return named + (int(more[1]) if more else 0) == len(wanted)


def _text(value: Any, text: str, gold: Mapping[str, Any]) -> bool:
    said = text if value is None else f"{text} {str(value).lower()}"
    named = any(_stands(words.lower(), said) for words in gold["value"])
    return named and not any(_stands(words, said) for words in gold.get("reject", ()))


def _stands(words: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(words)}\b", text) is not None


_ANSWERS = {"boolean": _boolean, "number": _number, "count": _number, "list": _list, "text": _text}


def scores(verdicts: Sequence[Verdict]) -> dict[str, Score]:
    """The scores by metric."""
    found: dict[str, Score] = defaultdict(Score)
    for one in verdicts:
        for name, right in one.metrics.items():
            found[name].tally.add(right)
            found[name].blocks[one.case.block].add(right)
    return found


def constant(cases: Sequence[Case], result: Result) -> dict[str, Score]:
    """The scores of a baseline that always gives the same result."""
    return scores([Verdict(case, result, metrics(case, result)) for case in cases])


def constants(cases: Sequence[Case]) -> dict[str, dict[str, Score]]:
    """The scores of baselines that always give the same answer, by that answer."""
    return {name: constant(cases, {"status": "answered", "answer": one}) for name, one in CONSTANTS.items()}
