"""Real TDs, varied as real ones differ: what W3C's schema accepts is loaded whole, and comes out valid and the same;
anything else is refused with place and reason, and leaves nothing behind."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

import pytest
from jsonschema import Draft7Validator

from engine.errors import InputError
from engine.things.description import emission
from engine.things.registry import Registry
from tests.things.descriptions import open_registry
from tests.things.documents import Document, admit, need_w3c
from tests.things.varied import VARIATIONS

TRIES = 10


@pytest.fixture(scope="module")
def validator() -> Draft7Validator:
    text = (need_w3c() / "td-json-schema-validation.json").read_text(encoding="utf-8")
    return Draft7Validator(json.loads(text))


@pytest.fixture(scope="module")
def documents(validator: Draft7Validator) -> list[Document]:
    files = sorted((need_w3c() / "things").glob("*.jsonld"))
    read = (json.loads(file.read_text(encoding="utf-8")) for file in files)
    return [document for document in read if validator.is_valid(document)]


@pytest.fixture(scope="module")
def registries() -> tuple[Registry, Registry]:
    return open_registry(), open_registry()


@pytest.mark.parametrize("name", VARIATIONS)
def test_the_verdict_is_that_of_w3c(
    name: str, documents: list[Document], validator: Draft7Validator, registries: tuple[Registry, Registry]
) -> None:
    for number in range(TRIES):
        chance = Random(f"{name} {number}")
        document = copy.deepcopy(chance.choice(documents))
        VARIATIONS[name](document, chance)
        if validator.is_valid(document):
            comes_back_as_it_was(document, validator, *registries)
        else:
            is_refused(document, registries[0])


def comes_back_as_it_was(document: Any, validator: Draft7Validator, first: Registry, second: Registry) -> None:
    (iri,) = admit(first, document).things
    written = emission.as_jsonld(first.store, first.things[iri])
    assert [error.message for error in validator.iter_errors(written)] == []
    admit(second, written)
    assert second.things[iri] == first.things[iri]


def is_refused(document: Any, registry: Registry) -> None:
    before = registry.store.generation, len(registry.things)
    with pytest.raises(InputError) as caught:
        admit(registry, document)
    place = getattr(caught.value, "node", "")
    assert place
    assert place in str(caught.value) or "Thing Model" in str(caught.value)
    assert caught.value.remedy
    assert (registry.store.generation, len(registry.things)) == before
