"""Where this server is, for those who are told addresses of it."""

from __future__ import annotations

from flask import request

from server.service import service


def base() -> str:
    """The address of the server with a slash at the end: the public one where a setting has one, as behind a proxy that
    others come through; else the one that the present call used."""
    public = service().settings.public_url
    return request.host_url if public is None else f"{public}/"
