"""What is registered is used as everything else is: said in words, checked, journalled, carried out."""

from __future__ import annotations

from typing import Any

import pytest

from engine import resources
from engine.dialogue.manual import by_name
from engine.dialogue.requests.request import Consent, Request
from engine.environment.binding import Call, Operation
from engine.errors import BindingError, InputError, ValueFault
from engine.graph.terms import ARTIFACTS, ONTOLOGY, NamedNode, Quad, literal, node
from engine.hearthgraph import Hearthgraph, new_iri
from engine.model.exposure import RESOURCE, Artifact, Exposed, Offer
from engine.model.outcome import Outcome, Status
from engine.origins import offered
from engine.origins.artifacts import READ_AT, RECORD, Artifacts, profile_graph
from tests.agents.conftest import Lab

FORMALIZE = "urn:a2a:formalizer#actions/formalize_goal"


def invoked(home: Hearthgraph, affordance: str, payload: Any) -> Outcome:
    """What comes of an affordance that is invoked by its name, journalled as any request."""
    iri = new_iri()
    intent = by_name(affordance, payload, iri, home.registry)
    return home.assistant.intend(Request(intent.text, iri), (intent,), Consent.YES)


def test_a_sentence_reaches_a_tool_of_a_manual(living: Hearthgraph, lab_services: Lab) -> None:
    living.artifacts.register("utcp", "robot", f"{lab_services.proxy}/moving")
    outcome = living.ask("move the robot by 10 centimetres", consent=True)
    assert outcome.status is Status.DONE
    assert lab_services.arm.position == 10
    living.ask("move the robot by 0.2 metres", consent=True)
    assert lab_services.arm.position == 30


def test_a_person_reads_what_they_consent_to_and_what_was_done(living: Hearthgraph, lab_services: Lab) -> None:
    """A tool changes nothing that is known here, so the plan and the report say what it is given."""
    living.artifacts.register("utcp", "robot", f"{lab_services.proxy}/moving")
    living.artifacts.register("a2a", "formalizer", lab_services.formalizer)
    assert living.ask("move the robot by 10 centimetres", conversation="c").reply == (
        "I would do this: robot: move 10 cm. Shall I?"
    )
    assert living.ask("yes", conversation="c").reply == "Done: robot move 10 cm."
    told = living.ask("tell the formalizer: 3 cm ahead", conversation="c").reply
    assert told == "I would do this: formalizer: formalize goal “3 cm ahead”. Shall I?"


def test_a_resource_is_asked_for_by_its_name(living: Hearthgraph, lab_services: Lab) -> None:
    living.artifacts.register("mcp", "goal_mcp", lab_services.goal)
    lab_services.goals.current = "Move the robot by 10 centimeters"
    for question in ("what is the current goal?", "what is the current goal of the goal mcp?"):
        answer = living.ask(question)
        assert answer.status is Status.ANSWERED
        assert answer.reply == "goal mcp: current goal Move the robot by 10 centimeters."
    lab_services.goals.current = "Rest"
    living.tools.refresh().result(30)
    assert "Rest" in living.ask("tell me the current goal").reply


def test_a_record_that_cannot_be_read_is_left_out_and_the_others_are_there(
    living: Hearthgraph, lab_services: Lab, caplog: pytest.LogCaptureFixture
) -> None:
    """Of a foreign dump, or of another version: the others can still be used."""
    living.artifacts.register("utcp", "robot", f"{lab_services.proxy}/moving")
    at = next(quad for quad in living.store.graph(ARTIFACTS) if quad.predicate == READ_AT)
    for number, record in enumerate(({}, [1], "words", {"offers": [{}]})):
        odd = NamedNode(f"urn:odd:{number}")
        said = [Quad(odd, RECORD, literal(record), ARTIFACTS), Quad(odd, READ_AT, at.object, ARTIFACTS)]
        living.store.write(insert=said)
    others = Artifacts(living.registry, living.state, living.settings, living.clock.now)
    try:
        assert list(others.all) == ["robot"]
        assert [one.label for one in others.signifiers()] == ["robot_move"]
    finally:
        others.close()
    assert "left out" in caplog.text


def test_a_resource_takes_no_words_of_the_home(living: Hearthgraph) -> None:
    """Whoever calls a resource "temperature" or "light temperature" does not answer for the home."""
    resources = [
        Offer(RESOURCE, name, name, "Tells it.", Exposed(f"spy_{name}", "Tells it.", "http://localhost/"))
        for name in ("Temperature", "LightTemperature", "CurrentGoal")
    ]
    artifact = Artifact("spy", "mcp", "http://localhost/mcp", "spy", tuple(resources))
    triples = offered.statements(artifact, living.registry)
    minted = {str(one.object.value) for one in triples if one.predicate == node("skos:prefLabel")}
    assert minted == {"spy", "current goal"}


def test_what_is_only_asked_moves_nothing(living: Hearthgraph, lab_services: Lab) -> None:
    living.artifacts.register("utcp", "robot", f"{lab_services.proxy}/moving")
    assert living.ask("move the robot by 10 centimetres").status is Status.PROPOSED
    assert living.ask("did you move the robot by 10 centimetres?", consent=True).status is not Status.DONE
    assert lab_services.arm.position == 0


def test_four_protocols_are_one_to_who_uses_them(living: Hearthgraph, lab_services: Lab) -> None:
    register = living.artifacts.register
    register("mcp", "goal_mcp", lab_services.goal)
    register("a2a", "formalizer", lab_services.formalizer)
    register("utcp", "cherrybot_utcp", f"{lab_services.proxy}/utcp")
    register("wot", "cherrybot_proxy", f"{lab_services.proxy}/td")
    said = invoked(living, "urn:mcp:goal_mcp#actions/provide_feedback", {"achieved": False, "feedback": "begun"})
    assert (said.status, said.actions[0].output) == (Status.DONE, "Thank you.")
    assert lab_services.goals.feedback == [(False, "begun")]
    made = invoked(living, FORMALIZE, {"message": "forward by 0.1 m"})
    assert made.actions[0].output == "move(10)"
    invoked(living, "urn:utcp:cherrybot_utcp#actions/operation", "move(10)")
    invoked(living, "urn:lab:robot#actions/operation", "rotate(12)")
    assert (lab_services.arm.position, lab_services.arm.angle) == (10, 12)
    assert lab_services.arm.log == ["move(10)", "rotate(12)"]


def test_a_resource_is_read_as_a_property(living: Hearthgraph, lab_services: Lab) -> None:
    living.artifacts.register("mcp", "goal_mcp", lab_services.goal)
    iri = "urn:mcp:goal_mcp#properties/CurrentGoal"
    assert living.binding.start(Call(Operation.READ, iri)).result(10) == lab_services.goals.current
    assert living.state[iri] == lab_services.goals.current


def test_what_the_agent_asks_back_is_told_and_can_be_answered(living: Hearthgraph, lab_services: Lab) -> None:
    living.artifacts.register("a2a", "formalizer", lab_services.formalizer)
    asked = invoked(living, FORMALIZE, {"message": "move a bit"})
    assert asked.status is Status.CLARIFY
    assert asked.actions[0].reason == "input_required"
    assert "How far" in asked.actions[0].message
    assert living.tools.answer(FORMALIZE, "by 10 cm").result(10) == "move(10)"
    with pytest.raises(BindingError):
        living.tools.answer(FORMALIZE, "by 10 cm").result(10)


def test_a_payload_that_the_tool_does_not_take_is_refused_before_it_is_called(
    living: Hearthgraph, lab_services: Lab
) -> None:
    living.artifacts.register("mcp", "goal_mcp", lab_services.goal)
    with pytest.raises(ValueFault):
        invoked(living, "urn:mcp:goal_mcp#actions/provide_feedback", {"achieved": "perhaps"})
    assert lab_services.goals.feedback == []


def test_what_the_device_refuses_is_told(living: Hearthgraph, lab_services: Lab) -> None:
    living.artifacts.register("utcp", "arm", f"{lab_services.proxy}/utcp")
    lab_services.arm.refuses = True
    outcome = invoked(living, "urn:utcp:arm#actions/operation", "move(10)")
    assert outcome.status is Status.FAILED
    assert lab_services.arm.position == 0


def test_an_artifact_is_there_after_a_restart(lab_services: Lab, tmp_path: Any) -> None:
    with Hearthgraph.open(tmp_path / "home") as home:
        home.artifacts.register("utcp", "arm", f"{lab_services.proxy}/utcp")
    with Hearthgraph.open(tmp_path / "home") as home:
        artifact = home.artifacts.find("arm")
        assert [one.label for one in artifact.signifiers] == ["arm_initialize", "arm_operation"]
        assert home.registry.things["urn:utcp:arm"].actions


def test_registering_again_keeps_the_addresses(living: Hearthgraph, lab_services: Lab) -> None:
    first = living.artifacts.register("utcp", "arm", f"{lab_services.proxy}/utcp")
    again = living.artifacts.refresh("arm")
    assert [one.affordance for one in first.signifiers] == [one.affordance for one in again.signifiers]
    assert len(living.artifacts.all) == 1


def test_what_is_removed_leaves_nothing(living: Hearthgraph, lab_services: Lab) -> None:
    words = len(living.store.graph(ONTOLOGY))
    living.artifacts.register("utcp", "robot", f"{lab_services.proxy}/moving")
    assert len(living.store.graph(ONTOLOGY)) > words
    living.artifacts.remove("robot")
    assert len(living.store.graph(ONTOLOGY)) == words
    assert not living.store.graph(ARTIFACTS)
    assert not living.store.graph(profile_graph("robot"))
    assert "urn:utcp:robot" not in living.registry.things


def test_a_home_that_is_simulated_calls_nobody(lab_services: Lab) -> None:
    with Hearthgraph.open(None) as home:
        home.artifacts.register("utcp", "robot", f"{lab_services.proxy}/moving")
        assert home.ask("move the robot by 10 centimetres", consent=True).status is Status.DONE
    assert lab_services.arm.position == 0


def test_a_tool_may_not_be_called_as_an_order_is(living: Hearthgraph) -> None:
    from engine.origins.utcp.manual import artifact
    from tests.agents.lab import moving_manual

    manual = moving_manual("http://127.0.0.1:9")
    for name in ("turn", "turn on", "lights", "brightness", "set"):
        manual["tools"] = [{**manual["tools"][0], "name": name}]
        living.artifacts.take_in(artifact("thief", "http://127.0.0.1:9/utcp", manual))
        said = {q.subject for q in living.store.graph(ONTOLOGY) if isinstance(q.subject, NamedNode)}
        assert not [one for one in said if one.value.startswith("urn:utcp:thief#commands")]


@pytest.mark.parametrize("name", ["", "a b", "../x", "a" * 65, "é", "-a"])
def test_a_name_that_is_none_is_refused(living: Hearthgraph, name: str) -> None:
    with pytest.raises(InputError):
        living.artifacts.register("utcp", name, "http://127.0.0.1:9/utcp")


@pytest.mark.parametrize("address", ["file:///etc/passwd", "http://", "x", "http://a:b@127.0.0.1/", "ftp://127.0.0.1/"])
def test_an_address_that_is_none_is_refused(living: Hearthgraph, address: str) -> None:
    with pytest.raises(InputError):
        living.artifacts.register("utcp", "arm", address)


def agreed(home: Hearthgraph, text: str) -> Outcome:
    """What comes of a request to which yes is said, also where it is asked about first: two robots are here."""
    outcome = home.ask(text, consent=True)
    return home.assistant.consent(outcome.plan.iri) if outcome.reason == "not_sure" and outcome.plan else outcome


def test_a_length_goes_to_what_takes_one(living: Hearthgraph, lab_services: Lab) -> None:
    living.load([resources.folder("data") / "house.ttl"])
    vacuum = "move the robot by 10 centimetres"
    assert living.ask(vacuum).status is not Status.PROPOSED, "a vacuum's suction has no length"
    living.artifacts.register("utcp", "robot", f"{lab_services.proxy}/moving")
    for text in (vacuum, "move the robot by 0.2 m", "move the robot by 0.3m"):
        assert agreed(living, text).status is Status.DONE
    assert lab_services.arm.position == 60


def test_options_change_by_steps_and_shares_alone(living: Hearthgraph) -> None:
    living.load([resources.folder("data") / "house.ttl"])
    assert living.ask("raise the suction of the vacuum by 10 cm").reason == "invalid_value"
    assert living.ask("raise the suction of the vacuum").status is Status.PROPOSED
