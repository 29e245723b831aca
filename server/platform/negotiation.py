"""Which form of a representation a client gets, whether it has it already, and what it is told of the hub."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2s

from flask import Response, request

from engine.things.emission import Profile
from server.protocol.formats import NotAcceptable

TURTLE, JSONLD, TD, JSON = "text/turtle", "application/ld+json", "application/td+json", "application/json"
PROFILES = {
    Profile.W3C: "https://www.w3.org/2022/wot/td/v1.1",
    Profile.YGGDRASIL: "https://purl.org/hmas/yggdrasil",
}
VARY = "Accept, Accept-Profile"
SHORT = {"turtle": TURTLE, "jsonld": JSONLD, "td": TD, "json": JSON}

Writers = Mapping[str, Callable[[], str | bytes]]


def chosen(offered: list[str]) -> str:
    """The offered media type that the client likes best. Raises NotAcceptable."""
    short = request.args.get("format")
    found = SHORT.get(short, "") if short is not None else offered[0]
    if short is None and request.headers.get("Accept"):
        found = request.accept_mimetypes.best_match(offered) or ""
    if found not in offered:
        raise NotAcceptable("None of the accepted formats can be given.", remedy=f"Accept {', '.join(offered)}.")
    return found


def profile() -> Profile:
    """The dialect that the client asks for: by `?profile=`, `Accept-Profile`, or a parameter of the media type."""
    asked = " ".join((request.args.get("profile", ""), request.headers.get("Accept-Profile", "")))
    asked += " ".join(media.partition(";")[2] for media, _ in request.accept_mimetypes)
    return Profile.YGGDRASIL if "yggdrasil" in asked.lower() else Profile.W3C


def answered(writers: Writers, links: Mapping[str, str], said: Profile | None = None) -> Response:
    """The representation that the client likes best, with its ETag and links; 304 where the client has it."""
    media = chosen([*writers])
    body = writers[media]()
    content = body.encode() if isinstance(body, str) else body
    response = Response(content, content_type=typed(media, said))
    response.headers["Vary"] = VARY
    response.headers["Cache-Control"] = "no-cache"
    for relation, target in links.items():
        response.headers.add("Link", f'<{target}>; rel="{relation}"')
    if said is not None:
        response.headers["Content-Profile"] = f"<{PROFILES[said]}>"
    response.set_etag(etag(content, media))
    response.make_conditional(request)
    return response


def typed(media: str, said: Profile | None = None) -> str:
    """A content type with its charset and profile."""
    charset = "; charset=utf-8" if media.startswith("text/") else ""
    return f'{media}{charset}; profile="{PROFILES[said]}"' if said is Profile.YGGDRASIL else f"{media}{charset}"


def etag(content: bytes, media: str) -> str:
    """What stands for a content: the same for the same bytes in the same form."""
    return blake2s(content + media.encode(), digest_size=12).hexdigest()
