"""What is left out of a selection by what is said of it: "except those that are on", "all but the brightest"."""

from __future__ import annotations

from engine.language.chart.frames import Clause
from engine.language.records import replace
from engine.language.spans import Restriction, Span

_KIND = "those"
"""The words of an exception that is of the kind that was named before."""


def with_kind_excepted(clause: Clause, said: tuple[Restriction, ...] = ()) -> Clause:
    """A clause that leaves out those of its last noun of which something is said, now or next."""
    last = clause.phrases[-1]
    kind = Span(_KIND, 0, 0, last.head or last.entries, restrictions=said)
    return replace(clause, exceptions=(*clause.exceptions, Restriction("except", host=kind)))


def so_excepted(clause: Clause, one: Restriction) -> Clause | None:
    """A clause with a test on what it excepts last; None where that is a place."""
    *others, last = clause.exceptions
    if last.host is None:
        return None
    host = replace(last.host, restrictions=(*last.host.restrictions, one))
    return replace(clause, exceptions=(*others, replace(last, host=host)))


def excepts_all(clause: Clause) -> bool:
    """Whether an exception stands for a kind, and nothing says which of it: "except those"."""
    hosts = (one.host for one in clause.exceptions if one.where is None)
    return any(host is not None and host.text == _KIND and not host.restrictions for host in hosts)
