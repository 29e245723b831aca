"""What came of giving a name, as an intent and an outcome like any other."""

from __future__ import annotations

from engine.language.replies.replies import thing_name
from engine.language.talk.naming import RENAME, Naming
from engine.model.intent import Intent, Operation
from engine.model.outcome import IntentOutcome, Outcome, Status
from engine.model.selection import Select
from engine.things.registry import Registry
from engine.things.reserved import is_reserved, reserved


def name_intent(iri: str, text: str, naming: Naming, registry: Registry) -> Intent:
    """The intent of giving a name; at fault where it is not clear what gets it, and where it could not be heard."""
    fault = None if len(naming.things) == 1 else "ambiguous_device" if naming.things else "no_such_device"
    if fault is None and is_reserved(naming.name, reserved(registry.store)):
        fault = "invalid_value"
    select = Select(things=naming.things)
    return Intent(
        iri, text, operation=Operation.INVOKE, selection=select, command=RENAME, fault=fault, subject=naming.named
    )


def naming_outcome(request: str, intent: Intent, naming: Naming, registry: Registry) -> Outcome:
    """The outcome of giving a name, or why it was not given."""
    if intent.fault == "no_such_device":
        reply = f"I know no “{naming.named}” to name."
    elif intent.fault == "invalid_value":
        reply = f"I could not tell “{naming.name}” from what is said to me. Give another name, please."
    elif intent.fault is not None:
        reply = f"Which one shall I call “{naming.name}”? Name it, please."
    else:
        reply = f"I call the {thing_name(naming.things[0], registry)} “{naming.name}” as well, from now on."
    status = Status.DONE if intent.fault is None else Status.REFUSED
    one = IntentOutcome(intent, status, intent.fault, things=naming.things if intent.fault is None else ())
    return Outcome(request, intent.text, status, (one,), reason=intent.fault, reply=reply)
