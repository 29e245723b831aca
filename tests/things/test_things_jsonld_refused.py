"""Bad Thing Descriptions are refused with the place and the reason, or taken with a warning; nothing is fetched."""

from __future__ import annotations

import copy
import json
import random
import socket
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from engine.cli.main import main
from engine.errors import InputError, SyntaxFault, ThingRefused
from engine.graph.terms import expand
from engine.origins.sources import sources
from engine.things import door
from engine.things.description import jsonld, targets
from tests.origins.small_home import HOME, write
from tests.things.descriptions import open_registry
from tests.things.documents import TD_1_0, TD_1_1, Document, admit, again, need_w3c, td, with_property


def refusal(document: Any) -> ThingRefused:
    registry = open_registry()
    with pytest.raises(ThingRefused) as caught:
        admit(registry, document)
    assert not registry.things
    assert caught.value.remedy
    return caught.value


def warnings_of(document: Any) -> list[str]:
    return jsonld.statements(jsonld.parse_text(json.dumps(document)))[1]


# Contexts


def test_a_remote_context_that_is_not_known_is_named_and_not_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "socket", None)
    document = td(**{"@context": [TD_1_1, "http://127.0.0.1:9/context.jsonld"], "word": 1})
    assert warnings_of(document) == [
        "The context http://127.0.0.1:9/context.jsonld was not fetched; its terms are kept as they stand."
    ]
    assert again(document)["word"] == 1


@pytest.mark.parametrize(
    "context",
    [
        "http://www.w3.org/ns/td",
        "https://evil.example/",
        [{"td": "https://evil.example/"}, TD_1_1],
        {"@vocab": TD_1_1},
        None,
        7,
    ],
)
def test_a_document_whose_first_context_is_not_that_of_a_td_is_refused(context: Any) -> None:
    assert "context" in refusal(td(**{"@context": context})).node


@pytest.mark.parametrize(
    "bomb",
    [
        {"a": {"@id": "x:a", "@context": {"b": {"@id": "x:b", "@context": {"a": {"@id": "x:a"}}}}}},
        [[[[{"a": "https://a.example/"}]]]],
        {"@import": {"@import": "https://evil.example/"}},
        {"@context": {"@context": {}}},
    ],
)
def test_a_context_within_a_context_is_refused(bomb: Any) -> None:
    assert refusal(td(**{"@context": [TD_1_1, bomb]})).node.startswith("$['@context'][1]")


def test_prefixes_that_are_made_of_each_other_do_not_grow() -> None:
    prefixes = {f"p{n}": f"p{n - 1}:p{n - 1}:" for n in range(1, 2000)}
    document = td(**{"@context": [TD_1_1, {"p0": "https://a.example/#", **prefixes}], "p1999:x": 1})
    assert again(document)["p1999:x"] == 1


def test_a_prefix_of_the_author_cannot_change_what_the_words_of_a_td_mean() -> None:
    document = with_property(type="integer")
    hijacked = {"td": "https://evil.example/", "properties": "https://evil.example/p", "type": "https://evil.example/t"}
    found = again({**document, "@context": [TD_1_1, hijacked]})
    assert found["properties"]["level"]["type"] == "integer"


# Size and depth


def nested(depth: int) -> Document:
    schema: Document = {"type": "integer"}
    for _ in range(depth):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


def test_a_schema_of_thirty_levels_comes_back() -> None:
    schema = nested(30)
    assert again(with_property(**schema))["properties"]["level"]["properties"] == schema["properties"]


@pytest.mark.parametrize("depth", [40, 80])
def test_a_deeper_schema_is_refused(depth: int) -> None:
    assert "deep" in refusal(with_property(**nested(depth))).message


@pytest.mark.parametrize("opening", ['{"a":', "["])
def test_json_nested_without_end_is_refused(opening: str) -> None:
    with pytest.raises(InputError):
        jsonld.parse_text(opening * 200_000)


def test_a_title_of_20_mb_is_refused_without_being_read(tmp_path: Path) -> None:
    file = tmp_path / "big.td.jsonld"
    file.write_text(json.dumps(td(title="x" * 20_000_000)), encoding="utf-8")
    with pytest.raises(ThingRefused, match=r"big\.td\.jsonld is larger than 8 MB"):
        jsonld.parse_file(file)


def test_a_message_about_something_long_is_short() -> None:
    assert len(refusal(td(security=["x" * 100_000, 7])).message) < 500


# Wrong types


@pytest.mark.parametrize(
    ("members", "place"),
    [
        ({"title": None}, "$.title"),
        ({"title": ["a"]}, "$.title"),
        ({"security": {}}, "$.security"),
        ({"securityDefinitions": {}}, "$.securityDefinitions"),
        ({"securityDefinitions": {"a": {"scheme": "unheard"}}}, "$.securityDefinitions.a"),
        ({"securityDefinitions": {"a": {"scheme": "combo"}}}, "$.securityDefinitions.a"),
        ({"properties": []}, "$.properties"),
        ({"properties": {"a": 7}}, "$.properties.a"),
        ({"properties": {"a": {"forms": []}}}, "$.properties.a"),
        ({"properties": {"a": {"forms": [{"href": 7}]}}}, "$.properties.a.forms[0].href"),
        ({"properties": {"a": {"forms": [{"href": "x", "op": "invokeaction"}]}}}, "$.properties.a.forms[0].op"),
        ({"properties": {"a": {"type": "float", "forms": [{"href": "x"}]}}}, "$.properties.a.type"),
        ({"properties": {"a": {"minimum": "0", "forms": [{"href": "x"}]}}}, "$.properties.a.minimum"),
        ({"properties": {"a": {"enum": [], "forms": [{"href": "x"}]}}}, "$.properties.a.enum"),
        ({"actions": {"a": {"input": 7, "forms": [{"href": "x"}]}}}, "$.actions.a.input"),
        ({"events": {"a": {"data": [], "forms": [{"href": "x"}]}}}, "$.events.a.data"),
        ({"forms": [{"href": "x"}]}, "$.forms[0]"),
        ({"links": [{"rel": "self"}]}, "$.links[0]"),
        ({"links": [{"href": "x", "rel": "tm:extends"}]}, "$.links[0]"),
        ({"version": {"model": "1"}}, "$.version"),
    ],
)
def test_a_member_of_the_wrong_type_is_refused_with_its_place(members: Document, place: str) -> None:
    found = refusal(td(**members))
    assert found.node.startswith(place)
    assert place in found.message


@pytest.mark.parametrize("content", [7, "text", None, [], [7], True])
def test_what_is_no_object_is_refused(content: Any) -> None:
    if content == []:
        assert jsonld.statements([]) == ([], [])
        return
    refusal(content)


@pytest.mark.parametrize(
    ("text", "line"), [("{", 1), ('{"a": 1,\n"b" 2}', 2), ("", 1), ("\n\nno", 3), ('{"a": "\x01"}', 1)]
)
def test_what_is_no_json_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(SyntaxFault) as caught:
        jsonld.parse_text(text, source="lamp.jsonld")
    assert caught.value.line == line
    assert "lamp.jsonld" in str(caught.value)


@pytest.mark.parametrize("content", [b"\xff\xfe{}", b'{"a": NaN}', b'{"a": -Infinity}'])
def test_other_encodings_and_what_is_no_number_are_refused(content: bytes) -> None:
    with pytest.raises(InputError):
        jsonld.parse_text(content)


def test_a_mark_of_byte_order_does_no_harm() -> None:
    assert jsonld.parse_text(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}


# Identity


def test_two_things_with_one_id_in_one_file_are_refused() -> None:
    assert "two things have the id urn:test:lamp" in refusal([td(), td(title="Other")]).message


def test_a_list_of_things_is_loaded_as_a_whole_or_not_at_all() -> None:
    registry = open_registry()
    admit(registry, [td(id="urn:a"), td(id="urn:b")])
    assert registry.things.keys() == {"urn:a", "urn:b"}
    refusal([td(id="urn:a"), td(id="urn:b", title=7)])


@pytest.mark.parametrize("given_id", [None, "lamp 1", "relative", "urn:x#y#z", "http://[bad"])
def test_a_thing_without_a_usable_id_is_called_after_its_file(given_id: str | None, tmp_path: Path) -> None:
    document = td() if given_id is None else td(id=given_id)
    if given_id is None:
        del document["id"]
    file = tmp_path / "hall lamp.td.jsonld"
    file.write_text(json.dumps(document), encoding="utf-8")
    report = door.load(open_registry().store, [file])
    assert report.things == ("https://w3id.org/hearthgraph/home/hall%20lamp",)
    assert any("address" in warning for warning in report.warnings)


def test_a_scheme_that_is_named_as_if_it_were_none_is_refused() -> None:
    definitions = {"nosec_sc": {"scheme": "basic"}}
    assert "nosec_sc" in refusal(td(securityDefinitions=definitions)).message


# Targets

DANGEROUS = ["file:///etc/passwd", "javascript:alert(1)", "JaVaScRiPt:alert(1)", " java\tscript:x", "data:text/html,x"]


@pytest.mark.parametrize("target", DANGEROUS)
def test_a_form_that_leads_into_this_machine_is_refused(target: str) -> None:
    form = {"href": target}
    assert "leads to no device" in refusal(with_property(forms=[form])).message
    assert "leads to no device" in refusal(td(forms=[{**form, "op": "readallproperties"}])).message


def test_so_is_one_that_leads_there_by_its_base() -> None:
    refusal({**with_property(forms=[{"href": "passwd"}]), "base": "file:///etc/"})


PRIVATE = ["192.168.1.4", "10.0.0.1", "127.0.0.1", "169.254.169.254", "[::1]", "[fe80::1]", "localhost", "hub.local"]


@pytest.mark.parametrize("host", PRIVATE)
def test_a_private_address_is_taken_with_a_warning(host: str, tmp_path: Path) -> None:
    file = tmp_path / "lamp.td.jsonld"
    file.write_text(json.dumps(with_property(forms=[{"href": f"http://{host}:8080/x"}])), encoding="utf-8")
    report = door.load(open_registry().store, [file])
    assert [w for w in report.warnings if "private addresses" in w]


@pytest.mark.parametrize("host", ["lamp.example", "8.8.8.8", "localhost.example", ""])
def test_any_other_address_is_taken_without_one(host: str) -> None:
    assert not targets.is_private(host)


# Thing Models


def model(**members: Any) -> Document:
    forms = [{"href": "http://lamp.example/on"}]
    return td(
        **{"@type": ["tm:ThingModel", "hg:Light"], "properties": {"on": {"type": "boolean", "forms": forms}}} | members
    )


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"properties": {"on": {"type": "boolean"}}}, "properties/on has no forms"),
        ({"properties": {"on": {"tm:ref": "#/properties/x", "forms": [{"href": "x"}]}}}, "refers to another model"),
        ({"links": [{"rel": "tm:extends", "href": "x.tm.jsonld"}]}, "extends another model (x.tm.jsonld)"),
        ({"links": [{"rel": "tm:submodel", "href": "x.tm.jsonld"}]}, "is made of other models"),
        ({"base": "http://{{HOST}}/"}, "$.base has the placeholder {{HOST}}"),
    ],
)
def test_a_model_that_leaves_something_open_is_refused_with_what_it_is(members: Document, reason: str) -> None:
    found = refusal(model(**members))
    assert "It is a Thing Model" in found.message
    assert reason in found.message


def test_a_model_in_which_nothing_is_open_is_taken_as_a_thing() -> None:
    document = {**model(), "@context": [TD_1_1, {"hg": expand("hg:")}], "tm:optional": ["/properties/on"]}
    assert any("Thing Model in which nothing is open" in warning for warning in warnings_of(document))
    assert again(document)["@type"] == ["Thing", "hg:Light"]


# Anything at all

JUNK: list[Any] = [
    None,
    True,
    0,
    -1,
    1e300,
    2.5,
    "",
    "a b",
    '{}<>"\\^`|',
    "\u0000",
    [],
    [[]],
    {},
    {"": ""},
    {"@id": "urn:y"},
]
JUNK += ["hg:Light", "javascript:alert(1)", "http://[bad", "urn:x#y#z", "%zz", {"@context": "http://evil.example/"}]
KEYS = ["@type", "@id", "id", "a b", "properties", "forms", "hg:part", "hg:effect", "hg:kind", "td:hasForm", "titles"]


def spoilt(document: Any, chance: random.Random) -> Any:
    """A document with one of its values, or one more, replaced by junk."""
    places = list(_places(document))
    holder, key = chance.choice(places)
    if isinstance(holder, dict) and chance.random() < 0.3:
        holder[chance.choice(KEYS)] = _junk(chance)
    elif chance.random() < 0.3:
        del holder[key]
    else:
        holder[key] = _junk(chance)
    return document


def _junk(chance: random.Random) -> Any:
    """A piece of junk of its own: it may be spoilt in its turn, and never holds itself."""
    return copy.deepcopy(chance.choice(JUNK))


def _places(value: Any) -> Any:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in list(items):
        yield value, key
        yield from _places(item)


@given(st.integers(0, 10**9))
def test_no_spoilt_document_breaks_anything(seed: int) -> None:
    chance = random.Random(seed)
    form = {"href": "x", "op": "readproperty", "htv:headers": [{"htv:fieldName": "A", "htv:fieldValue": "1"}]}
    schema = {"type": "object", "properties": {"a": {"enum": [1, 2], "title": "A"}}, "titles": {"de": "B"}}
    document = {
        **with_property(forms=[form], oneOf=[schema], **{"@type": ["hg:Power"]}),
        "actions": {"go": {"forms": [{"href": "y"}], "input": schema, "uriVariables": {"v": {"type": "string"}}}},
        "links": [{"href": "/", "rel": "self"}],
    }
    for _ in range(chance.choice((1, 1, 2, 3))):
        spoilt(document, chance)
    with suppress(InputError):
        again(document)


@pytest.mark.slow
def test_our_schema_of_documents_is_that_of_w3c() -> None:
    """But for the members of an object schema: there, W3C's takes what is no object."""
    folder = need_w3c()
    theirs = Draft7Validator(json.loads((folder / "td-json-schema-validation.json").read_text(encoding="utf-8")))
    files = sorted((folder / "things").glob("*.td.jsonld"))
    chance = random.Random(1)
    for _ in range(600):
        document = spoilt(json.loads(chance.choice(files).read_text(encoding="utf-8")), chance)
        try:
            jsonld.check(document)
            ours = True
        except ThingRefused as error:
            if error.node.endswith(".properties") or "Thing Model" in error.message:
                continue
            ours = False
        assert ours == theirs.is_valid(document)


# The command line


def run(tmp_path: Path, *arguments: str) -> Any:
    return CliRunner().invoke(main, ["--store", str(tmp_path / "store"), *arguments])


def test_a_folder_is_loaded_to_its_end_and_ends_with_a_table(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "a.td.jsonld").write_text(json.dumps(td(id="urn:a", title="First lamp")), encoding="utf-8")
    (folder / "b.td.jsonld").write_text(json.dumps(td(title=7)), encoding="utf-8")
    (folder / "c.jsonld").write_text("{", encoding="utf-8")
    (folder / "d.json").write_text(json.dumps(td(**{"@context": TD_1_0, "id": "urn:d"})), encoding="utf-8")
    (folder / "e.ttl").write_text(
        f'<urn:e> a <{expand("td:Thing")}> ; <{expand("td:title")}> "Third lamp" .', encoding="utf-8"
    )
    (folder / "readme.txt").write_text("nothing", encoding="utf-8")
    result = run(tmp_path, "load", str(folder))
    assert result.exit_code == 1
    rows = {
        line.split()[0]: line.split()[1:4]
        for line in result.output.splitlines()
        if line[:2] in (" a", " b", " c", " d", " e")
    }
    assert rows == {
        "a.td.jsonld": ["loaded", "1", "0"],
        "b.td.jsonld": ["refused", "0", "0"],
        "c.jsonld": ["refused", "0", "0"],
        "d.json": ["loaded", "1", "0"],
        "e.ttl": ["loaded", "1", "1"],
    }
    assert "$.title: 7 is not of type 'string'." in result.output
    assert result.output.endswith("3 files loaded, 2 refused; 3 things.\n")


def test_a_thing_is_described_on_request_in_each_form(tmp_path: Path) -> None:
    (tmp_path / "a.td.jsonld").write_text(json.dumps(with_property(type="integer")), encoding="utf-8")
    assert run(tmp_path, "load", str(tmp_path / "a.td.jsonld")).exit_code == 0
    described = run(tmp_path, "things", "--td", "urn:test:lamp")
    assert json.loads(described.output)["properties"]["level"]["type"] == "integer"
    turtle = run(tmp_path, "things", "--td", "urn:test:lamp", "--format", "turtle").output
    assert " td:Thing ;" in turtle
    other = run(tmp_path, "things", "--td", "urn:test:lamp", "--profile", "yggdrasil").output
    assert "a hmas:Artifact" in other
    unknown = run(tmp_path, "things", "--td", "urn:nobody")
    assert unknown.exit_code == 1
    assert "There is no thing urn:nobody." in unknown.output


def test_a_home_of_another_origin_in_json_is_still_known(tmp_path: Path) -> None:
    for name in ("home.json", "home.jsonl"):
        (home,) = sources(write(tmp_path / name, [HOME]))
        assert home.id == str(HOME["home_id"])
