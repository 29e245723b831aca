"""HomeBench, scored as its authors and as AmI HMAS score it (section 6.1, Tables 1 and 3), with the paper's figures.

Class A is a fault of the gold labels: an absolute "set the brightness" on a light that has a brightness, labelled
impossible. Figures are given raw, and with those labels corrected by a rule from text and home.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from engine import settings as configuration
from engine.dialogue.requests.request import Consent
from engine.errors import InputError, SyntaxFault
from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Outcome, Status
from engine.origins.homebench.calls import calls
from engine.origins.homebench.homes import Home, read_homes, read_json_lines

ERROR = "error_input"


@dataclass(frozen=True, slots=True)
class Case:
    """A case with its gold calls, normalised; `group` is its type without numbers."""

    id: str
    text: str
    home: str
    gold: tuple[str, ...]
    group: str


@dataclass(frozen=True, slots=True)
class Prediction:
    """The calls that the engine would make for a case, its time (seconds), and the number of calls to a model."""

    case: Case
    calls: tuple[str, ...]
    seconds: float
    llm_calls: int = 0


def evaluate(homes: Path, cases: Path) -> tuple[list[Prediction], dict[str, Home]]:
    """Predictions for every case, and the homes that they are on. Raises InputError."""
    known = {home.id: home for home in read_homes(homes)}
    by_home: dict[str, list[Case]] = defaultdict(list)
    order: list[str] = []
    for case in read_cases(cases):
        by_home[case.home].append(case)
        order.append(case.id)
    found: dict[str, Prediction] = {}
    for home, several in by_home.items():
        if home not in known:
            raise InputError(f"{cases}: case {several[0].id} is on home {home}, which {homes} does not have.")
        found.update((p.case.id, p) for p in _predict(known[home], several))
    return [found[i] for i in order], known


def _predict(home: Home, cases: Sequence[Case]) -> Iterator[Prediction]:
    with Hearthgraph.open(None, settings=configuration.load(live=False, experience=False)) as engine:
        engine.register(home.things, home.quads, home.state)
        for case in cases:
            start = perf_counter()
            try:
                outcome = engine.ask(case.text, consent=Consent.PLAN)
            except InputError:  # a text that is none
                yield Prediction(case, (ERROR,), perf_counter() - start)
                continue
            yield Prediction(case, predicted(outcome), perf_counter() - start, outcome.llm_calls)


def predicted(outcome: Outcome) -> tuple[str, ...]:
    """The calls of an outcome in the order of its intents, `error_input` for each that cannot be done."""
    steps = outcome.plan.steps if outcome.plan else ()
    found: list[str] = []
    for one in outcome.intents:
        own = [s for s in steps if s.intent == one.intent.iri] if one.status is Status.DONE else []
        found.extend(norm(call) for call in calls(own))
        if one.status is not Status.DONE:
            found.append(ERROR)
    return tuple(found)


def read_cases(path: Path) -> Iterator[Case]:
    """The cases of a file, one a line. Raises SyntaxFault with the line."""
    for number, data in read_json_lines(path):
        yield _case(data, path, number)


def _case(data: Any, path: Path, number: int) -> Case:
    try:
        group = re.sub(r"\d+", "", data.get("group") or data["type"])
        return Case(data["id"], data["input"], str(data["home_id"]), _gold(data["output"]), group)
    except (LookupError, TypeError, AttributeError) as error:
        raise SyntaxFault(f"not a HomeBench case: {error!r}", source=str(path), line=number) from error


def norm(call: str) -> str:
    """A call without white space."""
    return re.sub(r"\s+", "", call)


def _gold(output: str) -> tuple[str, ...]:
    found = re.split(r",(?![^(]*\))", output.strip().strip("'").replace(" ", ""))
    return tuple(norm(call) for call in found if norm(call))


_BRIGHTNESS = re.compile(r"(\w+)\.light\.set_brightness\((\d+)\)")
_ENDS = r"maximum|minimum|max|min|fully"


def corrected(prediction: Prediction, home: Home) -> tuple[str, ...]:
    """Gold with class A corrected: where it says error, order is kept, and the call is a brightness that stands in the
    text after "to", on a light that has one."""
    gold = prediction.case.gold
    if len(gold) != len(prediction.calls):
        return gold
    dimmable = _dimmable(home)
    return tuple(
        got if want == ERROR and _is_class_a(got, prediction.case.text, dimmable) else want
        for want, got in zip(gold, prediction.calls, strict=True)
    )


def _dimmable(home: Home) -> frozenset[str]:
    lights = (t for t in home.things if t.iri.endswith(":light"))
    return frozenset(t.iri.split(":")[-2] for t in lights if any(a.name == "set_brightness" for a in t.actions))


def _is_class_a(call: str, text: str, dimmable: frozenset[str]) -> bool:
    match = _BRIGHTNESS.fullmatch(call)
    if match is None or match[1] not in dimmable:
        return False
    said = rf"(to|at)\s+(a\s+)?(level\s+of\s+)?{match[2]}\b|{_ENDS}|{match[2]}\s*(%|percent)"
    return re.search(said, text) is not None


@dataclass(slots=True)
class Score:
    """Counts over cases; the figures are derived. `em` to `f1` are HomeBench's, `full` to `impossible` AmI HMAS's."""

    cases: int = 0
    exact: int = 0
    hits: int = 0
    predicted: int = 0
    gold: int = 0
    full: int = 0
    partly: int = 0
    matched: int = 0
    executed: int = 0
    expected: int = 0
    refused: int = 0
    impossible: int = 0
    seconds: float = 0.0

    def add(self, gold: Iterable[str], calls: Iterable[str], seconds: float) -> None:
        """One case."""
        want, got = Counter(gold), Counter(calls)
        self.cases += 1
        self.exact += want == got
        self.hits += (want & got).total()
        self.predicted += got.total()
        self.gold += want.total()
        self.impossible += want[ERROR]
        self.refused += min(want[ERROR], got[ERROR])
        del want[ERROR], got[ERROR]
        matched = (want & got).total()
        self.matched += matched
        self.executed += got.total()
        self.expected += want.total()
        self.full += want == got
        self.partly += want != got and matched > 0
        self.seconds += seconds

    def figures(self) -> dict[str, float]:
        """The figures, by name; durations in seconds a case."""
        action_p, action_r = _share(self.matched, self.executed), _share(self.matched, self.expected)
        p, r = _share(self.hits, self.predicted), _share(self.hits, self.gold)
        return {
            "em": _share(self.exact, self.cases),
            "precision": p,
            "recall": r,
            "f1": _f1(p, r),
            "full": _share(self.full, self.cases),
            "partial": _share(self.partly, self.cases),
            "impossible": _share(self.refused, self.impossible),
            "action_p": action_p,
            "action_r": action_r,
            "action_f1": _f1(action_p, action_r),
            "duration": _share(self.seconds, self.cases),
        }


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _f1(precision: float, recall: float) -> float:
    return _share(2 * precision * recall, precision + recall)


GROUPS: Mapping[str, str] = {
    "normal": "single feasible",
    "unexist_device": "single infeasible",
    "unexist_attribute": "single infeasible",
    "multi_normal": "multi feasible",
    "multi_mix": "multi mixed",
    "multi_unexist_device": "multi infeasible",
    "multi_unexist_attribute": "multi infeasible",
}


def scores(predictions: Sequence[Prediction], homes: Mapping[str, Home]) -> dict[tuple[str, str], Score]:
    """Scores by group ("all" for all) and by gold ("raw", "class A corrected")."""
    found: dict[tuple[str, str], Score] = defaultdict(Score)
    for one in predictions:
        fixed = corrected(one, homes[one.case.home])
        for group in ("all", GROUPS.get(one.case.group, one.case.group)):
            found[group, "raw"].add(one.case.gold, one.calls, one.seconds)
            found[group, "class A corrected"].add(fixed, one.calls, one.seconds)
    return found
