"""Rules that programs give: as JSON, as they were understood, or as Turtle that the shape of rules holds against."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

from engine.dialogue.assistant import Assistant
from engine.dialogue.requests.request import Consent, Request
from engine.errors import InputError
from engine.graph.shacl.door import Door
from engine.graph.terms import Json, Literal, NamedNode, Triple, node
from engine.model.conforming import fits
from engine.model.intent import Category, Intent, Operation
from engine.model.outcome import Outcome
from engine.model.record import of_json
from engine.model.rule import Rule
from engine.resources import folder
from engine.things.description.turtle import parse_file, parse_text

MOST = 1000
"""How many rules are taken in one go."""
MOST_TEXT = 500
_TYPE = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")


@cache
def _door() -> Door:
    return Door(parse_file(folder("shapes") / "rule.ttl"))


def rules_of_json(data: Json) -> list[Rule]:
    """The rules of a JSON value: the `content` of one rule, or a list of such. Raises InputError."""
    several = data if isinstance(data, list) else [data]
    if not several or len(several) > MOST:
        raise InputError(f"Give 1 to {MOST} rules.", remedy="Send a list of them.")
    return [_rule(one) for one in several]


def _rule(data: Json) -> Rule:
    found = of_json(data)
    if not isinstance(found, Rule) or not fits(found):
        raise InputError(
            "That is no rule.", remedy="Send the content of a rule, as GET /rules tells it.", reason="invalid_value"
        )
    if not found.text.strip() or len(found.text) > MOST_TEXT:
        raise InputError("A rule says in words what it is.", remedy="Give it a text.", reason="invalid_value")
    return replace(found, iri="", made_at=None, conversation=None)


def rules_of_turtle(content: bytes) -> list[Rule]:
    """The rules of a Turtle document, held against `shapes/rule.ttl`. Raises SyntaxFault, InputError with what the
    shape says."""
    triples = parse_text(content)
    violations = _door().check(triples)
    if violations:
        raise InputError(violations[0].message, remedy="Mend it; nothing was taken.", reason="invalid_value")
    rules = sorted({t.subject for t in triples if t.predicate == _TYPE and t.object == node("hg:Rule")}, key=str)
    if not rules:
        raise InputError("There is no rule in it.", remedy="Give each the class hg:Rule.", reason="invalid_value")
    return [_of_triples([t for t in triples if t.subject == one]) for one in rules]


def _of_triples(triples: list[Triple]) -> Rule:
    values = {t.predicate: t.object for t in triples if isinstance(t.object, Literal)}
    (rule,) = rules_of_json(json.loads(values[node("hg:content")].value))
    enabled = values[node("hg:enabled")].value in ("true", "1")
    return replace(rule, text=values[node("hg:text")].value, enabled=enabled)


def give(assistant: Assistant, rules: list[Rule], user: str | None, iri: str) -> Outcome:
    """Makes rules, as if they had been said: each is checked as those are. Raises InputError."""
    made = tuple(
        Intent(f"{iri}/intent-{n}", one.text, Category.RULE, Operation.MAKE, rule=one)
        for n, one in enumerate(rules, start=1)
    )
    return assistant.intend(Request("; ".join(one.text for one in rules[:3]), iri, user), made, Consent.ALL)
