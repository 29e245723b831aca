"""A text as this home hears it: its tokens and what each may be, worked out once for all that read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from engine.graph.store import GraphStore
from engine.language.chart.goals.assemble import Assembled, assembled
from engine.language.chart.heard.compounds import parted
from engine.language.chart.heard.items import Item, function_words
from engine.language.chart.heard.rule_lexicon import aspect_words, rule_words
from engine.language.chart.heard.taking import items_of, times_of
from engine.language.chart.heard.tellings import tellings
from engine.language.chart.joining.frames import State
from engine.language.meanings.context import Context
from engine.language.phrases.coordination import Goal
from engine.language.times.times import TimeItem
from engine.language.words.dictionary import Dictionary
from engine.language.words.fluency import without_noise
from engine.language.words.lexicon import Entry, Role
from engine.language.words.records import replace
from engine.language.words.spelling import corrected
from engine.language.words.tokens import MAX_CHARACTERS, Token, tokenize
from engine.model.vocabulary import Form
from engine.things.bulk import uncollected

_K = TypeVar("_K")
_T = TypeVar("_T")
MOST_KEPT, MOST_READ = 512, 128
"""How many texts of late are kept, and how many with their readings (some .14 MB each)."""


Read = tuple[State, Assembled, tuple[Goal, ...]]
"""A reading, its goals, and these apart from where they stand in the text."""


@dataclass(slots=True)
class _Prepared:
    """What one dictionary made of texts of late, and of the commands of the home."""

    dictionary: Dictionary
    tokens: dict[str, list[Token]] = field(default_factory=dict)
    items: dict[str, list[list[Item]]] = field(default_factory=dict)
    times: dict[str, list[TimeItem]] = field(default_factory=dict)
    readings: dict[tuple[str, bool, bool], list[Read]] = field(default_factory=dict)
    states: Mapping[str, tuple[Entry, ...]] | None = None


@uncollected()
def prepare(store: GraphStore) -> None:
    """Derives all words that texts are heard by, so that no request waits for them."""
    for derive in (function_words, tellings, rule_words, aspect_words):
        derive(store)


def tokens_of(text: str, context: Context) -> list[Token]:
    """The tokens of a text, slips of the ear and the finger mended; a word that is said twice is one."""
    known = _prepared(context).tokens
    found = known.get(text)
    if found is None:
        found = _tokens(text, context)
        _keep(known, text, found)
    return found


def heard_items(text: str, context: Context) -> list[list[Item]]:
    """For each token of a text what may begin there (`items_of`)."""
    known = _prepared(context).items
    found = known.get(text)
    if found is None:
        found = items_of(tokens_of(text, context), context.dictionary, function_words(context.store))
        _keep(known, text, found)
    return found


def times_in(text: str, context: Context) -> list[TimeItem]:
    """The expressions of time in a text."""
    known = _prepared(context).times
    found = known.get(text)
    if found is None:
        found = times_of(tokens_of(text, context), heard_items(text, context), function_words(context.store))
        _keep(known, text, found)
    return found


def kept_readings(text: str, context: Context, search: Callable[[], list[State]], *, as_asked: bool) -> list[Read]:
    """What a search over a text found, which is made where it was not of late: it depends on the words of the home and
    on whether anything was said before and it is read as asked, not on how things are."""
    known, key = _prepared(context).readings, (text, bool(context.past.turns), as_asked)
    found = known.get(key)
    if found is None:
        found = list(map(partial(read, tokens_of(text, context), text), search()))
        _keep(known, key, found, MOST_READ)
    return found


def read(tokens: Sequence[Token], text: str, state: State) -> Read:
    """A reading of a text with its goals."""
    made = assembled(state, tokens, text)
    return state, made, tuple(replace(goal, text="", start=0, end=0) for goal in made.goals)


def states_of_commands(context: Context) -> Mapping[str, tuple[Entry, ...]]:
    """The words for states that commands bring about: what one locks is locked."""
    prepared = _prepared(context)
    if prepared.states is None:
        prepared.states = _states(context)
    return prepared.states


def _prepared(context: Context) -> _Prepared:
    """What is known of the present words: another dictionary of the same graph (a name was told) begins anew."""
    held = context.store.derived("reading/prepared", dict[str, _Prepared])
    found = held.get("now")
    if found is None or found.dictionary is not context.dictionary:
        found = held["now"] = _Prepared(context.dictionary)
    return found


def _keep(known: dict[_K, _T], key: _K, found: _T, most: int = MOST_KEPT) -> None:
    """Keeps a finding; where there is too much, the older half goes."""
    if len(known) >= most:
        for old in list(known)[: most // 2]:
            known.pop(old, None)
    known[key] = found


def _tokens(text: str, context: Context) -> list[Token]:
    lexicon = context.dictionary.lexicon
    tokens = tokenize(text[:MAX_CHARACTERS], lexicon.written)
    if lexicon.foreign:
        return list(parted(tokens, lexicon, function_words(context.store)))
    tokens = without_noise(tokens)
    mended = corrected(tokens, lexicon)
    words, telling = function_words(context.store), tellings(context.store).words
    known = [words.knows(one.text) or one.text in telling for one in tokens]
    tokens = [one if sure else other for one, other, sure in zip(tokens, mended, known, strict=True)]
    kept: list[Token] = []
    for token in tokens:
        if kept and kept[-1].text == token.text and token.text.isalpha():
            continue
        kept.append(token)
    return kept


def _states(context: Context) -> Mapping[str, tuple[Entry, ...]]:
    by_effect: dict[tuple[str, object], list[Entry]] = {}
    for iri, meanings in context.dictionary.states.items():
        for one in meanings:
            key = (one.kind, one.bound if one.bound is not None else one.to)
            by_effect.setdefault(key, []).append(Entry(Role.STATE, iri))
    found: dict[str, tuple[Entry, ...]] = {}
    for command in context.vocabulary.commands.values():
        entries = [
            e
            for effect in command.effects
            if effect.form in (Form.TO, Form.TO_BOUND)
            for e in by_effect.get((effect.kind, effect.value), ())
        ]
        if entries:
            found[command.iri] = tuple(dict.fromkeys(entries))
    return found
