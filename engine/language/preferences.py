"""Preferences that people state ("I prefer natural light", "I'm comfortable at 25"): a kind of intent of its own."""

from __future__ import annotations

import re

from engine.graph.terms import expand
from engine.language.context import Context
from engine.language.lexicon import Role, phrase
from engine.language.tokens import tokenize
from engine.model.intent import Amount, Category, Intent, Measure
from engine.model.selection import Quantity, Select

_SOMEBODY = r"(?:i|we|[A-Z]\w*|the (?:user|owner|family)|everyone|everybody)"
_OFTEN = r"(?:(?:really|always|usually|generally|much|would always) )?"
_LIKES = re.compile(
    rf"^{_SOMEBODY} {_OFTEN}"
    r"(?P<verb>prefer|like|love|favour|favor|enjoy|hate|dislike|do not like|don't like|can't stand)s? "
    r"(?P<what>[\w' -]+?)(?: (?:over|to|rather than|instead of|more than) (?P<less>[\w' -]+?))?"
    r"(?: any ?more| any longer| now)?\s*[.!]?$",
    re.IGNORECASE,
)
_COMFORTABLE = re.compile(
    rf"^(?:{_SOMEBODY}(?:'m| am| is|'re| are| feels?| likes?| prefers?)"
    r"(?: it)?(?: most| best)?(?: comfortable)? (?:at|with|around)|"
    r"my (?:ideal|preferred|favourite|favorite|comfort) (?P<of>temperature|humidity|brightness) is) "
    r"(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>%|percent|lux|degrees|°c|°f|c|f|degrees celsius|degrees fahrenheit)?"
    r"(?: (?:temperature|humidity))?\s*[.!]?$",
    re.IGNORECASE,
)
_DISLIKING = frozenset({"hate", "dislike", "do not like", "don't like", "can't stand"})
_UNITS = {"%": "Humidity", "percent": "Humidity", "lux": "Illuminance"}
_NAMES = {"humidity": "Humidity", "brightness": "Illuminance"}


def stated(text: str, iri: str, context: Context) -> Intent | None:
    """The preference that a text states, or None where it states none that can be kept."""
    said = " ".join(text.strip().replace("’", "'").split())
    if found := _COMFORTABLE.match(said):
        return _comfort(found, iri, text)
    if found := _LIKES.match(said):
        return _liking(found, iri, text, context)
    return None


def _comfort(found: re.Match[str], iri: str, text: str) -> Intent:
    unit = (found["unit"] or "").casefold()
    variable = expand(f"hg:{_NAMES.get((found['of'] or '').casefold()) or _UNITS.get(unit, 'Temperature')}")
    number = float(found["number"])
    if unit.endswith(("f", "fahrenheit")):
        number = round((number - 32) * 5 / 9, 1)
    return Intent(iri, text, Category.PREFERENCE, variable=variable, amount=Amount(Measure.NUMBER, number))


def _liking(found: re.Match[str], iri: str, text: str, context: Context) -> Intent | None:
    liked, variable = classes_named(found["what"], context)
    less, other = classes_named(found["less"] or "", context)
    if not liked or (found["less"] and not less):
        return None
    if found["verb"].casefold() in _DISLIKING:
        liked, less = less, liked
    minus = (Select(classes=less, quantity=Quantity.ALL),) if less else ()
    select = Select(classes=liked, quantity=Quantity.ALL, minus=minus)
    return Intent(iri, text, Category.PREFERENCE, selection=select, variable=variable or other)


def classes_named(words: str, context: Context) -> tuple[tuple[str, ...], str | None]:
    """The classes of devices that words name as such, and for which variable; none where they name anything else."""
    wanted = phrase(re.sub(r"^(?:the|my|our|some|having|using) ", "", words, flags=re.IGNORECASE))
    if not wanted:
        return (), None
    for label, cls, variable in context.store.select("language/means"):
        if label is not None and cls is not None and phrase(label.value) == wanted:
            return (cls.value,), variable.value if variable is not None else None
    tokens = tokenize(" ".join(wanted))
    matches = [m for m in context.dictionary.lexicon.at(tokens, 0) if m.end == len(tokens)]
    return tuple(e.iri for m in matches for e in m.entries if e.role is Role.DEVICE), None
