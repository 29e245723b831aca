"""Says what can be said, by examples for the things of this home (`ontology/words/help.ttl`)."""

from __future__ import annotations

from collections import Counter

from engine.language.meanings.context import Context
from engine.language.replies.replies import place_name
from engine.model.thing import Thing

_SAID = "Tell me what you want in your own words"
_ALSO = "Ask me “why?” when something surprises you, say “undo that” to take it back, and tell me what you like."


def help_of(context: Context) -> str:
    """What can be said here, in a few sentences: an example of each kind that the ontology has for a thing here."""
    shown = []
    for words, cls in context.store.select("dialogue/help"):
        thing = _plainest(cls.value, context) if cls is not None else None
        if words is not None and thing is not None:
            place = place_name(thing.place, context.registry)
            shown.append(f"“{words.value.replace('{name}', thing.title).replace('{place}', place)}”")
    return " ".join([f"{_SAID}: {', '.join(shown)}." if shown else f"{_SAID}.", _ALSO])


def _plainest(cls: str, context: Context) -> Thing | None:
    """The first thing of a class by its name, of those in a room whose name no other has; None where there is none."""
    registry = context.registry
    names = Counter(thing.title.casefold() for thing in registry.things.values())
    own = (thing for thing in registry.things.values() if names[thing.title.casefold()] == 1 and thing.place)
    meant = (t for t in own if any(registry.vocabulary.is_a(c, cls) for c in registry.parts[t.iri].every_class))
    return min(meant, key=lambda thing: (thing.title.casefold(), thing.iri), default=None)
