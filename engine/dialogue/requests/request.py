"""What is asked of the assistant: the words, who says them and where, what is consented to, and who plans and tells."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine.errors import InputError

MODEL, TEMPLATE = "model", "template"


class Consent(Enum):
    """What the person has agreed to beforehand."""

    PLAN = "plan"  # nothing runs; a plan is all that is wanted
    ASK = "ask"  # the plan is proposed and waits for consent by its id
    YES = "yes"  # runs, but what a person would regret is asked about
    ALL = "all"  # runs, whatever it is


@dataclass(frozen=True, slots=True)
class Manner:
    """What one request wants otherwise than the settings have it: `path` "model" has the language model plan it,
    `summary` ("model" or "template") says who puts the plan into words. None is as the settings have it. `rules_wait`:
    rules, too, are made and changed only after consent, as for who acts for others."""

    path: str | None = None
    summary: str | None = None
    rules_wait: bool = False

    def __post_init__(self) -> None:
        """Raises InputError for a value that is none of these."""
        if self.path not in (None, MODEL):
            raise InputError("path is model, or left out.", remedy="Leave it out to plan as the settings have it.")
        if self.summary not in (None, MODEL, TEMPLATE):
            raise InputError("summary is one of model, template.", remedy="Leave it out, as the settings have it.")

    @property
    def needs_model(self) -> bool:
        """Whether it can only be had with a language model."""
        return MODEL in (self.path, self.summary)


AS_SET = Manner()
"""As the settings have it."""


@dataclass(frozen=True, slots=True)
class Request:
    """What was said, by whom and where. `location` is a place IRI; `iri` names the request in the journal; `memory` are
    sentences that are known of the person beforehand; `called` is the client's own name for it;
    `spelt`: the engine wrote out in the text what memory knows."""

    text: str
    iri: str
    user: str | None = None
    location: str | None = None
    memory: tuple[str, ...] = ()
    manner: Manner = AS_SET
    called: str | None = None
    spelt: bool = False
