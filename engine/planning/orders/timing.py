"""When and for how long: the waits before and after a subtree, and the way back when its time is over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from engine.environment.values.quantities import amount_of, realise, same
from engine.environment.values.scales import scale_of
from engine.errors import ValueFault
from engine.graph.terms import Json
from engine.model.intent import Amount, Intent, Measure, Moment, Operation, Timing
from engine.model.selection import Quantity, Select
from engine.model.thing import Thing
from engine.planning.orders.templates import Built, property_of
from engine.planning.site import Site


def back(intent: Intent, built: Built, part: str, site: Site, before: Mapping[str, Json]) -> tuple[Intent, ...]:
    """The intents that undo another when its time is over: switches are switched back, values set as they were, and so
    are side effects (a lamp that went on when it was dimmed). The first undoes the intent itself.

    Empty for an intent without an end. Raises ValueFault where there is nothing to go back to.
    """
    if intent.timing is None or (intent.timing.duration is None and intent.timing.end is None):
        return ()
    amounts = {iri: _opposite(iri, value, before, site) for iri, value in built.goals.items()}
    amounts = {iri: amount for iri, amount in amounts.items() if amount is not None}
    if not amounts:
        raise ValueFault("there is no way back from that, so it cannot be done for a time.", reason="no_such_command")
    amounts.update(_came_along(built, site, before))
    name = part.rpartition("/")[2].rpartition("#")[2]
    return tuple(
        replace(
            intent,
            iri=f"{intent.iri}/back/{name}-{number}",
            operation=Operation.SET,
            selection=Select(things=(part,), quantity=Quantity.ALL),
            command=None,
            property=_kind(iri, intent, site),
            amount=amount,
            timing=None,
            inputs=(),
        )
        for number, (iri, amount) in enumerate(amounts.items(), start=1)
    )


def _opposite(iri: str, value: Json, before: Mapping[str, Json], site: Site) -> Amount | None:
    scale = scale_of(site.registry.properties[iri], site.vocabulary)
    truth = value if isinstance(value, bool) else scale.truth_of(value)
    if truth is not None:
        return Amount(Measure.TRUTH, not truth)
    present = before.get(iri)
    return None if present is None else amount_of(present, scale)


def _came_along(built: Built, site: Site, before: Mapping[str, Json]) -> dict[str, Amount]:
    """The former values of the step's side effects."""
    found = {}
    for iri, value in built.step.expected:
        prop, present = site.registry.properties.get(iri), before.get(iri)
        if iri in built.goals or prop is None or present is None or same(present, value, prop, site.vocabulary):
            continue
        found[iri] = amount_of(present, scale_of(prop, site.vocabulary))
    return found


def _kind(iri: str, intent: Intent, site: Site) -> str | None:
    kinds = sorted(site.registry.properties[iri].kinds)
    fitting = [k for k in kinds if intent.property is not None and site.vocabulary.is_a(k, intent.property)]
    return next(iter([*fitting, *kinds]), None)


def delay(timing: Timing | None, site: Site) -> dict[str, Json] | None:
    """The wait before something starts; None where it starts at once."""
    if timing is None or timing.start is None:
        return None
    return _wait(timing.start, site, site.clock.now())


def ends(timing: Timing) -> Moment:
    """The end of a temporary effect, as it was said."""
    return timing.end or Moment(after=timing.duration)


def begins(timing: Timing | None, now: datetime) -> datetime:
    """When something begins, as far as the clock can tell."""
    start = timing.start if timing is not None else None
    if start is not None and start.at is not None:
        return _next(start.at, now)
    return now + timedelta(seconds=start.after or 0.0) if start is not None else now


def _wait(moment: Moment, site: Site, since: datetime) -> dict[str, Json]:
    if moment.at is not None:
        return {"type": "wait_until", "at": _next(moment.at, since).isoformat()}
    if moment.selection is not None:
        return {"type": "wait_until", "child": _condition(moment, site)}
    return {"type": "wait", "seconds": moment.after or 0.0}


def _next(at: str, since: datetime) -> datetime:
    """The next time that the clock shows `HH:MM`."""
    hours, minutes = (int(part) for part in at.split(":")[:2])
    moment = since.replace(hour=hours, minute=minutes, second=0, microsecond=0)
    return moment if moment > since else moment + timedelta(days=1)


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
                site.vocabulary.is_a(own, cls) for own in part.every_class for cls in wanted.classes
            )
            placed = not wanted.places or bool(site.enclosing(thing.place) & set(wanted.places))
            if named and classed and placed:
                yield part.iri, thing
