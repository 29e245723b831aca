"""The policies that a home has: taken in, listed, and taken away, each whole with all that it is made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.environment.simulation.conditions import Conditions
from engine.errors import InputError, UnsupportedShape
from engine.graph.knowledge import turtle
from engine.graph.shacl.parse import TYPE, Shape, parse
from engine.graph.store import GraphStore
from engine.graph.terms import POLICIES, Quad, compact
from engine.planning.policies.enforcement import LASTING, OCCUPIED, TIME, VALUE, steps
from engine.things.registry import Registry

LARGEST = 1_000_000
"""Bytes that a file of policies may have."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A policy as people look at it. `about` are the classes and things that it is about, IRIs."""

    iri: str
    name: str
    message: str
    about: tuple[str, ...]


def add(registry: Registry, path: Path) -> tuple[str, ...]:
    """Adds the policies of a Turtle file, as `take` does. Raises InputError also for a file that cannot be read."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.", remedy="Look at the path.") from error
    return take(registry, content, str(path))


def take(registry: Registry, content: bytes, source: str) -> tuple[str, ...]:
    """Adds policies from Turtle, in place of those of the same IRIs; returns their IRIs. All or none: raises
    SyntaxFault where it does not parse, UnsupportedShape, by name, for components outside of the compiled subset,
    InputError where it holds no shape with a target, one without a name, or one that would never hold anybody back,
    because it speaks of a class or a kind of property that nobody knows."""
    if len(content) > LARGEST:
        raise InputError(f"{source} is larger than {LARGEST} bytes.", remedy="Split it.")
    quads = turtle(content, source, POLICIES)
    shapes = parse(quads)
    found = [shape.key for shape in shapes.targeted]
    if not found:
        raise InputError(f"{source} holds no shape with a target.", remedy="Say sh:targetClass or sh:targetNode.")
    if any(key.startswith("_:") for key in found):
        raise InputError(f"A policy in {source} has no name.", remedy="Give each shape an IRI.")
    for shape in shapes.by_key.values():
        _can_be_checked(shape)
        _speaks_of_what_is_known(shape, registry)
    registry.store.write(clear=[POLICIES], insert=[*_without(found, registry.store.graph(POLICIES)), *quads])
    return tuple(found)


def _can_be_checked(shape: Shape) -> None:
    """Raises UnsupportedShape for components that need the whole graph, which a predicted state does not have."""
    inverse = any(path.form == "inverse" for path in steps(shape.path))
    if inverse or any(one.component == "Closed" for one in shape.constraints):
        component = "sh:inversePath" if inverse else "sh:closed"
        raise UnsupportedShape(
            f"{component} cannot be checked against a predicted state.", component=component, remedy="Say it otherwise."
        )


def _speaks_of_what_is_known(shape: Shape, registry: Registry) -> None:
    vocabulary = registry.vocabulary
    classes = {cls for part in registry.parts.values() for cls in part.classes}
    known = {*vocabulary.kinds, *classes, *(one for several in vocabulary.ancestors.values() for one in several)}
    known |= {VALUE, TIME, OCCUPIED, LASTING, TYPE, *Conditions(registry.store).general(), *registry.properties}
    spoken = [path.iri for path in steps(shape.path) if path.iri]
    for iri in (*spoken, *shape.target_classes):
        if iri not in known:
            raise InputError(
                f"{compact(iri)} is no class, kind of property or condition that is known here.",
                remedy="Look at its spelling, or load the file that says what it is.",
            )


def listed(store: GraphStore) -> tuple[Listed, ...]:
    """The policies, by name and IRI."""
    found: dict[str, Listed] = {}
    for policy, name, message, target in store.select("planning/policies"):
        assert policy is not None
        known = found.get(policy.value) or Listed(
            policy.value, name.value if name else "", message.value if message else "", ()
        )
        about = (*known.about, target.value) if target and target.value not in known.about else known.about
        found[policy.value] = Listed(known.iri, known.name, known.message, about)
    return tuple(found.values())


def remove(store: GraphStore, iris: Iterable[str] | None = None) -> int:
    """Takes policies away, all of them for None; how many. Raises InputError (no_such_policy) where one is not here;
    then none goes."""
    known = [one.iri for one in listed(store)]
    if iris is None:
        store.write(clear=[POLICIES])
        return len(known)
    wanted = list(dict.fromkeys(iris))
    if unknown := [iri for iri in wanted if iri not in known]:
        raise InputError(
            f"There is no policy {unknown[0]}.", remedy="`hearthgraph policy list` has them.", reason="no_such_policy"
        )
    store.write(clear=[POLICIES], insert=_without(wanted, store.graph(POLICIES)))
    return len(wanted)


def _without(iris: Sequence[str], quads: Sequence[Quad]) -> list[Quad]:
    """The statements but those that these policies are made of, as far as no other refers to them."""
    by_subject: dict[str, list[Quad]] = {}
    for quad in quads:
        by_subject.setdefault(str(quad.subject), []).append(quad)
    goes = _reached({f"<{iri}>" for iri in iris}, by_subject)
    refers = {str(quad.object) for quad in quads if str(quad.subject) not in goes}
    goes -= _reached((goes & refers) - {f"<{iri}>" for iri in iris}, by_subject)
    return [quad for quad in quads if str(quad.subject) not in goes]


def _reached(keys: set[str], by_subject: dict[str, list[Quad]]) -> set[str]:
    """These nodes and all that they refer to, as far as it is described."""
    found: set[str] = set()
    left = [key for key in keys if key in by_subject]
    while left:
        key = left.pop()
        if key not in found:
            found.add(key)
            left += [str(quad.object) for quad in by_subject[key] if str(quad.object) in by_subject]
    return found
