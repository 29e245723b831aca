"""The properties meant by the name of a thing: of the kind in question, or with the words in their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.graph.terms import expand
from engine.language.meanings.context import Context
from engine.language.phrases.slots import Quality
from engine.language.words.lexicon import phrase

_DETAIL = expand("hg:Detail")
_GENERAL = frozenset({"level", "amount", "of", "the", "value", "reading", "current", "state", "status"})


def told_by(things: Sequence[str], asked: str | None, qualities: Sequence[Quality], context: Context) -> str | None:
    """The kind of property that is asked about of these things; `asked` is the one that the words name by themselves.

    A thing that does not have it, but tells one thing of that name ("the speed" of a wind gauge), or one thing at all
    where nothing is named, is asked about that."""
    own = _kinds(things, context)
    if asked is not None and any(context.vocabulary.is_a(kind, asked) for kind in own):
        return asked
    if not qualities:
        return own[0] if len(own) == 1 else asked
    words = {word for q in qualities for word in phrase(q.text)} - _GENERAL
    score = Counter({kind: _shared(words, kind, context) for kind in own})
    best = max(own, key=lambda kind: score[kind], default=None)
    return best if best is not None and score[best] else asked


def _kinds(things: Sequence[str], context: Context) -> list[str]:
    """The kinds of the properties of these things."""
    properties = [p for iri in things for p in context.registry.thing_of[iri].properties]
    return list(dict.fromkeys(kind for p in properties for kind in sorted(p.kinds) if kind != _DETAIL))


def _shared(words: set[str], kind: str, context: Context) -> int:
    """How many of these words stand in one name of a kind."""
    names = context.vocabulary.labels.get(kind, ())
    return max((len(words & set(phrase(name))) for name in names), default=0)
