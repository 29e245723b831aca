"""The signature of the house's card, by a key of its own: JWS over the canonical form, of version 1.0 and of 0.3.

https://a2a-protocol.org/latest/specification/ , section 8.4; RFC 7515, RFC 7517, RFC 8785
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from functools import cached_property
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from server.keys import write_secret

ALGORITHM = "ES256"
KEY = "card.pem"


class Signer:
    """The key that signs; made when it is first needed, and kept in a file of its owner's alone."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / KEY

    @cached_property
    def able(self) -> bool:
        """Whether the packages that sign cards are installed."""
        return find_spec("jwt") is not None and find_spec("cryptography") is not None

    @cached_property
    def _key(self) -> Any:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ec

        if self._path.exists():
            return serialization.load_pem_private_key(self._path.read_bytes(), None)
        made = ec.generate_private_key(ec.SECP256R1())
        form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        write_secret(self._path, made.private_bytes(*form).decode())
        return made

    @cached_property
    def public(self) -> dict[str, Any]:
        """The public key as a JSON Web Key; it is named by its own thumbprint (RFC 7638)."""
        from jwt.algorithms import ECAlgorithm

        found = json.loads(ECAlgorithm.to_jwk(self._key.public_key()))
        needed = {name: found[name] for name in ("crv", "kty", "x", "y")}
        print_of = base64.urlsafe_b64encode(sha256(canonical(needed)).digest()).rstrip(b"=").decode()
        return {**needed, "kid": print_of, "alg": ALGORITHM, "use": "sig"}

    def signature(self, card: Mapping[str, Any], keys: str) -> dict[str, str]:
        """The signature of a card; `keys` is the address at which the public key can be had."""
        from jwt.api_jws import PyJWS

        said = {"kid": self.public["kid"], "jku": keys, "typ": "JOSE"}
        whole = PyJWS().encode(canonical(card), self._key, ALGORITHM, said)
        protected, _, mark = whole.split(".")
        return {"protected": protected, "signature": mark}


def canonical(card: Mapping[str, Any]) -> bytes:
    """The bytes of a card that are signed: without signatures and empty members, members in order, no whitespace."""
    kept = _filled({name: value for name, value in card.items() if name != "signatures"})
    return json.dumps(kept, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def _filled(value: Any) -> Any:
    """The value without empty texts, lists and objects within; None for one that is empty."""
    if isinstance(value, dict):
        members = {name: found for name, one in value.items() if (found := _filled(one)) is not None}
        return members or None
    if isinstance(value, list):
        return [found for one in value if (found := _filled(one)) is not None] or None
    return None if value == "" else value
