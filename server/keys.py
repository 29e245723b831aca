"""The files that the server keeps beside its store: the token for writing, the key of its sessions, its address, its
copies."""

from __future__ import annotations

import json
import os
import secrets
from hmac import compare_digest
from pathlib import Path

from engine.cli.through import ADDRESS, TOKEN, beside
from engine.errors import SettingError

SESSIONS, COPIES, DUMPS, SUBSCRIPTIONS, TOKENS = "sessions", "copies", "dumps", "subscriptions.json", "oauth.json"


SHORTEST, DIFFERENT = 20, 8
"""Characters of a secret, and how many of them differ: an empty one would open everything, and one of zeros, which a
power cut may leave of a file, could be guessed."""


class Keys:
    """The secrets of one server, in files that their owner alone may read. `fresh` says that the token is new.

    Raises SettingError where the directory cannot be used, or where others may read the token."""

    def __init__(self, store: Path) -> None:
        self.folder = beside(store)
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.token, self.fresh = self._secret(TOKEN)
            self.sessions, _ = self._secret(SESSIONS)
        except OSError as error:
            raise SettingError(
                f"{self.folder} cannot be used: {error.strerror}.", remedy="Make it writable."
            ) from error
        self._code: str | None = secrets.token_urlsafe(16)

    def opens(self, token: str | None) -> bool:
        """Whether this is the token."""
        return token is not None and compare_digest(token.encode("utf-8", "replace"), self.token.encode())

    @property
    def code(self) -> str:
        """The code that signs a browser in once; empty when it has been used."""
        return self._code or ""

    def redeem(self, code: str) -> bool:
        """Whether this is the code, which is good for one time."""
        right = self._code is not None and compare_digest(code.encode("utf-8", "replace"), self._code.encode())
        if right:
            self._code = None
        return right

    def announce(self, url: str) -> None:
        """Writes where the server answers, for the command line."""
        write_secret(self.folder / ADDRESS, json.dumps({"url": url, "process": os.getpid()}))

    def withdraw(self) -> None:
        """The server answers no more."""
        (self.folder / ADDRESS).unlink(missing_ok=True)

    def _secret(self, name: str) -> tuple[str, bool]:
        path = self.folder / name
        if path.exists():
            if not path.is_file():
                raise SettingError(f"{path} is no file.", remedy="Take it away: a new one is made.")
            if path.stat().st_mode & 0o077:
                raise SettingError(f"{path} can be read by others.", remedy=f"chmod 600 {path}")
            kept = path.read_text(encoding="utf-8", errors="replace").strip()
            if len(kept) < SHORTEST or len(set(kept)) < DIFFERENT or not kept.isprintable() or "\ufffd" in kept:
                raise SettingError(
                    f"What is in {path} is too short or too plain to be a secret.",
                    remedy="Take the file away: a new one is made.",
                )
            return kept, False
        made = secrets.token_urlsafe(32)
        write_secret(path, made)
        return made, True


def write_secret(path: Path, text: str) -> None:
    """Replaces a file by one that only its owner may read."""
    partial = path.with_name(f"{path.name}.partial")
    partial.unlink(missing_ok=True)
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
