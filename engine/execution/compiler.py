"""From a plan to a tree to tick: IR nodes become py_trees nodes (AmI HMAS, Table 5), and actions find their steps.

`selector` has memory here, unlike in Table 5: the paper's leaves block until they are answered, so that none is ever
left running; ours are polled, and a selector without memory would ask its condition again, and abandon the action under
way, at each tick.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any, TypeAlias

from py_trees.behaviour import Behaviour
from py_trees.common import ParallelPolicy
from py_trees.composites import Parallel, Selector, Sequence
from py_trees.decorators import Inverter

from engine.environment.clock import aware
from engine.execution.behaviours import ActionLeaf, ComputeLeaf, ConditionLeaf, PropertyLeaf, RunContext, WaitLeaf
from engine.execution.composites import Retry, Timeout, Together, WaitUntil
from engine.execution.expressions import same
from engine.model import plan_ir
from engine.model.plan import Plan, Step
from engine.model.plan_ir import Node


@dataclass(slots=True)
class Compiled:
    """A tree ready to tick. `places` maps each node to its JSON path and its type in the IR.

    `passed_by` maps the path of an action to the paths of the reading nodes before it in a selector: when one of these
    succeeds, the action is not needed. `loose` are the steps for which the tree has no node.
    """

    root: Behaviour
    places: dict[Behaviour, tuple[str, str]] = field(default_factory=dict)
    actions: dict[str, ActionLeaf] = field(default_factory=dict)
    passed_by: dict[str, tuple[str, ...]] = field(default_factory=dict)
    loose: tuple[Step, ...] = ()


def compile_plan(plan: Plan, context: RunContext) -> Compiled:
    """The tree of a plan for one run. Raises PlanError where the IR is not valid; nothing has been done then."""
    plan_ir.check(plan.tree)
    builder = _Builder(context)
    compiled = Compiled(builder.build(plan.tree, "$", ()), builder.places, builder.actions, builder.passed_by)
    compiled.loose = _give_steps(plan.steps, compiled.actions.values())
    return compiled


class _Builder:
    def __init__(self, context: RunContext) -> None:
        self.context = context
        self.places: dict[Behaviour, tuple[str, str]] = {}
        self.actions: dict[str, ActionLeaf] = {}
        self.passed_by: dict[str, tuple[str, ...]] = {}

    def build(self, node: Node, path: str, checks: tuple[str, ...]) -> Behaviour:
        kind: str = node["type"]
        if "children" in node:
            made = self.composite(node, path, checks)
        elif "child" in node:
            child = self.build(node["child"], f"{path}.child", checks)
            made = _DECORATORS[kind](node, child, self.context)
        else:
            made = _LEAVES[kind](node, self.context)
        if isinstance(made, ActionLeaf):
            self.actions[path], self.passed_by[path] = made, checks
        self.places[made] = (path, kind)
        return made

    def composite(self, node: Node, path: str, checks: tuple[str, ...]) -> Behaviour:
        children = []
        for index, child in enumerate(node["children"]):
            before = len(self.actions)
            inner = f"{path}.children[{index}]"
            children.append(self.build(child, inner, checks))
            if node["type"] == "selector" and len(self.actions) == before:
                checks = (*checks, inner)
        return _composite(node, children, self.context)


def _composite(node: Node, children: list[Behaviour], context: RunContext) -> Behaviour:
    name = _name(node)
    if node["type"] == "sequence":
        return Sequence(name, memory=True, children=children)
    if node["type"] == "selector":
        return Selector(name, memory=True, children=children)
    if node["policy"] == "success_on_all":
        return Parallel(name, ParallelPolicy.SuccessOnAll(synchronise=True), children)
    return Together(name, children, context, first=node["policy"] == "success_on_one")


def _name(node: Node) -> str:
    return str(node.get("name") or node["type"])


def _wait_until(node: Node, context: RunContext) -> WaitLeaf:
    return WaitLeaf(_name(node), context, at=aware(datetime.fromisoformat(node["at"])))


_Leaf: TypeAlias = "Callable[[Node, RunContext], Behaviour]"
_Decorate: TypeAlias = "Callable[[Node, Behaviour, RunContext], Behaviour]"

_LEAVES: Mapping[str, _Leaf] = MappingProxyType(
    {
        "action": ActionLeaf,
        "property": PropertyLeaf,
        "condition": ConditionLeaf,
        "compute": ComputeLeaf,
        "wait": lambda node, context: WaitLeaf(_name(node), context, seconds=node["seconds"]),
        "wait_until": _wait_until,
    }
)

_DECORATORS: Mapping[str, _Decorate] = MappingProxyType(
    {
        "wait_until": lambda node, child, context: WaitUntil(_name(node), child, context),
        "retry": lambda node, child, context: Retry(_name(node), child, int(node["attempts"]), context),
        "timeout": lambda node, child, context: Timeout(_name(node), child, node["seconds"], context),
        "inverter": lambda node, child, context: Inverter(_name(node), child),  # noqa: ARG005
    }
)


def _give_steps(steps: Iterable[Step], actions: Iterable[ActionLeaf]) -> tuple[Step, ...]:
    """Each action gets its step: of the same affordance and payload if there is one, else of the same affordance.

    Returns the steps that are left over.
    """
    waiting: dict[str, deque[Step]] = defaultdict(deque)
    for step in steps:
        waiting[step.affordance].append(step)
    leaves = list(actions)
    for matches in (lambda leaf, step: same(leaf.template, step.payload), lambda _leaf, _step: True):
        for leaf in leaves:
            if leaf.step is None:
                leaf.step = _take(waiting[leaf.affordance], leaf, matches)
    left = {id(step) for queue in waiting.values() for step in queue}
    return tuple(step for step in steps if id(step) in left)


def _take(queue: deque[Step], leaf: ActionLeaf, matches: Callable[[Any, Step], bool]) -> Step | None:
    found = next((step for step in queue if matches(leaf, step)), None)
    if found is not None:
        queue.remove(found)
    return found
