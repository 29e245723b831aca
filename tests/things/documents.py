"""What the tests of JSON-LD share: W3C's material beside the checkout, small TDs, and a store to put them in."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.graph.terms import NamedNode, Quad
from engine.model.thing import Thing
from engine.things import door
from engine.things.description import jsonld
from engine.things.door import LoadReport
from engine.things.registry import Registry
from tests.things.descriptions import open_registry

W3C = Path(__file__).resolve().parents[3] / "shared" / "w3c"
TD_1_0, TD_1_1 = "https://www.w3.org/2019/wot/td/v1", "https://www.w3.org/2022/wot/td/v1.1"
Document = dict[str, Any]


def need_w3c() -> Path:
    """The folder of W3C's material; the test is skipped where it is absent."""
    if not W3C.is_dir():
        pytest.skip("no folder ../shared/w3c beside the checkout, which holds W3C's shapes, schema and TDs")
    return W3C


def td(**members: Any) -> Document:
    """A small valid TD with further members, or others instead."""
    return {
        "@context": TD_1_1,
        "id": "urn:test:lamp",
        "title": "Lamp",
        "securityDefinitions": {"nosec_sc": {"scheme": "nosec"}},
        "security": "nosec_sc",
        **members,
    }


def with_property(**members: Any) -> Document:
    """A TD with one property, `level`."""
    return td(properties={"level": {"forms": [{"href": "http://lamp.example/level"}], **members}})


def admit(registry: Registry, document: Any) -> LoadReport:
    """Loads a TD, from its text on."""
    triples, _ = jsonld.statements(jsonld.parse_text(json.dumps(document)), name="test", source="test.jsonld")
    return door.admit(registry, triples)


@cache
def _shared() -> Registry:
    return open_registry()


def loaded(document: Any) -> tuple[Registry, Thing]:
    """A registry, and the one thing of a document in it. Later documents go into the same one."""
    registry = _shared()
    (iri,) = admit(registry, document).things
    return registry, registry.things[iri]


def kept(registry: Registry, thing: Thing) -> list[Quad]:
    """What the store holds of a thing."""
    return registry.store.graph(NamedNode(thing.document))


def again(document: Any) -> Document:
    """A TD, loaded into a store and written out of it again."""
    registry, thing = loaded(document)
    return jsonld.document(kept(registry, thing))


def normal(value: Any) -> Any:
    """A TD in which everything that TD 1.1 lets one write in two ways is written in one.

    Defaults are left out, lists of one are their item, sets are sorted, empty texts are none.
    """
    if isinstance(value, dict):
        members = {key: normal(sorted(item) if _is_set(key, item) else item) for key, item in value.items()}
        return {key: item for key, item in members.items() if not _default(key, item)}
    if isinstance(value, list):
        items = [normal(item) for item in value]
        return items[0] if len(items) == 1 else items
    return value


SETS = frozenset(("@type", "op", "security", "scopes", "required", "hreflang", "allOf"))
DEFAULTS = {"observable": False, "readOnly": False, "writeOnly": False, "safe": False, "idempotent": False}


def _is_set(key: str, item: Any) -> bool:
    return key in SETS and isinstance(item, list) and all(isinstance(one, str) for one in item)


def _default(key: str, item: Any) -> bool:
    return item == "" or (key in DEFAULTS and item is False) or (key == "contentType" and item == "application/json")
