"""What changed, answered from the journal and the history: in which stretch of time, where, of what, and by whom."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, time

from engine.environment.state import State
from engine.graph.terms import Json, Literal, NamedNode, Term, literal, python
from engine.language.meanings.context import Context
from engine.language.replies.replies import called, property_name, thing_name, value_words, without_words
from engine.language.words.lexicon import Role
from engine.language.words.tokens import TokenKind
from engine.memory.bygone.ends import able_of, is_so, state_word
from engine.memory.bygone.spans import Span, span_in
from engine.memory.recalled.mentions import kinds_in, mentions_in
from engine.memory.said.words import Sentence, Stretch
from engine.model.outcome import Answer
from engine.model.thing import Property
from engine.things.registry import Registry

MOST = 12
"""How many changes are told at once."""
FEW = 3
"""How many things that changed alike are told by name."""
_NAME = 2
"""Where the name stands in "what did Ada do"."""
MY_OWN = frozenset({"you", "house", "home"})


@dataclass(frozen=True, slots=True)
class Changed:
    """A property that is not as it was, or was changed and changed back: when last, by whom, from what to what."""

    property: str
    at: datetime
    user: str | None
    before: Json
    after: Json


def changed(sentence: Sentence, user: str | None, now: datetime, state: State, context: Context) -> Answer | None:
    """The answer to a question for what changed in a stretch of the past; None for any other question."""
    if (theirs := _of_another(sentence, user)) is not None:
        return theirs
    own = sentence.find("hg:AskOwnDoing")
    asked = own or sentence.find("hg:AskChanged") or _asks_for_deeds(sentence)
    if asked is None or not _begins(sentence, asked):
        return None
    span = span_in(sentence, user, now, state, context) or _today(now)
    if not span.known:
        return unknown(span)
    by_me = own is None and any(sentence.word(n) in MY_OWN for n in range(asked.start, asked.end))
    things = about(sentence, span, context)
    wanted = _meant(sentence, span, context)
    deeds = [one for one in _deeds(span, context) if things is None or one[0] in things] if by_me else []
    if wanted is not None and not wanted and not deeds:
        return None
    if own is not None:
        mine = [one for one in _journal(span, context) if user is not None and one.user == user]
        told = [one for one in _net(mine) if wanted is None or one.property in wanted]
        return _told(told, span, "you had nothing done", context.registry)
    found = list(_net(_journal(span, context) if by_me else _history(span, state, context, wanted)))
    told = [one for one in found if wanted is None or one.property in wanted]
    told_of = {context.registry.thing_of[one.property].iri for one in told}
    lines = [line for thing, line in deeds if thing not in told_of]
    return _told(told, span, "I changed nothing" if by_me else "nothing changed", context.registry, lines)


def _of_another(sentence: Sentence, user: str | None) -> Answer | None:
    """What is said to who asks what somebody else did: "what did Ada do yesterday?"."""
    if sentence.word(0) != "what" or sentence.word(1) not in ("did", "has") or len(sentence.tokens) <= _NAME:
        return None
    name = sentence.text[sentence.tokens[_NAME].start : sentence.tokens[_NAME].end]
    doing = sentence.word(_NAME + 1) in ("do", "been") or sentence.here("hg:DoneWord", _NAME + 1) is not None
    known = any(one.names for one in sentence.at[_NAME])
    if not doing or known or not name[:1].isupper() or name.casefold() in ("i", (user or "").casefold()):
        return None
    return Answer(f"What {name} did is for {name} to tell.")


def done_by(user: str, span: Span, context: Context) -> list[str]:
    """The properties that somebody had changed in a stretch of time."""
    return [one.property for one in _journal(span, context) if one.user == user]


def changed_in(span: Span, state: State, context: Context) -> list[str]:
    """The properties that changed in a stretch of time, by whomever."""
    return [one.property for one in _history(span, state, context)]


def _asks_for_deeds(sentence: Sentence) -> Stretch | None:
    """Words that ask whether anything was done, by their types: "anything been touched", "has somebody moved"."""
    what = next((one for n in range(3) if (one := sentence.here("hg:AnyWord", n)) is not None), None)
    if what is None or any(sentence.here("hg:AuxiliaryWord", n) is None for n in range(what.start)):
        return None
    if what.start == 0 and not sentence.text.rstrip().endswith("?"):
        return None  # "somebody moving in the hall: light on"
    near = range(what.end, min(what.end + 4, len(sentence.tokens)))
    done = next((one for n in near if (one := sentence.here("hg:MeddlingWord", n)) is not None), None)
    return Stretch(0, done.end) if done is not None else None


def _asks_for_doer(sentence: Sentence) -> Stretch | None:
    """Words that ask who did something, by their types: "who altered", "who has just moved"."""
    if sentence.word(0) not in ("who", "who's"):
        return None
    done = next((one for n in (1, 2, 3) if (one := sentence.here("hg:MeddlingWord", n)) is not None), None)
    between = range(1, done.start if done is not None else 1)
    aside = ("has", "have", "had", "was", "it", "that", "just", "last", "went", "and")
    return Stretch(0, done.end) if done is not None and all(sentence.word(n) in aside for n in between) else None


def _asks_how_it_was(sentence: Sentence, span: Span) -> Stretch | None:
    """Words that ask how something was, by their types: "what was the volume", "at what level was", "how bright was",
    "what had I the fan on"."""
    first = next((n for n in range(3) if sentence.word(n) in ("what", "how", "which", "where")), None)
    if (
        first is None
        or _has_value(sentence, span)
        or any(sentence.here("hg:OccasionMark", n) is None for n in range(first))
    ):
        return None
    near = range(first + 1, min(first + 4, len(sentence.tokens)))
    been = next((n for n in near if sentence.word(n) in ("was", "were", "had")), None)
    return Stretch(0, been + 1) if been is not None else None


def _has_value(sentence: Sentence, span: Span) -> bool:
    """Whether there is a number beside the time."""
    numbers = (n for n, token in enumerate(sentence.tokens) if token.kind is TokenKind.NUMBER and token.text != "one")
    return sentence.has_number and any(n not in span.places for n in numbers)


def _begins(sentence: Sentence, asked: Stretch) -> bool:
    """Whether a sentence is the question, but for a few words before it, or for when it was ("while I was away, …")."""
    return asked.start <= 2 or "," in (sentence.word(asked.start - 1), sentence.word(asked.start - 2))


def _today(now: datetime) -> Span:
    return Span(datetime.combine(now.date(), time(), tzinfo=now.tzinfo), now, frozenset(), True, "today")


def unknown(span: Span) -> Answer:
    """The answer where nobody told when it was that is asked about."""
    return Answer(f"I do not know when that was: nobody told me (“{span.words}”).")


def forgotten() -> Answer:
    """The answer where it is known which time is meant, and nothing is kept of it."""
    return Answer("I do not remember how that was.")


def beside(sentence: Sentence, span: Span) -> Sentence:
    """A sentence without what names the time."""
    return Sentence(
        sentence.text,
        sentence.tokens,
        tuple(
            tuple(one for one in several if not set(range(one.start, one.end)) & span.places) for several in sentence.at
        ),
    )


def about(sentence: Sentence, span: Span, context: Context) -> frozenset[str] | None:
    """The things that are named beside the time; None where nothing is."""
    rest = beside(sentence, span)
    mentions = list(mentions_in(rest, context))
    if not mentions and not rest.named(Role.PLACE, Role.THING, Role.DEVICE):
        return None
    return frozenset(iri for one in mentions for iri in one.things)


def _meant(sentence: Sentence, span: Span, context: Context) -> frozenset[str] | None:
    """The properties of what is named beside the time; None where nothing is."""
    things = about(sentence, span, context)
    if things is None:
        return None
    kinds = kinds_in(beside(sentence, span), context)
    own = [p for iri in things for p in context.registry.things[iri].properties]
    return frozenset(p.iri for p in own if not kinds or kinds & p.kinds)


def _journal(span: Span, context: Context) -> Iterator[Changed]:
    """What requests and rules changed."""
    rows = context.store.select("memory/changes", start_end=[(literal(span.start), literal(span.end))])
    for at, name, prop, before, after in rows:
        if at is not None and prop is not None and prop.value in context.registry.properties:
            moment = datetime.fromisoformat(at.value).astimezone(span.end.tzinfo)
            yield Changed(prop.value, moment, name.value if name else None, _json(before), _json(after))


def _deeds(span: Span, context: Context) -> Iterator[tuple[str, str]]:
    """What things did when they were told to: which thing, and in words."""
    known = context.registry.properties
    rows = context.store.select("memory/deeds", start_end=[(literal(span.start), literal(span.end))])
    for at, affordance, payload in rows:
        thing = context.registry.thing_of.get(affordance.value) if affordance is not None else None
        if thing is not None and at is not None and affordance is not None and affordance.value not in known:
            moment = datetime.fromisoformat(at.value).astimezone(span.end.tzinfo)
            yield (
                thing.iri,
                f"{called(affordance.value, without_words(_json(payload)), context.registry)} at {moment:%H:%M}",
            )


def _json(term: object) -> Json:
    return None if term is None else python(term)  # type: ignore[arg-type, return-value]


def _history(span: Span, state: State, context: Context, wanted: frozenset[str] | None = None) -> Iterator[Changed]:
    """What changed by anybody, or by itself, one for each property, or of those that are `wanted` alone; what is only
    measured changes all the time, and is left out."""
    known, properties = context.vocabulary.kinds, context.registry.properties
    for prop in properties.values() if wanted is None else (properties[iri] for iri in sorted(wanted)):
        if all(known[kind].settable for kind in prop.kinds if kind in known):
            several = state.between(prop.iri, span.start, span.end)
            if several:
                yield Changed(prop.iri, several[-1].at, None, several[0].before, several[-1].after)


def _net(several: Iterable[Changed]) -> Iterator[Changed]:
    """One for each property: from what it was first to what it was last."""
    found: dict[str, Changed] = {}
    for one in several:
        first = found.get(one.property)
        before = first.before if first is not None else one.before
        found[one.property] = Changed(one.property, one.at, one.user, before, one.after)
    yield from sorted(found.values(), key=lambda one: (one.at, one.property))


def _told(found: list[Changed], span: Span, nothing: str, registry: Registry, done: Iterable[str] = ()) -> Answer:
    when = span.words[:1].upper() + span.words[1:]
    when = when.replace(" i ", " you ").replace(" I ", " you ").replace(" my ", " your ").replace(" we ", " you ")
    when = when.replace(" you was ", " you were ").replace(" you am ", " you are ")
    lines = [*_lines(found, registry), *done]
    if not lines:
        return Answer(f"{when}: {nothing}.", [])
    said = "; ".join(lines[:MOST])
    more = f"; and {len(lines) - MOST} more" if len(lines) > MOST else ""
    return Answer(
        f"{when}: {said}{more}.", [thing_name(registry.thing_of[one.property].iri, registry) for one in found]
    )


def _lines(found: Iterable[Changed], registry: Registry) -> list[str]:
    """What changed in phrases: what became the same at the same minute in one, the first few by name."""
    alike: dict[tuple[str, str], list[str]] = {}
    for one in found:
        again = " again" if one.before == one.after else ""
        became = f"{property_name(one.property, registry)} {value_words(one.after)}{again}"
        name = thing_name(registry.thing_of[one.property].iri, registry)
        alike.setdefault((became, f"{one.at:%H:%M}"), []).append(name)
    return [f"{_named(names)} {became} at {at}" for (became, at), names in alike.items()]


def _named(names: list[str]) -> str:
    some = ", ".join(names[:FEW])
    return f"{some} and {len(names) - FEW} more" if len(names) > FEW else some


def who_did(sentence: Sentence, user: str | None, now: datetime, state: State, context: Context) -> Answer | None:
    """Who changed a thing last: the asker is told of themselves by name alone, of others only that it was somebody."""
    asked = sentence.find("hg:AskWho") or _asks_for_doer(sentence)
    if asked is None or not _begins(sentence, asked):
        return None
    span = span_in(sentence, user, now, state, context)
    if span is not None and not span.known:
        return unknown(span)
    wanted = _meant(sentence, span or _today(now), context)
    if not wanted:
        return None
    start = span.start if span is not None else datetime.min.replace(tzinfo=now.tzinfo, year=1970)
    whole = Span(start, span.end if span is not None else now, frozenset())
    towards = _towards(sentence, span, wanted, context)
    mine = [one for one in _journal(whole, context) if one.property in wanted and towards(one)]
    seen = [one for one in _history(whole, state, context, wanted) if towards(one)]
    last = max(seen, key=lambda one: one.at, default=None)
    if last is None and not mine:
        return Answer("Nobody did, as far as I remember.")
    asked_for = [one for one in mine if last is None or abs((one.at - last.at).total_seconds()) < 60 * 60]
    if not asked_for:
        assert last is not None
        return Answer(f"Nobody asked me for it: it changed by itself or by hand, {_when(last.at, now)}.")
    one = asked_for[-1]
    if one.user is None:
        return Answer(f"Nobody did: I did it by a rule, {_when(one.at, now)}.")
    own = user is not None and one.user.casefold() == user.casefold()
    return Answer(f"{'You did' if own else 'Somebody else asked me for it'}, {_when(one.at, now)}.")


def _towards(
    sentence: Sentence, span: Span | None, wanted: Iterable[str], context: Context
) -> Callable[[Changed], bool]:
    """Whether a change is to the end that is asked for: who turned it on did not turn it off."""
    word = state_word(sentence, span.places if span is not None else (), context)
    things = {context.registry.thing_of[iri].iri for iri in wanted}
    able = {p.iri: p for iri in things for p in able_of(iri, word, context)} if word is not None else {}
    if word is None or not able:
        return lambda _: True
    return lambda one: one.property in able and is_so(able[one.property], one.after, word, context)


def _when(at: datetime, now: datetime) -> str:
    at = at.astimezone(now.tzinfo)
    return f"at {at:%H:%M}" if at.date() == now.date() else f"on {at:%A, %d %B} at {at:%H:%M}"


def had(sentence: Sentence, user: str | None, now: datetime, state: State, context: Context) -> Answer | None:
    """How somebody had something at another time: the answer to "how did I have the desk lamp this morning?"."""
    span = span_in(sentence, user, now, state, context)
    if span is None or (sentence.find("hg:AskHad") or _asks_how_it_was(sentence, span)) is None:
        return None
    if not span.known:
        return unknown(span)
    wanted = _meant(sentence, span, context) or frozenset()
    several = [context.registry.properties[iri] for iri in sorted(wanted)]
    found = [p for p in several if _is_settable(p, context)]
    if not found and span.at is not None:
        return None  # what sensors read is told by who reads them
    values = [(p, own_value(p.iri, user, span, state, context)) for p in found]
    said = [(p, value) for p, value in values if value is not None]
    if not said:
        return forgotten()
    by_thing: dict[str, list[str]] = {}
    for p, value in said:
        thing = thing_name(context.registry.thing_of[p.iri].iri, context.registry)
        by_thing.setdefault(thing, []).append(f"{property_name(p.iri, context.registry)} {value_words(value)}")
    told = "; ".join(f"{thing}: {', '.join(names)}" for thing, names in by_thing.items())
    return Answer(f"{told}.", said[0][1] if len(said) == 1 else None)


def _is_settable(prop: Property, context: Context) -> bool:
    known = context.vocabulary.kinds
    return all(known[kind].settable for kind in prop.kinds if kind in known)


def own_value(prop: str, user: str | None, span: Span, state: State, context: Context) -> Json:
    """How somebody had a property set in a stretch of time: what they had it set to last, else how it was then."""
    if span.at is not None:
        return state.value_at(prop, span.at)
    own = set_by(prop, user, span, context)
    return state.value_at(prop, span.end) if own is None else own


def set_by(prop: str, user: str | None, span: Span, context: Context) -> Json:
    """What somebody had a property set to last in a stretch of time; None where they did not."""
    rows = _settings(prop, user, span, context)
    return _json(rows[-1][-1]) if rows else None


def first_set_by(prop: str, user: str | None, span: Span, context: Context) -> Json:
    """What somebody had a property set to first in a stretch of time; None where they did not."""
    rows = _settings(prop, user, span, context)
    return _json(rows[0][-1]) if rows else None


def _settings(prop: str, user: str | None, span: Span, context: Context) -> list[tuple[Term | None, ...]]:
    if user is None:
        return []
    during = [(literal(span.start), literal(span.end))]
    return context.store.select("memory/changes", start_end=during, property=NamedNode(prop), user=Literal(user))
