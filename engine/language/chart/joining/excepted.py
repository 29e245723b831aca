"""Exceptions of a selection that are told by how they are: "except those that are on", "all but the brightest"."""

from __future__ import annotations

from engine.language.chart.joining.frames import Clause
from engine.language.phrases.slots import PlaceName
from engine.language.words.records import replace
from engine.language.words.spans import Restriction, Span

_KIND = "those"
"""The words of an exception that is of the kind that was named before."""


def with_kind_excepted(clause: Clause, said: tuple[Restriction, ...] = ()) -> Clause:
    """A clause that leaves out those of its last noun of which something is said, now or next."""
    last = clause.phrases[-1]
    kind = Span(_KIND, 0, 0, last.head or last.entries, restrictions=said)
    return replace(clause, exceptions=(*clause.exceptions, Restriction("except", host=kind)))


def with_last_excepted(clause: Clause, names: int, *, places: bool) -> Clause | None:
    """A clause that leaves out the places or nouns that it named last, so many: "…, the study excluded"; None where it
    names no such thing."""
    phrases = clause.phrases
    if not places:
        left = [_excepted(Span(p.text, 0, 0, p.entries), p.places, p.modifiers) for p in phrases[-names:]]
        kept = replace(clause, phrases=phrases[:-names])
    elif len(clause.places) >= names:
        left = [Restriction("except", where=_span(name)) for name in clause.places[-names:]]
        kept = replace(clause, places=clause.places[:-names])
    elif phrases and len(phrases[-1].places) >= names:
        left = [Restriction("except", where=_span(name)) for name in phrases[-1].places[-names:]]
        kept = replace(clause, phrases=(*phrases[:-1], replace(phrases[-1], places=phrases[-1].places[:-names])))
    else:
        return None
    bare = not (kept.phrases or kept.places or kept.verbs or kept.amounts)
    return replace(kept, exceptions=(*clause.exceptions, *left), leave=clause.leave or bare)


def _excepted(host: Span, places: tuple[PlaceName, ...], modifiers: tuple[str, ...]) -> Restriction:
    about = Span(" ".join(modifiers), 0, 0) if modifiers else None
    return Restriction("except", host=host, where=next(map(_span, places), None), about=about)


def _span(name: PlaceName) -> Span:
    return Span(name.text, 0, 0, name.entries, plural=name.plural)


def so_excepted(clause: Clause, one: Restriction) -> Clause | None:
    """A clause with a test on its last exception; None where that is a place."""
    *others, last = clause.exceptions
    if last.host is None:
        return None
    host = replace(last.host, restrictions=(*last.host.restrictions, one))
    return replace(clause, exceptions=(*others, replace(last, host=host)))


def excepts_all(clause: Clause) -> bool:
    """Whether an exception stands for a kind, and nothing says which of it: "except those"."""
    hosts = (one.host for one in clause.exceptions if one.where is None)
    return any(host is not None and host.text == _KIND and not host.restrictions for host in hosts)
