"""Addresses as they are compared, and the links that stand in the head of an answer.

https://www.rfc-editor.org/rfc/rfc8288 , https://www.rfc-editor.org/rfc/rfc3986#section-6.2
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urljoin

import httpx

from engine.environment.http.addresses import port_of
from engine.model.thing_rdf import is_iri

LONGEST = 2_048
"""Characters of an address that is followed: a page can make longer ones without end."""
_LINK = re.compile(r"<([^<>]*)>((?:\s*;\s*[\w!#$&+.^`|~*-]+\s*(?:=\s*(?:\"(?:[^\"\\]|\\.)*\"|[^\s;,\"]*))?)*)")
_PARAMETER = re.compile(r";\s*([\w!#$&+.^`|~*-]+)\s*(?:=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^\s;,\"]*)))?")
_ESCAPED = re.compile(r"%[0-9a-fA-F]{2}")
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Link:
    """A web link: its target, its relation type, and the target's media type ("" where it is not given)."""

    target: str
    relation: str
    type: str = ""


def canonical(url: str, base: str = "") -> str | None:
    """The canonical spelling of a document's address: absolute, without a fragment, host in lower case, no default
    port, no dots. None for an address that is none of HTTP, or very long."""
    try:
        parsed = httpx.URL(urljoin(base, url) if base else url)
    except (httpx.InvalidURL, ValueError):
        return None
    if parsed.scheme not in _PORTS or not parsed.host or len(str(parsed)) > LONGEST:
        return None
    port = None if parsed.port == _PORTS[parsed.scheme] else parsed.port
    raw = _ESCAPED.sub(lambda found: found.group().upper(), _undotted(parsed.raw_path.decode("ascii")))
    found = str(parsed.copy_with(fragment=None, port=port, raw_path=raw.encode("ascii")))
    return found if is_iri(found) else None


def origin(url: str) -> str:
    """`scheme://host:port`, the same for all pages of one server; "" where the address is not one of HTTP."""
    plain = canonical(url)
    if plain is None:
        return ""
    parsed = httpx.URL(plain)
    return f"{parsed.scheme}://{parsed.host}:{port_of(parsed)}"


def read(header: str, base: str) -> tuple[Link, ...]:
    """The links of a `Link` header, each relation by itself, targets absolute. Malformed links are passed over; so are
    those with another context (`anchor`)."""
    found: list[Link] = []
    for match in _LINK.finditer(header):
        said = {name.lower(): quoted or plain for name, quoted, plain in reversed(_PARAMETER.findall(match[2]))}
        if "anchor" not in said:
            target = urljoin(base, match[1].strip())
            found += [Link(target, one, said.get("type", "")) for one in said.get("rel", "").lower().split()]
    return tuple(found)


def of(links: Iterable[Link], relation: str) -> tuple[str, ...]:
    """The targets of a relation, in order."""
    return tuple(link.target for link in links if link.relation == relation)


def _undotted(path: str) -> str:
    """A path without `.` and `..` steps (RFC 3986, section 5.2.4)."""
    plain, mark, query = path.partition("?")
    steps: list[str] = []
    for step in plain.split("/")[1:]:
        if step == "..":
            del steps[-1:]
        elif step != ".":
            steps.append(step)
    if plain.endswith(("/.", "/..")):
        steps.append("")
    return "/" + "/".join(steps) + mark + query
