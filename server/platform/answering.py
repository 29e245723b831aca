"""A resource of the platform as an answer: its form, its ETag, and the links by which it is followed."""

from __future__ import annotations

from hashlib import blake2s

from flask import Response, request

from engine.origins.hypermedia.platform.resources import DIALECTS, SHORT, Resource
from engine.things.description.emission import Profile
from server.negotiation import required

VARY = "Accept, Accept-Profile"


def dialect() -> Profile:
    """The dialect that the client asks for: by `?profile=`, `Accept-Profile`, or a parameter of the media type."""
    asked = [request.args.get("profile", ""), request.headers.get("Accept-Profile", "")]
    asked += [media.partition(";")[2] for media, _ in request.accept_mimetypes]
    return Profile.YGGDRASIL if any("yggdrasil" in one.lower() for one in asked) else Profile.W3C


def answered(resource: Resource, hub: str) -> Response:
    """The form that the client likes best, with its ETag and the links by which it is followed; 304 where the client
    has it already."""
    media = required(resource.forms, short=SHORT)
    content = resource.forms[media]().encode()
    response = Response(content, content_type=resource.type(media))
    response.headers["Vary"] = VARY
    response.headers["Cache-Control"] = "no-cache"
    links = {"hub": hub, "self": resource.topic(media), **({"up": resource.up} if resource.up else {})}
    response.headers["Link"] = ", ".join(f'<{target}>; rel="{relation}"' for relation, target in links.items())
    if resource.dialect is not None:
        response.headers["Content-Profile"] = f"<{DIALECTS[resource.dialect]}>"
    response.set_etag(etag(content, media))
    response.make_conditional(request)
    return response


def etag(content: bytes, media: str) -> str:
    """The entity tag of a content: the same for the same bytes in the same form."""
    return blake2s(content + media.encode(), digest_size=12).hexdigest()
