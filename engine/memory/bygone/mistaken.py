"""What the last order comes to where its thing, or its value, was not the one that was meant.

"No, it's the hall lamp I wanted", "wrong one, that back on and the landing off", "heat, I meant, not cool": whatever
the order of the words, what was done is taken back and done to the thing that is named here and was not changed; or it
gets the value that is named here and that it has not got.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import product

from engine.environment.values.quantities import realise_on
from engine.environment.values.scales import scale_of
from engine.errors import ValueFault
from engine.graph.terms import Json, expand
from engine.language.chart.heard.items import Sort, function_words
from engine.language.meanings.amounts import meanings, of_state
from engine.language.meanings.context import Context
from engine.language.meanings.past import Said, Turn, Undo
from engine.language.meanings.readings import read
from engine.language.phrases.slots import HowMuch
from engine.language.talk.anaphora import about
from engine.language.talk.corrections import intents_of
from engine.language.words.lexicon import Match, Role
from engine.language.words.tokens import MAX_CHARACTERS, Token, TokenKind, tokenize
from engine.memory.bygone.called import matches_of, named, of_class
from engine.memory.bygone.earlier import refuses
from engine.memory.recalled.recall import numbered
from engine.memory.said.words import read as read_words
from engine.model.intent import Amount, Intent, Measure
from engine.model.selection import Quantity, Select
from engine.model.thing import Property
from engine.model.vocabulary import Form

_MENDING = frozenset({Sort.Repair.value, Sort.AsBefore.value, Sort.Not.value, Sort.Cleft.value})
_ASKING = frozenset({Sort.What.value, Sort.HowMany.value, Sort.Which.value, Sort.Where.value, Sort.If.value})
_ROOM = (expand("hg:Room"), expand("hg:Place"))
_REFUSING = frozenset({Sort.Not.value, Sort.Except.value, Sort.Than.value})
_NEAR = 2
"""How many words back "not" may stand before what it refuses."""
_CHOSEN = (Measure.NAMED, Measure.TEXT)


def mistaken(
    text: str, turns: Sequence[Turn], state: Mapping[str, Json], request: str, context: Context
) -> dict[str, tuple[Intent, ...]]:
    """The intents of a request that mends the last order, by what was wrong in it ("thing", "value"); nothing for one
    that mends nothing."""
    last = turns[-1] if turns else None
    tokens = tokenize(text[:MAX_CHARACTERS])
    if last is None or not last.changes or not _mends(tokens, context) or refuses(read_words(text, context)):
        return {}
    matches = matches_of(tokens, context)
    meant = _another_thing(tokens, matches, last, context)
    changed = meant is not None and any(meant in _changed(turn, context) for turn in turns)
    if changed and not _says_so_again(matches, last, context):
        return {}  # it was changed itself, and is spoken of for that
    if meant is not None:
        if _says_otherwise(text, matches, last, context):
            return {}
        found = _of_another(text, tokens, meant, last, context)
        return {"thing": numbered(found, request, text)} if found else {}
    several = _another_value(tokens, matches, last, state, context)
    return {"value": numbered(several, request, text)} if len(several) == 1 else {}


def _mends(tokens: Sequence[Token], context: Context) -> bool:
    """Whether words say that something was not so meant; what asks mends nothing."""
    words = function_words(context.store)
    sorts = [{e.iri for m in words.trie.at(tokens, n) for e in m.entries} for n in range(len(tokens))]
    said = frozenset[str]().union(*sorts)
    asks = bool(tokens) and tokens[-1].text == "?" and bool(said & _ASKING or sorts[0] & {Sort.Whether.value})
    return not asks and bool(said & _MENDING)


# Another thing


def _another_thing(tokens: Sequence[Token], matches: Sequence[Match], last: Turn, context: Context) -> str | None:
    """The one part that words name, that could be changed alike, and that was not; None where there is none, or more
    than one. Where no class is said, it is of the kind of what was changed."""
    registry = context.registry
    changed = {registry.properties[c.property].part for c in last.changes}
    able = _able(last, context)
    classes = list(of_class(matches, able, context))
    told = [own for _, own in named(tokens, matches, able, context) if own != able]
    told = [own for own in (*told, *classes) if own and not own & changed]
    here = {registry.thing_of[part].place for part in changed}
    near = [own for own in told if any(registry.thing_of[part].place in here for part in own)]
    kinds = frozenset().union(*classes) or _alike(changed, context)
    for among, several in product((kinds, able), (told, near)):
        meant = frozenset.intersection(*several) & among if several else frozenset()
        if len(meant) == 1:
            return next(iter(meant))
    return None


def _says_otherwise(text: str, matches: Sequence[Match], last: Turn, context: Context) -> bool:
    """Whether words say how it shall be, and not as was ordered: then the order is not the same for another thing. What
    is put back may be said to be as it was."""
    sentence = read_words(text, context)
    if sentence.find("hg:BackWord") is not None or sentence.find("hg:SameWord") is not None:
        return False
    for change in last.changes:
        prop = context.registry.properties[change.property]
        said = list(_states(prop, matches, context))
        if said and change.after not in said:
            return True
    return False


def _says_so_again(matches: Sequence[Match], last: Turn, context: Context) -> bool:
    """Whether words say how the last order left its thing: "the hall lamp back on, it's the other I want *off*"."""
    properties = context.registry.properties
    return any(change.after in _states(properties[change.property], matches, context) for change in last.changes)


def _states(prop: Property, matches: Sequence[Match], context: Context) -> Iterator[Json]:
    """The values of a property that words for states, and verbs, say."""
    scale = scale_of(prop, context.vocabulary)
    for entry in {e for match in matches for e in match.entries if e.role in (Role.STATE, Role.COMMAND)}:
        told = meanings(HowMuch("", entry.iri, (entry,)), context, directed=False) if entry.role is Role.STATE else []
        effects = context.effects(entry.iri) if entry.role is Role.COMMAND else ()
        told += [of_state(e.kind, e.value, None) for e in effects if e.form is Form.TO]
        told += [of_state(e.kind, None, str(e.value)) for e in effects if e.form is Form.TO_BOUND]
        for one in told:
            if one.kinds & prop.kinds:
                with suppress(ValueFault):
                    yield realise_on(scale, one.amount)


def _able(last: Turn, context: Context) -> frozenset[str]:
    """All parts that have a property of a kind that was changed."""
    properties = context.registry.properties
    kinds = {kind for c in last.changes for kind in properties[c.property].kinds}
    return frozenset(prop.part for prop in properties.values() if kinds & prop.kinds)


def _alike(parts: Iterable[str], context: Context) -> frozenset[str]:
    """All parts that are of a class of these."""
    known, is_a = context.registry.parts, context.vocabulary.is_a
    classes = {cls for part in parts if part in known for cls in known[part].classes}
    return frozenset(i for i, part in known.items() if any(is_a(own, c) for own in part.classes for c in classes))


def _of_another(text: str, tokens: Sequence[Token], part: str, last: Turn, context: Context) -> list[Intent]:
    """What was done is taken back, and done to another part; with the number that is said now, if any."""
    own = [said for said in last.said if _changed(last, context) & set(said.parts) and not said.goal.question]
    again = [i for said in own for i in _again(said, part, tokens, context)]
    if not again or any(i.fault is not None or not _fits(i, part, context) for i in again):
        return []
    return [*intents_of(Undo(text, last.changes), "urn:again", context), *again]


def _changed(turn: Turn, context: Context) -> set[str]:
    """The parts of which a turn changed something."""
    return {context.registry.properties[c.property].part for c in turn.changes}


def _fits(intent: Intent, part: str, context: Context) -> bool:
    """Whether the amount of an intent is within the range of a part: sixty is no temperature of a room."""
    if intent.amount is None or intent.property is None:
        return True
    own = [p for p in context.registry.thing_of[part].of_part(part) if intent.property in p.kinds]
    try:
        return all(realise_on(scale_of(p, context.vocabulary), intent.amount) is not None for p in own)
    except ValueFault:
        return False


def _again(said: Said, part: str, tokens: Sequence[Token], context: Context) -> tuple[Intent, ...]:
    """The intents of a goal, for another part."""
    numbers = [t.number for t in tokens if t.kind is TokenKind.NUMBER and t.text != "one" and t.number is not None]
    amounts = said.goal.amounts
    if numbers and not any(a.number is not None for a in amounts):
        return ()  # an order of its own: the last one had no number
    if numbers and not any(a.number in numbers for a in amounts):
        amounts = tuple(replace(a, number=numbers[-1]) if a.number is not None else a for a in amounts)
    goal = about(replace(said.goal, amounts=amounts, antecedent=None, there=False, here=False), (part,), context)
    return read(goal, "urn:again", replace(context, location=None))[0]


# Another value


def _another_value(
    tokens: Sequence[Token], matches: Sequence[Match], last: Turn, state: Mapping[str, Json], context: Context
) -> list[Intent]:
    """What the words name as a value of what was changed last, or else of the same thing, and that it has not got."""
    if any(t.kind is TokenKind.NUMBER and t.text != "one" for t in tokens):
        return []
    changed = [context.registry.properties[c.property] for c in last.changes]
    parts = {prop.part for prop in changed}
    beside = [p for part in parts for p in context.registry.thing_of[part].of_part(part) if p not in changed]
    refused = [m for m in matches if _is_refused(tokens, m.start, context)]
    wanted = [m for m in matches if m not in refused]
    found = _chosen(changed, wanted, refused, state, context)
    return found or _chosen(beside, wanted, refused, state, context)


def _is_refused(tokens: Sequence[Token], place: int, context: Context) -> bool:
    """Whether "not", or "rather than", stands before a word."""
    words = function_words(context.store)
    near = range(max(0, place - _NEAR), place)
    return any(e.iri in _REFUSING for n in near for m in words.trie.at(tokens, n) if m.end <= place for e in m.entries)


def _chosen(
    properties: Iterable[Property],
    wanted: Sequence[Match],
    refused: Sequence[Match],
    state: Mapping[str, Json],
    context: Context,
) -> list[Intent]:
    """For each property the one option that is named, is not refused, and not what it has now."""
    found = []
    for prop in properties:
        no = [v for v, _ in _values(prop, refused, context)] or [state.get(prop.iri)]
        chosen = {repr(v): a for v, a in _values(prop, wanted, context) if v not in no}
        if len(chosen) == 1:
            select = Select(things=(prop.part,), quantity=Quantity.ALL)
            kind, amount = min(prop.kinds, default=None), next(iter(chosen.values()))
            found.append(Intent("", "", selection=select, property=kind, amount=amount))
    return found


def _values(prop: Property, matches: Sequence[Match], context: Context) -> Iterator[tuple[Json, Amount]]:
    """The options of a property that words name."""
    if not prop.schema.enum:
        return
    scale = scale_of(prop, context.vocabulary)
    for match in matches:
        for entry in match.entries:
            for one in meanings(HowMuch("", entry.iri, (entry,)), context, directed=False):
                if one.kinds & prop.kinds and one.amount.measure in _CHOSEN:
                    with suppress(ValueFault):
                        yield realise_on(scale, one.amount), one.amount
