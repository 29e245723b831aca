"""Why something was done, or was not: the story of a request, told from the journal by SPARQL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from engine.dialogue.explaining.losses import Losing
from engine.dialogue.requests.outcomes import reason_words
from engine.errors import InputError
from engine.graph.store import GraphStore
from engine.graph.terms import Json, NamedNode, Term, expand, python
from engine.language.replies.replies import property_name, thing_name, value_words
from engine.things.registry import Registry

MOST_LOST = 8
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
    meant = store.select("dialogue/why_node", node=NamedNode(_iri(node))) if node else store.select("dialogue/why_last")
    rows = store.select("dialogue/why_request", request=meant[0]) if meant else []
    if not rows:
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


def _sentence(subject: str, says: str, other: str, words: str) -> str:
    """A sentence of the ontology with what it is about; text of a home is put in as it is, never read."""
    told = says.replace("{other}", other).replace("{words}", words.rstrip("."))
    return f"{subject} {told}".strip() + "."


class _Story:
    """One request, told."""

    def __init__(self, store: GraphStore, registry: Registry, row: Row) -> None:
        self._store, self._registry, self._row = store, registry, row
        self._request = cast(NamedNode, row[0])
        self._steps = store.select("dialogue/why_run", request=self._request)
        self._named = {_text(one[0]) for one in store.select("dialogue/why_named", request=self._request)}
        self._sentences = {_text(one[0]): _text(one[1]) for one in store.select("dialogue/why_sentences")}

    def sentences(self) -> Iterator[str]:
        """What was said, understood, found, checked, planned, done and changed, in this order."""
        _, text, at, user, status = self._row
        when = _text(at)[:16].replace("T", " ")
        rules = self._store.select("dialogue/why_rule", request=self._request)
        for _, said, due in rules:
            yield f"The rule “{_text(said)}” fired, which was due at {_text(due)[:16].replace('T', ' ')}."
        if not rules:
            yield f"{_text(user) or 'Somebody'} said “{_text(text)}” at {when}."
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
        taken = taken or [one for one in found if one in self._named]
        losses = self._losses(cast(NamedNode, intent), row, found, taken)
        if found:
            number = "One affordance" if len(found) == 1 else f"{len(found)} affordances"
            yield f"{number} here could have served it."
        yield from losses[:MOST_LOST]
        if len(losses) > MOST_LOST:
            yield f"{len(losses) - MOST_LOST} more were not taken either."
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

    def _losses(self, intent: NamedNode, row: Row, found: Sequence[str], taken: Sequence[str]) -> list[str]:
        """Why the others lost: as the journal says; else as what they are says."""
        written = self._store.select("dialogue/why_losses", intent=intent)
        about = {_text(one[0]) for one in written}
        told = [
            _sentence(self._subject(_text(lost)), _text(says), self._subject(_text(by)), _text(words))
            for lost, _, says, by, words in written
        ]
        left = [one for one in found if one not in taken and not {one, self._part(one)} & about]
        losing = Losing(self._registry, _text(row[4]), taken, asked=_text(row[9]) == "clarify")
        for one in left:
            loss = losing.loss(one)
            says = self._sentences.get(expand(f"hg:{loss.reason}"), "was not taken") if loss else "is not here any more"
            told.append(
                _sentence(self._subject(one), says, self._subject(loss.by if loss else ""), loss.words if loss else "")
            )
        return list(dict.fromkeys(told))

    def _part(self, affordance: str) -> str:
        known = self._registry.actions.get(affordance) or self._registry.properties.get(affordance)
        return known.part if known is not None else ""

    def _subject(self, iri: str) -> str:
        """An affordance or a part as a sentence names it."""
        if iri in self._registry.parts and iri not in self._registry.actions:
            return thing_name(self._registry.thing_of[iri].iri, self._registry)
        return self._affordance(iri) if iri else ""

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
        return reason_words(code, self._store)
