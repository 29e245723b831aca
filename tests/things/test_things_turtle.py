"""Descriptions in both dialects come to the same thing, and a thing comes back from its RDF as it went."""

from __future__ import annotations

import string
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.graph.terms import NamedNode, expand, node
from engine.model.thing import Action, Event, Form, Part, Property, Schema, Thing
from engine.model.thing_rdf import action_iri, describe, document_iri, event_iri, part_iri, property_iri
from engine.model.vocabulary import Effect
from engine.model.vocabulary import Form as EffectForm
from engine.things import door
from engine.things.description import dialects, turtle
from tests.things.descriptions import HOME, PREFIXES, admit, one_thing, open_registry

W3C = """
<lamp> a td:Thing, hg:Light ; td:title "lamp"@en ; td:baseURI "http://hub.example/lamp/"^^xsd:anyURI ;
    td:definesSecurityScheme <lamp#nosec> ; td:hasSecurityConfiguration "nosec_sc" ;
    td:hasPropertyAffordance <lamp#properties/mode> ; td:hasActionAffordance <lamp#actions/set> .
<lamp#nosec> a wotsec:NoSecurityScheme .
<lamp#properties/mode> a td:PropertyAffordance, js:StringSchema ; td:name "mode" ; js:enum "low", "mid", "high" ;
    td:isObservable true ; td:hasForm [ hctl:hasTarget "mode"^^xsd:anyURI ; htv:methodName "GET" ;
        hctl:hasOperationType td:readProperty ; hctl:forSubProtocol "sse" ] .
<lamp#actions/set> a td:ActionAffordance ; td:name "set" ;
    td:hasInputSchema [ a js:ObjectSchema ; js:required "to", "for" ;
        js:properties [ a js:NumberSchema ; js:propertyName "to" ; js:minimum 0e0 ; js:maximum 1e2 ] ,
                      [ a js:IntegerSchema ; js:propertyName "for" ; js:minimum 1 ] ] ;
    td:hasForm [ hctl:hasTarget "set"^^xsd:anyURI ; htv:methodName "POST" ; hctl:hasOperationType td:invokeAction ] .
"""
PAPERS = """
<lamp> a hmas:Artifact, hg:Light ; td:title "lamp" ; td:hasBase <http://hub.example/lamp/> ;
    td:hasSecurityConfiguration [ a wotsec:NoSecurityScheme ] ;
    td:hasPropertyAffordance [ a td:PropertyAffordance ; td:name "mode" ; td:isObservable true ;
        td:hasOutputSchema [ a js:StringSchema ; js:enum ( "low" "mid" "high" ) ] ;
        td:hasForm [ hctl:hasTarget <http://hub.example/lamp/mode> ; htv:methodName "GET" ;
            hctl:hasOperationType "readproperty" ; hctl:hasSubProtocol "sse" ] ] ;
    td:hasActionAffordance [ a td:ActionAffordance ; td:name "set" ;
        td:hasInputSchema [ a js:ObjectSchema ; js:required ( "to" "for" ) ;
            js:properties [ a js:NumberSchema ; td:name "to" ; js:minimum 0 ; js:maximum 100 ] ,
                          [ a js:IntegerSchema ; js:propertyName "for" ; js:minimum 1 ] ] ;
        td:hasForm [ hctl:hasTarget <http://hub.example/lamp/set> ; htv:methodName "POST" ;
            hctl:hasOperationType "invokeaction" ] ] .
"""


def test_both_dialects_describe_the_same_thing() -> None:
    assert one_thing(W3C) == one_thing(PAPERS)


def test_options_and_members_keep_the_order_of_the_file() -> None:
    lamp = one_thing(W3C)
    assert lamp.properties[0].schema.enum == ("low", "mid", "high")
    assert lamp.actions[0].input is not None
    assert [name for name, _ in lamp.actions[0].input.properties] == ["to", "for"]


def test_relative_targets_are_resolved_against_the_base() -> None:
    assert one_thing(W3C).properties[0].forms[0].target == "http://hub.example/lamp/mode"


def test_without_a_base_targets_are_resolved_against_the_document() -> None:
    lamp = one_thing(W3C.replace('td:baseURI "http://hub.example/lamp/"^^xsd:anyURI ;', ""))
    assert lamp.properties[0].forms[0].target == "http://home.example/mode"


def test_a_relative_iri_of_a_form_is_resolved_against_the_base() -> None:
    text = PAPERS.replace("<http://hub.example/lamp/mode>", "<mode>")
    registry = open_registry()
    door.admit(registry, turtle.parse_text((PREFIXES + text).encode()))
    assert next(iter(registry.properties.values())).forms[0].target == "http://hub.example/lamp/mode"


def test_affordances_have_the_same_addresses_whatever_the_file_called_them() -> None:
    named = one_thing(
        '<lamp> a td:Thing ; td:title "x" ; td:hasPropertyAffordance :p . :p td:name "on" ; a js:BooleanSchema .'
    )
    blank = one_thing(
        '<lamp> a td:Thing ; td:title "x" ; td:hasPropertyAffordance [ td:name "on" ; a js:BooleanSchema ] .'
    )
    assert named.properties[0].iri == blank.properties[0].iri == f"{HOME}lamp#properties/on"


def test_the_address_that_an_author_gave_is_kept_beside() -> None:
    registry = open_registry()
    admit(
        registry,
        '<lamp> a td:Thing ; td:title "x" ; td:hasPropertyAffordance :p . :p td:name "on" ; a js:BooleanSchema .',
    )
    assert registry.renamed([NamedNode(f"{HOME}#p")]) == {f"{HOME}#p": f"{HOME}lamp#properties/on"}


def test_a_device_that_nobody_has_listed() -> None:
    skylight = one_thing("""
        :skylight a td:Thing ; td:hasPropertyAffordance :shade ; td:hasActionAffordance :roll .
        :shade a hg:Position ; hg:part :skylight ; hg:inverted true ; js:minimum 0 ; js:maximum 50 .
        :roll a hg:Open ; hg:part :skylight .
    """)
    (shade,), (roll,) = skylight.properties, skylight.actions
    assert skylight.title == "skylight"
    assert (shade.name, shade.inverted, shade.schema.type, shade.schema.maximum) == ("shade", True, "number", 50)
    assert (roll.name, roll.commands) == ("roll", {expand("hg:Open")})
    assert shade.part == roll.part == skylight.iri == f"{HOME}#skylight"


def test_parts_have_affordances_of_their_own_under_their_path() -> None:
    thing = one_thing("""
        <fl> a td:Thing, hg:FanLight ; td:title "fan light" ; hg:hasPart :l, [ hg:path "fan" ; a hg:Fan ;
                td:hasPropertyAffordance [ td:name "state" ; a js:BooleanSchema ] ] ;
            td:hasPropertyAffordance [ td:name "light.state" ; hg:part :l ; a js:BooleanSchema ] .
        :l hg:path "light" ; a hg:Light ; td:title "the light of it"@en .
    """)
    assert [(part.path, part.iri) for part in thing.parts] == [
        ("", f"{HOME}fl"),
        ("fan", f"{HOME}fl#parts/fan"),
        ("light", f"{HOME}fl#parts/light"),
    ]
    assert [(p.name, p.iri, p.part) for p in thing.properties] == [
        ("fan.state", f"{HOME}fl#properties/fan.state", f"{HOME}fl#parts/fan"),
        ("light.state", f"{HOME}fl#properties/light.state", f"{HOME}fl#parts/light"),
    ]


def test_effects_of_a_thing_are_read_in_all_five_forms() -> None:
    thing = one_thing("""
        <x> a td:Thing ; td:title "x" ; td:hasPropertyAffordance :p ; td:hasActionAffordance [ td:name "go" ; hg:effect
            [ hg:kind hg:Playback ; hg:to hg:Playing ] , [ hg:property :p ; hg:toBound js:maximum ] ,
            [ hg:kind hg:Volume ; hg:by -10 ] , [ hg:kind hg:Power ; hg:toNext 1 ] ,
            [ hg:kind hg:Volume ; hg:toInput hg:Volume ] ] .
        :p td:name "level" ; a js:NumberSchema .
    """)
    assert set(thing.actions[0].effects) == {
        Effect(expand("hg:Playback"), EffectForm.TO, expand("hg:Playing")),
        Effect("", EffectForm.TO_BOUND, "maximum", f"{HOME}x#properties/level"),
        Effect(expand("hg:Volume"), EffectForm.BY, -10),
        Effect(expand("hg:Power"), EffectForm.TO_NEXT, 1),
        Effect(expand("hg:Volume"), EffectForm.TO_INPUT, expand("hg:Volume")),
    }


def test_headers_of_a_form_keep_their_order() -> None:
    thing = one_thing("""
        <x> a td:Thing ; td:title "x" ; td:hasActionAffordance [ td:name "go" ; td:hasForm [ hctl:hasTarget <u> ;
            htv:headers ( [ htv:fieldName "B" ; htv:fieldValue "2" ] [ htv:fieldName "A" ; htv:fieldValue "1" ] ) ] ] .
    """)
    assert thing.actions[0].forms[0].headers == (("B", "2"), ("A", "1"))


def test_a_schema_without_a_type_has_the_one_that_its_terms_tell() -> None:
    thing = one_thing("""
        <x> a td:Thing ; td:title "x" ; td:hasPropertyAffordance [ td:name "a" ; js:minimum 1 ] ,
            [ td:name "b" ; js:enum "x", "y" ] , [ td:name "c" ; js:properties [ js:propertyName "d" ] ] ,
            [ td:name "e" ; js:items [ a js:StringSchema ] ] , [ td:name "f" ] .
    """)
    assert [p.schema.type for p in thing.properties] == ["number", "string", "object", "array", None]


def test_further_names_are_aliases_and_foreign_titles_are_kept() -> None:
    registry = open_registry()
    admit(
        registry,
        '<x> a td:Thing ; td:title "lamp"@en, "Lampe"@de ; rdfs:label "the old lamp" ; skos:altLabel "glow"@en .',
    )
    (thing,) = registry.things.values()
    assert (thing.title, thing.aliases) == ("lamp", ("glow", "the old lamp"))
    said = {(q.predicate, q.object.value) for q in registry.store.graph(NamedNode(thing.document))}  # type: ignore[union-attr]
    assert (node("td:titleInLanguage"), "Lampe") in said


def test_what_is_not_known_is_kept_in_the_graph_of_the_thing() -> None:
    registry = open_registry()
    admit(
        registry,
        """
        <x> a td:Thing, saref:Device ; td:title "x" ;
            schema:manufacturer [ schema:legalName "Acme" ; schema:url <acme> ] ;
            td:hasLink [ hctl:hasTarget <manual> ; hctl:hasRelationType "help" ] ;
            td:hasPropertyAffordance [ td:name "on" ; a js:BooleanSchema ; saref:relatesTo <y> ] .
        <acme> rdfs:comment "a maker" .
    """,
    )
    said = {(q.predicate.value, q.object.value) for q in registry.store.graph(NamedNode(f"{HOME}x"))}  # type: ignore[union-attr]
    assert (expand("schema:legalName"), "Acme") in said
    assert (expand("rdfs:comment"), "a maker") in said
    assert (expand("hctl:hasRelationType"), "help") in said
    assert (expand("hctl:hasTarget"), f"{HOME}manual") in said
    assert (expand("saref:relatesTo"), f"{HOME}y") in said
    assert expand("saref:Device") in registry.things[f"{HOME}x"].classes


def test_there_is_no_blank_node_in_a_description() -> None:
    registry = open_registry()
    admit(registry, PAPERS)
    terms = {t for q in registry.store.graph(NamedNode(f"{HOME}lamp")) for t in (q.subject, q.object)}
    assert not [term for term in terms if type(term).__name__ == "BlankNode"]


@pytest.mark.parametrize(
    ("thing", "document"),
    [
        ("http://a.example/lamp", "http://a.example/lamp"),
        ("http://a.example/lamp#it", "http://a.example/lamp"),
        ("http://a.example/lamp#", "http://a.example/lamp"),
        ("http://a.example/lamp/#artifact", "http://a.example/lamp/"),
        ("http://a.example/home#lamp", "http://a.example/home/lamp"),
        ("urn:uuid:1f", "urn:uuid:1f"),
    ],
)
def test_each_thing_has_a_document_of_its_own(thing: str, document: str) -> None:
    assert document_iri(thing) == document


# What goes out comes back

KINDS = st.frozensets(st.sampled_from([expand(f"hg:{n}") for n in ("Power", "Brightness", "Position")]), max_size=2)
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=8)
NAME = st.text(string.ascii_lowercase + "_", min_size=1, max_size=6)
NUMBER = st.floats(allow_nan=False, allow_infinity=False, width=32) | st.integers(-1000, 1000)
VALUE = st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | TEXT | st.lists(st.integers(), max_size=2)


@st.composite
def schemas(draw: st.DrawFn, depth: int = 2) -> Schema:
    kind = draw(st.sampled_from(["number", "integer", "string", "boolean", "object", "array", None]))
    schema = Schema(type=kind, kinds=draw(KINDS), unit=draw(st.none() | TEXT), read_only=draw(st.booleans()))
    if kind in ("number", "integer"):
        bound = st.integers(-1000, 1000) if kind == "integer" else NUMBER
        schema = replace(schema, minimum=draw(st.none() | bound), exclusive_maximum=draw(st.none() | bound))
    if kind == "string":
        options = draw(st.lists(TEXT, max_size=4, unique=True))
        schema = replace(schema, enum=tuple(options), max_length=draw(st.none() | st.integers(0, 99)))
    if kind == "object" and depth:
        members = draw(st.dictionaries(NAME, schemas(depth - 1), max_size=3))
        named = tuple((name, replace(member, name=name)) for name, member in members.items())
        schema = replace(schema, properties=named, required=frozenset(list(members)[:1]))
    if kind == "array" and depth:
        schema = replace(schema, items=(draw(schemas(depth - 1)),), min_items=draw(st.none() | st.integers(0, 9)))
    if draw(st.booleans()):
        schema = replace(schema, has_default=True, default=draw(VALUE), description=draw(st.none() | TEXT))
    return schema


@st.composite
def forms(draw: st.DrawFn, operation: str) -> tuple[Form, ...]:
    if draw(st.booleans()):
        return ()
    headers = draw(st.lists(st.tuples(NAME, TEXT), max_size=2))
    method = draw(st.sampled_from([None, "GET", "PUT"]))
    return (Form("http://a.example/x", (expand(f"td:{operation}"),), method, headers=tuple(headers)),)


@st.composite
def things(draw: st.DrawFn) -> Thing:
    iri = draw(st.sampled_from(["http://a.example/t", "urn:t", "http://a.example/h#t"]))
    document = document_iri(iri)
    classes = frozenset({expand("hg:Light")})
    parts = [Part(iri, "", classes, title := draw(TEXT))]
    if draw(st.booleans()):
        parts.append(Part(part_iri(document, "fan"), "fan", frozenset({expand("hg:Fan")}), "fan"))
    names = draw(st.lists(NAME, max_size=3, unique=True))
    properties, actions, events = [], [], []
    for name in sorted(names):
        part = draw(st.sampled_from(parts))
        path = f"{part.path}.{name}" if part.path else name
        schema = replace(draw(schemas()), description=None)
        form = draw(forms("readProperty"))
        prop = Property(
            property_iri(document, path), path, part.iri, schema, schema.kinds, draw(st.booleans()), forms=form
        )
        properties.append(prop)
        commands = frozenset({expand("hg:TurnOn")})
        given_schema = draw(st.none() | schemas())
        actions.append(
            Action(
                action_iri(document, path), path, part.iri, commands, given_schema, forms=draw(forms("invokeAction"))
            )
        )
        events.append(Event(event_iri(document, path), path, part.iri, draw(st.none() | schemas())))
    return Thing(
        iri,
        document,
        title,
        tuple(parts),
        tuple(sorted(properties, key=lambda p: p.name)),
        tuple(sorted(actions, key=lambda a: a.name)),
        tuple(sorted(events, key=lambda e: e.name)),
        place=draw(st.none() | st.just("http://a.example/room")),
        aliases=tuple(sorted(draw(st.sets(TEXT, max_size=2)) - {title})),
    )


@given(things())
def test_a_thing_comes_back_from_its_rdf_as_it_went(thing: Thing) -> None:
    assert turtle.read(thing.document, turtle.facts_of(describe(thing))) == thing


@given(things())
def test_a_canonical_description_is_not_changed_when_it_is_read_again(thing: Thing) -> None:
    quads = describe(thing)
    again = dialects.normalise(turtle.facts_of(quads), NamedNode(thing.iri))
    assert turtle.read(again.document, again.facts) == thing
    assert set(quads) <= set(again.quads)
