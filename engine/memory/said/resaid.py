"""Habits that are told in other constructions, said in the one that is read: "I usually have the lamp at 30"."""

from __future__ import annotations

from engine.language.meanings.context import Context
from engine.language.words.lexicon import Role
from engine.memory.said.words import Sentence, occasions_in, read

_SPEAKERS = frozenset({"i", "we"})
_OWN = frozenset({"my", "our"})
_NO_OCCASION = frozenset({"i", "we", "i'm", "we're", "my", "our", "do", "am", "are", "a", "an", "the"})
_FOR_ME = frozenset({"me", "us", "myself"})
_OF = frozenset({"for", "of", "on", "with", "in"})
_SHALL_HAVE = " usually have "
_LEAD = 6
"""Within how many words who speaks is named, behind "from now on"."""
_MOST_OF_KIND = 4
"""Of how many words what is preferred is at most: "my preferred brightness for …"."""


def habit_of(text: str, context: Context) -> str | None:
    """A statement of how somebody always has something, as "I usually have …"; None for any other text. What is to be
    so is the same words: only the construction around it is another."""
    sentence = read(text.strip().rstrip(".! "), context)
    if not sentence.tokens or text.rstrip().endswith("?") or sentence.find("hg:PoliteWord") is not None:
        return None
    return _own_matter(sentence) or _suits(sentence) or _on_occasion(sentence, context) or _amount_first(sentence)


def routine_of(text: str, context: Context) -> str | None:
    """What somebody wishes on an occasion of theirs, as "when … I usually have …", of a text of which a request makes
    nothing: "when I give a talk, I would like the blinds shut", "the lamp ought to be at 80 when I knit"; None for any
    other."""
    sentence = read(text.strip().rstrip(".! "), context)
    mark = next((n for n in range(len(sentence.tokens) - 1) if _is_clause(sentence, n)), None)
    if mark is None or text.rstrip().endswith("?"):
        return None
    last = len(sentence.tokens)
    comma = next((n for n in range(mark, last) if sentence.word(n) == ","), last)
    if mark == 0:
        occasion, wanted = (1, comma), _wished(sentence, comma + 1)
    else:
        occasion, wanted = (mark + 1, comma), _suiting(sentence, mark)
    told = occasions_in(sentence, context, *occasion)
    bare = " ".join(sentence.word(n) for n in range(*occasion) if sentence.word(n) not in _NO_OCCASION)
    return f"when {bare} I{_SHALL_HAVE}{wanted}" if told and wanted else None


def _is_clause(sentence: Sentence, place: int) -> bool:
    """Whether a clause of what who speaks does from time to time begins here."""
    speaks = sentence.word(place + 1) in ("i", "we", "i'm", "we're")
    return sentence.word(place) in ("when", "whenever", "while") and speaks


def _wished(sentence: Sentence, place: int) -> str:
    """What somebody wishes from a place on; "" where nobody does."""
    speaks = sentence.word(place) in ("i", "we", "i'd", "we'd")
    verb = next((one for n in (1, 2) if (one := sentence.here("hg:WantingWord", place + n)) is not None), None)
    return sentence.said(verb.end, len(sentence.tokens)) if speaks and verb is not None else ""


def _suiting(sentence: Sentence, end: int) -> str:
    """What is rightly so, before a place: the thing and how it is; "" where nothing is."""
    verb = next((one for one in sentence.stretches() if one.can("hg:SuitingWord") and one.end < end), None)
    if verb is None or not _names(sentence, 0, verb.start):
        return ""
    return f"{sentence.said(0, verb.start)} {sentence.said(verb.end, end).strip(' ,')}"


def _own_matter(sentence: Sentence) -> str | None:
    """ "My preferred brightness for the lamp is 65 percent": mine, of something here, and how much."""
    if sentence.word(0) not in _OWN or sentence.here("hg:UsualWord", 1) is None:
        return None
    near = range(2, 2 + _MOST_OF_KIND)
    of = next((n for n in near if sentence.word(n) in _OF), None)
    verb = next((n for n in range(of or 0, len(sentence.tokens)) if sentence.word(n) in ("is", "are")), None)
    if of is None or verb is None or not _names(sentence, of + 1, verb):
        return None
    value = sentence.said(verb + 1, len(sentence.tokens))
    return f"{_who(sentence)}{_SHALL_HAVE}{sentence.said(of + 1, verb)} at {value}" if value else None


def _suits(sentence: Sentence) -> str | None:
    """ "The lamp wants to be at 25 for me", "the lamp is to be at 25, that's how I like it": for whom, behind."""
    verb = sentence.find("hg:SuitingWord", 1)
    if verb is None or not _names(sentence, 0, verb.start):
        return None
    last = len(sentence.tokens)
    for_me = next((n for n in range(verb.end + 1, last - 1) if sentence.word(n) == "for" and _is_me(sentence, n)), None)
    tail = sentence.find("hg:HabitTail", verb.end)
    ends = [n for n in (for_me, tail.start if tail is not None else None) if n is not None]
    if not ends:
        return None
    wanted = sentence.said(verb.end, min(ends)).strip(" ,")
    if sentence.find("hg:ChangeWord", verb.end) is not None:
        return None  # "the lamp needs to be brighter for me": a wish of now
    return f"I{_SHALL_HAVE}{sentence.said(0, verb.start)} {wanted}" if wanted else None


def _is_me(sentence: Sentence, place: int) -> bool:
    return sentence.word(place + 1) in _FOR_ME and sentence.word(place + 2) in ("", ",", "and", "because", "as")


def _on_occasion(sentence: Sentence, context: Context) -> str | None:
    """ "Come my nap, the curtain shut and the lamps off, always", "when I'm gaming it's always the lamp off": on an
    occasion, always, with nobody who does it."""
    mark = sentence.here("hg:OccasionMark", 0)
    said = sentence.find("hg:HabitFrame", 1) or _always_behind(sentence)
    if mark is None or said is None:
        return None
    behind = said[0] if isinstance(said, tuple) else said.start
    comma = next((n for n in range(mark.end, behind) if sentence.word(n) == ","), None)
    head = comma if isinstance(said, tuple) else behind
    if head is None or not occasions_in(sentence, context, mark.end, head):
        return None
    begin, end = (head + 1, behind) if isinstance(said, tuple) else (said.end, len(sentence.tokens))
    wanted = sentence.said(begin, end).strip(" ,")
    opening = "at" if sentence.word(0) == "come" else sentence.said(0, mark.end)
    before = sentence.said(mark.end + (sentence.word(mark.end) in _OWN), head).strip(" ,")
    return f"{opening} {before} I{_SHALL_HAVE}{wanted}" if wanted else None


def _always_behind(sentence: Sentence) -> tuple[int, int] | None:
    """Where a sentence ends, after a pause, with how often something is so."""
    last = len(sentence.tokens)
    found = [one for one in sentence.stretches() if one.can("hg:HabitWord") and one.end == last]
    start = next((one.start for one in found if sentence.word(one.start - 1) == ","), None)
    return None if start is None else (start - 1, last)


def _amount_first(sentence: Sentence) -> str | None:
    """ "I prefer forty percent for the lamp rather than sixty": the amount, and then what has it."""
    place = next((n for n in range(_LEAD) if sentence.word(n) in _SPEAKERS), None)
    verb = sentence.here("hg:TasteVerb", place + 1) if place is not None else None
    if place is None or verb is None or not _is_lead(sentence, place):
        return None
    of = next((n for n in range(verb.end + 1, len(sentence.tokens)) if sentence.word(n) in ("for", "on")), None)
    if of is None or verb.end >= of or sentence.tokens[verb.end].number is None:
        return None
    other = sentence.find("hg:RatherWord", of)
    end = other.start if other is not None else len(sentence.tokens)
    named = _names(sentence, of + 1, end)
    amount, what = sentence.said(verb.end, of), sentence.said(of + 1, end).strip(" ,")
    return f"{sentence.said(place, place + 1)}{_SHALL_HAVE}{what} at {amount}" if named else None


def _is_lead(sentence: Sentence, end: int) -> bool:
    """Whether nothing stands before a place, but from when on something holds."""
    return end == 0 or any(one.can("hg:FromNowOn") and one.end in (end, end - 1) for one in sentence.at[0])


def _names(sentence: Sentence, start: int, end: int) -> bool:
    """Whether a thing, or a kind of things, is named from a place to another."""
    inside = [one for several in sentence.at[start:end] for one in several if one.end <= end]
    return any(role in (Role.THING, Role.DEVICE) for one in inside for role, _ in one.named)


def _who(sentence: Sentence) -> str:
    return "I" if sentence.word(0) == "my" else "we"
