"""How far two things lie apart, whatever stands between them; how many are so, whichever way that is said."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.model.outcome import Outcome, Status
from tests.dialogue.talks import BEGAN, Talk
from tests.dialogue.test_signs_and_denials import HOMES
from tests.homes import several

APART = [
    "how big is the gap in brightness between the {0} in the {1} and the {2} in the {3}?",
    "The {0} in the {1}, the {2} in the {3}. How far apart in brightness?",
    "The {0} in the {1} versus the {2} in the {3}: difference in brightness?",
    "By how many percent do the {0} in the {1} and the {2} in the {3} differ in brightness?",
    "Compare the {0} in the {1} with the {2} in the {3} and tell me by how much their brightness differs.",
]
ALIKE = [
    ("how many fans are on?", "fans running at the moment: how many?"),
    ("how many fans are on?", "how many fans running?"),
    ("how many fans are swinging?", "how many fans swinging just now?"),
    ("how many fans are at high speed?", "how many fans have their speed on high?"),
]


@pytest.fixture(scope="module")
def homes() -> Iterator[dict[str, Talk]]:
    with several({name: HOMES[name] for name in ("cape", "castle", "farm", "boat")}, now=BEGAN) as engines:
        yield {name: Talk(engine, "") for name, engine in engines.items()}


def _lamps(talk: Talk, of: str = "#Brightness") -> list[tuple[str, str, float]]:
    """Lamps with a name of their own and a property: the name, the room, how bright or white they are."""
    registry, state = talk.engine.registry, talk.engine.state
    titles = [thing.title for thing in registry.things.values()]
    found = []
    for iri, prop in registry.properties.items():
        thing = registry.thing_of[iri]
        place = registry.places.get(thing.place or "")
        bright = any(kind.endswith(of) for kind in prop.kinds) and state.get(iri) is not None
        lamp = any(cls.endswith(("Light", "Lamp")) for cls in thing.classes)
        if bright and lamp and place is not None and titles.count(thing.title) == 1 and thing.title.isascii():
            found.append((thing.title, place.name, float(str(state[iri]))))
    return sorted(found)


@pytest.mark.parametrize("home", ["cape", "castle", "farm", "boat"])
@pytest.mark.parametrize("text", APART)
def test_the_difference_of_two_is_told_and_nothing_is_done(homes: dict[str, Talk], home: str, text: str) -> None:
    talk = homes[home]
    talk.begin()
    lamps = _lamps(talk)
    first = lamps[0]
    other = next(one for one in lamps if one[1] != first[1])
    outcome = talk.ask(text.format(*first[:2], *other[:2]))
    assert not talk.changed()
    assert outcome.answer is not None, outcome.reply
    assert outcome.answer.value == abs(first[2] - other[2]), outcome.reply


@pytest.mark.parametrize("home", ["cape", "castle", "farm", "boat"])
@pytest.mark.parametrize("text", ["at how many kelvin is the {} in the {}?", "how many kelvin is the {} in the {} at?"])
def test_a_unit_names_its_property(homes: dict[str, Talk], home: str, text: str) -> None:
    talk = homes[home]
    talk.begin()
    name, room, kelvin = next(iter(_lamps(talk, "#ColourTemperature")))
    answer = talk.ask(text.format(name, room)).answer
    assert answer is not None
    assert answer.value == kelvin


def _counted(outcome: Outcome) -> object:
    return outcome.answer.value if outcome.status is Status.ANSWERED and outcome.answer is not None else None


@pytest.mark.parametrize("home", ["cape", "castle", "farm"])
@pytest.mark.parametrize(("plain", "otherwise"), ALIKE)
def test_as_many_are_so_whichever_way_it_is_asked(
    homes: dict[str, Talk], home: str, plain: str, otherwise: str
) -> None:
    talk = homes[home]
    talk.begin()
    assert _counted(talk.ask(otherwise)) in (_counted(talk.ask(plain)), None)


@pytest.mark.parametrize("home", ["cape", "castle"])
@pytest.mark.parametrize("text", ["pause the speakers playing", "switch off the fans running"])
def test_those_that_do_something_are_not_told_to_do_it(homes: dict[str, Talk], home: str, text: str) -> None:
    talk = homes[home]
    talk.begin()
    talk.engine.ask(text, consent=True)
    assert not {value for value in talk.changed().values() if value in ("playing", "on", True)}
