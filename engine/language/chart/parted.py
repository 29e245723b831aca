"""Rules read in parts: when, under what condition, and what is to be done, each by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain, pairwise

from engine.graph.terms import Json
from engine.language.asked_facts import fact_of
from engine.language.chart.items import Item, Sort, function_words, items_of
from engine.language.chart.parting import LEADING, MARKS, Parts, Sentence, chosen, noticed, says_nothing, ways_told
from engine.language.chart.reader import states_of_commands, tokens_of
from engine.language.chart.ruled import schedule
from engine.language.chart.told import Teller, Told, lasting, rule_words
from engine.language.context import Context
from engine.language.past import Hearing
from engine.language.readings import Alternatives
from engine.language.records import replace
from engine.model.intent import Category, Intent, Operation
from engine.model.record import to_json
from engine.model.rule import After, Becomes, Fact, Match, Next, Recurrence, Rule, Schedule, Trigger

Ask = Callable[[str, str, Context], tuple[Alternatives, ...]]
Read = Callable[[str, str, Context], tuple[tuple[Alternatives, ...], ...]]
_REFERRING = (Sort.PronounOne, Sort.PronounSeveral, Sort.There)
_PAST = frozenset({"was", "were", "did", "had", "last"})
MOST_READ, MOST_RULES = 10, 8
"""In how many ways to part a sentence the order is read, and how many rules are offered."""


def ruled(text: str, request: str, context: Context, read: Read, asks: Ask) -> Alternatives:
    """The readings of a text as a rule, likeliest first, each the intent to make it; none where it says none, or not
    all of it can be read.

    `read` reads what is to be done, `asks` a question."""
    sentence = _sentence(text, request, context, asks)
    if not sentence.tokens or _is_question(sentence):
        return ()
    when, windows, whole = schedule([one.meaning for one in sentence.times])
    if not whole or _is_open(when):
        return ()
    reader = Reader(sentence, request, context, read)
    made: list[Rule] = []
    for _, parts, told in sorted(ways_told(sentence), key=lambda one: one[0])[:MOST_READ]:
        trigger, conditions, match = _set_off(when, told)
        if trigger is None or _selects(sentence, parts, told):
            continue
        once = (isinstance(when, Next | After) and trigger is when) or "OnceMarker" in parts.marks
        rule = Rule(text, (trigger,), (), conditions, match, windows, location=context.location, once=once)
        made += reader.doing(rule, parts, told)
    rules = [rule for n, rule in enumerate(made) if rule not in made[:n]][:MOST_RULES]
    return tuple(
        (Intent(f"{request}/intent-{n}", text, Category.RULE, Operation.MAKE, rule=rule),)
        for n, rule in enumerate(rules, start=1)
    )


def _is_open(when: Schedule | None) -> bool:
    """Whether a day is said, and no time of it."""
    if isinstance(when, Recurrence):
        return not when.times and when.period is None
    return isinstance(when, Next) and when.time is None


def _selects(sentence: Sentence, parts: Parts, told: Sequence[Told]) -> bool:
    """Whether a condition only says which things or rooms are meant, now: "if a lamp is on, put it out"."""
    refers = any(sentence.is_at(p, *_REFERRING) for p in parts.order)
    return refers and not sentence.times and any(one.any_one for one in told)


def _sentence(text: str, request: str, context: Context, asks: Ask) -> Sentence:
    tokens = tokens_of(text, context)
    words, known = function_words(context.store), rule_words(context.store)
    items = items_of(tokens, context.dictionary, words)
    reminds = any((term := known.at(tokens, p)) and term[1] == "Reminding" for p in range(len(tokens)))
    times = chosen(items, unsure=reminds)

    def asked(question: str) -> Iterator[Fact]:
        for readings in asks(question, f"{request}/asked", replace(context, hearing=Hearing())):
            yield from (fact for reading in readings if (fact := fact_of(reading[0])) is not None)

    teller = Teller(tokens, items, known, context, asked, states_of_commands(context))
    named = teller.places(range(len(tokens)))
    teller = replace(teller, about=teller.first(range(len(tokens))))
    return Sentence(text, tokens, items, times, known, replace(teller, nearby=named))


def _is_question(sentence: Sentence) -> bool:
    """Whether it asks, and orders nothing: its first words ask, and no order follows."""
    if (term := sentence.term(0)) is not None and term[1] == "Reminding":
        return any(sentence.is_at(p, Sort.PastMark) or t.text in _PAST for p, t in enumerate(sentence.tokens))
    first = sentence.is_at(0, Sort.HowMany, Sort.Which, Sort.What, Sort.How, Sort.Where, Sort.HowLong, Sort.WhenDid)
    return first is not None and sentence.is_at(0, *MARKS) is None


def _set_off(when: Schedule | None, told: Sequence[Told]) -> tuple[Trigger | None, tuple[Fact, ...], Match]:
    """What sets the rule off, and what must hold then."""
    facts = tuple(fact for one in told for fact in one.facts)
    either = len(told) == 1 and told[0].match is Match.ANY and len(facts) > 1
    match = Match.ANY if either else Match.ALL
    lasting = isinstance(when, After) and any(fact.seconds == when.seconds for fact in facts)
    if when is not None and not lasting:
        return when, facts, match
    return (Becomes(facts, match), (), Match.ALL) if facts else (None, (), Match.ALL)


def _words(sentence: Sentence, places: Sequence[int]) -> str:
    """The words at these places, as they were said."""
    kept = [p for p in places if sentence.tokens[p].text not in LEADING]
    return " ".join(sentence.text[sentence.tokens[p].start : sentence.tokens[p].end] for p in kept)


def _order(sentence: Sentence, parts: Parts, told: Sequence[Told], where: str) -> str:
    """What is to be done, in the words that are left; what takes up the condition again ("there", "its", "it") is put
    into its words."""
    kept = [p for p in parts.order if not says_nothing(sentence, p)]
    while kept and sentence.tokens[kept[0]].text in LEADING:
        kept = kept[1:]
    while kept and sentence.tokens[kept[-1]].text in LEADING:
        kept = kept[:-1]
    subject = next((one.subject for one in told if one.subject), "")
    named = any(sentence.is_at(p, Sort.NOUN) for p in kept)
    words: list[str] = []
    done = 0
    for place in kept:
        if place < done:
            continue
        done, said = _taken_up(sentence, place, where, "" if named else subject)
        token = sentence.tokens[place]
        glued = words and place and sentence.tokens[place - 1].end == token.start and place - 1 in kept
        words.append(("" if glued or not words else " ") + (said or sentence.text[token.start : token.end]))
    return "".join(words)


def _taken_up(sentence: Sentence, place: int, where: str, subject: str) -> tuple[int, str]:
    """Where a word ends that takes up the condition again, and what it stands for, if it does."""
    end = sentence.is_at(place, Sort.There)
    if where and end is not None:
        after = place and sentence.is_at(place - 1, Sort.Of, Sort.In, Sort.From) is not None
        return end, where if after else f"in {where}"
    end = sentence.is_at(place, Sort.Possessive)
    if where and end is not None and not subject:
        return end, f"{where}'s"
    end = sentence.is_at(place, Sort.PronounOne, Sort.PronounSeveral)
    return (end, subject) if subject and end is not None else (place + 1, "")


@dataclass(slots=True)
class Reader:
    """Reads what is to be done, each order once."""

    sentence: Sentence
    request: str
    context: Context
    read: Read
    _known: dict[tuple[str, str | None], tuple[tuple[Intent, ...], ...]] = field(default_factory=dict)

    def doing(self, rule: Rule, parts: Parts, told: Sequence[Told]) -> Iterator[Rule]:
        """The rule with what is to be done, in each way to read it, or told."""
        found = noticed(self.sentence, parts.order)
        if found is None:
            yield from (replace(rule, actions=actions) for actions in self.actions(parts, told))
            return
        order, telling = found
        said = telling or tuple(chain.from_iterable(parts.conditions))
        rule = replace(rule, notice=_words(self.sentence, said))
        if not order:
            yield rule
            return
        yield from (replace(rule, actions=actions) for actions in self.actions(replace(parts, order=order), told))

    def actions(self, parts: Parts, told: Sequence[Told]) -> Iterator[tuple[Intent, ...]]:
        """The ways to read what is to be done, likeliest first: said as if in the room that the condition is about,
        then as if nowhere."""
        places = {place for one in told for fact in one.facts for place in fact.selection.places}
        here = next(iter(places)) if len(places) == 1 else None
        where = (
            f"the {self.context.registry.places[here].name}" if here and here in self.context.registry.places else ""
        )
        order = _order(self.sentence, parts, told, where)
        found: list[tuple[Intent, ...]] = []
        for location in dict.fromkeys((here or self.context.location, self.context.location)):
            key = (order, location)
            if key not in self._known:
                self._known[key] = self._ways(order, replace(self.context, location=location, hearing=Hearing()))
            found += self._known[key]
        lost = [self.lost(parts, actions) for actions in found]
        fewest = min(lost, default=(0, 0))
        yield from (a for n, a in zip(lost, found, strict=True) if n == fewest and not n[0])

    def _ways(self, order: str, context: Context) -> tuple[tuple[Intent, ...], ...]:
        goals = self.read(order, f"{self.request}/rule", context) if order else ()
        joined = [tuple(intent for reading in way for intent in reading) for one in goals for way in _combined(one)]
        return tuple(actions for actions in joined if actions and not any(map(_is_none, actions)))

    def lost(self, parts: Parts, actions: Sequence[Intent]) -> tuple[int, int]:
        """How many numbers and lengths of time, and how many devices, are named in an order of which none of its
        intents says anything."""
        said = [text for one in actions for text in _said(to_json(one))]
        pieces = list(self.sentence.teller.pieces(parts.order))
        nouns = [noun for one in pieces if (noun := one.sorted(Sort.NOUN))]
        counts = {one.start for one, after in pairwise(pieces) if after.sorted(Sort.NOUN)}
        numbers = [n for one in pieces if (n := one.sorted(Sort.NUMBER)) and one.start not in counts]
        lengths = [s for one in pieces if (s := lasting(one))]
        values = {one for one in said if isinstance(one, float)}
        terms = {one for one in said if isinstance(one, str)}
        missing = [one for one in (*(n.number for n in numbers), *lengths) if one not in values]
        return len(missing), sum(not self._is_meant(one, terms) for one in nouns)

    def _is_meant(self, noun: Item, terms: Set[str]) -> bool:
        """Whether one of these terms is what a noun names, a kind of it, or a thing of that kind."""
        registry, is_a = self.context.registry, self.context.vocabulary.is_a
        classes = {c for t in terms if (part := registry.parts.get(t)) is not None for c in part.every_class} | terms
        named = {e.iri for e in noun.entries}
        return bool(named & terms) or any(is_a(one, name) or is_a(name, one) for one in classes for name in named)


def _combined(goals: Sequence[Alternatives]) -> Iterator[tuple[tuple[Intent, ...], ...]]:
    """The likeliest reading of each goal; then each of the others of one of them."""
    first = tuple(readings[0] for readings in goals)
    yield first
    for number, readings in enumerate(goals):
        yield from ((*first[:number], other, *first[number + 1 :]) for other in readings[1:MOST_RULES])


def _said(data: Json) -> Iterator[str | float]:
    """The words and numbers of a JSON value."""
    if isinstance(data, dict):
        data = list(data.values())
    if isinstance(data, list):
        for one in data:
            yield from _said(one)
    elif isinstance(data, str) or (isinstance(data, int | float) and not isinstance(data, bool)):
        yield data if isinstance(data, str) else float(data)


def _is_none(one: Intent) -> bool:
    """Whether an intent is nothing that a rule can do."""
    return one.fault is not None or one.query is not None or one.category is Category.RULE
