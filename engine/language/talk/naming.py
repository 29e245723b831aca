"""Giving a name: "call this the reading lamp", "rename the hallway lamp to night light"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.graph.terms import expand
from engine.language.meanings.context import Context
from engine.language.meanings.names import denotations
from engine.language.meanings.places import is_inside, whereabouts
from engine.language.phrases.coordination import goals
from engine.language.phrases.frames import read_frame
from engine.language.phrases.segments import Segment
from engine.language.talk.anaphora import resolved
from engine.language.words import grammar
from engine.language.words.lexicon import PARTICLES, Role
from engine.language.words.spans import Span, read_spans
from engine.language.words.tokens import MAX_CHARACTERS

RENAME = expand("hg:Rename")
_BEFORE_A_NAME = frozenset({"to", "as", "into", "the", "a", "an", "my", "our", "be", ","})
MOST_LETTERS = 80


@dataclass(frozen=True, slots=True)
class Naming:
    """The things that a name may be given to (it has to be one), and the name."""

    things: tuple[str, ...]
    name: str
    named: str


def naming_of(text: str, context: Context) -> Naming | None:
    """The name that a text gives, and its things; None for a text that gives none."""
    spans = read_spans(text[:MAX_CHARACTERS], context.dictionary.lexicon)
    while spans and spans[0].text in grammar.FILLERS | grammar.AUXILIARIES | {",", "from", "on"}:
        spans.pop(0)
    verb = next((i for i, span in enumerate(spans) if any(e.iri == RENAME for e in span.entries)), None)
    if verb is None or spans[-1].text in PARTICLES:  # "call the sprinkler off"
        return None
    last = next(span for span in reversed(spans) if span.text[-1:].isalnum())
    if context.dictionary.lexicon.phrasal(spans[verb].text, last.text):  # "call the hoover home"
        return None
    if verb == 0 and (spans[0].text.endswith("s") or spans[1].text in ("'s", "is")):  # "calls over", "call's over"
        return None
    if verb and spans[verb - 1].text in _BEFORE_A_NAME:  # "that's my call done"
        return None
    if verb == 0:
        said, rest = _divided(spans[1:])
    elif any(span.text in grammar.COPULAS for span in spans[verb - 2 : verb]):  # "the floor lamp is now called Gerald"
        said = [span for span in spans[:verb] if span.text not in grammar.COPULAS | {"now", ","}]
        rest = spans[verb + 1 :]
    else:
        return None
    name = _name(rest, text)
    if not said or not name:
        return None
    return Naming(_things(said, text, context), name, text[said[0].start : said[-1].end])


def _divided(spans: Sequence[Span]) -> tuple[Sequence[Span], Sequence[Span]]:
    """The words for the thing, and those for the name: divided at "to" or "as"; else after the first pronoun or
    noun."""
    for place, span in enumerate(spans):
        if place and span.text in ("to", "as", "into"):
            return spans[:place], spans[place + 1 :]
    if spans and spans[0].text in grammar.PRONOUNS:
        one = len(spans) > 1 and (
            spans[1].text == "one" or (spans[1].can_be(Role.DEVICE, Role.THING) and len(spans) > 2)
        )
        return spans[: 2 if one else 1], spans[2 if one else 1 :]
    noun = next((i for i, span in enumerate(spans) if span.can_be(Role.DEVICE, Role.THING)), None)
    if noun is None:
        return (), ()
    end = noun + 1
    while end < len(spans) and spans[end].can_be(Role.DEVICE, Role.THING):
        end += 1
    if end + 1 < len(spans) and spans[end].text in grammar.INSIDE:
        place = next((i for i in range(end, len(spans)) if spans[i].can_be(Role.PLACE, Role.PLACE_CLASS)), end - 1)
        end = place + 1
    return spans[:end], spans[end:]


def _name(spans: Sequence[Span], text: str) -> str:
    """The name as it stands in the text, without article and following words."""
    kept = list(spans)
    while kept and kept[0].text in _BEFORE_A_NAME:
        kept.pop(0)
    if kept and kept[0].text in ("and", "or"):
        return ""  # several things were named, and not one
    end = next((i for i, span in enumerate(kept) if span.text in grammar.BREAKS | grammar.PAUSES), len(kept))
    kept = kept[:end]
    while kept and kept[-1].text in grammar.FILLERS | {"from"}:
        kept.pop()
    return text[kept[0].start : kept[-1].end].strip(" \"'“”")[:MOST_LETTERS] if kept else ""


def _things(spans: Sequence[Span], text: str, context: Context) -> tuple[str, ...]:
    """The things denoted by the words for the thing."""
    found = goals([read_frame(Segment(tuple(spans), "."), context.dictionary.lexicon)], text)
    if not found:
        return ()
    goal = resolved(found[0], context.past.last, context) if context.past.last is not None else found[0]
    meant: dict[str, None] = {}
    for classes, things in denotations(goal.noun, "", context) if goal.noun is not None else ():
        of_class = (
            t.iri
            for t in context.registry.things.values()
            if any(context.vocabulary.is_a(own, cls) for own in t.parts[0].every_class for cls in classes)
        )
        meant |= dict.fromkeys(context.registry.thing_of[iri].iri for iri in (*things, *of_class))
        if meant:
            break
    places = whereabouts(goal, context.registry, None)[0].places if goal.places else ()
    homes = context.registry.things
    near = [t for t in meant if not places or any(is_inside(homes[t].place or "", p, context.registry) for p in places)]
    here = [t for t in near if context.location and is_inside(homes[t].place or "", context.location, context.registry)]
    return tuple(here if len(here) == 1 else near)
