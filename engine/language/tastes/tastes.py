"""Talk about preferences: questions for them, and revocations ("forget that I prefer daylight").

The words are classes of words in the ontology (hg:TalkOfTaste), in any order: a text is of this kind only if nothing is
left of it but function words and names of preferable things.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from engine.environment.values.units import FREE
from engine.graph.terms import expand
from engine.language.meanings.context import Context
from engine.language.tastes.preferences import classes_named
from engine.language.tastes.standing import scene_of
from engine.language.tastes.taste_words import TasteWords, taste_words
from engine.language.words import grammar
from engine.language.words.lexicon import Role
from engine.language.words.morphology import singular
from engine.language.words.tokens import tokenize
from engine.model.intent import Amount, Category, Intent, Measure, Operation
from engine.model.selection import Quantity, Select

FORGET = expand("hg:ForgetPreference")
_SELF = frozenset({"i", "i'm", "i've", "me", "my", "mine", "we", "us", "our", "ours", "myself"})
_POLITE = frozenset(
    {
        "please", "can", "could", "would", "will", "you", "kindly", "hey", "hi", "ok", "okay", "now", "just", "so",
        "that's", "all", "thanks", "thank", "and", "then", "well", "actually", "for", "i'd", "like", "to", "want",
        "again", "back", "about", "that", "this", "everything", "anything", "of", "the", "a", "any", "ever", "it",
        "sort", "kind", "things", "thing", "stuff", "in", "at", "with", "been", "being", "used", "have", "had",
        "has", "said", "told", "most", "best", "right", "currently", "ones",
    }
)  # fmt: skip
_WOULD = re.compile(r"\b(?:would|i'd|we'd|should|could) (?:you |i |we |really |rather |also )*(?:like|love|prefer)\b")
_WHEN = re.compile(r"\b(?:when|whenever|while|at|during|for) (?P<scene>\D+)$")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")
Words = Mapping[str, re.Pattern[str]]


def taste_talk(text: str, iri: str, context: Context) -> Intent | None:
    """The intent of asking for preferences, or of taking them back; None where a text is about anything else."""
    said = " ".join(re.sub(r"[^\w'.%°]+", " ", text.casefold().replace("’", "'")).split()).strip(" .")
    if not said or not _SELF & set(said.split()):
        return None
    words = taste_words(context.store).classes
    as_whole = words["TasteWord"].search(said) is not None
    if not as_whole and (words["LikingWord"].search(said) is None or _WOULD.search(said)):
        return None
    forgets = words["ForgettingWord"].search(said) is not None or _is_over(said, words)
    if not forgets and not _asks(said, words):
        return None
    about = _about(said, words, context)
    operation, command = (Operation.INVOKE, FORGET) if forgets else (Operation.CHECK, None)
    return None if about is None else replace(about, iri=iri, text=text, operation=operation, command=command)


def _asks(said: str, words: Words) -> bool:
    """Whether a text asks for preferences: a word of asking comes first, after polite ones."""
    first = next((word for word in said.split() if word not in _POLITE), "")
    if said.startswith("you know ") or (first == "do" and not said.startswith("do ")):
        return False  # "you know how I like it, …", "can you do it the way I like it": it is to be so
    return words["RecallingWord"].fullmatch(first) is not None


def _is_over(said: str, words: Words) -> bool:
    """Whether a liking is over: "I don't prefer daylight any more", "I no longer like lamps". "I don't like it any
    more" is a dislike, and a statement."""
    if words["EndingWord"].search(said) is None or not said.startswith(("i ", "i'm ", "we ", "i've ")):
        return False
    return re.search(r"\b(?:not|don't) (?:like|love|enjoy)\b", said) is None


def _about(said: str, words: Words, context: Context) -> Intent | None:
    """The preferences that a text is about: classes of devices, a variable, a value; all where nothing is named. None
    where a text has further words."""
    rest = said
    for name in ("EndingWord", "ForgettingWord", "TasteWord", "LikingWord"):
        rest = words[name].sub(" ", rest)
    situation = None
    if told := _WHEN.search(rest):
        situation = scene_of(told["scene"], context)
        rest = rest[: told.start()] if situation is not None else rest
    numbers = [float(found) for found in _NUMBER.findall(rest)]
    rest = re.sub(r"[%°]", " ", _NUMBER.sub(" ", rest))
    liked = taste_words(context.store)
    variable, rest = liked.named(rest), liked.names.sub(" ", rest)
    empty = grammar.KNOWN | _POLITE | _SELF | _unit_words(liked, context)
    left = [w for w in rest.split() if not {w, singular(w)} & empty and not _recalls(w, words)]
    found, other = _classes_left(left, rest, context)
    if left and not found and situation is None:
        return None
    amount = Amount(Measure.NUMBER, numbers[0]) if numbers else None
    select = Select(classes=found, quantity=Quantity.ALL)
    return Intent(
        "", "", Category.PREFERENCE, selection=select, variable=variable or other, amount=amount, situation=situation
    )


def _recalls(word: str, words: Words) -> bool:
    return words["RecallingWord"].fullmatch(word) is not None


def _classes_left(left: list[str], rest: str, context: Context) -> tuple[tuple[str, ...], str | None]:
    """The classes of devices and the variable named by all remaining words of a text."""
    if not left:
        return (), None
    stretch = " ".join(rest.split())
    begin, end = stretch.find(left[0]), stretch.rfind(left[-1]) + len(left[-1])
    for words in (stretch[begin:end], " ".join(left)):
        found, variable = classes_named(words, context)
        if found:
            return found, variable
    lexicon = context.dictionary.lexicon
    tokens, found_at, several = tokenize(" ".join(left)), 0, list[str]()
    while found_at < len(tokens):
        match = next((m for m in lexicon.at(tokens, found_at) if any(e.role is Role.DEVICE for e in m.entries)), None)
        if match is None:
            return (), None
        several += [entry.iri for entry in match.entries if entry.role is Role.DEVICE]
        found_at = match.end
    return tuple(dict.fromkeys(several)), None


def _unit_words(liked: TasteWords, context: Context) -> frozenset[str]:
    """The words of the units in which it is said how much of something is liked."""
    units = {one.unit for one in liked.liked} | FREE
    labels = " ".join(label for unit in units for label in context.vocabulary.labels.get(unit, ()))
    return frozenset(labels.casefold().split())
