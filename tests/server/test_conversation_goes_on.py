"""A plan that waits does not keep the conversation waiting that it belongs to."""

from __future__ import annotations

from pathlib import Path

from engine import settings
from engine.dialogue.assistant import Consent
from engine.environment.clock import SystemClock
from engine.graph.store import GraphStore
from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Status
from server.talks import Talks

DATA = Path(__file__).resolve().parents[2] / "data"
PATIENCE = 60.0


def test_after_a_typed_yes_one_can_say_something_else_while_the_plan_waits() -> None:
    used = settings.load()
    with Hearthgraph(GraphStore.open(None), SystemClock(used.zone), used) as home:
        home.load([DATA / "house.ttl"])
        talks = Talks(home)
        talk = talks.talk("typed")
        proposed = talks.say("in five minutes turn on the pantry light", talk=talk).work.result(PATIENCE)
        assert proposed.status is Status.PROPOSED
        waiting = talks.say("yes", talk=talk)
        ordered = talks.say("in ten minutes close the bedroom curtains", talk=talk, consent=Consent.ALL)
        other = talks.say("turn on the kitchen light", talk=talk, consent=Consent.ALL).work.result(PATIENCE)
        assert other.status in (Status.DONE, Status.ANSWERED)
        assert not waiting.work.done()
        assert not ordered.work.done()
        talks.close()
        assert waiting.work.result(PATIENCE).status is not Status.DONE
        ordered.work.result(PATIENCE)
