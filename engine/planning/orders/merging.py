"""Merges tasks into one tree: dependent ones in sequence, all others side by side to their end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine.graph.terms import Json, expand
from engine.model.intent import Intent, Moment
from engine.model.vocabulary import Vocabulary
from engine.planning.orders.templates import Built

Node = dict[str, Json]
_SWITCHES = (expand("hg:Power"), expand("hg:Activity"))


@dataclass(frozen=True, slots=True)
class Task:
    """The step for one part and one intent. `delay` comes before it."""

    intent: Intent
    part: str
    built: Built
    delay: Node | None = None
    switches: bool = False  # it puts the part to work

    @property
    def start(self) -> Moment | None:
        """When it starts; None: at once, or after what it depends on."""
        return self.intent.timing.start if self.intent.timing else None


@dataclass(slots=True)
class _Branch:
    task: Task
    then: list[_Branch] = field(default_factory=list)


def switching(kinds: Iterable[str], vocabulary: Vocabulary) -> bool:
    """Whether a property of these kinds says if a device is at work."""
    return any(vocabulary.is_a(kind, switch) for kind in kinds for switch in _SWITCHES)


def merged(tasks: Sequence[Task]) -> Node:
    """One tree. A task that depends on an earlier one is left out when that fails; independent ones never are."""
    branches: list[_Branch] = []
    roots: list[_Branch] = []
    for task in tasks:
        own = _Branch(task)
        before = next((one for one in reversed(branches) if _depends(task, one.task)), None)
        (roots if before is None else before.then).append(own)
        branches.append(own)
    return _together([_delayed(root) for root in roots])


def _depends(later: Task, earlier: Task) -> bool:
    """Whether one task makes sense only after another: both set the same property, one of them switches on the part
    that the other sets, or the same words ask for both. A task with a time of its own waits for no other."""
    if later.built.step.thing != earlier.built.step.thing or later.start not in (None, earlier.start):
        return False
    if _touched(later) & set(earlier.built.goals) or _touched(earlier) & set(later.built.goals):
        return True
    if later.part != earlier.part or later.intent.iri == earlier.intent.iri:
        return False
    unknown = not _touched(later) or not _touched(earlier)
    return unknown or later.switches or earlier.switches or later.intent.text == earlier.intent.text


def _touched(task: Task) -> set[str]:
    return {*task.built.goals, *(iri for iri, _ in task.built.step.expected)}


def _delayed(branch: _Branch) -> Node:
    nodes = _in_order(branch)
    if branch.task.delay is not None:
        nodes = [branch.task.delay, *nodes]
    return _sequence(nodes, branch.task.intent.text)


def _in_order(branch: _Branch) -> list[Node]:
    """The nodes of a branch, one after the other; where several things follow the same, they run side by side."""
    after = [_in_order(one) for one in branch.then]
    if len(after) < 2:
        return [branch.task.built.node, *(node for nodes in after for node in nodes)]
    return [branch.task.built.node, _together([_sequence(nodes, branch.task.intent.text) for nodes in after])]


def _sequence(nodes: Sequence[Node], name: str) -> Node:
    if len(nodes) == 1:
        return nodes[0]
    children: list[Json] = list(nodes)
    return {"type": "sequence", "name": name, "children": children}


def _together(nodes: Sequence[Node]) -> Node:
    if len(nodes) == 1:
        return nodes[0]
    children: list[Json] = list(nodes)
    return {"type": "parallel", "name": "all of it", "policy": "complete_all", "children": children}
