"""Why something was done, or was not: the story of a request, told from the journal by SPARQL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from engine.errors import InputError
from engine.graph.store import GraphStore
from engine.graph.terms import Json, NamedNode, Term, python
from engine.language.replies import place_name, property_name, thing_name, value_words
from engine.things.registry import Registry

MOST_LOST = 6
"""Of how many candidates that were not taken it is told why."""
_PATHS = {
    "template": "The plan was built by template, from what the ontology says of commands and their effects.",
    "signifier": "The plan was built from experience: the same affordances had served before, and their context held.",
    "model": "The plan was chosen by the language model among what was found, and checked.",
}
_FATES = {"done": "was done", "already": "was so already", "failed": "failed", "skipped": "was left out"}
Row = tuple[Term | None, ...]


def why(store: GraphStore, registry: Registry, node: str | None = None) -> str:
    """The story of a request, of one of its plans or runs, or of the last request for None, a sentence a line.

    Raises InputError where nothing of the kind is in the journal."""
    rows = store.select("dialogue/why_request", **({"node": NamedNode(_iri(node))} if node else {}))
    if not rows or rows[0][0] is None:
        raise InputError(
            f"The journal knows no request or run {node}." if node else "Nothing has been asked yet.",
            remedy="Give the IRI of a request, a plan or a run.",
            reason="no_such_request",
        )
    return "\n".join(_Story(store, registry, rows[0]).sentences())


def _iri(node: str) -> str:
    if ":" not in node or any(c in node for c in ' <>"{}|\\^`\n'):
        raise InputError(f"{node[:80]} is no IRI.", remedy="Give the IRI of a request, a plan or a run.")
    return node


def _text(term: Term | None) -> str:
    return "" if term is None else term.value


class _Story:
    """One request, told."""

    def __init__(self, store: GraphStore, registry: Registry, row: Row) -> None:
        self._store, self._registry, self._row = store, registry, row
        self._request = cast(NamedNode, row[0])
        self._steps = store.select("dialogue/why_run", request=self._request)

    def sentences(self) -> Iterator[str]:
        """What was said, understood, found, checked, planned, done and changed, in this order."""
        _, text, at, user, status = self._row
        yield f"{_text(user) or 'Somebody'} said “{_text(text)}” at {_text(at)[:16].replace('T', ' ')}."
        for intent in self._store.select("dialogue/why_intents", request=self._request):
            yield from self._intent(intent)
        yield from self._plan()
        yield from self._changes()
        yield f"So it ended: {_text(status) or 'open'}."

    def _intent(self, row: Row) -> Iterator[str]:
        intent, text, category, _, *_, status, reason, because, message = row
        yield f"“{_text(text)}” was understood as {self._meaning(row)} ({_text(category)})."
        found = [_text(one[0]) for one in self._store.select("dialogue/why_candidates", intent=cast(NamedNode, intent))]
        taken = [_text(step[3]) for step in self._steps if step[6] == intent and step[3] is not None]
        if found:
            number = "One affordance" if len(found) == 1 else f"{len(found)} affordances"
            yield f"{number} here could have served it."
            yield from self._lost([one for one in found if one not in taken], taken)
        if because is not None:
            yield f"It was chosen {because.value}."
        if reason is not None:
            yield f"It was not done as asked: {self._reason(reason.value)}"
            if _text(message).endswith("."):  # a sentence, and not only the words that it is about
                yield f"What was said of it: {_text(message)}"
        elif _text(status) == "answered":
            yield "It was answered from the state; nothing was changed."

    def _meaning(self, row: Row) -> str:
        _, _, _, operation, command, prop, variable, direction, situation, *_ = row
        name = self._registry.vocabulary.name
        if situation is not None:
            return f"the situation “{name(situation.value)}”"
        if variable is not None:
            return f"a wish for {'more' if _text(direction) == '1' else 'less'} {name(variable.value).lower()}"
        told = [name(term.value).lower() for term in (command, prop) if term is not None]
        return f"{_text(operation)} {', '.join(told)}".strip() or "nothing that is known"

    def _lost(self, lost: Sequence[str], taken: Sequence[str]) -> Iterator[str]:
        things = {self._registry.thing_of[one].iri for one in taken if one in self._registry.thing_of}
        told = [self._loss(one, things, bool(taken)) for one in lost[:MOST_LOST]]
        yield from dict.fromkeys(told)
        if len(lost) > MOST_LOST:
            yield f"{len(lost) - MOST_LOST} more were not taken either."

    def _loss(self, affordance: str, things: set[str], ran: bool) -> str:
        thing = self._registry.thing_of.get(affordance)
        name = self._affordance(affordance)
        if thing is None:
            return f"{name} is not here any more."
        if not ran:
            return f"{name} was not used."
        if thing.iri in things:
            return f"{name} was not taken, for another affordance of the same device fits better."
        places = {self._registry.things[t].place for t in things if t in self._registry.things}
        if thing.place not in places:
            where = place_name(thing.place, self._registry) or "elsewhere"
            return f"{name} was not taken, for it is in another place ({where})."
        return f"{name} was not needed."

    def _plan(self) -> Iterator[str]:
        if not self._steps:
            yield "There was no plan."
            return
        yield _PATHS.get(_text(self._steps[0][1]), "There was a plan.")
        ran = [step for step in self._steps if step[3] is not None]
        if not ran:
            yield "It was not carried out."
            return
        yield "Inputs were checked against their schemas, and what was to come of them against the policies."
        for step in ran:
            payload = cast(Json, python(cast(Term, step[4])))
            given = f" with {self._payload(payload)}" if payload else ""
            yield f"{self._affordance(_text(step[3]))}{given} {_FATES.get(_text(step[5]), _text(step[5]))}."

    def _payload(self, payload: Json) -> str:
        if isinstance(payload, dict):
            return ", ".join(f"{key.replace('_', ' ')} {value_words(value)}" for key, value in payload.items())
        return value_words(payload)

    def _changes(self) -> Iterator[str]:
        for prop, before, after in self._store.select("dialogue/why_changes", request=self._request):
            iri = _text(prop)
            if iri in self._registry.properties and before is not None and after is not None:
                name = f"{thing_name(self._registry.thing_of[iri].iri, self._registry)} "
                name += property_name(iri, self._registry)
                first, last = (value_words(cast(Json, python(term))) for term in (before, after))
                yield f"{name} went from {first} to {last}."

    def _affordance(self, iri: str) -> str:
        thing = self._registry.thing_of.get(iri)
        action = self._registry.actions.get(iri)
        name = (action.title or action.name) if action is not None else iri.rpartition("/")[2]
        return f"“{name.replace('_', ' ')}” of {thing_name(thing.iri, self._registry)}" if thing else f"“{name}”"

    def _reason(self, code: str) -> str:
        return next((_text(r[1]) for r in self._store.select("dialogue/reasons") if _text(r[0]) == code), code)
