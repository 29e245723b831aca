"""The house as an MCP server, spoken to by the official client in both revisions."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.agents.callers import ACTS, ASKS, READS, REVISIONS, called, issued, lamp, played, power_of, switched
from tests.homes import filled
from tests.server.serving import Serving, serving
from tests.waiting import until

pytest.importorskip("mcp", reason="the extra agents is not installed")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(filled(tmp_path_factory.mktemp("house") / "store")) as served:
        yield served


@pytest.mark.parametrize("mode", REVISIONS)
def test_a_whole_request_with_consent(house: Serving, mode: str) -> None:
    thing = house.service.home.registry.things[lamp(house)]
    power = power_of(thing)
    house.service.home.state.write({power.iri: switched(power, False)})

    async def play(opened: Any) -> None:
        tools = [tool.name for tool in (await opened.list_tools()).tools]
        assert {"find_signifiers", "ask", "consent", "state", "control_device", "query_things", "why"} <= set(tools)
        proposed = await called(opened, "ask", text=f"turn on the {thing.title}")
        assert proposed["status"] == "proposed", proposed
        assert house.service.home.state[power.iri] == switched(power, False)
        done = await called(opened, "consent", plan_id=proposed["plan_id"])
        assert done["status"] == "done"
        story = await called(opened, "why", request=proposed["request"])
        assert "visitor said" in story["story"]

    played(house, issued(house, "visitor", ACTS), mode, play)
    assert house.service.home.state[power.iri] == switched(power, True)


@pytest.mark.parametrize("mode", REVISIONS)
def test_a_stranger_sees_and_does_nothing_else(house: Serving, mode: str) -> None:
    async def play(opened: Any) -> None:
        assert (await called(opened, "query_things", room="kitchen"))["things"]
        for name, arguments in (
            ("ask", {"text": "turn on all the lights"}),
            ("control_device", {"thing": lamp(house), "name": "power", "value": True}),
            ("consent", {"plan_id": "urn:uuid:x/plan"}),
            ("register_profile", {"context": "x"}),
        ):
            result = await opened.call_tool(name, arguments)
            assert result.is_error
            assert result.structured_content["reason"] == "no_token"

    played(house, None, mode, play)


@pytest.mark.parametrize("mode", REVISIONS)
def test_which_lamp_is_asked_through_the_agent(house: Serving, mode: str) -> None:
    text = "set the brightness"

    async def play(opened: Any) -> None:
        found = await called(opened, "ask", text=text)
        assert found["status"] != "clarify", found

    async def mute(opened: Any) -> None:
        found = await called(opened, "ask", text=text, conversation="mute")
        assert found["status"] == "clarify"
        assert found["question"]

    token = issued(house, f"asker-{mode}", ACTS)
    played(house, token, mode, mute)
    played(house, token, mode, play, answer="the kitchen ceiling light to 40 percent")


def test_a_token_reaches_its_rooms_and_no_others(house: Serving) -> None:
    registry = house.service.home.registry
    inside = next(t for t in registry.things.values() if t.place and t.actions)
    outside = next(t for t in registry.things.values() if t.place and t.place != inside.place and t.actions)
    token = issued(house, "narrow", ACTS, [str(inside.place)])

    async def play(opened: Any) -> None:
        action = outside.actions[0].name
        result = await opened.call_tool("control_device", {"thing": outside.iri, "name": action, "value": None})
        assert result.structured_content["reason"] == "out_of_scope"
        proposed = await called(opened, "ask", text="turn off all the lights")
        if proposed["status"] == "proposed":
            refused = await opened.call_tool("consent", {"plan_id": proposed["plan_id"]})
            assert refused.structured_content["reason"] == "out_of_scope"

    played(house, token, "2026-07-28", play)


def test_who_may_only_ask_gets_plans_alone(house: Serving) -> None:
    async def play(opened: Any) -> None:
        found = await called(opened, "ask", text="turn on all the lights")
        assert found["status"] in ("proposed", "done"), found
        refused = await opened.call_tool("consent", {"plan_id": f"{found['request']}/plan"})
        assert refused.structured_content["reason"] == "out_of_scope"

    before = house.service.home.state
    lights = {iri: value for iri, value in before.items() if "power" in iri}
    played(house, issued(house, "curious", ASKS), "legacy", play)
    assert {iri: value for iri, value in before.items() if "power" in iri} == lights


def test_a_plan_is_consented_to_by_who_asked(house: Serving) -> None:
    async def ask(opened: Any) -> str:
        return str((await called(opened, "ask", text="turn on all the lights"))["plan_id"])

    async def steal(opened: Any) -> None:
        result = await opened.call_tool("consent", {"plan_id": plan})
        assert result.structured_content["reason"] == "no_such_plan"

    plan = played(house, issued(house, "first", ACTS), "legacy", ask)
    played(house, issued(house, "second", ACTS), "legacy", steal)


def test_what_people_would_regret_needs_more_than_acting(house: Serving) -> None:
    async def play(opened: Any) -> None:
        found = await called(opened, "ask", text="unlock the front door")
        if found["status"] == "proposed" and found["regrettable"]:
            result = await opened.call_tool("consent", {"plan_id": found["plan_id"]})
            assert result.structured_content["reason"] == "out_of_scope"
        else:
            assert found["status"] != "done"

    played(house, issued(house, "doorman", ACTS), "legacy", play)


def test_a_token_that_is_taken_back_is_good_no_more(house: Serving) -> None:
    token = issued(house, "gone", READS)
    assert house.stranger.get("/artifacts", headers={"Authorization": f"Bearer {token}"}).status_code == 200
    assert house.client.delete("/agents/gone/token").status_code == 204
    assert house.stranger.get("/artifacts", headers={"Authorization": f"Bearer {token}"}).status_code == 401


def test_tokens_are_kept_as_hashes_alone(house: Serving) -> None:
    token = issued(house, "secretive", READS)
    kept = (house.service.keys.folder / "agents.json").read_text(encoding="utf-8")
    assert "secretive" in kept
    assert token not in kept


@pytest.mark.parametrize("mode", REVISIONS)
def test_resources_are_read(house: Serving, mode: str) -> None:
    async def play(opened: Any) -> None:
        uris = [str(one.uri) for one in (await opened.list_resources()).resources]
        assert "house://things" in uris
        state = next(uri for uri in uris if uri.startswith("house://things/"))
        found = json.loads((await opened.read_resource(state)).contents[0].text)
        assert found["state"]
        rules = json.loads((await opened.read_resource("house://rules")).contents[0].text)
        assert "rules" in rules

    played(house, issued(house, f"reader-{mode}", READS), mode, play)


@pytest.mark.filterwarnings("ignore:resources/subscribe is removed")
def test_changes_of_the_state_are_told(house: Serving) -> None:
    from urllib.parse import quote

    import mcp_types as types

    thing = house.service.home.registry.things[lamp(house)]
    power = power_of(thing)
    uri = f"house://things/{quote(thing.iri, safe='')}"
    heard: asyncio.Queue[str] = asyncio.Queue()

    async def legacy() -> str:
        from mcp.client.client import Client
        from mcp.client.streamable_http import streamable_http_client
        from mcp.shared._httpx_utils import create_mcp_http_client

        async def told(message: Any) -> None:
            if isinstance(message, types.ResourceUpdatedNotification):
                await heard.put(str(message.params.uri))

        headers = {"Authorization": f"Bearer {house.token}"}
        async with create_mcp_http_client(headers) as http:
            transport = streamable_http_client(f"{house.url}/mcp", http_client=http)
            async with Client(transport, mode="legacy", message_handler=told) as opened:
                await opened.subscribe_resource(uri)
                for number in range(20):
                    house.service.home.state.write({power.iri: switched(power, number % 2 == 0)})
                    try:
                        return await asyncio.wait_for(heard.get(), 1)
                    except TimeoutError:
                        continue
        return ""

    assert asyncio.run(asyncio.wait_for(legacy(), 60)) == uri


def test_changes_of_the_state_are_told_in_the_stateless_revision(house: Serving) -> None:
    from urllib.parse import quote

    thing = house.service.home.registry.things[lamp(house)]
    power = power_of(thing)
    uri = f"house://things/{quote(thing.iri, safe='')}"

    async def play(opened: Any) -> str:
        async with opened.listen(resource_subscriptions=[uri]) as events:

            async def first() -> str:
                async for event in events:
                    return str(event.uri)
                return ""

            waiting = asyncio.ensure_future(first())
            for number in range(20):
                house.service.home.state.write({power.iri: switched(power, number % 2 == 0)})
                done, _ = await asyncio.wait({waiting}, timeout=1)
                if done:
                    break
            return await waiting

    assert played(house, issued(house, "listener", READS), "2026-07-28", play) == uri


def test_streams_of_clients_that_have_gone_make_room(house: Serving) -> None:
    token = issued(house, "passer-by", READS)

    async def play(opened: Any) -> bool:
        async with opened.listen(resource_subscriptions=["house://rules"]):
            return True

    def let_in() -> bool:
        try:
            return bool(played(house, token, "2026-07-28", play))
        except Exception:  # noqa: BLE001 - whatever the client makes of being refused
            return False

    for _ in range(12):  # more than may be open at a time
        until(let_in, pause=0.2)


def test_a_forged_state_is_refused(house: Serving) -> None:
    from mcp.shared.exceptions import MCPError

    async def play(opened: Any) -> None:
        with pytest.raises(MCPError):
            await opened.session.call_tool(
                "ask", {"text": "x"}, request_state="urn:uuid:1|00", input_responses={}, allow_input_required=True
            )

    played(house, issued(house, "forger", ACTS), "2026-07-28", play)


def test_few_tools_whatever_devices_there_are(house: Serving) -> None:
    async def play(opened: Any) -> int:
        tools = (await opened.list_tools()).tools
        return len(json.dumps([tool.model_dump(by_alias=True, exclude_none=True) for tool in tools]))

    characters = played(house, None, "2026-07-28", play)
    assert len(house.service.home.registry.things) > 20
    assert characters < 8_000, "some two thousand tokens a turn"
