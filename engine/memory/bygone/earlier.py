"""What was so or was done earlier in a conversation: set back, or done again to something else.

"Put its volume back", "the study like the bedroom": a thing that was changed before is set back; one that was not gets
what the other got. Which, is told by what is named here, and not by the order of the words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from engine.environment.selection import Selector
from engine.environment.values.quantities import amount_of
from engine.environment.values.scales import scale_of
from engine.errors import HearthgraphError, ValueFault
from engine.graph.terms import Json, expand
from engine.language.meanings.context import Context
from engine.language.meanings.past import Turn
from engine.language.words.grammar import ARTICLES, COPULAS
from engine.language.words.lexicon import PARTICLES, Role
from engine.language.words.morphology import singular
from engine.memory.bygone.called import names_of
from engine.memory.recalled.mentions import is_in, kinds_in, mentions_in
from engine.memory.recalled.recall import is_denied, is_of, is_question, numbered
from engine.memory.said.goals import Reader, goals_of
from engine.memory.said.words import Sentence, last_of, read
from engine.model.intent import Intent
from engine.model.outcome import Change
from engine.model.selection import Quantity, Select
from engine.model.thing import Property, Thing

_POWER = expand("hg:Power")
_CUTS = frozenset({",", ";", ".", ":", "?", "!", "and", "so", "then", "oh", "but", "its", "it's", "instead"})
_COPULAS = COPULAS | {"isn't", "looks", "doesn't", "suits"}
_DONT = frozenset({"don't", "dont", "never"})
_SHORTEST = 3
_NEAR, _BETWEEN = 4, 1
"""How far before what is named it is said that something shall be like it, and how many words stand between."""


@dataclass(frozen=True, slots=True)
class _Said:
    """A request: the changed and the other things that it names, and the kinds of property; `as_old`: it asks for a
    likeness of a changed thing, "just like the lamp"."""

    old: frozenset[str]
    new: tuple[frozenset[str], ...]
    classes: frozenset[str]
    places: frozenset[str]
    kinds: frozenset[str]
    words: frozenset[str]
    as_old: bool = False


def earlier(
    text: str, turns: Sequence[Turn], state: Mapping[str, Json], request: str, context: Context, reader: Reader
) -> tuple[Intent, ...] | None:
    """The intents of a request for how something was, or for what was done to something else; None for any other."""
    turns = [turn for turn in turns if turn.changes]
    sentence = read(text, context)
    if not turns or not sentence.tokens or is_question(last_of(sentence, context)) or refuses(sentence):
        return None
    if sentence.has_number or _orders_beside(sentence, context):
        found = _with_order(sentence, turns, context, reader)
    else:
        found = _again(sentence, turns, state, context) or _back(sentence, turns, context)
    return numbered(found, request, text) if found else None


def _with_order(sentence: Sentence, turns: Sequence[Turn], context: Context, reader: Reader) -> list[Intent]:
    """One thing is set back, and another is given an order, in one breath."""
    last = len(sentence.tokens)
    for cut in (n for n in range(1, last) if sentence.word(n) in _CUTS):
        for first, second in (
            (sentence.said(0, cut), sentence.said(cut + 1, last)),
            (sentence.said(cut + 1, last), sentence.said(0, cut)),
        ):
            before, after = read(first, context), read(second, context)
            if before.has_number or _is_backwards(after):
                continue
            undone = _back(before, turns, context)
            ordered = goals_of(_plain(after), reader, context) if undone else ()
            if undone and ordered:
                return [*undone, *(one for one in ordered if is_of_something_here(one, context))]
    return []


def is_of_something_here(intent: Intent, context: Context) -> bool:
    """Whether the things of an intent are here and can carry it out: who is "finished on the phone" stops none."""
    select = intent.selection
    if not (select.classes or select.things):
        return True
    try:
        parts = Selector(context.store, context.registry).select(replace(select, quantity=Quantity.ALL))
    except HearthgraphError:
        return False
    things = [context.registry.thing_of[part] for part in parts]
    if intent.command is None or context.effects(intent.command):
        return bool(things)
    return any(intent.command in action.commands for thing in things for action in thing.actions)


def _orders_beside(sentence: Sentence, context: Context) -> bool:
    """Whether a clause that speaks of nothing earlier says what is to be done: then memory alone is not enough."""
    cuts = [n for n in range(len(sentence.tokens)) if sentence.word(n) in _CUTS]
    bounds = [-1, *cuts, len(sentence.tokens)]
    for begin, end in pairwise(bounds):
        clause = read(sentence.said(begin + 1, end), context)
        alike = clause.find("hg:SameWord") or clause.find("hg:ThatWord") or clause.find("hg:DoneWord")
        if alike is not None or not clause.tokens or _is_backwards(clause):
            continue
        places = [n for n in range(len(clause.tokens)) if not _is_preposition(clause, n)]
        matches = (m for n in places for m in context.dictionary.lexicon.at(clause.tokens, n))
        if any(e.role in (Role.COMMAND, Role.STATE) and context.effects(e.iri) for m in matches for e in m.entries):
            return True
    return False


def _is_preposition(clause: Sentence, place: int) -> bool:
    """Whether "on" or "off" says where, and not how: "on the screen"."""
    return clause.word(place) in PARTICLES and clause.word(place + 1) in ARTICLES


def speaks_of_before(text: str, turns: Sequence[Turn], context: Context) -> bool:
    """Whether words can only be about an earlier state or act of the speaker's ("what I said a second ago"), or compare
    a thing with a changed one ("just like the lamp"); not where something is denied."""
    sentence = read(text, context)
    if is_denied(sentence):
        return False
    mine = sentence.find("hg:SelfWord") is not None and sentence.find("hg:DoneWord") is not None
    if mine or (sentence.find("hg:FormerWord") is not None and _is_backwards(sentence)):
        return True
    said = _said(sentence, [turn for turn in turns if turn.changes], context)
    same = sentence.find("hg:SameWord") is not None
    that = same or (sentence.find("hg:ThatWord") is not None and not _describes(sentence))
    alike = said.as_old or bool(said.old and (same or said.kinds)) or bool(said.kinds and that)
    return alike and len(said.new) == 1


def goes_on_from_a_question(text: str, context: Context) -> bool:
    """Whether a question is followed by an order ("see what I did with the lamp? …"), or something is to be undone."""
    sentence = read(text, context)
    return last_of(sentence, context) is not sentence or sentence.find("hg:BackWord") is not None


def _plain(sentence: Sentence) -> str:
    """An order without what is said around it."""
    kept = []
    for place, token in enumerate(sentence.tokens):
        around = any(
            one.can(name) for one in sentence.at[place] for name in ("hg:SelfWord", "hg:PoliteWord", "hg:FramingWord")
        )
        if not around:
            kept.append(sentence.text[token.start : token.end])
    return " ".join(kept).replace(" 's", "'s").strip(" ,.;")


def _is_backwards(sentence: Sentence) -> bool:
    """Whether something shall be as it was."""
    if sentence.find("hg:BackWord") is not None:
        return True
    return sentence.find("hg:FormerWord") is not None or _was_so(sentence)


def _was_so(sentence: Sentence) -> bool:
    """ "How it was", "what I had": a way and somebody or something that had it so."""
    for place in range(len(sentence.tokens)):
        way = sentence.here("hg:AsWord", place)
        if way is not None and any(sentence.here("hg:BeenWord", n) is not None for n in range(way.end, way.end + 3)):
            return True
    return False


def _back(sentence: Sentence, turns: Sequence[Turn], context: Context) -> list[Intent]:
    """What sets back the changes that the words name; none where they name none."""
    if not _is_backwards(sentence):
        return []
    said = _said(sentence, turns, context)
    if said.new or not (said.old or said.kinds or said.places or said.classes):
        return []
    for turn in reversed(turns):
        own = [change for change in turn.changes if _is_meant(change, said, context)]
        if own:
            return [one for change in own if (one := set_to(change.property, change.property, change.before, context))]
    return []


def _is_meant(change: Change, said: _Said, context: Context) -> bool:
    """Whether a change is one of those that were named."""
    thing, prop = context.registry.thing_of.get(change.property), context.registry.properties.get(change.property)
    if thing is None or prop is None or (said.kinds and not said.kinds & prop.kinds):
        return False
    if said.old:
        return thing.iri in said.old
    if said.places and not any(is_in(thing, place, context) for place in said.places):
        return False
    return not said.classes or is_of(thing, said.classes, context)


def _again(sentence: Sentence, turns: Sequence[Turn], state: Mapping[str, Json], context: Context) -> list[Intent]:
    """What gives a thing what another got before; none where nothing of the kind is said."""
    said = _said(sentence, turns, context)
    if not _is_alike(sentence, said) or len(said.new) != 1:
        return []
    for turn in _likeliest(turns, said, context):
        sources = _changed(turn, context) & (said.old or _changed(turn, context))
        target = _target(said.new[0], sources, context) if sources else None
        found = list(_copied(turn, sources, target, said, state, context)) if target is not None else []
        if found:
            return found
    return []


def _changed(turn: Turn, context: Context) -> frozenset[str]:
    """The things of which a turn changed something."""
    return frozenset(
        context.registry.thing_of[c.property].iri for c in turn.changes if c.property in context.registry.thing_of
    )


def _likeliest(turns: Sequence[Turn], said: _Said, context: Context) -> list[Turn]:
    """The turns, the latest first; before them those that changed something of a class that is named. Where neither a
    source nor a kind is named, only those."""
    things, latest = context.registry.things, list(reversed(turns))
    first = [t for t in latest if any(is_of(things[iri], said.classes, context) for iri in _changed(t, context))]
    first += [t for t in latest if t not in first and any(str(c.after).casefold() in said.words for c in t.changes)]
    loose = said.old or said.kinds or not said.classes
    return [*first, *(turn for turn in latest if loose and turn not in first)]


def _is_alike(sentence: Sentence, said: _Said) -> bool:
    """Whether something shall be as something else was made: "the same", "that colour", "what I did", "just like the
    lamp", "the colour of the lamp"."""
    if sentence.find("hg:SameWord") is not None or said.as_old or (said.kinds and said.old and said.new):
        return True
    done = any(one.can("hg:DoneWord") or one.can("hg:BeenWord") for one in sentence.stretches())
    that = sentence.find("hg:ThatWord") is not None and not _describes(sentence)
    way = sentence.find("hg:AsWord") is not None or that
    mine = done and sentence.find("hg:SelfWord") is not None  # "the colour I gave the dining room"
    return (way and done) or (bool(said.kinds) and (mine or that))


def _describes(sentence: Sentence) -> bool:
    """ "That colour is ugly on the lamp": a change is spoken of, and wanted nowhere."""
    several = [n for n in range(len(sentence.tokens)) if sentence.here("hg:ThatWord", n) is not None]
    return any(sentence.word(n + 2) in _COPULAS for n in several)


def refuses(sentence: Sentence) -> bool:
    """ "Don't do the same to the lamp": an order not to, and nothing else."""
    denied = sentence.word(0) in _DONT or (sentence.word(0), sentence.word(1)) == ("do", "not")
    return denied and not any(sentence.word(n) in _CUTS for n in range(1, len(sentence.tokens) - 1))


def _target(things: frozenset[str], sources: Iterable[str], context: Context) -> Thing | None:
    """The one thing that is meant: of several, the one that is like what was changed."""
    registry = context.registry
    found = [registry.things[iri] for iri in sorted(things) if iri in registry.things]
    if len(found) == 1:
        return found[0]
    classes = frozenset(c for iri in sources for c in registry.things[iri].classes)
    alike = [thing for thing in found if is_of(thing, classes, context)]
    return alike[0] if len(alike) == 1 else None


def _copied(
    turn: Turn, sources: Iterable[str], target: Thing, said: _Said, state: Mapping[str, Json], context: Context
) -> Iterator[Intent]:
    """The settings of a turn, for another thing: those that were changed or named then, and that it has, too."""
    registry = context.registry
    own = set(sources)
    changed = [c.property for c in turn.changes if registry.thing_of[c.property].iri in own]
    named = {kind for one in turn.said for kind in one.kinds}
    told = [p.iri for iri in own for p in registry.things[iri].properties if named & p.kinds]
    several = list(dict.fromkeys([*changed, *told]))
    settings = [iri for iri in several if _POWER not in registry.properties[iri].kinds] or several
    for iri in settings:
        prop = registry.properties[iri]
        found = [p for p in target.properties if p.kinds & prop.kinds and (not said.kinds or said.kinds & p.kinds)]
        like = max(found, key=lambda p: _shared_classes(p, prop, context), default=None)
        intent = set_to(iri, like.iri, state.get(iri), context) if like is not None else None
        if intent is not None:
            yield intent


def _shared_classes(one: Property, other: Property, context: Context) -> int:
    """How much two parts are alike: the light of a fan with a light is like another light, and not like its fan."""
    parts = context.registry.parts
    return len({*parts[one.part].every_class} & {*parts[other.part].every_class})


def set_to(source: str, target: str, value: Json, context: Context) -> Intent | None:
    """The intent that gives one property the value that another has or had."""
    registry, vocabulary = context.registry, context.vocabulary
    prop, other = registry.properties.get(target), registry.properties.get(source)
    if prop is None or other is None or value is None:
        return None
    try:
        amount = amount_of(value, scale_of(other, vocabulary))
    except ValueFault:
        return None
    select = Select(things=(prop.part,), quantity=Quantity.ALL)
    return Intent("", "", selection=select, property=_kind(prop, other), amount=amount)


def _kind(prop: Property, other: Property) -> str | None:
    return min(prop.kinds & other.kinds or prop.kinds, default=None)


def _said(sentence: Sentence, turns: Sequence[Turn], context: Context) -> _Said:
    changed = {iri for turn in turns for iri in _changed(turn, context)}
    mentions = list(mentions_in(sentence, context))
    old = frozenset(iri for one in mentions for iri in one.things & changed if not one.vague)
    new = [one.things for one in mentions if one.things and not one.vague and not one.things & changed]
    if not (old and new):
        told, other = _told_apart(sentence, changed, new[0] if new else frozenset(), context)
        old, new = old or told, new or ([other] if other else [])
    named = sentence.named(Role.DEVICE, Role.PLACE)
    classes = frozenset(iri for iri, role in named.items() if role is Role.DEVICE)
    places = frozenset(iri for iri, role in named.items() if role is Role.PLACE)
    as_old = any(_follows(sentence, one.start) for one in mentions if one.things & old)
    kinds = kinds_in(sentence, context)
    return _Said(old, tuple(dict.fromkeys(new)), classes, places, kinds, _content(sentence), as_old)


def _told_apart(
    sentence: Sentence, changed: Iterable[str], target: frozenset[str], context: Context
) -> tuple[frozenset[str], frozenset[str]]:
    """The things that were changed, and the one like them that was not, where single words of their names or rooms say
    which: "the sea side", "the royal one"; of those like the `target` where that is known."""
    things = context.registry.things
    wanted = _settable(target, context)
    own = frozenset(iri for iri in changed if not target or wanted & _settable([iri], context))
    given = _settable(own, context)
    alike = {iri for iri in things if given & _settable([iri], context)} - own
    words = {iri: names_of(iri, context) for iri in own | alike}
    told = _alone(words, {singular(token.text) for token in sentence.tokens if len(token.text) >= _SHORTEST})
    other = told & alike
    return frozenset(told & own), frozenset(other if len(other) == 1 else ())


def _alone(words: Mapping[str, frozenset[str]], said: set[str]) -> set[str]:
    """The things of which some word is said that none of the others has."""
    only = [{iri for iri, names in words.items() if word in names} for word in said]
    return {iri for one in only if len(one) == 1 for iri in one}


def _settable(things: Iterable[str], context: Context) -> frozenset[str]:
    """The kinds of property that things have, apart from being on."""
    known = context.registry.things
    return frozenset(k for iri in things for p in known[iri].properties for k in p.kinds) - {_POWER}


def _follows(sentence: Sentence, place: int) -> bool:
    """Whether the thing that is named at a place is a model for another: "as with the lamp", "just like the lamp"."""
    before = [one for n in range(max(0, place - _NEAR), place) for one in sentence.at[n] if one.end <= place]
    return any(one.can("hg:LikeWord") and place - one.end <= _BETWEEN for one in before)


def _content(sentence: Sentence) -> frozenset[str]:
    """The words of a sentence, small ones apart."""
    return frozenset(token.text for token in sentence.tokens if len(token.text) >= _SHORTEST)
