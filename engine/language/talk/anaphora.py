"""Resolves words for earlier referents: "it", "them", "the other one", "the former", "there", "in that room"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.language.meanings.context import Context
from engine.language.meanings.names import denotations
from engine.language.meanings.past import Said, Turn
from engine.language.meanings.places import ANY_ROOM, is_inside
from engine.language.phrases.coordination import Goal
from engine.language.phrases.slots import Noun, PlaceName, Quality
from engine.language.words import grammar
from engine.language.words.lexicon import Entry, Role
from engine.language.words.tokens import tokenize
from engine.model.intent import Asks

_ONE = frozenset({"one", "ones"})
_SEVERAL = frozenset({"those", "the ones", "those ones", "the one"})
_POSSESSIVE = frozenset({"its", "their", "his", "her"})
_OTHER = frozenset({"other", "others"})


def resolved(goal: Goal, last: Turn, context: Context) -> Goal:
    """A goal with its anaphora resolved to their referents."""
    goal = _there(goal, last, context)
    if goal.noun is not None and (several := _of_several(goal.noun, last, context)) is not None:
        return replace(goal, noun=several, refers=False, quantity="all")
    if goal.noun is not None and (_OTHER & set(goal.noun.modifiers) or goal.noun.text in _OTHER):
        return _other(goal, goal.noun, last, context)
    if goal.noun is None and _OTHER & set(goal.unknown):
        return _other(replace(goal, unknown=()), Noun((), goal.unknown[-1]), last, context)
    if goal.noun is not None and not goal.noun.entries and goal.noun.text in _ONE:
        return _one_called(goal, goal.noun, last, context)
    possessed = goal.pronoun in _POSSESSIVE or (goal.noun is not None and _is_none_here(goal.noun, context))
    if possessed and goal.noun is not None and goal.antecedent is None and not goal.places:
        return _owned(goal, goal.noun, last, context)
    if goal.pronoun in _ONE and goal.noun is None and (named := _pointed(goal, last, context)) is not None:
        return named
    if goal.noun is not None or not goal.refers or goal.antecedent is not None:
        return goal
    if goal.pronoun in _ONE and (goal.places or goal.unknown):
        quantity = "plural" if goal.pronoun == "ones" else goal.quantity
        return replace(goal, noun=kind_of(last.said[-1], context), refers=False, unknown=(), quantity=quantity)
    return _referring(goal, last, context)


def _referring(goal: Goal, last: Turn, context: Context) -> Goal:
    """A goal whose pronoun stands for parts that were spoken of."""
    parts = meant(goal, context)
    if goal.places and goal.pronoun in grammar.PLURAL_PRONOUNS and not goal.question:
        return _of_those_there(goal, parts, last, context)
    if goal.places and (goal.question or not any(_can_be_set(part, context) for part in parts)):
        return _of_the_place(goal, last, context)
    return about(goal, parts, context) if parts and _can_be_asked(goal, parts, context) else goal


def _of_several(noun: Noun, last: Turn, context: Context) -> Noun | None:
    """A noun for those spoken of that something more is said of: "the ones that are on"; of one thing alone
    its kind is meant."""
    if noun.entries or (noun.text != grammar.THOSE and not (noun.restrictions and noun.text in _SEVERAL)):
        return None
    parts = group(context)
    if len(parts) < 2 and noun.text != grammar.THOSE and last.said:
        kind = kind_of(last.said[-1], context)
        return replace(kind, restrictions=noun.restrictions) if kind is not None else None
    return replace(noun_of(parts, context), restrictions=noun.restrictions) if parts else None


def _of_those_there(goal: Goal, parts: Sequence[str], last: Turn, context: Context) -> Goal:
    """The goal about those spoken of that are in a place, or else about others of the kind: "the ones in the
    hall"."""
    places = [e.iri for place in goal.places for e in place.entries if e.role is Role.PLACE]
    homes = {part: context.registry.thing_of[part].place or "" for part in parts if part in context.registry.thing_of}
    there = [p for p, home in homes.items() if any(is_inside(home, place, context.registry) for place in places)]
    if there:
        return about(goal, there, context)
    kind = kind_of(last.said[-1], context) if last.said else None
    return replace(goal, noun=kind, refers=False, quantity="plural") if kind is not None else goal


def settled(found: Sequence[Goal], context: Context) -> list[Goal]:
    """The goals of one text, "the room" in a later one that of an earlier one."""
    kept: list[Goal] = []
    for goal in found:
        generic = bool(goal.places) and all(_is_any_room(place) for place in goal.places)
        before = next((one for one in reversed(kept) if one.places or _rooms(one, context)), None) if generic else None
        kept.append(goal if before is None else replace(goal, places=before.places or _rooms(before, context)))
    return kept


def _rooms(goal: Goal, context: Context) -> tuple[PlaceName, ...]:
    """The room of the one thing that a goal names."""
    things = [e.iri for e in goal.noun.entries if e.role is Role.THING] if goal.noun is not None else []
    thing = context.registry.thing_of.get(things[0]) if len(things) == 1 else None
    place = context.registry.places.get(thing.place or "") if thing is not None else None
    return (PlaceName((Entry(Role.PLACE, place.iri),), place.name, introduced=True),) if place is not None else ()


def about(goal: Goal, parts: Sequence[str], context: Context) -> Goal:
    """The goal, about these very parts."""
    quantity = "all" if len(parts) > 1 else goal.quantity if goal.quantity != "plural" else ""
    return replace(goal, noun=noun_of(parts, context), places=(), refers=False, quantity=quantity)


def noun_of(parts: Sequence[str], context: Context) -> Noun:
    """A noun that denotes these very parts."""
    names = " and ".join(context.registry.thing_of[p].title for p in parts if p in context.registry.thing_of)
    return Noun(tuple(Entry(Role.THING, part) for part in parts), names, head=_classes(parts, context))


def kind_of(said: Said, context: Context) -> Noun | None:
    """A noun for the kind of thing that was spoken of, another one of which may be meant."""
    noun = said.goal.noun
    if noun is not None and any(e.role is Role.DEVICE for e in noun.entries):
        entries = tuple(e for e in noun.entries if e.role is Role.DEVICE)
        return replace(noun, entries=entries, text=noun.text.split()[-1], modifiers=(), unknown=())
    classes = noun.head if noun is not None and noun.head else _classes(said.parts, context)
    return Noun(classes, noun.text.split()[-1] if noun is not None else "one") if classes else None


def _pointed(goal: Goal, last: Turn, context: Context) -> Goal | None:
    """ "The one on the left": a word that may be a value is of a name."""
    words = tuple(how.text for how in goal.amounts if how.preposition == "on" and how.number is None)
    kind = kind_of(last.said[-1], context) if words else None
    named = replace(kind, modifiers=words) if kind is not None else None
    if named is None or not any(things for _, things in denotations(named, "", context)):
        return None
    return replace(goal, noun=named, refers=False, amounts=tuple(a for a in goal.amounts if a.text not in words))


def _owned(goal: Goal, noun: Noun, last: Turn, context: Context) -> Goal:
    """Resolves a possessive, "its light", "its display": to a component of the referent, else to a property that begins
    with the word."""
    classes = [e.iri for e in noun.entries if e.role is Role.DEVICE]
    parts = next((said.parts for said in reversed(last.said) if said.parts), ())
    things = [context.registry.thing_of[part] for part in parts]
    components = [p.iri for thing in things for p in thing.parts[1:] if _is_of(p.every_class, classes, context)]
    if components:
        return about(goal, components, context)
    kinds = {kind for part in parts for p in context.registry.thing_of[part].of_part(part) for kind in p.kinds}
    word = noun.text.split()[0]
    named = sorted(k for k in kinds if any(label.split()[0] == word for label in context.vocabulary.labels.get(k, ())))
    if not named and classes and goal.pronoun in _POSSESSIVE and (places := _spoken_of(last, context)):
        return replace(goal, places=places, pronoun="", refers=False)  # of a room: "its blinds"
    if not named:
        return goal
    quality = Quality(tuple(Entry(Role.PROPERTY, kind) for kind in named), noun.text)
    return replace(about(goal, parts, context), qualities=(quality,))


def _spoken_of(last: Turn, context: Context) -> tuple[PlaceName, ...]:
    """The place that was spoken of last, or that of the things that were."""
    named = next((one.goal.places for one in reversed(last.said) if one.goal.places), ())
    if named:
        return named
    rooms = dict.fromkeys(filter(None, (context.registry.thing_of[p].place for p in last.parts)))
    known = [context.registry.places[room] for room in rooms if room in context.registry.places]
    entries = tuple(Entry(Role.PLACE, room.iri) for room in known)
    return (PlaceName(entries, known[0].name, introduced=True),) if known else ()


def _is_none_here(noun: Noun, context: Context) -> bool:
    """Whether a noun is a device of which there is none here: "and the fan to high", of an air conditioner."""
    devices = [e for e in noun.entries if e.role is Role.DEVICE]
    return (
        bool(devices)
        and len(devices) == len(noun.entries)
        and not any(e.iri in context.dictionary.held for e in devices)
    )


def _is_of(owned: Iterable[str], classes: Sequence[str], context: Context) -> bool:
    return any(context.vocabulary.is_a(own, cls) for own in owned for cls in classes)


def _classes(parts: Iterable[str], context: Context) -> tuple[Entry, ...]:
    known = context.registry.parts
    return tuple(Entry(Role.DEVICE, cls) for part in parts if part in known for cls in sorted(known[part].classes))


def _there(goal: Goal, last: Turn, context: Context) -> Goal:
    """ "There" and "in that room" are where the things are that were spoken of, or the rooms that were asked for."""
    asked = _rooms_asked(last)
    owned = goal.noun is not None and goal.pronoun in _POSSESSIVE and not goal.places
    if asked and (goal.there or owned):
        refers = goal.refers and bool(goal.pronoun) and not owned
        return replace(goal, places=asked, there=False, pronoun="" if owned else goal.pronoun, refers=refers)
    generic = bool(goal.places) and all(_is_any_room(place) for place in goal.places)
    if not (goal.there or generic) or (goal.places and not generic) or goal.everywhere:
        return goal
    if goal.quantity == "all" and not goal.there:
        return goal  # "all lights in all rooms"
    rooms = tuple(dict.fromkeys(filter(None, (context.registry.thing_of[p].place for p in last.parts))))
    known = [context.registry.places[room] for room in rooms if room in context.registry.places]
    if generic and context.location:
        return goal
    if not known:
        said = next((one.goal.places for one in reversed(last.said) if one.goal.places), goal.places)
        return replace(goal, places=said, there=False, refers=goal.refers and bool(goal.pronoun))
    places = (PlaceName(tuple(Entry(Role.PLACE, room.iri) for room in known), known[0].name, introduced=True),)
    return replace(goal, places=places, there=False, refers=goal.refers and bool(goal.pronoun))


def _rooms_asked(last: Turn) -> tuple[PlaceName, ...]:
    """The rooms that a question was for, told by how it is there: "which rooms are over 25 degrees?"."""
    asked = last.said[-1].goal if last.said else None
    query = asked.inquiry if asked is not None else None
    if asked is None or query is None or query.asks not in (Asks.LIST, Asks.PLACE) or asked.noun is not None:
        return ()
    rooms = [place for place in asked.places if any(e.role is Role.PLACE_CLASS for e in place.entries)]
    said = (*(rooms[0].restrictions if rooms else ()), *query.predicate)
    return (replace(rooms[0], plural=True, restrictions=said),) if rooms and said else ()


def _is_any_room(place: PlaceName) -> bool:
    return bool(place.entries) and not place.modifiers and not place.plural and all(
        e.role is Role.PLACE_CLASS and e.iri in ANY_ROOM for e in place.entries
    )  # fmt: skip


def meant(goal: Goal, context: Context) -> tuple[str, ...]:
    """The parts that a pronoun means: those of the last goal, of the last turn, or, for both, of the last two."""
    last = context.past.last
    assert last is not None
    if goal.pronoun in grammar.FORMER_LATTER:
        parts = last.parts
        if len(parts) < 2:
            parts = tuple(dict.fromkeys(p for turn in context.past.turns[-2:] for p in turn.parts))
        return parts[:1] if goal.pronoun == "former" else parts[-1:]
    if goal.pronoun in grammar.PLURAL_PRONOUNS or goal.quantity == "all":
        return group(context)
    return next((said.parts for said in reversed(last.said) if said.parts), ())


def group(context: Context) -> tuple[str, ...]:
    """The parts that were spoken of as several: in the last turn, or one each in the last two."""
    last = context.past.last
    turns = context.past.turns[-2:] if last is None or len(last.parts) < 2 else (last,)
    return tuple(dict.fromkeys(part for turn in turns for part in turn.parts))


def _of_the_place(goal: Goal, last: Turn, context: Context) -> Goal:
    """Resolves "there" to the place and its measurements, not a thing: "how warm is it in there", "set it to 21 in
    there"."""
    if goal.question or goal.qualities:
        return replace(goal, refers=False, pronoun="")
    names = [context.vocabulary.name(kind) for said in last.said for kind in said.kinds]
    found = [(name, m) for name in names for m in context.dictionary.lexicon.at(tokenize(name), 0)[:1]]
    qualities = [Quality(tuple(e for e in m.entries if e.role is Role.PROPERTY), name) for name, m in found]
    return replace(goal, refers=False, pronoun="", qualities=tuple(q for q in qualities if q.entries))


def _can_be_set(part: str, context: Context) -> bool:
    """Whether a part is more than a sensor."""
    thing = context.registry.thing_of.get(part)
    return thing is not None and any(action.part == part for action in thing.actions)


def _can_be_asked(goal: Goal, parts: Sequence[str], context: Context) -> bool:
    """Whether a question can be about these parts: "is it cold?" asks about parts with such a property, not a lamp."""
    if not goal.question:
        return True
    wanted = {e.iri for quality in goal.qualities for e in quality.entries}
    wanted |= {s.kind for a in goal.amounts for e in a.entries for s in context.dictionary.states.get(e.iri, ())}
    return not wanted or any(holds(part, wanted, context) for part in parts)


def holds(part: str, kinds: Iterable[str], context: Context) -> bool:
    """Whether a part has a property of one of these kinds."""
    thing = context.registry.thing_of.get(part)
    properties = thing.of_part(part) if thing is not None else ()
    return any(context.vocabulary.is_a(own, kind) for kind in kinds for p in properties for own in p.kinds)


def _other(goal: Goal, noun: Noun, last: Turn, context: Context) -> Goal:
    """ "The other one", "the other curtain": one of the kind that was not spoken of, in the same room if there is."""
    base = next((said for said in reversed(last.said) if said.parts), None)
    if base is None:
        return goal
    kind = noun if noun.entries else kind_of(base, context)
    entries = () if kind is None else (kind.head or kind.entries)
    bare = Noun(tuple(e for e in entries if e.role is Role.DEVICE), "one", noun.plural)
    parts = [p for p in _of_classes(bare, context) if p not in last.parts]
    rooms = {context.registry.thing_of[p].place for p in last.parts}
    near = [p for p in parts if context.registry.thing_of[p].place in rooms]
    found = tuple(near or parts)
    plural = noun.plural or noun.text in ("ones", "others")
    if not found:
        return goal
    several = replace(about(goal, found, context), quantity="plural" if plural else goal.quantity)
    return replace(several, places=() if near else goal.places)


def _of_classes(noun: Noun, context: Context) -> list[str]:
    """All parts here of a noun's classes."""
    classes = [e.iri for e in noun.entries]
    return [iri for iri, part in context.registry.parts.items() if _is_of(part.every_class, classes, context)]


def _one_called(goal: Goal, noun: Noun, last: Turn, context: Context) -> Goal:
    """ "The right one": one of the kind that was spoken of, with these words in its name; where no name has them and
    there is but one that was spoken of, that one."""
    for said in reversed(last.said):
        kind = kind_of(said, context)
        if kind is None:
            continue
        named = replace(kind, text=noun.text, modifiers=noun.modifiers, restrictions=noun.restrictions)
        if noun.restrictions or any(things for _, things in denotations(named, goal.quantity, context)):
            return replace(goal, noun=named, refers=False)
    return goal
