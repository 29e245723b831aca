"""Where an exploration may go: the places that a person named, and some of those that are open to all the world."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable

import httpx

from engine.environment.http.addresses import Hosts, Resolver, is_this_machine, place_of, system_resolver
from engine.errors import BindingError
from engine.things.description.targets import is_private


class CrawlScope(Hosts):
    """Decides where a crawl may go. `named` are addresses that a person gave: their hosts, at those ports. `allowed`
    are the hosts of the setting. Of other hosts, so many as `most` says, and only at addresses that are public: never
    this machine, nor one of a private network.
    """

    def __init__(
        self,
        named: Iterable[str],
        allowed: Iterable[str] = (),
        most: int = 0,
        resolver: Resolver = system_resolver,
    ) -> None:
        super().__init__(allowed, resolver)
        self.named = {place_of(httpx.URL(url)) for url in named}
        self.met: set[str] = set()
        self._most = most

    def name(self, url: str) -> None:
        """Adds a place that a person named, or that was found in a way that a person chose."""
        self.named.add(place_of(httpx.URL(url)))

    def check(self, url: httpx.URL, reach: frozenset[str] | None = None) -> None:
        """Raises BindingError (host_not_allowed, limit_reached) unless a crawl may go to the host of `url`."""
        if self._is_known(url):
            super().check(url, frozenset(self.named) if reach is None else reach)
            return
        host = url.host
        if not host or url.userinfo or is_this_machine(url) or is_private(host):
            raise BindingError(
                f'"{host}" is a private place that nobody named.',
                remedy="Name it yourself, or add it to the setting allowed_hosts.",
                reason="host_not_allowed",
            )
        if host not in self.met and len(self.met) >= self._most:
            raise BindingError(f'"{host}" is one host more than were allowed.', reason="limit_reached")

    async def resolve(self, url: httpx.URL, reach: frozenset[str] | None = None) -> list[str]:
        """The addresses at which to connect, all of them checked. Raises BindingError as `Hosts.resolve` does."""
        if self._is_known(url):
            return await super().resolve(url, frozenset(self.named) if reach is None else reach)
        self.check(url, reach)
        found = await super().resolve(url, frozenset((place_of(url),)))
        for text in found:
            if not ipaddress.ip_address(text.partition("%")[0]).is_global:
                raise BindingError(
                    f'"{url.host}" leads to a private place that nobody named.', reason="host_not_allowed"
                )
        self.met.add(url.host)
        return found

    def _is_known(self, url: httpx.URL) -> bool:
        return place_of(url) in self.named or self.allows(url)
