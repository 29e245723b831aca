"""The state shared by the faces for agents: the mechanism, the tokens, each agent's current signifiers, and open
questions."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

from engine import llm
from engine.exposure.mechanism import Mechanism
from engine.hearthgraph import Hearthgraph
from engine.model.exposure import AgentProfile, Exposed
from server.agents.bridge import Ending
from server.agents.callers import Caller, Tokens
from server.agents.signing import Signer


class Closable(Protocol):
    """Anything that can be closed."""

    def close(self) -> None:
        """Lets go."""


Speaking = TypeVar("Speaking")
TOKENS = "agents.json"
KEPT = 500


class Agents:
    """Made once a home. It may be shared between threads."""

    def __init__(self, home: Hearthgraph, folder: Path) -> None:
        self.home = home
        self.tokens = Tokens(folder / TOKENS)
        self.signer = Signer(folder)
        model = llm.from_settings(home.settings)
        self.mechanism = Mechanism(home.store, lambda: home.artifacts.signifiers(), model)
        self._lock = threading.Lock()
        self._shown: OrderedDict[str, tuple[Exposed, ...]] = OrderedDict()
        self._face: Closable | None = None
        self._closed = False
        self._speaking: Any = None
        self._asked: OrderedDict[str, str] = OrderedDict()
        self._questioned: OrderedDict[str, str] = OrderedDict()

    def show(self, caller: Caller, signifiers: tuple[Exposed, ...]) -> None:
        """Records the signifiers that an agent was shown: these are its tools from now on."""
        with self._lock:
            self._shown[caller.name] = signifiers
            self._shown.move_to_end(caller.name)
            while len(self._shown) > KEPT:
                self._shown.popitem(last=False)

    def shown(self, caller: Caller) -> tuple[Exposed, ...]:
        """The signifiers that an agent was shown last."""
        return self._shown.get(caller.name, ())

    def face(self, make: Callable[[], Closable | None]) -> Any:
        """The face for MCP, made when it is first asked for. Raises Ending."""
        with self._lock:
            if self._face is None and not self._closed:
                self._face = make()
            if self._closed:  # perhaps while it was made, which takes a second the first time: who closes saw none
                self._close_face()
                raise Ending
            return self._face

    def speaking(self, make: Callable[[], Speaking]) -> Speaking:
        """The handler of A2A, made when it is first asked for."""
        with self._lock:
            if self._speaking is None:
                self._speaking = make()
            found: Speaking = self._speaking
            return found

    def close(self) -> None:
        """Closes the faces; none is made any more. It does not wait for one that is being made."""
        self._closed = True
        self._close_face()

    def _close_face(self) -> None:
        if self._face is not None:
            self._face.close()

    def note(self, caller: Caller, request: str) -> None:
        """Records which agent made a request."""
        with self._lock:
            self._asked[request] = caller.name
            while len(self._asked) > KEPT:
                self._asked.popitem(last=False)

    def asked_by(self, request: str) -> str | None:
        """Who asked for that; None where it was no agent."""
        return self._asked.get(request)

    def note_question(self, caller: Caller, affordance: str) -> None:
        """Notes whom something asked that was used."""
        with self._lock:
            self._questioned[affordance] = caller.name
            while len(self._questioned) > KEPT:
                self._questioned.popitem(last=False)

    def questioned(self, affordance: str) -> str | None:
        """Whom something asked; None where it was no agent."""
        return self._questioned.get(affordance)

    def profile(self, caller: Caller) -> AgentProfile | None:
        """The profile that an agent registered, if it did."""
        return self.mechanism.agents().get(caller.name)

    def signifier(self, label: str) -> Exposed | None:
        """A signifier by its label."""
        return next((one for one in self.home.artifacts.signifiers() if one.label == label), None)
