"""What came of each reading of a request: tried in its home, judged, and taken back."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine import settings as configuration
from engine.dialogue import assistant as dialogue
from engine.dialogue.recalling import from_this_talk
from engine.dialogue.requests.request import Consent, Request
from engine.dialogue.result import result
from engine.errors import HearthgraphError
from engine.evaluation.batch import Batch
from engine.evaluation.homeenv import Task, read_houses, read_tasks
from engine.evaluation.homeenv_judge import House, judge
from engine.evaluation.requests import Line
from engine.hearthgraph import Hearthgraph, new_iri
from engine.language.chart.decide import may_be_meant
from engine.language.chart.judging.confidence import MOST_HEARD, acts, facts_of
from engine.language.chart.judging.lost import parts_of
from engine.language.chart.judging.ranking import ranked
from engine.language.chart.judging.reader import Candidate, Heard
from engine.language.chart.judging.traits import traits
from tests.acceptance import test_paraphrases, test_rewordings
from tests.dialogue import test_conversations as conversations
from tests.dialogue.talks import BEGAN, Talk
from tests.homes import a_home

_SEED = 7


@dataclass(frozen=True, slots=True)
class Tried:
    """A reading with what came of it. `acts`: it would do something; `acted`: it did; `traits`: of what it comes to;
    `barred`: words of the text tell that it may not be meant."""

    features: Mapping[str, float]
    effect: str
    right: bool
    acts: bool
    acted: bool
    traits: frozenset[str]
    barred: bool


@dataclass(frozen=True, slots=True)
class Example:
    """A request with its readings, likeliest first. `facts` is what its words alone say of how far it can be
    trusted; `group` is left out together. `text` is kept for the fitting alone."""

    id: str
    group: str
    tokens: int
    facts: Mapping[str, float]
    tried: tuple[Tried, ...]
    text: str


Try = Callable[[Candidate], tuple[bool, bool]]


def example(name: str, group: str, found: Heard, attempt: Try, text: str, context: Any) -> Example:
    """A request whose readings have been tried, those of one effect once."""
    known: dict[tuple[str, ...], tuple[bool, bool]] = {}
    tried = []
    for candidate in found.candidates[:MOST_HEARD]:
        if candidate.effect not in known:
            known[candidate.effect] = attempt(candidate) if candidate.goals else (False, False)
        right, acted = known[candidate.effect]
        features, does = dict(candidate.features), acts(candidate)
        told = traits(candidate.intents, parts_of(candidate.effect, context), context)
        barred = not may_be_meant(candidate, found, context)
        tried.append(Tried(features, repr(candidate.effect), right, does, acted, told, barred))
    return Example(name, group, len(found.tokens), facts_of(found), tuple(tried), text)


@contextmanager
def _reading(home: Hearthgraph, chosen: Candidate, iri: str, read_as: str) -> Iterator[None]:
    """The home understands whatever is said as one reading; nothing is recalled in its place."""
    kept = home.assistant._understood, dialogue.recalled

    def understood(request: Request, context: Any, memory: Any) -> Any:
        memory.hear(iri, {k.replace(read_as, iri): v for k, v in chosen.hearing.goals.items()})
        return tuple(
            tuple(tuple(replace(i, iri=i.iri.replace(read_as, iri)) for i in reading) for reading in readings)
            for readings in chosen.goals
        )

    home.assistant._understood = understood  # type: ignore[method-assign]
    dialogue.recalled = lambda *_: None  # type: ignore[assignment]
    try:
        yield
    finally:
        home.assistant._understood, dialogue.recalled = kept  # type: ignore[method-assign, assignment]


def readings(home: Hearthgraph, request: Request, past: Any) -> Heard:
    """All readings of a request in a home, as the assistant has them."""
    context = home.assistant._context(request, past.past)
    before = from_this_talk(request, past, home.state, context)
    return ranked(request.text, request.iri, context, past=before, by_words=True)


def of_voice(folder: Path, voice: str, words: Mapping[str, str]) -> Iterator[Example]:
    """The tasks of HomeEnv homes, the last turn in other words where there are any."""
    yield from of_tasks(folder / "tasks.jsonl", [folder / "homes"], voice, words)


def of_tasks(file: Path, folders: Sequence[Path], voice: str, words: Mapping[str, str]) -> Iterator[Example]:
    """The tasks of a file, in the homes of several folders; of two homes of one name the first counts."""
    for task, text, batch, house in tasks_in(file, folders, words):
        yield _of_task(task, voice, text, batch, house)


def tasks_in(file: Path, folders: Sequence[Path], words: Mapping[str, str]) -> Iterator[tuple[Task, str, Batch, House]]:
    """The tasks of a file by home, with their last turn, in other words where there are any, and where they are played;
    of two homes of one name the first counts."""
    houses = {name: house for folder in reversed(folders) for name, house in read_houses(folder).items()}
    homes = {path.stem: path for folder in reversed(folders) for path in sorted(folder.glob("*.json"))}
    with Batch(sorted(homes.values()), execute=True, settings=configuration.load()) as batch:
        for task in sorted(read_tasks(file), key=lambda one: one.home):
            if not words or task.id in words:
                yield task, words.get(task.id) or task.turns[-1]["text"], batch, houses[task.home]


def before_the_last_turn(task: Task, text: str, batch: Batch) -> tuple[Hearthgraph, Any, Request]:
    """The home of a task after all turns but the last, the talk that they were said in, and the last as a request."""

    def line(said: str) -> Line:
        return Line(task.id, said, task.id, task.home, task.user, task.location, task.now, task.memory)

    for turn in task.turns[:-1]:
        list(batch.run([line(turn["text"])]))
    place = batch._opened(batch._source(line(text)))
    place.begin(line(text))
    home = place.engine
    request = Request(text, "urn:read", task.user, home.place(task.location), tuple(task.memory))
    return home, home.conversation(task.id), request


def _of_task(task: Task, voice: str, text: str, batch: Batch, house: House) -> Example:
    home, talk, request = before_the_last_turn(task, text, batch)
    found = readings(home, request, talk.memory)

    def attempt(candidate: Candidate) -> tuple[bool, bool]:
        iri, before, mind = new_iri(), home.state.snapshot(), _mind(talk)
        try:
            with _reading(home, candidate, iri, request.iri):
                asked = replace(request, iri=iri)
                outcome = talk.say(text, lambda _: home.assistant.handle(asked, Consent.ALL))
            came = result(outcome, home.registry, task.id, home.store)
            wrong = judge(task.expected, came, house.after(task.turns, task.now))
            return wrong is None, bool(came.get("changes") or came.get("rule"))
        except (HearthgraphError, LookupError, ValueError, AssertionError):
            return False, False
        finally:
            _restore(home, before)
            _remind(talk, mind)
            home.rules.clear()

    context = home.assistant._context(request, talk.memory.past)
    return example(f"{voice} {task.id}", voice, found, attempt, text, context)


def _mind(talk: Any) -> tuple[Any, ...]:
    m = talk.memory
    return m.past, m.asked, m._heard, list(m._noted), m._open, talk._proposed


def _remind(talk: Any, mind: tuple[Any, ...]) -> None:
    m = talk.memory
    m.past, m.asked, m._heard, m._noted, m._open, talk._proposed = (*mind[:3], list(mind[3]), *mind[4:])


def _restore(home: Hearthgraph, before: Mapping[str, Any]) -> None:
    now = home.state.snapshot()
    wrong = {iri: before.get(iri) for iri in {*before, *now} if before.get(iri) != now.get(iri)}
    if wrong:
        home.state.write(wrong)


def of_rewordings() -> Iterator[Example]:
    """Our own requests with what people expect of them: the sets of `tests/acceptance`."""
    by_home: dict[Path, list[tuple[str, str, str | None, Callable[[Hearthgraph, Any, Any], bool]]]] = {}
    for case in test_rewordings.CASES:
        row = (case["id"], case["text"], case.get("location"), _judge_of_rewording(case))
        by_home.setdefault(test_rewordings.HOMES[case["home"]], []).append(row)
    for case in test_paraphrases.CASES:
        for number, words in enumerate(case["said"]):
            row = (f"{case['id']}-{number}", words, None, _judge_of_paraphrase(case))
            by_home.setdefault(test_paraphrases.HOMES[case["home"]], []).append(row)
    for file, rows in by_home.items():
        with a_home(file, now=test_paraphrases.BEGINS) as home:
            for name, text, location, right in rows:
                yield _of_case(name, text, location, right, home)


def of_wishes() -> Iterator[Example]:
    """Our own complaints and vague wishes, which the earlier reader is held to by tests of their own."""
    here = Path(test_rewordings.__file__).parent
    rows = [json.loads(line) for line in (here / "idioms.jsonl").read_text(encoding="utf-8").splitlines()]
    said = [(f"idiom {n}", r["text"], r.get("location")) for n, r in enumerate(rows) if r["words"] == "first"]
    rows = [json.loads(line) for line in (here / "vague.jsonl").read_text(encoding="utf-8").splitlines()]
    said += [(r["id"], r["text"], r.get("location")) for r in rows if r["home"] == "house"]
    with a_home(now=test_paraphrases.BEGINS) as home:
        yield from of_requests(home, "own", said)


def of_conversations() -> Iterator[Example]:
    """Our own conversations: each turn, after those before it have been carried out."""
    by_home: dict[str, list[dict[str, Any]]] = {}
    for case in conversations.CASES:
        by_home.setdefault(case["home"], []).append(case)
    for name, cases in by_home.items():
        with a_home(conversations.HOUSE if name == "house" else conversations.HOMES / f"{name}.ttl", now=BEGAN) as home:
            talk = Talk(home, "")
            for case in cases:
                talk.begin()
                for number, turn in enumerate(case["turns"]):
                    yield _of_turn(f"{case['id']}-{number}", case, turn, home)
                    talk.ask(turn["say"], conversation=case["id"], location=case.get("location"))


def _of_turn(name: str, case: Mapping[str, Any], turn: Mapping[str, Any], home: Hearthgraph) -> Example:
    talk, text = home.conversation(case["id"]), turn["say"]
    request = Request(text, "urn:read", None, home.place(case.get("location")))
    found = readings(home, request, talk.memory)

    def attempt(candidate: Candidate) -> tuple[bool, bool]:
        iri, before, mind = new_iri(), home.state.snapshot(), _mind(talk)
        try:
            with _reading(home, candidate, iri, request.iri):
                asked = replace(request, iri=iri)
                outcome = talk.say(text, lambda _: home.assistant.handle(asked, Consent.ALL))
            return not list(conversations.faults(dict(turn), outcome, None, None)), bool(outcome.changes)
        except (HearthgraphError, LookupError, ValueError, AssertionError):
            return False, False
        finally:
            _restore(home, before)
            _remind(talk, mind)

    context = home.assistant._context(request, talk.memory.past)
    return example(name, "own", found, attempt, text, context)


def _of_case(
    name: str, text: str, location: str | None, right: Callable[[Hearthgraph, Any, Any], bool], home: Hearthgraph
) -> Example:
    talk = home.conversation(new_iri())
    request = Request(text, "urn:read", None, home.place(location))
    found = readings(home, request, talk.memory)

    def attempt(candidate: Candidate) -> tuple[bool, bool]:
        iri, before = new_iri(), home.state.snapshot()
        try:
            with _reading(home, candidate, iri, request.iri):
                outcome = home.assistant.handle(replace(request, iri=iri), Consent.ALL)
            return right(home, outcome, before), bool(outcome.changes)
        except (HearthgraphError, LookupError, ValueError, AssertionError):
            return False, False
        finally:
            _restore(home, before)
            home.rules.clear()

    context = home.assistant._context(request, talk.memory.past)
    return example(name, "own", found, attempt, text, context)


def _judge_of_rewording(case: Mapping[str, Any]) -> Callable[[Hearthgraph, Any, Any], bool]:
    def right(home: Hearthgraph, outcome: Any, _: Any) -> bool:
        return not list(test_rewordings.faults(outcome, dict(case["expect"]), test_rewordings.readings(home)))

    return right


def _judge_of_paraphrase(case: Mapping[str, Any]) -> Callable[[Hearthgraph, Any, Any], bool]:
    def right(home: Hearthgraph, outcome: Any, before: Mapping[str, Any]) -> bool:
        ignored = test_rewordings.readings(home)
        after = {test_rewordings.key(k): v for k, v in home.state.snapshot().items() if before.get(k) != v}
        changed = {test_paraphrases.short(k): v for k, v in after.items() if k not in ignored}
        return test_paraphrases.is_right(dict(case), outcome.status.value, changed)

    return right


def of_requests(home: Hearthgraph, group: str, texts: Sequence[tuple[str, str, str | None]]) -> Iterator[Example]:
    """Requests of which the earlier reader's reading counts as right: weak, for where it is known to be good."""
    for name, text, location in texts:
        context = home.assistant._context(Request(text, "urn:read", None, home.place(location)), _nothing().past)
        found = ranked(text, "urn:read", context, by_words=True)
        own = next(c.effect for c in found.candidates if "old" in c.features)

        def agrees(candidate: Candidate, own: tuple[str, ...] = own) -> tuple[bool, bool]:
            return candidate.effect == own, acts(candidate)

        yield example(name, group, found, agrees, text, context)


def _nothing() -> Any:
    return dialogue.Memory()


def of_homebench(folder: Path, homes: int = 20, each: int = 18) -> Iterator[Example]:
    """Some requests of HomeBench in some of its homes."""
    from engine.evaluation.homebench import read_cases
    from engine.origins.homebench.homes import read_homes

    chance = random.Random(_SEED)
    known = {one.id: one for one in read_homes(folder / "homes.jsonl")}
    by_home: dict[Any, list[Any]] = {}
    for case in read_cases(folder / "cases.jsonl"):
        by_home.setdefault(case.home, []).append(case)
    for key in chance.sample(sorted(by_home), homes):
        with Hearthgraph.open(None, settings=configuration.load(live=False, experience=False)) as home:
            home.register(known[key].things, known[key].quads, known[key].state)
            home.assistant.refresh()
            cases = chance.sample(by_home[key], min(each, len(by_home[key])))
            yield from of_requests(home, "weak", [(c.id, c.text, None) for c in cases])


def of_home_assistant(folder: Path, homes: int = 14, each: int = 14) -> Iterator[Example]:
    """Some requests to homes of Home Assistant."""
    from engine.evaluation.ha import read_cases

    chance = random.Random(_SEED)
    for stem in ("assist-mini", "ha-intents"):
        by_home: dict[Any, list[Any]] = {}
        for case in read_cases(folder / "snapshots", folder / f"{stem}.requests.jsonl", folder / f"{stem}.gold.jsonl"):
            by_home.setdefault(case.home, []).append(case)
        for key in chance.sample(sorted(by_home, key=str), min(homes, len(by_home))):
            with Hearthgraph.open(None, settings=configuration.load(live=False, experience=False)) as home:
                home.load([key])
                home.assistant.refresh()
                cases = chance.sample(by_home[key], min(each, len(by_home[key])))
                yield from of_requests(home, "weak", [(c.id, c.line.text, c.line.location) for c in cases])


def words_of(path: Path) -> dict[str, str]:
    """What a voice says instead, by task."""
    return {one["id"]: one["text"] for one in map(json.loads, path.read_text(encoding="utf-8").splitlines())}
