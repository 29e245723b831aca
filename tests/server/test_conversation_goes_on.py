"""A plan that waits does not keep the conversation waiting that it belongs to."""

from __future__ import annotations

from pathlib import Path

from engine import settings
from engine.dialogue.assistant import Consent
from engine.environment.clock import SystemClock
from engine.graph.embedded import EmbeddedStore
from engine.hearthgraph import Hearthgraph
from engine.model.outcome import Status
from server.talks import Talks

DATA = Path(__file__).resolve().parents[2] / "data"
PATIENCE = 60.0


def test_what_is_for_later_holds_nobody_up() -> None:
    used = settings.load()
    with Hearthgraph(EmbeddedStore.open(None), SystemClock(used.zone), used) as home:
        home.load([DATA / "house.ttl"])
        talks = Talks(home)
        talk = talks.talk("typed")
        first = talks.say("in five minutes turn on the pantry light", talk=talk).work.result(PATIENCE)
        second = talks.say("in ten minutes close the bedroom curtains", talk=talk, consent=Consent.ALL)
        assert (first.status, second.work.result(PATIENCE).status) == (Status.SCHEDULED, Status.SCHEDULED)
        other = talks.say("turn on the kitchen light", talk=talk, consent=Consent.ALL).work.result(PATIENCE)
        assert other.status in (Status.DONE, Status.ANSWERED)
        talks.close()
        assert len(home.rules.rules()) == 2
