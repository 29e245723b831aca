"""What is done with a request: the likeliest reading where it is sure enough for what it does, else a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, takewhile
from types import MappingProxyType

from engine.language.chart.agreed import corrects_the_last, shapes_of
from engine.language.chart.goals.prepared import tokens_of
from engine.language.chart.heard.items import ARTICLES, FunctionWords, Sort, function_words, includes
from engine.language.chart.judging.confidence import (
    MOST_HEARD,
    MOST_LEFT_OUT,
    acts,
    confidence,
    doable,
    judged,
    left_out,
    tells_which,
)
from engine.language.chart.judging.fits import (
    does_not_fit,
    is_guessed,
    is_misread,
    is_unfounded,
    leaves_most,
    loses_an_option,
    tests_for_an_end,
)
from engine.language.chart.judging.heeded import (
    heeds,
    is_said_of_doing,
    may_tell,
    mistakes,
    passes_over_a_name,
    passes_over_its_object,
    ponders,
)
from engine.language.chart.judging.ranking import (
    ASKS,
    Past,
    counts,
    is_asked,
    is_of_old,
    is_rule,
    is_timed,
    is_wish,
    mood_of,
    of_earlier_reader,
    ranked,
    that_goes_on,
)
from engine.language.chart.judging.reader import (
    Candidate,
    Heard,
    intents_of,
    model,
    not_understood,
    with_comparison_last,
    without_courtesy,
)
from engine.language.chart.judging.spared import does_what_is_denied, sets_what_is_denied, touches_the_excepted
from engine.language.chart.judging.telling import (
    asking_most,
    asks_further,
    asks_too_little,
    asks_where_all_is,
    compares,
    drops_a_state,
    is_nameless,
    is_requested,
    of_either,
    only_names,
    ranks,
    things_of,
)
from engine.language.chart.judging.wished import is_only_told, tells_apart
from engine.language.chart.later.eventwise import as_one, told_by_events
from engine.language.chart.later.foretold import about_rules
from engine.language.chart.later.parted import forbids, is_awaited, ruled, waits
from engine.language.chart.later.timed import sentence_of
from engine.language.chart.later.timewise import (
    begins_later,
    in_full,
    in_rooms,
    of_any_room,
    says_when,
    says_where,
    told_apart,
    waits_somewhere,
)
from engine.language.meanings.context import Context
from engine.language.meanings.past import Hearing
from engine.language.meanings.readings import Alternatives
from engine.language.understanding import understand
from engine.language.words.records import replace
from engine.language.words.tokens import Token
from engine.model.intent import Asks, Category, Intent, Operation
from engine.model.rule import Rule

_TELLS = ("tell", "told:past", "told:verb", "condition:if", "condition:when")
_SELECTS = ("selects:if", "selects:room-if", "selects:told", "selects:asked", "selects:room-told", "selects:room-asked")
_Sure = tuple[Candidate, float]
_Weighed = tuple[list[Candidate], list[_Sure]]
MOST_ORDERS = 6
MOST_BEFORE = 3
"""How many words stand before those that ask."""
_LOST_BY_WISHES, _LOST = ("lost:place",), ("lost:place", "lost:thing", "lost:class")


@dataclass(frozen=True, slots=True)
class Choice:
    """The reading that counts; None where nothing may come of any. `sure` is how likely the likeliest is; `unsure`:
    it is not sure enough to be done unasked."""

    reading: Candidate | None
    sure: float
    unsure: bool = False


def decided(
    text: str, request: str, context: Context, past: Past = MappingProxyType({}), *, by_words: bool = False
) -> tuple[Alternatives, ...]:
    """For each goal of a text its readings: the likeliest, or one that is not understood where that may not be done.

    Whether it is to be asked about first is noted in the context's hearing."""
    talk = about_rules(text, request, context, understand)
    if talk is not None and not (talk.operation is Operation.CHANGE and _goes_on(context)):
        return (((talk,),),)
    text = in_full(with_comparison_last(without_courtesy(text, context), context), context)
    several = says_when(text, context) and told_apart(sentence_of(text, request, context, understand, unsure=True))
    if several:
        return _each(several, request, context)
    told = cache(lambda one: sentence_of(one, request, context, understand))
    read = cache(lambda one: ranked(one, request, context, past=past, by_words=by_words))
    where = says_where(text, context)
    if where and (chosen := _selected(read(text), context)):
        return chosen
    if of_any_room(text, context) and (best := choice(read(text), context).reading) and in_rooms(best.intents):
        return _picked(read(text), text, request, context)
    where = where and not waits_somewhere(text, context)
    said, text = text, as_one(text, context, lambda: told(text))
    if text is said and (apart := told_by_events(told(text))):
        return tuple(map(_for_each_time, _each(apart, request, context)))
    tokens, words = tokens_of(text, context), function_words(context.store)
    pondered = ponders(tokens, words)
    if not pondered and (never := forbids(text, request, context, told)) is not None:
        return (((never,),),)
    quiet = pondered or where or _asks_of_self(tokens, words) or counts(tokens, context)
    made = () if quiet else ruled(text, request, context, _orders, told)
    if made and (
        _does(made, text, context) or not is_asked(understand(text, request, replace(context, hearing=Hearing())))
    ):
        return (_in_words(made, said),)
    text = text if text in said else said  # no rule came of it: it is read as it was said
    goals = _picked(read(text), text, request, context)
    later = _does_now(goals) and (begins_later(text, context) or waits(text, context, told))
    return nothing(text, request) if later else goals


def _selected(found: Heard, context: Context) -> tuple[Alternatives, ...]:
    """The goals for rooms that are told by how it is there, now, where that is sure; else none."""
    best = (made := choice(found, context)).reading
    if best is None or made.unsure or made.sure < model()["thresholds"]["doubted"]:
        return ()
    if all(part != "where" for _, _, part in best.account) or not acts(best):
        return ()
    _take(best.hearing, context.hearing)
    return best.goals


def _for_each_time(made: Alternatives) -> Alternatives:
    """Rules to be made, not looked at once: one condition does a thing, another undoes it."""
    return tuple(
        tuple(replace(i, operation=Operation.MAKE) if i.operation is Operation.CARRY_OUT else i for i in way)
        for way in made
    )


def _in_words(made: Alternatives, text: str) -> Alternatives:
    """Rules with the words with which somebody said them."""
    return tuple(tuple(_worded(one, text) for one in way) for way in made)


def _worded(made: Intent, text: str) -> Intent:
    """An intent with the words of a text, and the rule of it."""
    return replace(made, text=text, rule=replace(made.rule, text=text)) if isinstance(made.rule, Rule) else made


def _each(texts: Sequence[str], request: str, context: Context) -> tuple[Alternatives, ...]:
    """The goals of sentences that were one, each with its own time."""
    found: list[Alternatives] = []
    for text in texts:
        goals = decided(text, f"{request}/part", replace(context, hearing=Hearing()), by_words=True)
        if text.startswith("at ") and _does_now(goals):
            goals = nothing(text, request)  # it is for another time
        for readings in goals:
            number = len(found) + 1
            found.append(
                tuple(
                    tuple(replace(one, iri=f"{request}/intent-{number}-{m}-{n}") for n, one in enumerate(reading))
                    for m, reading in enumerate(readings)
                )
            )
    return tuple(found)


def _does_now(goals: Sequence[Alternatives]) -> bool:
    """Whether something of it would be done now."""
    return any(i.category in (Category.EXPLICIT, Category.IMPLICIT) and i.fault is None for i in intents_of(goals))


def _does(made: Alternatives, text: str, context: Context) -> bool:
    """Whether a rule does something, or tells of an event to come: then the text was no question."""
    rules = [intent.rule for intent in made[0] if isinstance(intent.rule, Rule)]
    return any(rule.actions or is_awaited(rule, text, context) for rule in rules)


def _goes_on(context: Context) -> bool:
    """Whether what was said just before was no talk of rules."""
    return context.past.last is not None and bool(context.past.last.said)


def _orders(text: str, request: str, context: Context) -> tuple[tuple[Alternatives, ...], ...]:
    """What a rule may be to do: what would be decided of it as an order, and what else it may mean."""
    found = ranked(text, request, context, by_words=True)
    first = _picked(found, text, request, context)
    whole = (c for c in found.candidates[:MOST_ORDERS] if not is_misread(c, found))
    others = (c for c in whole if not acts(c) or _may_act(c, found, context))
    return (first, *(c.goals for c in others if c.goals and c.goals != first))


def _picked(found: Heard, text: str, request: str, context: Context) -> tuple[Alternatives, ...]:
    """What is decided of a text that is no rule, of all that it may mean."""
    made = choice(found, context)
    if made.reading is None:
        return nothing(text, request)
    if _asks_of_the_past(made.reading, found, context):
        return (((Intent(f"{request}/intent-1", text, fault="not_supported_yet", subject=text[:200]),),),)
    _take(made.reading.hearing, context.hearing)
    context.hearing.unsure, context.hearing.sure = made.unsure, made.sure
    context.hearing.shape = next(shapes_of(made.reading, found)) if made.unsure else ""
    return of_either(made.reading.goals, found)


def _asks_of_the_past(best: Candidate, found: Heard, context: Context) -> bool:
    """Whether it is asked how something was at another time, and a reading would tell how it is now."""
    asks = {i.query.asks for i in best.intents if i.query is not None}
    if not is_asked(best.goals) or "earlier" in best.features or asks & _OF_THE_PAST:
        return False
    being = next((some for some in found.items if includes((some,), *_BEING)), ())
    was = includes((being,), Sort.PastBeing)
    return was and Sort.PastMark.value in function_words(context.store).sorts_in(found.tokens)


_AMISS = ("no_such_room", "no_such_command", "no_such_property", "not_understood")
_BEING = (Sort.Whether, Sort.Being, Sort.PastBeing)
_ASKED_FIRST = (Sort.HowMany, Sort.Which, Sort.Where, Sort.HowLong, Sort.Difference)
_COURTEOUS, _DONE = ("filler", "request"), (Sort.VALUE, Sort.VERB)
_SAID = frozenset({"verb", "skipped", "aside", "copula"})
_ORDERING = (Sort.VERB, Sort.Requesting, Sort.Modal, Sort.PauseMark, Sort.NUMBER, Sort.If, Sort.When)
NEAR = 1.0
"""A reading of a question that leaves out no word counts before one that does and is likelier by no more than this."""
_OF_THE_PAST = frozenset({Asks.SINCE, Asks.LAST})


def nothing(text: str, request: str) -> tuple[Alternatives, ...]:
    """The one reading of a text that is not understood."""
    return (not_understood(f"{request}/intent-1", text),)


def choice(found: Heard, context: Context) -> Choice:
    """The reading that counts, of all: the likeliest, where it is sure, harmless, or to be asked about; of questions
    the one for the most."""
    made = _choice(found, context)
    if made.reading is None or not is_asked(made.reading.goals):
        return made
    return replace(made, reading=asking_most(made.reading, found))


def _choice(found: Heard, context: Context) -> Choice:
    earlier = of_earlier_reader(found)
    only_told = _is_only_told(earlier, found, context)
    called = _is_called(earlier, found, context, only_told=only_told)
    weighed = cache(lambda: _weighed(found, context))
    of_old = (is_of_old(earlier) and may_tell(earlier, found)) and not (
        _asks_amiss(earlier, found, context) or _is_outdone(earlier, found, context, weighed)
    )
    if not of_old and _asks_of_self(found.tokens, function_words(context.store)):
        return _answered(found, context)
    if of_old or (called and not is_unfounded(earlier, found, context)):
        return Choice(earlier, 1.0)
    meant, surest = weighed()
    if not surest:
        return Choice(None, 0.0)
    best = _complete(_as_asked(surest[0][0], found, context), earlier, found)
    sure = next((known for one, known in surest if one.effect == best.effect), None)
    sure = confidence(best, meant, found, context) if sure is None else sure
    if acts(best) and sure < model()["thresholds"]["act"] and (said := context.standing()):
        best, sure = _agreed(found, context, said)
    if not best.intents or (_only_asks(best) and _is_reported(best, found, context)):
        return Choice(None if best.intents or acts(earlier) else earlier, sure)
    if not acts(best) or _only_asks(best):
        named = found.bare and not left_out(best.features)  # such a text can be for nothing else
        unsure = sure < model()["thresholds"]["answer"] and not named
        guessed = is_asked(best.goals) and (unsure or drops_a_state(best))
        return Choice(None if guessed else best, sure)
    if (
        leaves_most(best, earlier, found, context)
        or sure < model()["thresholds"]["ask"]
        or _is_barred(best, found, context, only_told=only_told)
    ):
        return Choice(None if acts(earlier) else earlier, sure)
    unsure = sure < needed(best, found, context) and not corrects_the_last(best, found, context)
    unsure = unsure or is_guessed(best, found, context) or (not is_wish(best) and mood_of(found, context) == ASKS)
    if unsure and _asks_what(earlier) and heeds(earlier, found):
        return Choice(earlier, sure)
    return Choice(earlier if best.effect == earlier.effect else that_goes_on(best, found, context), sure, unsure)


def _is_called(earlier: Candidate, found: Heard, context: Context, *, only_told: bool) -> bool:
    """Whether the earlier reader would do things that are called by their names, in no question, story or refusal."""
    if not _calls_by_name(earlier) or (only_told and is_wish(earlier)) or not _may_act(earlier, found, context):
        return False
    if found.first is not None and is_said_of_doing(found.first, found):
        return False
    if is_wish(earlier) and (includes(found.items, Sort.Unwanted) or is_guessed(earlier, found, context)):
        return False
    return includes(found.items[:1], Sort.Requesting) or not includes(found.items[:1], *_ASKED_FIRST)


def _weighed(found: Heard, context: Context) -> _Weighed:
    """The readings that may be meant, and those that are judged of them with how sure each is, the surest first."""
    meant = doable([c for c in found.candidates[:MOST_HEARD] if may_be_meant(c, found, context)])
    return meant, judged(meant, found, context) if meant else []


def _as_asked(best: Candidate, found: Heard, context: Context) -> Candidate:
    """The likeliest reading; of a question, where that would act, the likeliest that asks and leaves nothing out."""
    if not acts(best) or mood_of(found, context) != ASKS:
        return best
    return next((c for c in found.candidates if is_asked(c.goals) and not left_out(c.features)), best)


def _names_nothing(best: Candidate) -> bool:
    """Whether a part of a reading that acts is about something that no word of the ontology or the home is for, or that
    it cannot do: the rest may be misread, too."""
    none_such = any(i.fault == "no_such_device" and not i.selection.classes for i in best.intents)
    return none_such or any(i.fault in _AMISS for i in best.intents)


def needed(best: Candidate, found: Heard, context: Context) -> float:
    """How sure a reading has to be to be done unasked, from 0 to 1: more so where it passes over a name."""
    doubted = passes_over_a_name(best, found, context) or passes_over_its_object(best) or _names_nothing(best)
    doubted = doubted or _is_unheard(best, found) or (not is_wish(best) and loses_an_option(best, found, context))
    return float(model()["thresholds"]["doubted" if doubted else "act"])


def may_be_meant(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading heeds all that denies something, and neither it nor a likelier one that comes to the same does
    anything at once that is for a time."""
    heeds_it = _may_act(candidate, found, context) if acts(candidate) else may_tell(candidate, found)
    if not heeds_it or is_misread(candidate, found) or _asks_amiss(candidate, found, context):
        return False
    likelier = takewhile(lambda one: one is not candidate, found.candidates)
    return not any(_is_at_once(one) for one in (candidate, *likelier) if one.effect == candidate.effect)


def _asks_amiss(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading asks for more or less than its words, or for an end that nothing has."""
    too_much = (asks_where_all_is, asks_too_little)
    return tests_for_an_end(candidate, context) or any(amiss(candidate, found, context) for amiss in too_much)


def _may_act(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading that acts heeds the words that say that something is not ordered, or is left out."""
    wrong = sets_what_is_denied(candidate, found) or does_what_is_denied(candidate, found, context)
    wrong = wrong or touches_the_excepted(candidate, found, context) or does_not_fit(candidate, found, context)
    wrong = wrong or found.bare or (is_wish(candidate) and found.once(only_names))
    return heeds(candidate, found) and not wrong


def _repairs(candidate: Candidate) -> bool:
    """Whether a reading takes something back that was said before, in its words or earlier."""
    hearing = candidate.hearing
    return bool(hearing.corrects or hearing.retracted) or any(part == "repair" for _, _, part in candidate.account)


def _is_unheard(best: Candidate, found: Heard) -> bool:
    """Whether a reading without an account loses a name in the text, and none with an account would do the same."""
    loses = any(best.features.get(name, 0.0) for name in (_LOST_BY_WISHES if is_wish(best) else _LOST))
    loses = loses or (not is_wish(best) and best.features.get("lost:number", 0.0) > 0)
    if not loses or _repairs(best):
        return False
    if best.account and best.features.get("lost:place", 0.0) and not is_wish(best):
        return True
    return not found.alike(best)


def _complete(best: Candidate, earlier: Candidate, found: Heard) -> Candidate:
    """The likeliest reading; of a question the one beside it that leaves out no word, where it does, and that of the
    earlier reader where that alone compares."""
    if is_asked(best.goals) and compares(earlier) and not (compares(best) or ranks(best)):
        return earlier
    if not is_asked(best.goals) or not left_out(best.features):
        return best
    near = (c for c in found.candidates if c.account and c.score > best.score - NEAR and is_asked(c.goals))
    return next((c for c in near if not left_out(c.features) and not mistakes(c, found)), best)


def _is_outdone(earlier: Candidate, found: Heard, context: Context, weighed: Callable[[], _Weighed]) -> bool:
    """Whether a likelier reading asks for more than the earlier reader's and accounts for every word, or is an order
    behind a question."""
    if is_asked(earlier.goals) and _is_surer(weighed()[1], earlier, found, context):
        return True
    for candidate in takewhile(lambda one: one is not earlier, found.candidates):
        if _goes_on_to_order(candidate, found, context):
            return True
        if is_asked(candidate.goals) and asks_further(candidate, earlier, found, context):
            return not left_out(candidate.features)
    return False


def _is_surer(surest: Sequence[tuple[Candidate, float]], earlier: Candidate, found: Heard, context: Context) -> bool:
    """Whether the surest reading is another than that of a question, and sure; not where that is about a class of
    things that this one is not about, as persons."""
    best, sure = surest[0] if surest else (earlier, 0.0)
    barred = acts(best) and (left_out(best.features) > 0 or mood_of(found, context) == ASKS)
    barred = barred or best.effect == earlier.effect or bool(things_of(earlier) - things_of(best))
    return not barred and sure >= float(model()["thresholds"]["surer"])


def _goes_on_to_order(candidate: Candidate, found: Heard, context: Context) -> bool:
    """Whether a reading that takes every word acts by a verb behind a joint: "check the front door and lock it"."""
    if not acts(candidate) or left_out(candidate.features) or mood_of(found, context) == ASKS:
        return False
    if any(i.sort in (Sort.If, Sort.When) for own in found.items for i in own):
        return False
    parts = [part for _, _, part in candidate.account]
    return parts[:1] == ["pick"] and any(pair == ("joint", "verb") for pair in pairwise(parts))


def _is_only_told(earlier: Candidate, found: Heard, context: Context) -> bool:
    """Whether the likeliest reading, or that of the earlier reader, is a wish which nobody here has now."""
    wished = [i for c in (earlier, *found.candidates[:1]) if is_wish(c) for i in c.intents]
    situated = any(i.situation is not None for i in wished)
    return bool(wished and found.tokens) and is_only_told(found, context, situated=situated)


def _agreed(found: Heard, context: Context, said: Mapping[str, int]) -> tuple[Candidate, float]:
    """The reading whose shape the speaker agreed to before, which is sure then; else the likeliest that they did not
    decline, with how sure it is."""
    heeding = [c for c in found.candidates if not acts(c) or may_be_meant(c, found, context)]
    known = [(sum(said.get(shape, 0) for shape in set(shapes_of(c, found))), c) for c in heeding]
    agreed = next((c for times, c in known if times > 0), None)
    if agreed is not None:
        return agreed, 1.0
    best = next((c for times, c in known if times == 0), None)
    return (
        (best, confidence(best, found.candidates, found, context)) if best is not None else (found.candidates[0], 0.0)
    )


def _is_story(candidate: Candidate) -> bool:
    """Whether a reading has it all told of somebody: "my brother opened the garage door"."""
    story = bool(candidate.account) and not candidate.goals and "told:verb" in candidate.features
    return story and left_out(candidate.features) <= MOST_LEFT_OUT


def _is_told_of(best: Candidate, found: Heard) -> bool:
    """Whether a reading has it all told of somebody, and no verb leads the likeliest: "get it started" orders."""
    if _is_narrated(found) or is_said_of_doing(best, found):
        return True
    account = best.account or next((one.account for one in found.alike(best)), ())
    parts = [part for _, _, part in account]  # "Blinds shut.", "all doors locked"
    every = int(includes(found.items[:1], Sort.Every))
    wanted = "modal" in parts or (parts[every : every + 1] == ["noun"] and _SAID.isdisjoint(parts))
    wanted = wanted or next((part == "verb" for part in parts if part not in _COURTEOUS), False)
    return not (wanted or is_requested(best, found)) and any(map(_is_story, found.candidates))


def _is_narrated(found: Heard) -> bool:
    """Whether somebody did something to what follows: "the kids turned off the lamp" has a past form between what
    begins the sentence and an article."""
    for place in range(1, min(MOST_BEFORE + 1, len(found.items))):
        if includes(found.items[:place], *_ORDERING):
            return False
        ends = {i.end for i in found.items[place] if i.sort in _DONE and i.text.split()[0].endswith("ed")}
        if any(i.sort in ARTICLES for end in ends if end < len(found.items) for i in found.items[end]):
            return True
    return False


def _is_reported(best: Candidate, found: Heard, context: Context) -> bool:
    """Whether words say that somebody else says it, or that it was in the past; not where it shall be as it was."""
    sorts = function_words(context.store).sorts_in(found.tokens)
    past = sorts & {Sort.Reporting.value, Sort.PastMark.value}
    return bool(past) and Sort.AsBefore.value not in sorts and "earlier" not in best.features and not is_timed(best)


def _is_barred(best: Candidate, found: Heard, context: Context, *, only_told: bool) -> bool:
    """Whether words say that what would be done is told, asked, for another time, for another thing, or for none."""
    if found.first is not None and _is_told(best, found.first) and not _speaks_of_before(best, found.first):
        return True
    if only_told if is_wish(best) else _is_reported(best, found, context) or _is_told_of(best, found):
        return True
    unheard = _asks_unheard(best, found, context) or is_nameless(best, found)
    unheard = unheard or (not is_wish(best) and _is_of_a_statement(found))
    return unheard or is_unfounded(best, found, context)


def _is_of_a_statement(found: Heard) -> bool:
    """Whether the likeliest account of an order has it behind an "is", and leaves out of what that is said."""
    first = next((c for c in found.candidates if c.account and not is_misread(c, found)), None)
    return first is not None and "verb:after-copula" in first.features and first.features.get("skip:word", 0.0) > 0


def _asks_unheard(best: Candidate, found: Heard, context: Context) -> bool:
    """Whether a verb stands before its subject, so that something is asked, and a reading that gives no account of its
    words would act where the likeliest that does would not."""
    inverted = Sort.Inverted.value in function_words(context.store).sorts_in(found.tokens)
    return inverted and not best.account and (found.first is None or not acts(found.first))


def _asks_of_self(tokens: Sequence[Token], words: FunctionWords) -> bool:
    """Whether one sentence asks about who speaks or about the home: "should I …?", "do we usually …?"."""
    texts = [token.text for token in tokens]
    if not texts or texts[-1] != "?" or {".", "?", "!", ";"} & set(texts[:-1]):
        return False
    begun = (match for place in range(min(MOST_BEFORE, len(tokens))) for match in words.trie.at(tokens, place))
    return any(e.iri == Sort.AskedOfSelf.value for match in begun for e in match.entries)


def _answered(found: Heard, context: Context) -> Choice:
    """The likeliest reading that does nothing, of a text that asks."""
    quiet = next((c for c in found.candidates if is_asked(c.goals)), None)
    sure = confidence(quiet, found.candidates, found, context) if quiet is not None else 0.0
    return Choice(quiet if sure >= model()["thresholds"]["answer"] else None, sure)


def _is_at_once(candidate: Candidate) -> bool:
    """Whether a reading does something at once that is for a time; not where it says for how long it was so."""
    parts = ["", *(part for _, _, part in candidate.account if part != "preposition")]
    timely = any(part == "time" and last != "copula" for last, part in pairwise(parts))
    return timely and acts(candidate) and not is_timed(candidate) and not is_rule(candidate)


def _asks_what(earlier: Candidate) -> bool:
    """Whether the earlier reader knows what it has to ask."""
    return any(i.fault == "missing_value" for i in earlier.intents)


def _calls_by_name(candidate: Candidate) -> bool:
    """Whether all that would be done is said by the very names of what things offer, or of a scene."""
    broken = any(candidate.features.get(name, 0.0) for name in ("old:breaks", "old:when", "old:long"))
    plain = not broken and candidate.features.get("old:unknown", 0.0) <= 1
    scenes = plain and all(i.situation is not None for i in candidate.intents)
    return bool(candidate.intents) and (scenes or all(i.affordance is not None for i in candidate.intents))


def _only_asks(candidate: Candidate) -> bool:
    """Whether all that comes of a reading is the question which of several is meant, or to what it shall be set."""
    does = sum(i.fault is None and i.category is Category.EXPLICIT for i in candidate.intents)
    unclear = sum(candidate.features.get(name, 0.0) for name in ("home:ambiguous", "old:home:ambiguous"))
    return does > 0 and unclear >= does and not is_rule(candidate)


def _is_told(earlier: Candidate, fresh: Candidate) -> bool:
    """Whether what would be done now is told, is for another time, or holds only where something is so."""
    if not acts(earlier) or is_timed(earlier) or is_rule(earlier):
        return False
    if is_wish(earlier):  # how things are is a wish, what somebody did is none
        return any(name in fresh.features for name in ("told:past", "told:verb"))
    if (earlier.account == fresh.account and tells_apart(fresh)) or tells_which(earlier):
        return False
    return not any(name in fresh.features for name in _SELECTS) and any(name in fresh.features for name in _TELLS)


def _speaks_of_before(best: Candidate, fresh: Candidate) -> bool:
    """Whether all that tells of another time is a "before" that governs nothing, in a reading of earlier values."""
    parts = [part for _, _, part in fresh.account]
    alone = all(after in ("joint", "copula") for part, after in pairwise([*parts, "joint"]) if part == "condition")
    return "earlier" in best.features and alone and {n for n in _TELLS if n in fresh.features} == {"condition:when"}


def _take(chosen: Hearing, into: Hearing) -> None:
    into.corrects, into.shifted, into.reference = chosen.corrects, chosen.shifted, chosen.reference
    into.retracted, into.goals = chosen.retracted, chosen.goals
