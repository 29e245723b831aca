"""Talk of what is remembered: told, asked for, corrected, forgotten; and of what usually comes next. It never acts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from engine.dialogue.people.forgetting import forget_facts, forget_person, handed_over
from engine.dialogue.people.known import group_asked, group_told, says_usual, source_of, told_in
from engine.dialogue.people.known import told as told_of
from engine.dialogue.people.showing import as_told, count, help_of, of_other, own_facts, quoted, shown
from engine.dialogue.requests.request import Request
from engine.environment.state import State
from engine.errors import ModelError
from engine.experience.memory import Memory as Experience
from engine.graph.terms import Json
from engine.language.meanings.context import Context
from engine.language.words.tokens import TokenKind
from engine.llm import Model
from engine.memory.bygone.presence import Presence, presence_told
from engine.memory.bygone.was_so import of_the_past
from engine.memory.kept import diary, facts
from engine.memory.kept.anticipation import anticipated
from engine.memory.kept.habits import Expectation
from engine.memory.kept.offers import circumstances_of
from engine.memory.recalled.corrections import agreed
from engine.memory.recalled.recall import is_question
from engine.memory.recalled.rooms import asks_for_rooms, rooms_said, rooms_told
from engine.memory.said.asked import SELF, Forgetting, forgetting, lets_go, profile_asked, told, told_loosely, words_of
from engine.memory.said.contradictions import contradicts_itself
from engine.memory.said.personal import begins_with_occasion, tells_of_occasion, tells_plainly, to_remember
from engine.memory.said.resaid import routine_of
from engine.memory.said.words import Sentence, Stretch, last_of, read, without_leads
from engine.model.fact import Fact, Statement
from engine.model.intent import Category, Intent, Operation
from engine.model.outcome import Answer, IntentOutcome, Outcome, Status

MOST_BESIDE = 2
"""How many words a question for the rooms that are used has beside them."""
TWO_THINGS = "That says two things of the same, so I keep neither. Tell me the one that holds."


@dataclass(frozen=True, slots=True)
class Telling:
    """What came of talk of memory; `nameless`: it is not written down who said so, for they are forgotten; `aside`: the
    conversation goes on from where it was."""

    status: Status
    text: str
    nameless: bool = False
    aside: bool = False
    value: Json = None
    reason: str | None = None


def talk_of_memory(
    request: Request,
    context: Context,
    experience: Experience,
    state: State,
    now: datetime,
    model: Model | None = None,
    orders: Callable[[], bool] = lambda: False,
    refused: Callable[[], bool] = lambda: False,
    of_before: Callable[[], bool] = lambda: False,
    is_scene: Callable[[Presence], bool] = lambda _: True,
) -> Telling | None:
    """What comes of a request that is about memory itself; None for any other. A statement that is the reason of what
    it orders (`orders`), or speaks of what was done before in this talk (`of_before`), is no news to keep; what nothing
    else can be made of (`refused`) may be a routine."""
    request = replace(request, text=without_leads(request.text, context))
    plain = plain_talk_of_memory(request, context, experience, state, now, model, of_before, is_scene)
    if plain is not None:
        return plain
    sentence = read(request.text, context)
    answer = _answered(sentence, request, context, now, of_before)
    if answer is not None or request.user is None or is_question(sentence):
        return answer
    stated = _stated(request, context, now, lambda: orders() or of_before())
    return stated or _routine(sentence, request, context, now, refused)


def _routine(
    sentence: Sentence, request: Request, context: Context, now: datetime, refused: Callable[[], bool]
) -> Telling | None:
    """A routine that is told without a verb ("breathing light off when I sleep"), as what is done then, or as a wish
    of which a request makes nothing."""
    plain = tells_of_occasion(sentence, context) or begins_with_occasion(sentence, context)
    resaid = routine_of(request.text, context)
    if not (plain or resaid is not None) or not refused():
        return None
    source = source_of(request, now)
    fact = told_of(resaid or request.text, source, f"{request.iri}/fact", context)
    theirs = replace(fact, person=fact.person or request.user or "")
    return _kept([theirs], context) if fact.goals and fact.occasion.named else None


def _stated(request: Request, context: Context, now: datetime, orders: Callable[[], bool]) -> Telling | None:
    """What comes of a statement of oneself: it is kept, unless it says two things of the same."""
    source = source_of(request, now)
    several = told_in(request.text, source, f"{request.iri}/fact", context)
    if not several or orders():
        return None
    if contradicts_itself(several, context):
        return Telling(Status.REFUSED, TWO_THINGS, reason="contradiction")
    return _kept([one for one in several if one.statement is not Statement.FREE or one.topics], context)


def _kept(several: list[Fact], context: Context) -> Telling | None:
    """Keeps facts, and says so."""
    facts.keep(context.store, several)
    said = " and ".join(dict.fromkeys(map(quoted, several)))
    return Telling(Status.DONE, f"I will keep that in mind: {said}.") if several else None


def plain_talk_of_memory(
    request: Request,
    context: Context,
    experience: Experience,
    state: State,
    now: datetime,
    model: Model | None = None,
    of_before: Callable[[], bool] = lambda: False,
    is_scene: Callable[[Presence], bool] = lambda _: True,
) -> Telling | None:
    """What comes of a request in words that can only be about memory itself, and never answer a question; None for any
    other. Who goes, where there is a scene for that (`is_scene`), has it done."""
    request = replace(request, text=without_leads(request.text, context))
    sentence = read(request.text, context)
    undoes = sentence.find("hg:BackWord") is not None or _is_more_than_one(sentence, context)
    if not (undoes and of_before()) and (found := _by_phrase(sentence, request, context, experience, now, model)):
        return found
    if (answer := _of_the_past(sentence, request, state, context, now)) is not None:
        return Telling(Status.ANSWERED, answer.text, value=answer.value)
    if (presence := presence_told(sentence, context)) is not None and (presence.only_told or not is_scene(presence)):
        return Telling(Status.DONE, presence.answer)
    if request.user is None:
        return None
    if (words := to_remember(sentence, context)) is not None:
        return _remembered(replace(request, text=words), context, now)
    if (group := group_told(request, context, now)) is not None:
        return _kept([group], context)
    told = tells_plainly(sentence, context) or says_usual(request.text, context) is not None
    return _stated(request, context, now, of_before) if told else None


def _is_more_than_one(sentence: Sentence, context: Context) -> bool:
    """Whether there is more than one sentence."""
    return last_of(sentence, context) is not sentence


def _remembered(request: Request, context: Context, now: datetime) -> Telling | None:
    """Keeps what somebody wants to be kept in mind, whatever it tells."""
    if (telling := _stated(request, context, now, lambda: False)) is not None:
        return telling
    source = source_of(request, now)
    return _kept([told_of(request.text, source, f"{request.iri}/fact", context)], context)


def _of_the_past(sentence: Sentence, request: Request, state: State, context: Context, now: datetime) -> Answer | None:
    """The answer to a question about what changed, who did it, how something was set, or which rooms are used."""
    if (answer := of_the_past(sentence, request.user, now, state, context)) is not None:
        return answer
    said = rooms_said(sentence)
    if said is None or not asks_for_rooms(sentence):
        return None
    rest = [n for n in range(len(sentence.tokens)) if not said[0].start <= n < said[0].end]
    if sum(sentence.tokens[n].kind is TokenKind.WORD for n in rest) > MOST_BESIDE:
        return None
    return rooms_told(request.user, context, used=said[1])


def _by_phrase(
    sentence: Sentence,
    request: Request,
    context: Context,
    experience: Experience,
    now: datetime,
    model: Model | None,
) -> Telling | None:
    """What comes of a request in one of the phrases that are of nothing else."""
    store, user = context.store, request.user
    if _whole(sentence, "hg:AskClock", alone=True):
        return Telling(Status.ANSWERED, f"It is {now:%H:%M}.", aside=True, value=now.isoformat(timespec="minutes"))
    if _whole(sentence, "hg:AskDate", alone=True):
        return Telling(
            Status.ANSWERED, f"It is {now:%A}, {now.day} {now:%B %Y}.", aside=True, value=now.date().isoformat()
        )
    if (polite := _courtesy(sentence, context)) is not None:
        return Telling(Status.ANSWERED, polite, aside=True)
    if lets_go(sentence):
        return Telling(Status.ANSWERED, "All right.")
    if (gone := _forgotten(sentence, request, context, experience, now)) is not None:
        return gone
    of_whom = SELF if _whole(sentence, "hg:AskKnown") else profile_asked(sentence)
    if of_whom is not None:
        own = of_whom.casefold() in (SELF, (user or "").casefold())
        if not own:
            return Telling(Status.ANSWERED, of_other(of_whom, request, context, now))
        return Telling(Status.ANSWERED, shown(request, context, now, model))
    if _whole(sentence, "hg:KeepProposal") and user is not None and (kept := agreed(store, user)) is not None:
        return Telling(Status.DONE, f"I will keep that in mind: {quoted(kept)}.")
    if _whole(sentence, "hg:AskNext") or _whole(sentence, "hg:AskWhyThat"):
        why = _whole(sentence, "hg:AskWhyThat")
        told = _suggestion(request, context, now, why=why)
        return Telling(
            Status.ANSWERED, told if why or model is None else _with_model(told, request, context, now, model)
        )
    other = sentence.find("hg:NotMe")
    return _corrected(sentence, other, request, context, now) if other is not None else None


def _courtesy(sentence: Sentence, context: Context) -> str | None:
    """The reply to a greeting, to thanks, and to a call for help; None for any other text."""
    if _whole(sentence, "hg:AskHelp", alone=True):
        return help_of(context)
    if _whole(sentence, "hg:Thanking", alone=True):
        return "You are welcome."
    return "Hello. Ask me “what can you do?” if you like." if _whole(sentence, "hg:Greeting", alone=True) else None


def _whole(sentence: Sentence, term: str, *, alone: bool = False) -> bool:
    """Whether a sentence is one of these phrases, but for what is polite, and for one more word if not `alone`."""
    found = sentence.find(term)
    if found is None:
        return False
    rest = [n for n in range(len(sentence.tokens)) if not found.start <= n < found.end]
    polite = [n for n in rest if any(sentence.here(term, n) is not None for term in ("hg:PoliteWord", "hg:Greeting"))]
    words = [n for n in rest if sentence.tokens[n].kind is TokenKind.WORD and n not in polite]
    return len(words) <= (0 if alone else 1)


def _forgotten(
    sentence: Sentence, request: Request, context: Context, experience: Experience, now: datetime
) -> Telling | None:
    """What comes of a request to forget: all of who speaks, or what they told of something."""
    store, vocabulary, user = context.store, context.vocabulary, request.user
    asked = Forgetting(everything=True) if _whole(sentence, "hg:ForgetAll") else forgetting(sentence)
    if asked is None or (asked.everything and user is None):
        return None
    if asked.everything and user is not None:
        number = forget_person(store, experience, vocabulary, user)
        return Telling(Status.DONE, f"I have forgotten all that I knew of you: {count(number, 'statement')}.", True)
    meant = [one for one in own_facts(request, context, now) if asked.words and asked.words <= words_of(one)]
    if not meant:
        return Telling(Status.DONE, "There was nothing of that kind to forget.") if asked.plain else None
    gone = forget_facts(store, experience, vocabulary, [one.iri for one in meant])
    return Telling(Status.DONE, f"I have forgotten {' and '.join(map(quoted, gone))}.")


def _answered(
    sentence: Sentence, request: Request, context: Context, now: datetime, of_before: Callable[[], bool]
) -> Telling | None:
    """The answer to a question about what was told: a team, a birthday, where something stands, how it is liked."""
    if not is_question(last_of(sentence, context)) and of_before():
        return None
    known = facts.heard_by(context.store, request.user, now)
    group = group_asked(request.text, known, context) if is_question(sentence) else ()
    meant = group or told(sentence, known, context)
    if meant is None or (group and sentence.word(0) not in ("what", "which", "who")):
        return None
    if not meant and sentence.names_a_thing:  # asked is how a thing of this home is
        return None
    if not meant:
        return Telling(Status.ANSWERED, "You have not told me that. Tell me, and I will keep it in mind.")
    return Telling(Status.ANSWERED, f"{as_told(meant[-1], request.user)}.")


def answered_loosely(request: Request, context: Context, now: datetime) -> Telling | None:
    """The answer to a question that nothing here can answer, from what the speaker may hear; None for none."""
    sentence = read(request.text, context)
    if not request.text.rstrip().endswith("?") and not is_question(sentence):
        return None
    meant = told_loosely(sentence, facts.heard_by(context.store, request.user, now))
    return Telling(Status.ANSWERED, f"{as_told(meant[-1], request.user)}.") if meant else None


def _corrected(sentence: Sentence, found: Stretch, request: Request, context: Context, now: datetime) -> Telling | None:
    """ "That was Ada, not me": what was told last is hers."""
    own = [
        one
        for one in own_facts(request, context, now)
        if (one.source.teller or "").casefold() == (request.user or "").casefold()
    ]
    beside = [t for n, t in enumerate(sentence.tokens) if n not in range(found.start, found.end) and t.text != "i"]
    names = [t for t in beside if sentence.text[t.start : t.end][:1].isupper() and t.start > 0]
    if not names or not request.user:
        return None
    name, last = sentence.text[names[-1].start : names[-1].end], max(own, key=lambda one: one.source.at, default=None)
    of_words = last is not None and sentence.find("hg:SayingWord") is not None
    done = not of_words and handed_over(context.store, request.user, name, last.source.at if last is not None else None)
    if done or last is None:
        return Telling(Status.DONE, f"Then what was done last was {name}'s, and not yours.") if done else None
    facts.forget(context.store, [last.iri])
    facts.keep(context.store, [replace(last, person=name, source=replace(last.source, teller=name))])
    return Telling(Status.DONE, f"Then {quoted(last)} is {name}'s, and not yours.")


def _suggestion(request: Request, context: Context, now: datetime, *, why: bool) -> str:
    """What usually comes next for the speaker, with its numbers; never done unasked."""
    if request.user is None:
        return "I do not know who you are, so I know none of your habits."
    circumstances = circumstances_of(context.store, request.user, now)
    habits = diary.habits_of(context.store, request.user)
    ranked = habits.next(circumstances, diary.today(context.store, request.user, now))
    if not ranked:
        return "I have not seen yet what you usually do next."
    if why:
        return _reason(ranked[0])
    several = ", ".join(f"{one.task} ({one.confidence:.0%})" for one in ranked[:3])
    return f"Usually comes next: {several}. I do none of it unless you ask."


def _with_model(told: str, request: Request, context: Context, now: datetime, model: Model) -> str:
    """What is told of habits, with what a model expects of the rest of the day, as far as experience does not speak
    against it."""
    if request.user is None:
        return told
    habits = diary.habits_of(context.store, request.user)
    circumstances = circumstances_of(context.store, request.user, now)
    try:
        found = anticipated(habits, circumstances, diary.today(context.store, request.user, now), model)
    except ModelError:
        return told
    kept = f" Still to come today, as it seems: {', '.join(found.kept)}." if found.kept else ""
    rare = [f"{one.task} ({one.times} of {count(one.days, 'such day')})" for one in found.removed]
    return f"{told}{kept}{' Left out, for it is rare: ' + ', '.join(rare) + '.' if rare else ''}"


def _reason(one: Expectation) -> str:
    after = f"after “{one.after}”" if one.after else "first on such a day"
    return f"“{one.task}” came {after} {one.times} of {count(one.days, 'time')}: that makes {one.confidence:.0%}."


def intent_of(request: Request, telling: Telling) -> Intent:
    """The intent of talk of memory: its words stay out of the journal."""
    operation = Operation.CHECK if telling.status is Status.ANSWERED else Operation.SET
    return Intent(f"{request.iri}/intent-1", request.text, Category.PREFERENCE, operation)


def outcome_of(request: Request, intent: Intent, telling: Telling) -> Outcome:
    """The outcome of talk of memory."""
    answer = Answer(telling.text, telling.value)
    one = IntentOutcome(intent, telling.status, reason=telling.reason, answer=answer)
    return Outcome(request.iri, request.text, telling.status, (one,), answer=answer, reply=telling.text)
