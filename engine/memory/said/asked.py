"""What is asked of what is remembered, by the types of its words: for whose profile, to forget what, what was told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.language.meanings.context import Context
from engine.language.tastes.tastes import taste_talk
from engine.language.words import grammar
from engine.language.words.lexicon import Role
from engine.language.words.morphology import forms, singular
from engine.language.words.tokens import TokenKind, tokenize
from engine.memory.said.words import NAMING, Sentence, Stretch, read
from engine.model.fact import Fact

SELF = ""
_MOST_AROUND = 12
"""Of how many words a request for a profile is at most."""
_NEAR = 4
"""Within how many words of "what" or "which" the verb of a question stands."""
_PLAIN = 2
_OF_MEMORY = (
    "hg:WholeWord", "hg:RecordWord", "hg:KnowingWord", "hg:SayingWord", "hg:AboutWord", "hg:SelfWord",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Forgetting:
    """What is to be forgotten: all of who speaks, or what was told in these words. `plain` says that it can only be
    about what was told."""

    everything: bool
    words: frozenset[str] = frozenset()
    plain: bool = False


def profile_asked(sentence: Sentence) -> str | None:
    """Of whom it is asked what is known: SELF, or a name; None where that is not asked."""
    opens = _opens(sentence)
    if len(sentence.tokens) - opens > _MOST_AROUND or not _is(sentence, opens, "hg:AskingWord"):
        return None
    knowing = sentence.find("hg:KnowingWord")
    record, mine = sentence.find("hg:RecordWord"), sentence.find("hg:MineWord")
    if knowing is not None and record is not None and mine is not None and sentence.find("hg:SelfWord") is not None:
        return SELF if all(sentence.word(n) != "'s" for n in range(len(sentence.tokens))) else None
    about = sentence.find("hg:AboutWord", knowing.end) if knowing is not None else None
    if about is None or about.end >= len(sentence.tokens):
        return None
    if _is(sentence, about.end, "hg:MeWord"):
        return SELF
    return _name(sentence, about.end)


def _opens(sentence: Sentence) -> int:
    """The place at which a sentence begins, past its politeness."""
    place = 0
    while (polite := sentence.here("hg:PoliteWord", place)) is not None:
        place = polite.end
    return place


def _name(sentence: Sentence, place: int) -> str | None:
    """The name that stands at the end of a sentence from a place on; names are written large."""
    last = len(sentence.tokens)
    while last > place and sentence.tokens[last - 1].kind is TokenKind.PUNCTUATION:
        last -= 1
    several = [sentence.text[t.start : t.end] for t in sentence.tokens[place:last]]
    known = any(one.names for at in sentence.at[place:last] for one in at)
    return " ".join(several) if several and not known and all(one[:1].isupper() for one in several) else None


def forgetting(sentence: Sentence) -> Forgetting | None:
    """What is to be forgotten; None where nothing is, or where it may be about something else than what was told."""
    verb = _verb(sentence)
    if verb is None:
        return None
    rest = range(verb.end, len(sentence.tokens))
    whole = any(_is(sentence, n, "hg:WholeWord", "hg:RecordWord") for n in rest)
    own = any(_is(sentence, n, "hg:MeWord", "hg:MineWord") for n in rest)
    said = any(_is(sentence, n, "hg:KnowingWord", "hg:SayingWord") for n in rest) and any(
        sentence.word(n) in ("i", "we", "you") for n in rest
    )
    words = _content(sentence, rest)
    if not words and not any(_is(sentence, n, "hg:TasteVerb") for n in rest):
        mine = (own and (whole or said or len(rest) <= _PLAIN)) or (whole and said)
        return Forgetting(everything=True) if mine else None
    if not words:
        return None  # all that is liked: talk of tastes
    first = verb.end + (sentence.word(verb.end) in ("that", "about"))
    spoken = sentence.word(first) in ("i", "we") and sentence.word(verb.end) == "that"
    theirs = spoken or _is(sentence, first, "hg:MineWord") or _is_that_matter(sentence, verb.end)
    return Forgetting(everything=False, words=words, plain=said) if said or theirs else None


def _is_that_matter(sentence: Sentence, place: int) -> bool:
    """ "The five percent thing", "that with the wood": a matter that was spoken of, named by a word of it."""
    last = max((n for n in range(len(sentence.tokens)) if sentence.tokens[n].kind is TokenKind.WORD), default=0)
    thing = sentence.word(last) in ("thing", "stuff", "business", "bit", "idea") and last > place + 1
    return thing or (sentence.word(place) in ("that", "this") and sentence.word(place + 1) in ("with", "about"))


def _verb(sentence: Sentence) -> Stretch | None:
    """The verb of forgetting with which a sentence or its last clause begins, after what is polite."""
    commas = [n + 1 for n in range(len(sentence.tokens)) if sentence.word(n) == ","]
    found = (_verb_at(sentence, place) for place in (0, *commas[-1:]))
    return next((one for one in found if one is not None), None)


def _verb_at(sentence: Sentence, place: int) -> Stretch | None:
    while (polite := sentence.here("hg:PoliteWord", place)) or sentence.word(place) in ("can", "could", "you", "may"):
        place = polite.end if polite is not None else place + 1
    return sentence.here("hg:ForgettingWord", place)


def _is(sentence: Sentence, place: int, *terms: str) -> bool:
    return any(sentence.here(term, place) is not None for term in terms)


def _is_of_memory(sentence: Sentence, place: int) -> bool:
    """Whether a word is of talk of memory, and names nothing that was told."""
    return _is(sentence, place, *_OF_MEMORY)


def _content(sentence: Sentence, places: Iterable[int]) -> frozenset[str]:
    """The words at these places that tell what something is about, in their dictionary form."""
    several = [n for n in places if sentence.tokens[n].kind is TokenKind.WORD and not _is_small(sentence, n)]
    several = [n for n in several if sentence.word(n) != "'s"]
    return frozenset(singular(sentence.word(n).removesuffix("'s")) for n in several if not _is_of_memory(sentence, n))


def _is_small(sentence: Sentence, place: int) -> bool:
    """Whether a word is one of grammar, or tells nothing apart."""
    return sentence.word(place) in grammar.KNOWN or _is(sentence, place, "hg:BareWord", "hg:QuestionWord")


def told(sentence: Sentence, known: Sequence[Fact], context: Context) -> tuple[Fact, ...] | None:
    """The facts that answer a question about what was told; none of them where it can only be about that and nobody
    told it; None where it may be about something else."""
    whole, sentence = sentence, _without_telling(sentence, context)
    liking = _asks_for_liking(sentence) or _asks_what_is_liked(sentence)
    reminded = whole is not sentence and sentence.find("hg:SayingWord") is not None
    if not (liking or reminded or _asks(sentence) or _asks_whether_known(sentence)):
        return None
    words = _topics(sentence)
    own = sentence.find("hg:SelfWord") is not None or any(t.text.endswith("'s") for t in sentence.tokens[1:])
    matter = own and (sentence.find("hg:PersonalMatter") or sentence.find("hg:KinWord")) is not None
    strange = any(not _is_known(word, context) for word in words)
    if not words or not (matter or strange or liking or reminded or (own and _is_of_habit(sentence))):
        return None
    meant = [one for one in known if _has_all(one, words)]
    if meant or matter:
        return tuple(meant[-1:])
    return () if liking and taste_talk(sentence.text, "urn:asked", context) is None else None


def _has_all(fact: Fact, words: Iterable[str]) -> bool:
    """Whether a fact has all of these words, in any of their dictionary forms."""
    own = words_of(fact)
    return all(not own.isdisjoint((word, *forms(word))) for word in words)


def _without_telling(sentence: Sentence, context: Context) -> Sentence:
    """A question without "remind me", "tell me" before it."""
    told = sentence.word(0) in ("remind", "tell") and sentence.word(1) in ("me", "us")
    return read(sentence.said(2, len(sentence.tokens)), context) if told else sentence


def _asks(sentence: Sentence) -> bool:
    """Whether a sentence begins with a word of asking, and asks: "when do I …", not "when I read I like …"."""
    if not _is(sentence, 0, "hg:QuestionWord") or sentence.word(1) in ("i", "we"):
        return False  # "what I did to the lamp, do …"
    near = 2 if sentence.word(0) in ("when", "where", "how") else _NEAR
    return "'" in sentence.word(0) or any(_is(sentence, n, "hg:AuxiliaryWord") for n in range(1, near))


def told_loosely(sentence: Sentence, known: Sequence[Fact]) -> tuple[Fact, ...]:
    """The fact that has all that a question is about, for one to which nothing else has an answer; () for none."""
    words = _topics(sentence)
    return tuple([one for one in known if words and words <= words_of(one)][-1:])


def _topics(sentence: Sentence) -> frozenset[str]:
    words = _content(sentence, range(len(sentence.tokens)))
    return frozenset(word for word in words if not _is_verb(word, sentence))


def _asks_for_liking(sentence: Sentence) -> bool:
    """ "Does Bo like the radio?", "do I like jazz?"."""
    if sentence.word(0) not in ("do", "does"):
        return False
    who = sentence.text[sentence.tokens[1].start : sentence.tokens[1].end] if len(sentence.tokens) > 1 else ""
    somebody = who[:1].isupper() or sentence.here("hg:KinWord", 1) is not None
    return somebody and _is(sentence, 2, "hg:TasteVerb")


def _asks_what_is_liked(sentence: Sentence) -> bool:
    """ "What films do I like?": of what nothing here can be."""
    liked = any(_is(sentence, n + 1, "hg:TasteVerb") for n in range(1, len(sentence.tokens)) if sentence.word(n) == "i")
    return liked and sentence.word(0) in ("what", "which") and not any(sentence.named(*NAMING))


def lets_go(sentence: Sentence) -> bool:
    """Whether somebody says no more than that a thing is to be thought of no more: "forget the oven"."""
    verb = _verb(sentence)
    if verb is None or sentence.said(verb.start, verb.end).casefold() != "forget":
        return False
    rest = {n for n in range(verb.end, len(sentence.tokens)) if sentence.tokens[n].kind is TokenKind.WORD}
    named = {n for one in sentence.stretches() if one.names for n in range(one.start, one.end)}
    return bool(rest & named) and rest <= named | {n for n in rest if sentence.word(n) in ("the", "about", "my", "our")}


def _asks_whether_known(sentence: Sentence) -> bool:
    """ "Do you know when my birthday is?"."""
    knowing = sentence.find("hg:KnowingWord") is not None
    return knowing and sentence.word(0) in ("do", "can") and sentence.word(1) == "you"


def _is_verb(word: str, sentence: Sentence) -> bool:
    """Whether a word is one of liking or of having, which the fact may say in another way."""
    return any(
        sentence.word(n) == word and _is(sentence, n, "hg:TasteVerb", "hg:KeepingWord", "hg:LyingWord")
        for n in range(len(sentence.tokens))
    )


def _is_of_habit(sentence: Sentence) -> bool:
    """Whether it is asked what somebody likes or does: "how do I like …", "when do I have breakfast?"."""
    places = range(len(sentence.tokens) - 1)
    return any(sentence.word(n) in ("do", "does") and _is(sentence, n + 1, "hg:SelfWord") for n in places)


def _is_known(word: str, context: Context) -> bool:
    """Whether a word is of what is here, of its kinds and properties, or of what can be done."""
    matches = context.dictionary.lexicon.at(tokenize(word), 0)
    return any(entry.role is not Role.OPTION for match in matches for entry in match.entries)


def words_of(fact: Fact) -> frozenset[str]:
    """The words of a fact, in every dictionary form that they may have."""
    plain = [word.strip(".,;:!?'\"“”").casefold().removesuffix("'s") for word in fact.text.split()]
    return frozenset(form for word in plain for form in (word, singular(word), *forms(word))) | {
        singular(one) for one in fact.topics
    }
