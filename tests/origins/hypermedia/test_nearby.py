"""What announces itself by DNS-SD, really announced on this machine's own interface."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from engine.hearthgraph import Hearthgraph
from engine.origins.hypermedia.crawl.nearby import announced
from tests.origins.hypermedia.sites import Lamp, Site

zeroconf = pytest.importorskip("zeroconf", reason="zeroconf is not installed (hearthgraph[discovery])")

HERE = "127.0.0.1"


@contextmanager
def announcing(*infos: object) -> Iterator[None]:
    try:
        speaking = zeroconf.Zeroconf(interfaces=[HERE])
    except OSError as error:
        pytest.skip(f"this machine cannot be spoken to by multicast: {error}")
    try:
        for info in infos:
            speaking.register_service(info)
        yield
    finally:
        speaking.unregister_all_services()
        speaking.close()


def info(name: str, port: int, address: str = HERE, **properties: str) -> object:
    kind = "_wot._tcp.local."
    packed = [socket.inet_aton(address)]
    return zeroconf.ServiceInfo(
        kind, f"{name}.{kind}", port, addresses=packed, properties=properties, server="x.local."
    )


@pytest.mark.slow
def test_what_announces_itself_is_explored(home: Hearthgraph, site: Site) -> None:
    site.add("lab", Lamp("desk", "Desk lamp"))
    there = info("Lab", site.server.server_port, td="/workspaces", type="Directory")
    odd = info("Odd", 5683, td="/td", scheme="coap")
    with announcing(there, odd):
        found = announced(2.0, [HERE])
    if not found:
        pytest.skip("nothing that is announced on this machine is heard on it")
    assert found == (site.platform,)
    assert len(home.explorer.explore(found[0]).new) == 1


def test_an_address_of_ones_own_machine_is_not_taken_from_the_network() -> None:
    from engine.origins.hypermedia.crawl.nearby import _of

    assert list(_of(info("Evil", 22, td="/x"), here=False)) == []  # type: ignore[arg-type]
    assert list(_of(info("Far", 80, "192.168.1.9", td="td"), here=False)) == ["http://192.168.1.9/td"]  # type: ignore[arg-type]
