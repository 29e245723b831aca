"""Rewords longer questions as plainer ones: "the number of lamps that are on" as how many lamps are on, "does the den
have a fan" as whether there is one in the den."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from engine.graph.terms import expand
from engine.language.phrases.predicates import HOSTS, NOUNS, PLACES
from engine.language.words import grammar
from engine.language.words.lexicon import Entry, Role
from engine.language.words.spans import Restriction, Span

REMAINING = (
    Entry(Role.PROPERTY, expand("hg:RemainingTime")),
    Entry(Role.PROPERTY, expand("hg:CookingTime")),
)
_HAVING = frozenset({"have", "has", "got", "contain", "contains"})
_LASTING = frozenset(
    {"until", "till", "left", "remaining", "longer", "take", "takes", "need", "needs", "going", "finish", "finished",
     "done", "ready", "will", "cook", "bake", "set"}
)  # fmt: skip
_FINISHED = frozenset({"done", "ready", "finish", "finished", "over", "complete", "through", "end"})
_PAST = frozenset({"has", "been", "since", "ago", "was", "had", "did"})
_OFFERED = frozenset({"in", "at", "inside", *grammar.ARTICLES})
_ABOUT_SETTING = frozenset({"set", "to", "at", "target"})


def reworded(spans: Sequence[Span], *, led: bool) -> list[Span]:
    """The spans of a question in plainer words, where there are such; else as they are. `led`: it is marked as one."""
    if not led and spans[0].text not in grammar.WHAT | {"how", "by", "for", "to", "at", "when"}:
        return list(spans)
    if len(spans) > 2 and spans[0].text in {"for", "to", "at"} and spans[1].text in {"how", "what"}:
        spans = spans[1:]  # "for how long is it set", "to what temperature …"
    for rule in (_number_of, _in_all, _by_how_much, _until_when, _which_place, _which_most, _there_is):
        found = list(rule(spans))
        if found:
            return found
    return list(spans)


def orders_value(spans: Sequence[Span]) -> bool:
    """ "Give me the strip in red", "give me 20 % on the lamp" orders; "give me the temperature" asks."""
    named = any(s.can_be(Role.PROPERTY) for s in spans)
    valued = any(
        before.text in {*grammar.TO, "in"} and (s.number is not None or s.can_be(Role.VALUE, Role.COLOUR, Role.OPTION))
        for before, s in pairwise(spans)
    )
    numbered = bool(spans) and spans[0].number is not None and spans[0].unit is not None
    return (valued or numbered) and not named and not any(s.restrictions for s in spans)


def is_of_settings(spans: Sequence[Span]) -> bool:
    """Whether a question is about a setting, and not a measurement: "… is the heater set to"."""
    words = [s.text for s in spans]
    return "set" in words and words[-1] in _ABOUT_SETTING


def _words(spans: Sequence[Span], words: str) -> Iterator[Span]:
    """Function words, where the spans begin."""
    place = spans[0].start if spans else 0
    return (Span(word, place, place) for word in words.split())


def _number_of(spans: Sequence[Span]) -> Iterator[Span]:
    """ "The total number of lamps that are on"."""
    texts = [s.text for s in spans[:6]]
    place = next((i for i, text in enumerate(texts) if text in grammar.COUNTING), None)
    before = grammar.ARTICLES | grammar.TOTAL | grammar.WHAT | grammar.COPULAS
    if place is not None and texts[place + 1 : place + 2] == ["of"] and set(texts[:place]) <= before:
        yield from (*_words(spans, "how many"), *spans[place + 2 :])


def _in_all(spans: Sequence[Span]) -> Iterator[Span]:
    """ "Average humidity of the house?", "the mean of …"."""
    first = next((i for i, s in enumerate(spans) if s.text not in grammar.ARTICLES), len(spans))
    if first < len(spans) and spans[first].text in grammar.AVERAGE | grammar.TOTAL and first + 1 < len(spans):
        yield from (*_words(spans, "what's the"), *spans[first:])


def _by_how_much(spans: Sequence[Span]) -> Iterator[Span]:
    """ "By how much is the den warmer than the hall": how much warmer it is."""
    texts = [s.text for s in spans]
    start = 1 if texts[:1] == ["by"] else 0
    if (
        texts[start : start + 1] != ["how"]
        or texts[start + 1 : start + 2] not in (["much"], ["many"])
        or "than" not in texts
    ):
        return
    start += spans[start + 2].can_be(Role.UNIT)  # "by how many degrees"
    more = next((i for i, s in enumerate(spans) if i > start + 2 and s.can_be(Role.RELATIVE)), None)
    if more is not None and texts[start + 2] in grammar.COPULAS:
        yield from (*_words(spans, "how much"), spans[more], *spans[start + 2 : more], *spans[more + 1 :])


def _until_when(spans: Sequence[Span]) -> Iterator[Span]:
    """ "How long until the dryer is done", "how much longer will it take", "when will it be ready"."""
    texts = {s.text for s in spans}
    begins = [s.text for s in spans[:2]]
    lasting = begins[:1] == ["how"] and (begins[1:] == ["long"] or "longer" in texts) and texts & _LASTING
    finishing = begins == ["when", "will"] and texts & _FINISHED
    if not (lasting or finishing) or texts & _PAST:
        return
    about = [s for s in spans if s.can_be(*NOUNS) or s.text in grammar.PRONOUNS & {"it", "that", "this"}]
    if about:
        property_ = Span("remaining time", spans[0].start, spans[0].end, REMAINING)
        yield from (*_words(spans, "what's"), property_, *_words(spans, "of"), about[-1])


def _which_place(spans: Sequence[Span]) -> Iterator[Span]:
    """ "Is it warmer in the den or in the hall": which of the two is."""
    texts = [s.text for s in spans]
    more = next((i for i, s in enumerate(spans) if s.can_be(Role.RELATIVE)), None)
    either = texts.index("or") if "or" in texts else 0
    if texts[:1] not in (["is"], ["are"]) or more is None or not either or "than" in texts:
        return
    first, second = _side(spans[1:either]), _side(spans[either + 1 :])
    if first is not None and second is not None:
        yield from (*_words(spans, "which is"), spans[more], *_words(spans, ","), first)
        yield from (*_words(spans, "or"), second)


def _which_most(spans: Sequence[Span]) -> Iterator[Span]:
    """ "Which speaker is louder", "which lamp is the brightest one that is on": the one of which there is most."""
    texts = [s.text for s in spans]
    copula = next((i for i, text in enumerate(texts) if text in grammar.COPULAS), None)
    if texts[:1] not in (["which"], ["what"]) or copula is None or not {"than", "or"}.isdisjoint(texts):
        return
    nouns = [s for s in spans[1:copula] if s.can_be(*NOUNS)]
    named = [s for s in spans[1:copula] if s.can_be(Role.PROPERTY)]
    last = spans[copula + 1 :] and [s for s in spans[copula + 1 :] if s.text not in grammar.NOW | {"?"}]
    if len(named) == 1 and not nouns and len(last) == 1 and last[0].text.split()[-1] in grammar.EXTREMES:
        yield from (*_words(spans, "what's"), last[0], named[0])  # "which battery is the lowest"
        return
    rest = [s for s in spans[copula + 1 :] if s.text not in grammar.ARTICLES | {"?"} | grammar.NOW]
    if len(nouns) != 1 or len(rest) != 1:
        return
    said = rest[0].restrictions if rest[0].text in ("one", "ones") else ()
    if rest[0].can_be(Role.RELATIVE) and not rest[0].can_be(Role.STATE):
        more = replace(rest[0], entries=tuple(Entry(Role.SUPERLATIVE, e.iri) for e in rest[0].having(Role.RELATIVE)))
        said = (Restriction("most", relation=more, count=1),)
    if any(one.comparison in ("most", "least") for one in said):
        yield from (*_words(spans, "what's the"), replace(nouns[0], restrictions=(*nouns[0].restrictions, *said)))


def _side(spans: Sequence[Span]) -> Span | None:
    """The one place or thing that is named on a side of an "or"."""
    named = [s for s in spans if s.can_be(*HOSTS) and not s.can_be(Role.RELATIVE)]
    return named[0] if len(named) == 1 else None


def _there_is(spans: Sequence[Span]) -> Iterator[Span]:
    """ "Does the den have a fan": whether there is a fan in the den."""
    have = next((i for i, s in enumerate(spans) if i and s.text in _HAVING), None)
    if not spans or spans[0].text not in ("does", "do", "has") or have is None:
        return
    before, after = spans[1:have], [s for s in spans[have + 1 :] if s.text not in _HAVING]
    placed = bool(before) and all(s.can_be(*PLACES) or s.text in _OFFERED for s in before)
    nouns = [s for s in after if s.can_be(*NOUNS)]
    if placed and len(nouns) == 1 and all(s is nouns[0] or s.text in grammar.ARTICLES | {"?"} for s in after):
        yield from (*_words(spans, "is there any"), replace(nouns[0], restrictions=()))
        yield from (*_words(spans, "in"), *before)
