"""Tokens into spans: each a phrase of the lexicon, an amount with its unit, or a word that stands for itself."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from weakref import WeakKeyDictionary

from engine.graph.terms import expand
from engine.language.words import grammar
from engine.language.words.degrees import told_by_comparison
from engine.language.words.fillers import without_fillers
from engine.language.words.fluency import fluent
from engine.language.words.lexicon import Entry, Lexicon, Match, Role
from engine.language.words.morphology import is_plural
from engine.language.words.records import replace
from engine.language.words.span import Inquiry as Inquiry
from engine.language.words.span import Restriction as Restriction
from engine.language.words.span import Span as Span
from engine.language.words.spelling import corrected
from engine.language.words.tokens import Token, TokenKind, tokenize

PERCENT = expand("hg:Percent")
TIMES = frozenset(expand(f"hg:{unit}") for unit in ("Millisecond", "Second", "Minute", "Hour", "Day", "Week"))


def read_spans(text: str, lexicon: Lexicon) -> list[Span]:
    """The spans of a text; unknown words are corrected where the lexicon has one that is a slip away. A text that was
    read just now is not read again."""
    known = _recent.setdefault(lexicon, {})
    found = known.get(text)
    if found is None:
        if len(known) >= MOST_RECENT:
            known.clear()
        found = known[text] = tuple(_read(text, lexicon))
    return list(found)


MOST_RECENT = 256
_recent: WeakKeyDictionary[Lexicon, dict[str, tuple[Span, ...]]] = WeakKeyDictionary()


def _read(text: str, lexicon: Lexicon) -> list[Span]:
    tokens = corrected(fluent(tokenize(text, lexicon.written)), lexicon)
    spans = _spans(tokens, lexicon)
    kept = without_fillers(spans)
    if len(kept) < len(spans):  # what a filler stood between is read together: "swing, you know, side to side"
        said = {span.start: span for span in kept}
        inside = [t for t in tokens if any(s.start <= t.start < max(s.end, s.start + 1) for s in kept)]
        kept = _spans([replace(t, text=".") if _is_stop(said.get(t.start)) else t for t in inside], lexicon)
    return told_by_comparison(kept)


def _is_stop(span: Span | None) -> bool:
    return span is not None and span.text == "."


def _spans(tokens: Sequence[Token], lexicon: Lexicon) -> list[Span]:
    spans: list[Span] = []
    place = 0
    while place < len(tokens):
        span, place = _span_at(tokens, place, lexicon)
        spans.append(span)
    return spans


def _span_at(tokens: Sequence[Token], place: int, lexicon: Lexicon) -> tuple[Span, int]:
    token = tokens[place]
    matches = lexicon.at(tokens, place)
    if token.kind is TokenKind.NUMBER and not (matches and matches[0].end > place + 1):
        return _amount_at(tokens, place, lexicon)
    several = _SEVERAL.get(token.text)
    if several is not None and [t.text for t in tokens[place - 1 : place]] == ["a"]:
        return _several(several, tokens, place, lexicon)
    if token.text in ("a", "an"):
        unit, end = unit_at(tokens, place + 1, lexicon)
        if unit and unit not in TIMES and not _is_measured(tokens, end):
            return Span(f"a {tokens[end - 1].text}", token.start, tokens[end - 1].end, number=1.0, unit=unit), end
    if token.text == "half" and place + 2 < len(tokens) and tokens[place + 1].text in ("a", "an"):
        unit, end = unit_at(tokens, place + 2, lexicon)
        if unit:
            return Span("half a unit", token.start, tokens[end - 1].end, number=0.5, unit=unit), end
    if token.kind is TokenKind.QUOTE:
        return Span(token.text, token.start, token.end, quoted=True), place + 1
    if not matches:
        return Span(token.text, token.start, token.end), place + 1
    matches = _not_back(tokens, place, _nominal(tokens, place, matches))
    if not matches:
        return Span(token.text, token.start, token.end), place + 1
    match = _outside_names(tokens, _without_verbal_value(tokens, matches, lexicon), matches, lexicon)
    return _phrase(tokens, match, matches, lexicon), match.end


_VERBAL = frozenset({Role.COMMAND, Role.LIGHT_VERB, Role.RELATIVE})
_DETERMINERS = grammar.ARTICLES | grammar.UNIVERSAL | {"many"}


def _not_back(tokens: Sequence[Token], place: int, matches: list[Match]) -> list[Match]:
    """ "Turn it back off": no verb begins with "back" after a pronoun."""
    if tokens[place].text != "back" or not place or tokens[place - 1].text not in grammar.PRONOUNS:
        return matches
    return [m for m in matches if any(e.role not in _VERBAL for e in m.entries)]


def _nominal(tokens: Sequence[Token], place: int, matches: list[Match]) -> list[Match]:
    """ "Are all switches on", "turn the volume down": no verb begins after an article where a noun can."""
    if not place or tokens[place - 1].text not in _DETERMINERS:
        return matches
    verbal = [all(e.role in _VERBAL for e in m.entries) for m in matches]
    nouns = [m for m, is_verb in zip(matches, verbal, strict=True) if not is_verb]
    roles = {e.role for e in nouns[0].entries} if nouns else set()
    named = Role.PROPERTY in roles or (Role.DEVICE in roles and is_plural(tokens[place].text))
    return nouns if verbal[0] and matches[0].end > place + 1 and named else matches


def _is_measured(tokens: Sequence[Token], place: int) -> bool:
    """Whether "of 40" follows: "a degree of 40" is no single degree."""
    return [t.text for t in tokens[place : place + 1]] == ["of"] and any(
        t.kind is TokenKind.NUMBER for t in tokens[place + 1 : place + 2]
    )


_SEVERAL = {"couple": 2.0, "few": 3.0}


def _several(number: float, tokens: Sequence[Token], place: int, lexicon: Lexicon) -> tuple[Span, int]:
    """ "A couple of degrees", "a few percent"."""
    after = place + 2 if place + 1 < len(tokens) and tokens[place + 1].text == "of" else place + 1
    unit, end = unit_at(tokens, after, lexicon)
    if unit is None:
        return Span(tokens[place].text, tokens[place].start, tokens[place].end), place + 1
    return Span(f"{number:g}", tokens[place].start, tokens[end - 1].end, number=number, unit=unit), end


def _outside_names(tokens: Sequence[Token], longest: Match, matches: Sequence[Match], lexicon: Lexicon) -> Match:
    """The longest match that does not overlap a name: "start the washing machine" has no "start washing" in it; and no
    command after an article ("the vacuum up to high")."""
    if any(e.role in _NAMING for e in longest.entries):
        return longest
    verbal = all(e.role in (Role.COMMAND, Role.RELATIVE) for e in longest.entries)
    if verbal and longest.start and tokens[longest.start - 1].text in _POINTING:
        return next((m for m in matches[1:] if any(e.role in _NAMING for e in m.entries)), longest)
    for place in range(longest.start + 1, longest.end):
        names = (m for m in lexicon.at(tokens, place) if m.end > longest.end)
        if any(e.role in _NAMING for m in names for e in m.entries):
            return next((m for m in matches if m.end <= place), longest)
    return longest


_POINTING = frozenset({"the", "my", "our", "that", "this"})
_NAMING = frozenset({Role.DEVICE, Role.THING})


def _without_verbal_value(tokens: Sequence[Token], matches: Sequence[Match], lexicon: Lexicon) -> Match:
    """ "Heating mode to …" names a device and its property, and not a value, though a value is called so, too."""
    longest = matches[0]
    named = all(e.role in (Role.VALUE, Role.OPTION) for e in longest.entries)
    if named and longest.end < len(tokens) and tokens[longest.end].text == "to":
        for shorter in matches[1:]:
            rest = lexicon.at(tokens, shorter.end)
            ends = any(r.end == longest.end and any(e.role is Role.PROPERTY for e in r.entries) for r in rest)
            if ends and any(e.role is Role.DEVICE for e in shorter.entries):
                return shorter
    return longest


def _phrase(tokens: Sequence[Token], match: Match, matches: Sequence[Match], lexicon: Lexicon) -> Span:
    first, last = tokens[match.start], tokens[match.end - 1]
    text = " ".join(t.text for t in tokens[match.start : match.end])
    owner: tuple[Entry, ...] = ()
    if any(e.role is Role.PROPERTY for e in match.entries):
        owner = _owner(tokens, match, matches, lexicon)
    head = _head(tokens, match, lexicon) if any(e.role is Role.THING for e in match.entries) else ()
    return Span(text, first.start, last.end, match.entries, plural=is_plural(last.text), owner=owner, head=head)


def _head(tokens: Sequence[Token], match: Match, lexicon: Lexicon) -> tuple[Entry, ...]:
    """The device classes that the last words of a phrase name."""
    for start in range(match.start, match.end):
        for inner in lexicon.at(tokens, start):
            devices = tuple(e for e in inner.entries if e.role is Role.DEVICE)
            if inner.end == match.end and devices:
                return devices
    return ()


def _owner(tokens: Sequence[Token], match: Match, matches: Sequence[Match], lexicon: Lexicon) -> tuple[Entry, ...]:
    """The device named by the first words of a compound whose last words name a property by themselves."""
    for shorter in matches[1:]:
        devices = tuple(e for e in shorter.entries if e.role is Role.DEVICE)
        if not devices:
            continue
        owned = [t.text for t in tokens[shorter.end : shorter.end + 1]] == ["'s"]
        rest = lexicon.at(tokens, shorter.end + owned)
        if any(r.end == match.end and any(e.role is Role.PROPERTY for e in r.entries) for r in rest):
            return devices
    return ()


def _amount_at(tokens: Sequence[Token], place: int, lexicon: Lexicon) -> tuple[Span, int]:
    token = tokens[place]
    if _is_ratio(tokens, place):
        return _ratio(token, tokens[place + 2]), place + 3
    unit, end = unit_at(tokens, place + 1, lexicon)
    text = " ".join(t.text for t in tokens[place:end])
    return Span(text, token.start, tokens[end - 1].end, number=token.number, unit=unit), end


def _is_ratio(tokens: Sequence[Token], place: int) -> bool:
    """Whether a number, a stroke and a number stand without a space: "3/4"."""
    three = tokens[place : place + 3]
    glued = all(one.end == other.start for one, other in pairwise(three))
    return len(three) == 3 and three[1].text == "/" and three[2].number is not None and glued


def _ratio(above: Token, below: Token) -> Span:
    """A ratio is a share of the whole, in percent; one that is no number is a word that nobody knows."""
    text = f"{above.text}/{below.text}"
    if not below.number:
        return Span(text.replace("/", "over"), above.start, below.end)
    share = 100 * (above.number or 0.0) / below.number
    return Span(text, above.start, below.end, number=share, unit=PERCENT)


def unit_at(tokens: Sequence[Token], place: int, lexicon: Lexicon) -> tuple[str | None, int]:
    """The unit that follows a number, and the place after it. "-degree", "° c" and "%" are units too."""
    if place < len(tokens) - 1 and tokens[place].text == "-" and tokens[place].start == tokens[place - 1].end:
        unit, end = unit_at(tokens, place + 1, lexicon)
        return (unit, end) if unit else (None, place)
    for match in lexicon.at(tokens, place):
        units = [e.iri for e in match.entries if e.role is Role.UNIT]
        if units and not _is_article(tokens, place):
            return units[0], match.end
    return None, place


def _is_article(tokens: Sequence[Token], place: int) -> bool:
    """`a` and `in` may be unit symbols, but after a number with a space they are words."""
    token = tokens[place]
    return token.text in {"a", "in"} and token.start > tokens[place - 1].end
