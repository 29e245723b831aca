"""The hosts that may be called, and their addresses: those that a name resolves to are checked as the name is."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Iterable

import httpx

from engine.errors import BindingError

Resolver = Callable[[str, int], Awaitable[list[str]]]
"""The addresses of a host, as texts, by its name and port. Raises OSError where there are none."""

_Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_METADATA = frozenset(map(ipaddress.ip_address, ("100.100.100.200", "192.0.0.192", "fd00:ec2::254")))
"""Where machines in a cloud are told their secrets, besides at the link-local 169.254.169.254."""
_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
LOCALHOST, CALLBACKS = "localhost", "callback_hosts"


async def system_resolver(host: str, port: int) -> list[str]:
    """The addresses that this machine's resolver gives."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class Hosts:
    """Decides by name, then by address. This machine is always allowed, others by `allowed` (`host`, `host:port`).

    Requests with a `reach` of their own (places as `host:port`), as those to things that were found elsewhere have, may
    go there and to `allowed` hosts, and not to this machine besides.
    """

    def __init__(self, allowed: Iterable[str] = (), resolver: Resolver = system_resolver) -> None:
        self._allowed = frozenset(host.strip().rstrip(".").lower() for host in allowed)
        self._resolver = resolver

    def check(self, url: httpx.URL, reach: frozenset[str] | None = None) -> None:
        """Raises BindingError (host_not_allowed) unless the host of `url` may be talked to, as far as its name says."""
        if url.userinfo:
            raise BindingError("The address of the device holds a password.", reason="host_not_allowed")
        host = _name(url)
        near = is_this_machine(url) if reach is None else place_of(url) in reach
        if not host or not (near or self.allows(url)):
            raise _refused(host, "is not among the allowed hosts")
        address = _literal(host)
        if address is not None:
            _check_address(host, address)

    def allows(self, url: httpx.URL) -> bool:
        """Whether the host of `url` is one that the settings name."""
        host = _name(url)
        return bool({host, f"{host}:{port_of(url)}", f"[{host}]:{port_of(url)}"} & self._allowed)

    async def resolve(self, url: httpx.URL, reach: frozenset[str] | None = None) -> list[str]:
        """The addresses at which to connect to the host of `url`, all of them checked.

        Raises BindingError: host_not_allowed, or unavailable where the name is not known.
        """
        self.check(url, reach)
        host = _name(url)
        if _literal(host) is not None:
            return [host]
        try:
            found = await self._resolver(host, port_of(url))
        except OSError as error:
            raise BindingError(f"The name {host} is not known here.", reason="unavailable") from error
        for text in found:
            self._check_resolved(url, ipaddress.ip_address(text.partition("%")[0]))
        if not found:
            raise BindingError(f"The name {host} has no address.", reason="unavailable")
        return found

    def _check_resolved(self, url: httpx.URL, address: _Address) -> None:
        """A name of this machine leads to this machine, any other one does not."""
        host = _name(url)
        _check_address(host, address)
        if _unmapped(address).is_loopback != is_this_machine(url):
            raise _refused(host, f"leads to {address}, which is not where it belongs")


class PublicHosts(Hosts):
    """Any host in the open net; of the private ones, this machine's own included, only those that are `allowed` (where
    `localhost` stands for all names of this machine). For addresses that strangers give."""

    def check(self, url: httpx.URL, reach: frozenset[str] | None = None) -> None:  # noqa: ARG002
        """Raises BindingError (host_not_allowed) where the name alone says that the host may not be talked to."""
        if url.userinfo or not url.host:
            raise _refused(_name(url), "has no name, or a password beside it", CALLBACKS)
        address = _literal(_name(url))
        if address is not None:
            _check_address(_name(url), address)
        private = is_this_machine(url) if address is None else not _is_public(address)
        if private and not self.allows(url):
            raise _refused(_name(url), "is in a private place", CALLBACKS)

    def allows(self, url: httpx.URL) -> bool:
        """Whether the host of `url` is one that the settings name."""
        own = is_this_machine(url) and bool({LOCALHOST, f"{LOCALHOST}:{port_of(url)}"} & self._allowed)
        return own or super().allows(url)

    def _check_resolved(self, url: httpx.URL, address: _Address) -> None:
        if self.allows(url):
            super()._check_resolved(url, address)
            return
        _check_address(_name(url), address)
        if not _is_public(address):
            raise _refused(_name(url), f"leads to {address}, which is in a private place", CALLBACKS)


def is_this_machine(url: httpx.URL) -> bool:
    """Whether a URL names this machine: `localhost`, or a loopback address."""
    host = _name(url)
    address = _literal(host)
    return host == "localhost" if address is None else _unmapped(address).is_loopback


def port_of(url: httpx.URL) -> int:
    """The port, also where the URL leaves it to its scheme."""
    return url.port or (443 if url.scheme == "https" else 80)


def place_of(url: httpx.URL) -> str:
    """`host:port`, by which a place is named where the same host may have others."""
    return f"{_name(url)}:{port_of(url)}"


def _name(url: httpx.URL) -> str:
    return url.host.rstrip(".").lower()


def _literal(host: str) -> _Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _unmapped(address: _Address) -> _Address:
    """An address; one of IPv4 that is mapped into IPv6 as IPv4."""
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def _is_public(address: _Address) -> bool:
    """Whether an address is in the open net, and none that stands for one which is not (RFC 3056, RFC 6052)."""
    plain = _unmapped(address)
    if isinstance(plain, ipaddress.IPv6Address):
        inner = ipaddress.IPv4Address(int(plain) & 0xFFFFFFFF) if plain in _TRANSLATED else plain.sixtofour
        return plain.is_global and plain.teredo is None and (inner is None or inner.is_global)
    return plain.is_global


def _check_address(host: str, address: _Address) -> None:
    plain = _unmapped(address)
    if plain in _METADATA or plain.is_link_local or plain.is_multicast or plain.is_unspecified:
        raise _refused(host, "is at an address where no device is: link-local, multicast, or a cloud's own")


def _refused(host: str, why: str, setting: str = "allowed_hosts") -> BindingError:
    return BindingError(
        f'The host "{host}" {why}.', remedy=f"Add it to the setting {setting}.", reason="host_not_allowed"
    )
