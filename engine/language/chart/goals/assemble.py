"""Finished clauses into goals: what clauses and phrases share is handed round, each hole filled from its neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.graph.terms import expand
from engine.language.chart.goals.sharing import (
    POINTING,
    among,
    joined,
    left,
    listed,
    narrowed,
    owned,
    paired,
    staying,
    united,
    with_conditions,
    with_own,
    with_topics,
)
from engine.language.chart.joining.attach import DEVICE
from engine.language.chart.joining.frames import OFF, ON, Clause, Phrase, State
from engine.language.chart.joining.function import ROOMS
from engine.language.chart.joining.values import FORMER
from engine.language.phrases.coordination import Goal
from engine.language.phrases.slots import Compared, HowMuch, Noun, PlaceName, Quality
from engine.language.phrases.temporal import NO_TIME, When
from engine.language.words.lexicon import Entry, Role
from engine.language.words.records import replace
from engine.language.words.spans import Inquiry, Restriction, Span
from engine.language.words.tokens import Token
from engine.model.intent import Asks

_OCCUPANCY = (expand("hg:IsOccupied"), expand("hg:IsUnoccupied"))
SET = Entry(Role.LIGHT_VERB, expand("hg:BringAbout"))


@dataclass(frozen=True, slots=True)
class Assembled:
    """The goals of a reading and what it cost to put them together; `conditional`: it says when or if."""

    goals: tuple[Goal, ...]
    features: tuple[str, ...]
    clauses: tuple[Clause, ...] = ()

    @property
    def conditional(self) -> bool:
        """Whether it is for another time, or only where something is so."""
        return any(c.condition or c.times for c in self.clauses)


def assembled(state: State, tokens: Sequence[Token], text: str) -> Assembled:
    """The goals of a reading, in the order of the text."""
    features: list[str] = []
    clauses = _related(state.clauses, features)
    exceptions = tuple(dict.fromkeys(e for c in (*state.clauses, *clauses) for e in c.exceptions))
    goals: list[Goal] = []
    done: list[Clause] = []
    scene: tuple[PlaceName, ...] = ()
    told: Clause | None = None
    spared: list[Clause] = []
    for number, clause in enumerate(clauses):
        exceptions = (*exceptions, *left(_ones(clause, done, [])))
        if clause.condition or (clause.times and not clause.tells_what and not clause.phrases):
            continue
        if (kind := _is_spared(clause)) is not None:
            features.append(kind)
            spared.extend([clause] if clause.leave else [])
            continue
        if clause.told and not clause.asks:
            features.append("tell")
            told = clause if clause.phrases and clause.phrases[0].entries else told
            scene = clause.places or next((p.places for p in clause.phrases if p.places), scene)
            continue
        clause = _of_told(clause, told, done, features)
        clause = _others(clause, spared, features) if spared and not done else clause
        clause = _the_rest(clause, exceptions, done, features)
        clause = _there(_filled(_ones(clause, done, features), done, features), scene, features)
        scene = clause.places or next((p.places for p in clause.phrases if p.places), scene)
        if clause.negated and not clause.asks:
            features.append("goal:negated")
            if len(clauses) > 1 and clause.verbs:  # "…, but don't start it": the outcome is that it is not done
                continue
        found = _goals(clause, tokens, text, state.clauses, number, features)
        if not found and not clause.times:
            features.append("clause:lost")
        done.append(clause)
        goals.extend(found)
    clauses = [_placed(c, done, features) if c.condition else c for c in clauses]
    if exceptions:
        goals = [replace(g, exceptions=exceptions) for g in goals]
    return Assembled(tuple(goals), tuple(features), tuple(clauses))


def _is_spared(clause: Clause) -> str | None:
    """The price of a clause that says of something that it is left alone, or not meant; None of another."""
    if clause.leave and not any(e.iri == FORMER.iri for _, how in clause.amounts for e in how.entries):
        return "goal:left"
    rejects = clause.negated and not (clause.verbs or clause.asks or clause.amounts or clause.unwanted)
    return "rejected" if rejects else None


def _related(clauses: Sequence[Clause], features: list[str]) -> list[Clause]:
    """The clauses, each with its share of the words of its neighbours."""
    lists = [listed(clause, features) for clause in paired(staying(joined(clauses), features), features)]
    told = with_topics(with_conditions(lists, features), features)
    return [united(among(clause, features), features) for clause in narrowed(told, features)]


def _placed(clause: Clause, done: Sequence[Clause], features: list[str]) -> Clause:
    """A condition that does not say where, or of what, is about what is to be done."""
    bare = not clause.phrases or (clause.phrases[0].pronoun in POINTING and not clause.phrases[0].entries)
    if not bare or clause.places or not done:
        return clause
    acted = done[0]
    person = any(e.iri in _OCCUPANCY for one in clause.predicate if one.amount is not None for e in one.amount.entries)
    refers = bool(clause.phrases) and not clause.there
    features.append("hole:condition")
    if refers and not person:
        return replace(clause, phrases=acted.phrases, places=acted.places)
    places = acted.places or next((p.places for p in acted.phrases if p.places), ())
    return replace(clause, phrases=(), places=places, there=False)


def _of_told(clause: Clause, told: Clause | None, done: Sequence[Clause], features: list[str]) -> Clause:
    """ "The fan is a touch fierce; low speed would do": a value without a thing is of the one that was told of."""
    bare = not clause.phrases or (clause.phrases[0].pronoun in POINTING and not clause.phrases[0].entries)
    if told is None or done or not bare or clause.asks or not (clause.amounts or clause.verbs or clause.direction):
        return clause
    features.append("hole:told")
    phrases = (*told.phrases[-1:], *clause.phrases[1:])
    return replace(clause, phrases=phrases, places=clause.places or told.places)


def _ones(clause: Clause, done: Sequence[Clause], features: list[str]) -> Clause:
    """ "The kitchen light, and the hall one": "one" is of the kind that was named before."""
    before = [p for c in done for p in c.phrases if p.entries]
    phrases: list[Phrase] = []
    for phrase in clause.phrases:
        if phrase.text in ("one", "ones") and not phrase.entries and (before or phrases):
            kind = (
                next(p for p in (*reversed(phrases), *reversed(before)) if p.entries)
                if any(p.entries for p in (*phrases, *before))
                else None
            )
            if kind is not None:
                features.append("hole:one")
                phrase = replace(phrase, entries=kind.head or kind.entries, text=kind.text.split()[-1])
        phrases.append(phrase)
    return replace(clause, phrases=tuple(phrases))


def _there(clause: Clause, scene: tuple[PlaceName, ...], features: list[str]) -> Clause:
    """ "There", "its ceiling fan": in the room that was spoken of in the same breath."""
    if not scene:
        return clause
    restricts = any(n.restrictions for n in scene)
    if restricts and clause.joint in ("and", ",and") and not _has_place(clause):
        features.append("scope:room")  # "where it is damp, turn the fans on and the humidifiers off"
        return replace(clause, places=scene)
    if clause.there and not clause.places:
        features.append("hole:there")
        return replace(clause, places=scene, there=False)
    if owned(clause) and not clause.places:
        features.append("hole:its-room")
        phrases = tuple(replace(p, pronoun="" if p.pronoun == "its" else p.pronoun) for p in clause.phrases)
        return replace(clause, phrases=phrases, places=scene)
    return clause


def _has_place(clause: Clause) -> bool:
    """Whether a clause says where."""
    return bool(clause.places or clause.everywhere or clause.here or any(p.places for p in clause.phrases))


def _pointed(clause: Clause, before: Clause, features: list[str]) -> Clause:
    """A clause that points to what the one before named: "…, and set those that are on to 40", "…, its fan"."""
    pointer, *others = clause.phrases
    phrases = before.phrases if pointer.pronoun == "them" else before.phrases[-1:]
    if pointer.pronoun == "its" and pointer.entries:
        owned = replace(pointer, places=phrases[0].places or before.places, pronoun="", whole=phrases[0])
        features.append("hole:its")
        return replace(clause, phrases=(owned, *others))
    if pointer.text.split()[-1:] in _ONES and clause.places:
        features.append("hole:one")  # of the same kind, and elsewhere
        kind = (replace(p, entries=p.head or p.entries, modifiers=(), places=()) for p in phrases)
        phrases = tuple(replace(p, restrictions=pointer.restrictions, quantity="all") for p in kind)
        return replace(clause, phrases=(*phrases, *others))
    features.append("hole:pronoun")
    if said := pointer.restrictions:
        phrases = tuple(replace(p, restrictions=with_own(p.restrictions, said), quantity="all") for p in phrases)
    phrases = tuple(replace(p, none=False) for p in phrases)  # "no lamp should be above 50; put it on 50"
    return replace(clause, phrases=(*phrases, *others), places=clause.places or before.places)


def _others(clause: Clause, spared: Sequence[Clause], features: list[str]) -> Clause:
    """ "Leave the lamps that are off, and dim those that are on": of the kind that is left alone, others."""
    pointer = clause.phrases[0] if clause.phrases else None
    named = next((c for c in reversed(spared) if any(p.entries for p in c.phrases)), None)
    if named is None or pointer is None or pointer.pronoun != "them" or not pointer.restrictions:
        return clause
    return _pointed(clause, named, features)


def _the_rest(clause: Clause, exceptions: Sequence[Restriction], done: Sequence[Clause], features: list[str]) -> Clause:
    """ "Leave the den alone, all other lights off", "the lamp to forty, the other lights off": all but those."""
    named = [p for c in (*done, clause) for p in c.phrases if p.entries and not p.other]
    clause = replace(clause, phrases=tuple(_of_kind(p, named[-1]) for p in clause.phrases)) if named else clause
    own = tuple(p for p in clause.phrases if not _is_rest(p))
    if len(own) == len(clause.phrases) or not (exceptions or done or own):
        return clause
    features.append("phrase:rest")
    before = (*done, replace(clause, phrases=own, condition="")) if own else done
    without = () if exceptions else tuple(r for one in before for r in left(replace(one, leave=True)))
    phrases = (_rest(p, without) if _is_rest(p) else p for p in clause.phrases)
    return replace(clause, phrases=tuple(phrases))


def _of_kind(phrase: Phrase, kind: Phrase) -> Phrase:
    """ "The others", "the rest": those of the kind that was named before."""
    if not phrase.other or phrase.entries or phrase.text in ("one", "ones"):
        return phrase
    return replace(phrase, entries=kind.head or kind.entries, text=kind.text, pronoun="", plural=True)


def _is_rest(phrase: Phrase) -> bool:
    return phrase.other and phrase.plural and bool(phrase.entries)


def _rest(phrase: Phrase, without: Sequence[Restriction]) -> Phrase:
    modifiers = tuple(one for one in phrase.modifiers if one != "other")
    restrictions = (*phrase.restrictions, *without)
    return replace(phrase, other=False, quantity="all", modifiers=modifiers, restrictions=restrictions)


_ONES = (["one"], ["ones"], ["those"])
"""Of words that point, those that stand for a kind where a place follows: "the ones in the hall"."""


def _filled(clause: Clause, done: Sequence[Clause], features: list[str]) -> Clause:
    """The holes of a clause, filled from the clauses before it."""
    if clause.asks:
        earlier = next((c for c in reversed(done) if c.phrases or c.places), None)
        bare = not clause.phrases or (clause.phrases[0].pronoun in ("it", "them") and not clause.phrases[0].entries)
        if earlier is not None and bare and not clause.places:
            features.append("hole:asked")
            return replace(clause, phrases=earlier.phrases, places=earlier.places)
        return clause
    before = next((c for c in reversed(done) if c.phrases), None)
    if before is not None and clause.phrases and clause.phrases[0].pronoun in ("it", "them", "its"):
        return _pointed(clause, before, features)
    if before is not None and not clause.phrases and (clause.amounts or clause.verbs or clause.direction):
        own = any(e.role is Role.COMMAND for e in clause.verbs)
        named = bool(clause.qualities) and bool(clause.places)
        if (not own or not clause.places) and not named:
            features.append("hole:set" if not own else "hole:set-of-command")
            clause = replace(clause, phrases=before.phrases, places=clause.places or before.places)
    if clause.phrases and not clause.tells_what and done:
        last = done[-1]
        features.append("hole:verb")
        clause = replace(
            clause,
            verbs=last.verbs,
            verb=last.verb,
            amounts=tuple((len(clause.phrases), how) for _, how in last.amounts),
            direction=last.direction,
            qualities=clause.qualities or last.qualities,
            modal=last.modal,
        )
    elif clause.phrases and not clause.verbs and clause.amounts and done and done[-1].verbs:
        kept = tuple(e for e in done[-1].verbs if e.role is not Role.COMMAND)
        clause = replace(clause, verbs=kept, verb=done[-1].verb if kept else "")
        features.append("hole:light-verb")
    return clause


def _goals(
    clause: Clause, tokens: Sequence[Token], text: str, clauses: Sequence[Clause], number: int, features: list[str]
) -> list[Goal]:
    clause = _asking_rooms(_ranking_rooms(clause))
    start = tokens[clause.start].start if clause.start < len(tokens) else 0
    end = tokens[-1].end if tokens else 0
    if number + 1 < len(clauses) and clauses[number + 1].start < len(tokens):
        end = tokens[max(0, clauses[number + 1].start - 1)].end
    said = text[start:end].strip(" ,.;")
    phrases: tuple[Phrase | None, ...] = clause.phrases or (None,)
    if clause.asks is Asks.DIFFERENCE and len(phrases) == 2 and _other(clause) is not None:
        phrases = phrases[:1]
    goals = []
    for index, phrase in enumerate(phrases):
        amounts = _amounts(clause, index, features)
        if not clause.asks and (clause.unwanted or (phrase is not None and phrase.none)):
            limit = _limit(clause, phrase)
            clause, amounts = (
                replace(clause, verbs=(), verb=""),
                (limit,) if limit is not None else _denied(amounts, clause),
            )
            features.append("goal:unwanted")
        qualities = _qualities(clause, index)
        if clause.other and not clause.asks and not any(_is_value(how) for how in amounts):
            clause, amounts = replace(clause, verbs=(SET,), verb="set"), ()
            features.append("goal:other")
        if phrase is not None and not phrase.entries and not phrase.pronoun and not phrase.text and phrase.places:
            features.append("phrase:place-only")
        for own in _asked_apart(clause, qualities):
            goal = _goal(clause, phrase, amounts, own, (said, start, end))
            goals += [goal] if clause.either or clause.condition or len(amounts) > 1 else _in_each_room(goal)
    return goals


def _ranking_rooms(clause: Clause) -> Clause:
    """ "Where is the humidity highest?": the first of the rooms by that, and no room where it is highest of all."""
    rank = clause.predicate[0] if len(clause.predicate) == 1 else None
    within = clause.places or ((ROOMS,) if clause.asks is Asks.PLACE else ())
    rooms = next((place for place in within if place.plural and not place.restrictions), None)
    if rank is None or rank.comparison not in ("most", "least") or rank.about is not None:
        return clause
    if rooms is None or clause.phrases or not clause.qualities or clause.asks not in (Asks.PLACE, Asks.LIST):
        return clause
    quality = clause.qualities[0][1]
    told = replace(rank, about=Span(quality.text, clause.start, clause.start, quality.entries))
    places = tuple(replace(one, restrictions=(told,)) if one is rooms else one for one in within)
    return replace(clause, qualities=(), predicate=(), places=places, asks=Asks.LIST, head="Which")


def _asking_rooms(clause: Clause) -> Clause:
    """ "Which room has a fan?" asks for each of the rooms that have one."""
    had = clause.phrases[0] if len(clause.phrases) == 1 and clause.asks is Asks.LIST else None
    said = (*(had.restrictions if had is not None else ()), *clause.predicate)
    if had is None or not (had.entries and had.determined) or any(one.amount is None for one in said):
        return clause
    places = (replace(p, plural=p.plural or not (p.introduced or p.restrictions)) for p in clause.places)
    return replace(clause, places=tuple(places))


def _in_each_room(goal: Goal) -> list[Goal]:
    """An order for one thing, or one property, in several rooms as one for each: "the light in the kitchen *and* the
    hall"."""
    several = all(place.added for place in goal.places[1:]) and any(place.last for place in goal.places[1:])
    level = any(how.number is not None for how in goal.amounts)
    one = not goal.noun.plural if goal.noun is not None else level
    whole = any(place.plural or place.restrictions for place in goal.places)
    if not (several and one) or whole or goal.question or goal.quantity or goal.exceptions or goal.pronoun:
        return [goal]
    return [replace(goal, places=(place,)) for place in goal.places]


def _is_of_all(phrase: Phrase, clause: Clause) -> bool:
    """Whether "no" is of all of its class: "no lamp *should be* on"; "no light please" is of the one here."""
    return phrase.none and (phrase.plural or clause.modal or clause.copula)


def _is_of_every(phrase: Phrase, clause: Clause) -> bool:
    """Whether an order is for all things of a class: "any lights on", "put *any light* out", but not "any light on"."""
    out = any(e.iri in _OUT for e in (*clause.verbs, *(e for _, how in clause.amounts for e in how.entries)))
    free = phrase.free and not phrase.count and (phrase.plural or out)
    return _is_of_all(phrase, clause) or (free and not (clause.asks or clause.condition))


_OUT = frozenset((OFF.iri, expand("hg:TurnOff")))


def _denied(amounts: Sequence[HowMuch], clause: Clause) -> tuple[HowMuch, ...]:
    """The state of things of which none is to be as is said: off, but on of those that none is to be off. "No light in
    here, all dark" says twice that they are to be off."""
    off = (clause.modal or clause.copula or clause.unwanted) and any(
        e.iri == OFF.iri for how in amounts for e in how.entries
    )
    return (HowMuch("", "on", (ON,)) if off else HowMuch("", "off", (OFF,)),)


def _limit(clause: Clause, phrase: Phrase | None) -> HowMuch | None:
    """The number that none shall be beyond: "no speaker should be over 50"; those that are come to it."""
    said = phrase.restrictions if phrase is not None and not (clause.verbs or clause.amounts) else ()
    for one in said:
        if one.comparison in _BEYOND and one.amount is not None and one.amount.number is not None and not one.negated:
            about = one.about.entries if one.about is not None else ()
            return HowMuch("to", one.amount.text, number=one.amount.number, unit=one.amount.unit, about=about)
    return None


_BEYOND = (">", "<", "more", "less")


def _is_value(how: HowMuch) -> bool:
    """Whether something says to what it shall be set, and not only that it shall be on."""
    return how.number is not None or any(e.role is not Role.STATE for e in how.entries)


def _amounts(clause: Clause, index: int, features: list[str]) -> tuple[HowMuch, ...]:
    """The values of one object: its own where several have values of their own, else all."""
    if len(clause.phrases) <= 1:
        return tuple(how for _, how in clause.amounts)
    counts = {n for n, _ in clause.amounts}
    own = tuple(how for n, how in clause.amounts if n == index + 1)
    if len(counts) > 1:
        if 0 in counts and len(counts) == len(clause.phrases) and len(clause.phrases) not in counts:
            return tuple(how for n, how in clause.amounts if n == index)  # "40 for A, 50 for B"
        if own:
            return own
        later = [how for n, how in clause.amounts if n > index + 1]
        first = min((n for n in counts if n > index + 1), default=None)
        if first is not None and later:
            return tuple(how for n, how in clause.amounts if n == first)
        return tuple(how for n, how in clause.amounts if n == max(counts))
    if counts and counts != {0} and counts != {len(clause.phrases)} and clause.verbs:
        features.append("amount:middle")
    return tuple(how for _, how in clause.amounts)


def _qualities(clause: Clause, index: int) -> tuple[Quality, ...]:
    own = tuple(q for n, q in clause.qualities if n in (index, index + 1))
    return own or tuple(q for _, q in clause.qualities)


_OF_EACH = (Asks.VALUE, Asks.LIST, Asks.MEAN, Asks.TOTAL)


def _asked_apart(clause: Clause, qualities: Sequence[Quality]) -> Iterator[tuple[Quality, ...]]:
    """The properties that one goal asks for each: "what are the temperature *and the humidity*?" is for two."""
    asks = clause.asks in _OF_EACH and not (clause.predicate or clause.versus)
    starts = [n for n, one in enumerate(qualities) if n and one.joined] if asks else []
    for start, end in pairwise([0, *starts, len(qualities)]):
        yield tuple(qualities[start:end])


def goal_of(clause: Clause, tokens: Sequence[Token]) -> Goal:
    """A clause as one goal."""
    phrase = clause.phrases[0] if clause.phrases else None
    return _goal(clause, phrase, (), tuple(q for _, q in clause.qualities), ("", 0, tokens[-1].end))


def _goal(
    clause: Clause,
    phrase: Phrase | None,
    amounts: tuple[HowMuch, ...],
    qualities: tuple[Quality, ...],
    told: tuple[str, int, int],
) -> Goal:
    """A phrase of a clause as a goal, which is `told` by these words, from here to there."""
    said_of = phrase or Phrase()
    if every := said_of.pronoun == "everything":
        said_of = _anything(said_of) if said_of.restrictions else said_of
    asked = _inquiry(clause) if clause.asks else None
    places = (*said_of.places, *clause.places)[: 1 if (paired := _is_paired(clause, asked)) else None]
    return Goal(
        *told,
        verbs=() if clause.asks else clause.verbs,
        verb="" if clause.asks else clause.verb,
        noun=noun_of(_lit(said_of) if clause.now else said_of) if said_of.names else None,
        qualities=qualities,
        amounts=() if clause.asks else amounts,
        places=places,
        refers=bool(said_of.pronoun) and not (every or said_of.names or paired),
        quantity="all" if every or _is_of_every(said_of, clause) else said_of.quantity,
        counted=said_of.pronoun == "them" and said_of.count is not None,
        direction=clause.direction,
        here=clause.here,
        everywhere=clause.everywhere or every,
        negated=clause.negated,
        question=clause.asks is not None,
        unknown=clause.unknown,
        slight=clause.slight,
        fronted=bool(clause.places) and phrase is not None and not phrase.places,
        when=_when(clause),
        pronoun=said_of.pronoun,
        there=clause.there and not _is_of_all(said_of, clause),  # "there should be no lamp on"
        inquiry=asked,
        against=_against(clause) if paired else None,
    )


def _against(clause: Clause) -> Compared | None:
    """The other side of a difference between two that are named alike."""
    other = _other(clause)
    if isinstance(other, Phrase):
        return Compared(noun_of(other) if other.names else None, other.places)
    return Compared(places=(other,)) if other is not None else None


def _when(clause: Clause) -> When:
    if clause.duration is None and not clause.later:
        return NO_TIME
    return replace(NO_TIME, duration=clause.duration, vague=clause.later)


def _is_paired(clause: Clause, asked: Inquiry | None) -> bool:
    """Whether two rooms or things that a clause names side by side are compared."""
    return asked is not None and bool(asked.versus) and not clause.versus


def _anything(phrase: Phrase) -> Phrase:
    """ "Everything that is playing": whatever there is, as far as that is said of it."""
    return replace(phrase, entries=(DEVICE,), plural=True, quantity="all")


def _lit(phrase: Phrase) -> Phrase:
    """ "The brightest right now": what is off is not ranked."""
    ranks = any(r.comparison in ("most", "least") for r in phrase.restrictions)
    tested = any(r.amount is not None for r in phrase.restrictions)
    if not ranks or tested:
        return phrase
    return replace(phrase, restrictions=(Restriction("=", amount=Span("on", 0, 0, (ON,))), *phrase.restrictions))


def noun_of(phrase: Phrase) -> Noun:
    """A phrase as a noun; how many are meant of a ranking stands before it: "the two lights that are brightest"."""
    said = tuple(
        replace(r, count=phrase.count) if r.comparison in ("most", "least") and r.count is None else r
        for r in phrase.restrictions
    )
    return Noun(
        phrase.entries,
        phrase.text,
        phrase.plural or phrase.quantity == "plural",
        (),
        phrase.modifiers,
        phrase.head,
        said,
        phrase.plain,
        whole=noun_of(phrase.whole) if phrase.whole is not None else None,
    )


def _other(clause: Clause) -> Phrase | PlaceName | None:
    """The second of two rooms or things whose difference is asked for; None where not two are named, or nobody said in
    what they differ."""
    if clause.relation is None and not clause.qualities:
        return None
    bare = all(phrase.pronoun and not phrase.names for phrase in clause.phrases)
    places = (*(place for phrase in clause.phrases for place in phrase.places), *clause.places)
    if bare and len(places) == 2:
        return places[1]
    return clause.phrases[1] if len(clause.phrases) == 2 else None


def _of(said: Restriction, about: Span) -> Restriction:
    """A test with the property that it is of, where nobody said one."""
    return replace(said, about=about) if said.about is None and said.amount is not None else said


def _inquiry(clause: Clause) -> Inquiry:
    asks = clause.asks
    assert asks is not None
    if asks is Asks.WHETHER and clause.phrases and clause.phrases[0].quantity == "all":
        asks = Asks.EVERY
    versus = clause.versus
    measured = clause.qualities or clause.relation is not None or clause.versus
    working = bool(clause.phrases) and all(r.amount is not None and r.amount.number is None for r in clause.predicate)
    counted = asks is Asks.COUNT and bool(clause.predicate) and bool(clause.phrases) and clause.phrases[0].plural
    if counted and clause.qualities:  # "how many have their fan speed on automatic": of that property
        quality = clause.qualities[0][1]
        about = Span(quality.text, clause.start, clause.start, quality.entries)
        clause = replace(clause, predicate=tuple(_of(r, about) for r in clause.predicate))
    elif asks is Asks.COUNT and clause.qualities and clause.qualities[0][0] and clause.phrases[0].restrictions:
        clause = replace(clause, qualities=())  # "how many fans have their speed on high"
    elif asks in (Asks.LIST, Asks.COUNT) and clause.qualities and (working or not clause.predicate):
        asks = Asks.VALUE  # "which programme is it on", "how many degrees has the study", "in which mode is it working"
        clause = replace(clause, predicate=())
    elif asks is Asks.VALUE and clause.head == "How" and clause.phrases and clause.phrases[0].plural and not measured:
        asks = Asks.COUNT  # "how much lights do we have"
    elif asks is Asks.PLACE and not clause.phrases and any(p.restrictions for p in clause.places):
        asks = Asks.LIST
    if asks is Asks.DIFFERENCE and not versus:
        other = _other(clause)
        asks, versus = (Asks.VALUE, ()) if other is None else (asks, (Span(other.text, 0, 0, other.entries),))
    if asks is Asks.COMPARE and not versus:
        asks = Asks.WHETHER
    plural = (bool(clause.phrases) and (clause.phrases[0].plural or clause.phrases[0].count)) or any(
        p.plural for p in clause.places
    )
    if asks is Asks.VALUE and clause.head == "What" and plural and clause.predicate and not clause.qualities:
        asks = Asks.LIST
    predicate = clause.predicate[:1] if clause.either and asks is Asks.WHETHER else clause.predicate
    return Inquiry(asks, predicate, clause.relation, versus)
