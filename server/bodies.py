"""The JSON that a call brings."""

from __future__ import annotations

from typing import Any

from flask import request

from engine.errors import InputError
from engine.graph.json_values import checked


def given() -> Any:
    """The JSON value of the body. Raises InputError where it nests too deep or has values that cannot be kept,
    BadRequest where it is no JSON."""
    try:
        return checked(request.get_json(), numbers=False)  # whoever takes one knows how large it may be
    except RecursionError:
        raise InputError("The body is nested too deeply.", remedy="Write it flatter.") from None
