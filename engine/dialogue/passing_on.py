"""What is to be told to an agent of others: "ask the formalizer to …" sends it the words, as they were said.

The home does not read them: they are the agent's. That something is sent at all is consented to, as all else is. What
is for somebody who is not here ("ask the butler to …") the home does not do in their place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.dialogue.manual import by_name
from engine.graph.store import GraphStore
from engine.graph.terms import expand
from engine.language.chart.goals.prepared import times_in, tokens_of
from engine.language.chart.heard.rule_lexicon import rule_words
from engine.language.meanings.context import Context
from engine.language.meanings.readings import Alternatives
from engine.language.words import grammar
from engine.language.words.lexicon import Entry, Role
from engine.language.words.tokens import Token, TokenKind
from engine.model.intent import Intent
from engine.model.thing import Action, Thing
from engine.things.registry import Registry

AGENT = "a2a"
"""The protocol by which one speaks with agents in words."""
NOBODY = "no_such_agent"
MOST_WORDS, FARTHEST = 3, 200
"""How many words the name of somebody has, and within how many characters it ends."""
LONGEST = 6
"""How many words a polite beginning has at most."""
Reader = Callable[[str], tuple[Alternatives, ...]]
Words = Mapping[str, tuple[str, ...]]
_QUOTES = frozenset("\"'“”‘’")
_JOINTS = frozenset({"and", "then", "also"})
_MARKS = frozenset({"EventMarker", "ConditionMarker", "UnlessMarker", "NoMarker", "OnceMarker"})
_NOMINAL = frozenset(
    {Role.DEVICE, Role.THING, Role.PROPERTY, Role.PLACE, Role.PLACE_CLASS, Role.OPTION, Role.VALUE, Role.STATE}
)
_VERBS = frozenset({Role.COMMAND, Role.LIGHT_VERB, Role.RELATIVE})
_PERSON = expand("hg:Person")


@dataclass(frozen=True, slots=True)
class Addressed:
    """Somebody who is to be told something: where that begins in a text, and who it is or what they are called."""

    start: int
    name: str
    intent: Intent | None = None


def passed_on(text: str, request: str, context: Context, read: Reader) -> tuple[Alternatives, ...] | None:
    """The goals of a text that has somebody else told something: to tell an agent, or that there is nobody of that
    name; what is said before it is read as always. None for a text that has nobody told anything."""
    words = _words(context.store)
    found = _to_an_agent(text, request, words, context.registry) or _to_nobody(text, words, context)
    if found is None:
        return None
    before, apart = _before(text, found.start, words)
    if found.intent is None:
        last: Alternatives = ((Intent(request, text[:200], fault=NOBODY, subject=found.name),),)
    else:
        last = ((found.intent,),)
    if not before:
        return (_numbered(last, request, 1),)
    if not apart or _is_for_a_time(before, context):
        fault = NOBODY if found.intent is None else "not_supported_yet"
        return (((Intent(f"{request}/intent-1", text[:200], fault=fault, subject=found.name),),),)
    first = read(before)
    return (*first, _numbered(last, request, len(first) + 1))


def _numbered(goal: Alternatives, request: str, number: int) -> Alternatives:
    """A goal of one reading, as one of several of a request."""
    return tuple(tuple(replace(one, iri=f"{request}/intent-{number}") for one in reading) for reading in goal)


def _before(text: str, start: int, words: Words) -> tuple[str, bool]:
    """What is said before a place in a text, and whether what begins there stands for itself: joined, or with
    politeness alone before it."""
    said = list(re.finditer(r"[\w'’]+|[^\w\s]", text[:start]))
    light, joined = {*words["PoliteBeginning"], *_JOINTS}, False
    while said:
        length = next((n for n in range(LONGEST, 0, -1) if _phrase(said[-n:]) in light), 0)
        if not length and said[-1][0][0].isalnum():
            break
        joined = joined or not length or said[-1][0].casefold() in _JOINTS
        del said[-(length or 1) :]
    return text[: said[-1].end()] if said else "", joined or not said


def _phrase(said: Sequence[re.Match[str]]) -> str:
    return " ".join(one[0].casefold() for one in said)


def _is_for_a_time(text: str, context: Context) -> bool:
    """Whether a text says when, or under which condition, so that what follows it may be meant for then alone."""
    tokens, words = tokens_of(text, context), rule_words(context.store)
    terms = (found[1] for place in range(len(tokens)) if (found := words.at(tokens, place)) is not None)
    return any(term in _MARKS for term in terms) or bool(times_in(text, context))


def _to_an_agent(text: str, request: str, words: Words, registry: Registry) -> Addressed | None:
    """The agent that is to be told something, and what."""
    agents = registry.store.derived("dialogue/agents", lambda: _agents(registry))
    for begun in _addresses(text, words["AddressingWord"]) if agents else ():
        for thing, skills in agents if _before(text, begun.start(), words)[1] else ():
            said = _said(text[begun.end() :], thing, _any_of(words["LeadingIn"]))
            if said:
                action, member = max(skills, key=lambda skill: _fit(said, skill[0]))
                intent = by_name(action.iri, {member: said}, request, registry)
                return Addressed(begun.start(), thing.title, intent)
    return None


def _agents(registry: Registry) -> list[tuple[Thing, list[tuple[Action, str]]]]:
    """The agents that can be told something, with their skills for it."""
    return [(thing, skills) for thing in registry.things.values() if (skills := list(_skills(thing)))]


def _addresses(text: str, words: Sequence[str]) -> Iterator[re.Match[str]]:
    """Where a text has one of the words by which somebody is addressed."""
    return re.finditer(rf"(?<![\w'’])(?:{_any_of(words)})\s+", text, re.IGNORECASE)


def _skills(thing: Thing) -> Iterator[tuple[Action, str]]:
    """The skills of an agent that take words, each with what these are called."""
    for action in thing.actions:
        if action.input is not None and any(form.subprotocol == AGENT for form in action.forms):
            texts = [name for name, schema in action.input.properties if schema.type == "string"]
            if len(texts) == 1:
                yield action, texts[0]


def _said(rest: str, thing: Thing, leading: str) -> str:
    """What the agent is to be told, where it is the one that is named; else nothing."""
    names = _any_of((thing.title, *thing.aliases))
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


# Somebody who is not here


def _to_nobody(text: str, words: Words, context: Context) -> Addressed | None:
    """Somebody who is to be told something, or to do it, and is neither of this home nor an agent that it knows."""
    for strict, kind in ((True, "StrictAddressingWord"), (False, "LooseAddressingWord")):
        for begun in _addresses(text, words[kind]):
            name = _stranger(text[begun.end() :], words, context, strict=strict)
            if name:
                return Addressed(begun.start(), name)
    return None


def _stranger(rest: str, words: Words, context: Context, *, strict: bool) -> str:
    """What somebody is called who is named at the beginning of a text; nothing where it is somebody of this home, or
    where it is not plain that anybody is."""
    tokens = tokens_of(rest[:FARTHEST], context)
    start = int(len(tokens) > 1 and tokens[0].text in grammar.ARTICLES and not _is_led_in(tokens[1:], words))
    for end in range(min(start + MOST_WORDS, len(tokens)), start, -1):
        name, after = tokens[start:end], tokens[end:]
        if any(one.kind is not TokenKind.WORD for one in name):
            continue
        plain = name[-1].text.removesuffix("'s") in words["SomebodyElse"] and not _is_a_thing(name, context)
        told = _is_led_in(after, words)
        if strict and told and (plain or _is_strange(name, tokens, words, context)):
            return rest[name[0].start : name[-1].end]
        if not strict and plain and _does(after, context):
            return rest[name[0].start : name[-1].end]
    return ""


def _is_led_in(after: Sequence[Token], words: Words) -> bool:
    """Whether what follows a name is what somebody is told."""
    led = {*words["LeadingIn"], ":", "if", "whether", *grammar.QUESTION_WORDS} - {"for", "this"}
    return bool(after) and (after[0].text in led or after[0].kind is TokenKind.QUOTE)


def _does(after: Sequence[Token], context: Context) -> bool:
    """Whether what follows is something to do, with something of this home."""
    begun = after[1:] if after and after[0].text == "to" else after
    found = [match.entries for place in range(len(begun)) for match in context.dictionary.lexicon.at(begun, place)]
    first = context.dictionary.lexicon.at(begun, 0) if begun else []
    verb = any(entry.role in _VERBS for match in first for entry in match.entries)
    return verb and any(entry.role in _NOMINAL for entries in found for entry in entries)


def _is_strange(name: Sequence[Token], tokens: Sequence[Token], words: Words, context: Context) -> bool:
    """Whether words name nothing of this home, and say nothing about it."""
    if tokens[0].text in grammar.INDEFINITE:
        return False
    if any(one.text in grammar.KNOWN or one.text in words["HomeItself"] for one in name):
        return False
    return not any(entry.role in _NOMINAL and not _is_person(entry, context) for entry in _entries(name, context))


def _is_a_thing(name: Sequence[Token], context: Context) -> bool:
    """Whether a thing here is called so: a mower may be called the gardener."""
    return any(entry.role is Role.THING and not _is_person(entry, context) for entry in _entries(name, context))


def _entries(name: Sequence[Token], context: Context) -> list[Entry]:
    lexicon = context.dictionary.lexicon
    return [entry for place in range(len(name)) for match in lexicon.at(name, place) for entry in match.entries]


def _is_person(entry: Entry, context: Context) -> bool:
    thing = context.registry.things.get(entry.iri) if entry.role is Role.THING else None
    return thing is not None and _PERSON in thing.classes


# Words


def _words(store: GraphStore) -> Words:
    """The words of each class, longest first."""
    return store.derived("dialogue/passing_on", lambda: _read(store))


def _read(store: GraphStore) -> Words:
    classes: dict[str, list[str]] = {}
    for name, label in _rows(store):
        classes.setdefault(name, []).append(label)
    return {name: tuple(sorted(several, key=len, reverse=True)) for name, several in classes.items()}


def _any_of(labels: Sequence[str]) -> str:
    return "|".join(re.escape(label) for label in sorted(labels, key=len, reverse=True))


def _rows(store: GraphStore) -> Iterator[tuple[str, str]]:
    for term, label in store.select("dialogue/passing_on"):
        if term is not None and label is not None:
            yield term.value.rpartition("#")[2], label.value
