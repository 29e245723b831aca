"""Frames into goals: what neighbouring segments share (verb, device, room, value) is handed round, so that each goal
stands for itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from engine.language.grammar import PLURAL_PRONOUNS
from engine.language.lexicon import Entry, Role
from engine.language.slots import Frame, HowMuch, Noun, PlaceName, Quality
from engine.language.temporal import NO_TIME, When


@dataclass(frozen=True, slots=True)
class Goal:
    """One thing to be done, with all that was said of it.

    `places` were said of it; `nearby` are rooms said of its neighbours, likeliest first, of which the home picks.
    `antecedent` is the noun of an earlier goal, which may be meant where none is said; `refers` says that it must be.
    """

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
    direction: int = 0
    here: bool = False
    everywhere: bool = False
    negated: bool = False
    question: bool = False
    unknown: tuple[str, ...] = ()
    excluded: tuple[Noun, ...] = ()
    when: When = NO_TIME

    @property
    def says_nothing(self) -> bool:
        """Whether nothing says what is to be done."""
        return not (self.verbs or self.amounts or self.direction or self.question)


@dataclass(slots=True)
class _Clause:
    """A verb with its objects, while it is put together."""

    head: Frame
    objects: list[Frame] = field(default_factory=list)
    amounts: list[HowMuch] = field(default_factory=list)
    front: list[PlaceName] = field(default_factory=list)
    borrowed: bool = False
    when: When = NO_TIME


def goals(frames: Sequence[Frame], text: str) -> list[Goal]:
    """The goals of a request, in the order of the text."""
    clauses = _clauses([f for f in frames if not f.empty])
    _lend_objects(clauses)
    found: list[Goal] = []
    for number, clause in enumerate(clauses):
        found.extend(_goals_of(clause, clauses, number, found, text))
    return found


def _clauses(frames: Sequence[Frame]) -> list[_Clause]:
    clauses: list[_Clause] = []
    waiting: list[Frame] = []
    front: list[PlaceName] = []
    loose: list[HowMuch] = []
    when = NO_TIME
    for number, frame in enumerate(frames):
        if not (frame.has_object or frame.verbs or frame.amounts or frame.unknown or frame.direction):
            when = _time_alone(frame, clauses, when)
            continue
        more = number + 1 < len(frames)
        if frame.joint == "by" and clauses:
            _add_manner(clauses[-1], frame)
        elif _is_front(frame) and more and _opens(frame, clauses, frames[number + 1]):
            front = list(frame.places)
        elif _starts_clause(frame) and not _continues(frame, clauses, waiting):
            if frame.fronted and frame.places:
                front = list(frame.places)
            own = [] if waiting and not frame.has_object else [frame]
            clauses.append(
                _Clause(frame, waiting + own, list(frame.amounts), list(front), when=frame.when.joined(when))
            )
            waiting = []
        elif frame.has_object or frame.unknown:
            _coordinate(frame, clauses, waiting)
        elif waiting:
            loose.extend(frame.amounts)
        elif clauses:
            clauses[-1].amounts.extend(frame.amounts)
    if waiting and clauses and not loose:
        clauses[-1].objects.extend(waiting)
    elif waiting:
        clauses.append(_Clause(waiting[0], waiting, loose))
    return clauses


def _add_manner(clause: _Clause, frame: Frame) -> None:
    """ "Open the curtains by increasing their coverage by 30 %": the manner says what is really to be done."""
    clause.head.verbs, clause.head.verb = frame.verbs, frame.verb
    clause.amounts.extend(frame.amounts)
    for item in clause.objects:
        item.nouns = frame.nouns if frame.nouns and not frame.pronoun else item.nouns
        item.qualities = frame.qualities or item.qualities
        item.places = item.places or frame.places


def _time_alone(frame: Frame, clauses: list[_Clause], when: When) -> When:
    """Time words by themselves: of the clause before, or, where a sentence begins with them, of those to come."""
    if clauses and frame.joint != ".":
        clauses[-1].when = clauses[-1].when.joined(frame.when)
        return when
    return frame.when


def _is_front(frame: Frame) -> bool:
    """A room alone, set before what is to be done there: "In the study, …"."""
    alone = not (frame.verbs or frame.nouns or frame.qualities or frame.amounts or frame.unknown)
    return alone and bool(frame.places) and frame.fronted


def _opens(frame: Frame, clauses: Sequence[_Clause], follower: Frame) -> bool:
    """Whether a room alone is of what follows, and not one more room of the clause before."""
    if not clauses or frame.joint == ".":
        return True
    parallel = any(o.places for o in clauses[-1].objects)
    return _starts_clause(follower) and not (parallel and frame.joint in ("and", "&", "plus"))


def _starts_clause(frame: Frame) -> bool:
    return (
        bool(frame.verbs) or (bool(frame.amounts) and frame.has_object) or (bool(frame.direction) and frame.has_object)
    )


def _continues(frame: Frame, clauses: list[_Clause], waiting: list[Frame]) -> bool:
    """Whether a verbless segment with a value ends a list: "A, B and C to 40"."""
    if frame.verbs or not clauses or waiting or frame.joint == ".":
        return False
    last = clauses[-1]
    if last.amounts or not last.head.verbs or any(e.role is Role.COMMAND for e in last.head.verbs):
        return False
    last.objects.append(frame)
    last.amounts.extend(frame.amounts)
    last.when = last.when.joined(frame.when)
    return True


def _coordinate(frame: Frame, clauses: list[_Clause], waiting: list[Frame]) -> None:
    """One more object of the clause before; of the clause to come where none is before, or a sentence begins."""
    if _is_continuation(frame, clauses):
        return
    if clauses and frame.joint != ".":
        clauses[-1].objects.append(frame)
        clauses[-1].amounts.extend(frame.amounts)
        clauses[-1].when = clauses[-1].when.joined(frame.when)
    else:
        waiting.append(frame)


def _is_continuation(frame: Frame, clauses: list[_Clause]) -> bool:
    return bool(clauses) and frame in clauses[-1].objects


def _lend_objects(clauses: list[_Clause]) -> None:
    """A verb without an object has that of its neighbour: "turn on and dim the light", "… and set it to 40"."""
    for number, clause in enumerate(clauses):
        if any(o.has_object or o.unknown for o in clause.objects):
            continue
        before = clauses[number - 1] if number else None
        after = clauses[number + 1] if number + 1 < len(clauses) else None
        lender = before if before and before.objects else after
        if lender is not None:
            clause.objects = [_bare(o) for o in lender.objects]
            clause.borrowed = True
            clause.front = clause.front or list(lender.front)


def _bare(frame: Frame) -> Frame:
    """The object of a clause without what was done to it."""
    return replace(frame, verbs=(), verb="", amounts=[], qualities=[], direction=0)


def _goals_of(
    clause: _Clause, clauses: Sequence[_Clause], number: int, earlier: Sequence[Goal], text: str
) -> list[Goal]:
    objects = clause.objects or [clause.head]
    shared = _shared_amounts(clause, objects)
    antecedent = next((g.noun or g.antecedent for g in reversed(earlier) if g.noun or g.antecedent), None)
    found: list[Goal] = []
    for place, item in enumerate(objects):
        noun = item.nouns[0] if item.nouns else _neighbour_noun(objects, place)
        qualities = tuple(item.qualities) or _neighbour_qualities(objects, place)
        if noun is not None and not noun.entries and antecedent is not None:
            noun = replace(noun, entries=antecedent.head or antecedent.entries)
        if _is_elliptic(clause, item) and earlier and noun is None and not qualities:
            noun, qualities = earlier[-1].noun, earlier[-1].qualities
        goal = Goal(
            text=_words(clause, item, text),
            start=item.start,
            end=item.end,
            verbs=clause.head.verbs or _inherited(clauses, number),
            verb=clause.head.verb,
            noun=noun,
            qualities=qualities,
            amounts=shared[place],
            places=tuple(_places(objects, place, clause)),
            nearby=_nearby(clauses, number, (*earlier, *found)),
            antecedent=antecedent,
            refers=bool(item.pronoun) and not item.nouns,
            quantity=_quantity(clause, item, noun),
            direction=item.direction or clause.head.direction,
            here=item.here,
            everywhere=item.everywhere or clause.head.everywhere,
            negated=clause.head.negated,
            question=clause.head.question,
            unknown=tuple(item.unknown),
            excluded=tuple(item.excluded),
            when=clause.when,
        )
        found.append(goal)
    return found


def _is_elliptic(clause: _Clause, item: Frame) -> bool:
    """A value and a room, and no more: "… to 90 on the balcony, 100 in the kitchen"."""
    return not clause.head.verbs and bool(clause.amounts) and not item.pronoun and bool(item.places)


def _words(clause: _Clause, item: Frame, text: str) -> str:
    own = text[item.start : item.end]
    if item is clause.head or clause.head.verb == "":
        return own.strip(" ,.;")
    return f"{clause.head.verb} {own}".strip(" ,.;")


def _inherited(clauses: Sequence[_Clause], number: int) -> tuple[Entry, ...]:
    """The verb of the clause before, for a clause that has values but no verb: "set A to 40, B to 50". A full verb is
    not inherited: it says all by itself."""
    for clause in reversed(clauses[:number]):
        if clause.head.verbs:
            return tuple(e for e in clause.head.verbs if e.role is not Role.COMMAND)
    return ()


def _shared_amounts(clause: _Clause, objects: Sequence[Frame]) -> list[tuple[HowMuch, ...]]:
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
    """What a name is, where another one of the kind is meant: "kitchen and hallway lights"."""
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


def _places(objects: Sequence[Frame], place: int, clause: _Clause) -> list[PlaceName]:
    """Its own room; else that of the list, from the right ("the lamp and the fan in the den"); else the fronted."""
    own = objects[place].places
    if own or objects[place].amounts:
        return own or clause.front
    for other in objects[place + 1 :]:
        if (other.nouns or other.qualities) and any(name.introduced for name in other.places):
            return other.places
    return clause.front


def _nearby(clauses: Sequence[_Clause], number: int, earlier: Sequence[Goal]) -> tuple[tuple[PlaceName, ...], ...]:
    before = [g.places for g in reversed(earlier) if g.places][:1]
    after = [
        tuple(o.places)
        for clause in clauses[number + 1 : number + 2]
        for o in clause.objects
        if o.places and clause.head.joint != "."
    ][:1]
    return tuple(before + after)


def _quantity(clause: _Clause, item: Frame, noun: Noun | None) -> str:
    if item.quantity or clause.head.quantity:
        return item.quantity or clause.head.quantity
    return "plural" if (noun is not None and noun.plural) or item.pronoun in PLURAL_PRONOUNS else ""
