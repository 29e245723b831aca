"""Ways in which real Thing Descriptions differ from each other: each makes another document of one, in place.

Each takes a TD and a random source, and gives back whether it found something to vary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from tests.things.documents import TD_1_0, TD_1_1, Document

Variation = Callable[[Document, Random], None]
VARIATIONS: dict[str, Variation] = {}
ODD_NAMES = (
    "naïve ☕ Größe",
    "a/b/c",
    "50%",
    "with space",
    "a#b?c=d",
    "状态",
    "..",
    "x:y",
    "~tilde",
    '"quoted"',
    "a%20b",
    "1",
    "",
)
ODD_VALUES: tuple[Any, ...] = (
    None,
    True,
    0,
    -1.5,
    1e300,
    "",
    "x",
    [],
    [1, "a", None],
    {},
    {"a": {"b": []}},
    12345678901234567890,
)
GROUPS = ("properties", "actions", "events")
LABELS = {"titles": {"en": "A", "de-AT": "B", "zh-Hans": "丙"}, "descriptions": {"en": "a", "fr": "b"}}


def variation(make: Variation) -> Variation:
    VARIATIONS[make.__name__] = make
    return make


def affordances(td: Document) -> Iterator[tuple[str, str, Document]]:
    for group in GROUPS:
        found = td.get(group)
        if isinstance(found, dict):
            yield from ((group, name, a) for name, a in found.items() if isinstance(a, dict))


def an_affordance(td: Document, chance: Random) -> Document:
    found = [a for _, _, a in affordances(td)]
    if not found:
        td["properties"] = {"made": {"type": "integer", "forms": [{"href": "made"}]}}
        found = [td["properties"]["made"]]
    return chance.choice(found)


def a_form(td: Document, chance: Random) -> Document:
    forms = an_affordance(td, chance).setdefault("forms", [{"href": "x"}])
    return chance.choice(forms) if isinstance(forms, list) and forms and isinstance(forms[0], dict) else {}


def a_property(td: Document, chance: Random) -> Document:
    found = [a for group, _, a in affordances(td) if group == "properties"]
    if not found:
        td["properties"] = {"made": {"type": "integer", "forms": [{"href": "made"}]}}
        found = [td["properties"]["made"]]
    return chance.choice(found)


def contexts(td: Document) -> list[Any]:
    given = td.get("@context", [])
    return list(given) if isinstance(given, list) else [given]


# Contexts


@variation
def the_context_of_version_1_0(td: Document, chance: Random) -> None:
    td["@context"] = TD_1_0


@variation
def the_context_of_version_1_1(td: Document, chance: Random) -> None:
    td["@context"] = TD_1_1


@variation
def the_context_in_a_list(td: Document, chance: Random) -> None:
    td["@context"] = [TD_1_1]


@variation
def both_contexts(td: Document, chance: Random) -> None:
    td["@context"] = [TD_1_0, TD_1_1] if chance.random() < 0.7 else [TD_1_1, TD_1_0]


@variation
def further_prefixes(td: Document, chance: Random) -> None:
    td["@context"] = [*contexts(td), {"saref": "https://saref.etsi.org/core/", "@language": "en", "my": "urn:my:"}]
    an_affordance(td, chance)["saref:note"] = "x"


@variation
def terms_defined_by_the_author(td: Document, chance: Random) -> None:
    td["@context"] = [*contexts(td), {"scale": {"@id": "https://x.example/scale", "@type": "@vocab"}}]


@variation
def a_prefix_that_nobody_declared(td: Document, chance: Random) -> None:
    an_affordance(td, chance)["zz:unit"] = chance.choice(ODD_VALUES)
    td["@type"] = ["zz:Thing", "Thing"]


@variation
def another_remote_context(td: Document, chance: Random) -> None:
    td["@context"] = [*contexts(td), "https://schema.example/ctx.jsonld"]


@variation
def a_context_of_somebody_else_first(td: Document, chance: Random) -> None:
    td["@context"] = ["https://schema.example/ctx.jsonld", TD_1_1]


@variation
def an_odd_context(td: Document, chance: Random) -> None:
    td["@context"] = chance.choice(
        ([], {}, "", None, [{}], [{"td": TD_1_1}], [TD_1_1, {}], [TD_1_1, []], [TD_1_1, 5], [TD_1_1, None])
    )


@variation
def the_vocabulary_and_base_set(td: Document, chance: Random) -> None:
    td["@context"] = [*contexts(td), {"@vocab": "https://x.example/v#", "@base": "https://x.example/"}]


@variation
def a_language_and_odd_prefixes(td: Document, chance: Random) -> None:
    td["@context"] = [
        *contexts(td),
        {"@language": chance.choice(("de", "x y", "", None, "en-GB")), "a b": "urn:x", "e": ""},
    ]


# Names and members


@variation
def an_odd_name(td: Document, chance: Random) -> None:
    group, name, found = chance.choice([*affordances(td)] or [("properties", "", {"forms": [{"href": "x"}]})])
    td.setdefault(group, {})[chance.choice(ODD_NAMES)] = found
    td[group].pop(name, None)


@variation
def odd_names_of_members(td: Document, chance: Random) -> None:
    a_property(td, chance).update(
        type="object", properties={name: {"type": "string"} for name in ODD_NAMES}, required=list(ODD_NAMES)
    )


@variation
def texts_in_several_languages(td: Document, chance: Random) -> None:
    for node in (td, an_affordance(td, chance)):
        node.update(LABELS)


@variation
def odd_texts_in_several_languages(td: Document, chance: Random) -> None:
    tags = ("", "not a tag", "en_US", "x-private", "@none", "EN")
    an_affordance(td, chance)["titles"] = {chance.choice(tags): chance.choice(("a", "", 5, None, ["a", "b"]))}


@variation
def nothing_optional(td: Document, chance: Random) -> None:
    for key in ("id", "created", "modified", "support", "base", "version", "description", "links", "@type", "profile"):
        td.pop(key, None)
    for _, _, found in affordances(td):
        for key in ("title", "description", "@type", "type", "readOnly", "observable"):
            found.pop(key, None)


@variation
def one_member_is_missing(td: Document, chance: Random) -> None:
    holder = chance.choice((td, an_affordance(td, chance), a_form(td, chance)))
    if holder:
        del holder[chance.choice(sorted(holder))]


@variation
def empty_groups(td: Document, chance: Random) -> None:
    td[chance.choice(GROUPS)] = {}
    td["links"] = []


@variation
def a_list_is_a_single_value_and_back(td: Document, chance: Random) -> None:
    holder = chance.choice((td, an_affordance(td, chance), a_form(td, chance)))
    for key in chance.sample(sorted(holder), min(3, len(holder))):
        value = holder[key]
        holder[key] = value[0] if isinstance(value, list) and value else [value]


@variation
def numbers_are_texts(td: Document, chance: Random) -> None:
    found = a_property(td, chance)
    key = chance.choice(("minimum", "maximum", "multipleOf", "minLength", "maxItems"))
    found.update(
        {"type": chance.choice(("integer", "number", "string", "array")), key: chance.choice(("5", "a", 2, 2.5, 0, -1))}
    )


@variation
def truths_are_texts(td: Document, chance: Random) -> None:
    key = chance.choice(("readOnly", "writeOnly", "observable", "safe", "idempotent", "synchronous"))
    an_affordance(td, chance)[key] = chance.choice(("true", "false", 1, None, True))


@variation
def an_odd_id(td: Document, chance: Random) -> None:
    td["id"] = chance.choice(
        ("", "x", "urn:a b", "urn:dev:ops:{{ID}}", "http://x/ü", 5, None, "https://x.example/a#b", "urn:uuid:x y")
    )


@variation
def an_odd_title(td: Document, chance: Random) -> None:
    td["title"] = chance.choice(("", " ", "\u202eabc", "x" * 5000, "\u0000", "a\nb", 5, None, ["a"], {"en": "a"}))


@variation
def odd_types(td: Document, chance: Random) -> None:
    types = (
        "Light",
        ["Light", "saref:LightSwitch"],
        [],
        "",
        ["a b", "50%"],
        "https://x.example/T",
        5,
        [5],
        None,
        ["Thing", "Thing"],
    )
    chance.choice((td, an_affordance(td, chance)))["@type"] = chance.choice(types)


@variation
def version_and_dates(td: Document, chance: Random) -> None:
    version = ({"instance": "1.2.3"}, {"instance": "1", "model": "2"}, "1.0", {}, {"model": "2"}, {"instance": 5})
    td["version"] = chance.choice(version)
    td["created"] = chance.choice(("2020-01-01T00:00:00Z", "yesterday", "2020-01-01", 5, "2020-13-45T99:00:00Z"))
    td["support"] = chance.choice(("mailto:a@b.example", "not an iri", "", "tel:+1 5", 5))
    td["base"] = chance.choice(
        ("http://d.example:80/a/", "coap://[2001:db8::1]/", "", "not a base", "mqtt://b.example", "http://{host}/")
    )


# Forms


@variation
def several_operations(td: Document, chance: Random) -> None:
    ops = (
        "readproperty",
        "writeproperty",
        "observeproperty",
        "unobserveproperty",
        "invokeaction",
        "queryaction",
        "cancelaction",
        "subscribeevent",
        "unsubscribeevent",
        "readallproperties",
        "fly",
        "",
        5,
    )
    a_form(td, chance)["op"] = chance.sample(ops, chance.choice((0, 1, 2, 3)))


@variation
def operations_of_the_kind(td: Document, chance: Random) -> None:
    for group, _, found in affordances(td):
        ops = {
            "properties": ["readproperty", "writeproperty"],
            "actions": ["invokeaction"],
            "events": ["subscribeevent"],
        }[group]
        for form in found.get("forms", []):
            if isinstance(form, dict):
                form["op"] = chance.choice((ops, ops[0], [ops[0]]))


@variation
def forms_of_the_thing(td: Document, chance: Random) -> None:
    op = chance.choice(
        (
            "readallproperties",
            ["readmultipleproperties", "writemultipleproperties"],
            "writeallproperties",
            "subscribeallevents",
            "queryallactions",
            "readproperty",
            None,
        )
    )
    td["forms"] = [{"href": "all", "op": op, "contentType": "application/json"}]
    if op is None or chance.random() < 0.2:
        del td["forms"][0]["op"]


@variation
def an_odd_target(td: Document, chance: Random) -> None:
    targets = (
        "",
        "/x",
        "?a=b",
        "a b",
        "http://d.example/ü",
        "{+path}/x{?a,b*}",
        "mqtt://b/t",
        "coap+tcp://x",
        "x" * 3000,
        "//d.example/x",
        "modbus+tcp://127.0.0.1:1502/1",
        "ws://d.example/",
        "urn:x",
        "http://d.example/%7Bid%7D",
        "#frag",
        "../up",
        "http://[::1",
        "{",
    )
    a_form(td, chance)["href"] = chance.choice(targets)


@variation
def further_members_of_a_form(td: Document, chance: Random) -> None:
    a_form(td, chance).update(
        {
            "htv:methodName": chance.choice(("GET", "patch", 5, None)),
            "htv:headers": chance.choice(
                ([{"htv:fieldName": "A", "htv:fieldValue": "1"}], [], {"htv:fieldName": "A"}, "x", [5])
            ),
            "contentType": chance.choice(("application/json", "text/plain; charset=utf-8", "", 5, "application/cbor")),
            "contentCoding": chance.choice(("gzip", 5)),
            "subprotocol": chance.choice(("longpoll", "sse", "websub", "other", 5, "ws:x")),
            "response": chance.choice(({"contentType": "application/json"}, {}, [], "x", {"contentType": 5})),
            "additionalResponses": chance.choice(
                ([{"success": False, "contentType": "text/plain", "schema": "e"}], {}, [], [5], "x")
            ),
            "mqv:topic": "a/b",
            "cov:method": 1,
            "modv:entity": None,
        }
    )


@variation
def variables_of_the_address(td: Document, chance: Random) -> None:
    holder = chance.choice((td, an_affordance(td, chance)))
    holder["uriVariables"] = chance.choice(
        (
            {"a": {"type": "integer", "default": 3}, "b c": {"type": "string", "enum": ["x", "y"]}},
            {},
            {"a": {}},
            {"a": "x"},
            [],
            {"a": {"type": ["string", "null"]}},
            {"a": {"@type": "zz:A", "const": None}},
        )
    )


@variation
def links(td: Document, chance: Random) -> None:
    td["links"] = [
        {
            "href": chance.choice(("https://x.example/", "", "a b", 5)),
            "rel": chance.choice(("icon", "type", "item", "tm:extends", "service-doc", 5)),
            "sizes": "16x16",
            "type": chance.choice(("image/png", 5)),
            "hreflang": chance.choice(("de", ["de", "en"], "not a tag!")),
            "anchor": "#a",
        }
    ]


# Security

SCHEMES: tuple[Any, ...] = (
    {"scheme": "nosec"},
    {"scheme": "auto"},
    {"scheme": "basic", "in": "header"},
    {"scheme": "basic", "in": "nowhere"},
    {"scheme": "digest", "qop": "auth-int", "in": "header"},
    {"scheme": "digest", "qop": "x"},
    {"scheme": "bearer", "format": "jwt", "alg": "ES256", "in": "header", "authorization": "https://a.example"},
    {"scheme": "apikey", "in": "query", "name": "k"},
    {"scheme": "apikey", "in": "uri", "name": "k"},
    {"scheme": "apikey", "in": "body", "name": "/k"},
    {"scheme": "psk", "identity": "me"},
    {"scheme": "oauth2", "flow": "client", "token": "https://a.example/t", "scopes": ["a", "b"]},
    {
        "scheme": "oauth2",
        "flow": "code",
        "token": "https://a.example/t",
        "authorization": "https://a.example/a",
        "scopes": "limited",
    },
    {"scheme": "oauth2", "flow": "device", "authorization": "x", "token": "y"},
    {"scheme": "oauth2", "flow": "my:flow"},
    {"scheme": "oauth2"},
    {"scheme": "ace:ACESecurityScheme", "ace:as": "coaps://x"},
    {"scheme": "unknown"},
    {"scheme": ""},
    {},
    {"scheme": 5},
    "basic",
    {"scheme": "combo", "oneOf": ["a", "b"]},
    {"scheme": "combo", "allOf": ["a", "b"]},
    {"scheme": "combo"},
    {"scheme": "combo", "oneOf": ["a"]},
    {"scheme": "combo", "oneOf": ["a", "b"], "allOf": ["a", "b"]},
    {"scheme": "basic", "description": "d", "descriptions": {"en": "d"}, "proxy": "https://p.example", "@type": "zz:S"},
)


@variation
def a_scheme_of_security(td: Document, chance: Random) -> None:
    td["securityDefinitions"] = {"s": chance.choice(SCHEMES), "a": {"scheme": "basic"}, "b": {"scheme": "nosec"}}
    td["security"] = chance.choice(("s", ["s"], ["s", "a"], "undefined", [], ["a", "a"]))
    for _, _, found in affordances(td):
        for form in found.get("forms", []):
            if isinstance(form, dict):
                form.pop("security", None)


@variation
def security_of_a_form(td: Document, chance: Random) -> None:
    a_form(td, chance)["security"] = chance.choice(("nosec_sc", ["nosec_sc"], [], "undefined", 5, [""], ""))
    a_form(td, chance)["scopes"] = chance.choice(("a", ["a", "b"], [], 5))


@variation
def odd_names_of_schemes(td: Document, chance: Random) -> None:
    name = chance.choice(ODD_NAMES)
    td["securityDefinitions"] = {name: {"scheme": "nosec"}}
    td["security"] = name


# Schemas

SCHEMAS: tuple[Any, ...] = (
    {
        "type": "object",
        "properties": {"a": {"type": "array", "items": {"type": "object", "properties": {"b": {"type": "null"}}}}},
    },
    {"type": "array", "items": [{"type": "integer"}, {"type": "string"}], "minItems": 1, "maxItems": 2},
    {"oneOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": "^a$"}]},
    {"oneOf": []},
    {"oneOf": {}},
    {
        "type": "string",
        "format": "date-time",
        "contentEncoding": "base64",
        "contentMediaType": "image/png",
        "minLength": 1,
    },
    {"type": "string", "enum": ["a", "a"]},
    {"type": "string", "enum": []},
    {"enum": [1, "1", None, True, [1], {"a": 1}]},
    {"type": "integer", "minimum": 5, "maximum": 1},
    {"type": "integer", "minimum": 0.5, "maximum": 9.5},
    {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 9},
    {"type": "number", "multipleOf": 0.1},
    {"type": "number", "multipleOf": 0},
    {"type": "number", "minimum": -1e308, "maximum": 1e308},
    {"type": "integer", "maximum": 18446744073709551615},
    {"type": "object", "required": ["missing"]},
    {"type": "object", "properties": {}, "required": []},
    {"type": "object", "properties": []},
    {"type": ["string", "null"]},
    {"type": "boolean", "enum": [True]},
    {"type": "whatever"},
    {"type": "array", "items": {}},
    {"type": "array", "items": []},
    {"unit": "om:degree_Celsius", "type": "number"},
    {"unit": "", "type": "number"},
    {"unit": 5},
    {"type": "null"},
    {"additionalProperties": False, "type": "object"},
    {"allOf": [{"type": "string"}]},
    {"$ref": "#/definitions/x"},
    {"type": "string", "pattern": "("},
    {"format": "", "type": "string"},
    {"readOnly": True, "writeOnly": True},
    {
        "type": "object",
        "properties": {
            "a": {"type": "number", "titles": {"de": "x"}, "@type": ["zz:A", "B"], "zz:b": [1, {"c": None}]}
        },
    },
    {"examples": [1, 2], "type": "integer"},
    {"maxLength": 10, "type": "integer"},
)


@variation
def a_schema(td: Document, chance: Random) -> None:
    a_property(td, chance).update(chance.choice(SCHEMAS))


@variation
def schemas_of_an_action(td: Document, chance: Random) -> None:
    td.setdefault("actions", {})["act"] = {
        "forms": [{"href": "act"}],
        "input": chance.choice(SCHEMAS),
        "output": chance.choice(SCHEMAS),
        "synchronous": True,
    }


@variation
def schemas_of_an_event(td: Document, chance: Random) -> None:
    td.setdefault("events", {})["happened"] = {
        "forms": [{"href": "e", "subprotocol": "sse"}],
        "data": chance.choice(SCHEMAS),
        "subscription": chance.choice(SCHEMAS),
        "cancellation": chance.choice(SCHEMAS),
        "dataResponse": chance.choice(SCHEMAS),
    }


@variation
def definitions_of_schemas(td: Document, chance: Random) -> None:
    td["schemaDefinitions"] = {"e": chance.choice(SCHEMAS), "a b": {"type": "string"}}
    td["profile"] = chance.choice(("https://w3c.example/profile", ["https://a.example", "https://b.example"], "", 5))


@variation
def odd_constants(td: Document, chance: Random) -> None:
    a_property(td, chance)[chance.choice(("const", "default"))] = chance.choice(ODD_VALUES)


@variation
def words_of_nobody(td: Document, chance: Random) -> None:
    for holder in (td, an_affordance(td, chance), a_form(td, chance)):
        holder["vendorField"] = chance.choice(ODD_VALUES)
        holder["x-" + chance.choice(ODD_NAMES)] = chance.choice(ODD_VALUES)
