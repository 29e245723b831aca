"""What nobody here understood is read by a language model, where one is configured, and solved like anything else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.dialogue.requests import journal
from engine.errors import ModelError
from engine.language.fallback import interpret
from engine.language.meanings.context import Context
from engine.language.meanings.readings import Alternatives
from engine.model.intent import Intent
from engine.planning.model.prompting import Planner
from engine.planning.site import Site
from engine.planning.solver import Solution, solve

MOST_CALLS = 2
"""How often a model is asked about one request."""


def reconsidered(
    solution: Solution, goals: Sequence[Alternatives], text: str, site: Site, contextual: Callable[[], Context]
) -> Solution:
    """The solution, with what a language model makes of those goals of `text` that were not understood (of the whole
    text, where none was); as it is where no model is configured, none answers, or it finds nothing in them.

    What the model proposes goes the same way as everything else, and what a person would regret is asked about even
    under consent to all: they have not consented to what a model makes of their words."""
    missed = [number for number, goal in enumerate(solution.taken) if _is_missed(goal, solution)]
    if site.planner is None or not missed:
        return solution
    context = contextual()
    if len(missed) == len(goals):
        read = {0: _read(goals[0][0][0], text, site.planner, context)}
        kept: Sequence[Alternatives] = goals[:1]
    else:
        read = {n: _read(i, i.text, site.planner, context) for n in missed[:MOST_CALLS] for i in goals[n][0][:1]}
        kept = goals
    if not any(read.values()):
        return solution
    request = goals[0][0][0].iri.rpartition("/")[0]
    journal.understood_too(site.store, request, [intent for found in read.values() for intent in found])
    again: list[Alternatives] = []
    for number, goal in enumerate(kept):  # each of its intents is a goal of its own: none takes another's place
        again += [((intent,),) for intent in read.get(number, ())] or [goal]
    found = solve(again, site, f"{request}/plan")
    return replace(found, plan=found.plan and replace(found.plan, path="model"))


def _is_missed(goal: Sequence[Intent], solution: Solution) -> bool:
    iris = {intent.iri for intent in goal}
    return any(o.intent.iri in iris and o.reason == "not_understood" for o in solution.outcomes)


def _read(intent: Intent, text: str, planner: Planner, context: Context) -> tuple[Intent, ...]:
    """What a model makes of a text; nothing where it does not answer. The call is counted, whatever comes of it."""
    planner.record.calls += 1
    try:
        return interpret(intent, text, context, planner.model)
    except ModelError:
        return ()
