"""Groups frames into clauses: segments of one order, its further objects, and the room or time before them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from engine.language.phrases.slots import Frame, HowMuch, PlaceName, apart
from engine.language.phrases.temporal import NO_TIME, When
from engine.language.words.lexicon import Role


@dataclass(slots=True)
class Clause:
    """A verb with its objects, the values that are said of them, and the room that was set before."""

    head: Frame
    objects: list[Frame] = field(default_factory=list)
    amounts: list[HowMuch] = field(default_factory=list)
    front: list[PlaceName] = field(default_factory=list)
    when: When = NO_TIME

    def take(self, frame: Frame) -> None:
        """Adds an object, with its amounts and time."""
        self.objects.append(frame)
        self.amounts.extend(frame.amounts)
        self.when = self.when.joined(frame.when)

    def add_manner(self, frame: Frame) -> None:
        """Takes over the verb and amounts of a manner: "open the curtains by increasing their coverage by 30 %"."""
        self.head.verbs, self.head.verb = frame.verbs, frame.verb
        self.amounts.extend(frame.amounts)
        for item in self.objects:
            item.nouns = frame.nouns if frame.nouns and not frame.pronoun else item.nouns
            item.qualities = frame.qualities or item.qualities
            item.places = item.places or frame.places


def clauses(frames: Sequence[Frame]) -> list[Clause]:
    """The clauses of frames that say something, in their order."""
    folding = _Folding()
    for place, frame in enumerate(frames):
        folding.fold(frame, frames[place + 1] if place + 1 < len(frames) else None)
    found = folding.finished()
    _lend_objects(found)
    return found


@dataclass(slots=True)
class _Folding:
    """Clauses while they are put together. `waiting` are objects whose verb has not come yet, `loose` values said of
    them; `front` is the room that holds for later clauses, `when` the time."""

    clauses: list[Clause] = field(default_factory=list)
    waiting: list[Frame] = field(default_factory=list)
    loose: list[HowMuch] = field(default_factory=list)
    front: list[PlaceName] = field(default_factory=list)
    when: When = NO_TIME

    def fold(self, frame: Frame, follower: Frame | None) -> None:
        """Takes the next frame in."""
        if frame.joint in (",", ".") and not (frame.verbs or frame.nouns or frame.direction):
            frame.amounts = [apart(how) for how in frame.amounts]
        if frame.joint == "." and not self.loose:
            self.waiting = []
        if frame.is_time_alone:
            self._time(frame)
        elif self._specifies(frame):
            self._specify(frame)
        elif frame.joint == "by" and self.clauses:
            self.clauses[-1].add_manner(frame)
        elif follower is not None and (
            (_is_front(frame) and self._opens(frame, follower)) or self._is_raised(frame, follower)
        ):
            self.front = list(frame.places)
        elif _starts_clause(frame):
            self._start_or_continue(frame)
        else:
            self._coordinate(frame)

    def _is_raised(self, frame: Frame, follower: Frame) -> bool:
        """ "The den. Put the lamp at 80", "the kitchen: lights off": a room that a text begins with, and no list."""
        said = frame.nouns or frame.amounts or frame.verbs or frame.qualities or frame.unknown or frame.negated
        begins = not (self.clauses or self.waiting or self.front) and frame.inquiry is None
        told = follower.joint in (",", ".") and not follower.places and _starts_clause(follower)
        return begins and bool(frame.places) and not said and told and follower.inquiry is None

    def _specifies(self, frame: Frame) -> bool:
        """Whether a frame only repeats the order before more closely: "…, the den one", "…, just the fan", "…, just
        pause it"."""
        last = self._latest()
        if last is None or frame.inquiry is not None or last.inquiry is not None:
            return False
        if frame.verbs:
            return frame.only and bool(self.clauses) and not (frame.nouns or frame.places or frame.qualities)
        if frame.only:
            return bool(frame.nouns) and bool(last.nouns) and not (frame.amounts or frame.places)
        bare = last.nouns and not (last.places or last.nouns[-1].modifiers or last.nouns[-1].plural)
        one = frame.pronoun == "one" and frame.joint == "," and not frame.amounts and not frame.negated
        return bool(bare) and one and (bool(frame.places) or bool(frame.nouns))

    def _latest(self) -> Frame | None:
        """The object that was said last."""
        if self.waiting:
            return self.waiting[-1]
        return (self.clauses[-1].objects or [self.clauses[-1].head])[-1] if self.clauses else None

    def _specify(self, frame: Frame) -> None:
        last = self._latest()
        if last is None:
            return
        if frame.verbs:
            clause = self.clauses[-1]
            clause.head.verbs, clause.head.verb, clause.amounts = frame.verbs, frame.verb, list(frame.amounts)
            clause.head.direction = frame.direction
        elif frame.only:
            last.nouns = [*last.nouns[:-1], replace(frame.nouns[-1], whole=last.nouns[-1])]
        else:
            last.places = list(frame.places)
            said = frame.nouns[-1] if frame.nouns else None
            if said is not None:
                last.nouns[-1] = replace(last.nouns[-1], modifiers=said.modifiers, plain=said.plain)

    def _time(self, frame: Frame) -> None:
        """Time words by themselves: of the clause before, or, where a sentence begins with them, of those to come."""
        if self.clauses and frame.joint != ".":
            self.clauses[-1].when = self.clauses[-1].when.joined(frame.when)
        else:
            self.when = frame.when

    def _opens(self, frame: Frame, follower: Frame) -> bool:
        """Whether a room alone belongs to the next clause, and is not one more room of the clause before."""
        if not self.clauses or frame.joint == ".":
            return True
        parallel = any(o.places for o in self.clauses[-1].objects)
        return _starts_clause(follower) and not (parallel and frame.joint in ("and", "&", "plus"))

    def _start_or_continue(self, frame: Frame) -> None:
        if self._ends_list(frame):
            self.clauses[-1].take(frame)
            return
        if frame.fronted and frame.places:
            self.front = list(frame.places)
        if self.waiting and self.loose and frame.negated and not frame.nouns:  # "…, but don't start it"
            self.clauses.append(Clause(self.waiting[0], self.waiting, self.loose, list(self.front), self.when))
            self.waiting, self.loose = [], []
        if self.waiting and _is_of_a_part(frame, self.waiting[-1]):
            whole = self.waiting.pop().nouns[-1]
            part = replace(frame.nouns[-1], whole=whole, restrictions=whole.restrictions, plural=whole.plural)
            frame.nouns = [*frame.nouns[:-1], part]
        own = [] if self.waiting and _names_nothing(frame) else [frame]
        when = frame.when.joined(self.when)
        amounts = [*self.loose, *frame.amounts]
        self.clauses.append(Clause(frame, self.waiting + own, amounts, list(self.front), when))
        self.waiting, self.loose = [], []

    def _ends_list(self, frame: Frame) -> bool:
        """Whether a verbless segment with a value ends a list: "A, B and C to 40"."""
        if frame.verbs or not self.clauses or self.waiting or frame.joint == ".":
            return False
        last = self.clauses[-1]
        full = any(e.role is Role.COMMAND for e in last.head.verbs)
        return bool(last.head.verbs) and not last.amounts and not full

    def _coordinate(self, frame: Frame) -> None:
        """One more object of the clause before; of the one to come where none is before, or a sentence begins. A value
        alone is of the objects that wait, else of the clause before."""
        says_object = frame.has_object or bool(frame.unknown)
        if says_object and self.clauses and frame.joint != ".":
            self.clauses[-1].take(frame)
        elif says_object:
            self.waiting.append(frame)
        elif self.waiting:
            self.loose.extend(frame.amounts)
        elif self.clauses:
            self.clauses[-1].amounts.extend(frame.amounts)

    def finished(self) -> list[Clause]:
        """The clauses; objects that no verb followed are of the last one, or, with their values, one of their own."""
        if self.waiting and self.clauses and not self.loose:
            self.clauses[-1].objects.extend(self.waiting)
        elif self.waiting:
            self.clauses.append(Clause(self.waiting[0], self.waiting, self.loose))
        return self.clauses


def _is_front(frame: Frame) -> bool:
    """Whether a frame is a room alone, before its order: "in the study, …"."""
    said = frame.verbs or frame.nouns or frame.qualities or frame.amounts or frame.unknown
    alone = frame.inquiry is None and not said
    of_all = frame.quantity == "all" or any(place.restrictions for place in frame.places)
    return alone and bool(frame.places) and (frame.fronted or of_all)


def _starts_clause(frame: Frame) -> bool:
    orders = frame.verbs or (frame.has_object and (frame.amounts or frame.direction))
    return frame.inquiry is not None or bool(orders)


def _lend_objects(found: Sequence[Clause]) -> None:
    """A verb without an object has that of its neighbour: "turn on and dim the light", "… and set it to 40"."""
    for number, clause in enumerate(found):
        if any(o.has_object or o.unknown for o in clause.objects):
            continue
        before = found[number - 1] if number else None
        after = found[number + 1] if number + 1 < len(found) else None
        lender = before if before and before.objects else after
        if lender is not None:
            clause.objects = [_bare(o) for o in lender.objects]
            clause.front = clause.front or list(lender.front)


def _bare(frame: Frame) -> Frame:
    """The object of a clause without verb, amounts and qualities."""
    return replace(frame, verbs=(), verb="", amounts=[], qualities=[], direction=0)


def _is_of_a_part(frame: Frame, waiting: Frame) -> bool:
    """ "Fan-lights whose fan is off: turn on the fan": the part is of those that wait."""
    if not (frame.nouns and waiting.nouns) or frame.nouns[-1].restrictions:
        return False
    hosts = {e for one in waiting.nouns[-1].restrictions if one.host is not None for e in one.host.entries}
    return bool(hosts & set(frame.nouns[-1].entries))


def _names_nothing(frame: Frame) -> bool:
    """Whether a frame names no object of its own, so that a waiting one is its object: "the lamp, turn it off"."""
    return not (frame.nouns or frame.qualities or frame.places)
