"""Descriptions become signifiers as the paper's listings have them, and come back the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyshacl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import NamedNode, RdfFormat, parse
from rdflib import Graph
from rdflib.compare import isomorphic, to_isomorphic

from engine.errors import InputError
from engine.graph.terms import Triple
from engine.model.exposure import Exposed
from engine.model.exposure_rdf import Profiles, profile_triples, signifier_triples
from engine.model.json_schemas import SchemaRefused, choices, completed, described, tamed
from engine.origins.a2a import card
from engine.origins.mcp import description as mcp
from engine.origins.utcp import manual as utcp
from tests.agents import lab

PREFIXES = """
@prefix hmas: <https://purl.org/hmas/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix hctl: <https://www.w3.org/2019/wot/hypermedia#> . @prefix htv: <http://www.w3.org/2011/http#> .
@prefix td: <https://www.w3.org/2019/wot/td#> . @prefix js: <https://www.w3.org/2019/wot/json-schema#> .
"""

TOOL = """
<urn:s> a hmas:Signifier ; rdfs:label "lamps_dim" ;
  hmas:recommendsContext [ rdfs:comment "Dims a lamp." ] ;
  hmas:signifies [
    td:hasForm [ htv:methodName "POST" ; hctl:hasTarget <http://localhost:9996/mcp> ;
      hctl:forContentType "application/json" ;
      htv:headers ( [ htv:fieldName "Accept" ; htv:fieldValue "application/json, text/event-stream" ]
                    [ htv:fieldName "MCP-Protocol-Version" ; htv:fieldValue "2025-11-25" ] ) ] ;
    td:hasInputSchema [ a js:ObjectSchema ; js:required "id", "jsonrpc", "method", "params" ;
      js:properties [ a js:StringSchema ; js:propertyName "jsonrpc" ; js:const "2.0" ] ,
        [ a js:IntegerSchema ; js:propertyName "id" ; js:const 1 ] ,
        [ a js:StringSchema ; js:propertyName "method" ; js:const "tools/call" ] ,
        [ a js:ObjectSchema ; js:propertyName "params" ; js:required "arguments", "name" ;
          js:properties [ a js:StringSchema ; js:propertyName "name" ; js:const "dim" ] ,
            [ a js:ObjectSchema ; js:propertyName "arguments" ; rdfs:comment "Dims a lamp." ; js:required "level" ;
              js:properties [ a js:IntegerSchema ; js:propertyName "level" ; js:minimum 0 ;
                js:description "How bright" ] ] ] ] ] .
"""
RESOURCE = """
<urn:s> a hmas:Signifier ; rdfs:label "lamps_Lamps" ;
  hmas:recommendsContext [ rdfs:comment "Which lamps there are." ] ;
  hmas:signifies [
    td:hasForm [ htv:methodName "POST" ; hctl:hasTarget <http://localhost:9996/mcp> ;
      hctl:forContentType "application/json" ;
      htv:headers ( [ htv:fieldName "Accept" ; htv:fieldValue "application/json, text/event-stream" ]
                    [ htv:fieldName "MCP-Protocol-Version" ; htv:fieldValue "2025-11-25" ] ) ] ;
    td:hasInputSchema [ a js:ObjectSchema ; js:required "id", "jsonrpc", "method", "params" ;
      js:properties [ a js:StringSchema ; js:propertyName "jsonrpc" ; js:const "2.0" ] ,
        [ a js:IntegerSchema ; js:propertyName "id" ; js:const 1 ] ,
        [ a js:StringSchema ; js:propertyName "method" ; js:const "resources/read" ] ,
        [ a js:ObjectSchema ; js:propertyName "params" ; js:required "uri" ;
          js:properties [ a js:StringSchema ; js:propertyName "uri" ; js:const "lamps://all" ] ] ] ] .
"""
BODY = """
<urn:s> a hmas:Signifier ; rdfs:label "arm_operation" ;
  hmas:recommendsContext [ rdfs:comment "Operates the arm." ] ;
  hmas:signifies [
    td:hasForm [ htv:methodName "POST" ; hctl:hasTarget <http://localhost:8086/operation> ;
      hctl:forContentType "text/plain" ] ;
    td:hasInputSchema [ a js:StringSchema ; js:description "As plain text, e.g. move(10)." ] ] .
"""
DIM = {
    "name": "dim",
    "description": "Dims a lamp.",
    "inputSchema": {
        "type": "object",
        "title": "dimArguments",
        "properties": {"level": {"type": "integer", "minimum": 0, "description": "How bright"}},
        "required": ["level"],
    },
}
LAMPS = {"name": "Lamps", "uri": "lamps://all", "description": "Which lamps there are."}
OPERATION = {
    "name": "operation",
    "description": "Operates the arm.",
    "inputs": {"type": "string", "description": "As plain text, e.g. move(10)."},
    "tool_call_template": {
        "call_template_type": "http",
        "http_method": "POST",
        "content_type": "text/plain",
        "url": "http://localhost:8086/operation",
    },
}


def exposed(kind: str) -> Exposed:
    """The signifier of each kind of description."""
    if kind == "a2a":
        return card.artifact("formalizer", "http://localhost:9997", CARD).signifiers[0]
    if kind == "utcp":
        return utcp.artifact("arm", "http://localhost:8086/utcp", {"tools": [OPERATION]}).signifiers[0]
    server = mcp.artifact("lamps", "http://localhost:9996/mcp", {}, [DIM], [LAMPS], "2025-11-25")
    return server.signifiers[0 if kind == "mcp tool" else 1]


CARD = {
    "name": "Formalizer",
    "url": "http://localhost:9997/",
    "protocolVersion": "0.3.0",
    "preferredTransport": "JSONRPC",
    "defaultInputModes": ["text"],
    "capabilities": {"streaming": True},
    "skills": [{"id": "f", "name": "Formalize goal", "description": "Puts goals into formulas."}],
}


def as_graph(triples: Any) -> Graph:
    text = "".join(f"{t.subject} {t.predicate} {t.object} .\n" for t in triples)
    return Graph().parse(data=text, format="nt")


@pytest.mark.parametrize(("kind", "listing"), [("mcp tool", TOOL), ("mcp resource", RESOURCE), ("utcp", BODY)])
def test_a_description_becomes_the_signifier_that_the_paper_has(kind: str, listing: str) -> None:
    made = as_graph(signifier_triples(exposed(kind), NamedNode("urn:s")))
    wanted = Graph().parse(data=PREFIXES + listing, format="turtle")
    assert isomorphic(made, wanted), (to_isomorphic(made) - wanted).serialize()


def test_a_message_to_an_agent_is_fixed_but_for_its_parts() -> None:
    one = exposed("a2a")
    assert one.label == "formalizer_Formalize goal"
    assert one.target == "http://localhost:9997/"
    left = choices(one.schema)
    assert left is not None
    message = left["properties"]["params"]["properties"]["message"]
    assert set(message["properties"]) == {"messageId", "parts"}
    assert '"text"' in message["properties"]["parts"]["description"]


@pytest.mark.parametrize("kind", ["mcp tool", "mcp resource", "a2a", "utcp"])
def test_a_signifier_comes_back_from_its_statements_as_it_was(kind: str) -> None:
    one = exposed(kind)
    triples = list(signifier_triples(one, NamedNode("urn:s")))
    (back,) = Profiles(triples).signifiers()
    assert as_graph(signifier_triples(back, NamedNode("urn:s"))).isomorphic(as_graph(triples))
    assert (back.label, back.context, back.target, back.headers) == (one.label, one.context, one.target, one.headers)


def test_listings_of_others_are_read() -> None:
    quads = parse((PREFIXES + TOOL).encode(), RdfFormat.TURTLE)
    (one,) = Profiles(Triple(q.subject, q.predicate, q.object) for q in quads).signifiers()  # type: ignore[arg-type]
    assert one.label == "lamps_dim"
    assert completed(one.schema, {"params": {"arguments": {"level": 40}}}) == {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "dim", "arguments": {"level": 40}},
    }


@pytest.mark.parametrize("kind", ["mcp tool", "mcp resource", "a2a", "utcp"])
def test_a_profile_is_valid_under_the_shapes(kind: str, repository: Path) -> None:
    data = as_graph(profile_triples("urn:profile", "urn:thing", [exposed(kind)]))
    conforms, _, text = pyshacl.validate(data, shacl_graph=Graph().parse(repository / "shapes" / "signifier.ttl"))
    assert conforms, text


def test_no_session_is_in_a_signifier() -> None:
    names = [name.lower() for kind in ("mcp tool", "mcp resource") for name, _ in exposed(kind).headers]
    assert "mcp-session-id" not in names


def test_the_stateless_revision_says_in_each_request_who_asks() -> None:
    server = mcp.artifact("lamps", "http://localhost:9996/mcp", {}, [DIM], [], "2026-07-28")
    body = completed(server.signifiers[0].schema, {"params": {"arguments": {"level": 40}}})
    assert isinstance(body, dict)
    assert body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"  # type: ignore[index,call-overload]
    assert ("Mcp-Name", "dim") in server.signifiers[0].headers


def test_what_is_not_described_in_words_is_not_exposed() -> None:
    server = mcp.artifact("lamps", "http://localhost/mcp", {}, [{**DIM, "description": None}], [], "2025-11-25")
    assert len(server.offers) == 1
    assert server.signifiers == ()


def test_a_host_that_an_argument_could_change_is_left_out() -> None:
    template = {**OPERATION["tool_call_template"], "url": "http://{host}/operation"}  # type: ignore[dict-item]
    manual = {"tools": [{**OPERATION, "tool_call_template": template}]}
    assert utcp.artifact("arm", "http://localhost/utcp", manual).offers == ()


def test_a_secret_in_a_manual_is_not_kept() -> None:
    auth = {"auth_type": "api_key", "api_key": "sesame", "var_name": "X-Key"}
    template = {**OPERATION["tool_call_template"], "auth": auth}  # type: ignore[dict-item]
    made = utcp.artifact("arm", "http://localhost/utcp", {"tools": [{**OPERATION, "tool_call_template": template}]})
    assert "sesame" not in repr(made)


@pytest.mark.parametrize("card_", [{}, {"skills": []}, {"skills": [], "supportedInterfaces": [{"url": "x"}]}, []])
def test_what_is_no_card_is_refused(card_: Any) -> None:
    with pytest.raises(InputError):
        card.artifact("a", "http://localhost", card_)


def bomb() -> dict[str, Any]:
    """Ten levels, each twice the one below: small to write, large to unfold."""
    defs: dict[str, Any] = {"l0": {"type": "string"}}
    for level in range(1, 24):
        below = {"$ref": f"#/$defs/l{level - 1}"}
        defs[f"l{level}"] = {"type": "object", "properties": {"a": below, "b": below}}
    return {"$ref": "#/$defs/l23", "$defs": defs}


@pytest.mark.parametrize("schema", [bomb(), {"$ref": "#"}, {"$ref": "http://elsewhere/schema"}])
def test_a_schema_that_would_unfold_without_end_is_refused(schema: dict[str, Any]) -> None:
    with pytest.raises(SchemaRefused):
        tamed(schema)


def test_a_reference_within_a_schema_is_put_in_place() -> None:
    schema = {"properties": {"a": {"$ref": "#/$defs/level"}}, "$defs": {"level": {"type": "integer"}}}
    assert tamed(schema) == {"properties": {"a": {"type": "integer"}}}


def test_a_strangers_schema_says_nothing_of_classes() -> None:
    assert described({"type": "number", "@type": "https://w3id.org/hearthgraph#Brightness", "@id": "urn:x"}) == {
        "type": "number"
    }


PLAIN = st.text("abc \"'\n\\{}<>é", max_size=6)
LEAVES = st.one_of(
    st.fixed_dictionaries({"type": st.sampled_from(["string", "integer", "boolean"])}, optional={"description": PLAIN}),
    st.fixed_dictionaries({"const": st.one_of(PLAIN, st.integers(), st.booleans())}),
)
SCHEMAS = st.recursive(
    LEAVES,
    lambda inner: st.fixed_dictionaries(
        {"type": st.just("object"), "properties": st.dictionaries(PLAIN.filter(bool), inner, min_size=1, max_size=3)},
        optional={"x-other": st.dictionaries(PLAIN, st.integers(), max_size=2)},
    ),
    max_leaves=6,
)


@given(schema=SCHEMAS, label=PLAIN.filter(bool), context=PLAIN)
def test_any_schema_comes_back_as_it_was(schema: dict[str, Any], label: str, context: str) -> None:
    one = Exposed(label, context, "http://localhost/x", schema=schema)
    (back,) = Profiles(list(signifier_triples(one, NamedNode("urn:s")))).signifiers()
    assert (back.label, back.context) == (label, context)
    assert back.schema == {key: value for key, value in schema.items() if value not in ({},)} or back.schema == schema


def test_the_manual_of_the_lab_is_read() -> None:
    found = utcp.artifact("arm", "http://localhost:8086/utcp", lab.robot_manual("http://localhost:8086"))
    assert [one.label for one in found.signifiers] == ["arm_initialize", "arm_operation"]
