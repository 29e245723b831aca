"""The page of policies: what must not happen in this home, whoever asks."""

from __future__ import annotations

from flask import Blueprint, render_template

from server.pages.naming import name_of
from server.service import service

blueprint = Blueprint("pages_policies", __name__)


@blueprint.get("/policies")
def page() -> str:
    """All policies, by name."""
    found: dict[str, dict[str, str]] = {}
    for policy, name, message, target in service().store.select("server/policies"):
        assert policy is not None
        called = name.value if name is not None else name_of(policy.value)
        about = "" if target is None else name_of(target.value)
        found[policy.value] = {"name": called, "message": message.value if message else "", "about": about}
    return render_template("policies.html", policies=list(found.values()))
