"""Questions about who is at home and who is away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.graph.terms import expand
from engine.language.phrases.segments import Segment
from engine.language.questions.predication import predicated
from engine.language.words.lexicon import Entry, Role
from engine.language.words.spans import Span
from engine.model.intent import Asks

PERSON = expand("hg:Person")
_WHEREABOUTS = frozenset({expand("hg:IsHome"), expand("hg:IsAway")})
_ANYBODY = frozenset({"anybody", "anyone", "somebody", "someone", "people"})
_EVERYBODY = frozenset({"everybody", "everyone"})
_NOBODY = frozenset({"nobody", "noone", "no-one"})


def about_people(word: Span, rest: Sequence[Span]) -> Segment | None:
    """The segment of "who is at home" and "is everyone out": `word` names the people, `rest` is the predicate."""
    state = next((s for s in rest if any(e.iri in _WHEREABOUTS for e in s.entries)), None)
    if state is None:
        return None
    asks = _asks(word.text)
    people = replace(word, text="people", entries=(Entry(Role.DEVICE, PERSON),), plural=True, restrictions=())
    found = predicated(asks, [people, *rest]) if asks is not None else None
    if found is None or found.inquiry is None or word.text not in _NOBODY:
        return found
    denied = tuple(replace(one, negated=not one.negated) for one in found.inquiry.predicate)
    return replace(found, inquiry=replace(found.inquiry, predicate=denied))


def _asks(word: str) -> Asks | None:
    if word in ("who", "who's"):
        return Asks.LIST
    if word in _EVERYBODY | _NOBODY:
        return Asks.EVERY  # nobody is home where everybody is not
    return Asks.WHETHER if word in _ANYBODY else None
