"""The experience scenario of AmI HMAS (section 6.2, Appendix B): 17 requests, cold, warm, and in another home."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from time import perf_counter
from typing import Any

from engine.dialogue.requests.request import Consent
from engine.errors import InputError, SettingError
from engine.evaluation.experience_cases import CASES, Case
from engine.graph.terms import Json
from engine.hearthgraph import Hearthgraph
from engine.llm import Model, Recorder, Replay, from_settings
from engine.model.outcome import Outcome, Status
from engine.model.plan_ir import affordances
from engine.model.signifier import Signifier
from engine.planning.model.prompting import Options, Planner, Record
from engine.resources import folder
from engine.settings import Settings

BEGAN = datetime.fromisoformat("2026-03-02T10:00:00+00:00")
"""A morning: it is bright outside."""
ENVIRONMENTS = ("lab308", "home17")


@dataclass(frozen=True, slots=True)
class Asked:
    """A request of the scenario."""

    id: str
    environment: str
    category: str
    text: str
    feasible: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on one request in one phase. `path` is template, signifier, model, check or impossible; `foreign` are
    the affordances that the plan, or the model, names and the home does not have; `milliseconds` is understanding
    and planning. Of the model's answers, `retries` followed a rejected one, and `malformed` were not valid under the
    answer schema. Of `chosen` affordances, `fitting` are among those that the request may be done by."""

    asked: Asked
    phase: str
    path: str
    right: bool
    calls: int
    milliseconds: float
    foreign: tuple[str, ...] = ()
    reply: str = ""
    retries: int = 0
    malformed: int = 0
    chosen: int = 0
    fitting: int = 0


def read_requests(path: Path) -> tuple[list[Asked], Mapping[str, Any]]:
    """The requests of a file, and the paper's figures in it. Raises InputError where it is no such file."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        found = [
            Asked(r["id"], r["environment"], r["category"], r["text"], bool(r["feasible"])) for r in data["requests"]
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} holds no requests: {error}.", remedy="Give the file of the scenario.") from error
    if unknown := {asked.id for asked in found} - CASES.keys():
        raise InputError(f"{path} has requests of which nobody knows what is right: {', '.join(sorted(unknown))}.")
    return found, data.get("paper_result", {})


def planner_for(
    settings: Settings, mode: str, without: Sequence[str], *, recorded: Path | None, recording: bool
) -> Planner | None:
    """The planner for a mode (none, needed, forced), with the model of the settings or recorded answers. Raises
    SettingError where a model is needed and none is set up."""
    if mode == "none":
        return None
    model: Model | None = Replay.read(recorded) if recorded is not None else from_settings(settings)
    if model is None:
        raise SettingError("No language model is set up.", remedy="Give its address in the setting llm_url.")
    options = Options("hints" not in without, "validation" not in without, "retrieval" not in without)
    return Planner(Recorder(model) if recording else model, options, forced=mode == "forced")


class Scenario:
    """The two environments, opened, and the phases played on them. A context manager."""

    def __init__(
        self, requests: Sequence[Asked], settings: Settings, planner: Planner | None = None, phases: str = "ABC"
    ) -> None:
        self._requests = requests
        self._settings = settings.model_copy(update={"live": False, "llm_url": None})
        self._planner, self._phases = planner, phases
        self._homes = {name: self._home(name) for name in ENVIRONMENTS}

    def _home(self, name: str) -> Hearthgraph:
        home = Hearthgraph.open(None, now=BEGAN, settings=self._settings)
        home.load([folder("data") / f"{name}.ttl"])
        return self._warmed(home)

    def _warmed(self, home: Hearthgraph) -> Hearthgraph:
        """Builds all caches before the clock runs, and without the model."""
        home.assistant.planner = None
        home.ask("is it on?")
        home.ask("it is dim in here", consent=Consent.PLAN)
        home.assistant.planner = self._planner
        return home

    def play(self) -> Iterator[Verdict]:
        """All three phases, in their order."""
        learnt: dict[str, list[Signifier]] = {name: [] for name in ENVIRONMENTS}
        for asked in self._requests:  # cold: what is learnt is taken away again
            memory = self._homes[asked.environment].assistant.experience
            memory.forget()
            yield self._ask(asked, "A")
            learnt[asked.environment] += memory.all()
        for name in ENVIRONMENTS:
            memory = self._homes[name].assistant.experience
            memory.forget()
            memory.take(list({one.iri: one for one in learnt[name]}.values()))
        yield from self._phase("B", ENVIRONMENTS) if "B" in self._phases else ()
        if "C" not in self._phases:
            return
        elsewhere = self._homes["home17"].assistant.experience
        elsewhere.take(learnt["lab308"], peer="lab308")
        self._warmed(self._homes["home17"])
        for asked in self._requests:
            if asked.environment == "home17":
                elsewhere.forget()
                yield self._ask(asked, "C")

    def _phase(self, phase: str, environments: Sequence[str]) -> Iterator[Verdict]:
        for asked in self._requests:
            if asked.environment in environments:
                yield self._ask(asked, phase)

    def _ask(self, asked: Asked, phase: str) -> Verdict:
        home, case = self._homes[asked.environment], CASES[asked.id]
        home.set_now(BEGAN)
        home.state.write({_property(home, name): value for name, value in case.start.items()})
        before = home.state.snapshot()
        began = perf_counter()
        outcome = home.ask(asked.text, consent=Consent.ALL)
        spent = (perf_counter() - began) * 1000 - outcome.milliseconds.get("run", 0.0)
        return self._judged(asked, phase, case, outcome, home, before, spent)

    def _judged(
        self,
        asked: Asked,
        phase: str,
        case: Case,
        outcome: Outcome,
        home: Hearthgraph,
        before: Mapping[str, Json],
        spent: float,
    ) -> Verdict:
        record = self._planner.record.taken() if self._planner is not None else Record()
        named = affordances(outcome.plan.tree) if outcome.plan else ()
        known = {*home.registry.actions, *home.registry.properties}
        foreign = (*(iri for iri in named if iri not in known), *record.foreign)
        used = [iri for one in outcome.intents for iri in one.affordances if iri in known]
        return Verdict(
            asked,
            phase,
            _path(outcome),
            is_right(case, outcome, home, before),
            outcome.llm_calls,
            spent,
            foreign,
            outcome.reply,
            record.retries,
            record.malformed,
            len(used) + len(foreign),
            sum(case.serves(*_thing_and_name(home, iri)) for iri in used),
        )

    def __enter__(self) -> Scenario:
        return self

    def __exit__(self, *_: object) -> None:
        for home in self._homes.values():
            home.close()


def _path(outcome: Outcome) -> str:
    if outcome.plan is not None:
        return outcome.plan.path
    return "check" if outcome.status is Status.ANSWERED else "impossible"


def is_right(case: Case, outcome: Outcome, home: Hearthgraph, before: Mapping[str, Json]) -> bool:
    """Whether an outcome is right for the case: the final state holds, and nothing else was touched."""
    if case.reasons:
        return outcome.status is Status.REFUSED and outcome.reason in case.reasons and not outcome.changes
    if case.answer is not None:
        value = outcome.answer.value if outcome.answer else None
        return outcome.status is Status.ANSWERED and value == case.answer and not outcome.changes
    allowed = {_property(home, name) for name in (*case.final, *case.either)}
    changed = {change.property for change in outcome.changes}
    if outcome.status is not Status.DONE or not changed or not changed <= allowed:
        return False
    if not all(test(home.state.get(_property(home, name))) for name, test in case.final.items()):
        return False
    reading = None if case.rises is None else _property(home, case.rises)
    return reading is None or _higher(home.state.get(reading), before.get(reading))


def _thing_and_name(home: Hearthgraph, affordance: str) -> tuple[str, str]:
    """The last name of the thing that an affordance belongs to, and its own."""
    one = home.registry.actions.get(affordance) or home.registry.properties[affordance]
    return home.registry.thing_of[affordance].iri.rpartition("/")[2], one.name


def _higher(after: Json, before: Json) -> bool:
    return isinstance(after, int | float) and isinstance(before, int | float) and after > before


def _property(home: Hearthgraph, name: str) -> str:
    """The property affordance that `thing/property` names."""
    thing, _, prop = name.partition("/")
    things = [one for one in home.registry.things.values() if one.iri.endswith(f"/{thing}")]
    return next(own.iri for one in things for own in one.properties if own.name == prop)
