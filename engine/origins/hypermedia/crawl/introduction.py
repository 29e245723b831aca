"""How an exploration gets its first addresses: one that a person gives, the agreed one of a server, DNS-SD.

https://www.w3.org/TR/wot-discovery/#introduction-mech
"""

from __future__ import annotations

from urllib.parse import urljoin

from engine.errors import InputError
from engine.origins.hypermedia.crawl.frontier import Lead
from engine.origins.hypermedia.links import canonical

WELL_KNOWN = "/.well-known/wot"


def direct(url: str) -> Lead:
    """The lead of an address that a person gave. Raises InputError where it is none of HTTP."""
    found = canonical(url)
    if found is None:
        raise InputError(f'"{url[:200]}" is no address that can be explored.', remedy="Give one of http or https.")
    return Lead(found, place=True, introduced=True)


def well_known(url: str) -> str:
    """Where the server of an address describes itself (RFC 8615)."""
    return urljoin(url, WELL_KNOWN)
