"""The account of a reading for people: what became of each word, what it comes to, what tells for and against it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.language.chart.decide import choice, needed
from engine.language.chart.judging.reader import Candidate, Heard, model
from engine.language.chart.spoken import ranked, spoken_around
from engine.language.meanings.context import Context
from engine.language.meanings.past import Hearing
from engine.language.words.records import replace
from engine.model.intent import Intent

MOST_REASONS = 6
_NAMES: Mapping[str, str] = {"": "the reader of phrases", "earlier": "what was done in this talk"}


def account_of(text: str, request: str, context: Context, most: int) -> Iterator[str]:
    """The lines that tell of a request's readings, likeliest first, and of the decision; where only a part of it is
    understood by itself, the stories around that, and the lines of that part."""
    yield from _readings(ranked(text, request, context), context, most)
    rest = spoken_around(text, request, replace(context, hearing=Hearing()))
    if rest is None:
        return
    yield f"Told only, and left out: {' … '.join(rest.told)}"
    yield f"Read by itself: {rest.text}"
    yield from _readings(ranked(rest.text, request, replace(rest.context, hearing=Hearing())), context, most)


def _readings(found: Heard, context: Context, most: int) -> Iterator[str]:
    if not found.candidates:
        yield "Nothing is understood."
        return
    made = choice(found, context)
    weights = (model()["sensed"] if found.sensed else model())["weights"]
    for number, candidate in enumerate(found.candidates, 1):
        if number > most and candidate is not made.reading:
            continue
        yield f"{number}. {_words(candidate, found)}"
        for intent in candidate.intents:
            yield f"   → {described(intent, context)}"
        yield f"   {candidate.score:+.1f}: {_reasons(candidate, weights)}"
    if made.reading is None:
        yield f"Decided: nothing comes of it; the likeliest is sure to {made.sure:.0%} only, or rests on too little."
        return
    number = next(n for n, one in enumerate(found.candidates, 1) if one is made.reading)
    how = f"sure to {made.sure:.0%}; what acts unasked needs {needed(made.reading, found, context):.0%}"
    yield f"Decided: reading {number}, {how}{', so it is asked about first' if made.unsure else ''}."


def _words(candidate: Candidate, found: Heard) -> str:
    if not candidate.account:
        source = "earlier" if "earlier" in candidate.features else ""
        return f"By {_NAMES[source]}:"
    texts = [token.text for token in found.tokens]
    return " ".join(f"[{' '.join(texts[start:end])}]{part}" for start, end, part in candidate.account)


def described(intent: Intent, context: Context) -> str:
    """An intent in a line: what kind of act, of what, and which value or command."""
    if intent.fault is not None:
        return intent.fault.replace("_", " ")
    name = context.vocabulary.name
    select, registry = intent.selection, context.registry
    things = [registry.thing_of[iri].title for iri in select.things if iri in registry.thing_of]
    places = [registry.places[iri].name for iri in select.places if iri in registry.places]
    what = [*things, *map(name, select.classes)]
    parts = [intent.category.value, select.quantity.value, " or ".join(what) or "anything"]
    parts += [f"in {' or '.join(places)}"] if places else []
    parts += [name(one) for one in (intent.command, intent.property) if one]
    if intent.amount is not None:
        value = intent.amount.value
        said = name(value) if isinstance(value, str) and ":" in value else value
        parts.append(f"{'by' if intent.amount.relative else 'to'} {said}")
    parts += ["by itself, later"] if intent.rule is not None else []
    return " · ".join(str(part) for part in parts)


def _reasons(candidate: Candidate, weights: Mapping[str, float]) -> str:
    """The features that weigh most, with what they add."""
    added = {name: weights.get(name, 0.0) * count for name, count in candidate.features.items()}
    most = sorted(added.items(), key=lambda one: -abs(one[1]))[:MOST_REASONS]
    return ", ".join(f"{name} {value:+.1f}" for name, value in most if value)
