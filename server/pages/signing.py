"""Signing in and out: with the token, or once with the code that the server prints when it starts."""

from __future__ import annotations

from flask import Blueprint, current_app, redirect, render_template, request, session, url_for
from flask_wtf.csrf import CSRFError
from werkzeug.wrappers import Response

from server.guard import SIGNED_IN, Forged, csrf
from server.service import service

blueprint = Blueprint("pages_signing", __name__)


@blueprint.route("/sign-in", methods=["GET", "POST"])
def sign_in() -> Response | str | tuple[str, int]:
    """Lets a browser write for as long as it is open."""
    keys, code = service().keys, request.args.get("code")
    if request.method == "GET" and code is None:
        return render_template("sign_in.html", wrong=False)
    current_app.extensions["hearthgraph-rates"].check_sign_in()
    if request.method == "POST":
        _checked()
    right = keys.redeem(code) if code is not None else keys.opens(request.form.get("token", "").strip())
    if not right:
        return render_template("sign_in.html", wrong=True), 403
    session.clear()
    session[SIGNED_IN] = True
    return redirect(url_for("pages_ask.page"))


@blueprint.post("/sign-out")
def sign_out() -> Response:
    """Ends the session."""
    _checked()
    session.clear()
    return redirect(url_for("pages_ask.page"))


def _checked() -> None:
    try:
        csrf.protect()
    except CSRFError as error:
        raise Forged("This form is not valid any more.", remedy="Load the page again.") from error
