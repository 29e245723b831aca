"""What a thing can do that was described in a file, or put into the directory, is said in its own words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine import resources
from engine.graph.terms import Json, graph
from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Status
from engine.things.description import emission
from engine.things.directory.directory import Directory

ARM = "urn:lab:robot-arm"
DISTANCE: dict[str, Json] = {"type": "number", "description": "How far, in centimetres."}
ACTIONS: dict[str, Any] = {
    "calibrate": {},
    "moveBy": {"input": {"type": "object", "properties": {"distance": DISTANCE}, "required": ["distance"]}},
    "startDisco": {},
}


def described(actions: dict[str, Any], iri: str = ARM, title: str = "Robot arm") -> dict[str, Any]:
    """A Thing Description with these actions."""
    form = {"href": "https://arm.example/do", "op": "invokeaction"}
    return {
        "@context": "https://www.w3.org/2022/wot/td/v1.1",
        "id": iri,
        "title": title,
        "securityDefinitions": {"nosec_sc": {"scheme": "nosec"}},
        "security": "nosec_sc",
        "actions": {name: {**one, "forms": [form]} for name, one in actions.items()},
    }


def filed(folder: Path, actions: dict[str, Any], iri: str = ARM, title: str = "Robot arm") -> Path:
    """The file of such a thing."""
    path = folder / f"{iri.rpartition(':')[2]}.td.jsonld"
    path.write_text(json.dumps(described(actions, iri, title)), encoding="utf-8")
    return path


def words(text: str) -> list[str]:
    """The words of a reply; rooms are named in any order."""
    return sorted(text.replace(",", " ").replace("?", " ").split())


def own_terms(home: Hearthgraph, iri: str = ARM) -> list[tuple[str, str, str]]:
    """Every statement of the vocabulary on terms of a thing."""
    quads = (q for name in ("ontology", "vocabulary") for q in home.store.graph(graph(name)))
    return sorted((str(q.subject), str(q.predicate), str(q.object)) for q in quads if f"<{iri}#" in str(q.subject))


@pytest.fixture(params=["house", "lab308", "home17"])
def home(request: pytest.FixtureRequest) -> Iterator[Hearthgraph]:
    with Hearthgraph.open(None) as opened:
        opened.load([resources.folder("data") / f"{request.param}.ttl"])
        yield opened


@pytest.fixture
def empty() -> Iterator[Hearthgraph]:
    with Hearthgraph.open(None) as opened:
        yield opened


def test_an_action_of_a_file_is_asked_for_by_its_name(home: Hearthgraph, tmp_path: Path) -> None:
    home.load([filed(tmp_path, ACTIONS)])
    for text, told in (
        ("calibrate the robot arm", "robot arm calibrate"),
        ("move the robot arm by 10 centimetres", "robot arm moveby 10 cm"),
        ("move the robot arm by 2 metres", "robot arm moveby 200 cm"),
        ("start the disco", "robot arm startdisco"),
    ):
        outcome = home.ask(text, consent=True)
        assert (outcome.status, told in outcome.reply.lower()) == (Status.DONE, True), (text, outcome.reply)
    assert home.ask("turn on the robot arm", consent=True).status is not Status.DONE, "to start a disco is more"


@pytest.mark.parametrize("text", ["don't calibrate", "did the robot arm calibrate?", "he said he would calibrate"])
def test_only_an_order_has_it_done(empty: Hearthgraph, tmp_path: Path, text: str) -> None:
    empty.load([filed(tmp_path, ACTIONS)])
    assert empty.ask(text, consent=True).status is not Status.DONE


def test_a_file_that_is_read_again_leaves_the_words_as_they_were(empty: Hearthgraph, tmp_path: Path) -> None:
    file = filed(tmp_path, ACTIONS)
    empty.load([file])
    before = own_terms(empty)
    empty.load([file])
    empty.load([file])
    assert own_terms(empty) == before
    assert len(before) == 2 * len(set(before)), "once in the ontology, once among what was added to it"


def test_words_change_with_the_file_and_go_with_the_thing(empty: Hearthgraph, tmp_path: Path) -> None:
    empty.load([filed(tmp_path, ACTIONS)])
    empty.load([filed(tmp_path, {"polish": {}})])
    assert empty.ask("calibrate", consent=True).status is not Status.DONE
    assert empty.ask("polish", consent=True).status is Status.DONE
    empty.registry.remove(ARM)
    assert empty.ask("polish", consent=True).status is not Status.DONE
    assert own_terms(empty) == []


def test_words_are_there_after_a_restart_and_go_after_it(tmp_path: Path) -> None:
    store = tmp_path / "store"
    with Hearthgraph.open(store) as home:
        home.load([filed(tmp_path, ACTIONS)])
        before = own_terms(home)
    with Hearthgraph.open(store) as home:
        assert own_terms(home) == before
        assert home.ask("calibrate the robot arm", consent=True).status is Status.DONE
        home.registry.remove(ARM)
    with Hearthgraph.open(store) as home:
        assert own_terms(home) == []


def test_the_directory_gives_takes_and_drops_words(empty: Hearthgraph) -> None:
    directory = Directory(empty.registry, empty.clock.now)
    directory.put(ARM, described(ACTIONS))
    assert empty.ask("calibrate", consent=True).status is Status.DONE
    form = [{"href": "https://arm.example/do", "op": "invokeaction"}]
    directory.patch(ARM, {"actions": {"calibrate": None, "polish": {"forms": form}}})
    assert empty.ask("calibrate", consent=True).status is not Status.DONE
    assert empty.ask("polish", consent=True).status is Status.DONE
    directory.put(ARM, described({"sharpen": {}}))
    assert empty.ask("polish", consent=True).status is not Status.DONE
    assert empty.ask("sharpen", consent=True).status is Status.DONE
    directory.remove(ARM)
    assert empty.ask("sharpen", consent=True).status is not Status.DONE
    assert own_terms(empty) == []


def test_a_description_is_given_back_without_the_words(empty: Hearthgraph, tmp_path: Path) -> None:
    empty.load([filed(tmp_path, ACTIONS)])
    document = emission.as_jsonld(empty.store, empty.registry.things[ARM])
    assert f"{ARM}#commands" not in json.dumps(document)
    assert f"{ARM}#kinds" not in json.dumps(document)


def test_of_two_that_are_called_to_the_same_it_is_asked_which(empty: Hearthgraph, tmp_path: Path) -> None:
    left, right = "urn:lab:left", "urn:lab:right"
    empty.load([filed(tmp_path, ACTIONS, left, "left robot"), filed(tmp_path, ACTIONS, right, "right robot")])
    assert empty.ask("calibrate", consent=True).status is Status.CLARIFY
    for text, told in (
        ("calibrate the left robot", "left robot calibrate."),
        ("calibrate the right robot", "right robot calibrate."),
        ("move the right robot by 10 centimetres", "right robot moveby 10 cm."),
    ):
        assert empty.ask(text, consent=True).reply == f"Done: {told}"
    empty.registry.remove(left)
    assert own_terms(empty, left) == []
    assert empty.ask("calibrate", consent=True).reply == "Done: right robot calibrate."


HOSTILE = (
    "turn on",
    "the",
    "yes",
    "no",
    "kitchen",
    "turn on the pantry light",
    "pantry light",
    "everything",
    "monday",
    "turn\non",
    'turn on" the "light',
    "lights out",
    "good night",
    "undo",
    "50",
)
SAID = ("turn on the pantry light", "yes", "no", "good night", "undo", "is the front door locked?", "lights out")


@pytest.mark.parametrize("late", [False, True], ids=["house first", "house last"])
def test_no_title_takes_words_that_mean_something_here(tmp_path: Path, late: bool) -> None:
    """The house answers as it does without the thing, whatever its actions are called."""
    house = resources.folder("data") / "house.ttl"
    actions = {f"act{'abcdefghijklmnopq'[at]}x": {"title": title} for at, title in enumerate(HOSTILE)}
    hostile = filed(tmp_path, actions, title="Gizmo")
    with Hearthgraph.open(None) as plain, Hearthgraph.open(None) as home:
        plain.load([house])
        home.load([hostile, house] if late else [house, hostile])
        for text in SAID:
            wanted, found = plain.ask(text, consent=True), home.ask(text, consent=True)
            assert found.status is wanted.status, text
            assert words(found.reply) == words(wanted.reply), text
            assert "gizmo" not in found.reply.lower()


def test_a_term_of_a_user_goes_before_a_word_of_a_things_own(empty: Hearthgraph, tmp_path: Path) -> None:
    empty.load([filed(tmp_path, {"polish": {}})])
    terms = tmp_path / "terms.ttl"
    terms.write_text(
        "@prefix hg: <https://w3id.org/hearthgraph#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
        "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        '<urn:lab:Polish> a hg:Command , owl:Class ; skos:prefLabel "polish"@en .',
        encoding="utf-8",
    )
    empty.load([terms])
    (action,) = empty.registry.things[ARM].actions
    assert action.commands == {"urn:lab:Polish"}


@pytest.mark.parametrize("name", ["house", "lab308", "home17"])
def test_a_home_of_known_devices_needs_no_words(empty: Hearthgraph, name: str) -> None:
    empty.load([resources.folder("data") / f"{name}.ttl"])
    assert list(empty.store.select("things/own_words")) == []


@pytest.mark.parametrize("text", ["start the disco", "turn on the disco", "run the disco", "turn on the fnord"])
@pytest.mark.parametrize("name", ["house", "lab308", "home17"])
def test_what_nobody_here_knows_is_not_something_else(empty: Hearthgraph, tmp_path: Path, name: str, text: str) -> None:
    """Where one thing alone could be meant, it is not turned on for a word that names nothing."""
    empty.load([resources.folder("data") / f"{name}.ttl"])
    assert empty.ask(text, consent=True).status is not Status.DONE
