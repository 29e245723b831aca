"""Words for the ends of a kind of property ("on", "shut", "locked"), and whether a value is one."""

from __future__ import annotations

from collections.abc import Container

from engine.graph.terms import Json, expand
from engine.language.meanings.context import Context
from engine.memory.said.words import Sentence
from engine.model.thing import Property
from engine.model.vocabulary import Kind

_POWER = expand("hg:Power")


def state_word(rest: Sentence, apart: Container[int], context: Context) -> str | None:
    """The last word of a question, beside the time and the names, that is an end of a kind of property: "on"."""
    named = {n for one in rest.stretches() if one.names for n in range(one.start, one.end)}
    ends = {word for kind in context.vocabulary.kinds.values() for word in kind.high | kind.low}
    free = (n for n in range(len(rest.tokens) - 1, 0, -1) if n not in apart and n not in named)
    return next((rest.word(n) for n in free if rest.word(n) in ends), None)


def able_of(thing: str, word: str, context: Context) -> list[Property]:
    """The properties of a thing that the word is an end of: that of power alone, where it has one."""
    kinds = context.vocabulary.kinds
    several = context.registry.things[thing].properties
    able = [p for p in several if any(k in kinds and word in kinds[k].high | kinds[k].low for k in p.kinds)]
    return [p for p in able if _POWER in p.kinds] or able[:1]


def is_so(prop: Property, value: Json, word: str, context: Context) -> bool:
    """Whether a value is the end of the kind of a property that a word names."""
    kinds = [context.vocabulary.kinds[iri] for iri in sorted(prop.kinds) if iri in context.vocabulary.kinds]
    return any(_is_end(one, value, word) for one in kinds if word in one.high | one.low)


def _is_end(kind: Kind, value: Json, word: str) -> bool:
    high = word in kind.high
    if isinstance(value, bool):
        return value is high
    if isinstance(value, int | float):
        return (value > 0) is high
    return isinstance(value, str) and value.casefold() in (kind.high if high else kind.low)
