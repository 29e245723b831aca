"""Texts that only ask, though their words could order something."""

from __future__ import annotations

from collections.abc import Sequence

from engine.language.chart.heard.items import PAUSES, Item, Sort, clauses, includes
from engine.language.chart.judging.reader import Heard
from engine.language.words.tokens import TokenKind

EMPTY = (Sort.StopMark, Sort.PauseMark, Sort.Fillers, Sort.Loose)
_TELLING = (Sort.VERB, Sort.NUMBER, Sort.Requesting, Sort.Modal)
_ASKING, _ORDERING = (Sort.What, Sort.Whether), (Sort.VERB, Sort.Requesting)


def only_asks(found: Heard) -> bool:
    """Whether a text that may seem to order asks: for a tag, for which state, for a mean, by the words that lead it."""
    ways = (_is_tagged, _asks_which_state, _is_mean, _is_led_by_asking, _presumes)
    return any(asks(found) for asks in ways)


def may_ask(found: Heard) -> bool:
    """Whether a text has a word that asks, or the mark of a question, or nothing but the name of a property."""
    if found.bare or includes(found.items, *_OF_QUESTIONS) or (found.tokens and found.tokens[-1].text == "?"):
        return True
    return any(i.length > 1 or _leads(i, found) for own in found.items for i in own if i.sort in _INVERTING)


def _leads(item: Item, found: Heard) -> bool:
    """Whether an item begins a clause, but for filling and courtesy."""
    clause = next(one for one in clauses(found.items) if item.start in one)
    before = found.items[clause.start : item.start]
    return all(includes((own,), *EMPTY, Sort.And, Sort.Requesting) for own in before)


_INVERTING = (Sort.Whether, Sort.PastBeing)
_OF_QUESTIONS = (
    Sort.What, Sort.Which, Sort.How, Sort.HowMany, Sort.HowLong, Sort.Where, Sort.WhenDid, Sort.WhenWill, Sort.Picking,
    Sort.Mean, Sort.Total, Sort.Difference, Sort.Reaching, Sort.Reached, Sort.EitherState, Sort.YesOrNo,
    Sort.TagQuestion, Sort.Inverted,
)  # fmt: skip


def _is_mean(found: Heard) -> bool:
    """Whether a text begins with a mean of a property, and no verb: "average brightness of the lamps, please"."""
    kept = [own for own in found.items if not includes((own,), *EMPTY)]
    verb = includes(kept[:1], Sort.VERB)
    mean = kept and not verb and includes((kept[0],), Sort.Mean)
    return bool(mean) and includes(kept[1:4], Sort.KIND)


def _is_tagged(found: Heard) -> bool:
    """Whether what is told ends in a question: "the door is locked, isn't it?"."""
    last = len(found.tokens) - (bool(found.tokens) and found.tokens[-1].kind is TokenKind.PUNCTUATION)
    ends = any(i.sort is Sort.TagQuestion and i.end == last for own in found.items for i in own)
    return ends and found.tokens[-1].text == "?"


def _asks_which_state(found: Heard) -> bool:
    """Whether a text without a verb or a number ends in two states: "aircon in the study on or off"."""
    last = max((i for own in found.items for i in own if i.sort is Sort.EitherState), key=_end, default=None)
    if last is None or includes(found.items[: last.start], *_TELLING):
        return False
    behind = found.items[last.end :]
    return all(includes((own,), *EMPTY) or all(i.sort is Sort.WORD for i in own) for own in behind)


def _end(item: Item) -> int:
    return item.end


def _is_led_by_asking(found: Heard) -> bool:
    """Whether a text begins with a phrase of several words that can only ask, and no clause behind a pause orders:
    "*find out* the brightness of the lamp, will you"."""
    first = next((own for own in found.items if not includes((own,), *EMPTY, Sort.Requesting, Sort.SpeakerWord)), ())
    led = max((i for i in first if i.sort in _ASKING and i.length > 1), key=_end, default=None)
    if led is None or any(i.sort in _ORDERING for i in first):
        return False
    later = (own for one in clauses(found.items) if one.start > led.start for own in found.items[one.start : one.stop])
    return not any(includes((own,), Sort.VERB) for own in later)


def _presumes(found: Heard) -> bool:
    """Whether it is asked how something would be now: "*would* the heater be on?"."""
    kept = [own for own in found.items if not includes((own,), *PAUSES, Sort.Fillers)]
    asks = bool(found.tokens) and found.tokens[-1].text == "?"
    if not (asks and includes(kept[:1], Sort.Presuming)) or includes(kept[:1], Sort.Requesting):
        return False
    ordering = (own for own in kept if includes((own,), Sort.NUMBER) or _is_only(own, Sort.VERB))
    return includes(kept[1:4], Sort.NOUN, Sort.PLACE) and not any(ordering)


def _is_only(own: Sequence[Item], sort: Sort) -> bool:
    return {i.sort for i in own} - {Sort.WORD, Sort.Loose} == {sort}
