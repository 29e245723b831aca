"""A language model behind an OpenAI-compatible endpoint: JSON under a schema, counted, timed, and off by default.

https://platform.openai.com/docs/api-reference/chat: any server that speaks it will do (Ollama, vLLM, llama.cpp).
Requests go to the address in the setting `llm_url` and nowhere else; the log has counts and times, never texts.
"""

from __future__ import annotations

import json
import logging
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

from engine.errors import ModelError
from engine.settings import Settings

_log = logging.getLogger(__name__)
Message = Mapping[str, str]
MOST_CHARACTERS = 100_000
"""How long an answer may be."""
MOST_TOKENS = 600
"""How long an answer of the model may get before it is cut off."""
MOST_KEPT = 64
"""How many answers are kept."""


class Model(Protocol):
    """A model that answers messages with a JSON object."""

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> dict[str, Any]:
        """An answer under a JSON schema. Raises ModelError."""
        ...


@dataclass(slots=True)
class Usage:
    """The calls to the model so far: all, those that failed, seconds."""

    calls: int = 0
    failed: int = 0
    seconds: float = 0.0


@dataclass(slots=True)
class Client:
    """A model at an address. `usage` counts every call, also those that fail."""

    url: str
    model: str
    key: str = "none"
    seconds: float = 30.0
    usage: Usage = field(default_factory=Usage)
    _made: Any = None
    _answered: OrderedDict[str, dict[str, Any]] = field(default_factory=OrderedDict)

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> dict[str, Any]:
        """An answer under a JSON schema, at temperature 0; the very same question is not asked again (a plan that is
        consented to is made again, and must be the same). Raises ModelError: model_unavailable where there is none in
        time, model_refused where it is no JSON object."""
        asked = fingerprint(messages, schema)
        if asked not in self._answered:
            self._answered[asked] = self._called(messages, schema)
            if len(self._answered) > MOST_KEPT:
                self._answered.popitem(last=False)
        return deepcopy(self._answered[asked])

    def _called(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> dict[str, Any]:
        began = perf_counter()
        self.usage.calls += 1
        try:
            text = self._asked(messages, schema)
        except ModelError:
            self.usage.failed += 1
            raise
        finally:
            spent = perf_counter() - began
            self.usage.seconds += spent
            _log.info("language model: call %d took %.2f s", self.usage.calls, spent)
        return _object(text)

    def _asked(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> str:
        import openai  # late: most requests never need it

        form = {"type": "json_schema", "json_schema": {"name": "answer", "schema": dict(schema), "strict": True}}
        try:
            answer = self._client().chat.completions.create(
                model=self.model,
                messages=[dict(message) for message in messages],
                response_format=form,
                temperature=0,
                max_tokens=MOST_TOKENS,
                timeout=self.seconds,
            )
        except openai.OpenAIError as error:
            # The error's own text may quote what was sent: only its kind is told.
            raise ModelError(
                f"The language model at {self.url} does not answer ({type(error).__name__}).",
                remedy="See whether it runs, or leave the setting llm_url out.",
            ) from None
        return str(answer.choices[0].message.content or "") if answer.choices else ""

    def _client(self) -> Any:
        if self._made is None:
            import openai

            self._made = openai.OpenAI(base_url=self.url, api_key=self.key, max_retries=0)
        return self._made


def _object(text: str) -> dict[str, Any]:
    if len(text) <= MOST_CHARACTERS:
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, dict):
            return found
    raise ModelError(
        "The language model's answer is no JSON object.",
        remedy="Use one that keeps to a schema.",
        reason="model_refused",
    )


@dataclass(slots=True)
class Recorder:
    """A model whose answers are recorded by their messages, so that they can be replayed without it."""

    model: Model
    answers: dict[str, Any] = field(default_factory=dict)

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> dict[str, Any]:
        """As the model itself."""
        answer = self.model.complete(messages, schema)
        self.answers[fingerprint(messages, schema)] = answer
        return answer

    def write(self, path: Path) -> None:
        """Writes the recorded answers to a file."""
        path.write_text(json.dumps(self.answers, ensure_ascii=False, indent=1, sort_keys=True) + "\n", encoding="utf-8")


@dataclass(slots=True)
class Replay:
    """The answers of a file, counted like calls. Raises ModelError for messages that were never recorded."""

    answers: Mapping[str, Any]
    usage: Usage = field(default_factory=Usage)

    @classmethod
    def read(cls, path: Path) -> Replay:
        """The answers that a Recorder wrote."""
        return cls(json.loads(path.read_text(encoding="utf-8")))

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> dict[str, Any]:
        """The recorded answer to the same messages and schema."""
        self.usage.calls += 1
        answer = self.answers.get(fingerprint(messages, schema))
        if not isinstance(answer, dict):
            self.usage.failed += 1
            raise ModelError("Nobody has written down an answer to that.", remedy="Ask the model, and record it.")
        return answer


def fingerprint(messages: Sequence[Message], schema: Mapping[str, Any]) -> str:
    """A hash of messages and schema."""
    asked = json.dumps([[dict(message) for message in messages], schema], sort_keys=True, ensure_ascii=False)
    return sha256(asked.encode()).hexdigest()[:24]


def from_settings(settings: Settings) -> Client | None:
    """The model that the settings name; None where they name none. Raises SettingError for an unreadable key."""
    if settings.llm_url is None:
        return None
    key = settings.llm_key()
    return Client(
        settings.llm_url,
        settings.llm_model or "default",
        key.get_secret_value() if key is not None else "none",
        settings.llm_seconds,
    )
