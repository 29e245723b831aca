"""What a request leaves to be known of somebody: "my favourite colour", "my team's colours", "put the game on"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.graph.store import GraphStore
from engine.language.meanings.context import Context
from engine.language.replies.replies import thing_name
from engine.language.words.lexicon import Role
from engine.language.words.tokens import TokenKind, words_in
from engine.memory.recalled.mentions import Mention, mentions_in
from engine.memory.said.words import Sentence, occasions_in, read
from engine.model.fact import Fact

_MY = frozenset({"my", "our"})
_IS = frozenset({"is", "are"})
_PUTTING = frozenset({"put", "show", "let", "get", "watch", "find", "please"})
_CUTS = frozenset({",", ";", "and", "then"})
_LEADS = re.compile(
    r"^(it'?s|it is|they are|they're|that'?s|that is|that would be|those are|mine is|it would be|on)\s+", re.IGNORECASE
)
LONGEST_ANSWER = 8
"""Of how many words the answer to such a question is at most."""


Facts = Callable[[], Sequence[Fact]]
"""Gives the facts that are about somebody, when they are asked for."""


@dataclass(frozen=True, slots=True)
class Matter:
    """What may be left to be known. `kept` is the sentence in which an answer is kept, `occasion` what cannot be
    prepared without it, `first` what has to be known before it, `doing` what the clause of the occasion comes
    to, for a thing of the class `of`; on what has a property of the kind `on` it is `shown` as another matter."""

    iri: str
    words: tuple[tuple[str, ...], ...]
    question: str
    kept: str
    occasion: str | None = None
    first: str | None = None
    doing: str | None = None
    of: str | None = None
    shown: str | None = None
    on: str | None = None


@dataclass(frozen=True, slots=True)
class SpeltOut:
    """A request with what was left to be known said in so many words, and the facts that tell it; `missing` is what
    nobody told, and is to be asked for first."""

    text: str
    facts: tuple[Fact, ...] = ()
    missing: Matter | None = None


def matters(store: GraphStore) -> tuple[Matter, ...]:
    """All that may be left to be known."""
    return store.of_terms("memory/matters", lambda: tuple(_read(store)))


def _read(store: GraphStore) -> Iterator[Matter]:
    words: dict[str, list[tuple[str, ...]]] = {}
    rest: dict[str, tuple[str | None, ...]] = {}
    for matter, word, *more in store.select("memory/matters"):
        if matter is not None and word is not None:
            words.setdefault(matter.value, []).append(words_in(word.value))
            rest[matter.value] = tuple(None if term is None else term.value for term in more)
    for iri, (question, kept, *others) in rest.items():
        longest = tuple(sorted(words[iri], key=lambda one: (-len(one), one)))
        yield Matter(iri, longest, question or "", kept or "{}", *others)


def spelt_out(text: str, facts: Facts, context: Context) -> SpeltOut | None:
    """A request in which what it leaves to be known is said; None for one that leaves nothing of the kind. `facts`
    gives those that are about the speaker."""
    sentence = read(text, context)
    return _for_occasion(sentence, facts, context) or _named(sentence, facts, context)


def _named(sentence: Sentence, facts: Facts, context: Context) -> SpeltOut | None:
    """ "My favourite colour" replaced by the colour."""
    for place in range(len(sentence.tokens)):
        if sentence.word(place) not in _MY:
            continue
        for matter, end in _meant(sentence, place + 1, context):
            told = _told(matter, facts(), context)
            if told is None:
                return SpeltOut(sentence.text, missing=matter)
            fact, value = told
            return SpeltOut(_put(sentence, place, end, value, context), (fact,))
    return None


def _meant(sentence: Sentence, place: int, context: Context) -> list[tuple[Matter, int]]:
    """The longest matter that words from a place on name, with its end. "My team" on lights are its colours."""
    found = []
    for matter in matters(context.store):
        for words in matter.words:
            end = place + len(words)
            if tuple(t.text for t in sentence.tokens[place:end]) == words:
                found.append((matter, end))
                break
    if not found:
        return []
    matter, end = max(found, key=lambda one: one[1])
    if not _is_whole(sentence, end):
        return []
    if matter.shown is not None and _has(matter.on, sentence.named(Role.DEVICE, Role.THING), context):
        matter = next(one for one in matters(context.store) if one.iri == matter.shown)
    return [(matter, end)]


def _has(kind: str | None, named: Iterable[str], context: Context) -> bool:
    """Whether something that is named, or one of its class, has a property of a kind."""
    wanted = set(named)
    return any(
        kind in prop.kinds
        for thing in context.registry.things.values()
        if thing.iri in wanted or any(wanted & set(part.every_class) for part in thing.parts)
        for prop in thing.properties
    )


def _is_whole(sentence: Sentence, end: int) -> bool:
    """Whether the words are no part of a longer thing: "my team's shirts"."""
    return sentence.word(end) not in ("'s", "is", "are", "was")


def _told(matter: Matter, facts: Sequence[Fact], context: Context) -> tuple[Fact, str] | None:
    """The fact that tells a matter, the latest, and what it tells."""
    for fact in reversed([one for one in facts if one.text[:4].casefold().startswith(("my ", "our "))]):
        sentence = read(fact.text.strip().rstrip(".!").replace("’", "'"), context)
        places = range(len(sentence.tokens))
        verb = next((n for n in places if sentence.word(n) in _IS), None)
        verb = verb or next((n for n in places if sentence.word(n) == "'s"), None)  # "my fave colour's purple"
        if verb is None:
            continue
        said = tuple(t.text for t in sentence.tokens[1:verb])
        if said in matter.words:
            value = bare(matter, sentence.said(verb + 1, len(sentence.tokens)))
            if not _is_order(read(value, context), context):  # an order is nothing that is put into another
                return fact, value
    return None


def bare(matter: Matter, value: str) -> str:
    """What is told, without the words around it that the sentence has: "on channel 7"."""
    inner = value
    for word in matter.kept.partition("{}")[0].split():
        if inner.casefold().startswith(f"{word} "):
            inner = inner[len(word) + 1 :].strip()
    return inner.removeprefix("number ").strip() or value


def _put(sentence: Sentence, start: int, end: int, value: str, context: Context) -> str:
    """The sentence with a value in the place of what stands for it; several values are given to the things in turn."""
    several = [part.strip() for part in re.split(r",|\band\b", value) if part.strip()]
    before, after = sentence.text[: sentence.tokens[start].start], sentence.text[sentence.tokens[end - 1].end :]
    things = [i for one in mentions_in(sentence, context) for i in sorted(one.things)]
    if len(several) < 2 or len(things) < 2:
        return f"{before}{several[0] if several else value}{after}"
    registry = context.registry
    said = [
        f"set the {_called(i, context)} to {several[n % len(several)]}"
        for n, i in enumerate(dict.fromkeys(things))
        if i in registry.things
    ]
    return " and ".join(said)


def _called(iri: str, context: Context) -> str:
    """What a thing is called, with its room where the name does not say it."""
    thing = context.registry.things[iri]
    place = context.registry.places.get(thing.place or "")
    return (
        thing.title
        if place is None or place.name.casefold() in thing.title.casefold()
        else f"{place.name} {thing.title}"
    )


def _for_occasion(sentence: Sentence, facts: Facts, context: Context) -> SpeltOut | None:
    """ "Put the game on": the clause of the occasion as what it comes to, where all is known that it needs."""
    told = occasions_in(sentence, context)
    needed = sorted((m for m in matters(context.store) if m.occasion in told), key=lambda one: one.first is not None)
    doing = next((one for one in needed if one.doing is not None), None)
    clause = None if doing is None or sentence.has_number else _clause(sentence, doing, context)
    if doing is None or clause is None:
        return None
    own = facts()
    if any(one.goals and set(told) & set(one.occasion.kinds) for one in own):
        return None  # there is a routine for it
    found = [(matter, _told(matter, own, context)) for matter in needed]
    known = tuple(one[0] for _, one in found if one is not None)
    missing = next((matter for matter, one in found if one is None), None)
    start, end, things = clause
    if missing is not None or len(things) > 1:
        return SpeltOut(sentence.text, known, missing or _which(doing, things, context))
    value = next(one[1] for matter, one in found if matter is doing and one is not None)
    thing = f"the {_called(things[0], context)}" if things else "the television"
    done = (doing.doing or "").format(thing=thing, value=value)
    before, after = sentence.said(0, start), sentence.said(end, len(sentence.tokens))
    return SpeltOut(" ".join(part for part in (before, done, after) if part), known)


def _which(matter: Matter, things: Sequence[str], context: Context) -> Matter:
    """The question which of several things is meant; the answer is for this request, and is not kept."""
    names = [thing_name(iri, context.registry) for iri in things]
    return Matter(matter.of or "", (), f"Which one: {', '.join(names[:-1])} or {names[-1]}?", "{}")


def with_thing(text: str, reply: str, of: str, context: Context) -> str | None:
    """A request with the thing of a class that a reply names in it; None where it names none, or several."""
    meant = _of(mentions_in(read(reply, context), context), of, context)
    return f"{text.rstrip(' .!')} on the {_called(meant[0], context)}" if len(meant) == 1 else None


def _of(mentions: Iterable[Mention], of: str | None, context: Context) -> list[str]:
    """The things of a class among what is named."""
    things = dict.fromkeys(iri for one in mentions for iri in sorted(one.things))
    parts = {iri: context.registry.things[iri].parts for iri in things}
    return [iri for iri in things if any(of in part.every_class for part in parts[iri])]


def _clause(sentence: Sentence, matter: Matter, context: Context) -> tuple[int, int, list[str]] | None:
    """From where to where the clause of the occasion goes, and the things that it may be done on."""
    said = next((one for one in sentence.stretches() if matter.occasion in one.terms), None)
    if said is None or not (_is_order(sentence, context) or sentence.word(0) in _PUTTING):
        return None
    cuts = [n for n in range(len(sentence.tokens)) if sentence.word(n) in _CUTS]
    start = max((n + 1 for n in cuts if n < said.start), default=0)
    end = min((n for n in cuts if n >= said.end), default=len(sentence.tokens))
    mentions = list(mentions_in(read(sentence.said(start, end), context), context))
    things = _of(mentions, matter.of, context)
    if not things:
        things = [t.iri for t in context.registry.things.values() if any(matter.of in p.every_class for p in t.parts)]
    here = [iri for iri in things if context.registry.things[iri].place == context.location]
    return start, end, here if len(here) == 1 else things


def _is_order(sentence: Sentence, context: Context) -> bool:
    matches = context.dictionary.lexicon.at(sentence.tokens, 0)
    return any(entry.role in (Role.COMMAND, Role.LIGHT_VERB) for match in matches for entry in match.entries)


def answer_in(text: str, context: Context) -> str | None:
    """What a reply says to the question for a matter; None for what is no reply to it: an order, another question."""
    sentence = read(text.strip().rstrip(".!").replace("’", "'"), context)
    words = [t for t in sentence.tokens if t.kind in (TokenKind.WORD, TokenKind.NUMBER)]
    if not words or len(words) > LONGEST_ANSWER or text.rstrip().endswith("?"):
        return None
    if _is_order(sentence, context):
        return None
    if sentence.word(0) in _MY and (verb := next((n for n, t in enumerate(words) if t.text in _IS), None)) is not None:
        return sentence.text[words[verb].end :].strip() or None
    return _LEADS.sub("", sentence.text).strip() or None
