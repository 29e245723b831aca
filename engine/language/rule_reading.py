"""Sentences that make rules: what is said of time and of a condition is taken out, the rest is read as an order.

A condition is read as the question whether it is so; what is measured, and who is there, is put into the plain words
of such a question first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

from engine.graph.store import GraphStore
from engine.graph.terms import expand
from engine.language.context import Context
from engine.language.grammar import ASKING, QUESTION_WORDS
from engine.language.lexicon import Role
from engine.language.past import Hearing
from engine.language.readings import Alternatives
from engine.language.spans import read_spans
from engine.language.time_words import TimeWords, time_words
from engine.language.times import Duration, Element, Length, TimeItem, times, united
from engine.language.tokens import Token, tokenize
from engine.model.intent import Amount, Asks, Category, Intent, Measure, Operation
from engine.model.rule import After, Becomes, Daytime, Fact, Holds, Next, Recurrence, Rule, Sun, Trigger, Window
from engine.model.selection import Comparison, Condition, Select, Test

Understand = Callable[[str, str, Context], tuple[Alternatives, ...]]
_HESITATIONS = frozenset({"um", "uh", "er", "erm", "uhm"})
_JOINTS = frozenset({",", "then", ":", ";"})
_MOST_SPLITS = 24
_COPULAS = frozenset(
    {
        "is",
        "are",
        "be",
        "gets",
        "get",
        "goes",
        "has",
        "been",
        "have",
        "'s",
        "stands",
        "the",
        "still",
        "left",
        "becomes",
        "turns",
        "and",
        "opened",
    }
)
TEMPERATURE = expand("hg:Temperature")
OCCUPIED = Test((Condition(expand("hg:Occupancy"), Comparison.IS, Amount(Measure.TRUTH, True)),))


@dataclass(frozen=True, slots=True)
class _Words:
    times: TimeWords
    terms: Mapping[tuple[str, ...], str]


_known: WeakKeyDictionary[GraphStore, tuple[int, _Words]] = WeakKeyDictionary()


def _words(store: GraphStore) -> _Words:
    known = _known.get(store)
    if known is None or known[0] != store.generation:
        terms = {
            tuple(t.text for t in tokenize(label.value)): term.value.rpartition("#")[2]
            for term, label in store.select("language/rule_words")
            if term is not None and label is not None
        }
        known = _known[store] = (store.generation, _Words(time_words(store), terms))
    return known[1]


def rule_of(text: str, request: str, context: Context, understand: Understand) -> Intent | None:
    """The intent to make the rule that a text says; None for a text that says none that can be read."""
    words = _words(context.store)
    tokens = [token for token in tokenize(text) if token.text not in _HESITATIONS]
    if not tokens or (tokens[0].text in QUESTION_WORDS - {"when"} | ASKING and text.rstrip().endswith("?")):
        return None
    items = list(_chosen(times(tokens, words.times)))
    schedule = united([i.meaning for i in items if isinstance(i.meaning, Element)])
    windows = tuple(i.meaning for i in items if isinstance(i.meaning, Window))
    for condition, order in _splits(tokens, items, words):
        reader = _Reader(words, context, request, understand, tuple(token.text for token in tokens))
        timed = {p for item in items for p in range(item.start, item.end)}
        seconds = _lasting(condition, items)
        facts = _facts([tokens[p] for p in condition if p not in timed], seconds, reader) if condition else ()
        if facts is None:
            continue
        after = next((i.meaning for i in items if isinstance(i.meaning, After) and i.start not in condition), None)
        trigger = _trigger(after or schedule, facts)
        actions = _actions(text, order, request, context, understand) if trigger is not None else None
        if trigger is not None and actions is not None:
            conditions = () if isinstance(trigger, Becomes) else facts
            rule = Rule(text, (trigger,), actions, conditions, windows=windows)
            return Intent(f"{request}/intent-1", text, Category.RULE, Operation.MAKE, rule=rule)
    return None


def speaks_of_time(text: str, context: Context) -> bool:
    """Whether a text plainly says when: a moment that is to come, or a repetition."""
    if text.rstrip().endswith("?"):
        return False
    words = _words(context.store)
    for item in _chosen(times(tokenize(text), words.times)):
        meaning = item.meaning
        if isinstance(meaning, After) or (isinstance(meaning, Next) and meaning.time is not None):
            return True
        if isinstance(meaning, Recurrence) and (meaning.times or meaning.period):
            return True
        if isinstance(meaning, Daytime) and item.end - item.start > 1:
            return True
    return False


def begins_with_time(text: str, context: Context) -> bool:
    """Whether a text says first when, so that all of it is for then."""
    found = sorted(_chosen(times(tokenize(text), _words(context.store).times)), key=lambda item: item.start)
    return bool(found) and found[0].start == 0


def _chosen(items: Sequence[TimeItem]) -> Iterator[TimeItem]:
    """Expressions side by side, the longest first, that are plain."""
    taken: set[int] = set()
    for item in sorted(items, key=lambda i: (i.start - i.end, not isinstance(i.meaning, Window))):
        span = set(range(item.start, item.end))
        if item.plain and not span & taken:
            taken |= span
            yield item


def _lasting(condition: Sequence[int], items: Sequence[TimeItem]) -> float:
    """How long a condition is to last: the length of time that is said within it."""
    lengths = [
        i.meaning.seconds for i in items if isinstance(i.meaning, Length | Duration | After) and i.start in condition
    ]
    return max(lengths, default=0.0)


def _trigger(said: Element | After | None, facts: tuple[Fact, ...]) -> Trigger | None:
    if isinstance(said, After):
        return said
    if isinstance(said, Daytime | Sun):
        return Next(said)
    if isinstance(said, Next) and said.time is not None:
        return said
    if isinstance(said, Recurrence) and (said.times or said.period is not None):
        return said
    return Becomes(facts) if facts else None


def _splits(tokens: Sequence[Token], items: Sequence[TimeItem], words: _Words) -> Iterator[tuple[list[int], list[int]]]:
    """Where the condition stands and where the order, by the places of their tokens: at marks first."""
    timed = {place for item in items for place in range(item.start, item.end)}
    markers = [
        (place, end)
        for place in range(len(tokens))
        for end in _ends(tokens, place, words, "ConditionMarker")
        if place not in timed
    ]
    left = [place for place in range(len(tokens)) if place not in timed]
    if not markers:
        yield [], left
        return
    place, start = max(markers[:2], key=lambda m: (m[0] == markers[0][0], m[1]))
    before = [p for p in left if p < place]
    ends = [p for p in range(start + 1, len(tokens)) if tokens[p].text in _JOINTS]
    for end in (*ends, len(tokens), *range(start + 2, min(len(tokens), start + _MOST_SPLITS))):
        condition = list(range(start, end))
        order = [*before, *(p for p in left if p > end or (p == end and tokens[p].text not in _JOINTS))]
        if any(tokens[p].text not in _JOINTS for p in order):
            yield condition, order


def _ends(tokens: Sequence[Token], place: int, words: _Words, term: str) -> list[int]:
    spelt = tuple(token.text for token in tokens[place : place + 4])
    return [place + n for n in range(len(spelt), 0, -1) if words.terms.get(spelt[:n]) == term][:1]


def _actions(
    text: str, order: Sequence[int], request: str, context: Context, understand: Understand
) -> tuple[Intent, ...] | None:
    tokens = [token for token in tokenize(text) if token.text not in _HESITATIONS]
    said = _spoken(text, tokens, order)
    found = [r[0] for r in understand(said, f"{request}/rule", replace(context, hearing=Hearing()))]
    actions = tuple(intent for reading in found for intent in reading)
    bad = any(one.fault is not None or one.query is not None or one.rule is not None for one in actions)
    return None if bad or not actions else actions


def _spoken(text: str, tokens: Sequence[Token], places: Sequence[int]) -> str:
    """The words at these places; what was cut out leaves no gap."""
    kept = [tokens[p] for p in places]
    while kept and kept[0].text in _JOINTS | {"and", "so"}:
        kept = kept[1:]
    return " ".join(text[token.start : token.end] for token in kept)


# Conditions


@dataclass(frozen=True, slots=True)
class _Reader:
    """What a condition is read with; `said` are all the words, where it may lie that a condition is about."""

    words: _Words
    context: Context
    request: str
    understand: Understand
    said: tuple[str, ...]


def _facts(condition: Sequence[Token], seconds: float, reader: _Reader) -> tuple[Fact, ...] | None:
    """What must hold; None where it cannot be read."""
    said = tuple(token.text for token in condition)
    whole = _fact(said, seconds, reader)
    for place, word in enumerate(said):
        if word in ("and", "while", "with") and 0 < place < len(said) - 1:
            parts = [_fact(part, seconds, reader) for part in (said[:place], said[place + 1 :])]
            if parts[0] is not None and parts[1] is not None:
                return (parts[0], parts[1])
    return None if whole is None else (whole,)


def _fact(said: tuple[str, ...], seconds: float, reader: _Reader) -> Fact | None:
    terms = [(place, end, term) for place in range(len(said)) for end, term in _terms(said, place, reader.words)]
    for place, end, term in terms:
        if term in ("Exceeding", "FallingBelow"):
            fact = _measured(said, place, end, term == "Exceeding", reader)
            if fact is not None:
                return replace(fact, seconds=seconds)
    if any(term == "NobodyThere" for *_, term in terms):
        return Fact(_places(said, reader), (OCCUPIED,), Holds.NONE, seconds)
    if any(term == "SomebodyThere" for *_, term in terms) and (places := _places(said, reader)).places:
        without = next((f for f in _asked(said, seconds, reader) if f.selection.classes or f.selection.things), None)
        return without or Fact(places, (OCCUPIED,), seconds=seconds)
    return next(_asked(said, seconds, reader), None)


def _terms(said: tuple[str, ...], place: int, words: _Words) -> Iterator[tuple[int, str]]:
    for length in range(3, 0, -1):
        term = words.terms.get(said[place : place + length])
        if term is not None and len(said) >= place + length:
            yield place + length, term
            return


def _measured(said: tuple[str, ...], place: int, end: int, above: bool, reader: _Reader) -> Fact | None:
    """A reading on one side of a number: of the kind that is named, else the temperature."""
    number = next((t.number for t in tokenize(" ".join(said[end : end + 3])) if t.number is not None), None)
    if number is None:
        return None
    rest = " ".join((*said[:place], *said[end:]))
    spans = read_spans(rest, reader.context.dictionary.lexicon)
    kinds = [e.iri for span in spans for e in span.entries if e.role is Role.PROPERTY]
    kind = next(iter(kinds), TEMPERATURE)
    unit = expand("hg:Celsius") if kind == TEMPERATURE else None
    comparison = Comparison.ABOVE if above else Comparison.BELOW
    test = Test((Condition(kind, comparison, Amount(Measure.NUMBER, number, unit)),))
    return Fact(_places(said, reader), (test,))


def _places(said: tuple[str, ...], reader: _Reader) -> Select:
    """The places that a condition names, or those of the sentence where it names none."""
    for words in (said, reader.said):
        found = _named(words, reader)
        if found:
            return Select(places=tuple(found))
    return Select()


def _named(said: tuple[str, ...], reader: _Reader) -> list[str]:
    lexicon = reader.context.dictionary.lexicon
    spans = read_spans(" ".join(said), lexicon)
    found = [e.iri for span in spans for e in span.entries if e.role is Role.PLACE]
    return list(dict.fromkeys(found))


def _asked(said: tuple[str, ...], seconds: float, reader: _Reader) -> Iterator[Fact]:
    """A state of a device, as the question whether it is so."""
    kept = [word for word in said if word not in _COPULAS]
    for words in (kept, kept[:-1]):
        text = f"is {' '.join(words)}?".replace(" 's ", "'s ")
        for readings in reader.understand(text, f"{reader.request}/asked", _afresh(reader.context)):
            fact = fact_of(readings[0][0])
            if fact is not None:
                yield replace(fact, seconds=seconds)
                return


def _afresh(context: Context) -> Context:
    return replace(context, hearing=Hearing())


def fact_of(question: Intent) -> Fact | None:
    """The fact that a question asks after; None for a question that is not answered by yes or no."""
    query = question.query
    if query is None or question.fault is not None:
        return None
    if query.asks not in (Asks.WHETHER, Asks.EVERY):
        return None
    rooms = question.selection.rooms
    if query.rooms and len(rooms) == 1:
        place = Select(places=question.selection.places)
        return Fact(place, rooms[0].has.tests, Holds.NONE if rooms[0].negated else Holds.ANY)
    if not query.tests:
        return None
    return Fact(question.selection, query.tests, Holds.EVERY if query.asks is Asks.EVERY else Holds.ANY)
