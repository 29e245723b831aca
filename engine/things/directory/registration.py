"""When a Thing Description came into the directory, when it was changed last, and when it goes.

The terms are those of WoT Discovery; they stand in the thing's own document, and go with it.
https://www.w3.org/TR/wot-discovery/#exploration-directory-registration-info
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from engine.things.directory.faults import Fault, refuse

CONTEXT = "https://www.w3.org/2022/wot/discovery"
"""What an enriched TD has in its context."""
MEMBER = "registration"
EXPIRES, TTL = "expires", "ttl"
LONGEST = 10 * 366 * 86_400
"""Seconds that a registration may last at most: ten years."""
_RFC3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)")

Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Registration:
    """The times of a registration, aware; `ttl` is in seconds."""

    created: datetime | None = None
    modified: datetime | None = None
    expires: datetime | None = None
    ttl: int | None = None

    def told(self) -> dict[str, Any]:
        """As the member `registration` has it."""
        times = {"created": self.created, "modified": self.modified, EXPIRES: self.expires}
        found: dict[str, Any] = {name: stamp(moment) for name, moment in times.items() if moment is not None}
        return found if self.ttl is None else {**found, TTL: self.ttl}


def stamp(moment: datetime) -> str:
    """A moment as RFC 3339 has it, in UTC and to the millisecond."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def moment(text: object) -> datetime | None:
    """The time of an RFC 3339 text in UTC; None for any other text."""
    if not isinstance(text, str) or not _RFC3339.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text.upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def registered(document: Document, created: datetime | None, now: datetime) -> Registration:
    """The registration of a document received `now`. Of the producer's members only the end counts: `ttl`, else
    `expires`. Raises Invalid."""
    given = document.get(MEMBER, {})
    refuse(_faults(given, now))
    ttl = None if given.get(TTL) is None else int(given[TTL])
    expires = moment(given.get(EXPIRES)) if ttl is None else now + timedelta(seconds=ttl)
    return Registration(created, now, expires, ttl)


def _faults(given: Any, now: datetime) -> Iterator[Fault]:
    if not isinstance(given, dict):
        yield Fault(f"$.{MEMBER}", "It is an object.")
        return
    ttl, expires = given.get(TTL), given.get(EXPIRES)
    whole = isinstance(ttl, (int, float)) and not isinstance(ttl, bool) and float(ttl).is_integer()
    if ttl is not None and not (whole and 1 <= ttl <= LONGEST):
        yield Fault(f"$.{MEMBER}.{TTL}", f"It is a whole number of seconds, from 1 to {LONGEST}.")
    for name in ("created", "modified", "retrieved", EXPIRES):
        if name in given and moment(given[name]) is None:
            yield Fault(f"$.{MEMBER}.{name}", "It is a date and time of RFC 3339, as 2026-01-31T12:00:00Z.")
    until = moment(expires)
    if ttl is None and until is not None and until <= now:
        yield Fault(f"$.{MEMBER}.{EXPIRES}", "It lies in the past.")


def enriched(document: Document, about: Mapping[str, Any]) -> dict[str, Any]:
    """The document with `about` as its registration, under the context that has the words for it."""
    context = document.get("@context")
    whole = {**document, "@context": _with_discovery(context)} if context is not None else dict(document)
    return {**whole, MEMBER: dict(about)}


def _with_discovery(context: Any) -> Any:
    entries = list(context) if isinstance(context, list) else [context]
    if CONTEXT in entries:
        return context
    last = max((index for index, entry in enumerate(entries) if isinstance(entry, str)), default=-1)
    return [*entries[: last + 1], CONTEXT, *entries[last + 1 :]]
