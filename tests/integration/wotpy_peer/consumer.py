"""Consumes the thing at the address in the first argument with the token in the second: reads, writes, invokes."""

import asyncio
import json
import sys
import urllib.request
from contextlib import suppress
from typing import Any

from wotpy.protocols.http.client import HTTPClient
from wotpy.wot.servient import Servient


def say(told: dict[str, Any]) -> None:
    print(json.dumps(told), flush=True)


async def main(address: str, token: str, steps: list[str]) -> None:
    asked = urllib.request.Request(address, headers={"Accept": "application/td+json"})
    description = json.load(urllib.request.urlopen(asked))
    client = HTTPClient()
    client.set_security({"scheme": "bearer"}, {"token": token})
    # its client signs what it reads and invokes, and not what it writes
    client.JSON_HEADERS = {**client.JSON_HEADERS, "Authorization": f"Bearer {token}"}
    servient = Servient(catalogue_port=None, clients=[client])
    wot = await servient.start()
    thing = wot.consume(json.dumps(description))
    for step in steps:
        what, name, *value = json.loads(step)
        if what == "read":
            say({"read": name, "value": await thing.read_property(name)})
        if what == "write":
            await thing.write_property(name, value[0])
            say({"written": name})
        if what == "invoke":
            with suppress(json.JSONDecodeError):  # it reads an answer where the status says that there is none
                await thing.invoke_action(name, *value)
            say({"invoked": name})
    await servient.shutdown()


asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
