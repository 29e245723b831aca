"""What the tests of things share: short descriptions in Turtle, and a store with a registry."""

from __future__ import annotations

from engine.graph.embedded import EmbeddedStore
from engine.graph.terms import NAMESPACES
from engine.model.thing import Thing
from engine.things import door
from engine.things.description import turtle
from engine.things.door import LoadReport
from engine.things.registry import Registry

PREFIXES = "".join(f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in NAMESPACES.items())
HOME = "http://home.example/"


def open_registry() -> Registry:
    """A registry over a store in memory."""
    return Registry(EmbeddedStore.open(None))


def admit(registry: Registry, text: str) -> LoadReport:
    """Loads a text in which all our prefixes and `:` are declared."""
    source = f"@base <{HOME}> .\n@prefix : <{HOME}#> .\n{PREFIXES}{text}"
    return door.admit(registry, turtle.parse_text(source.encode()), source="test.ttl")


def one_thing(text: str) -> Thing:
    """The one thing of a text, as the registry has it."""
    registry = open_registry()
    admit(registry, text)
    (thing,) = registry.things.values()
    return thing
