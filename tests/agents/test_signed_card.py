"""The house's card is signed: the official kit verifies it, in both versions, and refuses one that was changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jwt
import pytest

from server.agents.signing import canonical
from tests.homes import filled
from tests.server.serving import Serving, serving

pytest.importorskip("mcp", reason="the extra agents is not installed")
pytest.importorskip("a2a", reason="a2a-sdk is not installed")
from a2a.client.card_resolver import parse_agent_card
from a2a.utils.signing import InvalidSignaturesError, create_signature_verifier

VERSIONS = ("1.0", "0.3")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(filled(tmp_path_factory.mktemp("house") / "store")) as served:
        yield served


def card(house: Serving, version: str) -> dict[str, Any]:
    answer = house.client.get("/.well-known/agent-card.json", headers={"A2A-Version": version})
    return dict(answer.json())


def verified(house: Serving, found: dict[str, Any]) -> None:
    """As the kit verifies it, with the key that the house gives at the address that the card names."""

    def key(name: str | None, address: str | None) -> Any:
        assert address == f"{house.url}/.well-known/jwks.json"
        keys = house.client.get(address).json()["keys"]
        return jwt.PyJWK(next(one for one in keys if one["kid"] == name))

    create_signature_verifier(key, ["ES256"])(parse_agent_card(json.loads(json.dumps(found))))


@pytest.mark.parametrize("version", VERSIONS)
def test_the_official_kit_verifies_the_card(house: Serving, version: str) -> None:
    verified(house, card(house, version))


@pytest.mark.parametrize("version", VERSIONS)
def test_a_card_that_was_changed_is_refused(house: Serving, version: str) -> None:
    found = card(house, version)
    interface = found["supportedInterfaces"][0] if version == "1.0" else found
    interface["url"] = "https://evil.example/a2a"
    with pytest.raises(InvalidSignaturesError):
        verified(house, found)


def test_a_card_of_0_3_is_signed_as_it_stands_too(house: Serving) -> None:
    found = card(house, "0.3")
    signature = found["signatures"][0]
    payload = jwt.utils.base64url_encode(canonical(found)).decode()
    public = jwt.PyJWK(house.client.get("/.well-known/jwks.json").json()["keys"][0])
    jwt.PyJWS().decode(f"{signature['protected']}.{payload}.{signature['signature']}", public, ["ES256"])


def test_the_key_stays_and_its_secret_stays_here(house: Serving) -> None:
    given = house.client.get("/.well-known/jwks.json").json()["keys"][0]
    assert "d" not in given
    path = house.service.keys.folder / "card.pem"
    assert path.stat().st_mode & 0o077 == 0
    assert house.service.agents.signer.public == given


def test_an_entity_tag_is_of_the_card_and_not_of_its_signature(house: Serving) -> None:
    first = house.client.get("/.well-known/agent-card.json")
    assert first.json()["signatures"] != []
    again = house.client.get("/.well-known/agent-card.json", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
