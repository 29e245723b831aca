"""Understands complaints, wishes and situations as implicit intents: a change without a device.

"It's too dark in here" is about a variable and a direction, "movie night" about a situation. Words that the lexicon has
decide; a sentence of which it knows none is compared by meaning with the examples of the ontology.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from engine import embedding
from engine.graph.store import GraphStore
from engine.graph.terms import expand
from engine.language.meanings.context import Context
from engine.language.meanings.names import denotations
from engine.language.meanings.places import whereabouts
from engine.language.phrases.asides import is_statement
from engine.language.phrases.coordination import Goal, goals
from engine.language.phrases.frames import read_frame
from engine.language.phrases.segments import Segment
from engine.language.phrases.slots import Frame, PlaceName
from engine.language.words import grammar
from engine.language.words.lexicon import Entry, Lexicon, Match, Role
from engine.language.words.tokens import Token, tokenize
from engine.model.intent import Category, Intent
from engine.model.selection import Quantity, Select

LEAST_LIKENESS = 0.35
"""How near in meaning (the cosine) a sentence must be to the examples of a wish to be taken for it."""
MIN_WORDS, MAX_WORDS, LEAST_ENGLISH = 2, 40, 0.2
"""How many words a sentence must have to be compared, and which share of them function words of English."""
_WORD = re.compile(r"[a-z]{2,}", re.IGNORECASE)
_CODE = frozenset("{}<>[]|\\=$#@")
_SECOND = 0.25  # how much the second nearest example of a term counts beside its nearest
_SMALL_TALK = expand("hg:SmallTalk")
_SUBJECT_AND_VERB = frozenset({"it's", "there's", "that's"})
_ASKING = frozenset({"why", "how"})
_NAMING = (Role.PLACE, Role.PLACE_CLASS, Role.THING, Role.DEVICE, Role.PROPERTY)  # the guest bedroom is no guest
_ANY_ROOM = frozenset(expand(f"hg:{name}") for name in ("Room", "Place"))
_FLOOR = expand("hg:Floor")
_DEVICE, _SCENE = expand("hg:Device"), expand("hg:Scene")
_INTRODUCING = grammar.TO | {"on"}  # "put it on cool" names a value; "make it cool" is a wish
_LIKING = frozenset({"i", "we", "you", "they", "would", "i'd", "we'd", "d", "'d", "to", "really", "also", "rather"})
"""After what "like" is a wish, and no likeness ("sweating like a pig")."""
_DENIED = frozenset({"not", "isn't", "never", "no", "aren't", "wasn't", "without"})


@dataclass(frozen=True, slots=True)
class Complaint:
    """The aim of a complaint: a variable to go up or down. A `wish` keeps its direction where its quality is asked for;
    `instead` is the complaint that is dealt with where nothing bears on the variable; what is `welcome` is missed where
    it is said not to be so ("it's not warm")."""

    variable: str
    direction: int
    wish: bool = False
    instead: str | None = None
    welcome: bool = False


@dataclass(slots=True)
class _Known:
    """The complaints and situations in a store."""

    complaints: dict[str, Complaint]
    situations: Lexicon
    examples: list[tuple[str, str]] = field(default_factory=list)


def wish_of(segment: Segment, iri: str, text: str, context: Context) -> Intent | None:
    """The implicit intent that a segment is by its words, or None: an order, a question of fact, or nothing known."""
    if not segment.spans or segment.spans[0].text in grammar.ASKING:
        return None
    situation = _situation(segment, text, context)
    complaint = _complaint(segment)
    if situation is None and complaint is None:
        return None
    frame = read_frame(segment, context.dictionary.lexicon)
    if _is_order(frame, segment, situation):
        return None
    intent = _placed(_words(segment, text), [segment], iri, text, context)
    if situation is not None:  # "movie night on the big screen" is about more than the screen
        return replace(intent, situation=situation, selection=replace(intent.selection, classes=(), things=()))
    assert complaint is not None
    known = _known(context.store).complaints[complaint]
    asked_for = _is_wanted(frame, segment, known)
    if asked_for is None:
        return None
    direction = -known.direction if asked_for and not known.wish else known.direction
    subject = complaint if intent.fault is None else intent.subject
    return replace(intent, variable=known.variable, direction=direction, subject=subject)


def guess(segments: Sequence[Segment], iri: str, text: str, context: Context) -> Intent | None:
    """The implicit intent whose examples in the ontology are nearest in meaning to a text; None where none is near, or
    where nothing can compare."""
    known = _known(context.store)
    words = _WORD.findall(text.casefold())
    if _CODE & set(text) or any(map(str.isdigit, text)):
        return None  # no person complains in braces, and who says how much says more than that something is amiss
    english = sum(word in grammar.KNOWN for word in words) >= LEAST_ENGLISH * len(words)
    if not english or not MIN_WORDS <= len(words) <= MAX_WORDS or not embedding.available():
        return None
    if any(_complaint(segment) is not None and _is_denied(segment) for segment in segments):
        return None  # what is near in meaning does not know a "not"
    term = _nearest(text, _examples(context.store))
    if term is None or term == _SMALL_TALK:
        return None
    intent = _placed(text, segments, iri, text, context)
    complaint = known.complaints.get(term)
    if complaint is None:
        return replace(intent, situation=term)
    subject = term if intent.fault is None else intent.subject
    return replace(intent, variable=complaint.variable, direction=complaint.direction, subject=subject)


def likely(sentences: Sequence[str], store: GraphStore) -> list[tuple[str, float]]:
    """The terms whose examples are nearest in meaning to one of these sentences, with how near; the first sentence is
    the whole text. None where nothing is near, where it is small talk, or where nothing can compare."""
    words = _WORD.findall(sentences[0].casefold())
    if _CODE & set(sentences[0]) or any(map(str.isdigit, sentences[0])) or not MIN_WORDS <= len(words) <= MAX_WORDS:
        return []
    english = sum(word in grammar.KNOWN for word in words) >= LEAST_ENGLISH * len(words)
    if not english or not embedding.available():
        return []
    examples = _examples(store)
    vectors = embedding.kept([sentence for _, sentence in examples])
    best: dict[str, float] = {}
    for number, row in enumerate(embedding.encode(sentences)):
        near = _by_term(examples, vectors @ row)
        term = max(near, key=lambda one: near[one], default=None)
        if number == 0 and (term is None or term == _SMALL_TALK):
            return []
        for one, value in near.items():
            best[one] = max(best.get(one, 0.0), value)
    best.pop(_SMALL_TALK, None)
    ranked = sorted(best.items(), key=lambda one: (-one[1], one[0]))
    return [one for one in ranked if one[1] >= LEAST_LIKENESS]


def complaints(store: GraphStore) -> dict[str, Complaint]:
    """The complaints and wishes that a store knows, by IRI."""
    return _known(store).complaints


def _examples(store: GraphStore) -> list[tuple[str, str]]:
    known = _known(store)
    if not known.examples:
        known.examples = [(a.value, b.value) for a, b in store.select("language/examples") if a and b]
    return known.examples


def _by_term(examples: Sequence[tuple[str, str]], likeness: Iterable[float]) -> dict[str, float]:
    """How near the examples of each term are: the nearest, and a share of the second."""
    by_term: dict[str, list[float]] = {}
    for (term, _), value in zip(examples, likeness, strict=True):
        by_term.setdefault(term, []).append(float(value))
    return {term: _score(values) / (1 + _SECOND) for term, values in by_term.items()}


def _nearest(text: str, examples: Sequence[tuple[str, str]]) -> str | None:
    likeness = embedding.similarities(embedding.kept([sentence for _, sentence in examples]), text)
    by_term: dict[str, list[float]] = {}
    for (term, _), value in zip(examples, likeness, strict=True):
        by_term.setdefault(term, []).append(float(value))
    scores = {term: _score(values) for term, values in by_term.items()}
    best = max(scores, key=lambda term: scores[term], default=None)
    return best if best is not None and max(by_term[best]) >= LEAST_LIKENESS else None


def _score(values: list[float]) -> float:
    first, second = (*sorted(values, reverse=True), 0.0)[:2]
    return first + _SECOND * second


def _known(store: GraphStore) -> _Known:
    return store.of_terms("language/wishes", lambda: _read(store))


def _read(store: GraphStore) -> _Known:
    situations = Lexicon()
    for situation, label in store.select("language/situations"):
        if situation is not None and label is not None:
            situations.add(label.value, Entry(Role.VALUE, situation.value))
    return _Known(dict(_complaints(store)), situations)


def _complaints(store: GraphStore) -> Iterator[tuple[str, Complaint]]:
    for complaint, variable, direction, wish, instead, welcome in store.select("language/complaints"):
        if complaint is not None and variable is not None and direction is not None:
            way = -1 if direction.value.startswith("-") else 1
            told = wish is not None and wish.value == "true"
            missed = welcome is not None and welcome.value == "true"
            yield complaint.value, Complaint(variable.value, way, told, instead.value if instead else None, missed)


def _situation(segment: Segment, text: str, context: Context) -> str | None:
    """The situation that the words of a segment name, the longest name first."""
    lexicon = _known(context.store).situations
    tokens = tokenize(_words(segment, text))
    if any(_is_scene(e.iri, context) for s in segment.spans for e in s.having(Role.THING)):
        return None  # "party mode" is the scene of that name, where there is one
    begin = segment.spans[0].start
    names = [(s.start - begin, s.end - begin) for s in segment.spans if s.can_be(*_NAMING)]
    found = [
        match
        for start in range(len(tokens))
        for match in lexicon.at(tokens, start)[:1]
        if not any(_is_within(tokens[start].start, tokens[match.end - 1].end, a, b) for a, b in names)
    ]
    best: Match | None = max(found, key=lambda match: match.end - match.start, default=None)
    return best.entries[0].iri if best is not None else None


def names_situation(tokens: Sequence[Token], context: Context) -> bool:
    """Whether words include the name of a situation, and are not only similar to its examples."""
    lexicon = _known(context.store).situations
    return any(lexicon.at(tokens, start) for start in range(len(tokens)))


def _is_scene(iri: str, context: Context) -> bool:
    """Whether a thing is of a class whose devices do something by being named."""
    thing = context.registry.things.get(iri)
    return thing is not None and any(cls in context.vocabulary.main_commands for cls in thing.classes)


def _is_within(start: int, end: int, first: int, last: int) -> bool:
    """Whether a stretch is a part, and not the whole, of another."""
    return first <= start and end <= last and last - first > end - start


def _complaint(segment: Segment) -> str | None:
    for span in segment.spans:
        for entry in span.having(Role.COMPLAINT):
            return entry.iri
    return None


def _is_order(frame: Frame, segment: Segment, situation: str | None) -> bool:
    """Whether a segment is an order or a question about a state: then its complaint is an aside."""
    first = segment.spans[0].text
    if is_told(segment):
        return False
    if frame.question and first not in _ASKING | grammar.AUXILIARIES:
        return True
    full = any(e.role in (Role.COMMAND, Role.RELATIVE) for e in frame.verbs)
    full = full or any(a.preposition in _INTRODUCING and bool(frame.verbs) for a in frame.amounts)
    numbers = any(span.number is not None for span in segment.spans)
    scene = situation is not None and all(e.iri == _SCENE for noun in frame.nouns for e in noun.entries)
    named = (any(noun.entries for noun in frame.nouns) and not scene) or bool(frame.qualities)  # "set the mood"
    if situation is not None and (frame.question or (frame.qualities and frame.nouns)):
        return True  # neither "how long is it going to cook" nor "the cooking time of the oven" is a wish to cook
    if situation is not None:
        return numbers or (named and bool(frame.verbs))
    return full or numbers or (named and bool(frame.verbs))


def is_told(segment: Segment) -> bool:
    """Whether a segment says how it is: "it's cold", "there's a smell", "I'm freezing"."""
    first = segment.spans[0].text
    return first in _SUBJECT_AND_VERB or (first not in grammar.QUESTION_WORDS and is_statement(segment))


def _is_wanted(frame: Frame, segment: Segment, complaint: Complaint) -> bool | None:
    """Whether the quality of a complaint is wanted, and not complained of; None where it is denied and nobody misses it
    ("it's not cold"). Who orders it denied ("not so bright, please") complains of it."""
    if not _is_denied(segment):
        return _asks_for(frame, segment)
    lacks = any(span.text == "enough" or span.text.endswith(" enough") for span in segment.spans)
    if lacks or (is_told(segment) and not _asks_for(frame, segment)):
        return True if lacks or complaint.wish or complaint.welcome else None
    return False


def _asks_for(frame: Frame, segment: Segment) -> bool:
    """Whether an adjective is asked for ("make it dark") and not complained of ("it's dark", "too dark")."""
    denied = _is_denied(segment)  # "not so", "not too"
    complained = not denied and any(s.text == "too" or s.text.startswith("too ") for s in segment.spans)
    complained = complained or any(s.text in ("less", "why") or (s.text == "so" and not denied) for s in segment.spans)
    light = any(e.role is Role.LIGHT_VERB for e in frame.verbs)
    wanted = any(s.text in ("want", "wanna", "prefer", "wish", "let's") for s in segment.spans)
    before = [*(s.text for s in segment.spans)]
    wanted = wanted or any(s == "like" and before[n - 1] in _LIKING for n, s in enumerate(before) if n)
    return (light or wanted) and not complained and not (is_told(segment) and not wanted)


def _is_denied(segment: Segment) -> bool:
    return any(span.text in _DENIED and not span.can_be(Role.COMPLAINT) for span in segment.spans)


def _words(segment: Segment, text: str) -> str:
    return text[segment.spans[0].start : segment.spans[-1].end].strip(" ,.;!")


def _placed(words: str, segments: Sequence[Segment], iri: str, text: str, context: Context) -> Intent:
    """An implicit intent with the places, and the devices, that the segments name."""
    intent = Intent(
        iri=iri,
        text=words,
        category=Category.IMPLICIT,
        selection=Select(quantity=Quantity.ALL),
        mentions=mentions(words),
    )
    for segment in segments:
        for goal in goals([read_frame(segment, context.dictionary.lexicon)], text):
            intent = _in_place(_of_noun(intent, goal, context), goal, context)
    return intent


def _of_noun(intent: Intent, goal: Goal, context: Context) -> Intent:
    """Confined to the devices that a goal names, where there are such: "the television is too loud"."""
    if goal.noun is None or not goal.noun.entries or intent.selection.classes or intent.selection.things:
        return intent
    classes, things = next(iter(denotations(goal.noun, goal.quantity, context)), ((), ()))
    held = tuple(cls for cls in classes if cls in context.dictionary.held and cls != _DEVICE)
    return replace(intent, selection=replace(intent.selection, classes=held, things=things))


def _in_place(intent: Intent, goal: Goal, context: Context) -> Intent:
    """In the place that a goal names; "the room" is where the speaker is."""
    named = [place for place in goal.places if place.entries and not _is_any_room(place)]
    if not named:
        return intent
    where = next(iter(whereabouts(replace(goal, places=tuple(named)), context.registry, None)))
    if where.missing is not None and all(_is_floor(place, context) for place in named):
        return intent  # "upstairs", where nobody says what is: it stays open which room is meant
    if where.missing is not None:
        return replace(intent, fault="no_such_room", subject=where.missing)
    return replace(intent, selection=replace(intent.selection, places=where.places))


def _is_floor(place: PlaceName, context: Context) -> bool:
    return any(context.vocabulary.is_a(e.iri, _FLOOR) for e in place.entries)


def _is_any_room(place: PlaceName) -> bool:
    return not place.modifiers and all(e.iri in _ANY_ROOM for e in place.entries)


def mentions(words: str) -> tuple[str, ...]:
    """The words that may be of a thing's name."""
    found = re.findall(r"[a-z]+", words.casefold())
    return tuple(word for word in found if word not in grammar.KNOWN)
