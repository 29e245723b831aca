"""The knowledge of the engine: that it parses, hangs together, and has words for everything."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import chain
from pathlib import Path

import pyoxigraph
import pyshacl
import pytest
import rdflib
from rdflib import OWL, RDF, RDFS, SH, SKOS

from engine.errors import HearthgraphError
from engine.graph.terms import NAMESPACES
from engine.language.chart.heard.tongues import languages
from engine.language.words.lexicon import phrase

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "ontology").rglob("*.ttl"))
HG = rdflib.Namespace(NAMESPACES["hg"])
VERBS = ("Command", "LightVerb")
NOUNS = ("DeviceClass", "Kind", "PlaceClass", "Unit", "Variable")
ADJECTIVES = ("Level", "Mode", "Colour", "WorkState", "StateWord", "Complaint")
SPOKEN = (*VERBS, *NOUNS, *ADJECTIVES, "Relative", "Reason")
FORMS = (HG.to, HG.toInput, HG.toBound, HG.by, HG.toNext)

# Words that are a verb and something else, because people use them so. A new one needs a reason.
SHARED = {
    "the thing is named after what it does": "bolt deadbolt hoover latch lift lock switch vacuum",
    "the setting is named after what it does": "angle mute position repeat shuffle sound swing tilt",
    "the mode is named after what it does": "bake broil defrost dry grill mop program reheat roast steam sweep toast",
    "the state is named after what brings it about": "empty open reverse shut lower",
    "one word, two meanings, both common": "charge peg place update",
}


@pytest.fixture(scope="module")
def ontology() -> rdflib.Graph:
    graph = rdflib.Graph()
    for file in FILES:
        graph.parse(file)
    return graph


@pytest.fixture(scope="module")
def shapes() -> rdflib.Graph:
    return rdflib.Graph().parse(ROOT / "shapes" / "vocabulary.ttl")


def name(term: rdflib.term.Node) -> str:
    return str(term).rpartition("#")[2]


def instances(graph: rdflib.Graph, classes: Iterable[str]) -> set[rdflib.term.Node]:
    return {term for cls in classes for term in graph.subjects(RDF.type, HG[cls])}


def ancestors(graph: rdflib.Graph, term: rdflib.term.Node) -> set[rdflib.term.Node]:
    return {above for above in graph.transitive_objects(term, RDFS.subClassOf) if above is not None}


def heard(graph: rdflib.Graph, classes: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The labels that are listened for, in dictionary form, with the term they name."""
    for term in instances(graph, classes):
        for label in chain(graph.objects(term, SKOS.prefLabel), graph.objects(term, SKOS.altLabel)):
            yield " ".join(phrase(str(label))), name(term)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_two_parsers_read_the_same_from_each_file(file: Path) -> None:
    triples = list(pyoxigraph.parse(file.read_bytes(), pyoxigraph.RdfFormat.TURTLE))
    assert len(triples) == len(rdflib.Graph().parse(file)) > 0


def test_every_term_of_ours_that_is_used_is_declared(ontology: rdflib.Graph) -> None:
    used = {term for triple in ontology for term in triple if str(term).startswith(str(HG)) and "/" not in name(term)}
    assert {name(term) for term in used - set(ontology.subjects(RDF.type, None))} == set()


def test_every_class_that_things_can_have_is_an_owl_class(ontology: rdflib.Graph) -> None:
    classes = instances(ontology, ["DeviceClass", "Kind", "Command", "PlaceClass"])
    assert {name(cls) for cls in classes if (cls, RDF.type, OWL.Class) not in ontology} == set()


@pytest.mark.parametrize("cls", SPOKEN)
def test_everything_that_is_spoken_of_has_one_preferred_label(ontology: rdflib.Graph, cls: str) -> None:
    terms = instances(ontology, [cls])
    assert terms
    assert {name(t) for t in terms if len(list(ontology.objects(t, SKOS.prefLabel))) != 1} == set()


def test_a_label_is_said_once_for_its_term_in_english_or_a_language_that_has_a_folder(ontology: rdflib.Graph) -> None:
    for term in set(ontology.subjects(SKOS.prefLabel, None)):
        labels = [label for kind in (SKOS.prefLabel, SKOS.altLabel) for label in ontology.objects(term, kind)]
        assert {getattr(label, "language", None) for label in labels} - set(languages()) == {"en"}, term
        assert len(set(labels)) == len(labels), term
        assert all(str(label) == " ".join(str(label).split()) for label in labels), term


def test_a_verb_is_no_other_part_of_speech_but_for_the_listed_ones(ontology: rdflib.Graph) -> None:
    verbs = {label for label, _ in heard(ontology, VERBS)}
    others = {label for label, _ in heard(ontology, NOUNS + ADJECTIVES)}
    listed = {word for words in SHARED.values() for word in words.split()}
    assert verbs & others == listed


def test_no_word_means_two_classes_of_devices_or_places_unless_one_lies_in_the_other(ontology: rdflib.Graph) -> None:
    meanings: dict[str, set[str]] = defaultdict(set)
    for cls in ("DeviceClass", "PlaceClass"):
        for label, term in heard(ontology, [cls]):
            meanings[label].add(term)
    above = {term: {name(a) for a in ancestors(ontology, HG[term])} for terms in meanings.values() for term in terms}
    apart = {
        label: terms
        for label, terms in meanings.items()
        if any(one not in above[other] and other not in above[one] for one in terms for other in terms)
    }
    assert apart == {}


def test_an_effect_has_exactly_one_form_and_a_declared_kind(ontology: rdflib.Graph) -> None:
    kinds = instances(ontology, ["Kind"])
    for subject, effect in chain(ontology.subject_objects(HG.effect), ontology.subject_objects(HG.regret)):
        assert sum(1 for form in FORMS for _ in ontology.objects(effect, form)) == 1, subject
        assert set(ontology.objects(effect, HG.kind)) <= kinds, subject


def test_the_first_of_several_main_kinds_is_one_of_them(ontology: rdflib.Graph) -> None:
    kinds = instances(ontology, ["Kind"])
    for cls in instances(ontology, ["DeviceClass"]):
        main = set(ontology.objects(cls, HG.mainKind))
        first = set(ontology.objects(cls, HG.firstKind))
        assert first <= main <= kinds, cls
        assert len(first) == min(1, len(main)), cls


def test_every_kind_that_can_be_set_has_a_command_that_sets_it(ontology: rdflib.Graph) -> None:
    false = rdflib.Literal(False)
    commands = instances(ontology, ["Command"])
    affected = {k for c in commands for e in ontology.objects(c, HG.effect) for k in ontology.objects(e, HG.kind)}
    settable = {k for k in instances(ontology, ["Kind"]) if (k, HG.settable, false) not in ontology}
    assert {name(kind) for kind in settable if not ancestors(ontology, kind) & affected} == set()


def test_the_two_ends_of_a_kind_are_not_spelt_alike(ontology: rdflib.Graph) -> None:
    for kind in instances(ontology, ["Kind"]):
        assert not set(ontology.objects(kind, HG.high)) & set(ontology.objects(kind, HG.low)), kind


def test_classes_do_not_go_round_in_circles(ontology: rdflib.Graph) -> None:
    for term in set(ontology.subjects(RDFS.subClassOf, None)):
        above = chain.from_iterable(ancestors(ontology, parent) for parent in ontology.objects(term, RDFS.subClassOf))
        assert term not in set(above), term


def test_something_bears_on_each_variable_that_is_complained_of(ontology: rdflib.Graph) -> None:
    moved = {
        v for _, influence in ontology.subject_objects(HG.influence) for v in ontology.objects(influence, HG.variable)
    }
    complained_of = {v for c in instances(ontology, ["Complaint"]) for v in ontology.objects(c, HG.variable)}
    assert complained_of <= moved


def test_opening_the_house_and_lighting_the_oven_are_regrettable_and_closing_is_not(ontology: rdflib.Graph) -> None:
    regretted = {name(term) for term in ontology.subjects(RDF.type, HG.Regrettable)}
    assert {"Unlock", "Disarm", "GarageDoor", "Gate", "Valve", "Oven", "Lock", "AlarmPanel"} <= regretted
    assert not {"Light", "Curtain", "LockUp", "Arm", "Close", "TurnOff"} & regretted


def test_a_reason_has_a_code_of_its_own_and_every_error_a_reason(ontology: rdflib.Graph) -> None:
    reasons = instances(ontology, ["Reason"])
    codes = [str(code) for reason in reasons for code in ontology.objects(reason, SKOS.notation)]
    assert len(codes) == len(set(codes)) == len(reasons)
    import_module("server.application")
    assert {error.reason for error in every_subclass(HearthgraphError)} <= set(codes)


def every_subclass(cls: type[HearthgraphError]) -> Iterator[type[HearthgraphError]]:
    yield cls
    for below in cls.__subclasses__():
        yield from every_subclass(below)


def test_every_reason_code_in_the_engine_is_in_the_scheme(ontology: rdflib.Graph) -> None:
    codes = {
        str(code) for reason in instances(ontology, ["Reason"]) for code in ontology.objects(reason, SKOS.notation)
    }
    found = set()
    for file in (ROOT / "engine").rglob("*.py"):
        found |= set(re.findall(r"""\b(?:reason|fault)\s*=\s*"([a-z_]+)\"""", file.read_text(encoding="utf-8")))
    assert found - codes == set()


def test_the_ontology_conforms_to_the_shapes_of_a_vocabulary(ontology: rdflib.Graph, shapes: rdflib.Graph) -> None:
    conforms, _, report = pyshacl.validate(ontology, shacl_graph=shapes)
    assert conforms, report


# What is wrong, in Turtle, and what the report says of it.
FAULTS = (
    ('hg:Blink a hg:Command .', "one prefLabel in English"),
    ('hg:Light skos:prefLabel "lantern"@en .', "one prefLabel in English"),
    ('hg:Light skos:altLabel "lumière" .', "A label has a language"),
    ('hg:A a hg:Command ; hg:effect [ hg:kind hg:Power ; hg:to true ; hg:by 1 ] .', "exactly one of hg:to"),
    ('hg:A a hg:Command ; hg:effect [ hg:kind hg:Power ] .', "exactly one of hg:to"),
    ('hg:A a hg:Command ; hg:effect [ hg:kind hg:Position ; hg:by 1 ; hg:gain 2 ] .', "exactly one of hg:to"),
    ('hg:A a hg:Command ; hg:effect [ hg:kind hg:Light ; hg:to true ] .', "exactly one declared kind"),
    ('hg:A a hg:Command ; hg:effect [ hg:kind hg:Power ; hg:to hg:Light ] .', "to a literal or to a named value"),
    ('hg:A a hg:Command ; hg:effect [ hg:kind hg:Power ; hg:toInput hg:Light ] .', "An input is found by its kind"),
    ('hg:A a hg:Command ; hg:effect [ hg:kind hg:Position ; hg:toBound hg:Maximum ] .', "A bound is"),
    ('hg:A a hg:Command ; hg:effect [ hg:kind hg:Position ; hg:by "far" ] .', "takes a number"),
    ('hg:A a hg:Command ; hg:effect [ hg:kind hg:Power ; hg:toNext 2 ] .', "hg:toNext is 1 or -1"),
    ('hg:A hg:influence [ hg:variable hg:Noise ; hg:gain 1 ] .', "An influence has a direction"),
    ('hg:A hg:influence [ hg:variable hg:Light ; hg:direction 1 ; hg:gain 1 ] .', "one declared variable"),
    ('hg:A hg:influence [ hg:variable hg:Noise ; hg:direction 1 ; hg:gain -1 ] .', "a gain above 0"),
    ('hg:A hg:influence [ hg:variable hg:Noise ; hg:direction 1 ; hg:gain 1 ; hg:when 1 ] .', "declared condition"),
    ('hg:Light hg:mainKind hg:Light .', "A main kind is declared"),
    ('hg:B a hg:DeviceClass ; skos:prefLabel "b"@en .', "descends from hg:Device"),
    ('hg:C a hg:PlaceClass ; skos:prefLabel "c"@en .', "descends from hg:Place"),
    ('hg:Fan a hg:Regrettable .', "what would be regretted"),
    ('hg:Noise hg:unit hg:Light .', "The unit of a kind is declared"),
    ('hg:D a hg:Level ; skos:prefLabel "d"@en ; hg:level 1.2 .', "lies between 0 and 1"),
    ('hg:E a hg:Colour ; skos:prefLabel "e"@en ; hg:rgb "red" .', "three numbers"),
    ('hg:F a hg:StateWord ; skos:prefLabel "f"@en .', "at least one effect"),
    ('hg:G a hg:Relative ; skos:prefLabel "g"@en ; hg:direction 0 .', "goes up or down"),
    ('hg:H a hg:Complaint ; skos:prefLabel "h"@en ; hg:direction 1 .', "about one declared variable"),
    ('hg:I a hg:Condition .', "A condition is a time of day"),
    ('hg:J a hg:Reason ; skos:prefLabel "j"@en ; skos:notation "No!" ; skos:inScheme hg:Reasons .', "one code"),
    ('hg:K a hg:Reason ; skos:prefLabel "k"@en ; skos:notation "k" ; skos:inScheme hg:Reasons .', "be done about it"),
)  # fmt: skip


def test_the_shapes_find_every_fault(ontology: rdflib.Graph, shapes: rdflib.Graph) -> None:
    prefixes = f"@prefix hg: <{HG}> . @prefix skos: <{SKOS}> . "
    faulty = ontology + rdflib.Graph().parse(data=prefixes + "\n".join(fault for fault, _ in FAULTS), format="turtle")
    _, report, _ = pyshacl.validate(faulty, shacl_graph=shapes)
    found = [str(message) for message in report.objects(None, SH.resultMessage)]
    counts = {said: sum(said in message for message in found) for _, said in FAULTS}
    assert {said: count for said, count in counts.items() if count < sum(said == other for _, other in FAULTS)} == {}
