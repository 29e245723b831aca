"""The regular endings of English: which dictionary forms a word as it stands in a text may have."""

from __future__ import annotations

from functools import lru_cache

_NO_PLURALS = frozenset({"its", "it's", "mrs"})
_SIBILANTS = ("sses", "ches", "shes", "xes", "zes")


@lru_cache(maxsize=16384)
def singular(word: str) -> str:
    """`lights` → `light`, `batteries` → `battery`, `glass` → `glass`."""
    if len(word) == 3 and word[2] == "s" and word[1] not in "aeiouys" and word not in _NO_PLURALS:
        return word[:2]  # "acs", "tvs"
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(_SIBILANTS) else word[:-1]


@lru_cache(maxsize=16384)
def forms(word: str) -> tuple[str, ...]:
    """The word itself and the dictionary forms that it may be of, likeliest first."""
    found = [word]
    if (one := singular(word)) != word:
        found.append(one)
    if word.endswith("ing") and len(word) > 5:
        found.extend(_stems(word[:-3]))
    elif word.endswith("ed") and len(word) > 4:
        found.extend(_stems(word[:-2]))
    return tuple(dict.fromkeys(found))


def _stems(stem: str) -> list[str]:
    """`dimm` → dim, `clos` → close, `open` → open."""
    doubled = len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "ls"
    return [stem[:-1], stem] if doubled else [stem + "e", stem]


def is_progressive(word: str) -> bool:
    """Whether the word looks like the -ing form of a verb: `opening`, `going`; not `bring`, `swing`."""
    return word.endswith("ing") and any(letter in "aeiouy" for letter in word[:-3])


def is_plural(word: str) -> bool:
    """Whether the word looks like a regular plural."""
    return singular(word) != word


def superlative_of(comparative: str) -> str | None:
    """The superlative of a comparative: `brighter` → `brightest`, `more humid` → `most humid`; None for other words."""
    for more, most in (("more ", "most "), ("less ", "least ")):
        if comparative.startswith(more):
            return most + comparative[len(more) :]
    return comparative[:-2] + "est" if comparative.endswith("er") and " " not in comparative else None


def positive_of(comparative: str) -> str:
    """`brighter` → `bright`, `hotter` → `hot`, `drier` → `dry`, `more humid` → `humid`."""
    if comparative.startswith(("more ", "less ")):
        return comparative.partition(" ")[2]
    stem = comparative[:-2]
    if stem.endswith("i"):
        return stem[:-1] + "y"
    doubled = len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "ls"
    return stem[:-1] if doubled else stem
