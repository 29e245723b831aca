"""A place as Python sees it: the home, a floor, a room, a workspace, a part of one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """`parent` is the place that contains it, None at the top; `floor` the storey it is on, 0 the ground, if said.

    `classes` are IRIs such as `hg:Kitchen`; `aliases` the further names that people use for it.
    """

    iri: str
    name: str
    aliases: tuple[str, ...] = ()
    classes: frozenset[str] = frozenset()
    parent: str | None = None
    floor: int | None = None
