"""The listings of "Agentic Web" itself, read from its text: descriptions 4 to 7 in, signifiers 2 and 8 to 11 out.

What differs on purpose is taken out on both sides, and said here: a session is opened at call time and stands in no
signifier (no `Mcp-Session-Id`); the wire's own revision is told; comments within schemas, and what is said of the parts
of a message, are in our words; Listing 2 misplaces its field values, shortens what Listing 4 says, and leaves the
number of the request open, which Listing 8 fixes; Listing 9 drops the slash at the end of the address of Listing 5,
and has two closing brackets too many.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pyshacl
import pytest
from pyoxigraph import NamedNode
from rdflib import Graph, Literal, Namespace, URIRef
from rdflib.collection import Collection
from rdflib.compare import graph_diff, to_isomorphic
from rdflib.namespace import RDF, RDFS

from engine.hearthgraph import Hearthgraph
from engine.model.exposure import Exposed
from engine.model.exposure_rdf import Profiles, profile_triples, signifier_triples
from engine.origins.a2a import card
from engine.origins.mcp import description as mcp
from engine.origins.utcp import manual as utcp
from engine.origins.wot import description as wot
from tests.agents.test_profiles import PREFIXES, as_graph

HTTP = Namespace("http://www.w3.org/2011/http#")
JS = Namespace("https://www.w3.org/2019/wot/json-schema#")
HCTL = Namespace("https://www.w3.org/2019/wot/hypermedia#")
AS_IT_IS = frozenset({"Accept"})
"""The headers that are the same on both sides."""


@pytest.fixture(scope="module")
def listings(request: pytest.FixtureRequest) -> dict[int, str]:
    """The listings of the paper by number, without the numbers of their lines."""
    path = Path(request.config.rootpath).parent / "shared" / "papers" / "agentic-web-hmas.txt"
    if not path.is_file():
        pytest.skip("the text of the paper is not there")
    blocks = re.findall(r"```\n(.*?)\n```\s+Listing (\d+):", path.read_text(encoding="utf-8"), re.DOTALL)
    found = {int(number): _plain(block) for block, number in blocks}
    return found | {9: found[9].replace("] ] ;", "] ;")}


def _plain(block: str) -> str:
    """A listing whose lines are whole, and have no numbers."""
    lines = [re.sub(r"^\s*\d+(?= |$)", "", line) for line in block.splitlines()]
    return re.sub(r"\s*\n\s*[↪↵↳]\s*", " ", "\n".join(lines))


def signifier(listing: str) -> Graph:
    """The signifier of a listing, as a graph."""
    prefixes = PREFIXES + "@prefix http: <http://www.w3.org/2011/http#> .\n@base <urn:listing> .\n"
    return Graph().parse(data=prefixes + listing, format="turtle")


def alike(graph: Graph) -> Graph:
    """A graph without what differs on purpose."""
    found = Graph()
    for form, cells in graph.subject_objects(HTTP.headers):
        for header in Collection(graph, cells):
            names = {str(one) for one in graph.objects(header, HTTP.fieldName)}
            kept = names & {"Accept", "MCP-Protocol-Version"}
            for name in kept:
                value = graph.value(header, HTTP.fieldValue) if name in AS_IT_IS else ""
                found.add((form, HTTP.headers, Literal(f"{name}: {value}")))
    gone = {HTTP.headers, HTTP.fieldName, HTTP.fieldValue, RDF.first, RDF.rest}
    for subject, predicate, value in graph:
        schema = (graph.value(subject, JS.propertyName), graph.value(None, JS.properties, subject)) != (None, None)
        if predicate in gone or (predicate == RDFS.comment and schema) or predicate == JS.title:
            continue
        if predicate == JS.description and graph.value(subject, JS.propertyName) == Literal("parts"):
            value = Literal("what the parts are")
        if predicate == JS.const and graph.value(subject, JS.propertyName) == Literal("id"):
            continue
        if predicate == RDFS.comment:
            value = Literal(str(value).partition(".")[0])
        if predicate == HCTL.hasTarget:
            value = URIRef(str(value).rstrip("/"))
        found.add((URIRef("urn:s") if isinstance(subject, URIRef) else subject, predicate, value))
    return found


def made(listings: dict[int, str], number: int) -> Exposed:
    """What is made of the description of which a listing has the signifier."""
    if number in (2, 8):
        resource = {"name": "CurrentGoal", "uri": "goal://current", "description": _comment(listings[8])}
        tool = json.loads(listings[4])
        server = mcp.artifact("goal_mcp", "http://localhost:9996/mcp", {}, [tool], [resource], "2025-06-18")
        return server.signifiers[0 if number == 2 else 1]
    if number == 9:
        return card.artifact("formalizer", "http://localhost:9997", json.loads(listings[5])).signifiers[0]
    if number == 10:
        manual = {"tools": [json.loads(listings[6])]}
        return utcp.artifact("cherrybot_utcp", "http://localhost:8086/utcp", manual).signifiers[0]
    return described(listings[7])


def described(affordance: str) -> Exposed:
    """The signifier of an affordance of a thing that is described in Turtle."""
    text = PREFIXES + "@base <http://localhost:8086/td> .\n" + affordance.rstrip(" ]\n") + " .\n"
    text += '<#thing> a td:Thing ; td:title "robot" ; td:hasActionAffordance <#aff> ; '
    text += "td:hasSecurityConfiguration <#nosec> . <#nosec> a wotsec:NoSecurityScheme ."
    fetched = wot.Artifact(
        "cherrybot_proxy",
        "wot",
        "http://localhost:8086/td",
        "x",
        facts={"text": "@prefix wotsec: <https://www.w3.org/2019/wot/security#> .\n" + text, "type": "text/turtle"},
    )
    with Hearthgraph.open(None) as home:
        return wot.admitted(fetched, home.registry, home.clock.now()).signifiers[0]


def _comment(listing: str) -> str:
    found = re.search(r'rdfs:comment "([^"]+)"', listing)
    assert found is not None
    return " ".join(found.group(1).split())


@pytest.mark.parametrize("number", [2, 8, 9, 10, 11])
def test_the_signifier_is_the_one_of_the_listing(listings: dict[int, str], number: int) -> None:
    ours = alike(as_graph(signifier_triples(made(listings, number), NamedNode("urn:s"))))
    theirs = alike(signifier(listings[number]))
    both, mine, paper = graph_diff(to_isomorphic(ours), to_isomorphic(theirs))
    assert (len(mine), len(paper)) == (0, 0), f"ours: {mine.serialize()}\npaper: {paper.serialize()}"
    assert len(both) > 5


@pytest.mark.parametrize("number", [2, 8, 9, 10, 11])
def test_it_is_valid_and_comes_back_as_it_was(listings: dict[int, str], number: int, repository: Path) -> None:
    one = made(listings, number)
    data = as_graph(profile_triples("urn:profile", "urn:thing", [one]))
    conforms, _, text = pyshacl.validate(data, shacl_graph=Graph().parse(repository / "shapes" / "signifier.ttl"))
    assert conforms, text
    triples = list(signifier_triples(one, NamedNode("urn:s")))
    (back,) = Profiles(triples).signifiers()
    assert as_graph(signifier_triples(back, NamedNode("urn:s"))).isomorphic(as_graph(triples))
    assert (back.label, back.context, back.target, back.operation) == (
        one.label,
        one.context,
        one.target,
        one.operation,
    )
