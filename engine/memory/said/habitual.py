"""Statements of habit by their construction: a liking of one's own, of certain days, or of the past."""

from __future__ import annotations

from engine.graph.terms import expand
from engine.memory.said.words import Sentence, Stretch

_DAYS = frozenset(
    expand(f"hg:{name}")
    for name in ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", "Weekend", "Weekday")
)
_NEAR = 4
"""Within how many words of the front the verb of whoever likes something stands."""


def is_habitual(sentence: Sentence) -> bool:
    """Whether somebody tells how something always is, or once was, in a construction that orders nothing."""
    if not sentence.tokens or sentence.find("hg:NowWord") is not None or sentence.text.rstrip().endswith("?"):
        return False
    return (
        _likes_of_own(sentence)
        or _is_always_so(sentence)
        or _likes_on_days(sentence)
        or tells_of_once(sentence)
        or _is_so_when(sentence)
        or _is_prone(sentence)
        or _is_caused(sentence)
        or _is_right_for(sentence)
    )


def _likes_of_own(sentence: Sentence) -> bool:
    """ "My eyes prefer the lamp at 30", "my mother wants it at 50 when she visits"."""
    if sentence.here("hg:OwningWord", 0) is None:
        return False
    for place in range(2, min(_NEAR, len(sentence.tokens))):
        if any(one.names for several in sentence.at[1:place] for one in several):
            return False
        if sentence.here("hg:TasteVerb", place) is not None:
            return True
        if sentence.here("hg:WantingWord", place) is not None and sentence.here("hg:KinWord", 1) is not None:
            return _clause(sentence, place) is not None
    return False


def _clause(sentence: Sentence, start: int) -> Stretch | None:
    """The word from a place on that begins a clause of an occasion."""
    places = range(start, len(sentence.tokens))
    return next((one for n in places if (one := sentence.here("hg:WheneverWord", n)) is not None), None)


def _is_always_so(sentence: Sentence) -> bool:
    """ "I'd rather have the lamp at 10, generally": behind a comma, that it is always so."""
    last = len(sentence.tokens) - (sentence.word(len(sentence.tokens) - 1) in (".", "!"))
    behind = [one for one in sentence.stretches() if one.end == last and one.can("hg:HabitWord")]
    told = any(sentence.word(one.start - 1) == "," for one in behind)
    return told and sentence.here("hg:SelfWord", 0) is not None


def _likes_on_days(sentence: Sentence) -> bool:
    """ "On Sundays I like the lamp at 5": on a day that comes again and again."""
    mark = sentence.here("hg:OccasionMark", 0)
    behind = sentence.at[mark.end] if mark is not None and mark.end < len(sentence.at) else ()
    day = next((one for one in behind if one.terms & _DAYS), None)
    if day is None or not sentence.word(day.end - 1).endswith("s"):
        return False
    who = day.end + (sentence.word(day.end) == ",")
    speaks = sentence.here("hg:SelfWord", who) is not None
    return speaks and sentence.here("hg:TasteVerb", who + 1) is not None


def tells_of_once(sentence: Sentence) -> bool:
    """Whether somebody tells how it once was: "I grew up with the light on"."""
    return sentence.here("hg:SelfWord", 0) is not None and sentence.here("hg:OnceWord", 1) is not None


def _is_so_when(sentence: Sentence) -> bool:
    """ "When I sleep the light is off": an occasion of who speaks, and a state, not a wish."""
    mark = sentence.here("hg:WheneverWord", 0)
    if mark is None or sentence.here("hg:SelfWord", mark.end) is None:
        return False
    named = (one for several in sentence.at[mark.end + 1 :] for one in several if one.names)
    return any(sentence.here("hg:BeingWord", one.end) is not None for one in named)


def _is_prone(sentence: Sentence) -> bool:
    """ "I get cold easily": a trait of who speaks, and nothing that is here."""
    last = len(sentence.tokens) - (sentence.word(len(sentence.tokens) - 1) in (".", "!"))
    ends = any(one.end == last and one.can("hg:ProneWord") for one in sentence.stretches())
    return ends and sentence.here("hg:SelfWord", 0) is not None and not any(one.names for one in sentence.stretches())


def _is_caused(sentence: Sentence) -> bool:
    """ "Bright light gives me a headache": of such things always, not of the one that is here."""
    if any(sentence.here(term, 0) is not None for term in ("hg:PointingWord", "hg:SelfWord", "hg:ArticleWord")):
        return False
    return any(sentence.here("hg:CausingWord", n) is not None for n in range(1, min(_NEAR, len(sentence.tokens))))


def _is_right_for(sentence: Sentence) -> bool:
    """ "21 degrees is perfect for me": a value, and for whom it is right."""
    if sentence.tokens[0].number is None:
        return False
    right = next((one for one in sentence.stretches() if one.can("hg:SuitingWord") and one.start <= _NEAR), None)
    after = range(right.end, len(sentence.tokens)) if right is not None else range(0)
    return any(sentence.word(n) == "for" and sentence.here("hg:SelfWord", n + 1) is not None for n in after)
