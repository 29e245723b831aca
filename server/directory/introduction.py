"""The directory, introduced as a thing, at the address where whoever comes by looks first.

https://www.w3.org/TR/wot-discovery/#introduction-well-known
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from flask import Blueprint, Response

from server.addresses import base
from server.directory.media import JSON, JSON_LD, TD, answer
from server.negotiation import required

blueprint = Blueprint("directory_introduction", __name__)


@blueprint.get("/.well-known/wot")
def introduce() -> Response:
    """The Thing Description of the directory. Pages of other origins may read it: it says nothing of the home."""
    media = required((TD, JSON, JSON_LD))
    here = base()
    response = answer({**_description(), "id": f"{here}.well-known/wot", "base": here}, media)
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    response.headers["Vary"] = "Accept"
    return response


@cache
def _description() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(__file__).with_name("directory.td.json").read_text(encoding="utf-8"))
    return found
