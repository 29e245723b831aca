"""Deeds that the words deny: no reading that does them may be meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.graph.terms import expand
from engine.language.chart.heard.items import PAUSES, Item, Sort, clauses, includes, longest
from engine.language.chart.judging.heeded import puts_out
from engine.language.chart.judging.lost import Named, is_of, names_of, parts_of
from engine.language.chart.judging.reader import Candidate, Heard
from engine.language.meanings.context import Context
from engine.language.words.lexicon import Role
from engine.model.intent import Intent, Measure

_SAYING_NOTHING = (Sort.Loose, Sort.Fillers, Sort.Requesting, Sort.Repair, Sort.No, Sort.SpeakerWord)
_POINTING = (Sort.PronounOne, Sort.PronounSeveral, Sort.That, Sort.Oneself)
_BOUNDS = (*PAUSES, Sort.And)
_NAMES = (Sort.NOUN, Sort.PLACE)
_OFF = frozenset(expand(name) for name in ("hg:IsOff", "hg:TurnOff"))
_ON = frozenset(expand(name) for name in ("hg:IsOn", "hg:TurnOn"))
_TURN_ON, _POWER = expand("hg:TurnOn"), expand("hg:Power")


@dataclass(frozen=True, slots=True)
class Denied:
    """Deed that is denied, in a clause that begins at a place: by its commands and states, of what is named; all deeds
    where `every`."""

    start: int
    terms: frozenset[str] = frozenset()
    names: tuple[Named, ...] = ()
    every: bool = False

    def is_done_by(self, intent: Intent) -> bool:
        """Whether an intent does it to something."""
        if self.every or (intent.command is not None and intent.command in self.terms):
            return True
        return bool((self.terms & _OFF and puts_out(intent)) or (self.terms & _ON and _puts_on(intent)))


def does_what_is_denied(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading does at once what the words deny: "they need the lamp, so *please don't switch it off*"."""
    denied = found.once(_denied)
    for intent, effect in zip(candidate.intents, candidate.effect, strict=False) if denied else ():
        if intent.rule is not None or intent.query is not None or intent.fault is not None:
            continue
        parts = parts_of((effect,), context)
        for deed in denied:
            about = any(all(is_of(part, one, context) for one in deed.names) for part in parts)
            if deed.is_done_by(intent) and (about or not deed.names):
                return True
    return False


def _puts_on(intent: Intent) -> bool:
    amount = intent.amount
    sets = intent.property == _POWER and amount is not None and amount.measure is Measure.TRUTH and amount.value is True
    return intent.command == _TURN_ON or sets


def _denied(found: Heard) -> list[Denied]:
    return list(denied_deeds(found.items))


def denied_deeds(items: Sequence[Sequence[Item]]) -> Iterator[Denied]:
    """The deeds that a clause denies that an operator leads, or has before its verb."""
    for clause in clauses(items, _BOUNDS):
        own = list(longest(items, clause, lambda item: item.sort is not Sort.WORD))
        place = next((n for n, item in enumerate(own) if item.sort is Sort.Not), None)
        if place is None:
            continue
        behind = [item for item in own[place + 1 :] if not _says_nothing(item, items)]
        if not behind and all(_says_nothing(item, items) for item in own[:place]):
            if not includes(items[clause.stop :], Sort.VERB):
                yield Denied(clause.start, every=True)  # "the lamp off? no, don't do that"
        elif behind and includes((items[behind[0].start],), Sort.VERB):
            places = range(behind[0].start, clause.stop)
            if not includes(items[places.start : places.stop], Sort.Every):  # "don't turn off all of them"
                yield _deed(clause.start, places, items)


def _deed(start: int, places: range, items: Sequence[Sequence[Item]]) -> Denied:
    """The deed of a verb, with the particles and states beside it, and what is named there."""
    told = (e for n in places for i in items[n] if i.end <= places.stop for e in i.entries)
    terms = frozenset(e.iri for e in told if e.role in (Role.COMMAND, Role.STATE))
    nouns = longest(items, places[1:], lambda item: item.sort in _NAMES)
    ends = ([i for i in items[noun.start] if i.end == noun.end and i.sort in _NAMES] for noun in nouns)
    names = (one for named in ends for one in names_of(named))
    return Denied(start, terms, tuple(names))


def _says_nothing(item: Item, items: Sequence[Sequence[Item]]) -> bool:
    """Whether an item is courtesy, filling or a pronoun, or may be: "don't *do that*", "don't *you*"."""
    return any(i.sort in (*_SAYING_NOTHING, *_POINTING) and i.end == item.end for i in items[item.start])
