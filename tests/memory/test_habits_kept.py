"""What is counted of habits survives a restart: kept once a day, and the same as counting all anew."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from engine.graph.embedded import EmbeddedStore
from engine.graph.store import GraphStore
from engine.memory.kept import diary
from engine.memory.kept.habits import Circumstances, Episode, Habits
from tests.memory.household import days

TASKS = ("coffee", "desk lamp", "curtain", "radio")
START = datetime(2026, 3, 2, 7, tzinfo=UTC)
NOTES = st.sets(st.sampled_from(["guests", "ill"]))
ACTS = st.lists(
    st.tuples(
        st.integers(0, 20), st.integers(0, 900), st.sampled_from(TASKS), st.sets(st.sampled_from(["guests", "ill"]))
    ),
    max_size=20,
)


def _done(store: GraphStore, acts: list[tuple[int, int, str, set[str]]]) -> None:
    for number, (day, minute, task, notes) in enumerate(sorted(acts, key=lambda one: one[:3])):
        at = START + timedelta(days=day, minutes=minute)
        diary.record(store, "Robin", at, [task], f"urn:r:{number}", notes)


@given(acts=ACTS)
@example(acts=[(0, 0, "coffee", set()), (0, 0, "coffee", set()), (1, 0, "coffee", {"ill"})])
@example(acts=[(1, 0, "coffee", set()), (0, 0, "radio", {"ill"}), (0, 0, "radio", set())])
@hypothesis_settings(max_examples=8, deadline=None)
def test_what_is_kept_and_what_came_since_are_what_counting_anew_finds(
    acts: list[tuple[int, int, str, set[str]]],
) -> None:
    store = EmbeddedStore.open(None)
    _done(store, acts)
    diary.refresh(store)
    kept = diary.habits_of(store, "Robin")
    diary._drop_counts(store, "robin")
    diary.refresh(store)
    anew = diary.habits_of(store, "Robin")
    for day in (START, START + timedelta(days=5)):
        for notes in ([], ["guests"]):
            circumstances = Circumstances.on("Robin", day.date(), notes)
            assert kept.next(circumstances, []) == anew.next(circumstances, [])
            assert kept.anticipate(circumstances) == anew.anticipate(circumstances)
            assert kept.tasks("robin") == anew.tasks("robin")


def test_what_one_request_did_is_counted_anew_in_its_order() -> None:
    store = EmbeddedStore.open(None)
    tasks = [*TASKS[::-1], *(f"lamp {number}" for number in range(8))]
    diary.record(store, "Robin", START, tasks, "urn:r:1")
    diary._drop_counts(store, "robin")
    diary.refresh(store)
    assert diary.today(store, "Robin", START) == tasks


def test_counts_that_are_written_and_read_say_the_same() -> None:
    found = Habits()
    for _, episodes in days(30):
        found.learn(episodes)
    again = Habits.of(found.counts(60))
    for circumstances in {one.circumstances for _, several in days(30) for one in several}:
        assert again.anticipate(circumstances) == found.anticipate(circumstances)
        assert again.examples(circumstances, 2) == found.examples(circumstances, 2)


def test_a_restart_reads_what_was_counted_and_only_the_day_since(tmp_path: Path) -> None:
    with EmbeddedStore.open(tmp_path / "store") as store:
        _done(store, [(day, 0, "coffee", set()) for day in range(10)])
    with EmbeddedStore.open(tmp_path / "store") as store:
        counts, since = diary._kept_counts(store, "robin")
        assert since == (START + timedelta(days=9)).date()
        monday = Circumstances.on("Robin", START.date())
        assert counts.on_a_day("coffee", monday).days == 7  # the weekdays of nine days
        assert diary.habits_of(store, "Robin").on_a_day("coffee", monday).days == 8


def test_who_is_forgotten_has_no_counts_left() -> None:
    store = EmbeddedStore.open(None)
    _done(store, [(day, 0, "coffee", set()) for day in range(5)])
    diary.forget(store, "Robin")
    assert diary._kept_counts(store, "robin")[1] is None
    assert not diary.habits_of(store, "Robin").tasks("robin")
    _done(store, [(9, 0, "radio", set())])
    assert diary.habits_of(store, "Robin").tasks("robin") == ["radio"]


def test_an_episode_is_counted_on_its_own_day() -> None:
    habits = Habits()
    habits.learn(
        [Episode("coffee", START + timedelta(days=n), Circumstances.on("Robin", START.date())) for n in (0, 0, 1)]
    )
    assert habits.on_a_day("coffee", Circumstances.on("Robin", START.date())).days == 2
