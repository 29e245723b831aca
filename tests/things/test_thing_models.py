"""A Thing Model becomes things: placeholders filled in, models that it extends, refers to and is made of taken in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine.cli.main import main
from engine.errors import HearthgraphError, InputError, ThingRefused
from engine.hearthgraph import Hearthgraph
from engine.things.description import jsonld
from engine.things.description.filling import filled
from tests.things.documents import TD_1_1, need_w3c

Document = dict[str, Any]
SECURE = {"security": "open", "securityDefinitions": {"open": {"scheme": "nosec"}}}


def model(**members: Any) -> Document:
    return {"@context": TD_1_1, "@type": "tm:ThingModel", "title": "Lamp", **SECURE, **members}


def on(href: str = "http://lamp.example/on") -> Document:
    return {"properties": {"on": {"type": "boolean", "forms": [{"href": href}]}}}


def keep(folder: Path, **files: Any) -> Path:
    """Files of JSON in a folder, `lamp` as lamp.tm.jsonld; the path of the first."""
    paths = [folder / f"{name}.tm.jsonld" for name in files]
    for path, content in zip(paths, files.values(), strict=True):
        path.write_text(json.dumps(content), encoding="utf-8")
    return paths[0]


def made(folder: Path, document: Document, filling: Any, **others: Any) -> list[Document]:
    lamp = keep(folder, lamp=document, **others)
    (folder / "fill.json").write_text(json.dumps(filling), encoding="utf-8")
    return filled(lamp, folder / "fill.json")


def why(folder: Path, document: Document, filling: Any, **others: Any) -> str:
    with pytest.raises(HearthgraphError) as caught:
        made(folder, document, filling, **others)
    return f"{caught.value.message} {caught.value.remedy}"


def test_placeholders_become_values_of_their_types_and_parts_of_texts(tmp_path: Path) -> None:
    level = {"type": "integer", "maximum": "{{MOST}}", "forms": [{"href": "{{HOST}}/level"}]}
    document = model(title="Lamp {{NO}} of {{ROOM}}", base="http://{{HOST}}/", properties={"level": level})
    [lamp] = made(tmp_path, document, {"NO": 2, "ROOM": "the hall", "MOST": 254, "HOST": "10.0.0.7"})
    assert lamp["title"] == "Lamp 2 of the hall"
    assert lamp["base"] == "http://10.0.0.7/"
    assert lamp["properties"]["level"] == {"type": "integer", "maximum": 254, "forms": [{"href": "10.0.0.7/level"}]}
    assert lamp["id"] == "https://w3id.org/hearthgraph/home/lamp"
    assert "@type" not in lamp


def test_a_placeholder_that_is_not_filled_is_named(tmp_path: Path) -> None:
    assert "$.base has the placeholder {{HOST}}" in why(tmp_path, model(base="http://{{HOST}}/", **on()), {})


def test_a_placeholder_that_the_model_has_not_is_a_slip(tmp_path: Path) -> None:
    told = why(tmp_path, model(base="http://{{HOST}}/", **on()), {"HSOT": "10.0.0.7"})
    assert "no placeholder HSOT" in told
    assert "Its placeholders are HOST." in told


def test_the_members_of_a_thing_are_merged_in(tmp_path: Path) -> None:
    filling = {"thing": {"id": "urn:dev:lamp-7", "description": None, "properties": on()["properties"]}}
    document = model(description="of the series", properties={"on": {"type": "boolean", "title": "Power"}})
    [lamp] = made(tmp_path, document, filling)
    assert lamp["id"] == "urn:dev:lamp-7"
    assert "description" not in lamp
    assert lamp["properties"]["on"] == {"title": "Power", **on()["properties"]["on"]}


def test_one_model_makes_several_devices(tmp_path: Path) -> None:
    lamps = made(tmp_path, model(title="{{ROOM}} lamp", **on()), [{"ROOM": "Hall"}, {"ROOM": "Attic"}])
    assert [lamp["title"] for lamp in lamps] == ["Hall lamp", "Attic lamp"]
    assert len({lamp["id"] for lamp in lamps}) == 2


def test_a_model_has_all_of_what_it_extends_and_its_own_counts(tmp_path: Path) -> None:
    base = model(
        **{"@context": [TD_1_1, {"hg": "https://w3id.org/hearthgraph#"}]}, title="Base", properties={
            "on": {"@type": "hg:Power", "type": "boolean"},
            "level": {"type": "integer", "minimum": 0, "maximum": 100},
        },
    )  # fmt: skip
    link = {"rel": "tm:extends", "href": "https://models.example/a/base.tm.jsonld"}
    document = model(links=[link], properties={"level": {"maximum": 254}})
    [lamp] = made(tmp_path, document, {"simulated": True}, base=base)
    assert lamp["title"] == "Lamp"
    assert lamp["@context"] == [TD_1_1, {"hg": "https://w3id.org/hearthgraph#"}]
    assert lamp["properties"]["on"]["@type"] == "hg:Power"
    assert (lamp["properties"]["level"]["minimum"], lamp["properties"]["level"]["maximum"]) == (0, 254)
    assert "links" not in lamp


def test_a_complete_model_that_extends_another_is_loaded_as_it_is(tmp_path: Path) -> None:
    document = model(links=[{"rel": "tm:extends", "href": "base.tm.jsonld"}])
    triples, warnings = jsonld.parse_file(keep(tmp_path, lamp=document, base=model(**on())))
    assert any("http://lamp.example/on" in str(triple.object) for triple in triples)
    assert any("Thing Model in which nothing is open" in one for one in warnings)


def test_a_reference_is_what_it_refers_to_changed_by_what_stands_beside_it(tmp_path: Path) -> None:
    other = model(properties={"a/b": {"type": "integer", "unit": "percent", "minimum": 0}})
    reference = {"tm:ref": "other.tm.jsonld#/properties/a~1b", "unit": None, "maximum": 10}
    properties = {"level": reference, "same": {"tm:ref": "#/properties/level", "title": "Same"}}
    [lamp] = made(tmp_path, model(properties=properties), {"simulated": True}, other=other)
    level = {key: value for key, value in lamp["properties"]["level"].items() if key != "forms"}
    assert level == {"type": "integer", "minimum": 0, "maximum": 10}
    assert lamp["properties"]["same"]["maximum"] == 10
    assert lamp["properties"]["same"]["title"] == "Same"


def test_a_model_of_parts_makes_a_thing_for_each_part_and_they_know_each_other(tmp_path: Path) -> None:
    links = [
        {"rel": "tm:submodel", "href": "fan.tm.jsonld", "instanceName": "blower"},
        {"rel": "tm:submodel", "href": "bulb.tm.jsonld"},
    ]
    filling = {
        "placeholders": {"ROOM": "Hall"},
        "thing": {"id": "urn:dev:hood"},
        "submodels": {"blower": {"thing": {"id": "urn:dev:blower"}}},
        "simulated": True,
    }
    fan, bulb = (
        model(title="{{ROOM}} fan", **on()),
        model(title="{{ROOM}} bulb", properties={"on": {"type": "boolean"}}),
    )
    hood, blower, light = made(tmp_path, model(title="{{ROOM}} hood", links=links), filling, fan=fan, bulb=bulb)
    assert [one["title"] for one in (hood, blower, light)] == ["Hall hood", "Hall fan", "Hall bulb"]
    assert [(one["rel"], one["href"]) for one in hood["links"]] == [("item", "urn:dev:blower"), ("item", light["id"])]
    assert all(
        one["links"][0] | {"rel": "collection", "href": "urn:dev:hood"} == one["links"][0] for one in (blower, light)
    )


@pytest.mark.parametrize(
    "href", ["gone.tm.jsonld", "../outside.tm.jsonld", "/etc/passwd", "", "http://x.example/", "a\0b"]
)
def test_what_is_not_in_the_folder_of_the_model_is_not_read(tmp_path: Path, href: str) -> None:
    folder = tmp_path / "models"
    folder.mkdir()
    keep(tmp_path, outside=model(**on()))
    told = why(folder, model(links=[{"rel": "tm:extends", "href": href}]), {})
    assert "not in its folder" in told
    assert "nothing is fetched" in told


def test_models_that_extend_each_other_are_refused(tmp_path: Path) -> None:
    there, back = ([{"rel": "tm:extends", "href": f"{name}.tm.jsonld"}] for name in ("other", "lamp"))
    assert "circle" in why(tmp_path, model(links=there), {}, other=model(links=back))


def test_parts_that_are_made_of_each_other_are_refused(tmp_path: Path) -> None:
    there, back = ([{"rel": "tm:submodel", "href": f"{name}.tm.jsonld"}] for name in ("other", "lamp"))
    assert "circle" in why(tmp_path, model(links=there), {}, other=model(links=back))


def test_references_that_multiply_are_refused(tmp_path: Path) -> None:
    levels = {f"p{n}": {"oneOf": [{"tm:ref": f"#/properties/p{n + 1}"} for _ in range(10)]} for n in range(12)}
    with pytest.raises(ThingRefused, match="too often"):
        jsonld.parse_file(keep(tmp_path, lamp=model(properties={**levels, "p12": {"type": "boolean"}})))
    circle = {"a": {"tm:ref": "#/properties/b"}, "b": {"tm:ref": "#/properties/a"}}
    with pytest.raises(ThingRefused, match="circle"):
        jsonld.parse_file(keep(tmp_path, lamp=model(properties=circle)))


@pytest.mark.parametrize(
    "filling", [1, "x", [1], {"thing": 1}, {"placeholders": []}, {"thing": {}, "things": {}}, {"submodels": {"x": {}}}]
)
def test_what_is_no_filling_is_refused(tmp_path: Path, filling: Any) -> None:
    with pytest.raises(InputError):
        made(tmp_path, model(**on()), filling)


def test_a_thing_is_no_model(tmp_path: Path) -> None:
    assert "no Thing Model" in why(tmp_path, {**model(**on()), "@type": "Thing"}, {})


def test_a_model_is_loaded_at_the_command_line_and_its_device_is_operated(tmp_path: Path) -> None:
    kinds = {"@context": [TD_1_1, {"hg": "https://w3id.org/hearthgraph#"}], "@type": ["tm:ThingModel", "hg:Light"]}
    power = {"properties": {"on": {"@type": "hg:Power", "type": "boolean"}}}
    lamp = keep(tmp_path, lamp={**model(title="{{NAME}}", **power), **kinds})
    fill = tmp_path / "fill.json"
    fill.write_text(json.dumps({"placeholders": {"NAME": "Piano lamp"}, "simulated": True}), encoding="utf-8")
    store = tmp_path / "store"
    result = CliRunner().invoke(main, ["--store", str(store), "load", str(lamp), "--fill", str(fill)])
    assert result.exit_code == 0, result.output
    assert f"{lamp}: 1 things" in result.output
    with Hearthgraph.open(store) as home:
        assert home.ask("turn on the piano lamp", consent=True).status.value == "done"
        assert home.ask("is the piano lamp on?").answer is not None
        assert home.ask("is the piano lamp on?").reply.startswith("Yes")


def test_two_models_are_not_filled_at_once(tmp_path: Path) -> None:
    lamp = keep(tmp_path, lamp=model(**on()))
    result = CliRunner().invoke(
        main, ["--store", str(tmp_path / "s"), "load", str(lamp), str(lamp), "--fill", str(lamp)]
    )
    assert result.exit_code != 0


def test_most_models_of_w3c_become_simulated_things(tmp_path: Path) -> None:
    models = sorted((need_w3c() / "things").glob("*.tm.jsonld"))
    for path in models:
        (tmp_path / path.name.rpartition("_")[2]).write_bytes(path.read_bytes())
    fill = tmp_path / "fill.json"
    fill.write_text('{"simulated": true, "thing": {"version": {"instance": "1.0"}}}', encoding="utf-8")
    taken, refused = {}, {}
    for path in sorted(tmp_path.glob("*.tm.jsonld")):
        try:
            taken[path.name] = jsonld.statements(filled(path, fill), name=path.stem)
        except ThingRefused as error:
            refused[path.name] = error.remedy
    assert len(models) == 15
    assert len(taken) == 9, "two need models that are not here, two have another context, two are invalid"
    assert all(refused.values())
