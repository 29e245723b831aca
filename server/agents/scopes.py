"""Who makes the present call of a face for agents, and the house as it sees it."""

from __future__ import annotations

from server.agents.callers import Caller, caller
from server.agents.house import House
from server.guard import shown
from server.service import service


def present() -> Caller:
    """The caller of the present call. Raises NoToken, TooManyCalls."""
    served, given = service(), shown()
    token = (given.token or "") if given is not None and given.type == "bearer" else None
    return caller(token, served.keys, served.agents.tokens, open_to_read=served.settings.reading_open)


def house() -> House:
    """The house that is served."""
    served = service()
    return House(served.home, served.talks, served.agents)
