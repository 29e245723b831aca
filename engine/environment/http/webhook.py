"""One JSON object posted to the address that the settings name, for whoever wants to hear of something."""

from __future__ import annotations

import httpx

from engine.errors import BindingError
from engine.graph.terms import Json


def posted(url: str, data: Json, seconds: float) -> None:
    """Posts a value; redirects are not followed. Raises BindingError (unavailable) where nobody takes it."""
    try:
        answer = httpx.post(url, json=data, timeout=seconds, follow_redirects=False)
    except httpx.HTTPError as error:
        raise BindingError(f"The webhook does not answer: {type(error).__name__}.", reason="unavailable") from error
    if not answer.is_success:
        raise BindingError(f"The webhook answers with {answer.status_code}.", reason="unavailable")
