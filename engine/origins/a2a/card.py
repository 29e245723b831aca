"""An agent's card as offers with signifiers, one a skill (Agentic Web, section 3.1, Listings 5 and 9).

https://a2a-protocol.org/latest/specification/ (1.0) and 0.3, over JSON-RPC
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from engine.environment.asked import plain
from engine.errors import InputError
from engine.graph.terms import Json
from engine.model.exposure import SKILL, Artifact, Exposed, Offer

KIND = "a2a"
CARD = "/.well-known/agent-card.json"
NEW, OLD = "1.0", "0.3"
MOST = 200
_KINDS = {"text": '"text" and its value is a string', "data": '"data" and its value is a JSON object'}


def card_address(endpoint: str) -> str:
    """Where the card of the agent at an address is; an address of a card is itself."""
    parts = urlsplit(endpoint)
    if parts.path.endswith(".json"):
        return endpoint
    return urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/") + CARD, "", ""))


def artifact(name: str, endpoint: str, card: Any, tag: str = "", seconds: float = 0.0) -> Artifact:
    """An agent as an artifact. Raises InputError for what is no card, or of a binding that is not spoken here."""
    if not isinstance(card, dict) or not isinstance(card.get("skills"), list):
        raise InputError("This is no agent card.", remedy="Give the address of an A2A agent.")
    url, version = _interface(card)
    title = plain(card.get("name")) or name
    able = card.get("capabilities")
    streams = isinstance(able, dict) and able.get("streaming") is True
    facts: dict[str, Json] = {"url": url, "version": version, "streaming": streams}
    modes = _modes(card.get("defaultInputModes"))
    offers = {offer.name: offer for one in card["skills"][:MOST] for offer in _offers(name, one, modes, url, version)}
    about = plain(card.get("description"))
    return Artifact(name, KIND, endpoint, title, tuple(offers.values()), about, seconds, tag, facts=facts)


def _interface(card: Mapping[str, Any]) -> tuple[str, str]:
    """Where the agent is spoken to over JSON-RPC, and in which version."""
    said = [one for one in card.get("supportedInterfaces") or [] if isinstance(one, dict)]
    spoken = [one for one in said if one.get("protocolBinding") == "JSONRPC"]
    found = [(str(one.get("url", "")), str(one.get("protocolVersion", NEW))) for one in spoken]
    if isinstance(card.get("url"), str) and card.get("preferredTransport", "JSONRPC") == "JSONRPC":
        found.append((card["url"], str(card.get("protocolVersion", OLD))))
    for url, version in sorted(found, key=lambda one: not one[1].startswith("1.")):
        if url.startswith(("http://", "https://")):
            return url, NEW if version.startswith("1.") else OLD
    raise InputError("The agent cannot be spoken to over JSON-RPC.", remedy="Ask for that binding.")


def _modes(given: object) -> list[str]:
    """The modes of a card as the kinds of parts: media types of text and JSON stand for them, too."""
    found = [str(one) for one in given] if isinstance(given, list) else []
    plain_kinds = {"text/plain": "text", "application/json": "data"}
    return list(dict.fromkeys(plain_kinds.get(one, one) for one in found)) or ["text"]


def _offers(name: str, skill: Any, modes: list[str], url: str, version: str) -> Iterator[Offer]:
    own = plain(skill.get("id")) if isinstance(skill, dict) else ""
    if own:
        about, title = plain(skill.get("description")), plain(skill.get("name")) or own
        kinds = _modes(skill.get("inputModes")) if skill.get("inputModes") else modes
        exposed = exposed_skill(f"{name}_{title}", about, url, kinds, version)
        text = {"type": "string", "title": "message", "description": "What to say to the agent."}
        given: dict[str, Any] = {"type": "object", "properties": {"message": text}, "required": ["message"]}
        call: dict[str, Json] = {"skill": own, "modes": list(kinds)}
        yield Offer(SKILL, own, title, about, exposed, given, None, call)


def exposed_skill(label: str, about: str, url: str, modes: list[str], version: str) -> Exposed:
    """The signifier of a skill: a message that is sent over JSON-RPC, of which the parts are left to choose."""
    old = version == OLD
    said = ", ".join(f'"{mode}"' for mode in modes)
    each = "each element is a JSON object"
    told = f"A JSON array; {each}" + (f' whose "kind" is one of {said}.' if old else f" with one of {said}.")
    told += "".join(f" Of {mode} the field is {_KINDS[mode]}." for mode in modes if mode in _KINDS)
    message = {
        "type": "object",
        "properties": {
            "messageId": {"type": "string", "$comment": "What names the message."},
            "parts": {"type": "array", "minItems": 1, "maxItems": 1, "description": told},
            "role": {"type": "string", "const": "user" if old else "ROLE_USER"},
        },
        "required": ["parts", "role"],
        "additionalProperties": False,
    }
    params = {"type": "object", "properties": {"message": message}, "required": ["message"]}
    body: dict[str, Any] = {
        "type": "object",
        "properties": {
            "id": {"type": ["null", "number", "string"]},
            "jsonrpc": {"type": "string", "const": "2.0"},
            "method": {"type": "string", "const": "message/send" if old else "SendMessage"},
            "params": {**params, "additionalProperties": False},
        },
        "required": ["id", "jsonrpc", "method", "params"],
        "additionalProperties": False,
    }
    headers = () if old else (("A2A-Version", NEW),)
    return Exposed(label, about, url, headers=headers, schema=body)
