"""Joins frames into goals: distributes the verb, device, room and value shared by neighbouring segments, so that each
goal stands for itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.language.phrases.clauses import Clause
from engine.language.phrases.clauses import clauses as fold
from engine.language.phrases.slots import Compared, Frame, HowMuch, Noun, PlaceName, Quality
from engine.language.phrases.temporal import NO_TIME, When
from engine.language.words.grammar import PLURAL_PRONOUNS
from engine.language.words.lexicon import Entry, Role
from engine.language.words.records import Record, replace
from engine.language.words.spans import Inquiry, Restriction


@dataclass(frozen=True)
class Goal(Record):
    """One thing to be done, with all that was said of it.

    `places` were said of it; `nearby` are rooms said of its neighbours, likeliest first, of which the home picks.
    `antecedent` is the noun of an earlier goal, which may be meant where none is said; `refers` says that it must be.
    `counted`: as many are meant as is said, and not all that there is ("both", "those two").
    `against` is the other side of a comparison that names both alike ("the gap between A and B").
    """

    __hash__ = Record.__hash__

    text: str
    start: int
    end: int
    verbs: tuple[Entry, ...] = ()
    verb: str = ""
    noun: Noun | None = None
    qualities: tuple[Quality, ...] = ()
    amounts: tuple[HowMuch, ...] = ()
    places: tuple[PlaceName, ...] = ()
    nearby: tuple[tuple[PlaceName, ...], ...] = ()
    antecedent: Noun | None = None
    refers: bool = False
    quantity: str = ""
    counted: bool = False
    direction: int = 0
    here: bool = False
    everywhere: bool = False
    negated: bool = False
    question: bool = False
    unknown: tuple[str, ...] = ()
    exceptions: tuple[Restriction, ...] = ()
    slight: bool = False
    fronted: bool = False
    when: When = NO_TIME
    pronoun: str = ""
    there: bool = False
    inquiry: Inquiry | None = None
    against: Compared | None = None

    @property
    def says_nothing(self) -> bool:
        """Whether it has neither verb, amount, direction nor question."""
        return not (self.verbs or self.amounts or self.direction or self.question)


def goals(frames: Sequence[Frame], text: str) -> list[Goal]:
    """The goals of a request, in the order of the text."""
    frames = [f for f in frames if not f.empty]
    clauses = fold(frames)
    found: list[Goal] = []
    for number, clause in enumerate(clauses):
        found.extend(_goals_of(clause, clauses, number, found, text))
    everywhere = tuple(
        e
        for f in frames
        for e in f.exceptions
        if e.comparison == "except all" or (e.host is None and e.where is not None)
    )
    excepting = [replace(g, exceptions=tuple(dict.fromkeys((*g.exceptions, *everywhere)))) for g in found]
    return [g for place, g in enumerate(excepting) if not _is_topic(g, excepting[place + 1 :])]


def _is_topic(goal: Goal, later: Sequence[Goal]) -> bool:
    """Whether a first verb only introduces the object of the next one: "take the brightest lights and set them to
    50"."""
    light = all(e.role is Role.LIGHT_VERB for e in goal.verbs)
    says = goal.amounts or goal.direction or goal.question or goal.qualities or not goal.noun
    return light and not says and bool(later) and later[0].refers


def _goals_of(clause: Clause, clauses: Sequence[Clause], number: int, earlier: Sequence[Goal], text: str) -> list[Goal]:
    objects = clause.objects or [clause.head]
    shared = _shared_amounts(clause, objects)
    antecedent = next((noun for g in reversed(earlier) if (noun := g.noun or _owner(g) or g.antecedent)), None)
    found: list[Goal] = []
    for place, item in enumerate(objects):
        noun = item.nouns[0] if item.nouns else _neighbour_noun(objects, place)
        qualities = tuple(item.qualities) or _neighbour_qualities(objects, place)
        if noun is not None and not noun.entries and antecedent is not None:
            noun = replace(noun, entries=antecedent.head or antecedent.entries)
        if _is_elliptic(clause, item) and earlier and noun is None and not qualities:
            noun, qualities = earlier[-1].noun, earlier[-1].qualities
        goal = replace(
            _said_of(clause, item, text),
            verbs=clause.head.verbs or _inherited(clauses, number),
            noun=noun,
            qualities=qualities,
            amounts=shared[place],
            places=tuple(_places(objects, place, clause)),
            nearby=_nearby(clauses, number, (*earlier, *found)),
            antecedent=antecedent,
            quantity=_quantity(clause, item, noun),
        )
        found.append(goal)
    return found


def _owner(goal: Goal) -> Noun | None:
    """The device inside a compound: "the oven's mode"."""
    return next((Noun(q.owner, q.text) for q in goal.qualities if q.owner), None)


def _said_of(clause: Clause, item: Frame, text: str) -> Goal:
    """The goal of a clause for one of its objects, without the slots shared with others."""
    head = clause.head
    return Goal(
        text=_words(clause, item, text),
        start=item.start,
        end=item.end,
        verb=head.verb,
        refers=bool(item.pronoun) and not item.nouns,
        direction=item.direction or head.direction,
        here=item.here,
        everywhere=item.everywhere or head.everywhere,
        negated=head.negated,
        question=head.question or head.inquiry is not None,
        inquiry=head.inquiry,
        unknown=tuple(item.unknown),
        exceptions=tuple(dict.fromkeys((*item.exceptions, *head.exceptions))),
        fronted=bool(clause.front) and not item.places,
        slight=item.slight or head.slight,
        when=clause.when,
        pronoun=item.pronoun,
        there=item.there,
    )


def _is_elliptic(clause: Clause, item: Frame) -> bool:
    """A value and a room, and no more: "… to 90 on the balcony, 100 in the kitchen"."""
    return not clause.head.verbs and bool(clause.amounts) and not item.pronoun and bool(item.places)


def _words(clause: Clause, item: Frame, text: str) -> str:
    own = text[item.start : item.end]
    if item is clause.head or clause.head.verb == "":
        return own.strip(" ,.;")
    return f"{clause.head.verb} {own}".strip(" ,.;")


def _inherited(clauses: Sequence[Clause], number: int) -> tuple[Entry, ...]:
    """The verb of the clause before, for a clause that has values but no verb: "set A to 40, B to 50". A full verb is
    not inherited: it says all by itself."""
    for clause in reversed(clauses[:number]):
        if clause.head.verbs:
            return tuple(e for e in clause.head.verbs if e.role is not Role.COMMAND)
    return ()


def _shared_amounts(clause: Clause, objects: Sequence[Frame]) -> list[tuple[HowMuch, ...]]:
    """Each object's own values; as many values as objects go in pairs; else all have all."""
    amounts = clause.amounts
    if len(objects) == 1:
        return [tuple(amounts)]
    owned = [tuple(o.amounts) for o in objects]
    if sum(map(bool, owned)) > 1 and all(owned):
        return owned
    if len(amounts) == len(objects):
        return [(amount,) for amount in amounts]
    return [own or tuple(amounts) for own in owned] if sum(map(bool, owned)) > 1 else [tuple(amounts)] * len(objects)


def _neighbour_noun(objects: Sequence[Frame], place: int) -> Noun | None:
    """For an object that is only a room or a property: the noun to its right, else to its left."""
    if objects[place].pronoun in PLURAL_PRONOUNS | {"it"}:
        return None
    for other in [*objects[place + 1 :], *reversed(objects[:place])]:
        if other.nouns:
            return _class_of(other.nouns[0])
    return None


def _class_of(noun: Noun) -> Noun:
    """The class of a named thing, where another one of the kind is meant: "kitchen and hallway lights"."""
    return replace(noun, entries=noun.head, text=noun.text.split()[-1], modifiers=()) if noun.head else noun


def _neighbour_qualities(objects: Sequence[Frame], place: int) -> tuple[Quality, ...]:
    """The property that a list shares: "the brightness of the lamp and the spotlight"."""
    if objects[place].qualities:
        return ()
    for other in reversed(objects[:place]):
        if other.qualities and other.nouns:
            return tuple(other.qualities)
    later = next((o for o in objects[place + 1 :] if o.qualities), None)
    return tuple(later.qualities) if later is not None and not objects[place].nouns else ()


def _places(objects: Sequence[Frame], place: int, clause: Clause) -> list[PlaceName]:
    """Its own room; else that of the list, from the right ("the lamp and the fan in the den"); else the fronted."""
    own = objects[place].places
    if own or objects[place].amounts:
        return own or clause.front
    for other in objects[place + 1 :]:
        if (other.nouns or other.qualities) and any(name.introduced for name in other.places):
            return other.places
    return clause.front


def _nearby(clauses: Sequence[Clause], number: int, earlier: Sequence[Goal]) -> tuple[tuple[PlaceName, ...], ...]:
    before = [g.places for g in reversed(earlier) if g.places][:1]
    after = [
        tuple(o.places)
        for clause in clauses[number + 1 : number + 2]
        for o in clause.objects
        if o.places and clause.head.joint != "."
    ][:1]
    return tuple(before + after)


def _quantity(clause: Clause, item: Frame, noun: Noun | None) -> str:
    if item.quantity or clause.head.quantity:
        return item.quantity or clause.head.quantity
    return "plural" if (noun is not None and noun.plural) or item.pronoun in PLURAL_PRONOUNS else ""
