"""Stories around an order or a question: where the whole is not understood, the rest is read by itself.

"I can't hear a word. The radio on mute", "my papers fly about, so stop the fan". A part that is passed over has to
tell, and may neither order, ask, deny nor restrict; things that it names are those spoken of in the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from engine.environment.selection import Selector
from engine.errors import HearthgraphError
from engine.language.chart.goals.prepared import heard_items, tokens_of
from engine.language.chart.heard.items import PAUSES, Item, Sort, includes
from engine.language.chart.judging.lost import Named, is_of, named
from engine.language.chart.judging.reader import intents_of
from engine.language.meanings.context import Context
from engine.language.meanings.past import Hearing, Past, Said, Turn
from engine.language.meanings.readings import Alternatives
from engine.language.phrases.coordination import Goal
from engine.language.phrases.slots import Noun
from engine.language.words.lexicon import Entry, Role
from engine.language.words.records import replace
from engine.language.words.tokens import Token
from engine.model.intent import Category, Intent
from engine.model.selection import Quantity, Select

Read = Callable[[str, Context], tuple[Alternatives, ...]]
MOST_TRIED = 4
"""How many rests of a text are read."""
FEWEST, MOST_TOKENS = 2, 60
"""How many tokens a rest has at least, and a text at most."""
_ENDS, _COMMAS = frozenset(".!;…"), frozenset(",–—-:")
_DOES = (Category.EXPLICIT, Category.RULE, Category.CHECK)
_WHOLE = (Category.EXPLICIT, Category.CHECK)
_TELLERS = (Sort.SpeakerWord, Sort.ReasonWord, Sort.Somebody, Sort.Nobody)
_RESTRICTING = frozenset({
    Sort.If, Sort.When, Sort.Except, Sort.Excepted, Sort.Only, Sort.Leave, Sort.Alone, Sort.Unwanted, Sort.Reporting,
    Sort.Pondering, Sort.AskedOfSelf, Sort.Repair, Sort.NUMBER, Sort.TIME, Sort.DURATION, Sort.HowMany, Sort.Which,
    Sort.Same, Sort.AsBefore, Sort.Including, Sort.Picking, Sort.Others, Sort.Other, Sort.SUPERLATIVE,
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rest:
    """A part of a text that is read by itself, with its goals, their context, and the stories before and behind it."""

    text: str
    told: tuple[str, ...]
    goals: tuple[Alternatives, ...]
    context: Context


def told_around(text: str, context: Context, goals: Sequence[Alternatives], read: Read) -> tuple[Alternatives, ...]:
    """The goals of the part of a text that is understood by itself, where the whole is not; else those of the whole."""
    rest = rest_of(text, context, goals, read)
    if rest is None:
        return tuple(goals)
    context.hearing.unsure, context.hearing.shape = False, ""
    context.hearing.goals = rest.context.hearing.goals
    return rest.goals


def rest_of(text: str, context: Context, goals: Sequence[Alternatives], read: Read) -> Rest | None:
    """The part of a text that is understood by itself, in the context of the stories around it; None where there is
    none, or the whole is understood, or too long."""
    doubted = context.hearing.unsure or any(map(_is_lost, intents_of(goals)))
    if not doubted or len(tokens_of(text, context)) > MOST_TOKENS:
        return None
    for rest, told in islice(_rests(text, context), MOST_TRIED):
        names = [one for part in told for one in named(heard_items(part, context))]
        several = includes(heard_items(rest, context), Sort.PronounSeveral)
        own = _about(names, replace(context, hearing=Hearing()), several=several)
        found = read(rest, own)
        intents = intents_of(found)
        if own.hearing.unsure or not intents or not all(_is_whole(i) for i in intents):
            continue
        if _uses(names, intents, context) and not any(_orders(part, context, read) for part in told):
            return Rest(rest, tuple(told), found, own)
    return None


def _is_lost(intent: Intent) -> bool:
    return intent.fault in ("not_understood", "not_supported_yet", "no_such_event", "nothing_to_do")


def _is_whole(intent: Intent) -> bool:
    return intent.fault is None and intent.category in _WHOLE


def _orders(text: str, context: Context, read: Read) -> bool:
    """Whether something would be done or answered because of words alone."""
    own = replace(context, hearing=Hearing())
    found = intents_of(read(text, own))
    return not own.hearing.unsure and any(i.fault is None and i.category in _DOES for i in found)


def _rests(text: str, context: Context) -> Iterator[tuple[str, list[str]]]:
    """The parts of a text with nothing but stories before and behind them, with these, the longest first."""
    tokens, items = tokens_of(text, context), heard_items(text, context)
    starts = [0, *(p + 1 for p in range(len(tokens) - 1) if _begins(tokens, items, p))]
    last = max((p for p in range(len(tokens)) if tokens[p].text[-1:].isalnum()), default=0) + 1
    ends = [len(tokens), *(p for p in range(1, last) if _is_behind(tokens, items, p))]
    windows = [(a, b) for a in starts for b in ends if b - a >= FEWEST and (a, b) != (0, len(tokens))]
    for start, end in sorted(windows, key=lambda one: one[0] - one[1]):
        sides = [(a, b) for a, b in ((0, start), (end, len(tokens))) if b > a]
        if all(_may_tell(items, a, b) for a, b in sides):
            told = [text[tokens[a].start : tokens[b - 1].end].strip(_MARKS) for a, b in sides]
            yield text[tokens[start].start : tokens[end - 1].end].strip(_MARKS), told


def _begins(tokens: Sequence[Token], items: Sequence[Sequence[Item]], place: int) -> bool:
    """Whether an order may begin behind a token: behind the end of a sentence, or behind "so"."""
    so = tokens[place].text == _SO and (place == 0 or tokens[place - 1].text in _COMMAS)
    return tokens[place].text in _ENDS or so


_SO, _MARKS = "so", " ,.;:!–—-…"


def _is_behind(tokens: Sequence[Token], items: Sequence[Sequence[Item]], place: int) -> bool:
    """Whether an order may end before a token: at the end of a sentence, or before a reason or a word for somebody
    behind a pause."""
    if tokens[place].text in _ENDS:
        return True
    after = items[place + 1] if place + 1 < len(items) else ()
    return tokens[place].text in _COMMAS and includes((after,), *_TELLERS)


def _may_tell(items: Sequence[Sequence[Item]], start: int, end: int) -> bool:
    """Whether words may tell, by their sorts: they neither restrict nor begin with an order."""
    inside = [i for own in items[start:end] for i in own if i.end <= end]
    first = next((own for own in items[start:end] if not includes((own,), *PAUSES)), ())
    return not includes((inside,), *_RESTRICTING) and not includes((first,), *_LEADING)


_LEADING = (Sort.VERB, Sort.Whether, Sort.What, Sort.How, Sort.Where, Sort.Not, Sort.No, Sort.Without)


def _about(names: Sequence[Named], context: Context, *, several: bool) -> Context:
    """The context in which things and a room that were told of were spoken of; several only where words stand for
    several."""
    places = tuple(iri for one in names if one.sort == "place" for iri in one.iris)
    things = tuple(iri for one in names if one.sort == "thing" for iri in one.iris)
    classes = tuple(iri for one in names if one.sort == "class" for iri in one.iris)
    if places:
        context = replace(context, location=places[0])
    if not (things or classes):
        return context
    parts = _parts(
        Select((), things, (), Quantity.ALL) if things else Select(classes, (), places, Quantity.ALL), context
    )
    if not parts or (len(parts) > 1 and not several):
        return context
    entries = tuple(Entry(Role.THING, iri) for iri in things) or tuple(Entry(Role.DEVICE, iri) for iri in classes)
    said = Said(Goal("", 0, 0, noun=Noun(entries, "one")), parts)
    return replace(context, past=Past((*context.past.turns, Turn((said,)))))


def _parts(select: Select, context: Context) -> tuple[str, ...]:
    """The parts that a selection denotes now; none where it cannot be selected."""
    try:
        return Selector(context.store, context.registry).select(replace(select, quantity=Quantity.ALL))
    except HearthgraphError:
        return ()


def _uses(names: Sequence[Named], intents: Sequence[Intent], context: Context) -> bool:
    """Whether all that a story names is spoken of in the rest; nothing is done outside of its rooms."""
    parts = [part for i in intents for part in _parts(i.selection, context)]
    for one in names:
        here = one.sort != "class" or _parts(Select(tuple(one.iris), (), (), Quantity.ALL), context)
        if not here:  # "the phone rings": there is none in this home
            continue
        of_it = [is_of(part, one, context) for part in parts]
        if one.sort == "place" and not (of_it and all(of_it)):
            return False
        if one.sort in ("thing", "class") and not any(of_it):
            return False
    return True
