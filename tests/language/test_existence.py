"""What there is in a home is asked for once, and anew when something has come or gone."""

from __future__ import annotations

import pytest

from engine.graph.terms import expand
from engine.language.existence import Row, existing
from tests.homes import a_home

ANYTHING, ANYWHERE = expand("hg:Anything"), expand("hg:Anywhere")
LIGHTS: Row = (expand("hg:TurnOn"), expand("hg:Light"), ANYTHING, ANYWHERE)
OVENS: Row = (expand("hg:TurnOn"), expand("hg:Oven"), ANYTHING, ANYWHERE)
NOTHING: Row = (expand("hg:TurnOn"), expand("hg:Light"), "urn:nothing", ANYWHERE)


def test_what_is_known_is_not_asked_again_until_the_home_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    with a_home() as home:
        asked: list[int] = []
        select = home.store.select

        def counted(query: str, **values: object) -> object:
            asked.append(len(values["reading_type_class_thing_place"]))  # type: ignore[arg-type]
            return select(query, **values)  # type: ignore[arg-type]

        monkeypatch.setattr(home.store, "select", counted)
        assert existing([LIGHTS, NOTHING, LIGHTS], home.store) == {LIGHTS}
        assert existing([NOTHING, LIGHTS, OVENS], home.store) == {LIGHTS, OVENS}
        assert existing([NOTHING, OVENS], home.store) == {OVENS}
        assert asked == [2, 1]
        monkeypatch.undo()
        oven = next(iri for iri, thing in home.registry.things.items() if expand("hg:Oven") in thing.classes)
        home.registry.remove(oven)
        assert existing([LIGHTS, OVENS], home.store) == {LIGHTS}
