"""What the home did, asked by what was done ("why did you move the robot?"), and answered from the journal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from engine.dialogue.explaining.why import why
from engine.dialogue.requests.request import Request
from engine.graph.terms import Json, NamedNode, Term, python
from engine.language.meanings.context import Context
from engine.language.replies.replies import called, without_words
from engine.language.words.lexicon import Role
from engine.memory.recalled.mentions import mentions_in
from engine.memory.said.words import Sentence, Stretch, read
from engine.model.vocabulary import Form
from engine.things.index import affordances

NEVER = "I have not done that, as far as I remember."
WHY, STATE, WHETHER, WHEN = "hg:AskWhyDone", "hg:AskWhySo", "hg:AskWhetherDone", "hg:AskWhenDone"
WHO = "hg:AskWho"


@dataclass(frozen=True, slots=True)
class Deed:
    """An affordance that was used for an intent of a request."""

    request: str
    at: datetime
    affordance: str
    payload: Json
    intent: NamedNode


def told_of_deeds(request: Request, context: Context, now: datetime) -> str | None:
    """What is told of something that the home did, or did not do; None for any other request."""
    sentence = read(request.text, context)
    asked = _asked(sentence)
    if asked is None or sentence.word(asked[1].end) == "not":
        return None
    term, begun = asked
    things = _things(sentence, begun, context)
    if not things or (term not in (WHY, STATE) and any(context.registry.things[iri].properties for iri in things)):
        return None  # of what has a state, that is told
    verbs = _verbs(sentence, begun.start + 1 if term == WHO else begun.end, context)
    done = [one for one in _deeds(things, context) if _is_meant(one, verbs, context)]
    if not done:
        return None if term == STATE else NEVER
    return _told(term, done[0], request, context, now)


def _asked(sentence: Sentence) -> tuple[str, Stretch] | None:
    """The question that a sentence begins with, but for what is polite."""
    for place in range(len(sentence.tokens)):
        for term in (WHY, STATE, WHETHER, WHEN, WHO):
            found = sentence.here(term, place)
            if found is not None:
                return term, found
        if sentence.here("hg:PoliteWord", place) is None:
            return None
    return None


def _things(sentence: Sentence, begun: Stretch, context: Context) -> frozenset[str]:
    """The things that are named after the question."""
    named = [one.things for one in mentions_in(sentence, context) if one.start >= begun.end]
    return frozenset().union(*named)


def _verbs(sentence: Sentence, begun: int, context: Context) -> frozenset[str]:
    """The commands that are said first from a place on."""
    lexicon, tokens = context.dictionary.lexicon, sentence.tokens
    for place in range(begun, len(tokens)):
        for match in lexicon.at(tokens, place):
            if found := {entry.iri for entry in match.entries if entry.role is Role.COMMAND}:
                return frozenset(found)
    return frozenset()


def _deeds(things: frozenset[str], context: Context) -> Iterator[Deed]:
    """What was done with things, the last first."""
    own = [NamedNode(one.iri) for iri in sorted(things) for one in affordances(context.registry.things[iri])]
    for request, at, affordance, payload, intent in context.store.select("dialogue/deeds", affordance=own):
        if isinstance(request, NamedNode) and isinstance(affordance, NamedNode) and isinstance(intent, NamedNode):
            moment = datetime.fromisoformat(_text(at))
            yield Deed(request.value, moment, affordance.value, _json(payload), intent)


def _is_meant(deed: Deed, verbs: frozenset[str], context: Context) -> bool:
    """Whether it is what is said: by the command that it was asked for by, else by what it does."""
    if not verbs:
        return True
    understood = context.store.select("dialogue/why_intents", request=NamedNode(deed.request))
    said = {_text(row[4]) for row in understood if row[0] == deed.intent and row[4] is not None}
    if said:
        return not said.isdisjoint(verbs)
    action = context.registry.actions.get(deed.affordance)
    if action is not None:
        return not action.commands.isdisjoint(verbs)
    prop = context.registry.properties.get(deed.affordance)
    effects = [effect for verb in verbs for effect in context.effects(verb)]
    return prop is not None and any(
        effect.kind in prop.kinds and (effect.form is not Form.TO or effect.value == deed.payload) for effect in effects
    )


def _told(term: str, deed: Deed, request: Request, context: Context, now: datetime) -> str:
    at = deed.at.astimezone(now.tzinfo)
    when = f"at {at:%H:%M}" if at.date() == now.date() else f"on {at:%A, %d %B} at {at:%H:%M}"
    user = _text(context.store.select("dialogue/why_request", request=NamedNode(deed.request))[0][3])
    own = user.casefold() == (request.user or "").casefold()
    what = called(deed.affordance, deed.payload if own else without_words(deed.payload), context.registry)
    if term in (WHETHER, WHEN):
        return f"{'Yes, ' if term == WHETHER else ''}{when}: {what}.".capitalize()
    if user and not own:
        return f"Somebody else asked me for it, {when}: {what}."
    if term == WHO:
        return f"{'You did' if own and user else 'I did'}, {when}: {what}."
    return why(context.store, context.registry, deed.request)


def _text(term: Term | None) -> str:
    return "" if term is None else term.value


def _json(term: Term | None) -> Json:
    return None if term is None else python(term)  # type: ignore[return-value]
