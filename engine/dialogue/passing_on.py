"""What is to be told to an agent of others: "ask the formalizer to …" sends it the words, as they were said.

The home does not read them: they are the agent's. That something is sent at all is consented to, as all else is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from weakref import WeakKeyDictionary

from engine.dialogue.manual import by_name
from engine.graph.store import GraphStore
from engine.language.readings import Alternatives
from engine.model.thing import Action, Thing
from engine.things.registry import Registry

AGENT = "a2a"
"""The protocol by which one speaks with agents in words."""
_QUOTES = frozenset("\"'“”‘’")
_known: WeakKeyDictionary[GraphStore, tuple[int, Mapping[str, str]]] = WeakKeyDictionary()


def passed_on(text: str, request: str, store: GraphStore, registry: Registry) -> tuple[Alternatives, ...] | None:
    """The goal to tell an agent something; None for a text that names no agent in that way."""
    words = _words(store)
    begun = re.match(rf"(?:(?:{words['PoliteBeginning']})[\s,]+)*(?:{words['AddressingWord']})\s+", text, re.IGNORECASE)
    if begun is None:
        return None
    for thing in registry.things.values():
        skills = [(action, member) for action in thing.actions if (member := _spoken_to(action)) is not None]
        said = _said(text[begun.end() :], thing, words["LeadingIn"]) if skills else None
        if said:
            action, member = max(skills, key=lambda skill: _fit(said, skill[0]))
            return (((by_name(action.iri, {member: said}, request, registry),),),)
    return None


def _spoken_to(action: Action) -> str | None:
    """What the words for an agent are called, where an action is one of its skills."""
    if action.input is None or not any(form.subprotocol == AGENT for form in action.forms):
        return None
    texts = [name for name, schema in action.input.properties if schema.type == "string"]
    return texts[0] if len(texts) == 1 else None


def _said(rest: str, thing: Thing, leading: str) -> str:
    """What the agent is to be told, where it is the one that is named; else nothing."""
    names = "|".join(re.escape(name) for name in sorted((thing.title, *thing.aliases), key=len, reverse=True))
    found = re.match(rf"(?:the\s+|my\s+|our\s+)?(?:{names})(?:\s+agent)?\b(.*)", rest, re.IGNORECASE | re.DOTALL)
    if found is None:
        return ""
    said = re.sub(rf"^[\s,:;-]*(?:(?:{leading})\b[\s,:]*)?", "", found.group(1), count=1, flags=re.IGNORECASE)
    said = said.strip()
    return said[1:-1].strip() if len(said) > 1 and said[0] in _QUOTES and said[-1] in _QUOTES else said


def _fit(said: str, action: Action) -> int:
    """How many words of a skill's description are said."""
    about = f"{action.title or action.name} {action.description or ''}".casefold()
    return len(set(re.findall(r"\w+", said.casefold())) & set(re.findall(r"\w+", about)))


def _words(store: GraphStore) -> Mapping[str, str]:
    """The words of each class, as alternatives of a pattern, longest first."""
    known = _known.get(store)
    if known is None or known[0] != store.generation:
        classes: dict[str, list[str]] = {}
        for name, label in _rows(store):
            classes.setdefault(name, []).append(label)
        known = _known[store] = store.generation, {name: _any_of(several) for name, several in classes.items()}
    return known[1]


def _any_of(labels: list[str]) -> str:
    return "|".join(re.escape(label) for label in sorted(labels, key=len, reverse=True))


def _rows(store: GraphStore) -> Iterator[tuple[str, str]]:
    for term, label in store.select("dialogue/passing_on"):
        if term is not None and label is not None:
            yield term.value.rpartition("#")[2], label.value
