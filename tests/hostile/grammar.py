"""Hostile SPARQL, made at random from pieces that parsers disagree about."""

from __future__ import annotations

import random

HG = "https://w3id.org/hearthgraph#"
GLUE = [
    "",
    " ",
    "\n",
    "\t",
    "/**/",
    "#\n",
    "\u00a0",
    "\\u0020",
    "\\u000A",
    "1",
    "true",
    "1.0",
    "1e1",
    '""',
    "''",
    "<a:b>",
]
KEYWORDS = ["SERVICE", "service", "SeRvIcE", "SERVICE SILENT", "\\u0053ERVICE", "S\\u0045RVICE", "\u017fERVICE"]
WRAPS = [
    "{{ {0} }}",
    "{{ OPTIONAL {{ {0} }} }}",
    "{{ ?a ?b ?c FILTER EXISTS {{ {0} }} }}",
    "{{ ?a ?b ?c . MINUS {{ {0} }} }}",
    "{{ {{ SELECT * {{ {0} }} }} }}",
    "{{ {{ ?a ?b ?c }} UNION {{ {0} }} }}",
    "{{ ?a ?b ?c LATERAL {{ {0} }} }}",
    "{{ GRAPH ?g {{ {0} }} }}",
    "{{ BIND(EXISTS {{ {0} }} AS ?e) }}",
]
FORMS = [
    "SELECT * {0}",
    "ASK {0}",
    "CONSTRUCT {{ ?x ?y ?z }} WHERE {0}",
    "DESCRIBE ?x {0}",
    "SELECT (COUNT(*) AS ?n) {0}",
]
QUOTES = ['"', "'", '"""', "'''"]
ESCAPED = {'"': "\\u0022", "'": "\\u0027", '"""': "\\u0022\\u0022\\u0022", "'''": "\\U00000027"}
GRAPHS = [*(f"{HG}graph/{name}" for name in ("history", "state", "policies", "requests", "ontology", "memory")), "ALL"]
TRIPLE = "<urn:a> <urn:b> {0}"


def query(chance: random.Random, url: str) -> str:
    """A query that would call `url`, if anything of it got through."""
    where = chance.choice([f"<{url}/x>", "?u", f"<{url}/\\u0078>", "u:x"])
    before = chance.choice(["", "?a ?b ", "?a ?b ?c . ", f'BIND(IRI("{url}/x") AS ?u) ', f"VALUES ?u {{ <{url}/x> }} "])
    call = f"{before}{chance.choice(GLUE)}{chance.choice(KEYWORDS)}{chance.choice(GLUE)} {where} {{ ?x ?y ?z }}"
    if chance.random() < 0.3:
        call = hidden(chance, call)
    for _ in range(chance.randrange(1, 4)):
        call = chance.choice(WRAPS).format(call)
    text = chance.choice(FORMS).format(call if call.startswith("{") else f"{{ {call} }}")
    return f"PREFIX u: <{url}/>\n{text}" if chance.random() < 0.7 else text


def hidden(chance: random.Random, text: str) -> str:
    """A text that stands in a string, a comment or an IRI for one parser, and for another does not."""
    quote = chance.choice(QUOTES)
    end = chance.choice([ESCAPED[quote], quote, f"\\\\{quote}", f"\\{quote}", "\\u005C" + quote])
    return chance.choice(
        [
            f"?h <urn:h> {quote}{end} . {text} #{quote} .",
            f"?h <urn:h> {quote} {end} . {text} . ?i <urn:h> {quote}{end} .",
            f"#\\u000A {text}\n",
            f"# \r {text}\n",
            f"?h <urn:h\\u003E> ?j . {text} . ?k <urn:h> ?l .",
            f"?h <urn:{chance.choice(['%3E', 'h'])}> ?j . {text}",
        ]
    )


def update(chance: random.Random, url: str) -> str:
    """An update that would change a graph of the engine's or fetch `url`, if anything of it got through."""
    graph = chance.choice(GRAPHS)
    target = "ALL" if graph == "ALL" else f"GRAPH <{graph}>"
    silent = chance.choice(["", " SILENT"])
    harm = chance.choice(
        [
            f"CLEAR{silent} {target}",
            f"DROP{silent} {target}",
            f"LOAD{silent} <{url}/x> INTO GRAPH <urn:x>",
            f"COPY{silent} <urn:x> TO <{graph}>",
            f"MOVE{silent} <{graph}> TO <urn:x>",
            f"WITH <{graph}> DELETE {{ ?s ?p ?o }} WHERE {{ ?s ?p ?o }}",
            "DELETE { GRAPH ?g { ?s ?p ?o } } WHERE { GRAPH ?g { ?s ?p ?o } }",
            f"INSERT {{ GRAPH <urn:x> {{ ?a ?b ?c }} }} WHERE {{ SERVICE{silent} <{url}/x> {{ ?a ?b ?c }} }}",
            f"INSERT {{ GRAPH ?g {{ <urn:a> <urn:b> 1 }} }} WHERE {{ BIND(<{graph}> AS ?g) }}",
            f"INSERT DATA {{ GRAPH <{graph}> {{ <urn:a> <urn:b> 1 }} }}",
        ]
    )
    value = chance.choice([*QUOTES, "1", "<urn:c>"])
    if value in QUOTES:
        end = chance.choice([ESCAPED[value], value, "\\u005C" + value, f"\\{value}"])
        literal = f"{value}x{end} }} }} ; {harm} ; # {value}"
        return f"INSERT DATA {{ GRAPH <urn:x> {{ {TRIPLE.format(literal)} }} }}"
    joint = chance.choice([" ; ", " ;# \\u000A\n", "\\u003B ", " ; #\r", " \\u0023\n; "])
    return f"INSERT DATA {{ GRAPH <urn:x> {{ {TRIPLE.format(value)} }} }}{joint}{harm}"
