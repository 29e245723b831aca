"""Writes replies: effects and plans, questions, and reasons of refusals, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from engine.graph.terms import Json, expand
from engine.model.intent import Intent
from engine.model.outcome import ActionResult, Change, IntentOutcome, Status
from engine.model.plan import Plan, Step
from engine.model.thing import Schema
from engine.things.registry import Registry

MOST_QUOTED, MOST_SAID = 160, 400
OF_OTHERS = frozenset(("a2a", "mcp", "utcp"))
"""The protocols of tools and agents, whose answers are told."""
_TIMES = frozenset(expand(f"hg:{unit}") for unit in ("Second", "Minute", "Hour"))


def thing_name(iri: str, registry: Registry) -> str:
    """How a person knows a thing: its title, with its room where the title does not say it."""
    thing = registry.things.get(iri)
    if thing is None:
        return iri.rpartition("/")[2].rpartition("#")[2]
    room = "" if _is_home(thing.place, registry) else place_name(thing.place, registry)
    if not room or room.casefold() in thing.title.casefold():
        return thing.title
    return f"{thing.title} ({room})"


def _is_home(place: str | None, registry: Registry) -> bool:
    """Whether a place is the home as a whole, which is not named in replies."""
    known = registry.places.get(place or "")
    return known is not None and expand("hg:Home") in known.classes


def place_name(iri: str | None, registry: Registry) -> str:
    """The name of a place, or nothing."""
    place = registry.places.get(iri or "")
    return place.name if place else ""


def value_words(value: Json) -> str:
    """A value as a person says it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list):
        return ", ".join(value_words(v) for v in value)
    return str(value).replace("_", " ")


def summary(plan: Plan, registry: Registry, outcomes: Sequence[IntentOutcome] = ()) -> str:
    """The plan in words, a phrase a step: "Kitchen lamp: brightness 40"; and the reasons for acts that were not
    named."""
    phrases = "; ".join(dict.fromkeys(_step(step, registry) for step in plan.steps))
    rules = (o.message.rstrip(".") for o in outcomes if o.status is Status.PROPOSED and o.message)
    return ", ".join([part for part in (phrases, *rules) if part] + _reasons(outcomes))


def offer(
    outcomes: Sequence[IntentOutcome], plan: Plan, words: str | None, registry: Registry, *, certain: bool
) -> str:
    """The proposal of a plan, after answers and refusals. `words` are a language model's version, if there is one;
    unless it is `certain` that nobody regrets it, the plan's own summary stands beside them."""
    told = [one.answer.text for one in outcomes if one.answer is not None]
    told += [refusal(one, registry) for one in outcomes if one.status is Status.REFUSED]
    own = f"I would do this: {plan.summary}."
    return " ".join(
        [*dict.fromkeys(told), *([] if words is None else [words]), *([own] if words is None or not certain else [])]
    )


def _reasons(outcomes: Sequence[IntentOutcome]) -> list[str]:
    return list(dict.fromkeys(o.because for o in outcomes if o.because))


def _step(step: Step, registry: Registry) -> str:
    name = thing_name(step.thing, registry)
    changes = [
        f"{property_name(iri, registry)} {value_words(value)}"
        for iri, value in step.expected
        if iri in registry.properties
    ]
    what = " and ".join(changes) or _call(step.affordance, step.payload, registry)
    return f"{name}: {what}" + (" (already so)" if step.already else "")


def _call(affordance: str, payload: Json, registry: Registry) -> str:
    """An action that changes nothing that is known, with what it is given: "move 10 cm", "tell “begun”"."""
    action = registry.actions.get(affordance)
    name = _action_name(affordance, registry)
    if action is None or action.input is None or payload in (None, {}):
        return name
    if not isinstance(payload, dict):
        return f"{name} {_given(payload, action.input, registry)}"
    told = [(key, _given(value, action.input.member(key), registry)) for key, value in payload.items()]
    return f"{name} {told[0][1] if len(told) == 1 else ', '.join(f'{_plain(key)} {one}' for key, one in told)}"


def _given(value: Json, schema: Schema | None, registry: Registry) -> str:
    """One value that is sent, with its unit; words as a quotation."""
    if isinstance(value, str) and not (schema is not None and schema.enum):
        return f"“{_short(' '.join(value.split()))}”"
    labels = registry.vocabulary.labels.get(schema.unit or "", ()) if schema is not None else ()
    unit = min(labels, key=len, default="")
    return _short(f"{value_words(value)} {unit}".strip())


def _plain(name: str) -> str:
    return name.replace("_", " ").lower()


def property_name(iri: str, registry: Registry) -> str:
    """How a person calls a property: its title or name."""
    prop = registry.properties[iri]
    return _plain(prop.title or prop.name)


def _action_name(iri: str, registry: Registry) -> str:
    action = registry.actions.get(iri)
    return _plain(action.title or action.name) if action else iri.rpartition("/")[2]


def refusal(outcome: IntentOutcome, registry: Registry) -> str:
    """Why an intent was refused, with the words or terms that it concerns."""
    intent, reason = outcome.intent, outcome.reason or ""
    sentence = _SENTENCES.get(reason, "I could not do that ({reason}).")
    if reason == "unknown_state" and intent.query is not None:
        sentence = _UNTOLD
    if reason == "no_such_command" and not (intent.selection.things or intent.selection.classes):
        sentence = _SENTENCES["nothing_can"]
    subject = _short(outcome.message or intent.subject or intent.text)
    sentence = sentence if intent.text else sentence.replace(_QUOTED, "")
    sentence = sentence if subject else sentence.replace(_SUBJECT, "that")
    return sentence.format(
        words=_short(intent.text), subject=subject, reason=reason.replace("_", " "),
        device=_what(intent, registry), place=_where(intent, registry), property=_quality(intent, registry),
    )  # fmt: skip


def _short(words: str) -> str:
    """Words as they are quoted: not more than a person reads."""
    return words if len(words) <= MOST_QUOTED else f"{words[:MOST_QUOTED]}…"


_SENTENCES = {
    "no_such_room": "I know no place called “{subject}” here.",
    "no_such_device": "There is no {device}{place}.",
    "no_such_property": "The {device}{place} has no {property}.",
    "no_such_command": "The {device}{place} cannot do that: “{words}”.",
    "nothing_can": "Nothing{place} can do that: “{words}”.",
    "no_such_agent": "There is nobody called “{subject}” here whom I could tell that, so I did nothing about it.",
    "not_understood": "I did not understand “{subject}”.",
    "value_out_of_range": "That is out of range: {subject}",
    "invalid_value": "That value does not exist there: {subject}",
    "wrong_type": "That value does not fit: {subject}",
    "nothing_to_do": "I left it as it is: “{words}”.",
    "nothing_to_undo": "There is nothing that I could undo.",
    "not_supported_yet": "I cannot do that yet: “{words}”.",
    "policy_violation": "{subject}",
    "past_time": "That time is over: “{words}”.",
    "no_such_rule": "{subject}",
    "endless": "{subject}",
    "no_such_event": "Nothing here can tell that: “{subject}”.",
    "model_refused": "{subject}",
    "model_unavailable": "{subject}",
    "unknown_state": "I do not know how it is now, so I cannot change it by an amount: {subject}",
}
_QUOTED = ": “{words}”"
_SUBJECT = "“{subject}”"
_UNTOLD = "Nothing here tells that: “{words}”."


def _what(intent: Intent, registry: Registry) -> str:
    if intent.fault == "no_such_device" and intent.subject:
        return f"“{_short(intent.subject)}”"
    select = intent.selection
    if select.things:
        return thing_name(select.things[0], registry)
    if select.classes:
        return registry.vocabulary.name(select.classes[0])
    return f"device with {_quality(intent, registry)}" if intent.property else "device"


def _where(intent: Intent, registry: Registry) -> str:
    names = [place_name(p, registry) for p in intent.selection.places[:3]]
    return f" in the {' or '.join(n for n in names if n)}" if any(names) else " here"


def _quality(intent: Intent, registry: Registry) -> str:
    return registry.vocabulary.name(intent.property) if intent.property else "such setting"


def question(outcome: IntentOutcome, choices: Sequence[str], registry: Registry) -> str:
    """One short question, with the choices."""
    if outcome.reason == "missing_time":
        return "At what time?"
    wanted = registry.vocabulary.kinds.get(outcome.intent.subject or "")
    if outcome.reason == "missing_value" and wanted is not None:
        name = registry.vocabulary.name(wanted.iri)
        return "For how long?" if wanted.unit in _TIMES else f"What shall the {name} be?"
    if outcome.reason == "missing_value":
        select = outcome.intent.selection
        of = f" of the {_what(outcome.intent, registry)}" if select.things or select.classes else ""
        return f"To what should I set the {_quality(outcome.intent, registry)}{of}?"
    names = [_choice(iri, outcome.reason or "", registry) for iri in choices]
    names = list(dict.fromkeys(names))
    asked = "Which room do you mean" if outcome.reason == "ambiguous_room" else "Which one do you mean"
    shown = names if len(names) <= 6 else [*names[:6], f"{len(names) - 6} more"]
    return f"{asked}: {', '.join(shown[:-1])} or {shown[-1]}?" if len(shown) > 1 else f"{asked}?"


def _choice(iri: str, reason: str, registry: Registry) -> str:
    thing = registry.thing_of.get(iri)
    if thing is None:
        return place_name(iri, registry) or iri
    if reason == "ambiguous_room":
        return place_name(thing.place, registry) or thing.title
    part = registry.parts.get(iri)
    return f"{thing_name(thing.iri, registry)} {part.path}".strip() if part else thing_name(thing.iri, registry)


def report(
    intents: Sequence[IntentOutcome], actions: Sequence[ActionResult], changes: Sequence[Change], registry: Registry
) -> str:
    """The report on all outcomes, in a few sentences."""
    sentences = [o.answer.text for o in intents if o.answer is not None]
    if changes:
        told = "; ".join(_change(c, registry) for c in changes[:12])
        sentences.append(f"Done: {', '.join([told, *_reasons(intents)])}.")
    elif done := [a for a in actions if a.outcome == "done"]:
        told = "; ".join(dict.fromkeys(called(a.affordance, a.payload, registry) for a in done[:12]))
        sentences.append(f"Done: {told}.")
    elif any(a.outcome == "already" for a in actions):
        sentences.append("It is so already.")
    sentences += [told for a in actions if a.outcome == "done" and (told := _said_there(a, registry))]
    sentences += [
        f"{thing_name(a.artifact, registry)} failed: {a.message or a.outcome}".rstrip(".") + "."
        for a in actions
        if a.outcome == "failed"
    ]
    failed = {a.intent for a in actions if a.outcome == "failed"}
    sentences += [
        f"“{o.intent.text}”: {o.message}"
        for o in intents
        if o.status in (Status.FAILED, Status.PARTIAL) and o.intent.iri not in failed and o.message
    ]
    sentences += [o.message for o in intents if o.status is Status.SCHEDULED and o.message]
    sentences += [refusal(o, registry) for o in intents if o.status is Status.REFUSED]
    return " ".join(dict.fromkeys(sentences)) or "There was nothing to do."


def called(affordance: str, payload: Json, registry: Registry) -> str:
    """An affordance that was used, with what it was given: "robot move 10 cm", "lamp brightness 30"."""
    thing = registry.thing_of.get(affordance)
    name = f"{thing_name(thing.iri, registry)} " if thing is not None else ""
    if affordance in registry.properties:
        return f"{name}{property_name(affordance, registry)} {value_words(payload)}"
    return f"{name}{_call(affordance, payload, registry)}"


def without_words(payload: Json) -> Json:
    """What was given but for texts: what somebody had told to others is theirs."""
    if isinstance(payload, dict):
        return {key: value for key, value in payload.items() if not isinstance(value, str)}
    return None if isinstance(payload, str) else payload


def _said_there(action: ActionResult, registry: Registry) -> str:
    """The answer of another's tool or agent, as their words; "" for a device."""
    found = registry.actions.get(action.affordance)
    if found is None or not isinstance(action.output, str | int | float) or isinstance(action.output, bool):
        return ""
    said = " ".join(str(action.output).split())
    if not said or not any(form.subprotocol in OF_OTHERS for form in found.forms):
        return ""
    return f"The {thing_name(action.artifact, registry)} says: “{said[:MOST_SAID]}{'…' if said[MOST_SAID:] else ''}”"


def _change(change: Change, registry: Registry) -> str:
    name = thing_name(change.artifact, registry)
    return f"{name} {property_name(change.property, registry)} {value_words(change.after)}"
