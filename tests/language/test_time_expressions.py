"""What people say of time is found wherever it stands, in every reading that the words allow, without a clock."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.graph.embedded import EmbeddedStore
from engine.language.times.time_words import TimeWords, time_words
from engine.language.times.times import Duration, Length, Meaning, TimeItem, Until, times, united
from engine.language.words.tokens import tokenize
from engine.model.rule import After, Day, Daytime, Next, Part, Recurrence, Sky, Sun, Window

MORNING, EVENING, NIGHT = Part.MORNING, Part.EVENING, Part.NIGHT
TODAY, TOMORROW = Day(ahead=0), Day(ahead=1)
WORKING, WEEKEND = (0, 1, 2, 3, 4), (5, 6)


@pytest.fixture(scope="module")
def words() -> TimeWords:
    return time_words(EmbeddedStore.open(None))


def unsure(hour: int, minute: int = 0) -> Daytime:
    return Daytime(hour, minute, sure=False)


def again(*times: Daytime | Sun, **more: object) -> Recurrence:
    return Recurrence(times, **more)  # type: ignore[arg-type]


WHOLE: list[tuple[str, Meaning]] = [
    # what a clock shows
    ("half five", unsure(5, 30)),
    ("half past two", unsure(2, 30)),
    ("a quarter to nine", unsure(8, 45)),
    ("twenty past one", unsure(1, 20)),
    ("ten to one", unsure(12, 50)),
    ("eight fifteen", unsure(8, 15)),
    ("seven oh five", unsure(7, 5)),
    ("21:05", Daytime(21, 5)),
    ("07:10", Daytime(7, 10)),
    ("7:10", unsure(7, 10)),
    ("5.20am", Daytime(5, 20)),
    ("12 am", Daytime(0)),
    ("12 p.m.", Daytime(12)),
    ("eleven p m", Daytime(23)),
    ("at 17 hours", Daytime(17)),
    ("2130 hours", Daytime(21, 30)),
    ("four o'clock in the afternoon", Daytime(16)),
    ("a quarter past six of a morning", Daytime(6, 15)),
    ("on the stroke of three", unsure(3)),
    ("come nine o'clock sharp", unsure(9)),
    ("when the clock strikes twelve at night", Daytime(24)),
    ("at midday", Daytime(12)),
    ("ten minutes before midnight", Daytime(23, 50)),
    ("quarter past midnight", Daytime(0, 15)),
    # the sun
    ("at sundown", Sun(Sky.SUNSET)),
    ("twenty minutes after sunrise", Sun(Sky.SUNRISE, 1200.0)),
    ("an hour before dusk", Sun(Sky.DUSK, -3600.0)),
    ("whenever it gets dark", again(Sun(Sky.DUSK))),
    # single days
    ("tomorrow", TOMORROW),
    ("this afternoon", Next(None, TODAY, Part.AFTERNOON)),
    ("tonight at ten", Next(Daytime(22), TODAY, NIGHT)),
    ("half past eight this evening", Next(Daytime(20, 30), TODAY, EVENING)),
    ("tomorrow morning at quarter to six", Next(Daytime(5, 45), TOMORROW, MORNING)),
    ("at noon today", Next(Daytime(12), TODAY)),
    ("on Thursday at 16:00", Next(Daytime(16), Day(weekday=3))),
    ("friday week", Day(weekday=4, weeks=1)),
    ("the 5th of October at 9 am", Next(Daytime(9), Day(day=5, month=10))),
    ("March 2nd 2028", Day(day=2, month=3, year=2028)),
    ("2027-02-28", Day(day=28, month=2, year=2027)),
    ("in two days at 10 pm", Next(Daytime(22), Day(ahead=2))),
    # repetition
    ("every weekday", again(weekdays=WORKING)),
    ("tue to thu", again(weekdays=(1, 2, 3))),
    ("from Friday through Sunday", again(weekdays=(4, 5, 6))),
    ("Tuesdays, Thursdays and Saturdays", again(weekdays=(1, 3, 5))),
    ("at weekends", again(weekdays=WEEKEND)),
    ("every weekend day", again(weekdays=WEEKEND)),
    ("daily", again()),
    ("each and every night at half past eleven", again(Daytime(23, 30), part=NIGHT)),
    ("each morning at 5", again(Daytime(5), part=MORNING)),
    ("nine every evening", again(Daytime(21), part=EVENING)),
    ("every other Wednesday", again(weekdays=(2,), weeks=2)),
    ("every third day", again(days=3)),
    ("every weekday evening", again(weekdays=WORKING, part=EVENING)),
    ("sunday mornings", again(weekdays=(6,), part=MORNING)),
    ("6pm on mon, wed n fri", again(Daytime(18), weekdays=(0, 2, 4))),
    ("every day except Sunday", again(weekdays=(0, 1, 2, 3, 4, 5))),
    ("every day but not at weekends", again(weekdays=WORKING)),
    ("every quarter of an hour", again(period=900.0)),
    ("hourly", again(period=3600.0)),
    ("every two days", again(days=2)),
    ("the last Friday of every month", again(weekdays=(4,), ordinal=-1)),
    ("on the 15th of each month", again(monthdays=(15,))),
    ("every month on the last day", again(monthdays=(-1,))),
    ("every 24 December", again(months=(12,), monthdays=(24,))),
    ("every day at 7 am and at 7 pm", again(Daytime(7), Daytime(19))),
    # lengths
    ("three quarters of an hour", Length(2700.0)),
    ("an hour and a half", Length(5400.0)),
    ("two hours and ten minutes", Length(7800.0)),
    ("half an hour", Length(1800.0)),
    ("40 secs", Length(40.0)),
    ("ten whole minutes", Length(600.0)),
    ("for a quarter of an hour", Duration(900.0)),
    ("in half an hour", After(1800.0)),
    ("after 20 seconds", After(20.0)),
    ("in three hours' time", After(10800.0)),
    ("ten minutes from now", After(600.0)),
    ("give it five minutes", After(300.0)),
    # stretches of the day
    ("between 11 at night and 7 in the morning", Window(Daytime(23), Daytime(7))),
    ("from 9 pm to midnight", Window(Daytime(21), Daytime(24))),
    ("from eight till five in the morning", Window(Daytime(20), Daytime(5))),
    ("between ten and midnight of an evening", Window(Daytime(22), Daytime(24))),
    ("8pm til 6am", Window(Daytime(20), Daytime(6))),
    ("weekdays 9-5", Window(Daytime(9), Daytime(17), WORKING)),
    ("between sunset and eleven at night", Window(Sun(Sky.SUNSET), Daytime(23))),
    ("after dark", Window(Sun(Sky.SUNSET), Sun(Sky.SUNRISE))),
    ("overnight", Window(Daytime(22), Daytime(6))),
    ("after 10 pm", Window(Daytime(22), Daytime(24))),
    ("until half past ten tonight", Until(Next(Daytime(22, 30), TODAY, NIGHT))),
    ("till tomorrow morning", Until(Next(None, TOMORROW, MORNING))),
]


@pytest.mark.parametrize(("text", "meaning"), WHOLE, ids=[text for text, _ in WHOLE])
def test_an_expression_of_time_is_found_as_a_whole(text: str, meaning: Meaning, words: TimeWords) -> None:
    tokens = tokenize(text)
    found = [item.meaning for item in times(tokens, words) if (item.start, item.end) == (0, len(tokens))]
    assert meaning in found


def longest(text: str, words: TimeWords) -> list[str]:
    """The expressions that no longer one holds, as they were said."""
    tokens = tokenize(text)
    items = times(tokens, words)

    def inside(one: TimeItem, other: TimeItem) -> bool:
        return other.start <= one.start and one.end <= other.end and one.end - one.start < other.end - other.start

    kept = [one for one in items if not any(inside(one, other) for other in items)]
    return list(dict.fromkeys(" ".join(t.text for t in tokens[one.start : one.end]) for one in kept))


def test_expressions_are_found_in_the_midst_of_a_sentence(words: TimeWords) -> None:
    text = "on weekdays the blind opens at half six and the lamp goes off ten minutes later"
    assert longest(text, words) == ["on weekdays", "at half six", "ten minutes later"]


@pytest.mark.parametrize(
    "text",
    ["set the lamp to 7", "turn on the second light", "may I have three lights", "the last scene", "half the lamps"],
)
def test_what_is_no_time_is_not_taken_for_one(text: str, words: TimeWords) -> None:
    assert not [item for item in times(tokenize(text), words) if item.plain]


def test_a_number_that_may_be_a_level_is_an_hour_that_is_not_plain(words: TimeWords) -> None:
    (item,) = (i for i in times(tokenize("have the dimmer at 20"), words))
    assert (item.meaning, item.plain) == (Daytime(20), False)


def test_what_stands_apart_is_put_together() -> None:
    assert united([again(weekdays=WORKING), unsure(6, 45), MORNING]) == again(
        Daytime(6, 45), weekdays=WORKING, part=MORNING
    )
    assert united([unsure(11), Next(None, TODAY, NIGHT)]) == Next(Daytime(23), TODAY, NIGHT)


@pytest.mark.parametrize(
    "apart",
    [
        [again(weekdays=WORKING), again(weekdays=WEEKEND)],
        [unsure(6), unsure(7)],
        [TODAY, TOMORROW],
        [MORNING, EVENING, unsure(7)],
        [again(), TOMORROW],
    ],
)
def test_what_contradicts_itself_is_not_put_together(apart: list[Daytime | Day | Part | Recurrence]) -> None:
    assert united(apart) is None


@given(st.integers(0, 23), st.integers(0, 59))
def test_every_minute_of_the_day_is_read_as_it_is_shown(hour: int, minute: int) -> None:
    tokens = tokenize(f"at {hour:02}:{minute:02}")
    found = [i.meaning for i in times(tokens, time_words_once()) if i.end - i.start == len(tokens)]
    assert found in ([Daytime(hour, minute)], [Daytime(hour, minute, sure=hour > 12 or hour == 0 or hour < 10)])


_KEPT: dict[str, TimeWords] = {}


def time_words_once() -> TimeWords:
    if not _KEPT:
        _KEPT["words"] = time_words(EmbeddedStore.open(None))
    return _KEPT["words"]


@given(st.text(max_size=60))
def test_any_text_at_all_is_looked_through(text: str) -> None:
    tokens = tokenize(text)
    for item in times(tokens, time_words_once()):
        assert 0 <= item.start < item.end <= len(tokens)
