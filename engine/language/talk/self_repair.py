"""Self-correction inside one utterance: a reparandum, an editing term, and the repair that takes its place.

"The bedroom, no wait, the hallway light to 30": the words before the editing term are searched backwards for a
constituent of the kind with which the repair begins (a value, a noun phrase, a place, a whole clause), and the repair
is put there (Levelt 1983, the well-formedness rule).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.graph.terms import expand
from engine.language.meanings.past import Hearing
from engine.language.phrases.segments import VERBS
from engine.language.words import grammar
from engine.language.words.lexicon import PARTICLES, Lexicon, Role
from engine.language.words.spans import Span
from engine.language.words.tokens import tokenize

MARKS = (Role.EDITING, Role.SHIFT, Role.DISMISSAL, Role.ASIDE)
_NOUNS = (Role.THING, Role.DEVICE)
_PLACES = (Role.PLACE, Role.PLACE_CLASS)
_VALUES = (Role.VALUE, Role.OPTION, Role.COLOUR, Role.STATE)
_DENIAL = expand("hg:Denial")
_RETRACTION, _REFUSAL, _RAISED = expand("hg:Retraction"), expand("hg:Refusal"), expand("hg:SubjectRaised")
_ONES = frozenset({"one", "ones", "other", "others"})
_INTRODUCE = grammar.TO | grammar.BY


def repaired(spans: Sequence[Span], lexicon: Lexicon, hearing: Hearing) -> list[Span]:
    """The spans as they were meant in the end."""
    found: list[Span] = []
    place = 0
    while place < len(spans):
        if any(e.iri == _DENIAL for e in spans[place].entries):
            hearing.corrects = True
            found.append(Span("not", spans[place].start, spans[place].end))
            place += 1
            continue
        end = _dismissed(spans, place, hearing) or _editing(spans, place)
        if end == place:
            if not _is_empty_like(spans, place):
                found.append(_plain(spans[place]))
            place += 1
            continue
        raised = spans[place]
        edits = raised.can_be(Role.EDITING)
        place = _edit(found, spans, place, end, lexicon, hearing) if edits else end
        if any(e.iri == _RAISED for e in raised.entries) and place < len(spans) and _is_place(spans[place]):
            found.append(Span("in", raised.start, raised.end))
    return found


def _is_empty_like(spans: Sequence[Span], place: int) -> bool:
    """ "Can you like close it": before a verb, and after nobody who would like something, it says nothing."""
    if spans[place].text != "like" or place + 1 >= len(spans) or not spans[place + 1].can_be(*VERBS):
        return False
    return place == 0 or spans[place - 1].text not in ("i", "we", "i'd", "we'd", "would", "they", "he", "she")


def _plain(span: Span) -> Span:
    """A word that may mark something, and does not here."""
    if not span.can_be(*MARKS):
        return span
    return replace(span, entries=tuple(e for e in span.entries if e.role not in MARKS))


def _is_pause(span: Span) -> bool:
    return not span.entries and span.text in grammar.PAUSES


def _is_break(span: Span) -> bool:
    return not span.entries and span.text in grammar.BREAKS


def _dismissed(spans: Sequence[Span], place: int, hearing: Hearing) -> int:
    """The index after a change of subject and the phrase dismissed with it ("forget the music."); 0 where there is
    none."""
    span = spans[place]
    before = spans[place - 1] if place else None
    aside = before is not None and span.can_be(Role.ASIDE) and before.text in grammar.ARTICLES
    opens = before is None or _is_break(before) or _is_pause(before) or _is_opening(spans[:place])
    if not (opens or aside):
        return 0
    if span.can_be(Role.ASIDE) and 0 < place < len(spans) - 1 and _is_pause(spans[place + 1]):
        return place + 2
    if not span.can_be(Role.SHIFT, Role.DISMISSAL):
        return 0
    if any(e.iri == _RAISED for e in span.entries) and place + 1 < len(spans) and _is_value(spans[place + 1]):
        return 0  # "back to thirty" is about a value
    end = place + 1
    if span.can_be(Role.DISMISSAL):
        while end < len(spans) and not (_is_break(spans[end]) or _is_pause(spans[end])):
            end += 1
        if end == place + 1:
            return 0
        if any(e.iri == _RAISED for e in span.entries) and all(_is_place(one) for one in spans[place + 1 : end]):
            hearing.shifted = span.start
            return place + 1
    hearing.shifted = span.start
    while end < len(spans) and (_is_pause(spans[end]) or _is_break(spans[end])):
        end += 1
    return end


def _is_place(span: Span) -> bool:
    """Whether a span belongs to a place raised as subject, which holds for the sentence: "let's talk about the kitchen:
    …"."""
    return span.can_be(*_PLACES) or span.text in grammar.ARTICLES | {"'s"}


def _is_opening(spans: Sequence[Span]) -> bool:
    return all(span.text in grammar.FILLERS | grammar.JOINTS for span in spans)


def _editing(spans: Sequence[Span], place: int) -> int:
    """Past the editing terms that begin here, with the pauses between them; `place` where none does."""
    end = place
    while end < len(spans) and (_is_edit(spans, end) or (end > place and _is_filling(spans, end))):
        end += 1
    return end


def _is_filling(spans: Sequence[Span], place: int) -> bool:
    """A pause, or "don't" before one, between editing terms."""
    follower = spans[place + 1] if place + 1 < len(spans) else None
    stops = spans[place].text in ("don't", "not") and follower is not None and _is_pause(follower)
    return _is_pause(spans[place]) or stops


def _is_edit(spans: Sequence[Span], place: int) -> bool:
    span = spans[place]
    if not span.can_be(Role.EDITING) or span.number is not None:
        return False
    refuses = any(e.iri == _REFUSAL for e in span.having(Role.EDITING))
    follower = spans[place + 1] if place + 1 < len(spans) else None
    if not refuses or follower is None:
        return follower is not None or not refuses or place == 0
    before = spans[place - 1] if place else None
    if before is not None and any(before.can_be(*r) and follower.can_be(*r) for r in (_VALUES, _PLACES)):
        return True
    introduces = follower.text in grammar.ARTICLES | {"not", "don't", "in", "i"} or follower.number is not None
    return _is_pause(follower) or _is_break(follower) or introduces or follower.can_be(Role.EDITING, Role.PLACE)


def _edit(found: list[Span], spans: Sequence[Span], place: int, end: int, lexicon: Lexicon, hearing: Hearing) -> int:
    """Repairs the spans so far by the words after an editing term; returns the place after the repair."""
    while found and (_is_pause(found[-1]) or found[-1].text in ("or", "and")):
        found.pop()
    start = _sentence(found)
    retracts = any(e.iri == _RETRACTION for s in spans[place:end] for e in s.entries)
    said = any(_is_content(span) for span in found[start:])
    restated = hearing.corrects and any(span.text.startswith("i ") for span in spans[place:end])
    if not said or restated or any(span.text in ("not", "wrong") for span in found[start : start + 2]):
        found.extend([Span(",", spans[place].start, spans[place].start)] if said else [])
        hearing.corrects = True
        if retracts and spans[place].can_be(Role.COMMAND):
            found.extend(_as_commands(spans[place:end]))
        return end
    stop = next((i for i in range(end, len(spans)) if _is_break(spans[i])), len(spans))
    end = _past_rejection(spans, end, stop)
    if not any(_is_content(span) for span in spans[end:stop]):
        if retracts:
            del found[start:]
            hearing.retracted = not any(_is_content(span) for span in found)
        return stop
    return end + _mend(found, start, spans[end:stop], lexicon)


def _sentence(found: list[Span]) -> int:
    """Where the sentence begins that is corrected: the one under way, else the one just ended."""
    if found and _is_break(found[-1]) and any(_is_content(span) for span in found):
        while found and _is_break(found[-1]):
            found.pop()
    return next((i + 1 for i in range(len(found) - 1, -1, -1) if _is_break(found[i])), 0)


def _as_commands(spans: Sequence[Span]) -> list[Span]:
    """ "Scratch that" before anything else takes back the turn before: then it is an order."""
    commands = [span for span in spans if span.can_be(Role.COMMAND)]
    return [replace(span, entries=span.having(Role.COMMAND)) for span in commands[:1]]


def _is_content(span: Span) -> bool:
    return bool(span.entries) or span.number is not None or (span.text.isalnum() and span.text not in grammar.KNOWN)


def _past_rejection(spans: Sequence[Span], place: int, stop: int) -> int:
    """The index after a rejected alternative, before the right one: "not the lounge one,"."""
    if place < stop and spans[place].text == "not":
        end = next((i for i in range(place, stop) if _is_pause(spans[i]) or spans[i].text == "but"), None)
        if end is not None:
            return end + 1
    return place


def _mend(found: list[Span], start: int, right: Sequence[Span], lexicon: Lexicon) -> int:
    """Puts a repair in the place of its reparandum in `found[start:]`; how many spans of the right it has used up."""
    first = next(i for i, span in enumerate(right) if _is_content(span))
    head = right[first]
    if _is_value(head) and not any(span.text in grammar.ARTICLES for span in right[:first]):
        return _mend_value(found, start, right, first, lexicon)
    told = _value_of_it(right, first)
    if told is not None:
        return _mend_value(found, start, right[told:], 0, lexicon) + told
    if head.can_be(*VERBS) and not head.can_be(*_NOUNS, *_PLACES, Role.PROPERTY):
        return _mend_clause(found, start, right, first)
    return _mend_phrase(found, start, right, lexicon)


def _value_of_it(right: Sequence[Span], first: int) -> int | None:
    """Where the value stands in "make it forty"."""
    place = first + 1
    while place < len(right) and right[place].text in grammar.PRONOUNS | grammar.TO:
        place += 1
    light = right[first].can_be(Role.LIGHT_VERB) and first + 1 < place < len(right)
    return place if light and right[place].number is not None else None


def _is_value(span: Span) -> bool:
    nominal = span.can_be(*_NOUNS, *_PLACES, Role.PROPERTY)
    return span.number is not None or (span.can_be(*_VALUES) and not nominal)


def _mend_value(found: list[Span], start: int, right: Sequence[Span], first: int, lexicon: Lexicon) -> int:
    value = right[first]
    for place in range(len(found) - 1, start - 1, -1):
        old = found[place]
        told = place > start and found[place - 1].text in _INTRODUCE  # "to heat" is a value, whatever else it may be
        if old.number is not None or (old.can_be(*_VALUES) and (told or not old.can_be(*_NOUNS))):
            unit = value.unit or (old.unit if value.number is not None else None)
            introduced = first > 0 and right[first - 1].text in _INTRODUCE
            before = found[place - 1].text if place > start else ""
            keep = place - 1 if introduced and before in _INTRODUCE else place
            found[keep : place + 1] = [*right[:first], replace(value, unit=unit)]
            return first + 1
        if old.can_be(*VERBS) and " " in old.text and value.text in PARTICLES:
            verb = old.text.split()[0]
            found[place] = replace(old, text=f"{verb} {value.text}", entries=lexicon.phrasal(verb, value.text))
            return first + 1
    return 0


def _mend_clause(found: list[Span], start: int, right: Sequence[Span], first: int) -> int:
    """A new verb with an object of its own is a new clause; without one it has the old object."""
    objects = any(s.can_be(*_NOUNS, *_PLACES, Role.PROPERTY) for s in right[first + 1 :])
    verb = next((i for i in range(len(found) - 1, start - 1, -1) if found[i].can_be(*VERBS)), start)
    if objects:
        del found[verb:]
        return 0
    if found[verb].can_be(*VERBS):
        del found[verb]
    return 0


def _mend_phrase(found: list[Span], start: int, right: Sequence[Span], lexicon: Lexicon) -> int:
    length = _phrase_length(right)
    repair = list(right[:length])
    if not any(s.can_be(*_NOUNS, *_PLACES, Role.PROPERTY) or s.text in grammar.ARTICLES | _ONES for s in repair):
        return 0
    low, high = _last_phrase(found, start)
    old = found[low:high]
    noun = next((s for s in reversed(old) if s.can_be(*_NOUNS)), None)
    if repair[0].text in grammar.INSIDE and not any(s.can_be(*_NOUNS) for s in repair):
        low = next((i for i in range(high - 1, low - 1, -1) if found[i].text in grammar.INSIDE), high)
    elif noun is not None and not any(s.can_be(*_NOUNS, Role.PROPERTY) for s in repair):
        repair = _repaired_noun([s for s in repair if s.text not in _ONES], noun, lexicon)
    found[low:high] = repair
    return length


def _repaired_noun(repair: list[Span], noun: Span, lexicon: Lexicon) -> list[Span]:
    """ "The right one" instead of "the left lamp": the right lamp, by its name if it has that one."""
    words = [s for s in repair if s.text not in grammar.ARTICLES | {"'s"}]
    for first in range(len(noun.text.split())):
        text = " ".join([*(s.text for s in words), *noun.text.split()[first:]])
        tokens = tokenize(text)
        whole = next((m for m in lexicon.at(tokens, 0) if m.end == len(tokens)), None)
        if words and whole is not None and any(e.role is Role.THING for e in whole.entries):
            span = Span(
                text, repair[0].start, repair[-1].end, whole.entries, head=noun.head or noun.having(Role.DEVICE)
            )
            return [*(s for s in repair if s.text in grammar.ARTICLES), span]
    return [*repair, _class_of(noun)]


def _class_of(noun: Span) -> Span:
    """The class of a named thing, where another one of the kind is meant."""
    return replace(noun, entries=noun.head, text=noun.text.split()[-1], head=()) if noun.head else noun


def _is_nominal(span: Span) -> bool:
    if span.number is not None or _is_pause(span) or _is_break(span):
        return span.text in _ONES
    if span.can_be(*_NOUNS, *_PLACES, Role.PROPERTY) or span.text in grammar.ARTICLES or span.text in (*_ONES, "'s"):
        return True
    return not span.entries and (span.text not in grammar.KNOWN or span.text == "right")


def _phrase_length(spans: Sequence[Span]) -> int:
    """How far a noun phrase goes, with the places that follow it ("the fan in the attic")."""
    place = 1 if spans[0].text in grammar.INSIDE else 0
    while place < len(spans):
        goes_on = place + 1 < len(spans) and _is_nominal(spans[place + 1])
        inside = spans[place].text in grammar.INSIDE | grammar.OF
        adjective = place > 0 and spans[place - 1].text in grammar.ARTICLES and spans[place].number is None
        if not (_is_nominal(spans[place]) or (goes_on and (inside or adjective))):
            break
        place += 1
    return max(place, 1)


def _is_described(found: Sequence[Span], place: int, start: int) -> bool:
    """ "The left": a word for a value that an article makes a word of a name."""
    valued = found[place].number is None and found[place].can_be(*_VALUES)
    return valued and place > start and found[place - 1].text in grammar.ARTICLES


def _last_phrase(found: Sequence[Span], start: int) -> tuple[int, int]:
    """Where the last noun phrase begins and ends; values after it are passed over."""
    high = len(found)
    while high > start and not (_is_nominal(found[high - 1]) or _is_described(found, high - 1, start)):
        high -= 1
    if high == start:
        return len(found), len(found)
    low = high
    while low > start:
        span = found[low - 1]
        if span.can_be(*VERBS) and low - 1 == start and low < high:
            break
        inside = span.text in grammar.INSIDE | grammar.OF and low < high and low - 1 > start
        described = _is_described(found, low - 1, start)
        if not (_is_nominal(span) or described or (inside and _is_nominal(found[low - 2]))):
            break
        low -= 1
    return low, high
