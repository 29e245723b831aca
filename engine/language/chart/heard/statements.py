"""Clauses that tell how something is or was, or who does something with it: none of them is an order.

"The lights were on", "grandma found the lamp burning", "none of the lights are on": a subject and a finite verb. No
such clause begins with its verb, as orders do, or says how something shall be or somebody wants it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.language.chart.heard.items import ARTICLES, PAUSES, Item, Sort, clauses, includes, is_unknown
from engine.language.words.lexicon import Role
from engine.language.words.morphology import is_progressive

Items = Sequence[Sequence[Item]]


def recounts(items: Items) -> bool:
    """Whether in each clause that names a thing somebody does something with it, and nothing depends on it, or all of
    it never was: "if I had opened it, the cat *would have* run out"."""
    naming = clauses_of_things(items)
    if includes(items, Sort.Unreal) and includes(items, Sort.If, Sort.When, Sort.TIME):
        return True
    told = naming and not includes(items, Sort.If, Sort.When, Sort.Wherever)
    return bool(told) and all(_is_done(one, items) for one in naming)


def _is_done(clause: range, items: Items) -> bool:
    """Whether somebody does something in a clause."""
    start = _past_openings(clause, items)
    behind, _ = _subject(start, clause, items)
    if includes(items[clause.start : clause.stop], Sort.Oneself):
        return True
    return not includes(items[behind : clause.stop], *_WANTING) and _is_of_somebody(start, clause, items)


def supposes(items: Items) -> bool:
    """Whether a clause begins with how it would be if something were done, and requests nothing: "I'd be sad if"."""
    return any(imagines(items[one.start]) and includes(items[one.start : one.stop], Sort.If) for one in clauses(items))


def imagines(own: Sequence[Item]) -> bool:
    """Whether words that begin there say how it would be, and request nothing: "it would be dark"."""
    return includes((own,), Sort.Gladly) and not includes((own,), Sort.Requesting)


def asks_at_last(items: Items) -> bool:
    """Whether the last clause begins with a word that asks for something: "…, so what's the temperature?"."""
    last = next((one for one in reversed([*clauses(items)]) if one), range(0))
    return includes(items[(start := _past_openings(last, items)) : start + 1], *ASKING_FOR)


def clauses_of_things(items: Items) -> list[range]:
    """The clauses that name a thing, or point to one."""
    return [one for one in clauses(items) if _names(one, items)]


def tells(clause: range, items: Items) -> bool:
    """Whether a clause has a subject that is no order's, or a thing that is or was so."""
    start = _past_openings(clause, items)
    whole = items[clause.start : clause.stop]
    if includes(whole, Sort.Oneself) or any(of(clause, items) for of in (_was_possible, _fails, _is_judged)):
        return True
    if includes(items[clause.start : start], *_ORDERING):
        return False
    behind, _ = _subject(start, clause, items)
    asked = includes(items[start : start + 1], *_ASKING)
    if asked or includes(items[behind : clause.stop], *_WANTING):
        return _is_so(clause, items, least=2)  # "the lights might be on"
    having = start < clause.stop and any(i.sort is Sort.Holding and is_progressive(i.text) for i in items[start])
    return having or _is_of_somebody(start, clause, items) or _is_so(clause, items)


def is_there(clause: range, items: Items) -> bool:
    """Whether a clause says that there is something: "there are no lights on in the den"; nothing that is wanted so."""
    if includes(items[clause.start : clause.stop], *_WANTING, Sort.Wherever):
        return False
    start = _past_openings(clause, items)
    begun = [i for own in items[clause.start : start + 1] for i in own]
    led = any(i.sort in _IS and i.text.startswith("there") for i in begun)
    return led or any(i.sort is Sort.There and includes(items[i.end : i.end + 1], *_IS) for i in begun)


def _names(clause: range, items: Items) -> bool:
    """Whether a clause names a thing, or points to one."""
    return includes(items[clause.start : clause.stop], Sort.NOUN, Sort.PronounOne, Sort.PronounSeveral)


def _past_openings(clause: range, items: Items) -> int:
    """Where a clause begins behind "so", "well", "please"."""
    place = clause.start
    while place < clause.stop:
        ends = [i.end for i in items[place] if i.sort in _OPENING and i.end <= clause.stop]
        if not ends or includes((items[place],), *_PEOPLE):
            break
        place = max(ends)
    return place


def _is_of_somebody(start: int, clause: range, items: Items) -> bool:
    """Whether somebody does something with a thing: "my wife put the lamp on", "grandma likes the lamp on"."""
    subject, sure = _subject(start, clause, items)
    while subject < clause.stop and includes((items[subject],), Sort.Still):
        subject += 1
    if not start < subject < clause.stop or not includes(items[subject + 1 : clause.stop], Sort.NOUN):
        return False
    own = items[subject]
    behind = items[subject + 1]
    if includes((own,), Sort.Copula, Sort.Being) and _is_doing(subject + 1, items):
        return True  # "Anna's just opening the curtains"
    if includes((own,), Sort.Of) or (includes((behind,), Sort.VERB) and not _is_finite(behind)):
        return False  # "the Daikin's fan", "I said set it"
    narrates = includes((own,), Sort.PastVerb) or (sure and includes((own,), Sort.Holding)) or _is_finite(own)
    return narrates or (sure and (includes((own,), Sort.VERB, Sort.Copula) or is_unknown(own)))


def _is_doing(place: int, items: Items) -> bool:
    """Whether a verb in its progressive form stands there."""
    place += includes(items[place : place + 1], Sort.Still, Sort.Fillers, Sort.Loose)
    return any(i.sort is Sort.VERB and is_progressive(i.text) for own in items[place : place + 1] for i in own)


def _subject(start: int, clause: range, items: Items) -> tuple[int, bool]:
    """Where somebody that a clause begins with ends, and whether it can be nothing else; the start where none does."""
    if start >= clause.stop:
        return start, False
    if includes((items[start],), Sort.Definite, Sort.Indefinite, Sort.Possessive):
        people = start + 1 < clause.stop and includes((items[start + 1],), *_PEOPLE)
        words = 1 if people else _unknown(start + 1, clause, items)
        return (start + 1 + words, True) if words else (start, False)
    ends = [i.end for i in items[start] if i.sort in _PEOPLE and i.end <= clause.stop]
    if ends and not includes((items[start],), Sort.NOUN, Sort.PLACE):
        return max(ends), True
    several = includes((items[start],), Sort.PronounSeveral)  # "they", who may be things
    return start + (1 if several or is_unknown(items[start]) else 0), False


def _unknown(start: int, clause: range, items: Items) -> int:
    """How many words from a place on are the name of somebody: unknown, and no verb in the past."""
    place = start
    while place < min(clause.stop, start + _MOST_NAMED) and is_unknown(items[place]):
        if place > start and _is_finite(items[place]):
            break  # "my boss *ordered*"
        place += 1
    return place - start


def _is_finite(own: Sequence[Item]) -> bool:
    """Whether a word has the form of a verb in the past or of somebody else's: "turned", "likes"."""
    return not includes((own,), Sort.NOUN, Sort.Modal, *ARTICLES) and any(  # nor "its"
        i.length == 1 and i.text.endswith(("ed", "s")) for i in own
    )


def _is_so(clause: range, items: Items, *, least: int = 1) -> bool:
    """Whether a thing is, was or may be so, by a verb of so many words at least: "the lights were on", "the lamp has
    been on", "half of the lights are on"."""
    for place in clause:
        being = [i for i in items[place] if i.sort in _WAS and i.length >= least and i.end < clause.stop]
        wants = least == 1 and includes((items[place],), Sort.Modal, Sort.Requesting)
        if not being or wants:
            continue
        end = max(i.end for i in being)
        owns = includes((items[place],), Sort.Of)  # "the oven's light off" orders, "the oven's off" tells
        if owns and (includes(items, Sort.TIME, Sort.NUMBER) or not _ends_so(end, clause, items)):
            continue
        while (
            end < clause.stop and includes((items[end],), Sort.Still, Sort.WORD) and not includes((items[end],), *HOW)
        ):
            end += 1
        named = any(i.sort in _SUBJECTS and i.end <= place for own in items[clause.start : place] for i in own)
        which = includes(items[clause.start : place + 1], *_WHICH)
        if named and not which and _says_how(end, items):
            return True
    return False


def _ends_so(place: int, clause: range, items: Items) -> bool:
    """Whether a state, and nothing else, is the last that a clause says."""
    return not includes((items[place],), *_SUBJECTS) and any(
        i.sort in HOW and i.end == clause.stop for i in items[place]
    )


def _says_how(place: int, items: Items) -> bool:
    """Whether a state stands there, or a number behind "at"."""
    number = place + includes(items[place : place + 1], Sort.To)
    return includes(items[place : place + 1], *HOW) or includes(items[number : number + 1], Sort.NUMBER)


def _was_possible(clause: range, items: Items) -> bool:
    """Whether something could have been done: "you could have opened the blinds"."""
    ends = (i.end for place in clause for i in items[place] if i.sort is Sort.PastVerb and i.length > 1)
    return any(end < clause.stop and _is_finite(items[end]) for end in ends)


def _fails(clause: range, items: Items) -> bool:
    """Whether a thing does not do something: "the blinds don't open"."""
    ends = {i.end for place in clause for i in items[place] if i.sort is Sort.NOUN}
    denied = [i.end for end in ends if end in clause for i in items[end] if i.sort in (Sort.Not, Sort.AuxiliaryNot)]
    return any(end < clause.stop and includes((items[end],), Sort.VERB) for end in denied)


def _is_judged(clause: range, items: Items) -> bool:
    """Whether a thing is judged by how it is: "the lamp at 40 percent is lovely"."""
    named = min((i.end for place in clause for i in items[place] if i.sort is Sort.NOUN), default=clause.stop)
    how = min(
        (i.end for place in clause for i in items[place] if place >= named and i.sort in _LEVELS), default=clause.stop
    )
    names = {p for own in items for i in own if i.sort in _SUBJECTS for p in range(i.start, i.end)}
    rest = (p for p in range(how, clause.stop) if p not in names and not _wants(items[p]))
    ends = (i.end for p in rest for i in items[p] if i.sort in _IS)
    return any(end < clause.stop and (is_unknown(items[end]) or includes((items[end],), Sort.Fillers)) for end in ends)


def _wants(own: Sequence[Item]) -> bool:
    """Whether a word may ask for something, or belongs to a name."""
    return includes((own,), Sort.Modal, Sort.Requesting, Sort.VERB, Sort.Of)


_MOST_NAMED = 2
HOW = (Sort.VALUE, Sort.PARTICLE)
_LEVELS = (Sort.VALUE, Sort.NUMBER)
_IS = (Sort.Being, Sort.Copula)
_WAS = (Sort.Being, Sort.PastVerb)
_PEOPLE = (Sort.SpeakerWord, Sort.Somebody, Sort.Nobody)
_OPENING = (Sort.Fillers, Sort.Loose, Sort.And, Sort.Repair, Sort.Requesting)
_ORDERING = (Sort.Requesting, Sort.If, Sort.When)
_ASKING = (Sort.Requesting, Sort.Unwanted)  # as in "I'll have", and not as in "I *will* start it"
_WANTING = (Sort.Modal, Sort.Requesting, Sort.Unwanted, Sort.If, Sort.When, Sort.Leave)
_SUBJECTS = (Sort.NOUN, Sort.PLACE)
_WHICH = (Sort.That, Sort.Which, Sort.What, Sort.Wherever, Sort.AsBefore)
ASKING_FOR = (Sort.HowMany, Sort.Which, Sort.What, Sort.How, Sort.Where, Sort.HowLong, Sort.WhenDid)


def unordered(items: Items) -> set[int]:
    """The places of verbs that order nothing: "the way *to turn off*", "the idea of *dimming*", "it *turns off*"."""
    conditional = includes(items, Sort.If, Sort.When, Sort.Wherever)  # "the fan *starts* when it is hot"
    led = (i for own in items for i in own if i.sort in _LEADING_ON)
    asked = {place for i in led for place in range(i.start + 1, i.end + 1)}
    found: set[int] = set()
    for place, own in enumerate(items):
        verb = next((i for i in own if i.sort is Sort.VERB), None)
        if verb is None or place in asked or includes((own,), Sort.NOUN, Sort.KIND, Sort.PLACE):
            continue
        word, end = verb.text.split()[0], max(i.end for i in own)
        only = {i.sort for i in own if i.end == end} <= {Sort.VERB, Sort.WORD, Sort.Loose, Sort.RELATIVE}
        formed = only and (_is_infinitive(place, items) or _is_gerund(word, place, items))
        others = not conditional and _is_of_others(word, place, items)
        if formed or others or _is_perfect(word, place, items):
            found.update(range(place, end))
    return found


def _is_of_others(word: str, place: int, items: Items) -> bool:
    """Whether a verb has the form of a deed of somebody else: "it *turns* the lamp off"."""
    acted_on = len({i.end for i in items[place]}) > 1 or includes(items[place + 1 : place + 2], *_DETERMINERS)
    return word.endswith("s") and not word.endswith("ss") and acted_on


def _is_perfect(word: str, place: int, items: Items) -> bool:
    """Whether a verb tells of a deed that may be done by now: "could somebody *have turned* it off?"."""
    having = includes(items[max(0, place - 1) : place], Sort.Holding)
    return having and word.endswith(_ENDED) and includes(items[max(0, place - 3) : place - 1], Sort.Modal)


def _is_infinitive(place: int, items: Items) -> bool:
    """Whether "to" stands before a verb; not in "tell the vacuum *to go home*", "and *to* lock it", "shall be told
    *to* start"."""
    if not includes(items[max(0, place - 1) : place], Sort.To):
        return False
    start = max((n + 1 for n in range(place) if includes((items[n],), *PAUSES)), default=0)
    before = items[start : place - 1]
    named = any(i.end == place - 1 and i.sort in _TOLD_TO for own in before for i in own)
    told = (includes(before, Sort.VERB) and named) or (includes(before, Sort.NOUN) and includes(before, Sort.Modal))
    return not (told or includes(before[-1:], Sort.And, *_IS))  # "it is *to be* reversed"


def _is_gerund(word: str, place: int, items: Items) -> bool:
    """Whether a verb in its progressive form stands behind a word that is nothing of an order."""
    before = items[max(0, place - 1) : place]
    return is_progressive(word) and bool(before) and not includes(before, Sort.VERB, Sort.And, Sort.By, *PAUSES)


_TOLD_TO = (Sort.NOUN, Sort.PLACE, Sort.PronounOne, Sort.PronounSeveral)
_DETERMINERS = (Sort.Definite, Sort.Indefinite, Sort.Possessive, Sort.Every)
_LEADING_ON = (Sort.Requesting, Sort.Fillers, Sort.Modal)


def deeds_of_speaker(items: Items) -> Iterator[Item]:
    """The verbs right behind a word for the speaker, or behind "already": "I put", "he left"; not in "I need", "can I
    get", "I'm reading"."""
    speakers = [i for own in items for i in own if i.sort is Sort.SpeakerWord]
    yield from _undertaken(items)
    if not speakers:
        return
    longer = [i for own in items for i in own if i.length > 1 and i.sort in _SAID_WHOLE]
    ordered = {i.end for own in items for i in own if i.sort in (Sort.VERB, Sort.Requesting)}  # "give *us* light"
    which = {i.end for own in items for i in own if i.sort is Sort.NOUN}
    for one in speakers:
        end = one.end
        while end < len(items) and (still := [i.end for i in items[end] if i.sort in _USUALLY]):
            end = max(still)
        verbs = [i for i in items[end] if i.sort in _DEEDS] if end < len(items) else []
        wanted = any(i.start <= one.start < i.end or i.start < end < i.end for i in longer)
        wanted = wanted or (one.start in which and includes((items[one.start],), Sort.That))  # "the lights *I left* on"
        usual = includes(items[one.end : end], Sort.Habit)  # "I *love* dimming it"; not in "I'm still reading"
        wanted = wanted or one.start in ordered or (not usual and includes(items[end : end + 1], Sort.NOUN))
        if verbs and not wanted and (usual or not is_progressive(verbs[0].text)):
            deed = max(verbs, key=lambda i: (i.end, i.sort is Sort.VERB))
            yield deed
            yield from _done_by_then(items, deed.end)


def _undertaken(items: Items) -> Iterator[Item]:
    """The commands that somebody else than the one who is spoken to carries out: "let me turn it off"."""
    for one in (i for own in items for i in own if i.sort is Sort.Undertaking):
        verbs = [i for own in items[one.end : one.end + 1] for i in own if i.sort is Sort.VERB]
        switched = includes(items[one.end + 1 :], Sort.PARTICLE) and not includes(items[one.end : one.end + 1], *_HAVE)
        if any(i.having(Role.COMMAND) or switched for i in verbs):
            yield from (i for own in items[one.start : one.end + 1] for i in own if i.sort is Sort.VERB)


_HAVE = (Sort.Holding, Sort.Copula)  # "let me have the lights on" asks for it


def _done_by_then(items: Items, end: int) -> Iterator[Item]:
    """The verb behind "have": "I have *already turned* the lights off"."""
    while end < len(items) and (still := [i.end for i in items[end] if i.sort is Sort.Still]):
        end = max(still)
    if end < len(items) and any(i.sort is Sort.VERB and i.text.endswith(_ENDED) for i in items[end]):
        yield next(i for i in items[end] if i.sort is Sort.VERB)


_ENDED = ("ed", "en")
_DEEDS = (Sort.VERB, Sort.Copula)
_USUALLY = (Sort.Still, Sort.Habit)
_OF_WANTING = (Sort.Requesting, Sort.Fillers, Sort.Modal, Sort.Unwanted, Sort.Picking)
_SAID_WHOLE = (*_OF_WANTING, Sort.NOUN, Sort.PLACE, Sort.Everywhere)
