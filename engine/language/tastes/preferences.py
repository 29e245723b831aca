"""Preferences that people state ("I prefer natural light", "I'm comfortable at 25"): a kind of intent of its own."""

from __future__ import annotations

import re

from engine.environment.values.units import canonical
from engine.language.meanings.context import Context
from engine.language.tastes.taste_words import taste_words
from engine.language.words.lexicon import Role, phrase
from engine.language.words.spans import read_spans
from engine.language.words.tokens import tokenize
from engine.model.intent import Amount, Category, Intent, Measure
from engine.model.selection import Quantity, Select

_SOMEBODY = r"(?:i|we|[A-Z]\w*|the (?:user|owner|family)|everyone|everybody)"
_OFTEN = r"(?:(?:really|always|usually|generally|much|would always) )?"
_LIKES = re.compile(
    rf"^{_SOMEBODY} {_OFTEN}(?P<said>[\w' -]+?)(?: any ?more| any longer| now)?\s*[.!]?$", re.IGNORECASE
)
_COMPARED = re.compile(r" (?:over|to|rather than|instead of|more than|but not|and not) ", re.IGNORECASE)
_ONE = re.compile(r"\bones?$", re.IGNORECASE)
"""What stands for the noun that was said before: "natural light to artificial one"."""
_COMFORTABLE = re.compile(
    rf"^(?:{_SOMEBODY}(?:'m| am| is|'re| are| feels?| likes?| prefers?)"
    r"(?: it)?(?: most| best)?(?: comfortable)? (?:at|with|around)|"
    r"my (?:ideal|preferred|favourite|favorite|comfort) (?P<of>[\w ]+?) is) (?P<amount>[\w.%° -]+?)\s*[.!]?$",
    re.IGNORECASE,
)


def stated(text: str, iri: str, context: Context) -> Intent | None:
    """The preference that a text states, or None where it states none that can be kept."""
    said = " ".join(text.strip().replace("’", "'").split())
    if found := _COMFORTABLE.match(said):
        return _comfort(found["of"], found["amount"], iri, text, context)
    if found := _LIKES.match(said):
        return _liking(found["said"], iri, text, context)
    return None


def _comfort(of: str | None, amount: str, iri: str, text: str, context: Context) -> Intent | None:
    """The preference for a comfortable value of a variable."""
    words = taste_words(context.store)
    variable = words.named(of or amount)
    if of is not None and variable is None:
        return None
    spans = read_spans(words.names.sub(" ", amount.casefold()), context.dictionary.lexicon)
    if not spans or spans[0].number is None or len(spans) > 2:
        return None
    unit = spans[0].unit if len(spans) == 1 else canonical(spans[1].text, context.vocabulary)
    if len(spans) == 2 and (spans[0].unit is not None or unit not in context.vocabulary.units):
        return None
    measured = words.measured(spans[0].number, unit, variable, context.vocabulary)
    if measured is None:
        return None
    number = Amount(Measure.NUMBER, round(measured[1], 1))
    return Intent(iri, text, Category.PREFERENCE, variable=measured[0], amount=number)


def _liking(said: str, iri: str, text: str, context: Context) -> Intent | None:
    """The preference of liked or disliked classes, and those they are preferred to."""
    words = taste_words(context.store).classes
    verb = words["DislikingWord"].match(said.casefold()) or words["PreferringWord"].match(said.casefold())
    if verb is None:
        return None
    more, *than = _COMPARED.split(said[verb.end() :], maxsplit=1)
    if not more.strip():
        return None
    liked, variable = classes_named(more.strip(), context)
    less, other = classes_named(_ONE.sub(more.split()[-1], than[0].strip()) if than else "", context)
    if not liked or (than and not less):
        return None
    if verb.re is words["DislikingWord"]:
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
