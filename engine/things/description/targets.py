"""Checks the targets of forms: refuses addresses that no device can have, and notes private networks. Nothing is
fetched.

https://www.w3.org/TR/wot-thing-description11/#form , https://www.rfc-editor.org/rfc/rfc6890
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from ipaddress import ip_address
from urllib.parse import urlsplit

from engine.errors import ThingRefused
from engine.graph.terms import Quad, Triple, compact, expand
from engine.model import thing_rdf as rdf

FORBIDDEN = frozenset(("file", "javascript", "vbscript", "data", "blob", "about", "view-source"))
"""Schemes of no protocol by which a device can be reached, and by which this machine could be read or made to run."""

HOME = (".local", ".localhost", ".home", ".lan", ".internal", ".home.arpa")
LONGEST = 100
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*(?=:)")
_IGNORED = re.compile(r"[\x00-\x20]")
"""What browsers and clients leave out before they read the scheme."""


def check(statements: Iterable[Quad]) -> None:
    """Raises ThingRefused for a form whose target leads into this machine, such as `file:` and `javascript:`."""
    for form, target in _targets(statements):
        scheme = _SCHEME.match(_IGNORED.sub("", target).lower())
        if scheme is not None and scheme.group() in FORBIDDEN:
            raise ThingRefused(
                f"{compact(form)}: the target {target[:LONGEST]!r} leads to no device.",
                node=form,
                shape=expand("hg:TargetShape"),
                remedy="Give an address of the device: http, https, coap, mqtt and the like.",
            )


def warnings(statements: Iterable[Triple]) -> Iterator[str]:
    """A sentence about the private addresses to which forms lead, if there are any."""
    hosts = (_host(target) for _, target in _targets(statements))
    private = dict.fromkeys(host for host in hosts if is_private(host))
    if private:
        some = ", ".join([*private][:3]) + (" and others" if len(private) > 3 else "")
        yield f"Forms lead to private addresses ({some}); they are called when the device is, not before."


def is_private(host: str) -> bool:
    """Whether a host is this machine or one of a private network, as far as its name tells."""
    name = host.rstrip(".").lower()
    try:
        return not ip_address(name.partition("%")[0]).is_global
    except ValueError:
        return name == "localhost" or name.endswith(HOME)


def _targets(statements: Iterable[Triple | Quad]) -> Iterator[tuple[str, str]]:
    """Forms and where they lead; the base address of a thing counts as a target of its own."""
    found = list(statements)
    forms = {one.object for one in found if one.predicate == rdf.HAS_FORM}
    for one in found:
        if one.predicate == rdf.BASE or (one.predicate == rdf.TARGET and one.subject in forms):
            yield str(one.subject.value), str(one.object.value)  # type: ignore[union-attr]


def _host(target: str) -> str:
    try:
        return urlsplit(target).hostname or ""
    except ValueError:
        return ""
