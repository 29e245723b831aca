"""Decides whether an intent is feasible here, and with which affordances: retrieval by SPARQL, the choice among
candidates, the reason where there are none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.environment.retrieval import Candidate, candidates, present
from engine.environment.selection import DEVICE, Selector
from engine.graph.terms import NamedNode
from engine.model.intent import Intent, Operation
from engine.model.outcome import Loss
from engine.model.request_rdf import intent_quads
from engine.model.selection import Quantity, Select
from engine.planning.orders.sensible import at_work, is_one_thing, sensible, switches_off
from engine.planning.site import Site


@dataclass(frozen=True, slots=True)
class Chosen:
    """The parts to act on, each with the affordances that could serve, likeliest first; `found` are all that retrieval
    found."""

    parts: tuple[tuple[str, tuple[Candidate, ...]], ...]
    found: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal: a reason code, and the terms or words that it concerns; `losses` say why candidates were ruled out."""

    reason: str
    subject: str = ""
    losses: tuple[Loss, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the person: a reason code, and the choices as IRIs of parts or places; `found` as in Chosen."""

    reason: str
    choices: tuple[str, ...]
    found: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Nothing:
    """There are such things, but none is as was said."""


def choose(intent: Intent, site: Site) -> Chosen | Refusal | Question | Nothing:
    """The parts and affordances for an intent that is already stored in the graph."""
    found = _plainly(intent, site) if intent.selection.plain else _selected(intent, site)
    return _without_lasting(found, site) if isinstance(found, Chosen) and _is_of_everything(intent) else found


def _is_of_everything(intent: Intent) -> bool:
    """Whether an intent acts on all devices there are, and names none."""
    select = intent.selection
    everything = select.quantity is Quantity.ALL and select.classes in ((), (DEVICE,)) and not select.things
    return everything and intent.operation is not Operation.CHECK


def _without_lasting(chosen: Chosen, site: Site) -> Chosen:
    """Without the parts that keep the home going, unless there are no others: "everything off" shuts no water off."""
    rows = site.store.derived("planning/lasting", lambda: site.store.select("environment/lasting"))
    lasting = {part.value for (part,) in rows if part is not None}
    rest = tuple((part, several) for part, several in chosen.parts if part not in lasting)
    return replace(chosen, parts=rest or chosen.parts)


def _selected(intent: Intent, site: Site) -> Chosen | Refusal | Question | Nothing:
    """Chooses for a selection with more than classes, things and places: it is evaluated first, and an intent on the
    parts that it denotes is derived and stored."""
    parts = Selector(site.store, site.registry).select(intent.selection)
    if not parts:
        wide = _derived(intent, replace(intent.selection, tests=(), rooms=(), minus=(), order=None), site)
        found = _plainly(wide, site)
        return found if isinstance(found, Refusal) else Nothing()
    ranked = intent.selection.order is not None or intent.selection.share is not None
    quantity = Quantity.ALL if ranked else intent.selection.quantity
    places = intent.selection.places
    return _plainly(_derived(intent, Select(things=parts, places=places, quantity=quantity), site), site)


def _derived(intent: Intent, selection: Select, site: Site) -> Intent:
    derived = replace(intent, iri=f"{intent.iri}/selected", selection=selection)
    site.store.write(insert=intent_quads(derived, intent.iri))
    return derived


def _plainly(intent: Intent, site: Site) -> Chosen | Refusal | Question:
    known = site.store.derived("planning/infeasible", dict[object, str])
    key = (intent.command, intent.property, intent.operation, intent.selection)
    if key in known:
        return Refusal(known[key])
    found = candidates(site.store, NamedNode(intent.iri))
    if not found:
        known[key] = present(site.store, NamedNode(intent.iri))
        return Refusal(known[key])
    bearing = tuple(one for one in found if _bears_on_the_room(one, intent, site))
    if not bearing:
        return Refusal("no_such_device")
    return replace(_select(intent, _by_part(bearing), site), found=tuple(one.affordance for one in bearing))


def _bears_on_the_room(one: Candidate, intent: Intent, site: Site) -> bool:
    """Whether a step that is for a room, and names neither device nor property, may be this one's: the oven does not
    make the kitchen warmer, nor the screen of a television the room brighter."""
    select, kinds, of_kind = intent.selection, site.vocabulary.kinds, intent.property or ""
    kind, amount = kinds.get(of_kind), intent.amount
    for_a_room = bool(select.places) and not (select.things or select.classes)
    if kind is None or amount is None or not (for_a_room and amount.relative and kind.influences):
        return True
    if names_its_property(intent, site):
        return True
    own = [k for p in site.registry.thing_of[one.part].of_part(one.part) for k in p.kinds]
    return any(k in kinds and kinds[k].influences for k in own if site.vocabulary.is_a(k, of_kind))


def names_its_property(intent: Intent, site: Site) -> bool:
    """Whether the words of an intent name its property."""
    names = site.vocabulary.labels.get(intent.property or "", ())
    return any(name in intent.text.casefold() for name in names)


def _by_part(found: Sequence[Candidate]) -> dict[str, list[Candidate]]:
    parts: dict[str, list[Candidate]] = {}
    for candidate in found:
        parts.setdefault(candidate.part, []).append(candidate)
    for several in parts.values():
        several.sort(key=lambda c: not c.exact)
    return parts


def _select(intent: Intent, parts: dict[str, list[Candidate]], site: Site) -> Chosen | Question:
    parts = at_work(intent, parts, site)
    if intent.selection.quantity is not Quantity.ALL and len(parts) > 1:
        narrowed = _nearest(intent, parts, site)
        if len(narrowed) > 1 and intent.selection.quantity is Quantity.ONE:
            narrowed = dict(sensible(intent, narrowed, site))
        if len(narrowed) > 1 and intent.selection.quantity is Quantity.ONE:
            if not (is_one_thing(narrowed, site) and switches_off(intent, site)):
                return _which(narrowed, site)
            return Chosen(tuple((part, tuple(several)) for part, several in narrowed.items()))
        parts = dict(list(narrowed.items())[:1])
    return Chosen(tuple((part, tuple(several)) for part, several in parts.items()))


def _nearest(intent: Intent, parts: dict[str, list[Candidate]], site: Site) -> dict[str, list[Candidate]]:
    """Narrows candidates: without a place in the request, to those where the speaker is, if any; with one, to those in
    that very place rather than in one inside it; then to those with exactly this command."""
    direct = {p: c for p, c in parts.items() if site.registry.thing_of[p].place in intent.selection.places}
    parts = direct or parts
    if not intent.selection.places and site.location:
        here = {p: c for p, c in parts.items() if site.location in site.enclosing(site.registry.thing_of[p].place)}
        parts = here or parts
    exact = {p: c for p, c in parts.items() if c[0].exact}
    return exact or parts


def _which(parts: dict[str, list[Candidate]], site: Site) -> Question:
    rooms = {site.registry.thing_of[part].place for part in parts}
    reason = "ambiguous_room" if len(rooms) == len(parts) and None not in rooms else "ambiguous_device"
    return Question(reason, tuple(parts))
