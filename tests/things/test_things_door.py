"""At the door: what cannot be used is refused whole, with node, shape and remedy; small faults are listed."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine.errors import InputError, SyntaxFault, ThingRefused
from engine.graph.embedded import EmbeddedStore
from engine.graph.terms import PLACES, STATE, NamedNode, Quad, expand, node, python
from engine.things import checks, door
from engine.things.description import dialects, turtle
from engine.things.registry import Registry
from tests.things.descriptions import HOME, PREFIXES, admit, open_registry

P = 'td:title "x" ; td:hasPropertyAffordance'
OK = f'<ok> a td:Thing ; {P} [ td:name "on" ; a js:BooleanSchema ; hg:value true ] .'.replace('"x"', '"fine"')

REFUSED = {
    "a thing without address and name": ("[] a td:Thing .", "hg:ThingShape"),
    "a thing whose address is no name": (
        "<urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6> a td:Thing .",
        "hg:ThingShape",
    ),
    "an affordance without a name": (f"<x> a td:Thing ; {P} [ a js:BooleanSchema ] .", "hg:AffordanceShape"),
    "an affordance with two names": (f'<x> a td:Thing ; {P} [ td:name "a", "b" ] .', "hg:AffordanceShape"),
    "two properties of one name": (f'<x> a td:Thing ; {P} [ td:name "a" ] , [ td:name "a" ] .', "hg:UniqueNameShape"),
    "a form without a target": (f'<x> a td:Thing ; {P} [ td:name "a" ; td:hasForm [] ] .', "hg:FormShape"),
    "a form with two targets": (
        f'<x> a td:Thing ; {P} [ td:name "a" ; td:hasForm [ hctl:hasTarget <u>, <v> ] ] .',
        "hg:FormShape",
    ),
    "a method that is none": (
        f'<x> a td:Thing ; {P} [ td:name "a" ; td:hasForm [ hctl:hasTarget <u> ; htv:methodName "get it" ] ] .',
        "hg:FormShape",
    ),
    "a schema that contains itself": (
        f'<x> a td:Thing ; {P} [ td:name "a" ; js:properties :m ] . :m js:propertyName "m" ; js:properties :m .',
        "hg:SchemaTreeShape",
    ),
    "schemas that contain each other": (
        '<x> a td:Thing ; td:title "x" ; td:hasActionAffordance [ td:name "a" ; td:hasInputSchema :s ] . '
        ":s js:items :t . :t js:oneOf :s .",
        "hg:SchemaTreeShape",
    ),
    "bounds the wrong way round": (
        f'<x> a td:Thing ; {P} [ td:name "a" ; a js:NumberSchema ; js:minimum 9 ; js:maximum 1 ] .',
        "hg:BoundsShape",
    ),
    "bounds of a member the wrong way round": (
        '<x> a td:Thing ; td:title "x" ; td:hasActionAffordance [ td:name "a" ; td:hasInputSchema [ '
        'js:properties [ js:propertyName "m" ; a js:IntegerSchema ; js:minimum 9 ; js:maximum 1 ] ] ] .',
        "hg:BoundsShape",
    ),
    "a bound that is no number": (
        f'<x> a td:Thing ; {P} [ td:name "a" ; a js:NumberSchema ; js:minimum "NaN"^^xsd:double ] .',
        "hg:BoundsShape",
    ),
    "a bound that is a text": (
        f'<x> a td:Thing ; {P} [ td:name "a" ; a js:NumberSchema ; js:minimum "low" ] .',
        "hg:NumberShape",
    ),
    "two minima": (f'<x> a td:Thing ; {P} [ td:name "a" ; a js:NumberSchema ; js:minimum 1, 2 ] .', "hg:NumberShape"),
    "a member without a name": (
        '<x> a td:Thing ; td:title "x" ; td:hasActionAffordance [ td:name "a" ; td:hasInputSchema '
        "[ js:properties [ a js:NumberSchema ] ] ] .",
        "hg:ObjectShape",
    ),
    "an action with two inputs": (
        '<x> a td:Thing ; td:title "x" ; td:hasActionAffordance [ td:name "a" ; td:hasInputSchema '
        "[ a js:NumberSchema ] , [ a js:StringSchema ] ] .",
        "hg:ActionShape",
    ),
    "an effect of two forms": (
        '<x> a td:Thing ; td:title "x" ; td:hasActionAffordance [ td:name "a" ; hg:effect '
        "[ hg:kind hg:Power ; hg:to true ; hg:by 1 ] ] .",
        "hg:HasEffectsShape",
    ),
    "a state that is no number": (
        f'<x> a td:Thing ; {P} [ td:name "a" ; a js:NumberSchema ; hg:value "NaN"^^xsd:double ] .',
        "hg:StateShape",
    ),
    "a state of another type": (
        f'<x> a td:Thing ; {P} [ td:name "a" ; a js:NumberSchema ; hg:value "warm" ] .',
        "hg:StateShape",
    ),
    "a NaN within a state": (
        f'<x> a td:Thing ; {P} [ td:name "a" ; a js:ArraySchema ; hg:value "[1,NaN]"^^rdf:JSON ] .',
        "hg:StateShape",
    ),
    "two things in one document": (
        '<x> a td:Thing ; td:title "x" . <x#it> a td:Thing ; td:title "y" .',
        "hg:OneThingShape",
    ),
}


def contents(registry: Registry) -> dict[NamedNode, frozenset[Quad]]:
    return {name: frozenset(registry.store.graph(name)) for name in registry.store.graphs()}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_used_is_refused_whole(case: str) -> None:
    text, shape = REFUSED[case]
    registry = open_registry()
    before = contents(registry)
    with pytest.raises(ThingRefused) as refused:
        admit(registry, f"{OK}\n{text}")
    assert refused.value.shape == expand(shape)
    assert refused.value.node
    assert refused.value.remedy.endswith(".")
    assert refused.value.message.endswith(".")
    assert contents(registry) == before
    assert not registry.things


@pytest.mark.parametrize("case", REFUSED)
def test_the_compiled_shapes_and_pyshacl_find_the_same_faults(case: str) -> None:
    source = f"@base <{HOME}> .\n@prefix : <{HOME}#> .\n{PREFIXES}{REFUSED[case][0]}"
    facts = turtle.facts_of(turtle.parse_text(source.encode()))
    try:
        quads = dialects.normalise(facts, next(n for n in facts if facts[n].get(node("td:title")))).quads
    except (ThingRefused, StopIteration):
        return  # refused before there is anything to validate
    found = {(v.node, v.path, v.shape, v.message, v.remedy) for v in checks.compiled(quads)}
    assert found == {(v.node, v.path, v.shape, v.message, v.remedy) for v in checks.reported(quads)}


WARNED = {
    "no security": (OK, "says nothing of security"),
    "no title but a name": ('<x> a td:Thing ; rdfs:label "lamp" .', "is called 'lamp'"),
    "no title but a telling address": ("<lamp> a td:Thing .", "is called 'lamp'"),
    "no address but a title": ('[] a td:Thing ; td:title "old lamp" .', "was given one"),
    "a unit that nobody knows": (
        f'<x> a td:Thing ; {P} [ td:name "a" ; a js:NumberSchema ; schema:unitCode "furlong" ] .',
        "the unit 'furlong' is not known",
    ),
    "a state outside its range": (
        f'<x> a td:Thing ; {P} [ td:name "a" ; a js:NumberSchema ; js:maximum 10 ; hg:value 11 ] .',
        "is outside its range",
    ),
    "a state that is no option": (
        f'<x> a td:Thing ; {P} [ td:name "a" ; js:enum "on", "off" ; hg:value "dim" ] .',
        "is none of its options",
    ),
    "an operation that nobody knows": (
        f'<x> a td:Thing ; {P} [ td:name "a" ; td:hasForm [ hctl:hasTarget <u> ; hctl:hasOperationType "fly" ] ] .',
        "the operation 'fly' is not known",
    ),
    "a place that nobody describes": (
        '<x> a td:Thing ; td:title "x" ; hmas:isContainedIn <attic> .',
        "is called 'attic'",
    ),
    "two places": ('<x> a td:Thing ; td:title "x" ; hmas:isContainedIn <a>, <b> .', "said to be in 2 places"),
    "two JSON types": (
        f'<x> a td:Thing ; {P} [ td:name "a" ; a js:NumberSchema, js:StringSchema ] .',
        "several JSON types",
    ),
    "statements about nothing": ("<x> schema:price 3 .", "Left out"),
    "an empty file": ("", "nothing in it"),
}


@pytest.mark.parametrize("case", WARNED)
def test_small_faults_are_accepted_and_listed(case: str) -> None:
    text, warning = WARNED[case]
    assert any(warning in said for said in admit(open_registry(), text).warnings)


def test_a_good_description_has_no_warnings() -> None:
    report = admit(open_registry(), OK.replace('"fine" ;', '"fine" ; td:hasSecurityConfiguration "nosec_sc" ;'))
    assert report.warnings == ()


def test_a_thing_without_forms_is_legal() -> None:
    registry = open_registry()
    admit(registry, OK)
    assert registry.properties[f"{HOME}ok#properties/on"].forms == ()


def test_a_broken_file_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.ttl"
    path.write_text(f"{PREFIXES}{OK}\n<x> a td:Thing ;; td:title .\n", encoding="utf-8")
    with pytest.raises(SyntaxFault) as fault:
        door.load(EmbeddedStore.open(None), [path])
    assert (fault.value.source, fault.value.line) == (str(path), PREFIXES.count("\n") + 2)


@pytest.mark.parametrize("name", ["missing.ttl", "home.pdf"])
def test_a_file_that_cannot_be_read_is_refused_with_a_remedy(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError) as refused:
        door.load(EmbeddedStore.open(None), [tmp_path / name])
    assert refused.value.remedy


def test_the_files_before_a_refused_one_are_loaded(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.ttl", tmp_path / "bad.ttl"
    good.write_text(PREFIXES + OK, encoding="utf-8")
    bad.write_text(PREFIXES + "[] a td:Thing .", encoding="utf-8")
    store = EmbeddedStore.open(None)
    with pytest.raises(ThingRefused):
        door.load(store, [good, bad])
    assert [thing.title for thing in Registry(store).things.values()] == ["fine"]


def test_a_home_that_was_moved_is_the_same_home(tmp_path: Path) -> None:
    registry = open_registry()
    for name in ("here", "there"):
        path = tmp_path / name / "home.ttl"
        path.parent.mkdir()
        path.write_text(PREFIXES + OK, encoding="utf-8")
        door.load(registry.store, [path], registry=registry)
    assert len(registry.things) == 1


# State


def values(registry: Registry) -> dict[str, object]:
    quads = registry.store.graph(STATE)
    return {q.subject.value: python(q.object) for q in quads if q.predicate == node("hg:value")}  # type: ignore[union-attr, arg-type]


def test_state_comes_with_the_time_at_which_it_was_seen() -> None:
    registry = open_registry()
    admit(registry, OK)
    said = {q.predicate.value: q.object for q in registry.store.graph(STATE)}
    assert said.keys() == {expand("hg:value"), expand("hg:observedAt"), expand("hg:changedAt")}
    seen = datetime.fromisoformat(said[expand("hg:observedAt")].value)  # type: ignore[union-attr]
    assert (datetime.now(UTC) - seen).total_seconds() < 60


def test_a_reimport_without_state_keeps_the_state() -> None:
    registry = open_registry()
    admit(registry, OK)
    admit(registry, OK.replace(" ; hg:value true", ""))
    assert values(registry) == {f"{HOME}ok#properties/on": True}


def test_a_reimport_with_state_replaces_it() -> None:
    registry = open_registry()
    admit(registry, OK)
    admit(registry, OK.replace("true", "false"))
    assert values(registry) == {f"{HOME}ok#properties/on": False}
    assert len(registry.store.graph(STATE)) == 3


def test_state_may_come_in_a_file_of_its_own_under_any_address_of_the_property() -> None:
    registry = open_registry()
    admit(
        registry, '<x> a td:Thing ; td:title "x" ; td:hasPropertyAffordance :p . :p td:name "n" ; a js:NumberSchema .'
    )
    assert admit(registry, ":p hg:value 3 .").states == 1
    assert values(registry) == {f"{HOME}x#properties/n": 3}
    admit(registry, "<x#properties/n> hg:value 4 .")
    assert values(registry) == {f"{HOME}x#properties/n": 4}


def test_a_state_of_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="no such property"):
        admit(open_registry(), "<x#properties/n> hg:value 4 .")


def test_a_property_that_goes_takes_its_state_along() -> None:
    registry = open_registry()
    admit(registry, OK)
    admit(registry, '<ok> a td:Thing ; td:title "fine" .')
    assert values(registry) == {}


def test_values_keep_their_json_type() -> None:
    registry = open_registry()
    admit(
        registry,
        f"""<x> a td:Thing ; {P} [ td:name "a" ; a js:NumberSchema ; hg:value 2.5 ] ,
        [ td:name "b" ; a js:IntegerSchema ; hg:value 2.0 ] ,
        [ td:name "c" ; a js:ArraySchema ; hg:value "[1,2]"^^rdf:JSON ] ,
        [ td:name "d" ; a js:StringSchema ; hg:value "2" ] , [ td:name "e" ; a js:BooleanSchema ; hg:value false ] .""",
    )
    assert [values(registry)[f"{HOME}x#properties/{name}"] for name in "abcde"] == [2.5, 2, [1, 2], "2", False]


# Places


def test_places_are_read_in_all_spellings_of_containment() -> None:
    registry = open_registry()
    admit(
        registry,
        """
        <b> a bot:Building ; rdfs:label "house" ; bot:hasStorey <s> .
        <s> a bot:Storey ; schema:name "upstairs" ; hg:floor 1 ; bot:hasSpace <r> .
        <r> a hmas:Workspace ; td:title "east bedroom" ; skos:altLabel "nest" ; hmas:contains <nook> ;
            bot:containsElement <l> .
        <nook> a hg:Zone ; rdfs:label "reading nook" .
        <l> a td:Thing ; td:title "lamp" .
        <m> a td:Thing ; td:title "other lamp" ; hmas:isContainedIn <nook> .
    """,
    )
    places = registry.places
    found = {p.name: (p.parent and places[p.parent].name, p.floor) for p in places.values()}
    assert found == {
        "house": (None, None),
        "upstairs": ("house", 1),
        "east bedroom": ("upstairs", 1),
        "reading nook": ("east bedroom", 1),
    }
    room = places[f"{HOME}r"]
    assert (room.aliases, room.classes) == (("nest",), {expand("hg:Bedroom")})
    assert registry.things[f"{HOME}l"].place == f"{HOME}r"
    assert registry.things[f"{HOME}m"].place == f"{HOME}nook"


def test_of_several_places_the_innermost_is_taken() -> None:
    registry = open_registry()
    admit(
        registry,
        """
        <house> a hg:Home ; rdfs:label "house" ; hmas:contains <room>, <lamp> .
        <room> a hg:Study ; rdfs:label "study" ; hmas:contains <lamp> .
        <lamp> a td:Thing ; td:title "lamp" .
    """,
    )
    assert registry.things[f"{HOME}lamp"].place == f"{HOME}room"


def test_places_in_a_circle_are_refused() -> None:
    with pytest.raises(InputError, match="contains itself"):
        admit(open_registry(), "<a> a hg:Study ; hmas:contains <b> . <b> a hg:Study ; hmas:contains <a> .")


def test_what_else_is_said_of_a_place_is_kept() -> None:
    registry = open_registry()
    admit(registry, '<a> a hg:Study ; rdfs:label "study" ; hg:convention hg:X ; schema:size [ schema:value 12 ] .')
    said = {(q.predicate.value, q.object.value) for q in registry.store.graph(PLACES)}  # type: ignore[union-attr]
    assert (expand("hg:convention"), expand("hg:X")) in said
    assert (expand("schema:value"), "12") in said


def test_a_thing_may_be_put_into_a_place_of_an_earlier_file() -> None:
    registry = open_registry()
    admit(registry, '<a> a hg:Study ; rdfs:label "study" .')
    report = admit(registry, '<a> hmas:contains <l> . <l> a td:Thing ; td:title "l" .')
    assert registry.places[f"{HOME}a"].name == "study"
    assert registry.things[f"{HOME}l"].place == f"{HOME}a"
    assert not [warning for warning in report.warnings if "described" in warning or "no name" in warning]


def test_a_profile_of_a_thing_is_kept_with_it() -> None:
    registry = open_registry()
    admit(registry, '<x> a hmas:Artifact ; td:title "x" . <x#profile> a hmas:ResourceProfile ; hmas:isProfileOf <x> .')
    said = {q.object.value for q in registry.store.graph(NamedNode(f"{HOME}x"))}  # type: ignore[union-attr]
    assert expand("hmas:ResourceProfile") in said
