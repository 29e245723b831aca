"""The page for files of things: previews their contents, shows faults and their lines, and loads them."""

from __future__ import annotations

from flask import Blueprint, render_template

blueprint = Blueprint("pages_load", __name__)


@blueprint.get("/load")
def page() -> str:
    """The place to drop a file. The script sends it to `/things`, first to be checked."""
    return render_template("load.html")
