"""Who has come and who has gone, as people tell it: "I'm back", "the guests have left"; it orders nothing."""

from __future__ import annotations

from dataclasses import dataclass

from engine.graph.terms import python
from engine.language.meanings.context import Context
from engine.language.words.grammar import KNOWN
from engine.language.words.tokens import TokenKind
from engine.memory.bygone.spans import tells_of
from engine.memory.said.words import Sentence, told_of_occasions

_AROUND = (
    "hg:SelfWord", "hg:KinWord", "hg:PoliteWord", "hg:FillingWord", "hg:FramingWord", "hg:NowWord", "hg:OftenWord",
)  # fmt: skip
_SMALL = frozenset(
    {"the", "my", "our", "am", "are", "is", "have", "has", "all", "just", "here", "now", "then", "hi", "hello"}
)


@dataclass(frozen=True, slots=True)
class Presence:
    """That somebody has come or gone: the occasion, the answer, and whether it is no more than told."""

    occasion: str
    answer: str
    only_told: bool


def presence_told(sentence: Sentence, context: Context) -> Presence | None:
    """Who has come or gone, where a sentence tells that and nothing else; None for any other."""
    if sentence.has_number or sentence.text.rstrip().endswith("?"):
        return None
    told = tells_of(sentence, context)
    known = {
        occasion.value: Presence(occasion.value, answer.value, bool(python(only)))
        for occasion, answer, only in (context.store.select("memory/presence") if told else ())
        if occasion is not None and answer is not None and only is not None
    }
    found = [iri for iri in told if iri in known]
    if len(found) != 1 or not _is_all(sentence, found[0]):
        return None
    return known[found[0]]


def _is_all(sentence: Sentence, occasion: str) -> bool:
    """Whether nothing is said beside an occasion, but who, and that it is now."""
    around = [one for one in sentence.stretches() if any(map(one.can, _AROUND))]
    said = told_of_occasions(sentence, [occasion]) | {n for one in around for n in range(one.start, one.end)}
    words = [n for n, token in enumerate(sentence.tokens) if token.kind is TokenKind.WORD]
    return all(n in said or sentence.word(n) in KNOWN for n in words)
