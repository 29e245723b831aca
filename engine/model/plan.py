"""The plan IR: a behaviour tree as JSON (AmI HMAS, Table 5, and our own `compute`, `wait`, …), and its decided steps.

A node is a JSON object with `type` and, by type:

    sequence | selector   {name?, children}
    parallel              {name?, policy: success_on_all | success_on_one | complete_all, children}
    action                {name?, affordance, target?, method?, payload}   payload may hold {"$": "variable"}
    property              {name?, affordance, target?, into: "variable"}
    condition             {name?, affordance, target?, operator: = != < <= > >=, value}
    compute               {into: "variable", expression: …}   number | truth | "variable" | [op, a, b…] | {literal: …}
    wait                  {seconds}
    wait_until            {at: ISO 8601} | {child}
    retry                 {attempts, child}
    timeout               {seconds, child}
    inverter              {child}

`shapes/plan.schema.json` is the schema of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.graph.terms import Json


@dataclass(frozen=True, slots=True)
class Step:
    """A decided action of a plan: its call, its intent, and its expected effects.

    `payload` is the one for the present state; `expected` maps property IRIs to their values afterwards. `already`:
    these hold now, so nothing is sent.
    """

    intent: str
    thing: str
    affordance: str
    target: str
    method: str
    payload: Json
    expected: tuple[tuple[str, Json], ...] = ()
    already: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """A behaviour tree for a request. `iri` is named in consent; `path` is template, signifier or model."""

    iri: str
    tree: dict[str, Json]
    steps: tuple[Step, ...] = ()
    path: str = "template"
    summary: str = ""
