"""Planning with a language model: it chooses among the retrieved affordances, and its plan is checked like any other.

Three tries, each told of the faults of the one before; then the intent is refused. Infeasible intents are never put to
it; arithmetic, reading of values, and existence of things are not its task.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine import llm
from engine.environment.retrieval import Candidate
from engine.environment.simulation.influences import Influences
from engine.environment.state import Overlay
from engine.environment.values.quantities import realise, same
from engine.errors import ModelError, PlanError, ValueFault
from engine.experience.recall import hints, part_of
from engine.graph.terms import Json
from engine.model import plan_ir
from engine.model.intent import Intent, Operation
from engine.model.signifier import Signifier
from engine.model.thing import Action, Property
from engine.planning.model.prompting import Options, Planner, aliases, answer_schema, messages, present, well_formed
from engine.planning.orders.templates import Built, build, invoked, property_of
from engine.planning.orders.timing import begins
from engine.planning.policies.enforcement import enforce
from engine.planning.site import Site
from engine.planning.wishes.scope import parts_in, somewhere
from engine.planning.wishes.vague import bearing_on, goals_of, influences_of
from engine.settings import Settings

TRIES = 3
MOST_AFFORDANCES = 40
"""Of how many affordances a model is told where words say nothing that is known."""


def planner_of(settings: Settings) -> Planner | None:
    """The planner that the settings ask for; None where they name no language model. Raises SettingError."""
    model = llm.from_settings(settings)
    return None if model is None else Planner(model, forced=settings.llm_path == "always")


def generate(intent: Intent, found: Sequence[Candidate], site: Site, planner: Planner) -> tuple[Built, ...]:
    """Subtrees for an intent, one an action that the model has chosen; for a question, none but the readings stand in
    `plan_ir`. Raises ModelError where there is no answer, or none that holds, ValueFault (no_such_device) where there
    is nothing to choose from."""
    able = _able(intent, found, site)
    if not able:
        raise ValueFault("nothing here could do that.", reason="no_such_device")
    known = aliases(able, site.registry)
    told = _told(intent, known, site, planner)
    parts = len({one.part for one in found})
    schema = answer_schema(intent, known, planner.options, parts)
    strict = answer_schema(intent, known, Options(), parts)
    fault = "nothing was chosen"
    for attempt in range(TRIES):
        planner.record.calls += 1
        planner.record.retries += bool(attempt)
        answer = planner.model.complete(told, schema)
        planner.record.malformed += not well_formed(answer, strict)
        try:
            return _built(answer, intent, found, known, site, planner)
        except (PlanError, ValueFault) as error:
            fault = str(error)
            told = [*told, {"role": "user", "content": f"That plan does not hold: {fault} Give another one."}]
    raise ModelError(f"The language model gave no plan that holds: {fault}", reason="model_refused")


def _able(intent: Intent, found: Sequence[Candidate], site: Site) -> list[Action | Property]:
    """The affordances that may be chosen: the retrieved ones; for a wish, those of all parts that bear on it."""
    iris = [one.affordance for one in found]
    if not iris:
        vague = intent.variable is None and intent.situation is None
        parts = list(parts_in(somewhere(intent, site), intent, site)) if vague else bearing_on(intent, site)
        iris = [action.iri for part, thing in parts for action in thing.actions if action.part == part.iri]
        iris = iris[:MOST_AFFORDANCES]
    known: list[Action | Property | None] = [
        site.registry.actions.get(iri) or site.registry.properties.get(iri) for iri in dict.fromkeys(iris)
    ]
    reads = intent.operation is Operation.CHECK
    return [one for one in known if one is not None and isinstance(one, Property if reads else Action)]


def _told(intent: Intent, known: Mapping[str, Action | Property], site: Site, planner: Planner) -> list[dict[str, str]]:
    things = list({t.iri: t for one in known.values() for t in [site.registry.thing_of[one.iri]]}.values())
    place = things[0].place if things else None
    sensors = influences_of(site).sensors(intent.variable, place) if intent.variable else []
    elsewhere: Sequence[Signifier] = ()
    if site.experience is not None and planner.options.hints:
        elsewhere = hints(intent, site.experience)
    state = present(things, site.registry, site.state, sensors)
    props = [site.registry.properties[iri] for iri in _wanted(intent, site)]
    wanted = {name: _wanted(intent, site)[prop.iri] for name, prop in aliases(props, site.registry).items()}
    return messages(intent, known, state, elsewhere, planner.options, wanted)


def _wanted(intent: Intent, site: Site) -> dict[str, Json]:
    """The goals of a situation as values of properties here."""
    found: dict[str, Json] = {}
    for goal in goals_of(intent, site) if intent.situation is not None else ():
        thing = site.registry.thing_of[goal.part]
        prop = property_of(goal.kind, goal.part, thing, site.vocabulary)
        try:
            found.update({} if prop is None else {prop.iri: realise(goal.amount, prop, site.vocabulary)})
        except ValueFault:
            continue
    return found


def _built(
    answer: dict[str, Any],
    intent: Intent,
    found: Sequence[Candidate],
    known: Mapping[str, Action | Property],
    site: Site,
    planner: Planner,
) -> tuple[Built, ...]:
    """The answer as subtrees, after the schema of the IR, the list of affordances, the inputs' schemas, the policies
    and the wanted direction. Raises PlanError, ValueFault."""
    tree = _with_iris(answer, known, planner)
    if not tree.get("children"):
        raise ValueFault("it does nothing.", reason="no_such_command")
    allowed = {one.iri for one in known.values()}
    plan_ir.check(tree, allowed=allowed)
    if intent.operation is Operation.CHECK:
        return ()
    ahead: dict[str, Json] = {}
    built = []
    for child in tree["children"]:
        one = _leaf(child, intent, found, site, Overlay(ahead, site.state), planner)
        ahead.update(one.step.expected)
        built.append(one)
    if planner.options.validate:
        _leaves_nobody_out(tree, found, site)
        _goes_the_wanted_way(intent, ahead, site)
        _comes_to(intent, Overlay(ahead, site.state), site)
    return tuple(built)


def _with_iris(answer: dict[str, Any], known: Mapping[str, Action | Property], planner: Planner) -> dict[str, Any]:
    """The answer with IRIs in the place of short names; a name that is none stays, and is refused."""
    children = []
    for child in answer.get("children") or ():
        if not isinstance(child, dict):
            raise PlanError("a child is no node", path="$.children")
        name = str(child.get("affordance"))
        if name not in known:
            planner.record.foreign.append(name)
        iri = known[name].iri if name in known else name
        children.append({**child, "affordance": iri})
    for child in children:
        if child.get("type") == "property":
            child.pop("payload", None)
            child["into"] = "value"
    return {**answer, "children": children}


def _leaf(
    child: dict[str, Any],
    intent: Intent,
    found: Sequence[Candidate],
    site: Site,
    state: Mapping[str, Json],
    planner: Planner,
) -> Built:
    iri = child["affordance"]
    thing = site.registry.thing_of[iri]
    if intent.operation is Operation.MODIFY or intent.amount is not None:  # how much is the template's
        own = [one for one in found if one.affordance == iri]
        built = build(intent, own[0].part, own, site, state)
        enforce(built.step, state, begins(intent.timing, site.clock.now()), site.registry, influences_of(site))
        return built
    action = site.registry.actions[iri]
    built = invoked(intent, thing, action, child.get("payload") or {}, site, state)
    if planner.options.validate:
        enforce(built.step, state, site.clock.now(), site.registry, influences_of(site))
        _does_what_was_said(built, intent, found, site, state)
    return built


def _does_what_was_said(
    built: Built, intent: Intent, found: Sequence[Candidate], site: Site, state: Mapping[str, Json]
) -> None:
    """Raises ValueFault for an explicit intent whose command or value would not come about."""
    own = [one for one in found if one.affordance == built.step.affordance]
    if not own:
        return
    goals = build(intent, own[0].part, [one for one in found if one.part == own[0].part], site, state).goals
    after = dict(built.step.expected)
    if any(iri not in after or not _alike(after[iri], value) for iri, value in goals.items()):
        raise ValueFault(f"{built.step.affordance.rpartition('/')[2]} so does not do “{intent.text}”.")


def _leaves_nobody_out(tree: Mapping[str, Any], found: Sequence[Candidate], site: Site) -> None:
    """Raises ValueFault where a part that was found has no step."""
    done = {part_of(child["affordance"], site.registry) for child in tree["children"]}
    left = {one.part for one in found} - done
    if left:
        titles = sorted(site.registry.thing_of[part].title for part in left)
        raise ValueFault(f"{', '.join(titles)}: nothing is done about it.", reason="no_such_command")


def _alike(one: Json, other: Json) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(float(one) - float(other)) < 1e-6
    return one == other


def _comes_to(intent: Intent, after: Mapping[str, Json], site: Site) -> None:
    """Raises ValueFault where a situation asks for something that does not come about."""
    for iri, value in _wanted(intent, site).items():
        prop = site.registry.properties[iri]
        if not same(after.get(iri), value, prop, site.vocabulary):
            raise ValueFault(f"{prop.name} has to become {value}.", reason="no_such_command")


def _goes_the_wanted_way(intent: Intent, after: Mapping[str, Json], site: Site) -> None:
    if intent.variable is None:
        return
    influences: Influences = influences_of(site)
    moved = influences.moves(site.state, after, site.clock.now()).get(intent.variable, 0.0)
    if moved * intent.direction <= 0:
        name = site.vocabulary.name(intent.variable).lower()
        way = "up" if intent.direction > 0 else "down"
        raise ValueFault(f"that does not bring the {name} {way}.", reason="no_such_command")
