"""Who is at home and who is not, as a condition: "when I leave", "once everybody is out", "when Ines gets home"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from engine.graph.terms import expand
from engine.language.chart.heard.items import Item, Sort, includes
from engine.language.meanings.context import Context
from engine.language.words.lexicon import Role
from engine.language.words.tokens import Token
from engine.model.intent import Amount, Measure
from engine.model.rule import Fact, Holds, Moves
from engine.model.selection import Comparison, Condition, Quantity, Select, Test


class Words(Protocol):
    """The words of rules."""

    def at(self, tokens: Sequence[Token], place: int) -> tuple[int, str] | None:
        """The phrase that begins at a token: where it ends, and its class."""


class Piece(Protocol):
    """Tokens that belong together."""

    @property
    def start(self) -> int:
        """Where it begins."""

    @property
    def end(self) -> int:
        """Where it ends."""

    def sorted(self, *sorts: Sort) -> Item | None:
        """The item of one of these sorts."""


class Teller(Protocol):
    """The tools with which conditions are read."""

    @property
    def tokens(self) -> Sequence[Token]:
        """The tokens of the sentence."""

    @property
    def items(self) -> Sequence[Sequence[Item]]:
        """The items that begin at each token."""

    @property
    def words(self) -> Words:
        """The words of rules."""

    @property
    def context(self) -> Context:
        """The home."""


PERSON, WHEREABOUTS, OCCUPANCY = expand("hg:Person"), expand("hg:Whereabouts"), expand("hg:Occupancy")
_STATES = {expand("hg:IsHome"): "ArrivingHome", expand("hg:IsAway"): "LeavingHome"}
_WAYS = frozenset({"ArrivingHome", "LeavingHome"})
_WHO = {"EverybodyHere": Holds.EVERY, "TheLastOne": Holds.EVERY, "TheFirstOne": Holds.ANY}
_SORTS = {Sort.Somebody: Holds.ANY, Sort.Nobody: Holds.NONE, Sort.SpeakerWord: Holds.EVERY}
"""Who speaks is, of a home that does not tell them apart, all who are there: nothing goes off while others are in."""


def whereabouts(pieces: Sequence[Piece], teller: Teller) -> tuple[Fact, ...] | None:
    """The fact that people are at home or away; None where none is told. Where the home knows nobody by name it is away
    from all that senses presence that nobody is."""
    said = _said(pieces, teller)
    if said is None:
        return None
    named, who, home = said
    if named:
        return (_are(Select(things=named, quantity=Quantity.ALL), home, Holds.EVERY),)
    if _people(teller):
        everybody = Select(classes=(PERSON,), quantity=Quantity.ALL)
        if who is Holds.EVERY and not home:
            return (_are(everybody, True, Holds.NONE),)
        return (_are(everybody, home, Holds.ANY if who is None else who),)
    nobody = (who is Holds.NONE) if home else who is Holds.EVERY
    return (Fact(Select(), (_test(OCCUPANCY, True),), Holds.NONE),) if nobody else None


def moves(pieces: Sequence[Piece], teller: Teller) -> Moves | None:
    """The coming or going of whoever it may be, which is an event for each of them; None for other conditions."""
    said = _said(pieces, teller)
    if said is None or said[0] or not _people(teller) or not _WAYS & _terms(pieces, teller):
        return None
    _, who, home = said
    speaks = any(i.sort is Sort.SpeakerWord for i in _items(pieces, teller))
    anyone = who is Holds.ANY and not _WHO.keys() & _terms(pieces, teller)
    return Moves(None, home) if anyone or (speaks and home) else None


def _said(pieces: Sequence[Piece], teller: Teller) -> tuple[tuple[str, ...], Holds | None, bool] | None:
    """The people that are named, else who is meant, and whether they are at home."""
    items, terms = _items(pieces, teller), _terms(pieces, teller)
    ways = terms & _WAYS or {_STATES[e.iri] for i in items for e in i.entries if e.iri in _STATES}
    if len(ways) != 1 or any(_is_other(one, teller) for one in pieces):
        return None
    named = tuple(iri for one in pieces for iri in _persons(one, teller))
    found = [*(_WHO[one] for one in terms & _WHO.keys()), *(_SORTS[i.sort] for i in items if i.sort in _SORTS)]
    if not found and not named:
        return None
    home = (ways == {"ArrivingHome"}) is not includes((items,), Sort.Not)
    return named, next(iter(found), None), home


def _items(pieces: Sequence[Piece], teller: Teller) -> list[Item]:
    """All that the words of these pieces may be."""
    places = range(pieces[0].start, pieces[-1].end) if pieces else range(0)
    return [i for p in places for i in teller.items[p] if i.end <= places.stop]


def _terms(pieces: Sequence[Piece], teller: Teller) -> frozenset[str]:
    """The words of rules among these pieces."""
    places = range(pieces[0].start, pieces[-1].end) if pieces else range(0)
    return frozenset(term[1] for p in places if (term := teller.words.at(teller.tokens, p)) is not None)


def _is_other(piece: Piece, teller: Teller) -> bool:
    """Whether a piece is about a room of the home, or a device: who leaves that is still at home."""
    noun, room = piece.sorted(Sort.NOUN), piece.sorted(Sort.PLACE)
    device = noun is not None and not _persons(piece, teller) and any(e.iri != PERSON for e in noun.entries)
    return device or (room is not None and not _is_whole(room, teller))


def _is_whole(room: Item, teller: Teller) -> bool:
    """Whether a place is all of the home."""
    places = teller.context.registry.places
    return all(places[e.iri].parent is None for e in room.entries if e.iri in places)


def _persons(piece: Piece, teller: Teller) -> tuple[str, ...]:
    """The people that a piece names."""
    noun = piece.sorted(Sort.NOUN)
    things = [e.iri for e in noun.entries if e.role is Role.THING] if noun is not None else []
    known = set(_people(teller))
    return tuple(dict.fromkeys(iri for iri in things if iri in known))


def _people(teller: Teller) -> tuple[str, ...]:
    """The people that the home knows."""
    registry, is_a = teller.context.registry, teller.context.vocabulary.is_a
    things = registry.things.values()
    return tuple(t.iri for t in things if any(is_a(c, PERSON) for part in t.parts for c in part.every_class))


def _are(who: Select, home: bool, holds: Holds) -> Fact:
    return Fact(who, (_test(WHEREABOUTS, home),), holds)


def _test(kind: str, value: bool) -> Test:
    return Test((Condition(kind, Comparison.IS, Amount(Measure.TRUTH, value)),))
