"""Where a condition begins that no "if" or "when" marks: "movement in the hall should …", "the window opens, pause the
television", "nobody in the study for ten minutes, lamp off", "on entry of a person into the hall, …"."""

from __future__ import annotations

from collections.abc import Sequence

from engine.language.chart.heard.items import Item, Sort
from engine.language.chart.later.sentence import JOINTS, LEADING, Sentence, is_goal, is_joint
from engine.language.times.times import Duration, Length
from engine.language.words.lexicon import Role
from engine.model.rule import After, Window

_SAID_WITH = (Sort.Somebody, Sort.Nobody, Sort.Above, Sort.Below, Sort.No)
SAYS = frozenset({"NobodyThere", "SomebodyThere", "Exceeding", "FallingBelow", "Reaching"})
_THERE = frozenset({"NobodyThere", "SomebodyThere"})
_EVENTS = frozenset({"EventNoun", "Completion", *_THERE})
_NUMBERED = frozenset({"Exceeding", "FallingBelow", "Reaching"})
_COMPARING = (Sort.Above, Sort.Below, Sort.AtLeast, Sort.AtMost)
_TELLING = (Sort.Being, Sort.Copula, Sort.PastMark, Sort.SpeakerWord, Sort.Requesting, Sort.Modal)
"""What makes a clause tell how things are, or order: "somebody is in the hall, turn on the light"."""
_NAMED = (Sort.NOUN, Sort.PLACE)
_REFERRED = (Sort.NOUN, Sort.PronounOne, Sort.PronounSeveral)
_UNTIL_NOW = frozenset({"has", "have", "had", "been", "was", "were", "'ve"})
_UNFINISHED = frozenset({"being", "having", "been"})


def begun(sentence: Sentence, place: int) -> int | None:
    """How many tokens a condition has before it that begins a clause without a mark: "with nobody there, …", "is it
    over 30, then …", "after ten minutes without movement, …". None where none begins."""
    if sentence.is_at(place, Sort.Without) and (term := sentence.term(place)) and term[1] in SAYS:
        return 0
    if sentence.is_at(place, Sort.With) and place + 1 < len(sentence.tokens) and not _is_of_several(sentence, place):
        following = sentence.term(place + 1)
        said = sentence.is_at(place + 1, *_SAID_WITH) is not None or (following is not None and following[1] in SAYS)
        return 1 if said else None
    if (start := _behind_on(sentence, place)) is not None:
        return start - place
    asked = sentence.is_at(place, Sort.Being) is not None and _goes_on(sentence, place)
    if asked or _comes_about(sentence, place) or _is_measured(sentence, place) or _leads(sentence, place):
        return 0
    return 0 if _is_wait(sentence, place) else None


def _is_of_several(sentence: Sentence, place: int) -> bool:
    """Whether the words that follow say of which rooms, or things, it is: "in the rooms with humidity over 60"."""
    before = sentence.items[place - 1] if place else ()
    return any(i.sort in (Sort.PLACE, Sort.NOUN) and i.plural and i.length == 1 for i in before)


def _is_wait(sentence: Sentence, place: int) -> bool:
    """Whether a length of time begins there after which, or for which, something is so."""
    times = [i for i in sentence.items[place] if i.sort is Sort.TIME and i.said == "plain"]
    if sentence.times or not times:
        return False
    for one in times:
        term = sentence.term(one.end) if one.end < len(sentence.tokens) else None
        if isinstance(one.time, Length) and term is not None and term[1] == "NobodyThere":
            return any(follows(sentence, p) for p in range(one.end, len(sentence.tokens)))
    return isinstance(times[0].time, After)


def _comes_about(sentence: Sentence, place: int) -> bool:
    """Whether the event named there is a condition whose consequence the same clause says: "movement in the
    hall should get the light on", "anybody in the garage after nine = light on"; not "…, somebody left it on, would
    you …", nor "people are coming, can you …"."""
    begins = all(sentence.tokens[p].text in LEADING for p in range(_past_rooms(sentence, 0), place))
    while sentence.is_at(place, Sort.Any, Sort.Indefinite, Sort.Every) == place + 1:
        place += 1
    term = sentence.term(place)
    said = term is not None and (term[1] in SAYS or term[1] in _EVENTS)
    if not said and sentence.is_at(place, Sort.Somebody, Sort.Nobody) is None:
        return False
    if any(isinstance(one.meaning, Window) for one in sentence.times):
        return True
    ahead = range(place + 1, len(sentence.tokens))
    ends = next((p for p in ahead if sentence.tokens[p].text in JOINTS), len(sentence.tokens))
    return begins and any(follows(sentence, p) for p in range(place + 1, ends))


def _is_measured(sentence: Sentence, place: int) -> bool:
    """Whether a verbless comparison of a quantity begins there, and its consequence follows: "a
    humidity below 40 calls for …", "lounge above 28 and occupied: …"."""
    if _is_set(sentence, place):
        return False
    if any(sentence.tokens[p].text not in LEADING for p in range(place)) and not sentence.times:
        return False
    compared = False
    for p in range(place, len(sentence.tokens)):
        term = sentence.term(p)
        compares = sentence.is_at(p, *_COMPARING) is not None or (term is not None and term[1] in _NUMBERED)
        if compared and (
            follows(sentence, p) or (sentence.tokens[p].text == ":" and is_goal(sentence, [*_after(sentence, p)]))
        ):
            return True
        stops = sentence.is_at(p, Sort.VERB, Sort.Being) is not None and not compares
        if stops or sentence.tokens[p].text in JOINTS:
            return False
        behind = sentence.is_at(p, *_COMPARING) or (term[0] if term is not None else p + 1)
        compared = compared or (compares and sentence.is_at(behind, Sort.NUMBER) is not None)
    return False


def _after(sentence: Sentence, place: int) -> range:
    return range(place + 1, len(sentence.tokens))


def follows(sentence: Sentence, place: int) -> bool:
    """Whether a word marks the consequence of an event."""
    return sentence.is_at(place, Sort.Modal) is not None or follows_from(sentence, place)


def follows_from(sentence: Sentence, place: int) -> bool:
    """Whether words that are more than a modal verb mark the consequence of an event."""
    term = sentence.term(place)
    return term is not None and term[1] == "Consequence"


def _goes_on(sentence: Sentence, place: int) -> bool:
    """Whether an order follows a question: "is it over 30, then …"."""
    goes_on = any(t.text == "then" for t in sentence.tokens[place + 2 : -1])
    return sentence.tokens[-1].text != "?" and (goes_on or bool(sentence.times))


# Clauses that tell of what may come about, and an order behind their break


def waits_unmarked(sentence: Sentence) -> bool:
    """Whether a sentence begins with a condition that no word marks."""
    timed = {p for one in sentence.times for p in range(one.start, one.end)}
    first = next((p for p in range(len(sentence.tokens)) if p not in timed and not _is_idle(sentence, p)), None)
    if first is None:
        return False
    leads = _leads(sentence, first) or _comes_about(sentence, first) or _is_measured(sentence, first)
    return leads or _behind_on(sentence, first) is not None


def _is_idle(sentence: Sentence, place: int) -> bool:
    return sentence.tokens[place].text in LEADING or sentence.is_filling(place)


def _leads(sentence: Sentence, place: int) -> bool:
    """Whether a clause begins there that tells of an event, with an order behind its break."""
    if not _is_first(sentence, place) or _is_set(sentence, place) or sentence.is_at(place, Sort.Where, Sort.Wherever):
        return False
    start = _past_rooms(sentence, place)
    end = next((p for p in range(start, len(sentence.tokens)) if _is_end(sentence, p)), len(sentence.tokens))
    clause = range(start, end)
    idle = all(_is_idle(sentence, p) for p in clause)  # "moving on, …"
    if idle or not _is_ordered(sentence, end) or sentence.is_at(start, Sort.Being) is not None:
        return False  # "is anybody in? …" asks
    if any(_is_anyone(sentence, p) for p in clause):
        return True
    if _looks(sentence, place) and all(_is_of_state(sentence, p) for p in clause):
        return True
    if _stands(sentence, clause, looked=_looks(sentence, place) or _is_undone(sentence, clause, end)):
        return True
    known = _within_names(sentence, clause) | _within_terms(sentence, clause)
    told = any(_tells(sentence, p) for p in clause if p not in known)
    if _compares(sentence, clause) or (_stirs(sentence, clause) and _is_lasting(sentence, clause)):
        return True
    return not told and (_stirs(sentence, clause) or _happens(sentence, clause, end) or _is_event(sentence, start))


def _stands(sentence: Sentence, clause: Sequence[int], *, looked: bool) -> bool:
    """Whether a clause says of a named thing how it stands, and no more, where that can be no order: it is to be looked
    at, nothing can be ordered of it ("kitchen window open: …"), or it is done with its work."""
    named = _within_names(sentence, clause)
    nouns = [i for p in clause for i in sentence.items[p] if i.sort is Sort.NOUN]
    said = [p for p in clause if not nouns or p > max(named)]
    orders = any(sentence.is_at(p, Sort.VERB, Sort.VALUE) is not None for p in {*clause} - {*said} - named)
    if not nouns or orders or not said or not all(_is_of_state(sentence, p) for p in said):
        return False
    done = all(sentence.tokens[p].text in _DONE for p in said)
    if looked or done or all(sentence.teller.senses(one) or sentence.teller.is_passive(one) for one in nouns):
        return True
    told = sentence.teller.told(clause)
    facts = told.facts if told is not None else ()
    return sentence.teller.is_only_seen([iri for fact in facts for iri in fact.selection.things])


_DONE = frozenset({"done", "finished", "completed", "complete"})


def _is_undone(sentence: Sentence, clause: Sequence[int], end: int) -> bool:
    """Whether the order behind a clause brings the thing that it is about into another state: "door unlocked: lock
    it"."""
    behind = [p for p in _after(sentence, end) if not _is_idle(sentence, p)]
    verbs = [i for p in behind[:1] for i in sentence.items[p] if i.sort is Sort.VERB]
    if not sentence.times or not any(sentence.is_at(i.end, Sort.PronounOne, Sort.PronounSeveral) for i in verbs):
        return False
    effects = [e for i in verbs for one in i.entries for e in sentence.teller.context.effects(one.iri)]
    told = sentence.teller.told(clause)
    states = [c for f in (told.facts if told is not None else ()) for t in f.tests for c in t.conditions]
    return any(e.kind == c.kind for e in effects for c in states)


def _is_set(sentence: Sentence, place: int) -> bool:
    """Whether several devices or rooms are named there, of which what follows says which: "doors with a battery under
    25", "in the rooms warmer than 27"."""
    several = False
    place += sentence.is_at(place, Sort.In) == place + 1 and place + 1 < len(sentence.tokens)
    while sentence.is_at(place, Sort.Any, Sort.Definite, Sort.Every) == place + 1:
        several = several or sentence.is_at(place, Sort.Definite) is None
        place += 1
    here = sentence.items[place] if place < len(sentence.tokens) else ()
    roles = {e.role for i in here for e in i.entries if i.sort is Sort.PLACE}
    if roles == {Role.PLACE_CLASS} and (several or any(i.plural for i in here)):
        return True
    rooms = [i for i in here if i.sort in (Sort.PLACE, Sort.KIND)]
    return any(
        i.sort is Sort.NOUN and i.plural and not sentence.teller.senses(i) and not _is_within(i, rooms) for i in here
    )


def _is_lasting(sentence: Sentence, clause: Sequence[int]) -> bool:
    """Whether a clause says for how long, and not that it was so until now: "is empty for an hour"."""
    lasts = any(isinstance(i.time, Duration) for p in clause for i in sentence.items[p] if i.sort is Sort.TIME)
    return lasts and not any(sentence.tokens[p].text in _UNTIL_NOW for p in clause)


def _is_of_state(sentence: Sentence, place: int) -> bool:
    """Whether a word says nothing but how something stands: "still unlocked"."""
    return sentence.is_at(place, Sort.VALUE, Sort.Still, Sort.Not, Sort.Fillers, Sort.Being) is not None


def _tells(sentence: Sentence, place: int) -> bool:
    """Whether a word tells how things are, or orders something."""
    word = sentence.tokens[place].text
    return word not in _UNFINISHED and (word in _UNTIL_NOW or sentence.is_at(place, *_TELLING) is not None)


def _within_names(sentence: Sentence, clause: Sequence[int]) -> set[int]:
    """The places within the name of a room or of a thing."""
    return {p for at in clause for i in sentence.items[at] if i.sort in _NAMED for p in range(i.start, i.end)}


def _within_terms(sentence: Sentence, clause: Sequence[int]) -> set[int]:
    """The places within words for who is there: "nothing's moved" tells no more than "no movement"."""
    terms = [(p, term) for p in clause if (term := sentence.term(p)) is not None]
    return {p for start, (end, kind) in terms if kind in _THERE for p in range(start, end)}


def _is_first(sentence: Sentence, place: int) -> bool:
    """Whether nothing stands before a place but when it is to be, and where to look."""
    return not _before(sentence, place) or _looks(sentence, place)


def _before(sentence: Sentence, place: int) -> list[int]:
    """The places of the tokens before a place, those of times and fillers left out."""
    timed = {p for one in sentence.times for p in range(one.start, one.end)}
    return [p for p in range(place) if p not in timed and not _is_idle(sentence, p)]


def _looks(sentence: Sentence, place: int) -> bool:
    """Whether nothing stands before a place but where to look."""
    before = _before(sentence, place)
    term = sentence.term(before[0]) if before else None
    return term is not None and term[1] == "Looking" and sentence.tokens[place - 1].text in (".", ":", ";")


def _past_rooms(sentence: Sentence, place: int) -> int:
    """Where a clause begins behind the rooms that it is about: "study or hall, someone moves in either, …"."""
    end = place
    while (after := sentence.is_at(end, Sort.PLACE, Sort.And, Sort.Definite)) is not None or (
        end < len(sentence.tokens) and sentence.tokens[end].text == "or"
    ):
        end = after or end + 1
    return end + 1 if end > place and end < len(sentence.tokens) and sentence.tokens[end].text in (",", ":") else place


def _is_end(sentence: Sentence, place: int) -> bool:
    return sentence.tokens[place].text in JOINTS and is_joint(sentence, place)


def _is_ordered(sentence: Sentence, end: int) -> bool:
    rest = [*_after(sentence, end)]
    return is_goal(sentence, rest) and any(sentence.is_at(p, *_REFERRED) is not None for p in rest)


def _is_anyone(sentence: Sentence, place: int) -> bool:
    """Whether a word is about whoever it may be: no such thing is told of somebody who is there."""
    term = sentence.term(place)
    said = sentence.is_at(place, Sort.Somebody) is not None or (term is not None and term[1] == "SomebodyThere")
    return said and sentence.tokens[place].text.startswith("any")


def _stirs(sentence: Sentence, clause: Sequence[int]) -> bool:
    """Whether a clause has somebody there, or nobody, without saying that it is so now."""
    said = any(sentence.is_at(p, Sort.Somebody, Sort.Nobody) is not None for p in clause)
    terms = [term[1] for p in clause if (term := sentence.term(p)) is not None]
    orders = sentence.is_at(clause[0], Sort.VERB) is not None and sentence.is_at(clause[0], *_NAMED) is None
    if _left_so(sentence, clause):
        return False
    return (said or bool(_THERE & set(terms))) and not (orders and sentence.term(clause[0]) is None)


def _left_so(sentence: Sentence, clause: Sequence[int]) -> bool:
    """Whether a clause tells that somebody has a thing in a state: "somebody *left the oven on*"."""
    having = [p for p in clause if sentence.is_at(p, Sort.Holding) is not None]
    nouns = [p for p in clause if having and p > having[0] and sentence.is_at(p, Sort.NOUN) is not None]
    return any(sentence.is_at(p, Sort.VALUE, Sort.PARTICLE) is not None for p in clause if nouns and p > nouns[0])


def _compares(sentence: Sentence, clause: Sequence[int]) -> bool:
    """Whether a clause compares a quantity with a number, without saying that it is so now."""
    for place in clause:
        if (
            sentence.is_at(place, Sort.VERB, *_TELLING) is not None
            and sentence.is_at(place, *_NAMED, Sort.KIND) is None
        ):
            term = sentence.term(place)
            if term is None or term[1] not in _NUMBERED:
                return False
        if (behind := _compared(sentence, place)) is not None and behind in clause:
            behind += sentence.is_at(behind, Sort.Indefinite) == behind + 1
            number = sentence.is_at(behind, Sort.NUMBER) is not None or sentence.tokens[behind].number is not None
            return number and _is_of_rooms(sentence, [p for p in clause if p < place])
    return False


def _compared(sentence: Sentence, place: int) -> int | None:
    """Where words end that say which side of a number: "over", "gets above"."""
    term = sentence.term(place)
    return term[0] if term is not None and term[1] in _NUMBERED else sentence.is_at(place, *_COMPARING)


def _is_of_rooms(sentence: Sentence, places: Sequence[int]) -> bool:
    """Whether a quantity is that of a room or of a sensor: "living room over 28" is no selection of lights."""
    nouns = [i for p in places for i in sentence.items[p] if i.sort is Sort.NOUN]
    rooms = [i for p in places for i in sentence.items[p] if i.sort in (Sort.PLACE, Sort.KIND)]
    sensing = all(sentence.teller.senses(one) or _is_within(one, rooms) for one in nouns)
    return sensing and (bool(rooms) or bool(nouns) or not places)


def _is_within(noun: Item, rooms: Sequence[Item]) -> bool:
    """Whether the words of a noun may be those of a room or of a property."""
    return any(one.start <= noun.start and noun.end <= one.end for one in rooms)


def _happens(sentence: Sentence, clause: Sequence[int], end: int) -> bool:
    """Whether a thing does something by itself ("the window opens"): no order has that form, but "the lamp goes off",
    which is none only where a plain order follows."""
    for place in clause[1:]:
        word = sentence.tokens[place].text
        named = sentence.is_at(place, Sort.NOUN) is not None  # "the bedroom lights, turn them off"
        does = word.endswith("s") and not named and sentence.is_at(place, Sort.VERB, Sort.VALUE) is not None
        before = any(i.end == place and not i.plural for p in clause for i in sentence.items[p] if i.sort in _NAMED)
        if sentence.is_at(place, Sort.VERB) is not None and not (does and before):
            return False
        term = sentence.term(place)
        if does and before and term is not None and term[1] == "Happening":
            return True
        if does and before:
            nouns = [
                i for p in clause if p < place for i in sentence.items[p] if i.sort is Sort.NOUN and i.end == place
            ]
            passive = any(sentence.teller.senses(one) or sentence.teller.is_passive(one) for one in nouns)
            return passive or _is_plain_order(sentence, end + 1)
    return False


def _is_plain_order(sentence: Sentence, place: int) -> bool:
    """Whether an order begins there with its verb: "turn on the light"."""
    while place < len(sentence.tokens) and (_is_idle(sentence, place) or sentence.is_at(place, Sort.Requesting)):
        place = sentence.is_at(place, Sort.Requesting) or place + 1
    if place >= len(sentence.tokens) or sentence.is_at(place, *_NAMED, Sort.Definite) is not None:
        return False
    roles = {e.role for i in sentence.items[place] if i.sort is Sort.VERB for e in i.entries}
    return bool(roles & {Role.COMMAND, Role.LIGHT_VERB})


def _is_event(sentence: Sentence, place: int) -> bool:
    """Whether a noun for an event begins there: "opening of the window", "completion of the wash"."""
    while sentence.is_at(place, Sort.Any, Sort.Indefinite, Sort.Definite, Sort.Every) == place + 1:
        place += 1
    term = sentence.term(place) if place < len(sentence.tokens) else None
    return term is not None and term[1] in ("EventNoun", "Completion")


def _behind_on(sentence: Sentence, place: int) -> int | None:
    """The place where an event begins behind an "on" or "at" that marks it ("on movement in the hall, …", "at the sound
    of …"); None where none does."""
    term = sentence.term(place)
    if term is None or term[1] != "AtEvent":
        return None
    start = term[0]
    while sentence.is_at(start, Sort.Any, Sort.Indefinite, Sort.Definite, Sort.Every) == start + 1:
        start += 1
    said = sentence.term(start) if start < len(sentence.tokens) else None
    person = sentence.is_at(start, Sort.Somebody, Sort.Nobody) is not None
    return term[0] if person or (said is not None and said[1] in _EVENTS) else None
