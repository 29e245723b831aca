"""Statements of a person's preferences in a scene ("when I read I like the lamp at 60 %"): kept as wishes, never acted
on.

The liked state is read as an order would be, and becomes one intent of the kind PREFERENCE a goal, with the situation.
A rule ("when I come home, turn on the light") is recognised, too, and refused: nothing is done about it now.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from engine.graph.store import GraphStore
from engine.graph.terms import expand
from engine.language.meanings.context import Context
from engine.language.meanings.past import NOTHING_SAID, Hearing
from engine.language.meanings.readings import Alternatives
from engine.language.tastes.wishes import complaints
from engine.language.words.lexicon import Entry, Lexicon, Role
from engine.language.words.tokens import tokenize
from engine.model.intent import Amount, Category, Intent, Measure, Operation

Understand = Callable[[str, str, Context], tuple[Alternatives, ...]]
_EACH = "when|whenever|while|every time|each time|any time|as soon as|once"
_AT = "at|during|for|in|on|before|after|by|over"
_OFTEN = r"(?:(?:would|always|usually|normally|generally|often|also|rather|really|most|then|still|just) )*"
_LIKES = re.compile(
    rf"(?:^|(?<=[\s,]))(?P<who>[Ii]|[Ww]e|[A-Z][\w-]*)(?P<would>'d|’d)? (?P<often>{_OFTEN})"
    r"(?P<verb>like|likes|love|loves|prefer|prefers|enjoy|enjoys|want|wants|need|needs)\b (?P<what>.+)$"
)
_BEFORE = re.compile(
    rf"^(?:(?:please|so|and|well|ok|okay|hey),? )?(?P<mark>{_EACH}|{_AT}) (?P<scene>.*?),?\s*$", re.IGNORECASE
)
_BEHIND = re.compile(rf"(?:^|(?<=\s))(?P<mark>{_EACH}|at|during|for|before) (?=(?P<scene>\D+)$)", re.IGNORECASE)
_RULE = re.compile(
    rf"^(?:please,? )?(?P<mark>{_EACH}) (?P<scene>(?:i|i'm|we|we're|someone|somebody|anybody|anyone|they|he|she|guests|"
    r"the kids|the children|everybody|everyone|nobody)\b[^,]*?)(?:,| (?=(?:please|turn|switch|set|open|close|start|"
    r"stop|dim|lock|play|make|put|lower|raise|shut)\b)) *(?P<order>.+)$",
    re.IGNORECASE,
)
_RULE_BEHIND = re.compile(
    rf"^(?P<order>.+?),? (?P<mark>{_EACH}) (?P<scene>(?:i|i'm|we|we're|someone|somebody|they|guests)\b.+)$",
    re.IGNORECASE,
)
_TIMES = re.compile(
    r"\b(?:mornings?|evenings?|nights?|afternoons?|weekends?|weekdays?|noon|midnight|summer|winter|spring|autumn|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"^(?:to have |having |to see |it (?:when|if|with) |to keep |that )+|^(?:the )?room to be ", re.IGNORECASE
)
_COMPARED = re.compile(r"\b(?:than|more|less)\b|\bby \d|\w{2}er$", re.IGNORECASE)
"""What has nothing to start from at another time."""
_HABITUAL = frozenset({"like", "likes", "love", "loves", "prefer", "prefers", "enjoy", "enjoys"})
_LOW, _HIGH = expand("hg:Low"), expand("hg:High")


@dataclass(frozen=True, slots=True)
class _Statement:
    """The person, the liked state, and the words of the scene."""

    who: str
    what: str
    mark: str
    scene: str
    habitual: bool


def standing(text: str, request: str, context: Context, understand: Understand) -> tuple[Alternatives, ...] | None:
    """The intents of a preference in a scene, or the refusal of one that cannot be kept and of a rule; None for any
    other text."""
    said = " ".join(text.strip().rstrip(".!").replace("’", "'").split())
    statement = _statement(said)
    if statement is None:
        return _refused(text, request) if _is_rule(said, context) else None
    situation = scene_of(statement.scene, context)
    if situation is None or statement.mark in ("after", "before"):
        known = situation is not None or _TIMES.search(statement.scene)
        return _refused(text, request) if _is_always(statement, bool(known)) else None
    if statement.mark in ("for", "in", "on") and not statement.habitual:
        return None  # "for dinner I want the lights low": now
    found = list(_goals(statement, f"{request}/wish", context, understand))
    if _COMPARED.search(statement.what) or not found or any(one is None for one in found):
        return _refused(text, request)
    who = None if statement.who.casefold() in ("i", "we") else statement.who
    wishes = [one for one in found if one is not None]
    return tuple(
        ((replace(one, iri=f"{request}/intent-{n}", text=text, situation=situation, subject=who),),)
        for n, one in enumerate(wishes, start=1)
    )


def _refused(text: str, request: str) -> tuple[Alternatives, ...]:
    return (((Intent(f"{request}/intent-1", text, fault="not_supported_yet", subject=text[:200]),),),)


def _is_always(statement: _Statement, known: bool) -> bool:
    """Whether a statement is about every time of some kind, and so is no order for now."""
    return statement.habitual and (known or re.fullmatch(_EACH, statement.mark) is not None)


def _statement(said: str) -> _Statement | None:
    for found in _LIKES.finditer(said):
        what = found["what"].strip()
        if re.match(r"to (?!have\b|see\b|keep\b)|you\b|know\b", what):
            return None  # "I want to know …", "I'd like you to …"
        told_of = found["who"].casefold() not in ("i", "we")  # "Alex wants …" is no order of who says it
        habitual = found["verb"] in _HABITUAL and not found["would"] and "would" not in found["often"]
        habitual = habitual or told_of
        if before := _BEFORE.match(said[: found.start()]):
            return _Statement(found["who"], what, before["mark"].casefold(), before["scene"], habitual)
        behind = list(_BEHIND.finditer(what)) if found.start() == 0 else []
        if behind and behind[0].start() > 0:
            mark, scene = behind[0]["mark"].casefold(), behind[0]["scene"]
            return _Statement(found["who"], what[: behind[0].start()].rstrip(" ,"), mark, scene, habitual)
    return None


def _is_rule(said: str, context: Context) -> bool:
    """Whether a text orders something for every time that a scene comes about."""
    found = _RULE.match(said) or _RULE_BEHIND.match(said)
    return found is not None and scene_of(found["scene"], context) is not None


def _goals(statement: _Statement, iri: str, context: Context, understand: Understand) -> Iterator[Intent | None]:
    """The liked states, read as orders; None for one that cannot be kept."""
    what = _OPENING.sub("", statement.what)
    inner = replace(context, past=NOTHING_SAID, hearing=Hearing())
    places: tuple[str, ...] = ()
    read = [intent for readings in understand(f"make {what}", iri, inner) for intent in readings[0]]
    places = next((one.selection.places for one in read if one.selection.places), ())
    for intent in read:
        select = intent.selection
        if not select.places and not select.things and places:
            intent = replace(intent, selection=replace(select, places=places))  # "the bedroom dim and the blinds down"
        yield _wish(_levelled(intent, context))


def _levelled(intent: Intent, context: Context) -> Intent:
    """A thing that is liked bright or dim without a number is liked at a high or a low level."""
    if intent.fault != "missing_value" or intent.property is None:
        return intent
    words = tokenize(intent.text.split()[-1])
    entries = [e for m in context.dictionary.lexicon.at(words, 0) for e in m.entries if e.role is Role.COMPLAINT]
    known = next((complaints(context.store)[e.iri] for e in entries if e.iri in complaints(context.store)), None)
    if known is None:
        return intent
    level = Amount(Measure.NAMED, _LOW if known.direction > 0 else _HIGH)  # who wants it bright does not complain
    return replace(intent, fault=None, subject=None, amount=level)


def _wish(intent: Intent) -> Intent | None:
    """One goal, as a wish; None where it is none that can be kept for another time."""
    plain = intent.selection.plain and intent.timing is None and intent.query is None and not intent.inputs
    if intent.fault is not None or not plain or intent.situation is not None or intent.operation is Operation.CHECK:
        return None
    amount = intent.amount
    if amount is not None and amount.relative:  # the lamp is liked dim
        way = amount.value if isinstance(amount.value, int | float) else 0
        amount = Amount(Measure.NAMED, _HIGH if way > 0 else _LOW)
    if intent.variable is None and intent.command is None and (intent.property is None or amount is None):
        return None
    return replace(intent, category=Category.PREFERENCE, operation=Operation.SET, amount=amount, mentions=())


def scene_of(words: str, context: Context) -> str | None:
    """The situation that words are about, the longest name first."""
    lexicon = _scenes(context.store)
    tokens = tokenize(words)
    found = [match for start in range(len(tokens)) for match in lexicon.at(tokens, start)[:1]]
    best = max(found, key=lambda match: match.end - match.start, default=None)
    return best.entries[0].iri if best is not None else None


def _scenes(store: GraphStore) -> Lexicon:
    """The situations of the ontology by their labels."""
    return store.derived("language/scenes", lambda: _read(store))


def _read(store: GraphStore) -> Lexicon:
    scenes = Lexicon()
    for situation, label in store.select("language/scenes"):
        if situation is not None and label is not None:
            scenes.add(label.value, Entry(Role.VALUE, situation.value))
    return scenes
