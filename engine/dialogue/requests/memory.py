"""What a conversation remembers: what was said and what came of it, and the question that is open."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from engine.dialogue.requests.carrying_on import waiting
from engine.language.meanings.past import Item, Past, Said, Turn, Undo
from engine.language.meanings.readings import Alternatives
from engine.language.talk.asking import Asked
from engine.memory.kept.offers import Offer
from engine.model.outcome import IntentOutcome, Outcome, Status
from engine.model.selection import Select
from engine.things.registry import Registry

MOST_TURNS = 16


@dataclass(slots=True)
class _Heard:
    """A request as it was understood: its goals by the IRI of their first intent."""

    request: str
    items: Mapping[str, Item]


class Memory:
    """The memory of one conversation. `past` is what words can refer to, `asked` the question that is open. `name` is
    what the conversation is called by whoever has it."""

    def __init__(self, name: str | None = None) -> None:
        self.name = name
        self.past = Past()
        self.asked: Asked | None = None
        self.offered: Offer | None = None  # what usually comes next, as it was offered
        self.beside: str | None = None  # the request whose plan waits, where something usually goes with it
        self.ruled: Alternatives = ()  # the readings of the rule that was to be made last
        self.missing: tuple[str, str] | None = None  # what nobody told, by IRI, and the request that needs it
        self._heard: _Heard | None = None
        self._noted: list[str] = []
        self._open: Outcome | None = None
        self.let_go: Callable[[], object] = lambda: None
        """Called when a plan begins that will take its time: nobody need wait for it to say something."""

    @property
    def last(self) -> str | None:
        """The request that something came of last, by IRI."""
        return self._noted[-1] if self._noted else None

    @property
    def open(self) -> Outcome | None:
        """The outcome whose question is open."""
        return self._open

    @property
    def others_ask(self) -> bool:
        """Whether the question that is open is somebody else's, who goes on when they have the answer."""
        return self.asked is not None and waiting(self._open) is not None

    @contextmanager
    def in_mind(self) -> Iterator[None]:
        """What is asked meanwhile is understood in the light of this memory, and remembered in it."""
        token = IN_MIND.set(self)
        try:
            yield
        finally:
            IN_MIND.reset(token)

    def hear(self, request: str, items: Mapping[str, Item]) -> None:
        """Notes how a request was understood; the question that was open is settled by it."""
        self._heard, self.asked = _Heard(request, dict(items)), None

    def drop(self) -> Outcome | None:
        """Forgets the question that is open, with the request that it belongs to; the outcome of that request."""
        outcome, self._open, self._heard, self.asked = self._open, None, None, None
        self.missing = None
        if outcome is not None and self._noted[-1:] == [outcome.request]:
            self.past = Past(self.past.turns[:-1])
            self._noted.pop()
        return outcome

    def note(self, outcome: Outcome, choices: Mapping[str, tuple[str, ...]], registry: Registry) -> None:
        """Notes what came of the request that was heard last: anew where it goes on after consent."""
        heard = self._heard
        if heard is None or heard.request != outcome.request:
            return
        turn = Turn(tuple(_said(heard.items, outcome, registry)), outcome.changes)
        turns = self.past.turns[:-1] if self._noted[-1:] == [outcome.request] else self.past.turns
        self._noted = [*self._noted[-MOST_TURNS:], outcome.request]
        self.past = Past((*turns, turn)[-MOST_TURNS:])
        self.asked = _question(outcome, heard.items, choices)
        self._open = outcome if self.asked is not None else None


IN_MIND: ContextVar[Memory | None] = ContextVar("IN_MIND", default=None)
"""The memory of the conversation that is under way."""


def _said(items: Mapping[str, Item], outcome: Outcome, registry: Registry) -> Iterator[Said]:
    for iri, item in items.items():
        own = [one for one in outcome.intents if _is_of(one, iri)]
        if isinstance(item, Undo) or not own or all(one.reason == "not_understood" for one in own):
            continue
        parts = dict.fromkeys(part for one in own for part in _parts(one, registry))
        kinds = dict.fromkeys(one.intent.property for one in own if one.intent.property is not None)
        yield Said(item, tuple(parts), tuple(kinds))


def _is_of(one: IntentOutcome, goal: str) -> bool:
    return one.intent.iri == goal or one.intent.iri.startswith((f"{goal}-", f"{goal}/"))


def _parts(one: IntentOutcome, registry: Registry) -> Iterator[str]:
    """The parts that an intent was bound to; where only things are known, these."""
    known = [registry.actions.get(iri) or registry.properties.get(iri) for iri in one.affordances]
    found = [affordance.part for affordance in known if affordance is not None]
    found = [part for part in found if not one.things or registry.thing_of[part].iri in one.things]
    yield from found or (part for thing in one.things for part in _of_kind(thing, one.intent.selection, registry))


def _of_kind(iri: str, select: Select, registry: Registry) -> Iterator[str]:
    """The parts of a thing that are of the classes of a selection; the thing itself, where none is."""
    thing, vocabulary = registry.things.get(iri), registry.vocabulary
    parts = thing.parts if thing is not None else ()
    meant = [p.iri for p in parts for c in select.classes if any(vocabulary.is_a(own, c) for own in p.every_class)]
    yield from dict.fromkeys(meant) or (iri,)


def _question(outcome: Outcome, items: Mapping[str, Item], choices: Mapping[str, tuple[str, ...]]) -> Asked | None:
    """The question that an outcome leaves open."""
    if outcome.status is not Status.CLARIFY:
        return None
    asked = next((one for one in outcome.intents if one.status is Status.CLARIFY), None)
    if asked is None:
        return None
    about = next((iri for iri in items if _is_of(asked, iri)), None)
    return Asked(dict(items), about, asked.intent, asked.reason or "", tuple(choices.get(asked.intent.iri, ())))
