"""Finds things and directories of things that announce themselves in this network by DNS-SD.

https://www.w3.org/TR/wot-discovery/#introduction-dns-sd-sec . Needs the package `zeroconf` (`hearthgraph[discovery]`).
"""

from __future__ import annotations

import ipaddress
import threading
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

from engine.errors import SettingError
from engine.origins.hypermedia.links import canonical

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, ServiceListener, Zeroconf

TYPES = ("_wot._tcp.local.", "_directory._sub._wot._tcp.local.")
SCHEMES = ("http", "https")
LISTEN_SECONDS = 3.0
INFO_MILLISECONDS = 1500


def announced(seconds: float = LISTEN_SECONDS, interfaces: Sequence[str] | None = None) -> tuple[str, ...]:
    """The addresses of descriptions that are announced within so many seconds, each once; on these interfaces, by
    address, else on all. Announcements for the listener's own machine are passed over, unless only that is listened
    to. Raises SettingError where zeroconf is not installed, or no interface can be listened to."""
    try:
        from zeroconf import InterfaceChoice, ServiceBrowser, Zeroconf
    except ImportError as error:
        raise SettingError(
            "Without zeroconf nothing is heard of what announces itself.",
            remedy="pip install 'hearthgraph[discovery]', or give an address.",
        ) from error
    try:
        listening = Zeroconf(interfaces=list(interfaces) if interfaces else InterfaceChoice.All)
    except OSError as error:
        raise SettingError(f"This network cannot be listened to: {error}.", remedy="Give an address.") from error
    names = _Names()
    try:
        ServiceBrowser(listening, list(TYPES), listener=cast("ServiceListener", names))
        time.sleep(seconds)
        return tuple(dict.fromkeys(_addresses(listening, names, _only_here(interfaces))))
    finally:
        listening.close()


class _Names:
    """The names that are heard of, with their types."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.found: dict[str, str] = {}

    def add_service(self, _: Zeroconf, type_: str, name: str) -> None:
        with self._lock:
            self.found[name] = type_

    update_service = add_service

    def remove_service(self, _: Zeroconf, type_: str, name: str) -> None:  # noqa: ARG002
        with self._lock:
            self.found.pop(name, None)


def _addresses(listening: Zeroconf, names: _Names, here: bool) -> Iterator[str]:
    for name in sorted(names.found):
        info = listening.get_service_info(TYPES[0], name, INFO_MILLISECONDS)
        if info is not None:
            yield from _of(info, here)


def _of(info: ServiceInfo, here: bool) -> Iterator[str]:
    """Where the description is: the first of its addresses that can be used."""
    said = {key.decode("ascii", "replace"): value for key, value in info.properties.items()}
    path, scheme = (_text(said.get(name)) for name in ("td", "scheme"))
    for address in info.parsed_addresses():
        plain = ipaddress.ip_address(address)
        host = f"[{address}]" if plain.version == 6 else address
        url = canonical(f"{scheme or 'http'}://{host}:{info.port}{path if path.startswith('/') else f'/{path}'}")
        if url is not None and (scheme or "http") in SCHEMES and not plain.is_link_local and plain.is_loopback <= here:
            yield url
            return


def _only_here(interfaces: Sequence[str] | None) -> bool:
    return bool(interfaces) and all(ipaddress.ip_address(one).is_loopback for one in interfaces or ())


def _text(value: bytes | None) -> str:
    return (value or b"").decode("utf-8", "replace")
