"""Narrows ambiguous parts to the sensible ones: nobody turns off a lamp that is off."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.environment.retrieval import Candidate
from engine.environment.values.quantities import truth
from engine.environment.values.scales import number_of
from engine.errors import ValueFault
from engine.graph.terms import expand
from engine.model.intent import Intent, Measure
from engine.model.vocabulary import Effect, Form
from engine.planning.orders.merging import switching
from engine.planning.orders.templates import build
from engine.planning.site import Site

_ENDS = (Measure.TRUTH, Measure.BOUND)
_ACTIVITY = expand("hg:Activity")
_ENDED = (expand("hg:Stopped"), expand("hg:Paused"))
_RESTING = (*_ENDED, expand("hg:Finished"))


def sensible(intent: Intent, parts: Mapping[str, list[Candidate]], site: Site) -> Mapping[str, list[Candidate]]:
    """The parts that a command is usually meant for, or that have such a value, where nothing is named; of them the
    one that is not yet as an intent has it, where it switches, opens or shuts; else all of them."""
    parts = _having(intent, _usual(intent, parts, site), site)
    if not _goes_to_an_end(intent, site):
        return parts
    undone = {part: several for part, several in parts.items() if not _is_so(intent, part, several, site)}
    return undone if len(undone) == 1 else parts


def at_work(intent: Intent, parts: dict[str, list[Candidate]], site: Site) -> dict[str, list[Candidate]]:
    """Of several parts those that run, where they are to stop, and those that do less without being put on for it; all
    of them where there is none: nobody stops a speaker that is paused, or dims a lamp that is off."""
    if len(parts) < 2 or intent.timing is not None:
        return parts
    return {part: own for part, own in parts.items() if _works(intent, part, own, site)} or parts


def _works(intent: Intent, part: str, several: list[Candidate], site: Site) -> bool:
    """Whether a part runs, where an intent is to stop it, or is not put on where it is to do less."""
    if _stops(intent, site):
        return _runs(part, site)
    steps = intent.amount is not None and intent.amount.relative
    return not steps or not _is_put_on_for_less(intent, part, several, site)


def _stops(intent: Intent, site: Site) -> bool:
    """Whether a command interrupts a machine, or ends its work."""
    return any(effect.kind == _ACTIVITY and effect.value in _ENDED for effect in _effects(intent, site))


def _effects(intent: Intent, site: Site) -> tuple[Effect, ...]:
    """The effects of the command of an intent; none without one."""
    command = site.vocabulary.commands.get(intent.command or "")
    return command.effects if command is not None else ()


def _runs(part: str, site: Site) -> bool:
    """Whether a part does not say of itself that it rests."""
    told = [str(site.state.get(iri)).casefold() for iri in _activities(part, site)]
    resting = frozenset[str]().union(*(site.vocabulary.values[iri].notations for iri in _RESTING))
    return not told or not resting.issuperset(told)


def _activities(part: str, site: Site) -> Iterator[str]:
    """The properties of a part that tell of its work."""
    for prop in site.registry.thing_of[part].of_part(part):
        if any(site.vocabulary.is_a(kind, _ACTIVITY) for kind in prop.kinds):
            yield prop.iri


def _is_put_on_for_less(intent: Intent, part: str, several: list[Candidate], site: Site) -> bool:
    """Whether a step lowers a number of a part that is off, and puts it on with that."""
    try:
        built = build(intent, part, several, site, site.state)
    except ValueFault:
        return False
    known, now = site.registry.properties, site.state
    less = any((number_of(now.get(iri)) or 0) > (number_of(value) or 0) for iri, value in built.goals.items())
    switched = (iri for iri, value in built.step.expected if switching(known[iri].kinds, site.vocabulary) and value)
    return less and any(truth(now.get(iri), known[iri], site.vocabulary) is False for iri in switched)


def _usual(intent: Intent, parts: Mapping[str, list[Candidate]], site: Site) -> Mapping[str, list[Candidate]]:
    """The parts of the classes that a command is usually said of: "pause" of a player rather than a vacuum cleaner."""
    command = site.vocabulary.commands.get(intent.command or "")
    if command is None or not command.usually or intent.selection.classes or intent.selection.things:
        return parts
    vocabulary = site.vocabulary
    usual = {
        part: several
        for part, several in parts.items()
        if any(vocabulary.is_a(c, cls) for c in site.registry.parts[part].classes for cls in command.usually)
    }
    return usual or parts


def _having(intent: Intent, parts: Mapping[str, list[Candidate]], site: Site) -> Mapping[str, list[Candidate]]:
    """The parts that can have a value that is said by its name, where nothing else is: "a cotton wash" is of no fan."""
    named = intent.amount is not None and intent.amount.measure in (Measure.NAMED, Measure.TEXT)
    if not named or intent.selection.classes or intent.selection.things:
        return parts
    return {part: several for part, several in parts.items() if _can_be(intent, part, several, site)} or parts


def _can_be(intent: Intent, part: str, several: list[Candidate], site: Site) -> bool:
    try:
        build(intent, part, several, site, site.state)
    except ValueFault:
        return False
    return True


def is_one_thing(parts: Mapping[str, list[Candidate]], site: Site) -> bool:
    """Whether all are parts of the same thing."""
    return len({site.registry.thing_of[part].iri for part in parts}) == 1


def switches_off(intent: Intent, site: Site) -> bool:
    """Whether it is to be off, which a thing of several parts is where all of them are."""
    if intent.timing is not None:
        return False
    if intent.amount is not None:
        return intent.amount.measure is Measure.TRUTH and intent.amount.value is False
    return any(effect.form is Form.TO and effect.value is False for effect in _effects(intent, site))


def _goes_to_an_end(intent: Intent, site: Site) -> bool:
    if intent.timing is not None:
        return False
    if intent.amount is not None:
        return intent.amount.measure in _ENDS and not intent.amount.relative
    return any(effect.form in (Form.TO, Form.TO_BOUND) for effect in _effects(intent, site))


def _is_so(intent: Intent, part: str, several: list[Candidate], site: Site) -> bool:
    try:
        return build(intent, part, several, site, site.state).step.already
    except ValueFault:
        return True
