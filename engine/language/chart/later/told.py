"""What a condition says, whatever the order of its words: who is there, what is measured, or how something stands."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.environment.selection import Selector
from engine.errors import HearthgraphError
from engine.graph.terms import expand
from engine.language.chart.heard.items import Item, Sort
from engine.language.chart.heard.rule_lexicon import RuleWords
from engine.language.chart.heard.whereabouts import moves, whereabouts
from engine.language.meanings.context import Context
from engine.language.meanings.places import is_inside, places_named
from engine.language.phrases.slots import PlaceName
from engine.language.times.times import Duration, Length
from engine.language.words.lexicon import Entry, Role
from engine.language.words.records import replace
from engine.language.words.tokens import Token, TokenKind
from engine.model.intent import Amount, Measure
from engine.model.rule import After, Fact, Holds, Match, Moves
from engine.model.selection import Comparison, Condition, Quantity, Select, Test
from engine.model.thing import Thing

Asked = Callable[[str], Iterable[Fact]]
"""The facts that a question may ask after, likeliest first."""
TEMPERATURE, HUMIDITY = expand("hg:Temperature"), expand("hg:Humidity")
CELSIUS, PERCENT, SENSOR = expand("hg:Celsius"), expand("hg:Percent"), expand("hg:Sensor")
OCCUPIED = Test((Condition(expand("hg:Occupancy"), Comparison.IS, Amount(Measure.TRUTH, True)),))
_THERE = {expand("hg:IsOccupied"): Holds.ANY, expand("hg:IsUnoccupied"): Holds.NONE}
_PERSONS = {Sort.Somebody: Holds.ANY, Sort.Nobody: Holds.NONE}
_TERMS = {"SomebodyThere": Holds.ANY, "NobodyThere": Holds.NONE}
_COMPARED = {
    Sort.Above: Comparison.ABOVE,
    Sort.Below: Comparison.BELOW,
    Sort.AtLeast: Comparison.AT_LEAST,
    Sort.AtMost: Comparison.AT_MOST,
    Sort.OrMore: Comparison.AT_LEAST,
    Sort.OrLess: Comparison.AT_MOST,
}
SAREF = "https://saref.etsi.org/core/"
_OPPOSITE = {
    Comparison.ABOVE: Comparison.AT_MOST,
    Comparison.BELOW: Comparison.AT_LEAST,
    Comparison.AT_LEAST: Comparison.BELOW,
    Comparison.AT_MOST: Comparison.ABOVE,
}
_MEASURED = (TEMPERATURE, HUMIDITY, expand("hg:Illuminance"))
_TOO = frozenset({"too", "also", "likewise"})
ITS = frozenset({"its", "their"})
_BESIDE = frozenset({"'s", "in", "on", "of", "the", "from"})
_BETWEEN = frozenset({"in", "of", "the", "from", "for", "by", "on", "at"})
_COMPLETE = ("done", "finished")
_SPLITTING = frozenset({"and", "while", "with", "but", "or", "though", "plus"})
_NEGATING = (Sort.Not, Sort.No, Sort.Without)
_MEANING = (
    Sort.PLACE, Sort.NOUN, Sort.KIND, Sort.VALUE, Sort.NUMBER, Sort.RELATIVE, Sort.VERB, Sort.TIME, Sort.DURATION,
    *_PERSONS, *_COMPARED, *_NEGATING,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Piece:
    """Tokens that belong together, from `start` to `end`: the items that they may be, and the word of rules."""

    start: int
    end: int
    items: tuple[Item, ...] = ()
    term: str = ""

    def sorted(self, *sorts: Sort) -> Item | None:
        """The item of one of these sorts."""
        return next((item for item in self.items if item.sort in sorts), None)


@dataclass(frozen=True, slots=True)
class Told:
    """What a condition says: facts, how many of them must hold, how many of its words mean nothing here, and whether
    it is of any one of several devices, and not of one that is known; `subject` are the words for what it is about;
    `moves` is the coming or going that it tells of."""

    facts: tuple[Fact, ...]
    match: Match = Match.ALL
    unknown: int = 0
    any_one: bool = False
    subject: str = ""
    moves: Moves | None = None


@dataclass(frozen=True, slots=True)
class Teller:
    """What conditions are read with: the items of the sentence, where it may lie that nobody says where, what
    "it" may be, and the reader of questions."""

    tokens: Sequence[Token]
    items: Sequence[Sequence[Item]]
    words: RuleWords
    context: Context
    asked: Asked
    states: Mapping[str, tuple[Entry, ...]]
    nearby: tuple[str, ...] = ()
    about: str = ""

    def told(self, places: Sequence[int]) -> Told | None:
        """What the tokens at these places say; None where they say nothing that this home can tell."""
        pieces = list(self.pieces(places))
        unknown = sum(not one.items and not one.term for one in pieces)
        seconds = max((s for one in pieces if (s := lasting(one))), default=0.0)
        found = self._several(pieces)
        if found is None:
            return None
        if _forgets_a_number(pieces, found.facts):
            return None
        facts = tuple(replace(one, seconds=seconds or one.seconds) for one in dict.fromkeys(found.facts))
        return Told(facts, found.match, unknown, self._is_any_one(pieces), self._subject(pieces), moves(pieces, self))

    def _subject(self, pieces: Sequence[Piece]) -> str:
        """The device that is spoken of, in its own words, with its room."""
        nouns = [n for n, one in enumerate(pieces) if (noun := one.sorted(Sort.NOUN)) and not self._tells(noun, pieces)]
        named = [n for n, one in enumerate(pieces) if one.sorted(Sort.NOUN, Sort.PLACE)]
        return self._spoken(pieces[: named[-1] + 1]) if nouns else ""

    def _is_any_one(self, pieces: Sequence[Piece]) -> bool:
        """Whether it is said of any one of several: "a speaker", "any room", "there are lights"."""
        nouns = [number for number, one in enumerate(pieces) if self._is_named(one)]
        before = [pieces[number] for at in nouns[:1] for number in range(max(0, at - 3), at)]
        return any(one.sorted(Sort.Indefinite, Sort.Any, Sort.There) for one in before)

    def _is_named(self, piece: Piece) -> bool:
        """Whether a piece is of a thing or a room, also of a room's air: "a room's humidity"."""
        whole = piece.sorted(Sort.KIND) is not None and any(i.sort is Sort.PLACE for i in self.items[piece.start])
        return whole or piece.sorted(Sort.NOUN, Sort.PLACE) is not None

    def places(self, places: Sequence[int]) -> tuple[str, ...]:
        """The rooms that are named at these places; those of devices that are named where no room is."""
        return self._named(list(self.pieces(places)))

    def rooms(self, places: Sequence[int]) -> tuple[str, ...]:
        """The rooms that are named at these places as rooms, and not by a device that stands there."""
        rooms = (item for one in self.pieces(places) if (item := one.sorted(Sort.PLACE)))
        return tuple(dict.fromkeys(place for item in rooms for place in self._meant(item)))

    def first(self, places: Sequence[int]) -> str:
        """The words of the first device that is named at these places, with the room beside it."""
        pieces = list(self.pieces(places))
        for n, one in enumerate(pieces):
            noun = one.sorted(Sort.NOUN)
            if noun is not None:
                room = self._beside(reversed(pieces[:n])) or self._beside(pieces[n + 1 :])
                return f"the {room.text} {noun.text}" if room is not None else f"the {noun.text}"
        return ""

    def _beside(self, pieces: Iterable[Piece]) -> Item | None:
        """The room that is named first, with nothing but small words before it."""
        for one in pieces:
            if (room := one.sorted(Sort.PLACE)) is not None:
                return room
            if self.tokens[one.start].text not in _BESIDE:
                return None
        return None

    def pieces(self, places: Sequence[int]) -> Iterator[Piece]:
        """The tokens at these places, the longest phrases first, each once."""
        wanted, free = set(places), min(places, default=0)
        for place in places:
            if place < free:
                continue
            own = [i for i in self.items[place] if i.sort is not Sort.WORD and set(range(place, i.end)) <= wanted]
            if place and self.tokens[place - 1].number is None:
                own = [i for i in own if i.sort not in (Sort.OrMore, Sort.OrLess)]  # "… and it's above"
            term = self.words.at(self.tokens, place)
            ends = [i.end for i in own if i.sort in _MEANING] or [i.end for i in own]
            if term is not None and term[1] in _MEANT and term[0] >= max(ends, default=0):
                free = term[0]
                yield Piece(place, free, tuple(i for i in own if i.end == free and _is_part(i, term[1])), term[1])
                continue
            free = max(ends, default=place + 1)
            kept = tuple(i for i in own if i.end == free)
            known = kept or self.tokens[place].kind is not TokenKind.WORD
            yield Piece(place, free, kept or ((self.items[place][0],) if known and self.items[place] else ()))

    def _several(self, pieces: Sequence[Piece]) -> Told | None:
        """What is said in one breath, or in two that are joined."""
        for number, one in enumerate(pieces):
            joint = self.tokens[one.start].text
            joins = joint in _SPLITTING or one.sorted(Sort.And) is not None
            if joins and 0 < number < len(pieces) - 1:
                second = self._several(pieces[number + 1 :]) or self._likewise(pieces[number + 1 :], pieces[:number])
                first = self._one(pieces[:number]) or self._sharing(pieces[:number], pieces[number + 1 :])
                if first is not None and second is not None:
                    return self._joined(first, second, joint)
                unread = is_strange(pieces[number + 1 :]) or (
                    second is None and _tells_of_somebody(pieces[number + 1 :])
                )
                if (first is not None and unread) or is_strange(pieces[:number]):
                    return None  # one half alone is another condition
        found = self._one(pieces)
        return None if found is None else Told(tuple(found), Match.ANY if len(found) > 1 else Match.ALL)

    def _likewise(self, pieces: Sequence[Piece], before: Sequence[Piece]) -> Told | None:
        """A device of which is said what was said of the one before: "the television is off and the lamp too"."""
        if not any(self.tokens[one.start].text in _TOO for one in pieces):
            return None
        found = self._sharing(pieces, before)
        return None if found is None else Told(found)

    def _sharing(self, pieces: Sequence[Piece], after: Sequence[Piece]) -> tuple[Fact, ...] | None:
        """A device of which is said what is said of the next one: "both the television and the speaker are off"."""
        if not any(one.sorted(Sort.NOUN) for one in pieces):
            return None
        return self._one([*pieces, *(one for one in after if one.sorted(Sort.VALUE, Sort.VERB, Sort.Not))])

    def _joined(self, first: Sequence[Fact], second: Told, joint: str) -> Told:
        """Two facts; of which the second is where the first is, unless it says where."""
        where = first[0].selection.places
        facts = tuple(
            replace(f, selection=replace(f.selection, places=where)) if f.selection == Select() else f
            for f in second.facts
        )
        return Told((*first, *facts), Match.ANY if joint == "or" else second.match)

    def _one(self, pieces: Sequence[Piece]) -> tuple[Fact, ...] | None:
        """One thing that is said: in each of several rooms, where several are named."""
        if (home := whereabouts(pieces, self)) is not None:
            return home
        number = next((i for one in pieces if (i := _number(one)) is not None), None)
        holds = self._presence(pieces)
        if number is not None and (measured := self._measured(pieces, number)) is not None:
            return self._everywhere(pieces, measured)
        state = self._stands(pieces)
        if state is not None:
            return (state,)
        if holds is None and (sensed := self._sensed(pieces)) is not None:
            return self._everywhere(pieces, sensed)
        if holds is None or self._is_done_to(pieces):
            return None
        return self._everywhere(pieces, Fact(Select(), (OCCUPIED,), holds))

    # Who is there

    def _presence(self, pieces: Sequence[Piece]) -> Holds | None:
        """Whether it is said that somebody is there, or nobody."""
        found, negated = None, False
        for one in pieces:
            person = one.sorted(*_PERSONS)
            state = next((h for i in one.items for e in i.entries if (h := _THERE.get(e.iri)) is not None), None)
            here = _TERMS.get(one.term) or (None if person is None else _PERSONS[person.sort]) or state
            if here is None and one.sorted(*_NEGATING) is not None:
                negated = True
            found = Holds.NONE if Holds.NONE in (found, here) else here or found
        return Holds.NONE if found is Holds.ANY and negated else found

    def _is_done_to(self, pieces: Sequence[Piece]) -> bool:
        """Whether somebody does something to a device, which is more than that somebody is there: "rings the bell"."""
        named = (one.sorted(Sort.NOUN) for one in pieces if one.term not in _TERMS)  # "people" names no device here
        nouns = any(noun is not None and not self.senses(noun) for noun in named)
        acts = any((self._acts(one) or self._happens(one)) and not self._is_there(one) for one in pieces)
        return acts or (nouns and not self._groups(pieces))

    def _is_there(self, piece: Piece) -> bool:
        """Whether a piece says that somebody is there, or nobody: "empty"."""
        return piece.term in _TERMS or any(e.iri in _THERE for i in piece.items for e in i.entries)

    def _happens(self, piece: Piece) -> bool:
        """Whether a piece says that something comes about: "rings"."""
        term = self.words.at(self.tokens, piece.start)
        return term is not None and term[1] == "Happening"

    # What is measured

    def _measured(self, pieces: Sequence[Piece], number: Item) -> Fact | None:
        """What is measured, on one side of a number."""
        comparison = self._comparison(pieces)
        if comparison is None or number.number is None:
            return None
        if any(one.sorted(Sort.Not) is not None for one in pieces):  # "isn't warmer than 27"
            comparison = _OPPOSITE[comparison]
        kind = self._kind(pieces, number)
        unit = CELSIUS if kind == TEMPERATURE else None
        test = Test((Condition(kind, comparison, Amount(Measure.NUMBER, number.number, unit)),))
        return Fact(self._measuring(pieces, kind), (test,))

    def _comparison(self, pieces: Sequence[Piece]) -> Comparison | None:
        said = {"Exceeding": Comparison.ABOVE, "FallingBelow": Comparison.BELOW, "Reaching": Comparison.AT_LEAST}
        weaker = None
        for one in pieces:
            item = one.sorted(*_COMPARED)
            if one.term in said or item is not None:
                return said.get(one.term) or _COMPARED[item.sort]  # type: ignore[union-attr]
            relative = one.sorted(Sort.RELATIVE, Sort.Upwards, Sort.Downwards)
            way = self._way(relative) if relative is not None else 0
            weaker = weaker or (Comparison.ABOVE if way > 0 else Comparison.BELOW if way < 0 else None)
        return weaker

    def _way(self, item: Item) -> int:
        if isinstance(item.said, int):
            return item.said
        found = (r for e in item.entries for r in self.context.dictionary.relations.get(e.iri, ()))
        return next((r.direction for r in found), 0)

    def _kind(self, pieces: Sequence[Piece], number: Item) -> str:
        """What is compared with a number: what is named, what "hotter" is about, or what has its unit."""
        said = (e.iri for one in pieces for i in one.items if i.sort is Sort.KIND for e in i.entries)
        about = self._about(pieces, Sort.RELATIVE)
        sensed = self.context.dictionary.held.get(SENSOR, frozenset())
        device = any((noun := one.sorted(Sort.NOUN)) and not self.senses(noun) for one in pieces)
        named = sorted((k for k in said if self._is_number(k)), key=lambda kind: not device and kind not in sensed)
        by_unit = self._of_unit(number.unit, sensed)
        spoken = about or self._about(pieces, Sort.GRADABLE)  # "it's humid in there, over 60"
        said_of = (m for kind in spoken for m in _MEASURED if m in sensed and self._is_like(kind, m))
        of_device = about if device else ()
        found: list[str] = [*named, *of_device, *said_of, by_unit]
        return found[0]

    def _is_like(self, kind: str, measured: str) -> bool:
        """Whether a sensor measures the matter of a setting: both are the same for other vocabularies, too."""
        above = self.context.vocabulary.ancestors
        shared = {kind, *above.get(kind, ())} & {measured, *above.get(measured, ())}
        return any(one == measured or one.startswith(SAREF) for one in shared)

    def _about(self, pieces: Sequence[Piece], sort: Sort) -> list[str]:
        """The kinds that words such as "hotter" are about."""
        entries = [e.iri for one in pieces for i in one.items if i.sort is sort for e in i.entries]
        found = (r.about for iri in entries for r in self.context.dictionary.relations.get(iri, ()))
        return [kind for kind in found if kind]

    def _of_unit(self, unit: str | None, sensed: Collection[str]) -> str:
        """The kind that is measured in a unit: by a sensor, where one measures in it."""
        if unit is None or unit in (PERCENT, CELSIUS):
            return HUMIDITY if unit == PERCENT else TEMPERATURE
        kinds = [k.iri for k in self.context.vocabulary.kinds.values() if k.unit == unit and self._is_number(k.iri)]
        return next(iter([k for k in kinds if k in sensed] + kinds), TEMPERATURE)

    def _is_number(self, kind: str) -> bool:
        """Whether something here has a number of this kind."""
        return any(
            known.schema.type in ("number", "integer")
            and any(self.context.vocabulary.is_a(k, kind) for k in known.kinds)
            for known in self.context.registry.properties.values()
        )

    def _measuring(self, pieces: Sequence[Piece], kind: str) -> Select:
        """The device of which something is measured, where one is named that is no sensor."""
        for one in pieces:
            noun = one.sorted(Sort.NOUN)
            if noun is not None and not self.senses(noun) and (own := tuple(self._having(noun, kind))):
                return Select((), self._there(own, pieces))
            if noun is not None and not self.senses(noun):
                things = tuple(e.iri for e in noun.entries if e.role is Role.THING)
                classes = tuple(e.iri for e in noun.entries if e.role is Role.DEVICE)
                has = any(kind in self.context.dictionary.held.get(cls, ()) for cls in classes)
                rooms = self._named(pieces)
                if not rooms and (has or things):
                    return Select(classes if not things else (), things)
                if rooms and has and not things:  # "on the kitchen's air cleaner"
                    return Select(classes, (), rooms)
        return self._taken_up(pieces, kind)

    def _there(self, things: tuple[str, ...], pieces: Sequence[Piece]) -> tuple[str, ...]:
        """Those of several things of one name that are in the rooms that are named, if any is."""
        known = self.context.registry
        said = [p for one in pieces if (room := one.sorted(Sort.PLACE)) is not None for p in self._meant(room)]
        places = [(iri, known.things[iri].place or "") for iri in things]
        inside = tuple(iri for iri, own in places if any(is_inside(own, place, known) for place in said))
        return inside or things

    def _taken_up(self, pieces: Sequence[Piece], kind: str) -> Select:
        """The device that "its" stands for, of a reading that no room has: "once its battery is below 15"."""
        said = any(self.tokens[one.start].text in ITS for one in pieces)
        sensed = kind in self.context.dictionary.held.get(SENSOR, ())
        if not said or not self.about or (sensed and any(self._is_like(kind, m) for m in _MEASURED)):
            return Select()
        asked = self.asked(f"is the {self.context.vocabulary.name(kind)} of {self.about} above 0?")
        return next((one.selection for one in asked if self._has(one.selection, kind)), Select())

    def _has(self, select: Select, kind: str) -> bool:
        """Whether things that are meant have a kind of property."""
        known, held, is_a = self.context.registry.things, self.context.dictionary.held, self.context.vocabulary.is_a
        owned = (known[iri].properties for iri in select.things if iri in known)
        own = any(is_a(k, kind) for several in owned for p in several for k in p.kinds)
        return own or any(kind in held.get(cls, ()) for cls in select.classes)

    def _sees(self, noun: Item) -> bool:
        """Whether a noun names a sensor of presence."""
        kind = OCCUPIED.conditions[0].kind
        held = (self.context.dictionary.held.get(e.iri, ()) for e in noun.entries if e.role is Role.DEVICE)
        return any(kind in kinds for kinds in held) or any(self._having(noun, kind))

    def _having(self, noun: Item, kind: str) -> Iterator[str]:
        """The things that a noun names themselves, and that have a property of this kind."""
        registry, is_a = self.context.registry, self.context.vocabulary.is_a
        named = [registry.things[e.iri] for e in noun.entries if e.role is Role.THING and e.iri in registry.things]
        return (t.iri for t in named if any(is_a(k, kind) for p in t.properties for k in p.kinds))

    def senses(self, noun: Item) -> bool:
        """Whether a noun names what senses something."""
        classes = [e.iri for e in noun.entries if e.role is Role.DEVICE]
        for entry in noun.entries:
            thing = self.context.registry.things.get(entry.iri) if entry.role is Role.THING else None
            classes += [c for part in (thing.parts if thing else ()) for c in part.every_class]
        return any(self.context.vocabulary.is_a(cls, SENSOR) for cls in classes)

    def is_passive(self, noun: Item) -> bool:
        """Whether nothing can be ordered of what a noun names here: a window without a motor."""
        named, is_a = {e.iri for e in noun.entries}, self.context.vocabulary.is_a
        things = self.context.registry.things.values()
        meant = [
            t for t in things if t.iri in named or any(is_a(c, n) for p in t.parts for c in p.classes for n in named)
        ]
        return bool(meant) and not any(map(_is_orderable, meant))

    def is_only_seen(self, things: Sequence[str]) -> bool:
        """Whether nothing can be ordered of these things."""
        known = self.context.registry.things
        return bool(things) and not any(_is_orderable(known[iri]) for iri in things if iri in known)

    def _sensed(self, pieces: Sequence[Piece]) -> Fact | None:
        """What a sensor says to be so or not: "there is smoke in the kitchen"."""
        kinds = (e.iri for one in pieces for i in one.items if i.sort is Sort.KIND for e in i.entries)
        kind = next((one for one in kinds if self._is_truth(one)), None)
        if kind is None:
            return None
        none = any(one.sorted(*_NEGATING) is not None for one in pieces)
        test = Test((Condition(kind, Comparison.IS, Amount(Measure.TRUTH, True)),))
        return Fact(Select(), (test,), Holds.NONE if none else Holds.ANY)

    def _is_truth(self, kind: str) -> bool:
        """Whether a sensor here says yes or no of this kind."""
        sensed = self.context.dictionary.held.get(SENSOR, frozenset())
        return kind in sensed and any(
            known.schema.type == "boolean" and any(self.context.vocabulary.is_a(k, kind) for k in known.kinds)
            for known in self.context.registry.properties.values()
        )

    # How something stands

    def _stands(self, pieces: Sequence[Piece]) -> Fact | None:
        """How a device is, as the question whether it is so; what somebody does to it, it then is."""
        nouns = [one for one in pieces if (noun := one.sorted(Sort.NOUN)) and not self._tells(noun, pieces)]
        refers = any(i.sort in (Sort.PronounOne, Sort.PronounSeveral) for p in pieces for i in self.items[p.start])
        said = self._spoken(pieces) if nouns else self.about if refers and not self._named(pieces) else ""
        if not said:
            return None
        states = [text for one in pieces if one not in nouns for text in self._states(one)]
        negated = any(one.sorted(Sort.Not) is not None for one in pieces)
        for state in (*reversed(states),):
            fact = next(filter(self._can_be, self.asked(f"is {said} {state}?")), None)
            if fact is not None:
                return denied(fact) if negated else fact
        return None

    def _can_be(self, fact: Fact) -> bool:
        """Whether something here could tell that a fact is so."""
        known = Test(tuple(c.known for test in fact.tests for c in test.conditions))
        selector = Selector(self.context.store, self.context.registry)
        try:
            every = replace(fact.selection, quantity=Quantity.ALL, tests=(*fact.selection.tests, known))
            return bool(selector.select(every)) and all(self._is_said(c) for t in fact.tests for c in t.conditions)
        except HearthgraphError:
            return False

    def _is_said(self, condition: Condition) -> bool:
        """Whether a property of such a kind is told in words, where a condition has words that are taken as they stand:
        the position of a blind is not."""
        if condition.amount is None or condition.amount.measure is not Measure.TEXT:
            return True
        known = self.context.registry.properties.values()
        is_a = self.context.vocabulary.is_a
        return any(p.schema.type == "string" and any(is_a(k, condition.kind) for k in p.kinds) for p in known)

    def _tells(self, noun: Item, pieces: Sequence[Piece]) -> bool:
        """Whether a noun is the sensor that tells who is there, or in a room that is named."""
        still = self._sees(noun) or not any(map(self._acts, pieces))  # "somebody sets off the motion sensor"
        return self.senses(noun) and self._presence(pieces) is not None and still

    def _acts(self, piece: Piece) -> bool:
        """Whether a piece says that something is done to a device."""
        return any(e.iri in self.states for i in piece.items if i.sort is Sort.VERB for e in i.entries)

    def _states(self, piece: Piece) -> Iterator[str]:
        """The words for how something is that a piece says, or that what it tells of brings about."""
        labels = self.context.vocabulary.name
        if piece.term == "Completion":
            yield from _COMPLETE
        for item in piece.items:
            if item.sort is Sort.VALUE and not any(e.iri in _THERE for e in item.entries):
                yield from (labels(e.iri) for e in item.entries if e.role is Role.STATE)  # "closes": closed
                yield item.text
            elif item.sort is Sort.VERB:
                commands = [e.iri for e in item.entries if e.role is Role.COMMAND]
                yield from dict.fromkeys(labels(e.iri) for c in commands for e in self.states.get(c, ()))
                yield item.text.split()[-1]

    def _spoken(self, pieces: Sequence[Piece]) -> str:
        """What a condition is about, in its own words: nouns, rooms, and the words that stand with them."""
        kept = [
            " ".join(self.tokens[place].text for place in range(one.start, one.end))
            for one in pieces
            if one.sorted(Sort.NOUN, Sort.PLACE, Sort.In, Sort.Of, Sort.Definite, Sort.Any, Sort.Every) is not None
            or not one.items
        ]
        while kept and kept[-1] in _BETWEEN:
            kept.pop()
        while kept and kept[0] in _BETWEEN:
            kept.pop(0)
        return " ".join(kept).replace(" 's", "'s")

    # Where

    def _everywhere(self, pieces: Sequence[Piece], fact: Fact) -> tuple[Fact, ...]:
        """A fact in each room that is named; else where the sentence is about."""
        if fact.selection != Select():
            return (fact,)
        named = self._groups(pieces) or ([self.nearby] if self.nearby else [()])
        return tuple(replace(fact, selection=Select(places=places)) for places in named)

    def _named(self, pieces: Sequence[Piece]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(place for group in self._groups(pieces) for place in group))

    def _groups(self, pieces: Sequence[Piece]) -> list[tuple[str, ...]]:
        """The rooms that are named, each name by itself; that of a sensor or device where no other is."""
        found = [places for one in pieces if (item := one.sorted(Sort.PLACE)) and (places := self._meant(item))]
        if not found:
            nouns = [item for one in pieces if (item := one.sorted(Sort.NOUN))]
            things = [self.context.registry.things.get(e.iri) for item in nouns for e in item.entries]
            found = [(thing.place,) for thing in things if thing is not None and thing.place]
        return list(dict.fromkeys(found))

    def _meant(self, item: Item) -> tuple[str, ...]:
        return places_named(PlaceName(item.entries, item.text, item.plural, (), False), self.context.registry)


_MEANT = frozenset({*_TERMS, "Exceeding", "FallingBelow", "Reaching", "EventNoun", "Completion"})


def _is_part(item: Item, term: str) -> bool:
    """Whether an item says something in a word of rules: "opening" is no thing, where it is what comes about."""
    return term not in ("EventNoun", "Completion") or item.sort is not Sort.NOUN


def _is_orderable(thing: Thing) -> bool:
    """Whether a thing has an action, or a property that can be written."""
    return bool(thing.actions) or any(not one.schema.read_only for one in thing.properties)


def _tells_of_somebody(pieces: Sequence[Piece]) -> bool:
    """Whether something is said of somebody, or of nobody: "and there are people inside"."""
    says = any(one.sorted(Sort.Being, Sort.Copula) is not None for one in pieces)
    return says and any(one.sorted(*_PERSONS) is not None for one in pieces)


def is_strange(pieces: Sequence[Piece]) -> bool:
    """Whether something is said of what is not known here: "the mail has come"."""
    unknown = any(not one.items and not one.term for one in pieces)
    says = any(one.sorted(Sort.Being, Sort.Copula, Sort.Modal) is not None for one in pieces)
    begun = bool(pieces) and pieces[0].sorted(Sort.VERB, Sort.Requesting) is not None
    return unknown and says and not begun


def _number(piece: Piece) -> Item | None:
    """The number that a piece says; "one" is none: it stands for a thing."""
    return piece.sorted(Sort.NUMBER) if piece.sorted(Sort.PronounOne) is None else None


def _forgets_a_number(pieces: Sequence[Piece], facts: Sequence[Fact]) -> bool:
    """Whether more numbers are compared in a condition than facts have; a count of things is none."""
    counts = (Sort.NOUN, Sort.PLACE, Sort.Of, Sort.RELATIVE)
    after = [*(one.sorted(*counts) for one in pieces[1:]), None]
    said = sum(bool(_number(one) and not next_) for one, next_ in zip(pieces, after, strict=True))
    amounts = [c.amount for fact in facts for test in fact.tests for c in test.conditions]
    return said > sum(a is not None and isinstance(a.value, int | float) and a.value is not True for a in amounts)


def denied(fact: Fact) -> Fact:
    """That a fact is not so."""
    return replace(fact, tests=tuple(replace(test, negated=not test.negated) for test in fact.tests))


def lasting(piece: Piece) -> float:
    """How long something lasts, in seconds, where a piece says that; else 0."""
    item = piece.sorted(Sort.TIME)
    meaning = item.time if item is not None else None
    return meaning.seconds if isinstance(meaning, Duration | Length | After) else 0.0


def is_so(fact: Fact, context: Context) -> bool:
    """Whether a fact is so now; False where nothing here can tell, or it is to last."""
    selector = Selector(context.store, context.registry)
    whole = replace(fact.selection, quantity=Quantity.ALL)
    try:
        meant = selector.select(whole)
        found = selector.select(replace(whole, tests=(*whole.tests, *fact.tests)))
    except HearthgraphError:
        return False
    wanted = {Holds.ANY: bool(found), Holds.EVERY: bool(meant) and len(found) == len(meant), Holds.NONE: not found}
    return wanted[fact.holds] and not fact.seconds
