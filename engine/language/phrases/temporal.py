"""When and for how long: the words for time of a segment, taken out of it before the rest is read.

"for ten minutes" is a duration, "in five minutes" and "at half past seven" a start, "until noon" an end; "after the
oven has finished" waits for a state, which is read like any clause. Conditions ("if …", "whenever …") are recognised.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.graph.terms import expand
from engine.language.phrases.segments import Segment
from engine.language.words.grammar import ARTICLES, AUXILIARIES, COPULAS
from engine.language.words.lexicon import Role
from engine.language.words.spans import Span

SECONDS = {expand("hg:Second"): 1.0, expand("hg:Minute"): 60.0, expand("hg:Hour"): 3600.0, expand("hg:Day"): 86400.0}
WAITS = frozenset({"after", "once", "when"})
CONDITIONS = frozenset({"if", "whenever", "unless", "every", "provided", "providing"})
_CONDITIONAL = (
    ("as", "soon", "as"),
    ("every", "time"),
    ("each", "time"),
    ("any", "time"),
    ("in", "case"),
    ("as", "long", "as"),
)
_DAYS = frozenset(
    f"{day}{ending}"
    for day in (
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "weekend",
        "weekday",
        "morning",
        "evening",
        "night",
    )
    for ending in ("s",)
) | {
    "tomorrow",
    "daily",
    "nightly",
    "weekly",
    "hourly",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "sunrise",
    "sunset",
    "dawn",
    "dusk",
    "nightfall",
}
"""Days and times of day that no plan of today can wait for."""
_COURTEOUS = frozenset(
    {"you", "you're", "i", "i'm", "i'd", "we", "we're", "possible", "ready", "convenient", "more", "again", "needed",
     "necessary", "done", "finished", "it's"}
)  # fmt: skip
_NAMED_TIMES = {"noon": "12:00", "midday": "12:00", "midnight": "00:00"}
_STARTS = frozenset({"in", "after", "within"})
_ENDS = frozenset({"until", "till"})
_LATER = frozenset({"later", "hence"})
_NO_ORDERS = frozenset(
    {("remind", "me"), ("remind", "us"), ("should", "i"), ("should", "we"), ("shall", "i"), ("shall", "we")}
)
"""What begins so is for later, or asks for advice: nothing is to be done about it now."""
_SOME_TIME = (
    ("later", "today"),
    ("later", "tonight"),
    ("later", "this"),
    ("later", "on"),
    ("later",),
    ("in", "a", "while"),
    ("in", "a", "bit"),
    ("at", "some", "point"),
    ("some", "other", "time"),
    ("sometime",),
)
_HALVES = frozenset({"am", "pm", "o'clock", "tonight"})


@dataclass(frozen=True, slots=True)
class When:
    """The time words of a segment: seconds from now, a time of day, a duration, an end; `event` are the spans of the
    state that is waited for. `conditional`: it says under which condition, which is no plan but a rule; `vague`: it is
    to be later, and nobody said when."""

    after: float | None = None
    at: str | None = None
    duration: float | None = None
    until: str | None = None
    event: tuple[Span, ...] = ()
    conditional: bool = False
    vague: bool = False

    @property
    def empty(self) -> bool:
        """Whether nothing was said of time."""
        return self == NO_TIME

    def joined(self, other: When) -> When:
        """Both, where each says something else; the first where both say the same."""
        return When(
            self.after if self.after is not None else other.after,
            self.at or other.at,
            self.duration if self.duration is not None else other.duration,
            self.until or other.until,
            self.event or other.event,
            self.conditional or other.conditional,
            self.vague or other.vague,
        )

    @property
    def is_open(self) -> bool:
        """Whether it remains to be asked when."""
        return self.vague and self.after is None and self.at is None and not self.event


NO_TIME = When()
_FIRST = (
    CONDITIONS | _DAYS | WAITS | _STARTS | _ENDS | _NAMED_TIMES.keys() | ARTICLES
    | {said[0] for said in (*_CONDITIONAL, *_NO_ORDERS, *_SOME_TIME)}
    | {"for", "at", "by", "of", "half", "quarter"}
)  # fmt: skip
"""What an expression of time begins with, where it does not begin with a number."""


def extract(segment: Segment) -> tuple[Segment | None, When]:
    """The segment without its time words (None: nothing is left), and their meaning."""
    when, kept, place = When(), [], 0
    spans = segment.spans
    while place < len(spans):
        found, end = _at(spans, place)
        if end == place:
            kept.append(spans[place])
            place += 1
        else:
            when, place = when.joined(found), end
    return (replace(segment, spans=tuple(kept)) if kept else None), when


def _at(spans: Sequence[Span], place: int) -> tuple[When, int]:
    word = spans[place].text
    if word.partition(" ")[0] not in _FIRST and spans[place].number is None:
        return NO_TIME, place
    if place == 0 and tuple(s.text for s in spans[:2]) in _NO_ORDERS and len(spans) > 2:
        return When(conditional=True), len(spans)
    if word in CONDITIONS and not (word == "every" and not _is_period(spans, place + 1)):
        return When(conditional=True), len(spans)
    if word in _DAYS and not spans[place].entries:
        return When(conditional=True), len(spans)
    for rule in (_duration, _delay, _sometime, _clock, _event):
        found, end = rule(spans, place)
        if end > place:
            return found, end
    return (When(conditional=True), len(spans)) if _is_condition(spans, place) else (When(), place)


def _is_condition(spans: Sequence[Span], place: int) -> bool:
    """ "As soon as it gets dark", "when somebody comes in": something other than a machine at work is waited for."""
    words = tuple(word for s in spans[place : place + 3] for word in s.text.split())
    if any(words[: len(one)] == one for one in _CONDITIONAL):
        return True
    follows = words[1] if len(words) > 1 else ""
    asked = follows in COPULAS | AUXILIARIES
    return (
        words[0] in WAITS and len(spans) > place + 2 and not asked and follows not in _COURTEOUS and words[0] != "after"
    )


def _is_period(spans: Sequence[Span], place: int) -> bool:
    periods = ("day", "morning", "evening", "night", "hour", "minute", "week", "weekday", "weekend")
    return place < len(spans) and (spans[place].text in periods or _time_unit(spans[place]) is not None)


def _duration(spans: Sequence[Span], place: int) -> tuple[When, int]:
    if spans[place].text == "for":
        seconds, end = _period(spans, place + 1)
        if seconds is not None:
            return When(duration=seconds), end
    return When(), place


def _delay(spans: Sequence[Span], place: int) -> tuple[When, int]:
    if spans[place].text in _STARTS:
        seconds, end = _period(spans, place + 1)
        if seconds is not None and _is_stillness(spans, end):
            return When(conditional=True), len(spans)
        if seconds is not None:
            return When(after=seconds), _skip_now(spans, end)
    seconds, end = _period(spans, place)
    if seconds is not None and end < len(spans) and (spans[end].text in _LATER or _skip_now(spans, end) > end):
        return When(after=seconds), max(end + 1, _skip_now(spans, end))
    return When(), place


def _sometime(spans: Sequence[Span], place: int) -> tuple[When, int]:
    """ "Later today", "in a while": some time that is not now."""
    words = [word for s in spans[place : place + 3] for word in s.text.split()]
    for said in _SOME_TIME:
        if tuple(words[: len(said)]) == said:
            end, length = place, 0
            while length < len(said):
                length += len(spans[end].text.split())
                end += 1
            return When(vague=True), end
    return When(), place


def _is_stillness(spans: Sequence[Span], place: int) -> bool:
    """ "After ten minutes without movement", "… of nobody being there": a state is to last so long."""
    words = [s.text for s in spans[place : place + 2]]
    return words[:1] == ["without"] or words in (["with", "no"], ["of", "no"], ["with", "nobody"], ["of", "nobody"])


def _skip_now(spans: Sequence[Span], place: int) -> int:
    """Past "from now" and "time"."""
    words = [s.text for s in spans[place : place + 2]]
    if words == ["from", "now"]:
        return place + 2
    return place + 1 if words[:1] == ["time"] else place


def _period(spans: Sequence[Span], place: int) -> tuple[float | None, int]:
    """A length of time: "ten minutes", "an hour", "half an hour", "an hour and a half" (as far as that)."""
    if place >= len(spans):
        return None, place
    span = spans[place]
    if span.number is not None:
        unit = span.unit or ""
        return (span.number * SECONDS[unit], place + 1) if unit in SECONDS else (None, place)
    share = 0.5 if span.text in ("half", "a half") else 0.25 if span.text in ("quarter", "a quarter") else None
    start = place + 1 if share is not None else place
    while start < len(spans) and spans[start].text in ARTICLES | {"of"}:
        start += 1
    if start == place or start >= len(spans):
        return None, place
    seconds = _time_unit(spans[start])
    return (seconds * (share or 1.0), start + 1) if seconds is not None else (None, place)


def _time_unit(span: Span) -> float | None:
    return next((SECONDS[e.iri] for e in span.entries if e.role is Role.UNIT and e.iri in SECONDS), None)


def _clock(spans: Sequence[Span], place: int) -> tuple[When, int]:
    word = spans[place].text
    introduced = word in _ENDS | {"at", "by"}
    at, end = _time_of_day(spans, place + 1 if introduced else place)
    if at is None or (not introduced and spans[place].text not in _NAMED_TIMES):
        return When(), place
    return (When(until=at) if word in _ENDS else When(at=at)), end


def _time_of_day(spans: Sequence[Span], place: int) -> tuple[str | None, int]:
    if place >= len(spans):
        return None, place
    span = spans[place]
    if span.text in _NAMED_TIMES:
        return _NAMED_TIMES[span.text], place + 1
    if ":" in span.text and span.text[:1].isdigit():
        hours, minutes = span.text.split(":")[:2]
        return _half_of_day(spans, place + 1, float(hours), int(minutes))
    past = _past(spans, place)
    if past is not None:
        return _half_of_day(spans, place + 3, *past)
    if span.number is not None and span.unit is None and place + 1 < len(spans) and spans[place + 1].text in _HALVES:
        return _half_of_day(spans, place + 1, span.number, 0)
    return None, place


def _past(spans: Sequence[Span], place: int) -> tuple[float, int] | None:
    """ "half past seven", "quarter to nine", "ten past six": hours and minutes."""
    if place + 2 >= len(spans):
        return None
    first, link, hour = spans[place : place + 3]
    minutes = {"half": 30.0, "quarter": 15.0}.get(first.text, first.number)
    if minutes is None or link.text not in ("past", "to") or hour.number is None or first.unit is not None:
        return None
    return (hour.number, int(minutes)) if link.text == "past" else (hour.number - 1, 60 - int(minutes))


def _half_of_day(spans: Sequence[Span], place: int, hours: float, minutes: int) -> tuple[str | None, int]:
    half = spans[place].text if place < len(spans) and spans[place].text in _HALVES else ""
    hour = int(hours)
    if half in ("pm", "tonight") and hour < 12:
        hour += 12
    if half == "am" and hour == 12:
        hour = 0
    if not (0 <= hour < 24 and 0 <= minutes < 60):
        return None, place
    return f"{hour:02d}:{minutes:02d}", place + 1 if half else place


def _tells(spans: Sequence[Span]) -> bool:
    """Whether a device is said to be, or to become, something."""
    device = next((i for i, s in enumerate(spans) if s.can_be(Role.DEVICE, Role.THING)), None)
    return device is not None and len(spans) > device + 1


def _event(spans: Sequence[Span], place: int) -> tuple[When, int]:
    """ "after the oven has finished": all that follows."""
    word = spans[place].text
    follows = spans[place + 1].text if place + 1 < len(spans) else ""
    if word == "when" and follows not in COPULAS | AUXILIARIES and _tells(spans[place + 1 :]):
        return When(conditional=True), len(spans)  # "when the washing is done, …": each time
    if word in WAITS and any(s.can_be(Role.DEVICE, Role.THING) for s in spans[place + 1 :]):
        return When(event=tuple(spans[place + 1 :])), len(spans)
    return When(), place
