"""Which media type a client gets of those that are offered (RFC 9110, section 12)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from flask import request
from werkzeug.datastructures import MIMEAccept

from engine.errors import HearthgraphError

_NONE: Mapping[str, str] = {}


class NotAcceptable(HearthgraphError):
    """None of the formats that the client accepts can be given."""

    reason = "not_acceptable"


def wanted(
    offered: Iterable[str], *, short: Mapping[str, str] = _NONE, aliases: Mapping[str, str] = _NONE
) -> str | None:
    """The offered media type that the client likes best, the first of equals; None where it accepts none of them.

    `short` has the names that `?format=` may say, for whoever cannot send a header; `aliases` are further media types
    with the offered one that they stand for. Parameters of media types are passed over."""
    known = [*offered]
    name = request.values.get("format") if short else None
    if name is not None:
        return short[name] if short.get(name) in known else None
    if not request.headers.get("Accept"):
        return known[0]
    plain = MIMEAccept((media.partition(";")[0].strip(), quality) for media, quality in request.accept_mimetypes)
    best = plain.best_match([*known, *(alias for alias, media in aliases.items() if media in known)])
    return None if best is None else aliases.get(best, best)


def required(offered: Iterable[str], *, short: Mapping[str, str] = _NONE, aliases: Mapping[str, str] = _NONE) -> str:
    """As `wanted`. Raises NotAcceptable where the client accepts none of them."""
    known = [*offered]
    found = wanted(known, short=short, aliases=aliases)
    if found is None:
        raise NotAcceptable("None of the accepted formats can be given.", remedy=f"Accept {', '.join(known)}.")
    return found
