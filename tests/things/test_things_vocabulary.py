"""The vocabulary as records: what is inherited, what is read, what comes first."""

from __future__ import annotations

from functools import cache

from engine.graph.embedded import EmbeddedStore
from engine.graph.terms import expand
from engine.model.vocabulary import Effect, Form, Vocabulary
from engine.things.description import turtle
from engine.things.ontology import vocabulary
from tests.things.descriptions import HOME, PREFIXES


def read(text: str) -> Vocabulary:
    triples = turtle.parse_text(f"@prefix : <{HOME}> .\n{PREFIXES}{text}".encode())
    return vocabulary.read(triples)


@cache
def shipped() -> Vocabulary:
    return vocabulary.load(EmbeddedStore.open(None))


def test_a_class_is_itself_and_all_that_is_above_it() -> None:
    words = read(":a rdfs:subClassOf :b . :b rdfs:subClassOf :c, :a .")
    assert words.ancestors[f"{HOME}a"] == {f"{HOME}{name}" for name in "abc"}
    assert words.is_a(f"{HOME}a", f"{HOME}c")
    assert words.is_a("urn:unknown", "urn:unknown")


def test_effects_have_one_of_five_forms() -> None:
    words = read("""
        :c a hg:Command ; hg:effect [ hg:kind :k ; hg:to true ] , [ hg:kind :k ; hg:to :v ] ,
            [ hg:kind :k ; hg:by -10 ] ,
            [ hg:kind :k ; hg:toBound js:minimum ] , [ hg:kind :k ; hg:toInput :k ] , [ hg:kind :k ; hg:toNext 1 ] .
    """)
    kind = f"{HOME}k"
    assert set(words.commands[f"{HOME}c"].effects) == {
        Effect(kind, Form.TO, True),
        Effect(kind, Form.TO, f"{HOME}v"),
        Effect(kind, Form.BY, -10),
        Effect(kind, Form.TO_BOUND, "minimum"),
        Effect(kind, Form.TO_INPUT, kind),
        Effect(kind, Form.TO_NEXT, 1),
    }


def test_a_command_without_effects_has_those_of_the_class_above() -> None:
    words = read(""":a a hg:Command, hg:Regrettable ; hg:effect [ hg:kind :k ; hg:to true ] .
        :b a hg:Command ; rdfs:subClassOf :a .
        :c a hg:Command ; rdfs:subClassOf :b ; hg:effect [ hg:kind :k ; hg:to 1 ] .""")
    assert words.commands[f"{HOME}b"].effects == words.commands[f"{HOME}a"].effects
    assert words.commands[f"{HOME}c"].effects == (Effect(f"{HOME}k", Form.TO, 1),)
    assert words.commands[f"{HOME}b"].regrettable
    assert {f"{HOME}a", f"{HOME}b", f"{HOME}c"} <= words.regrettable


def test_main_kinds_are_inherited_and_the_first_is_first() -> None:
    words = read("""
        :d a hg:DeviceClass ; hg:firstKind :z ; hg:mainKind :a, :z, :m .
        :e a hg:DeviceClass ; rdfs:subClassOf :d . :f a hg:DeviceClass ; rdfs:subClassOf :e ; hg:mainKind :q .
    """)
    assert words.main_kinds[f"{HOME}e"] == tuple(f"{HOME}{name}" for name in "zam")
    assert words.main_kinds[f"{HOME}f"] == (f"{HOME}q",)


def test_kinds_know_their_units_words_steps_and_influences() -> None:
    words = read("""
        :k a hg:Kind ; hg:unit hg:Percent ; hg:step 5 ; hg:high "open", "up" ; hg:low "shut" ; hg:settable false ;
            hg:measures :v ; hg:influence [ hg:variable :v ; hg:direction -1 ; hg:gain 2.5 ; hg:when :w ; hg:of :d ] .
    """)
    kind = words.kinds[f"{HOME}k"]
    assert (kind.unit, kind.default_step, kind.settable, kind.measures) == (
        expand("hg:Percent"),
        5.0,
        False,
        f"{HOME}v",
    )
    assert (kind.high, kind.low) == ({"open", "up"}, {"shut"})
    (influence,) = kind.influences
    assert (influence.direction, influence.gain, influence.when, influence.of) == (-1, 2.5, f"{HOME}w", f"{HOME}d")


def test_values_of_every_class_of_values_are_read() -> None:
    words = read("""
        hg:Mode rdfs:subClassOf hg:Value . hg:Colour rdfs:subClassOf hg:Value .
        :m a hg:Mode ; skos:notation "eco", "save" ; hg:ofKind :k .
        :c a hg:Colour ; hg:rgb "255,137,18" ; hg:number 2000 ; hg:unit hg:Kelvin . :l a hg:Value ; hg:level 0.25 .
    """)
    assert words.values[f"{HOME}m"].notations == {"eco", "save"}
    assert words.values[f"{HOME}m"].kinds == {f"{HOME}k"}
    assert words.values[f"{HOME}c"].rgb == (255, 137, 18)
    assert (words.values[f"{HOME}c"].number, words.values[f"{HOME}l"].level) == (2000, 0.25)


def test_the_word_to_speak_comes_first_and_words_of_other_languages_are_left_out() -> None:
    words = read(
        'hg:X skos:altLabel "b"@en, "a"@en ; skos:prefLabel "z"@en, "ö"@de ; skos:hiddenLabel "h"@en ;'
        'skos:notation "N" .'
    )
    assert words.labels[expand("hg:X")] == ("z", "a", "b", "h", "N")
    assert words.name(expand("hg:X")) == "z"
    assert words.name("http://a.example/things#Other") == "Other"


def test_the_shipped_vocabulary_has_what_a_home_needs() -> None:
    words = shipped()
    assert len(words.kinds) > 50
    assert len(words.commands) > 50
    assert expand("hg:Celsius") in words.units
    assert words.confined[expand("hg:AcMode")] == {expand("hg:ClimateDevice")}
    assert words.is_a(expand("hg:DeskLamp"), expand("hg:Light"))
