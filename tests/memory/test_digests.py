"""Digests of what people did are kept up to date act by act, and say what counting anew would say."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dialogue.people.profile import profile
from engine.graph.embedded import EmbeddedStore
from engine.graph.store import GraphStore
from engine.graph.terms import MEMORY, Literal
from engine.memory.kept import diary, digests
from tests.memory.playing import playing

START = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
acts = st.lists(
    st.tuples(
        st.sampled_from(["Robin", "Kim"]),
        st.integers(0, 40),
        st.lists(st.sampled_from(["lamp on", "lamp off", "bedtime"]), min_size=1, max_size=3),
    ),
    max_size=12,
)


def recorded(store: GraphStore, several: Sequence[tuple[str, int, list[str]]]) -> None:
    at = START
    for number, (user, hours, tasks) in enumerate(several):
        at += timedelta(hours=hours)
        diary.record(store, user, at, tasks, f"urn:r:{number}")


def by_counting(store: GraphStore, user: str) -> set[tuple[str, ...]]:
    rows = store.select("memory/count", user=Literal(user.casefold()))
    return {tuple(term.value for term in row if term is not None) for row in rows}


def as_kept(store: GraphStore, user: str) -> set[tuple[str, ...]]:
    rows = store.select("memory/digest", user=Literal(user.casefold()))
    return {tuple(term.value for term in row if term is not None) for row in rows}


@given(acts)
@settings(deadline=None, max_examples=40)
def test_what_is_kept_is_what_counting_anew_finds(several: list[tuple[str, int, list[str]]]) -> None:
    store = EmbeddedStore.open(None)
    recorded(store, several)
    for user in ("Robin", "Kim"):
        assert as_kept(store, user) == by_counting(store, user)


@given(acts, st.integers(0, 11))
@settings(deadline=None, max_examples=40)
def test_what_is_handed_over_leaves_one_digest_and_enters_the_other(
    several: list[tuple[str, int, list[str]]], which: int
) -> None:
    store = EmbeddedStore.open(None)
    recorded(store, several)
    if which < len(several):
        user = several[which][0]
        diary.hand_over(store, f"urn:r:{which}", user, "Kim" if user == "Robin" else "Robin")
    for user in ("Robin", "Kim"):
        assert as_kept(store, user) == by_counting(store, user)


def test_a_day_has_a_digest_of_its_own(fresh_store: GraphStore) -> None:
    recorded(fresh_store, [("Robin", 0, ["lamp on", "bedtime"]), ("Robin", 2, ["lamp on"]), ("Robin", 24, ["bedtime"])])
    lines = digests.of_day(fresh_store, "Robin", START.date())
    assert [(one.task, one.times, one.days) for one in lines] == [("lamp on", 2, 1), ("bedtime", 1, 1)]
    assert list(digests.of_days(fresh_store, "robin", START.date() + timedelta(days=3), 7)) == [
        START.date() + timedelta(days=1),
        START.date(),
    ]
    assert digests.of_day(fresh_store, "Kim", START.date()) == ()


def test_what_was_done_before_there_were_digests_is_counted_once(fresh_store: GraphStore) -> None:
    recorded(fresh_store, [("Robin", 0, ["lamp on"]), ("Robin", 24, ["lamp on"])])
    kept = digests.of_all(fresh_store, "Robin")
    lines = {row[0] for row in fresh_store.select("memory/traces", user=Literal("robin")) if row[0] is not None}
    fresh_store.write(
        delete=[q for q in fresh_store.graph(MEMORY) if q.subject in lines and "digest" in str(q.subject)]
    )
    diary.refresh(fresh_store)
    assert not as_kept(fresh_store, "Robin")
    assert digests.of_all(fresh_store, "Robin") == kept
    recorded(fresh_store, [("Robin", 72, ["lamp on"])])
    assert as_kept(fresh_store, "Robin") == by_counting(fresh_store, "Robin")


def test_a_profile_has_the_days_and_forgetting_leaves_nothing_of_them() -> None:
    with playing("house") as played:
        played.say("turn on the {light}")
        played.say("set the {lamp} to 40")
        known = profile(played.home.store, "Robin", played.home.clock.now().date())
        assert [len(day["digest"]) for day in known["days"]] == [2]
        assert len(known["digest"]) == 2
        played.say("forget everything about me")
        left = profile(played.home.store, "Robin", played.home.clock.now().date())
        assert (left["facts"], left["digest"], left["days"]) == ([], [], [])
        assert "robin" not in " ".join(map(str, played.home.store.graph(MEMORY))).casefold()
