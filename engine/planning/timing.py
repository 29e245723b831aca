"""When and for how long: waits around a subtree, and the way back when its time is over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from engine.environment.quantities import amount_of, realise
from engine.environment.scales import scale_of
from engine.errors import ValueFault
from engine.graph.terms import Json
from engine.model.intent import Amount, Intent, Measure, Moment, Operation
from engine.model.thing import Thing
from engine.planning.site import Site
from engine.planning.templates import Built, property_of


def back(intent: Intent, built: Built, site: Site, before: Mapping[str, Json]) -> Intent | None:
    """The intent that undoes another when its time is over: what was switched is switched back, and what was set is
    set as it was. None where there is nothing to go back to."""
    timing = intent.timing
    if timing is None or (timing.duration is None and timing.end is None):
        return None
    for iri, value in built.goals.items():
        prop = site.registry.properties[iri]
        amount = _opposite(value, before.get(iri), site, iri)
        if amount is not None:
            kind = intent.property or next(iter(sorted(prop.kinds)), None)
            return replace(
                intent,
                iri=f"{intent.iri}/back",
                operation=Operation.SET,
                command=None,
                property=kind,
                amount=amount,
                timing=None,
                inputs=(),
            )
    raise ValueFault("there is no way back from that, so it cannot be done for a time.", reason="no_such_command")


def _opposite(value: Json, before: Json, site: Site, iri: str) -> Amount | None:
    scale = scale_of(site.registry.properties[iri], site.vocabulary)
    truth = value if isinstance(value, bool) else scale.truth_of(value)
    if truth is not None:
        return Amount(Measure.TRUTH, not truth)
    return None if before is None else amount_of(before, scale)


def timed(node: dict[str, Json], undo: dict[str, Json] | None, intent: Intent, site: Site) -> dict[str, Json]:
    """The subtree with its waits: before it starts, and before its way back."""
    timing = intent.timing
    if timing is None:
        return node
    children: list[Json] = []
    if timing.start is not None:
        children.append(_wait(timing.start, site))
    children.append(node)
    if undo is not None:
        pause = timing.end or Moment(after=timing.duration)
        children += [_wait(pause, site), undo]
    return {"type": "sequence", "name": intent.text, "children": children}


def _wait(moment: Moment, site: Site) -> dict[str, Json]:
    if moment.at is not None:
        return {"type": "wait_until", "at": _next(moment.at, site.clock.now()).isoformat()}
    if moment.selection is not None:
        return {"type": "wait_until", "child": _condition(moment, site)}
    return {"type": "wait", "seconds": moment.after or 0.0}


def _next(at: str, now: datetime) -> datetime:
    """The next time that the clock shows `HH:MM`."""
    hours, minutes = (int(part) for part in at.split(":")[:2])
    moment = now.replace(hour=hours, minute=minutes, second=0, microsecond=0)
    return moment if moment > now else moment + timedelta(days=1)


def _condition(moment: Moment, site: Site) -> dict[str, Json]:
    """The condition node for a state that is waited for. Raises ValueFault where nothing here can have it."""
    assert moment.property is not None
    assert moment.amount is not None
    for part, thing in _parts(moment, site):
        prop = property_of(moment.property, part, thing, site.vocabulary)
        if prop is not None:
            value = realise(moment.amount, prop, site.vocabulary, site.state.get(prop.iri))
            return {"type": "condition", "affordance": prop.iri, "operator": "=", "value": value}
    raise ValueFault("nothing here has the state that is to be waited for.", reason="no_such_property")


def _parts(moment: Moment, site: Site) -> Iterator[tuple[str, Thing]]:
    """The parts that a selection means, with their things."""
    assert moment.selection is not None
    wanted = moment.selection
    for thing in site.registry.things.values():
        for part in thing.parts:
            named = not wanted.things or thing.iri in wanted.things or part.iri in wanted.things
            classed = not wanted.classes or any(
                site.vocabulary.is_a(own, cls) for own in part.classes for cls in wanted.classes
            )
            placed = not wanted.places or thing.place in wanted.places
            if named and classed and placed:
                yield part.iri, thing
