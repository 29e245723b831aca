"""`python -m tests.training [--keep FILE] [--write] [--words] [--few]`: plays requests, tries their readings, learns.

The requests are those of `../shared` and of `tests/acceptance`; no sentence is stored, weights only. `--keep` keeps
what came of the readings for another run of the fitting alone; the weights that count where the words alone are sure
stay as they are without `--words`. It takes some ten minutes on two cores.
"""

from __future__ import annotations

import argparse
import json
import logging
import pickle
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from engine.resources import folder
from tests.training.fitting import Judged, Learned, fitted, judged, tallied
from tests.training.outcomes import (
    Example,
    of_conversations,
    of_home_assistant,
    of_homebench,
    of_rewordings,
    of_tasks,
    of_voice,
    of_wishes,
    words_of,
)
from tests.training.sensing import learned_of, with_sense

_HERE = Path(__file__).resolve()
SHARED = _HERE.parents[3] / "shared"
VOICES = (SHARED / "smh" / "voices", _HERE.parents[1] / "acceptance" / "voices")
PARTS = _HERE.parents[1] / "acceptance" / "parts"
"""Other homes, with other tasks."""
MANY = _HERE.parents[1] / "acceptance" / "many"
"""Many tasks in the same homes, made at random and put into words by many (`wanted`)."""
HOMES = [
    *(PARTS / name / "homes" for name in ("two", "three", "five", "eight")),
    SHARED / "smh" / "dev" / "homes",
    MANY / "homes",
]
THRESHOLDS = (0.5, 0.6, 0.7, 0.8)
THRESHOLDS_OF = {"act": 0.6, "doubted": 0.8, "ask": 0.15, "answer": 0.3, "sense": 0.8, "surer": 0.95}
"""How sure a reading has to be to be carried out, also where it passes over something named, to be asked about, to be
answered where it is a question, for the sense of the whole sentence not to be looked at, and to count before what the
earlier reader reads well."""
_FILE = folder("ontology") / "reading.json"


def _jobs(*, few: bool) -> list[str]:
    folders = VOICES[:1] if few else VOICES
    voices = sorted(path.stem for folder in folders for path in folder.glob("*.jsonl"))
    return [
        "own",
        "homebench",
        "ha",
        "voice:dev",
        *(f"voice:{name}" for name in voices),
        *(f"part:{path.name}" for path in sorted(PARTS.iterdir())),
        *(f"part:{path.parent.parent.name}:{path.stem}" for path in sorted(PARTS.glob("*/voices/*.jsonl"))),
        *(f"many:{path.stem}" for path in sorted(MANY.glob("*.jsonl"))),
    ]


def _played(job: str) -> list[Example]:
    logging.disable(logging.CRITICAL)
    return list(_examples(job))


def _examples(job: str) -> Iterator[Example]:
    kind, _, voice = job.partition(":")
    if kind == "own":
        yield from of_rewordings()
        yield from of_wishes()
        yield from of_conversations()
    elif kind == "homebench":
        yield from of_homebench(SHARED / "homebench")
    elif kind == "ha":
        yield from of_home_assistant(SHARED / "ha" / "dev")
    elif kind == "part":
        name, _, person = voice.partition(":")
        words = words_of(PARTS / name / "voices" / f"{person}.jsonl") if person else {}
        yield from of_voice(PARTS / name, voice, words)
    elif kind == "many":
        yield from of_tasks(MANY / f"{voice}.jsonl", HOMES, voice, {})
    else:
        files = [path for folder in VOICES if (path := folder / f"{voice}.jsonl").exists()]
        words = words_of(files[0]) if files else {}
        yield from of_voice(SHARED / "smh" / "dev", voice, words)


def _collected(keep: Path | None, jobs: list[str], processes: int) -> list[Example]:
    known = dict(pickle.loads(keep.read_bytes())) if keep is not None and keep.exists() else {}
    missing = [job for job in jobs if job not in known]
    with ProcessPoolExecutor(processes) as pool:
        for job, found in zip(missing, pool.map(_played, missing), strict=True):
            known[job] = found
            print(f"{job}: {len(found)} requests", flush=True)
            if keep is not None:
                keep.write_bytes(pickle.dumps(known))
    return [one for job in jobs for one in known[job]]


def _decided(pair: tuple[Example, Example], by_words: Learned, by_sense: Learned) -> Judged:
    """What is decided by the words, or where they leave doubt with the sense of the whole, too."""
    first = judged(pair[0], by_words)
    return first if first.sure >= THRESHOLDS_OF["sense"] else judged(pair[1], by_sense)


def _shown(name: str, pairs: list[tuple[Example, Example]], by_words: Learned, by_sense: Learned) -> None:
    found = [_decided(pair, by_words, by_sense) for pair in pairs]
    rows = [(sure, tallied(found, sure)) for sure in THRESHOLDS]
    first = rows[0][1]
    at = "  ".join(f"{sure:.1f}: {row['right']} right, {row['acted wrongly']} acted wrongly" for sure, row in rows)
    print(f"{name:<12}{first['all']:>5}, possible {first['possible']}, first {first['first']}; {at}", flush=True)


def _spelt(found: dict[str, Any]) -> str:
    """The file's text: a weight a line, a tree a line."""
    rest = json.dumps({name: found[name] for name in ("made by", "thresholds")})[1:-1]
    return (
        f'{{{rest},\n{_spelt_of(found)},\n"sensed": {{\n{_spelt_of(found["sensed"])}\n}},\n'
        f'"sense": {json.dumps(found["sense"])}}}\n'
    )


def _spelt_of(found: dict[str, Any]) -> str:
    weights = ",\n".join(f"{json.dumps(n)}: {w}" for n, w in sorted(found["weights"].items()))
    own = found["confidence"]
    trees = ",\n".join(json.dumps(tree, separators=(",", ":")) for tree in own["trees"])
    head = f'"bias": {own["bias"]}, "measures": {json.dumps(own["measures"])}'
    return f'"weights": {{\n{weights}\n}},\n"confidence": {{{head}, "trees": [\n{trees}\n]}}'


def main() -> None:
    """Learns, with each voice left out once, and then from all."""
    parser = argparse.ArgumentParser(prog="python -m tests.training", description=__doc__)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--only", action="append", help="play this again, though it is kept")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--words", action="store_true", help="learn what the words alone tell anew, too")
    parser.add_argument("--few", action="store_true", help="leave out the further voices of the same tasks")
    parser.add_argument("--quick", action="store_true", help="leave no voice out first")
    given = parser.parse_args()
    before = json.loads(_FILE.read_text(encoding="utf-8"))
    if given.only and given.keep is not None and given.keep.exists():
        known = pickle.loads(given.keep.read_bytes())
        again = {job: rows for job, rows in known.items() if job not in given.only}
        given.keep.write_bytes(pickle.dumps(again))
    examples = _collected(given.keep, _jobs(few=given.few), given.processes)
    voices = sorted({one.group for one in examples} - {"own", "weak"})
    pairs = list(zip(examples, with_sense(examples), strict=True))
    for voice in () if given.quick else voices:
        both = _both([pair for pair in pairs if pair[0].group != voice], before["weights"])
        _shown(f"without {voice}"[:11], [pair for pair in pairs if pair[0].group == voice], *both)
    by_words, by_sense = _both(pairs, before["weights"])
    if not given.words:
        by_words = Learned(before["weights"], before["confidence"])
    for group in [*voices, "own", "weak"]:
        _shown(group, [pair for pair in pairs if pair[0].group == group], by_words, by_sense)
    if given.write:
        found = {
            "made by": f"python -m tests.training --write{' --few' * given.few}{' --words' * given.words}",
            "thresholds": THRESHOLDS_OF,
            "weights": by_words.weights,
            "confidence": by_words.confidence,
            "sensed": {"weights": by_sense.weights, "confidence": by_sense.confidence},
            "sense": learned_of(examples).spelt(),
        }
        _FILE.write_text(_spelt(found), encoding="utf-8")


def _both(pairs: list[tuple[Example, Example]], before: Mapping[str, float]) -> tuple[Learned, Learned]:
    """What is learned of the words alone, and with the sense of the whole."""
    words, sense = zip(*pairs, strict=True)
    return fitted(words, before), fitted(sense, before)


if __name__ == "__main__":
    main()
