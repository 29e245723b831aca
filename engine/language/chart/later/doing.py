"""What a rule does: its order is read as a whole and clause by clause, and of all readings that one counts which leaves
nothing out and touches nothing that nobody named."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain, pairwise

from engine.environment.selection import Selector
from engine.errors import HearthgraphError
from engine.graph.terms import Json, expand
from engine.language.chart.heard.items import Item, Sort
from engine.language.chart.later.parting import Parts, noticed, says_nothing
from engine.language.chart.later.sentence import LEADING, Sentence, is_goal, is_joint
from engine.language.chart.later.spread import as_a_whole, spread
from engine.language.chart.later.told import Piece, Told, lasting
from engine.language.meanings.context import Context
from engine.language.meanings.past import Hearing
from engine.language.meanings.readings import Alternatives
from engine.language.words.lexicon import Role
from engine.language.words.records import replace
from engine.model.intent import Category, Intent, Measure
from engine.model.record import to_json
from engine.model.rule import Daytime, Rule
from engine.model.selection import Quantity, Select

Read = Callable[[str, str, Context], tuple[tuple[Alternatives, ...], ...]]
Actions = tuple[Intent, ...]
Cost = tuple[float, ...]
"""What is wrong with a reading of an order, the worst first."""
_WISHES, _LOST_DEVICES = 2, 4
"""The places of a cost: a wish that loses a device is no order for it."""
RUNNING = expand("hg:Running")
_ALL_OF = (Sort.Every, Sort.Everything, Sort.Anything, Sort.Everywhere)
MOST_OTHERS = 8
"""How many readings of each goal are looked at."""
SLIGHT = 0.01
SURE = 0.5
"""A way to part a sentence that is no worse than the best by this much has its order read clause by clause, too."""


@dataclass(slots=True)
class Reader:
    """Reads what is to be done, each order once."""

    sentence: Sentence
    request: str
    context: Context
    read: Read
    _known: dict[tuple[str, str | None], tuple[Actions, ...]] = field(default_factory=dict)
    _rooms: dict[Select, frozenset[str]] = field(default_factory=dict)

    def doing(self, rule: Rule, parts: Parts, told: Sequence[Told]) -> Iterator[tuple[Cost, Rule]]:
        """The rule with what is to be done, in each way to read it, or told; with what is wrong with each."""
        found = noticed(self.sentence, parts.order)
        if found is None:
            yield from ((cost, replace(rule, actions=actions)) for cost, actions in self.actions(parts, told))
            return
        order, telling = found
        said = telling or tuple(chain.from_iterable(parts.conditions)) or range(len(self.sentence.tokens))
        rule = replace(rule, notice=_words(self.sentence, said))
        if not order:
            yield (), rule
            return
        for cost, actions in self.actions(replace(parts, order=order), told):
            yield cost, replace(rule, actions=actions)

    def actions(self, parts: Parts, told: Sequence[Told]) -> Iterator[tuple[Cost, Actions]]:
        """The ways to read what is to be done, likeliest first: said as if in the room that the condition is about,
        then as if nowhere."""
        scene = self._scene(told)
        whole = [*self._of_each(parts.order, scene), *self._at_both(self._order(parts.order, scene), scene)]
        found = [*whole, *self._by_clause(parts, scene)]
        found += [more for one in found[:MOST_OTHERS] for more in self._narrowed(one, parts, scene.room)]
        used = {text for actions in found for text in _terms(actions)}
        costs = [(self.cost(parts, actions, used, scene.room), actions) for actions in found]
        yield from (one for one in costs if not (one[0][0] or (one[0][_WISHES] and one[0][_LOST_DEVICES])))

    def _scene(self, told: Sequence[Told]) -> _Scene:
        """What a condition leaves to the order: the room that it is about, and the device."""
        places = {place for one in told for fact in one.facts for place in fact.selection.places}
        room = next(iter(places)) if len(places) == 1 else None
        known = self.context.registry.places
        where = f"the {known[room].name}" if room is not None and room in known else ""
        return _Scene(room, where, next((one.subject for one in told if one.subject), ""))

    def _at_both(self, order: str, scene: _Scene) -> list[Actions]:
        found: list[Actions] = []
        for location in dict.fromkeys((scene.room or self.context.location, self.context.location)):
            key = (order, location)
            if key not in self._known:
                self._known[key] = self._ways(order, replace(self.context, location=location, hearing=Hearing()))
            found += self._known[key]
        return found

    def _ways(self, order: str, context: Context) -> tuple[Actions, ...]:
        goals = self.read(order, f"{self.request}/rule", context) if order else ()
        joined = [tuple(intent for reading in way for intent in reading) for one in goals for way in _combined(one)]
        return tuple(
            actions for actions in joined if actions and not any(map(_is_none, actions)) and not _is_at_odds(actions)
        )

    # Several in one breath

    def _of_each(self, order: Sequence[int], scene: _Scene) -> Iterator[Actions]:
        """The order with each thing named by itself, or a device as a whole, where it names them in one breath."""
        for text in spread(self.sentence, [p for p in order if not says_nothing(self.sentence, p)]):
            yield from self._at_both(text, scene)
        whole = as_a_whole(self.sentence, order)
        if whole is not None:
            for actions in self._at_both(self._order(whole[0], scene), scene):
                yield tuple(self._with_all_parts(one, whole[1], scene.room) for one in actions)

    def _with_all_parts(self, one: Intent, devices: Sequence[str], room: str | None) -> Intent:
        """An intent for all parts of the device of which it is, if that is one of these."""
        known = self.context.registry.things
        here = [iri for iri in devices if room is None or known[iri].place == room]
        own = {part.iri for iri in here for part in known[iri].parts}
        meant = set(self._parts(replace(one.selection, quantity=Quantity.ALL)))
        found = [iri for iri in here if meant & {part.iri for part in known[iri].parts}]
        if len(found) != 1 or not meant & own:
            return one
        return replace(one, selection=Select(things=(found[0],), quantity=Quantity.ALL))

    # Clause by clause

    def _by_clause(self, parts: Parts, scene: _Scene) -> Iterator[Actions]:
        """The order read clause by clause, each as what is likeliest of it; what takes up a device again takes up that
        of the clause before."""
        clauses = _clauses(self.sentence, parts.order)
        if len(clauses) < 2:
            return
        found: list[Intent] = []
        for clause in clauses:
            read = self._at_both(self._order(clause, scene), scene)
            own = replace(parts, order=clause)
            costs = [(self.cost(own, actions, set(), scene.room), n) for n, actions in enumerate(read)]
            best = min(costs, default=None)
            if best is None or best[0][0]:
                return
            found += read[best[1]]
            scene = replace(scene, subject=self.sentence.teller.first(clause) or scene.subject)
        yield tuple(found)

    # What the home says

    def _narrowed(self, actions: Actions, parts: Parts, room: str | None) -> Iterator[Actions]:
        """What else is likely to be meant: the devices of the room that the condition is about, and the parts of the
        device that was just named ("the fan-light, lamp and fan both")."""
        within = [self._of_device(one, actions[:n]) for n, one in enumerate(actions)]
        if tuple(within) != actions:
            yield tuple(within)
        if room is None or self._says(parts.order, *_ALL_OF) or self.sentence.teller.places(parts.order):
            return
        here = tuple(self._in_room(one, room) for one in actions)
        if here != actions:
            yield here

    def _in_room(self, one: Intent, room: str) -> Intent:
        select = one.selection
        if select.places or select.things or not select.classes or select.quantity is not Quantity.ALL:
            return one
        there = replace(select, places=(room,))
        return replace(one, selection=there) if self._homes(there) else one

    def _of_device(self, one: Intent, before: Sequence[Intent]) -> Intent:
        select = one.selection
        named = next((b.selection for b in before if b.selection.things), None)
        if named is None or select.things or not select.classes:
            return one
        parts = self._parts(replace(named, quantity=Quantity.ALL))
        registry, is_a = self.context.registry, self.context.vocabulary.is_a
        things = {registry.thing_of[part].iri for part in parts}
        if len(things) != 1:
            return one
        own = registry.things[next(iter(things))].parts
        meant = [p.iri for p in own if any(is_a(c, cls) for c in p.every_class for cls in select.classes)]
        alone = len(meant) == 1 and len(own) > 1
        return replace(one, selection=replace(select, things=tuple(things), places=())) if alone else one

    def _parts(self, select: Select) -> tuple[str, ...]:
        try:
            return Selector(self.context.store, self.context.registry).select(select)
        except HearthgraphError:
            return ()

    def _homes(self, select: Select) -> frozenset[str]:
        """The rooms that what is selected lies in."""
        if select not in self._rooms:
            known = self.context.registry.thing_of
            self._rooms[select] = frozenset(known[part].place or "" for part in self._parts(select))
        return self._rooms[select]

    # What is wrong with a reading

    def cost(self, parts: Parts, actions: Actions, used: Set[str], room: str | None) -> Cost:
        """What is wrong with a reading, the worst first: numbers and lengths of time that are lost, a count that was
        taken for a value, wishes, what is about nothing, devices that are lost, rooms that nobody named, what is only
        meant where it is in some state, values that other readings know (`used`)."""
        said = [text for one in actions for text in _said(to_json(one))]
        values, terms = {one for one in said if isinstance(one, float)}, {one for one in said if isinstance(one, str)}
        terms |= self._shares(actions)
        pieces = list(self.sentence.teller.pieces(parts.order))
        nouns = [noun for one in pieces if (noun := one.sorted(Sort.NOUN)) and not _is_light(one)]
        counts = {one.start for one, after in pairwise(pieces) if after.sorted(Sort.NOUN)}
        counts |= {p for p in parts.order if self.sentence.is_at(p, Sort.Fillers) is not None}  # "two things: …"
        plain = [n.number for one in pieces if (n := one.sorted(Sort.NUMBER)) and one.start not in counts]
        lengths = [seconds for one in pieces if (seconds := lasting(one))]
        hours = [n for one in pieces for n in self._of_no_time(one)]
        lost = [n for n in (*plain, *hours, *lengths) if not {n, -(n or 0)} & values]  # "down by 10"
        counted = {t.number for p in parts.order if (t := self.sentence.tokens[p]).number is not None} - set(plain)
        return (
            len(lost),
            len(counted & values),
            sum(one.category is Category.IMPLICIT for one in actions),
            sum(map(_is_aimless, actions)),
            sum(not self._is_meant(one, terms) for one in nouns),
            sum(self._is_elsewhere(one, actions, parts, room) for one in actions),
            sum(bool(one.selection.tests) for one in actions),
            sum(_is_unused(one, terms, used) for one in pieces),
        )

    def _of_no_time(self, piece: Piece) -> Iterator[float]:
        """The numbers in words that may tell a time, and are none of the times of the rule: "the aircon at 23"."""
        time = piece.sorted(Sort.TIME)
        if time is not None and isinstance(time.time, Daytime) and time.said != "plain":
            yield from (t.number for t in self.sentence.tokens[piece.start : piece.end] if t.number is not None)

    def _shares(self, actions: Actions) -> set[str]:
        """The words for the shares that actions raise or lower something by."""
        shares = [
            abs(float(one.amount.value))  # type: ignore[arg-type]
            for one in actions
            if one.amount is not None and one.amount.measure is Measure.FRACTION
        ]
        values = self.context.vocabulary.values.items()
        return {iri for iri, v in values if v.level is not None and any(abs(v.level - s) < SLIGHT for s in shares)}

    def _is_elsewhere(self, one: Intent, actions: Actions, parts: Parts, room: str | None) -> bool:
        """Whether what is meant lies in rooms that nobody named, though the order names some, or though there is such
        a thing in the room that the condition is about, too."""
        if one.selection.things or self._says(parts.order, *_ALL_OF):
            return False
        named = self.sentence.teller.rooms(parts.order)
        said = frozenset(named or (p for a in actions for p in a.selection.places))
        homes, every = self._homes(one.selection), one.selection.quantity is Quantity.ALL
        if said:
            said = self._homes(Select(places=tuple(sorted(said)), quantity=Quantity.ALL))  # with the rooms within them
            return bool(homes) and not homes <= said and (every or not homes & said)
        return every and room in homes and len(homes) > 1

    def _says(self, places: Sequence[int], *sorts: Sort) -> bool:
        return any(self.sentence.is_at(place, *sorts) is not None for place in places)

    def _is_meant(self, noun: Item, terms: Set[str]) -> bool:
        """Whether one of these terms is what a noun names, a kind of it, or a thing of that kind."""
        registry, is_a = self.context.registry, self.context.vocabulary.is_a
        parts = [part for t in terms if (part := registry.parts.get(t)) is not None]
        parts += [part for t in terms if (thing := registry.things.get(t)) is not None for part in thing.parts]
        classes = {c for part in parts for c in part.every_class} | terms
        named = {e.iri for e in noun.entries}
        return bool(named & terms) or any(is_a(one, name) or is_a(name, one) for one in classes for name in named)

    # The words of an order

    def _order(self, places: Sequence[int], scene: _Scene) -> str:
        """What is to be done, in the words that are left; what takes up the condition again ("there", "its", "it") is
        put into its words."""
        sentence = self.sentence
        kept = [p for p in places if not (says_nothing(sentence, p) or _is_copula(sentence, p))]
        while kept and (end := _says_only_that(sentence, kept[0])):
            kept = [p for p in kept if p >= end]
        while kept and is_joint(sentence, kept[-1]):
            kept = kept[:-1]
        nouns = [p for p in kept if sentence.is_at(p, Sort.NOUN) and not _is_done(sentence, p)]
        words: list[str] = []
        done = 0
        for place in kept:
            if place < done:
                continue
            behind = any(noun < place for noun in nouns)
            where = replace(scene, subject="" if nouns else scene.subject, owns=not behind)
            done, said = _taken_up(sentence, place, where)
            token = sentence.tokens[place]
            glued = words and place and sentence.tokens[place - 1].end == token.start and place - 1 in kept
            words.append(("" if glued or not words else " ") + (said or sentence.text[token.start : token.end]))
        return "".join(words)


def _is_copula(sentence: Sentence, place: int) -> bool:
    """Whether an "'s" stands between a thing and its state: "and then the light's off"."""
    owns = sentence.is_at(place, Sort.Of) is not None and sentence.is_at(place, Sort.Being) is not None
    return owns and sentence.is_at(place + 1, *_STATED) is not None and sentence.is_at(place + 1, *_NAMED) is None


_STATED, _NAMED = (Sort.VALUE, Sort.PARTICLE), (Sort.NOUN, Sort.PLACE, Sort.KIND)


def _is_done(sentence: Sentence, place: int) -> bool:
    """Whether a word that may name a thing says what is to be done to what follows: "lock it"."""
    refers = sentence.is_at(place + 1, Sort.PronounOne, Sort.PronounSeveral) is not None
    return refers and sentence.is_at(place, Sort.VERB) is not None


@dataclass(frozen=True, slots=True)
class _Scene:
    """What an order may take up again: a room, with its words, and a device; `owns`: "its" is the room's."""

    room: str | None
    where: str
    subject: str = ""
    owns: bool = True


def _taken_up(sentence: Sentence, place: int, scene: _Scene) -> tuple[int, str]:
    """Where a word ends that takes up the condition again, and what it stands for, if it does."""
    where, subject = scene.where, scene.subject
    end = sentence.is_at(place, Sort.There)
    if where and end is not None:
        after = place and sentence.is_at(place - 1, Sort.Of, Sort.In, Sort.From) is not None
        return end, where if after else f"in {where}"
    end = sentence.is_at(place, Sort.Possessive)
    if where and end is not None and not subject and scene.owns:
        return end, f"{where}'s"
    end = sentence.is_at(place, Sort.PronounOne, Sort.PronounSeveral)
    return (end, subject) if subject and end is not None else (place + 1, "")


def _says_only_that(sentence: Sentence, place: int) -> int:
    """Where words end that only lead over to an order; 0 where none begin there."""
    term = sentence.term(place)
    if term is not None and term[1] == "Consequence":
        return term[0]
    if term is not None and term[1] == "RuleChange":  # "make that the lamp goes on"
        return term[0] if sentence.is_at(term[0], Sort.Definite, Sort.Possessive, Sort.NOUN, Sort.PLACE) else 0
    leads = sentence.is_at(place, Sort.Modal) if place and sentence.is_at(place, Sort.Requesting) is None else None
    return leads or (place + 1 if is_joint(sentence, place) else 0)


def _clauses(sentence: Sentence, order: Sequence[int]) -> list[tuple[int, ...]]:
    """The clauses of an order that say by themselves what is to be done to what."""
    found: list[tuple[int, ...]] = []
    begun: tuple[int, ...] = ()
    for piece in _between_joints(sentence, order):
        named, does = _names(sentence, piece), is_goal(sentence, piece)
        if found and not begun and not named:
            found[-1] += piece
            continue
        begun += piece
        if _names(sentence, begun) and (does or is_goal(sentence, begun)):
            found, begun = [*found, begun], ()
    if begun and found:
        found[-1] += begun
    return found


def _between_joints(sentence: Sentence, order: Sequence[int]) -> Iterator[tuple[int, ...]]:
    piece: tuple[int, ...] = ()
    for place in order:
        if is_joint(sentence, place) and any(not is_joint(sentence, p) for p in piece):
            yield piece
            piece = ()
        piece += (place,)
    if piece:
        yield piece


def _names(sentence: Sentence, places: Sequence[int]) -> bool:
    return any(sentence.is_at(p, Sort.NOUN, Sort.PronounOne, Sort.PronounSeveral) is not None for p in places)


def _words(sentence: Sentence, places: Sequence[int]) -> str:
    """The words at these places, as they were said."""
    kept = [p for p in places if sentence.tokens[p].text not in LEADING]
    return " ".join(sentence.word(p) for p in kept)


def _combined(goals: Sequence[Alternatives]) -> Iterator[tuple[tuple[Intent, ...], ...]]:
    """The likeliest reading of each goal; then each of the others of one of them."""
    first = tuple(readings[0] for readings in goals)
    yield first
    for number, readings in enumerate(goals):
        yield from ((*first[:number], other, *first[number + 1 :]) for other in readings[1:MOST_OTHERS])


def _said(data: Json) -> Iterator[str | float]:
    """The words and numbers of a JSON value."""
    if isinstance(data, dict):
        data = list(data.values())
    if isinstance(data, list):
        for one in data:
            yield from _said(one)
    elif isinstance(data, str) or (isinstance(data, int | float) and not isinstance(data, bool)):
        yield data if isinstance(data, str) else float(data)


def _terms(actions: Actions) -> set[str]:
    return {text for one in actions for text in _said(to_json(one)) if isinstance(text, str)}


def _is_unused(piece: Piece, terms: Set[str], used: Set[str]) -> bool:
    """Whether a value or a kind is said that other readings know what to do with, and this one not."""
    named = {e.iri for i in piece.items if i.sort in (Sort.VALUE, Sort.KIND) for e in i.entries}
    return bool(named & used) and not named & terms


def _is_at_odds(actions: Actions) -> bool:
    """Whether one thing is to be at work and to be off."""
    told = [(one.selection, one.amount.value) for one in actions if one.amount is not None]  # a colour has no hash
    return any((select, False) in told for select, value in told if value == RUNNING)


def _is_aimless(one: Intent) -> bool:
    """Whether an intent is about no device and no room."""
    select = one.selection
    somewhere = select.classes or select.things or select.places
    return not (somewhere or one.situation or one.affordance)


def _is_light(piece: Piece) -> bool:
    """Whether a noun may be a verb that says nothing by itself: "switch the lamp off"."""
    return any(e.role is Role.LIGHT_VERB for i in piece.items if i.sort is Sort.VERB for e in i.entries)


def _is_none(one: Intent) -> bool:
    """Whether an intent is nothing that a rule can do."""
    return one.fault is not None or one.query is not None or one.category in (Category.RULE, Category.CHECK)
