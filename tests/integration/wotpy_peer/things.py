"""Serves the things of the file in the first argument at the port in the second, and tells what is done to them."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from wotpy.protocols.http.server import HTTPServer
from wotpy.wot.servient import Servient


def say(told: dict[str, Any]) -> None:
    print(json.dumps(told), flush=True)


def watched(exposed: Any, title: str, state: dict[str, Any]) -> None:
    """Has a thing tell what is done to it."""

    def write(name: str) -> Any:
        async def handler(value: Any) -> None:
            state[name] = value
            say({"thing": title, "write": name, "value": value})

        return handler

    def read(name: str) -> Any:
        async def handler() -> Any:
            return state[name]

        return handler

    def invoke(name: str) -> Any:
        async def handler(parameters: Any) -> Any:
            say({"thing": title, "invoke": name, "input": parameters["input"]})
            return True

        return handler

    for name in state:
        exposed.set_property_read_handler(name, read(name))
        exposed.set_property_write_handler(name, write(name))
    for name in exposed.thing.actions:
        exposed.set_action_handler(name, invoke(name))


async def main(file: str, port: int) -> None:
    servient = Servient(hostname="127.0.0.1", catalogue_port=None)
    servient.add_server(HTTPServer(port=port))
    wot = await servient.start()
    exposed = []
    for number, thing in enumerate(json.loads(Path(file).read_text())):
        state = thing.pop("state")
        common = {"@context": "https://www.w3.org/2022/wot/td/v1.1", "id": f"urn:uuid:wotpy-{number}"}
        security = {"security": ["nosec"], "securityDefinitions": {"nosec": {"scheme": "nosec"}}}
        one = wot.produce(json.dumps({**common, **security, **thing}))
        watched(one, thing["title"], state)
        one.expose()
        exposed.append(one)
    for one in exposed:
        say({"description": json.loads(one.td.to_str()) if hasattr(one, "td") else described(one)})
    say({"ready": True})
    await asyncio.Event().wait()


def described(exposed: Any) -> dict[str, Any]:
    from wotpy.wot.td import ThingDescription

    return dict(ThingDescription.from_thing(exposed.thing).to_dict())


asyncio.run(main(sys.argv[1], int(sys.argv[2])))
