"""What a request leaves to memory ("how I like it", "the usual", "bedtime"), filled from the facts that are known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, time
from functools import cache
from itertools import pairwise
from weakref import WeakKeyDictionary

from engine.graph.store import GraphStore
from engine.graph.terms import python
from engine.language.chart.heard.items import Sort, function_words
from engine.language.meanings.context import Context
from engine.language.words.lexicon import Role
from engine.language.words.morphology import forms
from engine.language.words.tokens import TokenKind
from engine.memory.said.asked import forgetting
from engine.memory.said.resembling import resembling
from engine.memory.said.statements import company, is_statement
from engine.memory.said.whose import SELF, asks_for_own, is_own_way, owner
from engine.memory.said.words import Sentence, occasions_in, read, told_of_occasions
from engine.model.fact import Daytime, Fact, Statement
from engine.model.intent import Intent
from engine.model.selection import Select
from engine.model.thing import Thing

_AUXILIARIES = frozenset(
    {"is", "are", "was", "were", "do", "does", "did", "has", "have", "am", "should", "will", "can"}
)
_HEADS = frozenset({"what", "which", "who", "how", "when", "where", "why", "whose", "what's", "who's"})
_VERBS_FIRST = frozenset({"is", "are", "was", "were", "does", "did", "has", "am", "isn't", "aren't", "should"})
_DENIALS = frozenset(
    {"not", "don't", "never", "no", "without", "isn't", "won't", "didn't", "doesn't", "nothing", "cannot", "can't"}
)
_RULES = frozenset(
    {"if", "when", "whenever", "unless", "until", "till", "every", "each", "tomorrow", "later", "once", "after"}
)
_MOST_KNOWN = 200_000
"""Of how many facts it is kept at hand what they want something of."""
_WAS = frozenset({Sort.PastMark.value, Sort.PastBeing.value, Sort.Reporting.value})
_FEW = 3
"""Of how many words a clause is at least that says something by itself."""
_OBJECTS = (Role.THING, Role.DEVICE)
_WHERE = (Role.PLACE,)


@dataclass(slots=True)
class _Wanted:
    """What facts want something of, each such selection once: many facts are about the same."""

    several: list[tuple[Select, ...]] = field(default_factory=list)
    numbers: dict[tuple[Select, ...], int] = field(default_factory=dict)
    of: dict[str, int] = field(default_factory=dict)

    def number(self, fact: Fact) -> int:
        """Which of them it is for a fact."""
        found = self.of.get(fact.iri)
        if found is None:
            if len(self.of) > _MOST_KNOWN:
                self.of.clear()
            wanted = tuple(goal.selection for goal in fact.goals)
            found = self.of[fact.iri] = self.numbers.setdefault(wanted, len(self.several))
            if found == len(self.several):
                self.several.append(wanted)
        return found


_wanted: WeakKeyDictionary[GraphStore, _Wanted] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Recollection:
    """The facts that a request is about, and the goals that they give it; no facts: it is not known what is wanted, and
    `question` asks for it; `loose`: it only has the words of an occasion that no term of the ontology has, so that any
    other sure reading counts more."""

    facts: tuple[Fact, ...]
    goals: tuple[Intent, ...]
    question: str = ""
    loose: bool = False

    @property
    def unknown(self) -> bool:
        """Whether all that is known is that somebody's own way is wanted."""
        return not self.facts and all(goal.fault is not None for goal in self.goals)

    @property
    def alternatives(self) -> tuple[tuple[tuple[Intent, ...], ...], ...]:
        """The goals as readings, one each."""
        return tuple(((goal,),) for goal in self.goals)


@dataclass(frozen=True, slots=True)
class _Request:
    """What a request says that facts are compared with. `owner` is whose way is wanted: SELF, a name, or None where
    nobody's is spoken of; `pure`: it says nothing of what is to be done."""

    owner: str | None
    occasions: dict[str, int]
    company: frozenset[str]
    of_self: bool
    topics: frozenset[str]
    things: frozenset[str]
    classes: frozenset[str]
    places: frozenset[str]
    pure: bool


def recall(
    text: str, user: str | None, facts: Sequence[Fact], request: str, now: datetime, context: Context
) -> Recollection | None:
    """What the facts make of a request; None where it leaves nothing to memory, or says all that is to be done."""
    sentence = read(text, context)
    with_goals = [one for one in facts if one.goals and one.holds_at(now)]
    if not sentence.tokens or is_question(sentence) or is_denied(sentence) or is_statement(sentence, context):
        return None
    if forgetting(sentence) is not None:
        return None
    said = _said(sentence, with_goals, user, context)
    if said.owner is None and not (said.pure and said.occasions):
        return _loosely(sentence, with_goals, said, user, request, now, context)
    known = _wanted.setdefault(context.store, _Wanted())
    near = cache(lambda number: _nearness(known.several[number], said, context))
    fitting = [one for one in with_goals if _may_fit(one, said)]
    ranked = [(_score(one, lambda one: near(known.number(one)), said, user, now, context), one) for one in fitting]
    best = max((score for score, _ in ranked), default=0)
    if best <= 0:
        if (found := _resembled(sentence, with_goals, said, user, request, context)) is not None:
            return found
        return _unknown(text, request) if said.owner is not None and said.pure and asks_for_own(sentence) else None
    chosen = [one for score, one in ranked if score == best]
    if said.owner is None and _is_left_to_scene(chosen, context):
        return None
    goals = _union(chosen)
    return Recollection(tuple(chosen), numbered([*goals, *_begun(goals, chosen, said, context)], request, text))


def _loosely(
    sentence: Sentence,
    facts: Iterable[Fact],
    said: _Request,
    user: str | None,
    request: str,
    now: datetime,
    context: Context,
) -> Recollection | None:
    """What a request comes to that says no more than that an occasion is now, in the words in which it was told: "tea
    time!", where somebody told how they take their tea; or in words that are near in meaning."""
    if sentence.has_number:
        return None
    found = [] if said.occasions else [one for one in facts if _is_announced(one, sentence, said, user)]
    found = [one for one in found if _is_now(one, now, context.store)] or found  # a chess night begins in the evening
    goals = _union(found)
    if not goals:
        return _resembled(sentence, facts, said, user, request, context)
    return Recollection(tuple(found), numbered(goals, request, sentence.text), loose=True)


def _is_announced(fact: Fact, sentence: Sentence, said: _Request, user: str | None) -> bool:
    """Whether a request says no more than that the occasion of a fact is now, in its words."""
    own = fact.occasion
    told = own.words and not own.kinds and said.topics.issuperset(own.words)
    return bool(told) and _is_theirs(fact, said, user) and _says_no_more(sentence, fact)


def _resembled(
    sentence: Sentence, facts: Iterable[Fact], said: _Request, user: str | None, request: str, context: Context
) -> Recollection | None:
    """The recollection of a request that speaks of nothing here, in words near in meaning to those of an occasion; None
    where somebody else's way is asked for, or nobody says that it is so now."""
    if said.things or said.classes or not said.pure or said.owner not in (None, SELF):
        return None
    if said.owner is None and not _is_happening(sentence, context):
        return None
    theirs = [one for one in facts if one.about(user) or one.person.casefold() in said.topics]
    found = resembling(sentence.text, theirs, user, context, own=said.owner is SELF)
    if found is None or _is_elsewhere(found, said, context):
        return None
    return Recollection((found,), numbered(_union([found]), request, sentence.text), loose=said.owner is None)


def _is_happening(sentence: Sentence, context: Context) -> bool:
    """Whether words say that something is so now, or begins: not that it was, nor that somebody loves it."""
    sorts = function_words(context.store).sorts_in(sentence.tokens)
    clipped = any(token.text.startswith("'") for token in sentence.tokens)  # "Ida's on the line"
    now = clipped or Sort.Being.value in sorts or sentence.find("hg:AnnouncingWord") is not None
    return now and not (sorts & _WAS or _names_a_past(sentence, context))


def _names_a_past(sentence: Sentence, context: Context) -> bool:
    """Whether a stretch of the past is named: "last night"."""
    named = {row[0].value for row in context.store.select("memory/past_spans") if row[0] is not None}
    return any(not named.isdisjoint(one.terms) for one in sentence.stretches())


def _says_no_more(sentence: Sentence, fact: Fact) -> bool:
    """Whether each word is of the occasion of a fact, or only says that it is now."""
    kinds = ("hg:AnnouncingWord", "hg:SelfWord", "hg:PoliteWord", "hg:UsualWord")
    said = [one for one in sentence.stretches() if any(map(one.can, kinds))]
    covered = {n for one in said for n in range(one.start, one.end)}
    words = set(fact.occasion.words)
    return all(
        n in covered or token.kind is not TokenKind.WORD or len(token.text) < _FEW or words & set(forms(token.text))
        for n, token in enumerate(sentence.tokens)
    )


def _begun(goals: Sequence[Intent], chosen: Sequence[Fact], said: _Request, context: Context) -> list[Intent]:
    """The intents that begin the occasion of a request, on the things of its goals: who says "the laundry as always"
    wants the machine to wash, too."""
    kinds = {kind for one in chosen for kind in one.occasion.kinds if kind in said.occasions}
    rows = context.store.select("memory/begun") if kinds else []
    commands = [
        command.value for one, command in rows if one is not None and command is not None and one.value in kinds
    ]
    things = dict.fromkeys(context.registry.thing_of[i].iri for goal in goals for i in goal.selection.things)
    return [
        Intent("", "", selection=Select(things=(iri,)), command=command)
        for command in commands
        if not any(goal.command == command for goal in goals)
        for iri in things
        if any(command in action.commands for action in context.registry.things[iri].actions)
    ]


def _unknown(text: str, request: str) -> Recollection:
    """Somebody's own way is wanted, and nobody has told it."""
    return Recollection((), (Intent(f"{request}/intent-1", text, fault="missing_value", subject=text[:200]),))


def is_question(sentence: Sentence) -> bool:
    """Whether something is asked: a question never acts. Who asks "would you …" wants it done."""
    first, second = sentence.word(0), sentence.word(1)
    if first in _VERBS_FIRST or (first == "do" and second in ("i", "we")):
        return True
    asks = sentence.text.rstrip().endswith("?")
    if asks and second in _HEADS and sentence.here("hg:OccasionMark", 0) is not None:  # "at what level was …?"
        return True
    behind = (token.text for before, token in pairwise(sentence.tokens) if before.kind is TokenKind.PUNCTUATION)
    if asks and not _HEADS.isdisjoint(behind):
        return True  # "rooms with someone in them, how many is that?"
    return first in _HEADS and (second in _AUXILIARIES or asks)


def is_denied(sentence: Sentence) -> bool:
    """Whether something is not to be, or not now."""
    words = [token.text for token in sentence.tokens]
    said = [one for one in sentence.stretches() if one.can("hg:UsualWord") or one.can("hg:PoliteWord")]
    covered = {n for one in said for n in range(one.start, one.end)} | set(_aside(sentence))
    return any(w in _DENIALS | _RULES and n not in covered for n, w in enumerate(words))


def _aside(sentence: Sentence) -> Iterable[int]:
    """The places of a clause before the first comma in which nobody speaks of anything here, nor of what they are about
    to do: "don't anyone talk to me, …"."""
    comma = next((n for n in range(len(sentence.tokens)) if sentence.word(n) == ","), 0)
    before = [one for several in sentence.at[:comma] for one in several]
    talks = ("hg:UsualWord", "hg:OwnWay", "hg:AsWord", "hg:BackWord")
    about = any(one.names or any(map(one.can, talks)) for one in before) or sentence.word(0) in _RULES
    return () if about or comma < _FEW else range(comma)


def _said(sentence: Sentence, facts: Iterable[Fact], user: str | None, context: Context) -> _Request:
    names = {one.person.casefold() for one in facts if one.person}
    occasions = occasions_in(sentence, context)
    told = told_of_occasions(sentence, occasions)
    things = sentence.named(*_OBJECTS, apart=told)
    if not occasions and not things and (sentence.find("hg:UsualWord") is not None or is_own_way(sentence)):
        occasions = occasions_in(sentence, context, also_named=True)  # "the laundry, as always": no room is meant
    held = context.dictionary.held
    return _Request(
        owner(sentence, names, user, occasions, context),
        occasions,
        frozenset(company(sentence, 0, len(sentence.tokens))),
        sentence.find("hg:SelfWord") is not None,
        frozenset(form for t in sentence.tokens if t.kind is TokenKind.WORD for form in forms(t.text)),
        frozenset(iri for iri, role in things.items() if role is Role.THING),
        frozenset(iri for iri, role in things.items() if role is Role.DEVICE and iri in held),
        frozenset(sentence.named(*_WHERE)),
        _is_pure(sentence, context),
    )


def _is_pure(sentence: Sentence, context: Context) -> bool:
    """Whether a request says neither how much nor what to do with which thing."""
    if sentence.has_number:
        return False
    covered = {n for one in sentence.stretches() if one.terms for n in range(one.start, one.end)}
    matches = [m for n in range(len(sentence.tokens)) for m in context.dictionary.lexicon.at(sentence.tokens, n)]
    return not any(
        match.end - match.start > 1 and entry.role is Role.COMMAND and not set(range(match.start, match.end)) & covered
        for match in matches
        for entry in match.entries
    )


def _may_fit(fact: Fact, said: _Request) -> bool:
    """Whether a fact can be what a request is about, at a glance: its occasion is spoken of, or what it is about."""
    if not said.topics.isdisjoint(fact.occasion.words) or any(kind in said.occasions for kind in fact.occasion.kinds):
        return True
    return said.owner is not None and bool(said.things or said.classes or said.places)


def _score(
    fact: Fact,
    near: Callable[[Fact], tuple[int, bool]],
    said: _Request,
    user: str | None,
    now: datetime,
    context: Context,
) -> int:
    """How well a fact fits a request: its occasion first, then its things and places; 0 where it is not what the
    request is about."""
    if not _is_theirs(fact, said, user) or not _is_now(fact, now, context.store):
        return 0
    occasion = sum(said.occasions.get(kind, 0) for kind in fact.occasion.kinds)
    occasion += len(said.topics & set(fact.occasion.words))
    close, strange = near(fact)
    if said.owner is None:
        score = 0 if strange or not occasion else 10 * occasion + close
    else:
        aside = fact.statement is Statement.ROUTINE and fact.occasion.named and not occasion and close <= 1
        score = 10 * occasion + (0 if aside else 3 * close)
    return 0 if score and _is_elsewhere(fact, said, context) else score


def _nearness(wanted: tuple[Select, ...], said: _Request, context: Context) -> tuple[int, bool]:
    """How much of what is wanted a request names, and whether it names what is not wanted."""
    things = {iri for select in wanted for iri in select.things}
    classes = {iri for select in wanted for iri in select.classes}
    classes |= {cls for iri in things for cls in _classes(iri, context)}
    is_a = context.vocabulary.is_a
    near = 2 * len(things & said.things) + len(_places(wanted, context) & said.places)
    near += sum(any(is_a(one, other) or is_a(other, one) for other in classes) for one in said.classes)
    strange = (said.things - things) or {c for c in said.classes if not any(is_a(o, c) for o in classes)}
    return near, bool(strange)


def _is_theirs(fact: Fact, said: _Request, user: str | None) -> bool:
    """Whether a fact is about whose way is wanted: the speaker's own, or that of somebody who is named."""
    if said.owner not in (None, SELF):
        return fact.person.casefold() == said.owner
    if not fact.about(user):
        return False
    who = set(fact.occasion.who)
    return who <= said.company and bool(who or not said.company or said.of_self)


def _is_now(fact: Fact, now: datetime, store: GraphStore) -> bool:
    """Whether it is one of the days and parts of the day that a fact is for."""
    occasion = fact.occasion
    if occasion.days and now.weekday() not in occasion.days:
        return False
    return not occasion.daytimes or any(is_hour(one, now, store) for one in occasion.daytimes)


def is_hour(part: Daytime, now: datetime, store: GraphStore) -> bool:
    """Whether a moment is in a part of the day."""
    for _, name, start, end in store.select("memory/hours"):
        if name is not None and name.value == part.value and start is not None and end is not None:
            begin, until, at = time.fromisoformat(start.value), time.fromisoformat(end.value), now.time()
            return begin <= at < until if begin <= until else at >= begin or at < until
    return True


def _is_elsewhere(fact: Fact, said: _Request, context: Context) -> bool:
    """Whether a request is about another place than anything that a fact is about."""
    if not said.places:
        return False
    own = _possible_places(fact, context)
    around = {up for iri in own for up in _around(iri, context)}
    return bool(own) and not said.places & around and not any(set(_around(p, context)) & own for p in said.places)


def _classes(iri: str, context: Context) -> frozenset[str]:
    """What a thing, or a part of one, is."""
    part = context.registry.parts.get(iri)
    return part.classes if part is not None else frozenset()


def _places(wanted: Iterable[Select], context: Context) -> set[str]:
    """Where what is wanted is."""
    registry, several = context.registry, list(wanted)
    rooms = {registry.thing_of[i].place for one in several for i in one.things if i in registry.thing_of}
    return {iri for one in several for iri in one.places} | {room for room in rooms if room}


def _possible_places(fact: Fact, context: Context) -> set[str]:
    """Where a fact can be about: where its goals are, and where there is anything of the classes that stand alone."""
    wanted = [goal.selection for goal in fact.goals]
    alone = {c for one in wanted if not one.places for c in one.classes}
    things = context.registry.things.values() if alone else ()
    return _places(wanted, context) | {one.place for one in things if one.place and is_of(one, alone, context)}


def is_of(thing: Thing, classes: Iterable[str], context: Context) -> bool:
    """Whether a thing, or a part of it, is of one of these classes."""
    own = {c for part in thing.parts for c in part.every_class}
    return any(context.vocabulary.is_a(one, cls) for one in own for cls in classes)


def _around(place: str, context: Context) -> list[str]:
    """A place and those that hold it."""
    found: list[str] = []
    here: str | None = place
    while here and here not in found:
        found.append(here)
        known = context.registry.places.get(here)
        here = known.parent if known else None
    return found


def _is_left_to_scene(chosen: Sequence[Fact], context: Context) -> bool:
    """Whether a wish is one thing in a scene that the ontology knows: the rest of the scene is done as ever. Who only
    tells that they are back has their own goals done and no others."""
    kinds = {kind for one in chosen for kind in one.occasion.kinds}
    scenes = {row[0].value for row in context.store.select("planning/goals") if row[0] is not None}
    scenes -= {o.value for o, _, only in context.store.select("memory/presence") if o and only and python(only)}
    return sum(len(one.goals) for one in chosen) == 1 and bool(kinds & scenes)


def _union(chosen: Sequence[Fact]) -> list[Intent]:
    """The goals of several facts; of those on the same aspect of the same thing the last counts."""
    found: dict[object, Intent] = {}
    for fact in chosen:
        for goal in fact.goals:
            select = goal.selection
            found[(select.classes, select.things, select.places, goal.property, goal.command)] = goal
    return list(found.values())


def numbered(goals: Iterable[Intent], request: str, text: str) -> tuple[Intent, ...]:
    """Goals as the intents of a request."""
    return tuple(replace(goal, iri=f"{request}/intent-{n}", text=text) for n, goal in enumerate(goals, start=1))
