"""What there is in a home is asked for once, and anew when something has come or gone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.graph.terms import expand
from engine.hearthgraph import Hearthgraph
from engine.language.meanings.existence import Row, existing
from tests.homes import a_home

ANYTHING, ANYWHERE = expand("hg:Anything"), expand("hg:Anywhere")
LIGHTS: Row = (expand("hg:TurnOn"), expand("hg:Light"), ANYTHING, ANYWHERE)
OVENS: Row = (expand("hg:TurnOn"), expand("hg:Oven"), ANYTHING, ANYWHERE)
NOTHING: Row = (expand("hg:TurnOn"), expand("hg:Light"), "urn:nothing", ANYWHERE)


def test_what_is_known_is_not_asked_again_until_the_home_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    with a_home() as home:
        asked: list[dict[str, int]] = []
        select = home.store.select

        def counted(query: str, **values: object) -> object:
            asked.append({name: len(terms) for name, terms in values.items() if terms})  # type: ignore[arg-type]
            return select(query, **values)  # type: ignore[arg-type]

        monkeypatch.setattr(home.store, "select", counted)
        assert existing([LIGHTS, NOTHING, LIGHTS], home.store) == {LIGHTS}
        assert existing([NOTHING, LIGHTS, OVENS], home.store) == {LIGHTS, OVENS}
        assert existing([NOTHING, OVENS], home.store) == {OVENS}
        assert asked == [{"type": 1, "class": 1, "thing": 1}, {"class": 1}]
        monkeypatch.undo()
        oven = next(iri for iri, thing in home.registry.things.items() if expand("hg:Oven") in thing.classes)
        home.registry.remove(oven)
        assert existing([LIGHTS, OVENS], home.store) == {LIGHTS}


def test_a_part_has_to_be_what_every_term_of_a_row_says() -> None:
    with a_home() as home:
        registry = home.registry
        for prop in registry.properties.values():
            place = registry.thing_of[prop.iri].place or ANYWHERE
            others = [other for other in registry.places if other not in (place, *_above(place, home))]
            for cls in registry.parts[prop.part].classes:
                here = {(kind, cls, prop.part, place) for kind in prop.kinds}
                elsewhere = {(kind, cls, prop.part, other) for kind in prop.kinds for other in others}
                assert existing(here | elsewhere, home.store) == here


def _above(place: str, home: Hearthgraph) -> Iterator[str]:
    known = home.registry.places.get(place)
    if known is not None and known.parent is not None:
        yield known.parent
        yield from _above(known.parent, home)
