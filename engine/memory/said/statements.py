"""Statements into facts: who wants what, on which occasion, as it is told of oneself or of somebody else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.graph.terms import expand, python
from engine.language.meanings.context import Context
from engine.language.words.lexicon import Role
from engine.language.words.morphology import forms, singular
from engine.language.words.tokens import TokenKind
from engine.memory.said.goals import Reader, goals_of
from engine.memory.said.habitual import is_habitual, tells_of_once
from engine.memory.said.words import Sentence, Stretch, occasions_in, read
from engine.model.fact import Daytime, Fact, Occasion, Provenance, Statement
from engine.model.intent import Intent

MOST_TOPICS = 24
MOST_CHARACTERS = 1000
"""How much of what somebody tells is kept in one fact."""
_CLAUSES = frozenset(
    {"when", "whenever", "while", "as soon as", "once", "if", "during", "before", "after", "every time"}
)
_NO_SUBJECT = frozenset(
    {"me", "my", "mine", "our", "us", "his", "her", "their", "him", "them", "hers", "theirs", "ours"}
)
_SHORT_HEAD = 5
"""How many words an occasion has at most that stands where a person does."""
_SMALL = 3
"""Words of fewer letters are no topics."""


@dataclass(frozen=True, slots=True)
class _Parts:
    """The parts of a statement by their places: the occasion, whose it is, the verb, and what is wanted."""

    occasion: tuple[int, int]
    person: tuple[int, int]
    verb: Stretch | None
    wanted: tuple[int, int]
    activity: Stretch | None = None


def fact_of(text: str, source: Provenance, iri: str, context: Context, reader: Reader) -> Fact:
    """The fact that a sentence tells."""
    sentence = read(text[:MOST_CHARACTERS].strip().rstrip(".!").replace("’", "'"), context)
    topics = tuple(dict.fromkeys(_topics(sentence)))[:MOST_TOPICS]
    parts = _parts(sentence)
    person, occasion = _person(sentence, parts, source.teller), _occasion(sentence, parts, context)
    fact = Fact(iri, person, Statement.FREE, source, occasion, topics=topics)
    if sentence.find("hg:DislikingTalk") is not None or _is_never(sentence, parts) or tells_of_once(sentence):
        return fact
    goals = _goals(sentence, parts, occasion, context, reader)
    if not goals:
        return fact
    return replace(fact, statement=Statement.ROUTINE if occasion.named else Statement.SETTING, goals=goals)


def _is_never(sentence: Sentence, parts: _Parts) -> bool:
    """Whether somebody says what they do not want or never have: between who it is and the verb, or once more later."""
    said = parts.verb or parts.activity
    until = said.start + 1 if said is not None else parts.person[1]
    before = any(sentence.here("hg:NeverWord", n) is not None for n in range(parts.person[1], until))
    people = [n for n in range(until, len(sentence.tokens)) if sentence.here("hg:SelfWord", n) is not None]
    return before or any(sentence.here("hg:NeverWord", n + 1) is not None for n in people)


def _parts(sentence: Sentence) -> _Parts:
    """Where the parts of a statement are, by its marks, its subject and its verb."""
    last = len(sentence.tokens)
    marked = sentence.here("hg:OccasionMark", 0)
    comma = next((n for n in range(last) if sentence.word(n) in (",", ":")), None)
    whole = marked is not None and comma is not None and _is_all_occasion(sentence, marked.end, comma)
    start = comma + 1 if whole and comma is not None else 0
    if marked is None and (headed := _defined(sentence) or _headed(sentence)) is not None:
        return headed
    subject, verb = _subject(sentence, start or (marked.end if marked else 0))
    if verb is None or (start == 0 and marked is not None and subject == (0, 0)):
        begin = start or (_first_named(sentence, marked.end) if marked else 0)
        habit = _habit(sentence, begin)
        if habit is not None:
            return habit
        return _tailed(
            sentence, _Parts((marked.end if marked else 0, begin if marked else 0), (0, 0), None, (begin, last))
        )
    head = (marked.end, subject[0]) if marked else (0, 0)
    if marked is None and sentence.word(subject[1]) not in ("",) and subject[1] < verb.start:
        head = (subject[1], verb.start)  # "Alex's wind-down means …"
    taken = _taken(sentence, verb)
    if marked is None and taken is not None:
        return _Parts((verb.end, taken), subject, verb, (taken + 1, last))
    return _tailed(sentence, _Parts(head, subject, verb, (verb.end, last)))


def _defined(sentence: Sentence) -> _Parts | None:
    """ "Chess nights mean the lamp at 80": an occasion that is no person's, and what goes with it."""
    for place in range(1, min(len(sentence.tokens), _SHORT_HEAD)):
        verb = sentence.here("hg:DefiningWord", place)
        if verb is None:
            continue
        before = [one for several in sentence.at[:place] for one in several]
        people = any(one.can("hg:SelfWord") or one.can("hg:OtherWord") or one.can("hg:KinWord") for one in before)
        owned = any(sentence.word(n) == "'s" for n in range(place))
        return None if people or owned else _Parts((0, place), (0, 0), verb, (verb.end, len(sentence.tokens)))
    return None


def _headed(sentence: Sentence) -> _Parts | None:
    """ "Kim's sewing drill: the lamp at 80": whose occasion it is, and after a colon what goes with it."""
    colon = next((n for n in range(1, len(sentence.tokens)) if sentence.word(n) == ":"), None)
    owned = next((n for n in range(_SHORT_HEAD) if sentence.word(n) in ("'s", "my", "our")), None)
    if colon is None or owned is None or not owned + 1 < colon <= owned + _SHORT_HEAD:
        return None
    if any(one.names for several in sentence.at[owned + 1 : colon] for one in several):
        return None
    own = sentence.word(owned) != "'s"
    person = (owned, owned + 1) if own else (0, owned)
    known = own or any(_is_name(sentence, n) or sentence.here("hg:KinWord", n) for n in range(owned))
    return _Parts((owned + 1, colon), person, None, (colon + 1, len(sentence.tokens))) if known else None


def _taken(sentence: Sentence, verb: Stretch) -> int | None:
    """Where "with" stands after something of one's own that is nothing here: "I take my tea with the lamp at 45"."""
    if sentence.word(verb.end) not in _NO_SUBJECT:
        return None
    for place in range(verb.end + 2, min(verb.end + _SHORT_HEAD, len(sentence.tokens))):
        if any(one.names for one in sentence.at[place - 1]):
            return None
        if sentence.word(place) == "with":
            return place
    return None


def _is_all_occasion(sentence: Sentence, start: int, end: int) -> bool:
    """Whether what stands between a mark and a comma has no verb of wanting with a person before it."""
    subject, verb = _subject(sentence, start)
    if verb is None or verb.start >= end or subject == (0, 0):
        return True
    first = start + 1 if sentence.word(start) in ("the", "my", "our") else start
    clause = sentence.said(0, start).casefold() in _CLAUSES
    return clause and subject[0] == first  # "when the twins have their nap, …"


def _subject(sentence: Sentence, start: int) -> tuple[tuple[int, int], Stretch | None]:
    """Who wants, and the verb with which it is said, from a place on; (0, 0) for nobody."""
    for place in range(start, len(sentence.tokens)):
        end = _person_at(sentence, place)
        if sentence.word(place) in ("my", "our") and (verb := _verb(sentence, place + 1, 5)) is not None:
            return (place, place + 1), verb  # "my wind-down is …"
        if end == place:
            continue
        after = end
        if sentence.word(end) == "'s":  # "Alex's partner Sam", "Alex's wind-down means"
            inner = next((n for n in range(end + 1, len(sentence.tokens)) if _person_at(sentence, n) > n), None)
            verb = _verb(sentence, end + 1, 5)
            if verb is not None and (inner is None or inner > verb.start):
                return (place, end + 1), verb
            continue
        while (often := sentence.here("hg:OftenWord", after)) is not None:
            after = often.end
        wanting = sentence.here("hg:WantingWord", after)
        if wanting is not None:
            return (place, end), wanting
    return (0, 0), None


def _verb(sentence: Sentence, start: int, within: int) -> Stretch | None:
    """The first verb of wanting within some words of a place."""
    for place in range(start + 1, min(start + within, len(sentence.tokens))):
        found = sentence.here("hg:WantingWord", place)
        if found is not None and not any(one.names for one in sentence.at[place]):
            return found
    return None


def _habit(sentence: Sentence, start: int) -> _Parts | None:
    """ "Alex always washes with …": what somebody does, and how; None where nobody does anything."""
    for place in range(start, len(sentence.tokens)):
        end = _person_at(sentence, place)
        if end == place:
            continue
        after = end
        while (often := sentence.here("hg:OftenWord", after)) is not None:
            after = often.end
        if 0 < after < len(sentence.tokens) and after < end + 3:
            activity = sentence.at[after][0] if sentence.at[after] else Stretch(after, after + 1)
            if activity.named and not activity.terms:
                continue
            return _Parts((after, activity.end), (place, end), None, (after, len(sentence.tokens)), activity)
    return None


def _person_at(sentence: Sentence, place: int) -> int:
    """Past the words for a person that begin here; the place itself where none do. Names are written large."""
    if sentence.word(place) in _NO_SUBJECT:
        return place
    if sentence.here("hg:SelfWord", place) is not None or sentence.here("hg:OtherWord", place) is not None:
        return place + 1
    end = place
    kin = sentence.here("hg:KinWord", place)
    if kin is not None:
        if _is_of_a_name(sentence, kin):
            return place  # "the air cleaner"
        end = kin.end
    while end < len(sentence.tokens) and _is_name(sentence, end):
        end += 1
    return end


def _is_of_a_name(sentence: Sentence, kin: Stretch) -> bool:
    """Whether a word for somebody is a part of a longer name of something here."""
    around = sentence.at[max(0, kin.start - 2) : kin.start + 1]
    longer = [one for several in around for one in several if one.names and one.end - one.start > kin.end - kin.start]
    return any(one.start <= kin.start and kin.end <= one.end for one in longer)


def _is_name(sentence: Sentence, place: int) -> bool:
    token = sentence.tokens[place]
    raw = sentence.text[token.start : token.end]
    known = any(one.names or one.terms for one in sentence.at[place])
    return token.kind is TokenKind.WORD and raw[:1].isupper() and not known and token.text != "'s"


def _first_named(sentence: Sentence, start: int) -> int:
    """Where the first thing is named after an occasion without a comma: "for dishes the kitchen heater …"."""
    for place in range(start + 1, len(sentence.tokens)):
        if sentence.word(place - 1) in ("the", "my", "our", "their", "her", "his", "all", "every"):
            named = any(one.names for one in sentence.at[place])
            if named and place - 1 > start:
                return place - 1
    return start


def _tailed(sentence: Sentence, parts: _Parts) -> _Parts:
    """The parts, where an occasion stands at the end: "… at 20 percent late at night", "… when she reads"."""
    begin, last = parts.wanted
    if parts.occasion[0] < parts.occasion[1]:
        return parts
    for place in range(begin + 1, last):
        mark = sentence.here("hg:OccasionMark", place)
        inner = mark.end if mark is not None else place
        clause = mark is not None and sentence.said(place, mark.end).casefold() in _CLAUSES
        if (clause and inner < last) or _is_time(sentence, inner, last):
            return replace(parts, occasion=(inner, last), wanted=(begin, place))
    return parts


def _is_time(sentence: Sentence, start: int, end: int) -> bool:
    """Whether words are about an occasion, a part of the day or a day, and about nothing else."""
    place, found = start, False
    while place < end:
        step = next((one for one in sentence.at[place] if one.terms and one.end <= end and _tells_time(one)), None)
        if step is None and sentence.word(place) not in ("the", "a", "in", "on", "at", "my", "and", ","):
            return False
        found, place = found or step is not None, step.end if step is not None else place + 1
    return found


def _tells_time(stretch: Stretch) -> bool:
    return any("Hours" in term or term in _DAYS for term in stretch.terms) or stretch.end - stretch.start > 9


_DAYS = frozenset(
    expand(f"hg:{name}")
    for name in ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", "Weekend", "Weekday")
)


def _person(sentence: Sentence, parts: _Parts, teller: str | None) -> str:
    """Whom a statement is about: who tells it where it speaks of "I", "" where it speaks of nobody."""
    start, end = parts.person if parts.person[0] < parts.person[1] else _doer(sentence, parts)
    if start == end:
        return ""
    if sentence.here("hg:SelfWord", start) is not None:
        return teller or ""
    names = [n for n in range(start, end) if _is_name(sentence, n)]
    name = sentence.said(names[0] if names else start, end).removesuffix("'s").strip()
    return teller if teller is not None and teller.casefold() == name.casefold() else name


def _doer(sentence: Sentence, parts: _Parts) -> tuple[int, int]:
    """Where who does something on an occasion is named, of which nobody is said to want it: "when Tom draws, the lamp
    is at …" is how Tom has it."""
    start, end = parts.occasion
    marks = [one for one in sentence.stretches() if one.end == start and one.can("hg:OccasionMark")]
    clause = any(sentence.said(one.start, one.end).casefold() in _CLAUSES for one in marks)
    if not clause or start >= end or sentence.here("hg:KinWord", start) is not None:
        return 0, 0
    if sentence.here("hg:SelfWord", start) is not None:
        return start, start + 1
    last = start
    while last < end and _is_name(sentence, last):
        last += 1
    return start, last


def _occasion(sentence: Sentence, parts: _Parts, context: Context) -> Occasion:
    start, end = parts.occasion
    if start >= end:
        return Occasion()
    inside = [one for one in sentence.stretches() if start <= one.start and one.end <= end]
    kinds = tuple(sorted(occasions_in(sentence, context, start, end)))
    spoken = {term for one in inside for term in one.terms}
    meant = tuple(
        sorted(
            int(str(python(day)))
            for term, day in context.store.select("memory/days")
            if term is not None and day is not None and term.value in spoken
        )
    )
    daytimes = tuple(one for one in Daytime if expand(f"hg:{one.value.capitalize()}Hours") in spoken)
    return Occasion(
        kinds, tuple(_words(sentence, start, end)), tuple(sorted(company(sentence, start, end))), daytimes, meant
    )


def company(sentence: Sentence, start: int, end: int) -> set[str]:
    """The words for those whose occasion it is, where it is not the speaker's: one word for all words for children."""
    found = set()
    for place in range(start, end):
        kin = sentence.here("hg:KinWord", place)
        if (
            kin is None
            or (sentence.word(kin.end) == "'s" and not _is_theirs(sentence, kin.end + 1))
            or any(one.names and one.end > kin.end for one in sentence.at[place])
        ):
            continue
        if kin.can("hg:GuestWord"):
            continue  # an occasion of its own
        same = next((name for name in ("Child", "Baby") if kin.can(f"hg:{name}Word")), None)
        found.add(same.casefold() if same else singular(sentence.said(kin.start, kin.end).casefold()))
    return found


def _is_theirs(sentence: Sentence, place: int) -> bool:
    """Whether a possession is an occasion, and nobody and nothing here: "the children's bedtime"."""
    several = sentence.at[place] if place < len(sentence.at) else ()
    return bool(several) and not any(one.names or one.can("hg:KinWord") for one in several)


def _words(sentence: Sentence, start: int, end: int) -> list[str]:
    """The words of an occasion that no term of the ontology has, in their dictionary form."""
    known = {n for one in sentence.stretches() if one.terms or one.names for n in range(one.start, one.end)}
    free = [sentence.tokens[n] for n in range(start, end) if n not in known]
    return sorted(
        {
            forms(t.text)[-1]
            for t in free
            if t.kind is TokenKind.WORD and len(t.text) >= _SMALL and t.text not in _FUNCTION
        }
    )


_FUNCTION = frozenset(
    {
        "the",
        "and",
        "for",
        "with",
        "from",
        "into",
        "onto",
        "off",
        "out",
        "there",
        "here",
        "time",
        "going",
        "their",
        "its",
    }
)


def _goals(
    sentence: Sentence, parts: _Parts, occasion: Occasion, context: Context, reader: Reader
) -> tuple[Intent, ...]:
    start, end = parts.wanted
    wanted = sentence.said(start, end)
    head = sentence.said(*parts.occasion)
    names = {
        role
        for one in sentence.stretches()
        if parts.occasion[0] <= one.start and one.end <= parts.occasion[1]
        for role, _ in one.named
    }
    about = head if parts.verb is not None and not occasion.kinds and names & {Role.THING, Role.DEVICE} else ""
    owner = next(
        (
            sentence.said(k.start, k.end)
            for k in sentence.stretches()
            if k.can("hg:KinWord") and k.end <= parts.occasion[1]
        ),
        "",
    )
    places = _places(sentence, parts)
    used = parts.verb is not None and parts.verb.can("hg:UsingWord")
    goals = goals_of(wanted, reader, context, owner if occasion.who else "", about, places, used=used)
    if not goals and parts.activity is not None:
        rest = sentence.said(parts.activity.end, end).removeprefix("with ")
        goals = goals_of(rest, reader, context, places=places)
    if used:
        goals = (*_switched_on(goals), *goals)
    return goals


def _places(sentence: Sentence, parts: _Parts) -> tuple[str, ...]:
    """Where an occasion takes place: what is wanted on it is wanted there."""
    inside = [o for o in sentence.stretches() if parts.occasion[0] <= o.start and o.end <= parts.occasion[1]]
    return tuple(dict.fromkeys(iri for one in inside for role, iri in one.named if role is Role.PLACE))


def _switched_on(goals: Iterable[Intent]) -> list[Intent]:
    """Who uses a thing has it on."""
    on = expand("hg:TurnOn")
    selections = list(dict.fromkeys(one.selection for one in goals if one.command is None))
    first = {one.selection: one for one in reversed(list(goals))}
    return [replace(first[s], command=on, property=None, amount=None, inputs=()) for s in selections]


def _topics(sentence: Sentence) -> Iterable[str]:
    """The content words of a statement, in their dictionary form."""
    for token in sentence.tokens:
        if token.kind is TokenKind.WORD and len(token.text) >= _SMALL and token.text not in _FUNCTION:
            yield singular(token.text)


def is_statement(sentence: Sentence, context: Context) -> bool:
    """Whether somebody tells how they always want something, or something of themselves, and orders nothing: "I always
    want …", "Sam likes …", "my favourite … is …"."""
    if sentence.find("hg:PoliteWord") is not None or not sentence.tokens:
        return False
    matches = context.dictionary.lexicon.at(sentence.tokens, 0)
    if any(entry.role in (Role.COMMAND, Role.LIGHT_VERB) for match in matches for entry in match.entries):
        return False
    if is_habitual(sentence):
        return True
    if (rule := sentence.here("hg:HabitWord", 0)) is not None:  # "as a rule I keep …"
        place = rule.end + (sentence.word(rule.end) == ",")
        return sentence.word(place) in ("i", "we")
    if sentence.here("hg:OccasionMark", 0) is not None:
        return _is_of_occasion(sentence)
    if sentence.word(0) in ("my", "our"):
        matter = next((one for n in range(1, 4) if (one := sentence.here("hg:PersonalMatter", n)) is not None), None)
        if matter is None:
            return False
        told = any(sentence.word(n) in ("is", "are") for n in range(matter.start, len(sentence.tokens)))
        return told or _is_short_for_is(sentence, matter.end)
    end = _person_at(sentence, 0)
    if end == 0 or sentence.word(0) in ("it", "they", "you"):
        return False
    habit = sentence.here("hg:HabitWord", end)
    if habit is not None:
        return True
    return sentence.here("hg:SelfWord", 0) is None and sentence.here("hg:TasteVerb", end) is not None


def _is_short_for_is(sentence: Sentence, place: int) -> bool:
    """ "My fave colour's purple": what follows belongs to nobody."""
    after = sentence.tokens[place + 1 :]
    return sentence.word(place) == "'s" and len(after) == 1 and after[0].kind is TokenKind.WORD


def _is_of_occasion(sentence: Sentence) -> bool:
    """ "For the match I usually have …": an occasion, and then what somebody always does. Likings on an occasion are
    read as wishes."""
    for place in range(1, len(sentence.tokens)):
        end = _person_at(sentence, place)
        if end == place or sentence.word(place) in ("it", "they", "you", "its"):
            continue
        if sentence.here("hg:HabitWord", end) is not None:
            return True
        if _recurs(sentence, place) and _has_it_so(sentence, end):
            return True
    return False


def _recurs(sentence: Sentence, end: int) -> bool:
    """Whether an occasion before a place comes again and again: "in the evenings", "on Fridays", "every morning"."""
    times = [one for one in sentence.stretches() if one.end <= end and _tells_time(one)]
    again = sentence.word(0) in ("every", "each") or (sentence.word(0) == "in" and sentence.word(1) == "the")
    return any(again or sentence.word(one.end - 1).endswith("s") for one in times)


def _has_it_so(sentence: Sentence, place: int) -> bool:
    """Whether somebody has or keeps something so, from a place on; a liking or a wish is read as one."""
    if sentence.here("hg:TasteVerb", place) is not None:
        return False
    verb, wish = sentence.here("hg:KeepingWord", place), sentence.here("hg:WishVerb", place)
    return verb is not None and (wish is None or wish.end < verb.end)  # "I am having"
