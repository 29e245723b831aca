"""Plain sentences of one clause or two, as many people say them: levels, denials, questions, times, all other rooms,
and orders that are taken back. Each in four homes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from engine.graph.terms import expand
from engine.model.outcome import Outcome, Status
from tests.dialogue.talks import FOUR_HOMES, Talk
from tests.homes import a_home

POWER, BRIGHTNESS, LIGHT = (expand(f"hg:{name}") for name in ("Power", "Brightness", "Light"))


@dataclass(frozen=True)
class Lamp:
    """A light of one part that nothing else in the home is called like."""

    name: str
    room: str
    power: str
    brightness: str


@pytest.fixture(scope="module", params=FOUR_HOMES)
def home(request: pytest.FixtureRequest) -> Iterator[Talk]:
    with a_home(FOUR_HOMES[request.param]) as engine:
        yield Talk(engine, "")


def _lamps(talk: Talk) -> list[Lamp]:
    """Lamps that can be dimmed, each in a room of its own that has no room within."""
    registry = talk.engine.registry
    titles = [thing.title for thing in registry.things.values()]
    hosts = {place.parent for place in registry.places.values()}
    found: dict[str, Lamp] = {}
    for thing in registry.things.values():
        kinds = {kind: p.iri for p in thing.properties for kind in p.kinds}
        light = any(registry.vocabulary.is_a(own, LIGHT) for own in thing.parts[0].every_class)
        alone = titles.count(thing.title) == 1 and len(thing.parts) == 1
        place = registry.places.get(thing.place or "")
        if light and alone and place is not None and {POWER, BRIGHTNESS} <= kinds.keys() and place.iri not in hosts:
            found.setdefault(place.iri, Lamp(thing.title, place.name, kinds[POWER], kinds[BRIGHTNESS]))
    return list(found.values())


def _lit(talk: Talk) -> tuple[Lamp, Lamp]:
    """Two lamps in two rooms; all lights are on, and at 40."""
    talk.begin()
    registry = talk.engine.registry
    for thing in registry.things.values():
        for p in thing.properties:
            if POWER in p.kinds and "on" in (p.schema.enum or ()):
                talk.engine.state.write({p.iri: "on"})
            elif BRIGHTNESS in p.kinds:
                talk.engine.state.write({p.iri: 40})
    first, second, *_ = _lamps(talk)
    return first, second


def _powers(talk: Talk) -> dict[str, object]:
    """The power of all lights, by property."""
    return {iri: talk.engine.state.get(iri) for iri in talk.of_class(POWER, LIGHT)}


def _said(talk: Talk, text: str, **options: str) -> tuple[Outcome, set[str]]:
    """What comes of a text, and the lights that it put on or out."""
    before = _powers(talk)
    outcome = talk.ask(text, **options)
    after = _powers(talk)
    return outcome, {iri for iri, value in after.items() if value != before[iri]}


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("raise the {lamp} to a brightness of 80", 80),
        ("increase the {lamp} to a level of 80", 80),
        ("reduce the {lamp} to a brightness of 15", 15),
        ("the {lamp} is to be lowered to a brightness of 15", 15),
        ("bring the {lamp} up to a comfortable 80", 80),
        ("Fifteen is plenty for the {lamp}, turn it down.", 15),
        ("lower the brightness of the {lamp} by 15", 25),
    ],
)
def test_a_number_that_something_comes_to_is_no_step(home: Talk, text: str, level: int) -> None:
    lamp, _ = _lit(home)
    outcome, _ = _said(home, text.format(lamp=lamp.name))
    assert outcome.status is Status.DONE, outcome.reply
    assert home.engine.state.get(lamp.brightness) == level


@pytest.mark.parametrize(
    "text",
    [
        "My wife needs the {lamp}, so please don't switch it off.",
        "It would be a mistake to switch off the {lamp}, so please don't.",
        "Turn the {lamp} off? No, don't do that.",
        "Don't even think about switching the {lamp} off.",
        "Better not to touch the {lamp}.",
        "Hands off the {lamp} in the {room}, mate.",
        "The {lamp} is not to be interfered with.",
        "Under no circumstances should the {lamp} be turned off.",
    ],
)
def test_what_is_denied_is_not_done(home: Talk, text: str) -> None:
    lamp, _ = _lit(home)
    outcome, changed = _said(home, text.format(lamp=lamp.name, room=lamp.room))
    assert changed == set(), outcome.reply
    assert home.engine.state.get(lamp.brightness) == 40


@pytest.mark.parametrize(
    "text",
    [
        "would the {lamp} be off right now?",
        "could it be that the {lamp} is off right now?",
        "am I right in thinking that the {lamp} is off?",
        "look up the brightness of the {lamp}",
        "find out the brightness of the {lamp} for me, will you",
        "query the brightness of the {lamp}",
        "current brightness of the {lamp}",
    ],
)
def test_what_only_asks_does_nothing(home: Talk, text: str) -> None:
    lamp, _ = _lit(home)
    outcome, changed = _said(home, text.format(lamp=lamp.name))
    assert outcome.status is not Status.DONE, outcome.reply
    assert (changed, home.engine.state.get(lamp.brightness)) == (set(), 40)


@pytest.mark.parametrize(
    "text",
    [
        "tell me what the brightness of the {lamp} is",
        "I was wondering what the brightness of the {lamp} is",
        "say what the brightness of the {lamp} is",
        "any idea what the brightness of the {lamp} is?",
        "current brightness of the {lamp}",
    ],
)
def test_a_question_within_a_sentence_is_answered(home: Talk, text: str) -> None:
    lamp, _ = _lit(home)
    outcome, _ = _said(home, text.format(lamp=lamp.name))
    assert outcome.status is Status.ANSWERED
    assert "40" in outcome.reply


@pytest.mark.parametrize(
    "text",
    [
        "Forty-five minutes, then turn off the {lamp}.",
        "turn off the {lamp} at that time",
        "I'm heading out at seven tomorrow morning, so switch the {lamp} off at that time.",
        "Delay switching off the {lamp} by twenty minutes.",
        "New rule: back door opens, {lamp} off.",
    ],
)
def test_what_is_for_later_is_not_done_at_once(home: Talk, text: str) -> None:
    lamp, _ = _lit(home)
    outcome, changed = _said(home, text.format(lamp=lamp.name))
    assert changed == set(), outcome.reply


@pytest.mark.parametrize(
    "text",
    [
        "we're all in the {room}, so turn the lights off everywhere else",
        "I'm staying in the {room}, can you turn off all the lights in the other rooms",
        "the only room we're using is the {room}, so turn off all the lights everywhere else",
    ],
)
def test_everywhere_else_is_all_but_the_rooms_that_are_spoken_of(home: Talk, text: str) -> None:
    lamp, other = _lit(home)
    outcome, changed = _said(home, text.format(room=lamp.room))
    assert outcome.status is Status.DONE, outcome.reply
    assert other.power in changed
    assert lamp.power not in changed


def test_everywhere_else_than_nowhere_is_not_understood(home: Talk) -> None:
    _lit(home)
    outcome, changed = _said(home, "turn off the lights everywhere else")
    assert changed == set(), outcome.reply


@pytest.mark.parametrize(
    "text",
    [
        "turn off the {other}, no wait, turn off the {lamp}",
        "turn off the {other}, sorry, no, turn off the {lamp}",
        "turn off the {other}, scrap that, turn off the {lamp}",
        "Please turn off the {other}, wait, I said that wrong, please turn off the {lamp} instead.",
        "Switch off the {other}, I beg your pardon, switch off the {lamp}.",
    ],
)
def test_an_order_that_is_taken_back_is_not_carried_out(home: Talk, text: str) -> None:
    lamp, other = _lit(home)
    outcome, changed = _said(home, text.format(lamp=lamp.name, other=other.name))
    assert changed == {lamp.power}, outcome.reply


def test_two_orders_are_both_carried_out(home: Talk) -> None:
    lamp, other = _lit(home)
    outcome, changed = _said(home, f"turn off the {other.name}, and turn off the {lamp.name}, sorry to bother you")
    assert changed in ({lamp.power, other.power}, set()), outcome.reply


@pytest.mark.parametrize(
    "text",
    [
        "to save power, turn off the {lamp} in the {room}",
        "why don't you turn the {lamp} off for me",
        "be so good as to put the {lamp} off",
        "I'd be grateful if the {lamp} was turned off",
        "you'd be a star if you switched off the {lamp}",
        "it's about time the {lamp} was off, do that please",
        "would you mind turning off the {lamp}",
        "I want you to turn off the {lamp}",
        "I'd ask you to turn off the {lamp}",
        "be so kind as to turn the {lamp} off",
        "I need the {lamp} to go off",
        "how about turning off the {lamp}",
    ],
)
def test_a_request_in_many_words_is_one(home: Talk, text: str) -> None:
    lamp, _ = _lit(home)
    outcome, changed = _said(home, text.format(lamp=lamp.name, room=lamp.room))
    assert changed == {lamp.power}, outcome.reply


def test_the_volume_is_not_turned_on(home: Talk) -> None:
    home.begin()
    before = dict(home.engine.state)
    home.ask("turn down the volume on 2 speakers")
    powers = {p.iri for t in home.engine.registry.things.values() for p in t.properties if POWER in p.kinds}
    assert {iri for iri in powers if home.engine.state.get(iri) != before.get(iri)} == set()


@pytest.mark.parametrize(
    "text",
    [
        "play some Coltrane in the {room} and turn off the {lamp}",
        "turn off the {lamp}, play some Coltrane",
        "could you play some Coltrane and switch the {lamp} off",
    ],
)
def test_an_order_that_nothing_can_do_is_named(home: Talk, text: str) -> None:
    lamp, _ = _lit(home)
    outcome = home.engine.ask(text.format(lamp=lamp.name, room=lamp.room), consent=True)
    playing = any(change.after == "coltrane" for change in outcome.changes)
    assert not outcome.changes or playing or outcome.status is Status.PARTIAL, outcome.reply


@pytest.mark.parametrize(
    "text",
    [
        "turn off the {lamp} while switching off the {other}",
        "both at once please, the {lamp} off and the {other} off",
        "you'd do me a favour if you turned off the {lamp} and the {other}",
        "it would make my day if the {lamp} and the {other} were off",
        "I'd be over the moon if you could switch off the {other} and the {lamp}",
    ],
)
def test_orders_that_wait_for_nothing_are_done_now(home: Talk, text: str) -> None:
    lamp, other = _lit(home)
    outcome, changed = _said(home, text.format(lamp=lamp.name, other=other.name))
    assert changed == {lamp.power, other.power}, outcome.reply


@pytest.mark.parametrize(
    "text", ["it would be dark if you turned off the {lamp}", "I'd be sad if you put the {lamp} off"]
)
def test_a_supposition_does_nothing(home: Talk, text: str) -> None:
    lamp, _ = _lit(home)
    outcome, changed = _said(home, text.format(lamp=lamp.name))
    assert not changed, outcome.reply
    assert outcome.status is not Status.SCHEDULED


@pytest.mark.parametrize(
    "text", ["take 10% more off", "a further ten percent off it, please", "ten percent more off it"]
)
def test_more_that_is_taken_off_is_less(home: Talk, text: str) -> None:
    lamp, _ = _lit(home)
    home.ask(f"dim the {lamp.name} by 10 percent", conversation=text)
    before = float(str(home.engine.state.get(lamp.brightness)))
    outcome = home.ask(text, conversation=text)
    assert home.engine.state.get(lamp.brightness) == max(1, before - 10), outcome.reply


@pytest.mark.parametrize("text", ["set it to 30 percent", "take 10 percent off it", "ten percent more please"])
def test_a_share_of_nothing_that_was_spoken_of_is_asked_about(home: Talk, text: str) -> None:
    _lit(home)
    outcome = home.engine.ask(text, conversation=text)
    assert outcome.status is Status.CLARIFY, outcome.reply


@pytest.mark.parametrize(
    "text",
    [
        "turn them off",
        "both off",
        "two of them off please",
        "all of them off",
        "each of them off",
        "switch the pair of them off",
        "those at 20 percent",
        "switch all of these off",
    ],
)
def test_things_that_nobody_spoke_of_are_asked_about(home: Talk, text: str) -> None:
    _lit(home)
    outcome = home.engine.ask(text, consent=True, conversation=text)
    assert outcome.status in (Status.CLARIFY, Status.PROPOSED), outcome.reply


@pytest.mark.parametrize("text", ["and the {room}", "{room} please", "and in the {room}", "what about the {room}"])
def test_a_room_alone_is_no_wish(home: Talk, text: str) -> None:
    lamp, _ = _lit(home)
    outcome = home.engine.ask(text.format(room=lamp.room), consent=True, conversation=text)
    assert not outcome.changes, outcome.reply


def test_those_that_were_spoken_of_are_meant(home: Talk) -> None:
    lamp, other = _lit(home)
    home.ask(f"set the {lamp.name} and the {other.name} to 30 percent", conversation="those")
    outcome, changed = _said(home, "both of them off", conversation="those")
    assert changed == {lamp.power, other.power}, outcome.reply


@pytest.mark.parametrize(
    "text",
    [
        "I always turn off the {lamp}",
        "I can't turn off the {lamp}",
        "we usually switch the {lamp} off",
        "I love turning off the {lamp}",
        "let me turn off the {lamp}",
        "let him turn the {lamp} off",
        "I'd better turn off the {lamp}",
        "all I did was turn off the {lamp}",
        "the sensor turns the {lamp} off",
        "the idea of turning off the {lamp} scares me",
        "the doctor told me to turn off the {lamp}",
        "it's hard to turn off the {lamp}",
        "sorry for turning off the {lamp}",
        "after turning off the {lamp} I went to bed",
        "instead of turning off the {lamp} he broke it",
        "having turned off the {lamp}, we left",
        "could somebody have turned off the {lamp}?",
        "turn off the {lamp}? No.",
        "pretend to turn off the {lamp}",
        "how do I turn off the {lamp}?",
        "should I turn off the {lamp}?",
        "does turning off the {lamp} save money?",
    ],
)
def test_a_statement_is_no_order(home: Talk, text: str) -> None:
    lamp, _ = _lit(home)
    outcome = home.engine.ask(text.format(lamp=lamp.name), consent=True, conversation=text)
    assert not outcome.changes, outcome.reply


@pytest.mark.parametrize(
    "text", ["lights on at eighty or over, off", "in this home no light should be on, please off each and every one"]
)
def test_off_puts_nothing_on(home: Talk, text: str) -> None:
    _lit(home)
    _, changed = _said(home, text)
    assert not [iri for iri in changed if home.engine.state.get(iri) == "on"]


@pytest.mark.parametrize("text", ["do the lights work?", "do the lights work", "do all the lights work?"])
def test_a_question_that_a_verb_ends_does_nothing(home: Talk, text: str) -> None:
    _lit(home)
    outcome, changed = _said(home, text)
    assert outcome.status is Status.ANSWERED, outcome.reply
    assert not changed


@pytest.mark.parametrize("text", ["brighten my day", "light up my life", "raise the bar", "dim the prospects"])
def test_what_is_strange_is_not_brightened(home: Talk, text: str) -> None:
    _lit(home)
    outcome, changed = _said(home, text)
    assert outcome.status in (Status.CLARIFY, Status.REFUSED), outcome.reply
    assert not changed


def test_two_things_told_how_they_are_to_be(home: Talk) -> None:
    first, second = _lit(home)
    outcome, _ = _said(home, f"{first.name} off and {second.name} at 70 percent")
    assert home.engine.state.get(first.power) == "off", outcome.reply
    assert home.engine.state.get(second.brightness) == 70, outcome.reply


@pytest.mark.parametrize(
    "text",
    [
        "it was the {other} I meant",
        "the {other} is the one I meant",
        "it was the {other} I meant, so the {lamp} comes back on",
        "my mistake, it was the {other} I had in mind, so the {lamp} should be back on",
        "sorry, meant the {other}, turn the {lamp} back on",
    ],
)
def test_who_meant_another_has_the_first_as_it_was(home: Talk, text: str) -> None:
    lamp, other = _lit(home)
    outcome, _ = _said(home, f"turn off the {lamp.name}", conversation=text)
    assert home.engine.state.get(lamp.power) == "off", outcome.reply
    outcome, _ = _said(home, text.format(lamp=lamp.name, other=other.name), conversation=text)
    assert home.engine.state.get(lamp.power) == "on", outcome.reply
    assert home.engine.state.get(other.power) == "off", outcome.reply


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("bring the {lamp} down by ten percent more", 30),
        ("bring the {lamp} up by ten percent more", 50),
        ("the {lamp} ten percent more down", 30),
        ("a deduction of 10 percent is to be made from the {lamp}", 30),
        ("dial the {lamp} back ten percent", 30),
        ("take the {lamp} back by ten percent", 30),
        ("knock the {lamp} back ten percent", 30),
        ("turn the {lamp} back up by ten percent", 50),
        ("put the {lamp} back to ten percent", 10),
    ],
)
def test_a_change_goes_the_way_that_is_said(home: Talk, text: str, level: int) -> None:
    lamp, _ = _lit(home)
    outcome, _ = _said(home, text.format(lamp=lamp.name))
    assert home.engine.state.get(lamp.brightness) == level, outcome.reply


@pytest.mark.parametrize("text", ["the {room} lights, turn them off", "the {room} lights, put them all out"])
def test_lights_that_are_named_first_are_no_event(home: Talk, text: str) -> None:
    lamp, other = _lit(home)
    outcome, out = _said(home, text.format(room=lamp.room))
    assert lamp.power in out, outcome.reply
    assert other.power not in out, outcome.reply


@pytest.mark.parametrize(
    "text",
    [
        "in the rooms where it's wobbly, turn off the lights",
        "in rooms with a frobnicator, lights off",
        "lights off in those rooms",
    ],
)
def test_words_that_tell_which_rooms_are_not_passed_over(home: Talk, text: str) -> None:
    _lit(home)
    outcome, out = _said(home, text)
    assert not out, outcome.reply


def test_rooms_that_are_not_the_one_are_all_others(home: Talk) -> None:
    lamp, other = _lit(home)
    outcome, out = _said(home, f"turn off the lights in all the rooms that aren't the {lamp.room}")
    assert lamp.power not in out, outcome.reply
    assert other.power in out, outcome.reply


@pytest.mark.parametrize(
    ("text", "on"),
    [
        ("first-mentioned of the two, back on", "first"),
        ("turn the second of them back on", "second"),
        ("wait, the first of those two should be on", "first"),
        ("wait, the {other} on", "second"),
        ("bring back the first one", "first"),
    ],
)
def test_of_two_that_were_put_out_one_is_on_again(home: Talk, text: str, on: str) -> None:
    lamp, other = _lit(home)
    _said(home, f"turn off the {lamp.name} and the {other.name}", conversation=text)
    outcome, _ = _said(home, text.format(other=other.name), conversation=text)
    wanted = {"first": ["on", "off"], "second": ["off", "on"]}[on]
    assert [home.engine.state.get(one.power) for one in (lamp, other)] == wanted, outcome.reply


def test_a_polite_if_is_no_condition(home: Talk) -> None:
    lamp, other = _lit(home)
    outcome, out = _said(home, f"if you'd turn the {lamp.name} off and put the {other.name} out")
    assert out == {lamp.power, other.power}, outcome.reply


def test_darkness_is_no_hour(home: Talk) -> None:
    lamp, _ = _lit(home)
    outcome, _ = _said(home, f"darkness over the {lamp.room}, every lamp of it")
    assert outcome.status is not Status.SCHEDULED, outcome.reply


def _in_a_kind_of_room(talk: Talk) -> tuple[str, Lamp]:
    """A lamp in the only room whose name ends with a word for a kind of room, and that word: "wash cellar"."""
    names = [place.name.split() for place in talk.engine.registry.places.values()]
    for lamp in _lamps(talk):
        word = lamp.room.split()[-1]
        if word in ("balcony", "kitchen", "porch", "cellar", "deck") and sum(word in name for name in names) == 1:
            return word, lamp
    raise LookupError("no such room")


@pytest.mark.parametrize(
    "text",
    [
        "turn off all the lights. Not the {room}.",
        "turn off all the lights. Not the {room}, leave that.",
        "turn off all the lights. {room} only is exempted.",
        "turn off all the lights. The {room}'s out of bounds, don't touch it.",
        "turn off all the lights. Exclusion: the {room}.",
        "turn off all the lights. The {room} you don't touch.",
        "the {room} is exempt from this. Turn off all the lights.",
    ],
)
def test_a_room_that_is_left_out_by_its_kind_is_left_out(home: Talk, text: str) -> None:
    _lit(home)
    room, lamp = _in_a_kind_of_room(home)
    outcome, out = _said(home, text.format(room=room))
    assert out, outcome.reply
    assert lamp.power not in out, outcome.reply


@pytest.mark.parametrize("text", ["switch any lights off", "any lights off please", "turn off any light"])
def test_any_of_several_is_each_of_them(home: Talk, text: str) -> None:
    _lit(home)
    outcome, _ = _said(home, text)
    assert "on" not in _powers(home).values(), outcome.reply


@pytest.mark.parametrize(
    "text",
    [
        "turn off the, not the {room} one, the {name}",
        "turn off the, no not the {room} one, the {name}",
        "kill the, not the {room}! The {name}",
        "turn the light off in the, not the {room}, the {of}",
    ],
)
def test_an_order_that_breaks_off_is_for_what_follows(home: Talk, text: str) -> None:
    lamp, other = _lit(home)
    outcome, out = _said(home, text.format(room=lamp.room, name=other.name, of=other.room))
    assert lamp.power not in out, outcome.reply
    assert other.power in out or outcome.status in (Status.CLARIFY, Status.PROPOSED), outcome.reply


@pytest.mark.parametrize("loudest", ["SmartScreen", "Speaker"])
@pytest.mark.parametrize(
    "text",
    [
        "out of the screen and the speakers, please mute the one which is loudest",
        "between the screens and the speakers, whichever of them is loudest, mute it",
    ],
)
def test_the_one_of_several_kinds_is_one(home: Talk, text: str, loudest: str) -> None:
    home.begin()
    kinds = {cls: home.of_class(expand("hg:Volume"), expand(f"hg:{cls}")) for cls in ("SmartScreen", "Speaker")}
    volumes = [iri for of in kinds.values() for iri in of]
    muted = home.of_class(expand("hg:Muted"), expand("hg:MediaPlayer"))
    home.engine.state.write({**dict.fromkeys(volumes, 10), **dict.fromkeys(muted, False)})
    loud, (part, _) = next(iter(kinds[loudest].items()))
    home.engine.state.write({loud: 60})
    outcome = home.ask(text)
    assert [of[0] for iri, of in muted.items() if home.engine.state.get(iri)] == [part], outcome.reply
