"""For each token of a request the items that begin there, less those that a longer name rules out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from engine.graph.terms import expand
from engine.language.chart.heard.compounds import leave_alone, name_options
from engine.language.chart.heard.items import (
    ARTICLES,
    COUNTED,
    HEARD,
    INVERTED,
    OPERATORS,
    OTHER,
    PARTICLES,
    UTMOST,
    UTMOST_OF,
    FunctionWords,
    Item,
    Sort,
    includes,
)
from engine.language.chart.heard.sounds import numbers_said
from engine.language.times.times import TimeItem, times
from engine.language.words.dictionary import Dictionary
from engine.language.words.lexicon import Entry, Lexicon, Role
from engine.language.words.morphology import is_plural
from engine.language.words.spans import TIMES, _head, _owner, _span_at
from engine.language.words.tokens import Token, TokenKind

_PROPER = (Role.THING, Role.PLACE)
_NUMBER_WORDS = frozenset({"half", "a", "an", "quarter", "third", "couple", "few", "three"})
_DEGREES = frozenset({"more", "most", "so", "as", "less"})
_AUXILIARY = frozenset({Sort.Being, Sort.Whether, Sort.Copula})
_ASKING = frozenset({Sort.Whether, Sort.What, Sort.Which, Sort.How, Sort.HowMany, Sort.Where})
_COUNTING = frozenset({Sort.Every, Sort.Both, Sort.Including})
_LEFT_OUT = frozenset({Sort.Definite, Sort.Indefinite, Sort.Fillers, Sort.Loose, Sort.And})
"""What can be taken and say nothing, so that it need not be skipped."""
_DETERMINERS = frozenset({"the", "its", "their", "this", "that", "my", "our", "a", "an"})
_VERBAL = frozenset({Role.COMMAND, Role.LIGHT_VERB, Role.RELATIVE, Role.DEGREE, Role.FILLER})
_ARTICLES = _DETERMINERS - {"this", "that"}
_STATED = frozenset({Role.VALUE, Role.STATE})
_ROLES = {
    Role.DEVICE: Sort.NOUN,
    Role.THING: Sort.NOUN,
    Role.PLACE: Sort.PLACE,
    Role.PLACE_CLASS: Sort.PLACE,
    Role.PROPERTY: Sort.KIND,
    Role.VALUE: Sort.VALUE,
    Role.STATE: Sort.VALUE,
    Role.OPTION: Sort.VALUE,
    Role.COLOUR: Sort.VALUE,
    Role.COMMAND: Sort.VERB,
    Role.LIGHT_VERB: Sort.VERB,
    Role.RELATIVE: Sort.RELATIVE,
    Role.SUPERLATIVE: Sort.SUPERLATIVE,
    Role.GRADABLE: Sort.GRADABLE,
    Role.FILLER: Sort.Fillers,
    Role.ASIDE: Sort.Fillers,
    Role.EDITING: Sort.Repair,
    Role.SHIFT: Sort.Fillers,
    Role.DEGREE: Sort.VALUE,
}
_SHARES = frozenset({expand("hg:Half"), expand("hg:Third"), expand("hg:Quarter")})
_EXTREMES = {expand("hg:Maximum"): 1, expand("hg:Minimum"): -1}
_TO = ("to", "at", "on")
_PERCENT, _PRESENT = expand("hg:Percent"), expand("hg:OfThePresent")


def items_of(tokens: Sequence[Token], dictionary: Dictionary, words: FunctionWords) -> list[list[Item]]:
    """For each token the items that begin there, each token of its own a word at least."""
    lexicon = dictionary.lexicon
    found = [_at(tokens, place, lexicon, words) for place in range(len(tokens))]
    found = [[i for i in some if not _is_restricted(i, found)] for some in found]
    found = [[i for i in some if not (i.sort in _LED and _is_led_in(i, found))] for some in found]
    named, rooms = _within(found, *_PROPER), _within(found, Role.PLACE)
    named |= {n for some in found for i in some if i.sort in _OF_TWO for n in range(i.start + 1, i.end)}
    found = [[i for i in some if not (i.sort in _NOT_OF_NAMES and i.start in named)] for some in found]
    found = [[i for i in some if not (i.sort is Sort.PLACE and i.start in rooms)] for some in found]
    found = [[i for i in some if not (_is_cut(i, found) or _ends_a_name(i, found))] for some in found]
    found = [[i for i in some if not _is_of_another(i, found)] for some in found]
    found = [[replace(i, of_current=True) if _is_of_property(i, found, tokens) else i for i in some] for some in found]
    for some in found:
        some += [long for one in some for long in _of_the_present(one, found)]
    for some in found:
        some += [one for item in some for one in (*_asking_which(item, found), *_ranking(item, found, tokens))]
        some += [one for item in some for one in _requesting(item, found)]
    found = [[i for i in some if not _only_asks(i, found)] for some in found]
    _bound(found)
    leave_alone(found)
    name_options(found, dictionary)
    for one in times_of(tokens, found, words):
        said = "plain" if one.plain else "unsure"
        text = _text(tokens, one.start, one.end)
        found[one.start].append(Item(one.start, one.end, Sort.TIME, text, said=said, time=one.meaning))
    return found


def times_of(tokens: Sequence[Token], found: Sequence[Sequence[Item]], words: FunctionWords) -> list[TimeItem]:
    """The expressions of time in tokens of which these items are known, less those that end within a name or a mode."""
    return [
        one for one in times(tokens, words.time) if not (_ends_within_a_name(one, found) or _ends_a_mode(one, found))
    ]


def _ends_a_mode(time: TimeItem, items: Sequence[Sequence[Item]]) -> bool:
    """Whether a time ends within words for a value: "on night mode"."""
    values = (i for n in range(time.start, time.end) for i in items[n] if i.sort is Sort.VALUE)
    return any(i.start < time.end < i.end for i in values)


def _within(items: Sequence[Sequence[Item]], *roles: Role) -> set[int]:
    """The places behind the first word of what is named in one of these roles."""
    return {n for own in items for i in own if i.having(*roles) for n in range(i.start + 1, i.end)}


def _only_asks(item: Item, items: Sequence[Sequence[Item]]) -> bool:
    """Whether a word for any thing that also asks stands behind no verb that it is the object of ("stop *what's*
    playing")."""
    asks = item.sort is Sort.Any and any(i.sort is Sort.What and i.end == item.end for i in items[item.start])
    return asks and not any(i.sort is Sort.VERB and i.end == item.start for own in items[: item.start] for i in own)


def _bound(items: list[list[Item]]) -> None:
    """Takes the parts of "at least", "at most" away, which by themselves name a goal and the end of a scale."""
    for place, own in enumerate(items):
        end = max((i.end for i in own if i.sort in _BOUNDS and i.length > 1), default=0)
        if end:
            items[place] = [i for i in own if i.sort is not Sort.To or i.end > end]
            for inside in range(place + 1, end):
                items[inside] = [i for i in items[inside] if i.sort not in _ENDS]


_BOUNDS = (Sort.AtLeast, Sort.AtMost)
_OF_TWO = (Sort.FormerOne, Sort.LatterOne)
_ENDS = (Sort.Least, Sort.Most, Sort.SUPERLATIVE)
_OBJECTS = ARTICLES | {Sort.Every, Sort.Everywhere, Sort.NOUN, Sort.PLACE, Sort.PronounOne, Sort.PronounSeveral}
_NOT_OF_NAMES = frozenset({Sort.NUMBER, Sort.VERB, Sort.One, Sort.PronounSeveral})
"""What no word within a name is: "lamp 3", "the front door lock", "the first of *those two*"."""


def _is_cut(item: Item, items: Sequence[Sequence[Item]]) -> bool:
    """Whether a command would end within the name of a kind: "set the alarm volume" sets no alarm."""
    if item.sort is not Sort.VERB or item.length == 1:
        return False
    inside = (i for n in range(item.start + 1, item.end) for i in items[n] if i.sort is Sort.KIND)
    return any(i.end > item.end for i in inside)


def _ends_a_name(item: Item, items: Sequence[Sequence[Item]]) -> bool:
    """Whether a verb is the end of a name that an article leads, and nothing follows that it could be done to: "the
    suction of the robot vacuum", not "have the robot vacuum the hall"."""
    if item.sort is not Sort.VERB or (item.end < len(items) and includes((items[item.end],), *_OBJECTS)):
        return False
    led = (n for n in range(1, item.start) if any(i.sort in ARTICLES and i.end == n for i in items[n - 1]))
    return any(i.sort is Sort.NOUN and i.end == item.end for n in led for i in items[n])


def _is_of_another(item: Item, items: Sequence[Sequence[Item]]) -> bool:
    """Whether a noun for a device that is the name of a property as well stands beside the device that has it: "the
    *display* of the smart screen"."""
    if item.sort is not Sort.NOUN or item.having(Role.THING):
        return False
    if {i.sort for i in items[item.start] if i.end == item.end} != {Sort.NOUN, Sort.KIND, Sort.WORD}:
        return False  # "the fan on it" may be a part of it
    own = {e.iri for e in item.having(Role.DEVICE)}
    before = (i for some in items[: item.start] for i in some if i.sort is Sort.NOUN and i.end == item.start)
    return any(own & {e.iri for e in i.having(Role.DEVICE)} for i in before) or _is_had_by_another(item.end, own, items)


def _is_had_by_another(place: int, own: Set[str], items: Sequence[Sequence[Item]]) -> bool:
    """Whether "of" or "on" and a device of the same class follow there, or "on it"."""
    on = {i.end for some in items[place : place + 1] for i in some if i.sort is Sort.On}
    if any(includes(items[end : end + 1], Sort.PronounOne) for end in on):
        return True
    behind = on | {i.end for some in items[place : place + 1] for i in some if i.sort is Sort.Of}
    behind |= {i.end for end in behind for some in items[end : end + 1] for i in some if i.sort in ARTICLES}
    nouns = (i for end in behind for some in items[end : end + 1] for i in some if i.sort is Sort.NOUN)
    return any(own & {e.iri for e in i.having(Role.DEVICE)} for i in nouns)


def _ends_within_a_name(time: TimeItem, items: Sequence[Sequence[Item]]) -> bool:
    """Whether a time ends within a name that an article leads: "of the night light", "in the morning room"."""
    inside = range(time.start + 2, time.end)
    led = (n for n in inside if includes((items[n - 1],), *ARTICLES))
    return any(i.sort in (Sort.NOUN, Sort.PLACE) and i.end > time.end for n in led for i in items[n])


def _is_restricted(item: Item, items: Sequence[Sequence[Item]]) -> bool:
    """ "In any room that has …": not everywhere."""
    if item.sort is not Sort.Everywhere or item.end >= len(items):
        return False
    named = any(i.sort is Sort.PLACE and i.end == item.end for some in items[item.start : item.end] for i in some)
    return named and includes((items[item.end],), *_RESTRICTING)


_LED = frozenset({Sort.Not, Sort.Except, Sort.KIND, Sort.PLACE})


def _is_led_in(item: Item, items: Sequence[Sequence[Item]]) -> bool:
    """Whether a word denies nothing, for it belongs to a request ("why *don't* you …") or to an exception, leaves
    nothing out, for it is a verb ("to *save* power"), is no property, for it belongs to a time ("at that *time*"), or
    no room, for it belongs to words for the whole home ("in the *house*", where there is a wash house)."""
    if item.sort is Sort.Except:
        to = items[item.start - 1] if item.start and item.length == 1 else ()
        return any(i.sort is Sort.To and i.length == 1 for i in to)
    leading = _LEADING.get(item.sort, (Sort.Requesting, Sort.Except))
    return any(i.end >= item.end for some in items[: item.start] for i in some if i.sort in leading and i.length > 2)


def _particle(tokens: Sequence[Token], place: int) -> Iterator[Item]:
    """A particle; the "back" before a number goes down: "dial it *back* ten percent", "take it *back* by ten"."""
    text, behind = tokens[place].text, tokens[place + 1 : place + 2]
    if text in PARTICLES:
        yield Item(place, place + 1, Sort.PARTICLE, text)
    if text == "back" and behind and (behind[0].kind is TokenKind.NUMBER or behind[0].text == "by"):
        yield Item(place, place + 1, Sort.Downwards, text, said=-1)


def _said_whole(found: list[Item], tokens: Sequence[Token], place: int) -> list[Item]:
    """The items, without a "one" by itself where it begins a number behind a pause, "to" or "at": "the oven, *one*
    ninety"."""
    before = tokens[place - 1] if place else None
    alone = before is None or before.kind is TokenKind.PUNCTUATION or before.text in ("to", "at", "on")
    if tokens[place].text != "one" or not alone or not any(i.sort is Sort.NUMBER and i.length > 1 for i in found):
        return found
    return [i for i in found if i.length > 1 or i.sort not in (Sort.One, Sort.PronounOne, Sort.NUMBER)]


_LEADING = {Sort.KIND: (Sort.Sometime,), Sort.PLACE: (Sort.Everywhere,)}
_RESTRICTING = frozenset({Sort.That, Sort.Whose, Sort.Wherever, Sort.With, Sort.Without})


def _at(tokens: Sequence[Token], place: int, lexicon: Lexicon, words: FunctionWords) -> list[Item]:
    token = tokens[place]
    if token.kind is TokenKind.QUOTE:
        return [Item(place, place + 1, Sort.TEXT, token.text)]
    found = [long for one in _function(tokens, place, words) for long in _with_name(one, tokens)]
    if token.kind is TokenKind.NUMBER or token.text in _NUMBER_WORDS:
        found.extend(_number(tokens, place, lexicon))
    found.extend(_meaning(tokens, place, lexicon, words))
    for end, number, unit, heard in numbers_said(tokens, place, words.numbers, lexicon):
        said = HEARD if heard else None
        found.append(Item(place, end, Sort.NUMBER, f"{number:g}", (), number, unit, said=said))
    found = _said_whole(found, tokens, place)
    if token.text in _DEGREES and place + 1 < len(tokens):
        found.extend(_degree(tokens, place, lexicon))
        found.extend(_utmost(tokens, place, lexicon, words))
    utmost = list(_superlative_of_all(tokens, place, lexicon, words))
    directly = {i.end for i in found if i.sort is Sort.SUPERLATIVE and _ends(tokens, i.end, words, UTMOST_OF)}
    found = [i for i in found if i.sort is not Sort.SUPERLATIVE or i.end not in directly] + utmost
    found.extend(_superlative_of_a_scale(found, tokens, lexicon))
    found.extend(_reached(tokens, place, lexicon, words))
    found.extend(_particle(tokens, place))
    if includes((found,), Sort.Being):  # "is on" is told, and no value
        found = [i for i in found if i.sort is not Sort.VALUE]
    if includes((found,), Sort.Inverted):
        found = [replace(i, said=INVERTED) if i.sort in _AUXILIARY else i for i in found if i.sort is not Sort.Inverted]
    found = _counted(_unmended(found), tokens)
    signs = _is_signed(found, tokens, lexicon)
    found = [i for i in found if not (signs and i.sort in (Sort.And, Sort.Except))]
    told = {i.end for i in found if i.sort is Sort.Still or i.having(Role.OPTION)}  # a "quick" programme is one here
    found = [i for i in found if i.sort is not Sort.Fillers or i.end not in told]
    empty = max((i.end for i in found if i.sort is Sort.Fillers), default=0)
    found = [i for i in found if i.sort is not Sort.NUMBER or i.end >= empty]  # "two things: …" counts nothing
    if any(i.sort in (Sort.Definite, Sort.Indefinite) and i.length == 1 for i in found):
        found = [i for i in found if i.sort is not Sort.Loose or i.length > 1]
    operates = signs or any(i.length == 1 and (i.sort in OPERATORS or _is_by(i, tokens)) for i in found)
    if token.kind in (TokenKind.WORD, TokenKind.NUMBER) and not operates:
        return _with_the_word(found, tokens, place, lexicon)
    return found or [Item(place, place + 1, Sort.PauseMark, token.text)]


def _is_of_property(item: Item, items: Sequence[Sequence[Item]], tokens: Sequence[Token]) -> bool:
    """Whether a share is one of a property as it is: "half its brightness"."""
    if item.sort is not Sort.VALUE or not any(e.role is Role.VALUE and e.iri in _SHARES for e in item.entries):
        return False
    place = item.end + (item.end < len(items) and tokens[item.end].text == "of")
    owned = place < len(items) and includes((items[place],), Sort.Definite, Sort.Possessive)
    return owned and place + 1 < len(items) and includes((items[place + 1],), Sort.KIND)


def _of_the_present(item: Item, items: Sequence[Sequence[Item]]) -> Iterator[Item]:
    """A share with the words that make it one of the present value: "half of what it is now"."""
    share = item.unit in (None, _PERCENT) if item.sort is Sort.NUMBER else bool(item.having(Role.VALUE))
    if share and item.end < len(items):
        ends = {i.end for i in items[item.end] for e in i.having(Role.DEGREE) if e.iri == _PRESENT}
        yield from (replace(item, end=end, of_current=True) for end in ends)


def _asking_which(item: Item, items: Sequence[Sequence[Item]]) -> Iterator[Item]:
    """ "What room", as "which room"."""
    asks = item.sort is Sort.What and item.length == 1 and item.end < len(items)
    if asks and any(i.sort is Sort.PLACE and i.having(Role.PLACE_CLASS) for i in items[item.end]):
        yield replace(item, sort=Sort.Which)


def _requesting(item: Item, items: Sequence[Sequence[Item]]) -> Iterator[Item]:
    """A request that is put as a pleasure: "*I'd be really chuffed if you could* …"."""
    place, glad = item.end, False
    if item.sort is not Sort.Gladly:
        return
    while place < len(items) and not includes((items[place],), Sort.If):
        said = [i for i in items[place] if i.sort in _PLEASED]
        if not said:
            return
        best = max(said, key=lambda i: (i.length, i.sort is Sort.Glad))
        glad, place = glad or best.sort is Sort.Glad, best.end
    if glad and place < len(items):
        end = max(i.end for i in items[place] if i.sort in (Sort.If, Sort.Fillers))
        you = [i.end for i in items[end] if i.sort in (Sort.Requesting, Sort.Loose)] if end < len(items) else []
        yield replace(item, end=max([end, *you]), sort=Sort.Requesting)


_PLEASED = (
    Sort.Glad, Sort.Fillers, Sort.SpeakerWord, Sort.Definite, Sort.Indefinite, Sort.Copula, Sort.Being,
    Sort.Loose,
)  # fmt: skip


def _ranking(item: Item, items: Sequence[Sequence[Item]], tokens: Sequence[Token]) -> Iterator[Item]:
    """ "The maximum humidity", as "the highest humidity"; not where something is set to it."""
    ends = {e.iri for e in item.having(Role.VALUE)} & _EXTREMES.keys()
    set_to = any(t.text in _TO for t in tokens[max(0, item.start - 2) : item.start])
    if ends and not set_to and item.end < len(items) and any(i.sort is Sort.KIND for i in items[item.end]):
        way = _EXTREMES[ends.pop()]
        yield replace(item, sort=Sort.Most if way > 0 else Sort.Least, said=way)


def _counted(found: list[Item], tokens: Sequence[Token]) -> list[Item]:
    """The items without an article where the same words before a number say by how much: "another fifteen"."""
    by = {i.end for i in found if _is_by(i, tokens)}
    return [i for i in found if not (i.end in by and i.sort in (Sort.Indefinite, Sort.Different))]


def _is_signed(found: Sequence[Item], tokens: Sequence[Token], lexicon: Lexicon) -> bool:
    """Whether a word is the sign of the number behind it, which nothing follows: "all the lamps plus ten"."""
    signs = [i for i in found if i.sort in (Sort.Upwards, Sort.Downwards) and i.end < len(tokens)]
    ends = [n.end for i in signs if tokens[i.end].number is not None for n in _number(tokens, i.end, lexicon)]
    return any(end == len(tokens) or tokens[end].kind is TokenKind.PUNCTUATION for end in ends)


def _is_by(item: Item, tokens: Sequence[Token]) -> bool:
    """Whether it says that the number behind it is a change."""
    return item.sort is Sort.By and item.end < len(tokens) and tokens[item.end].number is not None


def _unmended(found: list[Item]) -> list[Item]:
    """The items without a "no" that would mend the words before, where "no one" stands."""
    nobody = any(i.sort is Sort.Nobody and i.length > 1 for i in found)
    return [i for i in found if i.sort is not Sort.Repair or i.length > 1] if nobody else found


def _with_the_word(found: list[Item], tokens: Sequence[Token], place: int, lexicon: Lexicon) -> list[Item]:
    """The items, and the word itself, which may be left out or be of a name, unless it must be read."""
    token = tokens[place]
    alone = {i.sort for i in found if i.length == 1}
    said = Sort.Being.value if Sort.Being in alone else "asks" if alone & _ASKING else None
    said = said or (COUNTED if alone & _COUNTING else None)
    said = INVERTED if any(i.said == INVERTED for i in found) else said
    if alone & _LEFT_OUT:
        named = alone - _SAYING == {Sort.Loose} and lexicon.names(token.text)
        return [*found, Item(place, place + 1, Sort.WORD, token.text, said="name")] if named else found
    said = said or _fragment(tokens, place) or ("function" if alone - _SAYING else None)
    return [*found, Item(place, place + 1, Sort.WORD, token.text, number=token.number, said=said)]


_SAYING = frozenset(
    {
        Sort.VALUE, Sort.NOUN, Sort.PLACE, Sort.SUPERLATIVE, Sort.RELATIVE, Sort.KIND, Sort.VERB, Sort.NUMBER,
        Sort.GRADABLE, Sort.PARTICLE, Sort.TIME, Sort.DURATION, Sort.TEXT, Sort.WORD,
    }
)  # fmt: skip
"""What has a meaning in the graph; every other sort is of a word of grammar."""


MOST_CALLED = 3
"""How many words a name has that somebody says a thing is called by."""
_NEAR = 4
_FEW_LETTERS = 2


def _fragment(tokens: Sequence[Token], place: int) -> str:
    """ "fragment" for a word that its speaker broke off or says again after a pause: "humidi, humidifier"."""
    text = tokens[place].text
    ahead = tokens[place + 1 : place + 1 + _NEAR]
    if tokens[place].kind is not TokenKind.WORD or not any(t.text in _PAUSES for t in ahead[:2]):
        return ""
    words = [t.text for t in ahead if t.kind is TokenKind.WORD]
    whole = len(text) >= _FEW_LETTERS and any(w.startswith(text) and w != text for w in words)
    return "fragment" if whole or text in words[:2] else ""


_PAUSES = frozenset({",", "-", "–", "—", "...", "…"})


def _function(tokens: Sequence[Token], place: int, words: FunctionWords) -> list[Item]:
    """The function words that begin at a token."""
    token = tokens[place]
    found = []
    if token.kind is TokenKind.PUNCTUATION and token.text in words.marks:
        found.append(Item(place, place + 1, words.marks[token.text], token.text))
    found.extend(Item(place, place + 1, sort, token.text) for sort in words.endings.get(token.text, ()))
    for match in words.trie.at(tokens, place):
        if match.end > match.start:
            text = _text(tokens, match.start, match.end)
            found.extend(
                Item(match.start, match.end, Sort(e.iri), text, said=words.said.get(e.iri)) for e in match.entries
            )
    return found


def _with_name(item: Item, tokens: Sequence[Token]) -> Iterator[Item]:
    """A function word as it stands; "called" with the name that follows, of one word or of several."""
    if item.sort is not Sort.Called:
        yield item
        return
    if item.end == len(tokens) or tokens[item.end].kind is TokenKind.PUNCTUATION:
        yield item  # the name cannot be read, and is not passed over
    for end in range(item.end + 1, min(item.end + MOST_CALLED, len(tokens)) + 1):
        if tokens[end - 1].kind is TokenKind.PUNCTUATION:
            return
        yield replace(item, end=end, text=_text(tokens, item.start, end), said=_text(tokens, item.end, end))


def _meaning(tokens: Sequence[Token], place: int, lexicon: Lexicon, words: FunctionWords) -> list[Item]:
    """What begins at a token and means something in the graph."""
    known: dict[int, list[Entry]] = {}
    for match in (*lexicon.at(tokens, place), *words.heard.at(tokens, place)):
        if match.end > match.start:
            own = known.setdefault(match.end, [])
            own.extend(e for e in match.entries if e not in own)
    found: list[Item] = []
    other = bool(known) and place > 0 and _is_other(tokens, place, words)
    for end in sorted(known, reverse=True):
        entries = tuple(known[end])
        if lexicon.foreign:
            pass
        elif tokens[place].text in _DETERMINERS:
            entries = tuple(e for e in entries if e.role in _VERBAL)
        elif any(t.text in _ARTICLES for t in tokens[place:end]):  # "all the way open"
            entries = tuple(e for e in entries if e.role in _VERBAL | _STATED)
        found.extend(_of_match(tokens, place, end, entries, lexicon, OTHER if other else None))
    return found


def _degree(tokens: Sequence[Token], place: int, lexicon: Lexicon) -> list[Item]:
    """ "More strong", "most bright": an adjective that other people inflect."""
    found = []
    for match in lexicon.at(tokens, place + 1):
        entries = tuple(e for e in match.entries if e.role is Role.GRADABLE)
        if entries and match.end > place + 1:
            role, sort = (
                (Role.SUPERLATIVE, Sort.SUPERLATIVE) if tokens[place].text == "most" else (Role.RELATIVE, Sort.RELATIVE)
            )
            if tokens[place].text in ("more", "most"):
                own = tuple(Entry(role, e.iri) for e in entries)
                found.append(Item(place, match.end, sort, _text(tokens, place, match.end), own))
    return found


def _utmost(tokens: Sequence[Token], place: int, lexicon: Lexicon, words: FunctionWords) -> Iterator[Item]:
    """ "As warm as it can be", "as warm a white as they'll go": the end of a scale."""
    for match in lexicon.at(tokens, place + 1):
        entries = tuple(Entry(Role.SUPERLATIVE, e.iri) for e in match.entries if e.role is Role.GRADABLE)
        for start in range(match.end, match.end + 3) if entries else ():
            for end in _ends(tokens, start, words, UTMOST):
                yield Item(place, end, Sort.SUPERLATIVE, _text(tokens, place, end), entries, said=UTMOST)


def _reached(tokens: Sequence[Token], place: int, lexicon: Lexicon, words: FunctionWords) -> Iterator[Item]:
    """ "Up to its target temperature", "hit the set temp": that a setting has been reached."""
    for reaching in words.trie.at(tokens, place):
        if not any(e.iri == Sort.Reaching.value for e in reaching.entries):
            continue
        article = reaching.end < len(tokens) and tokens[reaching.end].text in _DETERMINERS
        for match in lexicon.at(tokens, reaching.end + article):
            if any(e.iri in _TARGETS for e in match.entries):
                yield Item(place, match.end, Sort.Reached, _text(tokens, place, match.end))


_TARGETS = frozenset(expand(f"hg:{kind}") for kind in ("TargetTemperature", "TargetWaterTemperature", "TargetHumidity"))


def _superlative_of_all(tokens: Sequence[Token], place: int, lexicon: Lexicon, words: FunctionWords) -> Iterator[Item]:
    """ "Warmest they go", "warmest tone available": the end of a scale, which ranks nothing."""
    for match in lexicon.at(tokens, place):
        entries = tuple(e for e in match.entries if e.role is Role.SUPERLATIVE)
        for start in (match.end, match.end + 1) if entries else ():
            for end in _ends(tokens, start, words, UTMOST_OF):
                yield Item(place, end, Sort.SUPERLATIVE, _text(tokens, place, end), entries, said=UTMOST)


def _superlative_of_a_scale(items: Sequence[Item], tokens: Sequence[Token], lexicon: Lexicon) -> list[Item]:
    """ "The warmest tone", "the quietest setting": the end of a scale, where the superlative alone is no value."""
    ends = {i.end for i in items if i.sort is Sort.VALUE or i.said == UTMOST} | {len(tokens)}
    return [
        replace(one, end=match.end, text=_text(tokens, one.start, match.end), said=UTMOST)
        for one in items
        for match in (lexicon.at(tokens, one.end) if one.sort is Sort.SUPERLATIVE and one.end not in ends else ())
        if any(e.role in (Role.PROPERTY, Role.COLOUR) for e in match.entries)
    ]


def _ends(tokens: Sequence[Token], start: int, words: FunctionWords, of: str) -> list[int]:
    """Where words end that begin at a token and are of a class: "they go" says of a superlative that it is all."""
    matches = words.trie.at(tokens, start) if start < len(tokens) else ()
    return [m.end for m in matches if any(e.iri == of for e in m.entries)]


def _text(tokens: Sequence[Token], start: int, end: int) -> str:
    return " ".join(t.text for t in tokens[start:end])


def _number(tokens: Sequence[Token], place: int, lexicon: Lexicon) -> list[Item]:
    span, end = _span_at(tokens, place, lexicon)
    if span.number is None:
        return []
    sort = Sort.DURATION if span.unit in TIMES else Sort.NUMBER
    return [Item(place, end, sort, span.text, (), span.number, span.unit, of_current=span.of_current)]


def _is_other(tokens: Sequence[Token], place: int, words: FunctionWords) -> bool:
    """Whether what begins at a token shall be another than it is: "a different colour"."""
    before = (m for start in range(max(0, place - 3), place) for m in words.trie.at(tokens, start))
    return any(m.end == place and any(e.iri == Sort.Different.value for e in m.entries) for m in before)


def _of_match(
    tokens: Sequence[Token], start: int, end: int, entries: tuple[Entry, ...], lexicon: Lexicon, said: str | None = None
) -> list[Item]:
    """One item for each sort that the entries of a phrase have."""
    if end <= start:
        return []
    by_sort: dict[Sort, list[Entry]] = {}
    for entry in entries:
        sort = _ROLES.get(entry.role)
        if sort is not None:
            by_sort.setdefault(sort, []).append(entry)
        if entry.role is Role.RELATIVE:
            by_sort.setdefault(Sort.VERB, []).append(entry)
    text, last = _text(tokens, start, end), tokens[end - 1]
    found = []
    for sort, own in by_sort.items():
        item = Item(start, end, sort, text, tuple(own), plural=_is_plural(last.text, lexicon))
        if sort is Sort.NOUN and any(e.role is Role.THING for e in own):
            item = _with(item, head=_inner(tokens, item, lexicon))
        if sort is Sort.KIND:
            item = _with(item, owner=_owning(tokens, item, lexicon), said=said)
        found.append(item)
    return found


def _is_plural(word: str, lexicon: Lexicon) -> bool:
    return word in lexicon.plurals if lexicon.foreign else is_plural(word)


def _with(
    item: Item, head: tuple[Entry, ...] = (), owner: tuple[Entry, ...] = (), said: str | int | None = None
) -> Item:
    return Item(
        item.start, item.end, item.sort, item.text, item.entries, item.number, item.unit, item.plural, item.of_current,
        said or item.said, owner, head,
    )  # fmt: skip


def _inner(tokens: Sequence[Token], item: Item, lexicon: Lexicon) -> tuple[Entry, ...]:
    from engine.language.words.lexicon import Match

    return _head(tokens, Match(item.start, item.end, item.entries), lexicon)


def _owning(tokens: Sequence[Token], item: Item, lexicon: Lexicon) -> tuple[Entry, ...]:
    from engine.language.words.lexicon import Match

    match = Match(item.start, item.end, item.entries)
    return _owner(tokens, match, lexicon.at(tokens, item.start), lexicon)
