"""A request as the chart reads it: candidates with their intents, the features that rank them, and the account."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

from engine.environment.selection import Selector
from engine.errors import HearthgraphError
from engine.graph.terms import expand
from engine.language.chart.goals.assemble import Assembled
from engine.language.chart.goals.prepared import Read, heard_items, kept_readings, read, states_of_commands, tokens_of
from engine.language.chart.goals.search import readings
from engine.language.chart.heard.items import ARTICLES, PAUSES, Item, Sort, function_words, includes, is_unknown
from engine.language.chart.heard.targets import targets
from engine.language.chart.joining.frames import State
from engine.language.chart.joining.function import HEADS
from engine.language.chart.joining.sentence import Sentence
from engine.language.chart.judging.lost import Named, named
from engine.language.chart.later.ruled import rule
from engine.language.meanings.context import Context
from engine.language.meanings.past import Hearing, Undo
from engine.language.meanings.past import Item as Said
from engine.language.meanings.readings import Alternatives
from engine.language.phrases.coordination import Goal
from engine.language.talk.anaphora import settled
from engine.language.talk.corrections import undo, undoes_here, without_doubles
from engine.language.talk.discourse import _items, interpreted
from engine.language.words.records import replace
from engine.language.words.tokens import Token
from engine.model.intent import Category, Intent, Operation
from engine.model.rule import Rule
from engine.model.selection import Quantity, Select
from engine.model.vocabulary import Form
from engine.resources import folder

MOST_TOKENS = 60
_Told = TypeVar("_Told")
_OPENING = frozenset({Sort.Definite, Sort.Every, Sort.Any, Sort.Both, Sort.Possessive, Sort.Everything, Sort.Anything})
_BOUNDING = frozenset({Sort.Above, Sort.Below, Sort.AtLeast, Sort.AtMost, Sort.Within})
_RANKING = frozenset({Sort.SUPERLATIVE, Sort.Most, Sort.Least})
_SEVERAL = frozenset({Sort.PronounSeveral})
_POINTING = frozenset({Sort.PronounSeveral, Sort.One, Sort.NUMBER, Sort.SUPERLATIVE})
MOST_ALIKE = 2
MOST_TOLD = 8
MOST_READ = 12
"""How many different meanings are tried in the home."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One reading: its intents by goal, what it would do (`effect`), why it ranks where it does, and what became of
    each word."""

    goals: tuple[Alternatives, ...]
    items: tuple[Said, ...]
    features: Mapping[str, float]
    score: float
    effect: tuple[str, ...]
    account: tuple[tuple[int, int, str], ...] = ()
    hearing: Hearing = field(default_factory=Hearing)

    @property
    def intents(self) -> list[Intent]:
        """The intents of what each goal means first."""
        return intents_of(self.goals)


@dataclass(frozen=True, slots=True)
class Heard:
    """What a text was read as: its tokens and candidates, best first; what its words name; the likeliest reading of
    the chart, be it a rule or not; the items that the words may be; whether the sense of the whole was weighed; and
    whether it only names a property of something."""

    tokens: tuple[Token, ...]
    candidates: tuple[Candidate, ...]
    named: tuple[Named, ...] = ()
    first: Candidate | None = None
    items: tuple[tuple[Item, ...], ...] = ()
    sensed: bool = False
    bare: bool = False
    _known: dict[object, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def once(self, of_text: Callable[[Heard], _Told]) -> _Told:
        """The result of a function that looks at the words alone, worked out once for all candidates."""
        if of_text not in self._known:
            self._known[of_text] = of_text(self)
        found: _Told = self._known[of_text]
        return found

    def alike(self, candidate: Candidate) -> list[Candidate]:
        """The readings with an account of the words that come to the same as a candidate, the likeliest first."""
        return [one for one in self.candidates if one.account and one.effect == candidate.effect]


def intents_of(goals: Iterable[Alternatives]) -> list[Intent]:
    """The intents of the first reading of each goal."""
    return [intent for readings in goals for intent in readings[0]]


def not_understood(iri: str, text: str) -> Alternatives:
    """The one reading of a goal that is not understood."""
    return ((Intent(iri, text, fault="not_understood", subject=text[:200]),),)


def worth(features: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """How much features speak for a reading."""
    return sum(weights.get(name, 0.0) * count for name, count in features.items())


@cache
def model() -> Mapping[str, Any]:
    """What was learned: weights of features, and thresholds (`ontology/reading.json`)."""
    return json.loads((folder("ontology") / "reading.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def _where(sorts: frozenset[Sort], items: Sequence[Sequence[Item]]) -> frozenset[int]:
    """The places where an item of one of these sorts begins."""
    return frozenset(place for place, own in enumerate(items) if includes((own,), *sorts))


def heard(
    text: str,
    request: str,
    context: Context,
    learned: Mapping[str, float] | None = None,
    *,
    as_asked: bool = False,
) -> Heard:
    """What a text may mean in this home and conversation, likeliest first; `as_asked`: it tells how it is in the rooms
    that are meant."""
    learned = model()["weights"] if learned is None else learned
    words = function_words(context.store)
    tokens = tokens_of(text, context)
    if not tokens or len(tokens) > MOST_TOKENS:
        return Heard(tuple(tokens), ())
    items = heard_items(text, context)
    bare = names_a_property(tokens, items)
    sentence = Sentence(
        tokens, context.dictionary.lexicon, words.heard, states_of_commands(context), bool(context.past.turns),
        _where(_OPENING, items), _where(_POINTING, items), _where(_RANKING, items),
        _where(_BOUNDING, items), targets(items), _where(_SEVERAL, items), bare, as_asked,
    )  # fmt: skip

    def search() -> list[State]:
        return readings(sentence, items, learned)

    if learned is model()["weights"]:
        found = kept_readings(text, context, search, as_asked=as_asked)
    else:
        found = [read(tokens, text, state) for state in search()]
    candidates = _few(_candidates(found, tokens, text, request, context, learned))
    return Heard(
        tuple(tokens), tuple(grouped(candidates)), tuple(named(items)), items=tuple(map(tuple, items)), bare=bare
    )


def names_a_property(tokens: Sequence[Token], items: Sequence[Sequence[Item]]) -> bool:
    """Whether a text names a property and where it is, by a device or a place, and says no more: "living room
    temperature"."""
    if _begins_with_its_verb(items) or not includes(items, Sort.KIND):
        return False  # "mute the screen"
    words = [own for own in items if not includes((own,), *PAUSES)]
    if includes(words[-1:], Sort.On):
        return False  # "the lock's defence mode on"
    return any(Sort.KIND in told and len(told) > 1 for told in _only_named(tokens, items, _IN_NAMES))


def _begins_with_its_verb(items: Sequence[Sequence[Item]]) -> bool:
    """Whether a text begins with the word of an order, and not with a longer name: "*drawing room* temperature"."""
    own = items[0] if items else ()
    name = max((i.length for i in own if i.sort in _NAMED), default=0)
    return any(i.sort is Sort.VERB and i.length >= name for i in own)


def without_courtesy(text: str, context: Context) -> str:
    """The text without its courtesy, where all else names a property and where that is: "may I have the *temperature in
    the hall*, please". A thing that may be had is wished for: "music in the hall, please"."""
    tokens, items = tokens_of(text, context), heard_items(text, context)
    if not includes(items, Sort.KIND) or not includes(items, *_COURTEOUS):
        return text
    kinds = [own for own in items if includes((own,), Sort.KIND)]
    start, end = _plain_part(items)
    if start >= end or all(includes((own,), *_HAD) for own in kinds):
        return text
    named = text[tokens[start].start : tokens[end - 1].end]
    return named if names_a_property(tokens_of(named, context), heard_items(named, context)) else text


def _plain_part(items: Sequence[Sequence[Item]]) -> tuple[int, int]:
    """Where the part of a text begins and ends that has no courtesy before and behind it."""
    spans = {(i.start, i.end) for own in items for i in own if i.sort in (*_COURTEOUS, *PAUSES)}
    start, end = 0, len(items)
    while behind := max((to for at, to in spans if at == start), default=0):
        start = behind
    while (before := next((at for at, to in spans if to == end), None)) is not None:
        end = before
    return start, end


def with_comparison_last(text: str, context: Context) -> str:
    """A question that begins with the second side of its comparison, in the usual order: "compared to the hall, *how
    much warmer is the study?*"; any other text as it is."""
    tokens, items = tokens_of(text, context), heard_items(text, context)
    first = items[0] if items else ()
    widest = max((i.length for i in first), default=0)
    led = {i.sort for i in first if i.sort is not Sort.WORD and i.length == widest}
    end = next((n for n, own in enumerate(items) if includes((own,), Sort.PauseMark)), 0)
    asks = led == {Sort.Than} and includes(items[:end], *_NAMED) and includes(items[end + 1 : end + 2], *HEADS)
    if not asks or includes(items[end + 1 :], Sort.Than):
        return text
    question = text[tokens[end + 1].start :].rstrip(" ?.!")
    return f"{question} {text[tokens[0].start : tokens[end - 1].end]}?"


def names_things(tokens: Sequence[Token], items: Sequence[Sequence[Item]]) -> bool:
    """Whether a text names things or places, behind an article or "of", and says no more: "the kitchen light", "the
    back door", "a picture of the hall"."""
    begins = includes(items[:1], *_OPENING, Sort.Indefinite) or includes(items[1:2], Sort.Of)
    if not begins or len(tokens) > MOST_NAMED or includes(items[-1:], Sort.Loose):
        return False
    plain = [
        [i for i in own if i.sort is not Sort.WORD or _tells_which(place, items)] for place, own in enumerate(items)
    ]
    return any(told and Sort.KIND not in told for told in _only_named(tokens, plain, _NAMES_OF_THINGS))


def _tells_which(place: int, items: Sequence[Sequence[Item]]) -> bool:
    """Whether a word that nobody knows only tells which thing is meant: "*state* of the door", "the *old* lamp"."""
    leads = (Sort.NOUN, Sort.PLACE, Sort.Of) if place <= 1 else (Sort.NOUN, Sort.PLACE)
    return {i.sort for i in items[place]} == {Sort.WORD} and includes(items[place + 1 : place + 2], *leads)


def _only_named(
    tokens: Sequence[Token], items: Sequence[Sequence[Item]], sorts: Set[Sort]
) -> Iterator[frozenset[Sort]]:
    """The sorts of the names that a text consists of, for each way to take it as names of these sorts alone."""
    ways: list[set[tuple[frozenset[Sort], bool]]] = [{(frozenset(), True)}, *(set() for _ in tokens)]
    for place, own in enumerate(items):
        done = includes((own,), Sort.VERB)  # "tv mute"
        for item in own:
            if item.sort in sorts and not (done and item.sort is Sort.KIND):
                opens, joins = item.sort in _OPENING, item.sort in _JOINING
                ways[item.end] |= {
                    (told | ({item.sort} & _NAMED), joins) for told, at in ways[place] if at or not opens
                }
    return (told for told, _ in ways[len(tokens)])


MOST_NAMED = 8
"""Of how many words a text is at most that only names things."""
_NAMED = {Sort.KIND, Sort.NOUN, Sort.PLACE, Sort.Here}
_JOINING = {Sort.In, Sort.Of, Sort.On, Sort.And, Sort.PauseMark}
_COURTEOUS, _HAD = (Sort.Requesting, Sort.Fillers), (Sort.NOUN, Sort.VALUE, Sort.Content)
_IN_NAMES = {*_NAMED, *_JOINING, Sort.Definite, Sort.Possessive, Sort.StopMark, Sort.Still}
_NAMES_OF_THINGS = {*_IN_NAMES, Sort.Indefinite, Sort.Content, Sort.Loose, Sort.Fillers, Sort.Requesting, Sort.WORD}


def _few(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Candidates, of each effect the likeliest few: further ways to one effect say little more."""
    kept: Counter[tuple[str, ...]] = Counter()
    found = []
    for one in sorted(candidates, key=lambda c: -c.score):
        kept[one.effect] += 1
        if kept[one.effect] <= MOST_ALIKE:
            found.append(one)
    return found


def grouped(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Candidates, those of the likeliest effect first: several readings of one effect count together."""
    mass: dict[tuple[str, ...], float] = {}
    for one in candidates:
        mass[one.effect] = mass.get(one.effect, 0.0) + math.exp(min(50.0, one.score))
    return sorted(candidates, key=lambda c: (-mass[c.effect], -c.score))


@dataclass(frozen=True, slots=True)
class _Meant:
    """What goals come to in this home and conversation: what is said of them there, and what of them the home says."""

    goals: tuple[Alternatives, ...]
    items: tuple[Said, ...]
    effect: tuple[str, ...]
    noted: Mapping[str, int]
    hearing: Hearing


def _candidates(
    found: Sequence[Read],
    tokens: Sequence[Token],
    text: str,
    request: str,
    context: Context,
    learned: Mapping[str, float],
) -> Iterator[Candidate]:
    """What readings come to. Several that come to the same goals by different ways are interpreted once."""
    selector = Selector(context.store, context.registry)
    known: dict[object, _Meant] = {}
    items = heard_items(text, context)
    for number, (state, made, goals) in enumerate(found):
        if not made.goals and number >= MOST_TOLD:  # an unlikely reading that has it all told bars nothing
            continue
        corrects = _corrects(state, items) and bool(context.past.turns)
        key = (id(state) if made.conditional else None, corrects, goals)
        meant = known.get(key)
        if meant is None:
            if len(known) >= MOST_READ:
                continue
            meant = known[key] = _meant(made, tokens, text, request, context, selector, corrects=corrects)
        features: Counter[str] = Counter(made.features)
        features.update(_of_talk(meant.items, made.goals, corrects=corrects))
        features.update(meant.noted)
        score = state.score + worth(features, learned)
        features.update(state.features)
        features["item"] += len(state.account)
        told = {name: float(count) for name, count in features.items() if count}
        yield Candidate(meant.goals, meant.items, told, score, meant.effect, state.account, hearing=meant.hearing)


def _meant(
    made: Assembled,
    tokens: Sequence[Token],
    text: str,
    request: str,
    context: Context,
    selector: Selector,
    *,
    corrects: bool,
) -> _Meant:
    """What the goals of a reading come to in this home and conversation."""
    hearing = Hearing(corrects=corrects)
    inner = replace(context, hearing=hearing)
    items = _in_talk(made.goals, inner, corrects=corrects)
    goals = [_interpreted(item, f"{request}/intent-{number}", text, inner) for number, item in enumerate(items, 1)]
    noted: Counter[str] = Counter()
    if made.conditional:
        ruled, more = rule(goals, made.clauses, tokens, text, f"{request}/intent-1", inner)
        noted.update(more)
        goals = [((ruled,),)]
    effect = tuple(repr(effect_of(intent, context, selector, noted)) for several in goals for intent in several[0])
    noted["empty"] += not goals
    noted["effect:twice"] += len(set(effect)) < len(effect)
    return _Meant(tuple(goals), tuple(items), effect, noted, hearing)


def _interpreted(item: Said, iri: str, text: str, context: Context) -> Alternatives:
    """The readings of what a request comes to; one that was not understood where it cannot be read at all."""
    try:
        return interpreted(item, iri, context)
    except (AssertionError, KeyError, IndexError, ValueError):
        return not_understood(iri, text)


def _corrects(state: State, items: Sequence[Sequence[Item]]) -> bool:
    if any(part == "added" for _, _, part in state.account):
        return False
    for _, _, part in state.account:
        if part == "repair":
            return True
        if part not in ("filler", "loose", "speaker", "skipped", "joint"):
            break
    return _ends_in_repair(state.account, items)


_BESIDE_NAMES = {"filler", "loose", "speaker", "skipped", "before", "place", "noun", "copula", "pronoun", "owner"}


def _ends_in_repair(account: Sequence[tuple[int, int, str]], items: Sequence[Sequence[Item]]) -> bool:
    """ "It was the desk lamp *I meant*": whether a first clause that only names something ends so."""
    named = False
    for start, end, part in account:
        if named and (part == "repair" or (part == "request" and any(i.sort is Sort.Repair for i in items[start]))):
            return end == len(items) or includes(items[end : end + 1], *PAUSES)
        if part not in _BESIDE_NAMES and (named or part not in ("joint", "aside")):
            return False
        named = named or part in ("noun", "place", "before")
    return False


def _in_talk(goals: Sequence[Goal], context: Context, *, corrects: bool) -> list[Said]:
    if not context.past.turns:
        plain = settled(goals, context)
        return list(without_doubles([undo(g, context) if undoes_here(g, context) else g for g in plain]))
    found: list[Said] = []
    for number, goal in enumerate(settled(goals, context)):
        found.extend(_items(goal, context, corrects=corrects and number == 0))
    return list(without_doubles(found))


def _of_talk(items: Sequence[Said], goals: Sequence[Goal], *, corrects: bool) -> list[str]:
    features = ["talk:corrects"] if corrects else []
    features += ["talk:undo" for item in items if isinstance(item, Undo)]
    if len(goals) > 1:
        features.append("goals:several")
    for goal in goals:
        if goal.noun is None and not goal.qualities and not goal.question:
            features.append("talk:no-noun" if not goal.refers else "talk:refers")
    return features


def effect_of(intent: Intent, context: Context, selector: Selector, features: Counter[str]) -> object:
    """What an intent would do, apart from its words; notes what the home says of it."""
    asks = intent.category is Category.CHECK
    if intent.fault is not None:
        features[f"home:{intent.fault}"] += 1
        return ("fault", intent.fault, asks)
    if isinstance(intent.rule, Rule):
        actions = tuple(effect_of(a, context, selector, features) for a in intent.rule.actions)
        return ("rule", intent.rule.triggers, intent.rule.conditions, intent.rule.match, intent.rule.windows, actions)
    if intent.rule is not None:
        return ("rules", intent.operation, intent.rule)
    select, kind = intent.selection, "ask" if asks else "act"
    parts = _parts(select, selector, features)
    _note(intent, kind, parts, context, features)
    told = select if asks or not parts else None
    return (
        kind, parts if not asks else (), told, intent.command, intent.property, intent.amount, intent.inputs,
        intent.query, intent.timing, intent.variable, intent.situation, select.quantity if len(parts) > 1 else None,
    )  # fmt: skip


def _parts(select: Select, selector: Selector, features: Counter[str]) -> tuple[str, ...]:
    """What a selection denotes now."""
    if not (select.classes or select.things or select.tests or select.rooms or select.order):
        features["home:place-alone"] += bool(select.places)
        return ()
    try:
        return selector.select(replace(select, quantity=Quantity.ALL))
    except HearthgraphError:  # what cannot be selected is nothing that a reading can mean
        features["home:unselectable"] += 1
        return ()


def _note(intent: Intent, kind: str, parts: tuple[str, ...], context: Context, features: Counter[str]) -> None:
    """Notes what the home says of an intent."""
    select = intent.selection
    acts = kind == "act"
    named = bool(select.classes or select.things)
    features[f"home:{kind}:none"] += named and not parts
    features["home:ambiguous"] += acts and len(parts) > 1 and select.quantity is Quantity.ONE
    features["home:one"] += acts and len(parts) == 1
    features["home:anything"] += acts and not (named or select.places)
    features["home:no-task"] += acts and intent.command is None and intent.property is None
    features[f"home:{kind}:selected"] += bool(select.tests or select.rooms or select.order)
    features["home:modify"] += intent.operation is Operation.MODIFY
    if acts and parts and (_cannot_be_set(intent.command, parts, context) or _is_no_scale(intent, parts, context)):
        features["home:act:lacks"] += 1 if intent.inputs or intent.amount else 2  # nor is it said to what
    if intent.property is not None and parts:
        features[f"home:{kind}:{'has' if _has(intent.property, parts, context) else 'lacks'}"] += 1


def _has(kind: str, parts: tuple[str, ...], context: Context) -> bool:
    things = [context.registry.thing_of[part] for part in parts[:MOST_READ]]
    return any(context.vocabulary.is_a(k, kind) for thing in things for p in thing.properties for k in p.kinds)


def _cannot_be_set(command: str | None, parts: tuple[str, ...], context: Context) -> bool:
    """Whether a command sets a property that none of these has: "set brightness" of blinds."""
    kinds = [e.kind for e in context.effects(command) if e.form is Form.TO_INPUT]
    things = [context.registry.thing_of[part] for part in parts[:MOST_READ]]
    offered = any(command in action.commands for thing in things for action in thing.actions)
    return len(kinds) == 1 and not offered and not _has(kinds[0], parts, context)


def _is_no_scale(intent: Intent, parts: tuple[str, ...], context: Context) -> bool:
    """Whether the end of a scale is wanted of something with only two states: a lock has no minimum."""
    amount = intent.amount
    if amount is None or amount.value not in _ENDS:
        return False
    found = (p for part in parts[:MOST_READ] for p in context.registry.thing_of[part].properties)
    own = [p.schema for p in found if any(context.vocabulary.is_a(k, intent.property or "") for k in p.kinds)]
    return bool(own) and all(schema.type == "boolean" or 0 < len(schema.enum) <= _STATES for schema in own)


_ENDS = (expand("hg:Minimum"), expand("hg:Maximum"))
_STATES = 2


def only_properties(found: Heard) -> list[tuple[int, set[str]]]:
    """Where each name of a property of several words stands that is nothing else, with its kinds: "defence mode"."""
    named: list[tuple[int, set[str]]] = []
    place = 0
    while place < len(found.items):
        own = found.items[place]
        end = max((i.end for i in own), default=place + 1)
        longest = [i for i in own if i.end == end]
        if end > place + 1 and longest and all(i.sort is Sort.KIND for i in longest):
            named.append((place, {e.iri for i in longest for e in i.entries}))
        place = max(end, place + 1)
    return named


def words_for_properties(found: Heard) -> list[set[str]]:
    """The kinds of each word that names a property, and no thing and no place: "*volume*"."""
    plain = (own for own in found.items if not includes((own,), Sort.NOUN, Sort.PLACE))
    named = ([i for i in own if i.sort is Sort.KIND] for own in plain)
    return [{e.iri for i in some for e in i.entries} for some in named if some]


def with_strange_parts(found: Heard) -> list[set[str]]:
    """The terms of each noun of which a word that nobody knows names a part: "the oven's *wick* on"."""
    items = found.items
    nouns = [i for own in items for i in own if i.sort in (Sort.NOUN, Sort.PLACE)]
    within = {n for i in nouns for n in range(i.start + 1, i.end)}
    plain = (one for one in nouns if one.end not in within)  # not the girl of "the girl's room"
    return [{e.iri for e in noun.entries} for noun in plain if _is_owner(noun, items) or _is_behind_of(noun, items)]


def _is_owner(noun: Item, items: Sequence[Sequence[Item]]) -> bool:
    led = [i.end for own in items[noun.end : noun.end + 1] for i in own if i.sort is Sort.Of and i.text.startswith("'")]
    end = next(iter(led), len(items))
    behind = next((n for n in range(end, len(items)) if not is_unknown(items[n])), len(items))
    return behind > end and not includes(items[behind : behind + 1], *_NAMED_BEHIND)


def _is_behind_of(noun: Item, items: Sequence[Sequence[Item]]) -> bool:
    start = noun.start
    while start and includes(items[start - 1 : start], *ARTICLES):
        start -= 1
    of = [i for own in items[max(0, start - 1) : start] for i in own if i.sort is Sort.Of and i.text[0] != "'"]
    strange = start > 2 and is_unknown(items[start - 2]) and includes(items[start - 3 : start - 2], *ARTICLES)
    return bool(of) and strange


_NAMED_BEHIND = (Sort.NOUN, Sort.KIND, Sort.PLACE, Sort.One, Sort.PronounOne, Sort.Of)
