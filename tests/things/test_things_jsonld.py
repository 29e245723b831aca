"""A Thing Description in JSON-LD comes in, and goes out again, with nothing lost on the way."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.graph.terms import NamedNode, expand
from engine.model import thing_rdf as rdf
from engine.things.description import contexts, emission, jsonld, turtle
from engine.things.description.emission import Profile
from engine.things.door import admit as admit_statements
from tests.things.descriptions import one_thing, open_registry
from tests.things.documents import TD_1_0, TD_1_1, again, kept, loaded, normal, td, with_property

FORM = {"href": "http://lamp.example/x"}

SCHEMAS: dict[str, dict[str, Any]] = {
    "bounds": {"type": "integer", "minimum": 0, "maximum": 254, "multipleOf": 2, "unit": "percent"},
    "open bounds": {"type": "number", "exclusiveMinimum": 0.5, "exclusiveMaximum": 7},
    "text": {"type": "string", "minLength": 1, "maxLength": 9, "pattern": "^a", "format": "uri", "default": ""},
    "options in their order": {"type": "string", "enum": ["off", "low", "high"], "default": "low"},
    "options of all types": {"enum": [1, "1", 2.5, True, None, [1, [2]], {"a": {"b": 1}}]},
    "a constant": {"const": {"a": [1, None]}},
    "a constant that is null": {"const": None},
    "a default that is false": {"type": "boolean", "default": False},
    "an array": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "number", "minimum": 0}},
    "an array of places": {"type": "array", "items": [{"type": "number"}, {"type": "string"}]},
    "an array of one place": {"type": "array", "items": [{"type": "number"}]},
    "alternatives": {"oneOf": [{"type": "string", "enum": ["a"]}, {"type": "array", "items": {"type": "integer"}}]},
    "many alternatives": {"oneOf": [{"type": "integer", "const": n} for n in range(12)]},
    "an object of objects": {
        "type": "object",
        "properties": {
            "z": {"type": "object", "properties": {"y": {"type": "array", "items": {"type": "null"}}}},
            "a/b #c": {"type": "boolean", "title": "A strange name"},
        },
        "required": ["a/b #c", "z"],
    },
    "words that TD does not know": {"type": "number", "minumum": 3, "accuracy": {"value": [1, 2, 2]}, "values": []},
    "media": {"type": "string", "contentEncoding": "base64", "contentMediaType": "image/png"},
}


@pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS)
def test_a_schema_comes_back_as_it_was(schema: dict[str, Any]) -> None:
    found = again(with_property(**schema))["properties"]["level"]
    assert {key: value for key, value in found.items() if key != "forms"} == schema


@pytest.mark.parametrize("place", ["input", "output"])
def test_a_schema_of_an_action_comes_back_as_it_was(place: str) -> None:
    for schema in SCHEMAS.values():
        document = td(actions={"go": {"forms": [FORM], place: schema}})
        assert again(document)["actions"]["go"][place] == schema


@pytest.mark.parametrize("place", ["data", "dataResponse", "subscription", "cancellation"])
def test_a_schema_of_an_event_comes_back_as_it_was(place: str) -> None:
    for schema in SCHEMAS.values():
        document = td(events={"rang": {"forms": [FORM], place: schema}})
        assert again(document)["events"]["rang"][place] == schema


MEMBERS: dict[str, dict[str, Any]] = {
    "texts in languages": {"titles": {"de": "Lampe", "ja": "ランプ"}, "descriptions": {"de": "Eine Lampe"}},
    "dates and versions": {"created": "2020-01-02T03:04:05Z", "version": {"instance": "1.0", "model": "2.0"}},
    "support": {"support": "mailto:somebody@lamp.example", "base": "http://lamp.example/"},
    "classes": {"@type": ["Thing", "hg:Light", "saref:LightSwitch", "Strange"]},
    "variables": {"uriVariables": {"timeout": {"type": "integer", "default": 3, "@type": "hg:Duration"}}},
    "schemas by name": {"schemaDefinitions": {"fault": {"type": "object", "properties": {"code": {"type": "string"}}}}},
    "links": {
        "links": [
            {"href": "/manual", "rel": "service-doc", "type": "text/html", "hreflang": ["de", "en"]},
            {"href": "icon.png", "rel": "icon", "sizes": "16x16", "ext:alt": "a lamp"},
        ]
    },
    "forms of the whole": {"forms": [{"href": "http://lamp.example/all", "op": ["readallproperties"]}]},
    "profiles": {"profile": ["https://www.w3.org/2022/wot/profile/http-basic/v1"]},
    "extensions": {
        "ext:colour": "red",
        "ext:count": 3,
        "ext:share": 0.25,
        "ext:on": True,
        "ext:nothing": None,
        "ext:deep": {"list": [1, 1, {"x": None}], "@value": 1},
        "ext:maker": {"@id": "https://maker.example/"},
        "position": {"x": 1, "y": 2},
        "a word with spaces": [1, 2],
        "nested": {"@context": "https://evil.example/"},
    },
}


@pytest.mark.parametrize("members", MEMBERS.values(), ids=MEMBERS)
def test_what_is_said_of_a_thing_comes_back(members: dict[str, Any]) -> None:
    context = [TD_1_1, {"ext": "https://ext.example/#", "saref": expand("saref:"), "hg": expand("hg:")}]
    found = again(td(**{"@context": context, **members}))
    written = {"@context": context, **members}
    assert normal({key: found[key] for key in written}) == normal(written)


SCHEMES: dict[str, dict[str, Any]] = {
    "nosec": {"scheme": "nosec", "description": "Nobody asks"},
    "auto": {"scheme": "auto"},
    "basic": {"scheme": "basic", "in": "header", "name": "Authorization", "@type": "ext:Basic"},
    "digest": {"scheme": "digest", "qop": "auth-int", "in": "header"},
    "apikey": {"scheme": "apikey", "in": "query", "name": "key"},
    "bearer": {"scheme": "bearer", "alg": "ES256", "format": "jwt", "authorization": "https://auth.example/"},
    "psk": {"scheme": "psk", "identity": "me"},
    "oauth2": {"scheme": "oauth2", "flow": "client", "token": "https://auth.example/token", "scopes": ["a", "b"]},
    "combo": {"scheme": "combo", "allOf": ["basic_sc", "key"]},
    "a scheme of somebody": {"scheme": "ace:ACESecurityScheme", "ace:as": "coaps://as.example/token"},
}


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=SCHEMES)
@pytest.mark.parametrize("name", ["own_sc", "my basic/1", "0", "a[b]"])
def test_a_security_scheme_comes_back_under_its_name(scheme: dict[str, Any], name: str) -> None:
    context = [TD_1_1, {"ext": "https://ext.example/#", "ace": "http://ace.example/ns#"}]
    definitions = {name: scheme, "other_sc": {"scheme": "nosec"}}
    document = td(**{"@context": context, "securityDefinitions": definitions, "security": name})
    found = again(document)
    assert normal(found["securityDefinitions"]) == normal(definitions)
    assert found["security"] == name


def test_every_form_comes_back_with_all_that_it_says() -> None:
    forms = [
        {
            "href": "coap://lamp.example/level{?unit}",
            "op": "observeproperty",
            "contentType": "application/cbor",
            "contentCoding": "gzip",
            "subprotocol": "longpoll",
            "security": ["nosec_sc"],
            "scopes": ["a", "b"],
            "cov:method": "GET",
            "response": {"contentType": "text/plain"},
            "additionalResponses": [{"success": False, "contentType": "text/html", "schema": "fault"}, {"schema": "x"}],
        },
        {
            "href": "http://lamp.example/level",
            "op": ["readproperty", "writeproperty"],
            "contentType": "application/json",
            "htv:methodName": "PUT",
            "htv:headers": [
                {"htv:fieldName": "A", "htv:fieldValue": "1"},
                {"htv:fieldName": "A", "htv:fieldValue": "1"},
            ],
        },
    ]
    found = again(with_property(forms=forms))["properties"]["level"]["forms"]
    assert normal(found) == normal(forms)


def test_the_forms_are_those_of_the_thing_in_python() -> None:
    headers = [{"htv:fieldName": "Accept", "htv:fieldValue": "text/plain"}]
    forms = [{"href": "level", "op": "readproperty", "htv:methodName": "POST", "htv:headers": headers}]
    _, thing = loaded({**with_property(forms=forms), "base": "http://lamp.example/api/"})
    (form,) = thing.properties[0].forms
    assert form.target == "http://lamp.example/api/level"
    assert (form.method, form.operations) == ("POST", (expand("td:readProperty"),))
    assert form.headers == (("Accept", "text/plain"),)


def test_words_of_a_thing_are_extensions_below_it() -> None:
    inner = {"properties": {"id": {"type": "string"}}, "id": 7, "actions": []}
    document = td(actions={"go": {"forms": [FORM], **inner}})
    found = again(document)["actions"]["go"]
    assert {key: found[key] for key in inner} == inner
    registry, thing = loaded(document)
    assert [a.name for a in thing.actions] == ["go"]
    assert not thing.properties
    assert not [iri for iri in registry.properties if iri.startswith(thing.document)]


@pytest.mark.parametrize("context", [TD_1_0, [TD_1_0], [TD_1_1, {"@language": "de"}], [TD_1_0, TD_1_1]])
def test_the_context_of_the_author_is_kept(context: Any) -> None:
    assert again(td(**{"@context": context}))["@context"] == context


def test_prefixes_that_the_author_did_not_need_are_added_to_his() -> None:
    thing = one_thing(':it a td:Thing, hg:Light ; td:title "Lamp" ; skos:altLabel "Torch"@en .')
    found = jsonld.emit(thing)
    assert found["@context"][0] == TD_1_1
    assert found["@context"][1]["hg"] == expand("hg:")
    assert found["@type"] == ["Thing", "hg:Light"]


def test_a_title_in_another_language_is_understood_in_it() -> None:
    registry, thing = loaded(td(**{"@context": [TD_1_1, {"@language": "de"}], "title": "Lampe"}))
    assert thing.title == "Lampe"
    assert jsonld.document(kept(registry, thing))["titles"] == {"de": "Lampe"}


def test_terms_of_discovery_are_known_where_its_context_is_named() -> None:
    discovery = "https://www.w3.org/2022/wot/discovery"
    registration = {"created": "2020-01-01T00:00:00Z", "ttl": 300}
    document = td(**{"@context": [TD_1_1, discovery], "registration": registration})
    registry, thing = loaded(document)
    assert jsonld.document(kept(registry, thing))["registration"] == registration
    predicates = {quad.predicate.value for quad in kept(registry, thing)}
    assert "https://www.w3.org/2021/wot/discovery#hasRegistrationInformation" in predicates


def test_an_affordance_is_found_by_the_class_that_its_author_gave() -> None:
    context = [TD_1_1, {"hg": expand("hg:")}]
    document = with_property(**{"@type": "hg:Brightness", "type": "integer"})
    _, thing = loaded({**document, "@context": context, "@type": "hg:Light"})
    assert expand("hg:Brightness") in thing.properties[0].kinds
    assert expand("hg:Light") in thing.classes


def test_effects_parts_and_places_survive_json() -> None:
    text = """
    :lamp a td:Thing, hg:Light ; td:title "Lamp" ; hmas:isContainedIn <http://home.example/kitchen> ;
        hg:hasPart [ hg:path "bulb" ; a hg:Light ; td:hasPropertyAffordance
            [ td:name "level" ; a hg:Brightness, js:NumberSchema ; hg:inverted true ] ] ;
        td:hasActionAffordance [ td:name "dim" ; hg:effect [ hg:kind hg:Brightness ; hg:by -10 ] ,
            [ hg:kind hg:Power ; hg:to true ] ] .
    """
    thing = one_thing(text)
    _, found = loaded(jsonld.emit(thing))
    assert found == thing
    assert len(found.actions[0].effects) == 2
    assert found.properties[0].part != found.iri


@pytest.mark.parametrize("profile", list(Profile))
def test_turtle_of_both_dialects_is_read_back_as_the_same_thing(profile: Profile) -> None:
    properties = {
        name: {"title": name, "forms": [{**FORM, "op": ["readproperty", "observeproperty"]}], **schema}
        for name, schema in SCHEMAS.items()
    }
    document = td(properties=properties, actions={"go": {"forms": [FORM], "input": SCHEMAS["bounds"]}})
    registry, thing = loaded({**document, "base": "http://lamp.example/", "description": "It shines."})
    text = emission.as_turtle(registry.store, thing, profile)
    second = open_registry()
    admit_statements(second, turtle.parse_text(text.encode()))
    assert second.things[thing.iri] == thing


def test_the_dialect_of_yggdrasil_has_artifacts_targets_as_iris_and_words_for_operations() -> None:
    registry, thing = loaded(with_property(type="integer", minimum=1))
    text = emission.as_turtle(registry.store, thing, Profile.YGGDRASIL)
    assert "a hmas:Artifact" in text
    assert "hctl:hasTarget <http://lamp.example/level>" in text
    assert '"readproperty"' in text
    assert "td:hasOutputSchema" in text
    assert "td:Thing" not in text
    assert "Security" not in text


NAMES = st.text(min_size=1, max_size=8)
LEAVES = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(-1e9, 1e9) | st.text(max_size=8)
VALUES = st.recursive(LEAVES, lambda v: st.lists(v, max_size=3) | st.dictionaries(NAMES, v, max_size=3), max_leaves=8)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.text("abcXYZ:/# %é@{", min_size=1, max_size=9), VALUES, max_size=4), VALUES)
def test_any_extension_and_any_constant_come_back(extension: dict[str, Any], constant: Any) -> None:
    strange = {f"x-{key}": value for key, value in extension.items()}
    found = again(with_property(const=constant, **strange))["properties"]["level"]
    assert found["const"] == constant
    assert {key: found[key] for key in strange} == strange


@given(st.text("abc:/#?é %\u0000", max_size=12))
def test_expanding_is_the_inverse_of_compacting(name: str) -> None:
    context, _ = contexts.read([TD_1_1, {"a": "https://a.example/#", "b": "urn:b:"}])
    iri = context.expand(name)
    assert rdf.is_iri(iri)
    assert context.expand(context.compact(iri)) == iri


def test_nothing_is_left_in_the_store_of_a_description_that_was_replaced() -> None:
    registry, thing = loaded(td(links=[{"href": "/a"}], ext=1))
    triples, _ = jsonld.statements(td(title="Other"))
    admit_statements(registry, triples)
    said = {quad.predicate.value for quad in registry.store.graph(NamedNode(thing.document))}
    assert expand("td:hasLink") not in said
    assert expand("td:ext") not in said
