"""Plain statements: what people tell of themselves and of the home that no device has, and that orders nothing."""

from __future__ import annotations

from engine.language.meanings.context import Context
from engine.language.words.lexicon import Role
from engine.language.words.tokens import TokenKind
from engine.memory.said.words import Sentence, occasions_in

_THINGS = (Role.THING, Role.DEVICE, Role.PLACE, Role.PLACE_CLASS)
_FELT = frozenset({Role.COMPLAINT, Role.STATE, Role.COMMAND, Role.RELATIVE})
"""What is said of how something is now, or of what is to become of it."""
_RECURRING = frozenset({"every", "each", "most"})
_BEFORE_OCCASIONS = frozenset(
    {"at", "for", "in", "during", "on", "after", "before", "every", "my", "our", "when", "while"}
)
_CLAUSES = frozenset({"when", "whenever", "while"})
_WITH = frozenset({"with", "without", "if"})
_ASKING = frozenset({"what", "which", "who", "where", "when", "how", "is", "are", "do", "does"})
_LONGEST_SUBJECT = 6
_SHORTEST = 3
"""Of how many words what is to be kept in mind is at least."""


def tells_plainly(sentence: Sentence, context: Context) -> bool:
    """Whether somebody tells what they like, whose something is, when they usually do something, or where something
    has its place: "I love jazz", "my sister is called Ida", "I have breakfast at eight", "the dresser stands in …"."""
    if not sentence.tokens or sentence.text.rstrip().endswith("?"):
        return False
    if any(sentence.find(term) is not None for term in ("hg:PoliteWord", "hg:NowWord")):
        return False
    told = (_likes(sentence), _dislikes(sentence), _is_of_own(sentence, context), _is_of_self(sentence, context))
    placed = _has_place(sentence) or _is_kept_somewhere(sentence, context)
    rest = placed or _keeps_hours(sentence, context) or _cannot_with(sentence, context)
    return any(told) or rest or _is_favourite(sentence)


def tells_of_occasion(sentence: Sentence, context: Context) -> bool:
    """Whether a sentence without an order ends with what somebody does from time to time: "… when I sleep"."""
    places = range(1, len(sentence.tokens))
    mark = next((n for n in places if sentence.word(n) in _CLAUSES and sentence.word(n + 1) in ("i", "we")), None)
    if mark is None or {Role.COMMAND, Role.LIGHT_VERB} & _roles(sentence, context, 0, 1):
        return False
    return bool(occasions_in(sentence, context, mark + 2))


def begins_with_occasion(sentence: Sentence, context: Context) -> bool:
    """Whether somebody tells a habit of an occasion, which comes first: "when I work I keep the lamp at 80"."""
    mark = sentence.here("hg:OccasionMark", 0)
    if mark is None:
        return False
    places = range(mark.end + 1, len(sentence.tokens) - 1)
    who = next((n for n in places if sentence.word(n) in ("i", "we") and _keeps(sentence, n + 1)), None)
    return who is not None and bool(occasions_in(sentence, context, mark.end, who) or _tells_when(sentence, who))


def _keeps(sentence: Sentence, place: int) -> bool:
    """Whether words from a place on tell a habit; a liking on an occasion is a wish, and is read as one."""
    often = sentence.here("hg:HabitWord", place)
    verb = often.end if often is not None else place
    return sentence.here("hg:KeepingWord", verb) is not None and sentence.here("hg:TasteVerb", verb) is None


def _tells_when(sentence: Sentence, end: int) -> bool:
    """Whether words before a place say at which part of the day: "in the mornings"."""
    return any("Hours" in term for one in sentence.stretches() if one.end <= end for term in one.terms)


def announces(sentence: Sentence, context: Context) -> int | None:
    """Where the colon stands behind the occasion that begins a sentence: "at bedtime: …"; None where there is none, and
    where more than an occasion stands before it, or something is asked: "end of the film: pause it"."""
    colon = next((n for n in range(1, len(sentence.tokens) - 1) if sentence.word(n) == ":"), None)
    if colon is None or sentence.text.rstrip().endswith("?"):
        return None
    begins = sentence.here("hg:OccasionMark", 0) is not None or sentence.word(0) in _BEFORE_OCCASIONS
    told = sum(occasions_in(sentence, context, 0, colon).values())
    return colon if told and (begins or told == colon) else None


def to_remember(sentence: Sentence, context: Context) -> str | None:
    """What is told by who says that it is to be kept in mind: "remember that the bins go out on Thursdays"; None where
    nothing is, and where something is to be done: "remember to …"."""
    place = 0
    while (polite := sentence.here("hg:PoliteWord", place)) is not None:
        place = polite.end
    said = sentence.here("hg:RememberWord", place)
    start = said.end if said is not None else 0
    while sentence.word(start) in (",", ":", "that"):
        start += 1
    orders = {Role.COMMAND, Role.LIGHT_VERB} & _roles(sentence, context, start, start + 1)
    plain = sentence.word(start) not in ("to", "the", "what", "when", "how", "where", "me", "it", "")
    long = said is not None and (said.end - said.start > 1 or plain)
    if not long or orders or len(sentence.tokens) - start < _SHORTEST or sentence.text.rstrip().endswith("?"):
        return None
    return sentence.said(start, len(sentence.tokens))


def _speaks(sentence: Sentence) -> int:
    """Past "I" or "we" and how often, where a sentence begins with them; else 0."""
    if sentence.word(0) not in ("i", "we"):
        return 0
    place = 1
    while (often := sentence.here("hg:HabitWord", place)) is not None:
        place = often.end
    return place


def _likes(sentence: Sentence) -> bool:
    """ "I love science fiction", "we can't stand the fan on high": not "I like it", which is of what is so now."""
    place = _speaks(sentence)
    verb = sentence.here("hg:TasteVerb", place) if place else None
    if verb is None or verb.end >= len(sentence.tokens) or sentence.find("hg:ChangeWord") is not None:
        return False
    if sentence.word(verb.end) == "it":
        return sentence.word(verb.end + 1) in _CLAUSES | {"if"}  # "I hate it when the fan is loud"
    return sentence.here("hg:PointingWord", verb.end) is None and sentence.tokens[verb.end].number is None


def _dislikes(sentence: Sentence) -> bool:
    """ "Can't abide the fan roaring": what nobody does with whom it is not said, for it is who speaks."""
    verb = sentence.here("hg:DislikingTalk", 0)
    denied = verb is not None and sentence.word(0) in ("can't", "cannot", "cant", "don't", "hate", "detest", "loathe")
    return denied and verb is not None and verb.end < len(sentence.tokens) and not _points(sentence, verb.end)


def _points(sentence: Sentence, place: int) -> bool:
    return sentence.here("hg:PointingWord", place) is not None or sentence.find("hg:ChangeWord") is not None


def _is_of_self(sentence: Sentence, context: Context) -> bool:
    """ "I'm vegetarian", "we're allergic to cats", "I'm a tea person": a lasting trait, no feeling of now."""
    place = {"i'm": 1, "we're": 1}.get(sentence.word(0), 0) or _speaks(sentence)
    if place and sentence.word(place) in ("am", "are"):
        place += 1
    said = sentence.here("hg:SelfNoun", place) if place else None
    if said is None and place:
        return sentence.word(place) in ("a", "an") and _is_kind_of_person(sentence, place + 1, context)
    return said is not None and sentence.here("hg:PointingWord", said.end) is None


def _is_kind_of_person(sentence: Sentence, place: int, context: Context) -> bool:
    """Whether words from a place on say what somebody is, and not how they feel: "a tea person", not "a bit cold"."""
    if sentence.here("hg:LittleWord", place) is not None or sentence.find("hg:ChangeWord") is not None:
        return False
    end = next((n for n in range(place, len(sentence.tokens)) if sentence.word(n) in (",", "and", "so")), None)
    roles = _roles(sentence, context, place, end)
    return place < len(sentence.tokens) and not roles & {Role.COMPLAINT, Role.COMMAND, Role.RELATIVE}


def _cannot_with(sentence: Sentence, context: Context) -> bool:
    """ "I can't sleep with the night light on": how an occasion cannot be, which is no order."""
    verb = 2 if sentence.word(1) in ("just", "really", "simply", "honestly") else 1
    cannot = sentence.word(0) in ("i", "we") and sentence.word(verb) in ("can't", "cannot", "cant", "never")
    occasion = cannot and bool(occasions_in(sentence, context, verb + 1, verb + 3))
    return occasion and any(sentence.word(n) in _WITH | _CLAUSES for n in range(verb + 2, verb + 5))


def _is_favourite(sentence: Sentence) -> bool:
    """ "22 degrees is my comfort temperature": a favourite, said after its value."""
    places = range(1, len(sentence.tokens) - 1)
    own = next((n for n in places if sentence.word(n) in ("is", "are") and sentence.word(n + 1) in ("my", "our")), None)
    if own is None or sentence.word(0) in _ASKING:
        return False
    terms = ("hg:UsualWord", "hg:PersonalMatter", "hg:ComfortNoun")
    return any(sentence.here(term, n) is not None for term in terms for n in range(own + 1, own + 4))


def _is_of_own(sentence: Sentence, context: Context) -> bool:
    """ "My birthday is the 4th of July": of what is nothing here, and nothing that is felt to be too much."""
    if sentence.word(0) not in ("my", "our"):
        return False
    last = min(_LONGEST_SUBJECT, len(sentence.tokens) - 1)
    verb = next((n for n in range(2, last) if sentence.word(n) in ("is", "are")), None)
    if verb is None or any(one.named for several in sentence.at[1:verb] for one in several):
        return False
    if sentence.word(verb + 1).endswith("ing"):
        return False  # "my ears are bleeding": so it is now
    called = verb + 1 + (sentence.word(verb + 1) in ("called", "named"))
    return not _roles(sentence, context, 1, verb) and not _roles(sentence, context, called) & _FELT


def _keeps_hours(sentence: Sentence, context: Context) -> bool:
    """ "I have breakfast at eight", "we eat late on Fridays": what somebody does at such times, with nothing here."""
    place = _speaks(sentence)
    if not place or place >= len(sentence.tokens) or sentence.tokens[place].kind is not TokenKind.WORD:
        return False
    if sentence.here("hg:WishVerb", place) is not None or sentence.find("hg:ChangeWord") is not None:
        return False
    if set(sentence.named(*_THINGS).values()) & {Role.THING, Role.DEVICE}:
        return False
    orders = Role.COMMAND in _roles(sentence, context, place + 2)
    return not orders and any(_recurs(sentence, n) for n in range(place + 1, len(sentence.tokens)))


def _recurs(sentence: Sentence, place: int) -> bool:
    """Whether words from a place on say when something happens time and again: "at eight", "on Fridays"."""
    word, after = sentence.word(place), sentence.tokens[place + 1 : place + 2]
    if word in _RECURRING:
        return bool(after)
    if word in ("at", "around", "by", "until", "from") and after and after[0].number is not None:
        return True
    days = sentence.here("hg:DayOfWeek", place) or next((s for s in sentence.at[place] if s.terms), None)
    return days is not None and word.endswith("s") and any("day" in t.lower() or "Hours" in t for t in days.terms)


def _has_place(sentence: Sentence) -> bool:
    """ "The dresser stands next to the window": what is no device, no room and nobody has its place somewhere."""
    if sentence.word(0) not in ("the", "my", "our", "a", "an"):
        return False
    for place in range(2, min(_LONGEST_SUBJECT, len(sentence.tokens) - 1)):
        if sentence.here("hg:LyingWord", place) is None:
            continue
        head = next((n for n in range(2, place) if sentence.word(n) in ("for", "of", "from")), place)
        subject = [one for several in sentence.at[1:head] for one in several if one.end <= head]
        return not any(one.named or one.can("hg:KinWord") for one in subject)
    return False


def _is_kept_somewhere(sentence: Sentence, context: Context) -> bool:
    """ "Spare keys are hanging behind the boiler": several things, without an article, have their place somewhere."""
    first = _roles(sentence, context, 0, 1) | _roles(sentence, context, 0, 2)
    if first or not sentence.tokens or sentence.word(0) in (*_ASKING, "i", "we", "you", "it", "they", "there"):
        return False
    verb = next((one for n in (1, 2, 3) if (one := sentence.here("hg:LyingWord", n)) is not None), None)
    if verb is None or any(one.terms or one.named for several in sentence.at[: verb.start] for one in several):
        return False
    return len(sentence.tokens) > verb.end


def _roles(sentence: Sentence, context: Context, start: int, end: int | None = None) -> set[Role]:
    """As what words from a place to another are known here."""
    last = len(sentence.tokens) if end is None else end
    found = [match for n in range(start, last) for match in context.dictionary.lexicon.at(sentence.tokens, n)]
    return {entry.role for match in found if match.end <= last for entry in match.entries}
