"""The address of a Home Assistant, and its token out of a file or the environment."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path

from engine.errors import SettingError
from engine.origins.home_assistant.client import address_of
from engine.origins.home_assistant.exposure import Exposure
from engine.origins.home_assistant.homes import HOME
from engine.settings import Settings

VARIABLE = "HOME_ASSISTANT_TOKEN"
"""The variable of the environment that may hold the token."""


@dataclass(frozen=True, slots=True)
class Access:
    """The access to a Home Assistant, the entities that may be known, and its name in IRIs."""

    url: str
    token: str = field(repr=False)
    exposure: Exposure = field(default_factory=Exposure)
    name: str = HOME
    seconds: float = 10.0


def of_settings(settings: Settings, url: str | None = None, token_file: Path | None = None) -> Access:
    """As the settings say, unless an address or a file is given. Raises SettingError, InputError."""
    address = url or settings.home_assistant_url
    if address is None:
        raise SettingError("No Home Assistant is named.", remedy="Give its address, the setting home_assistant_url.")
    address_of(address)
    return Access(
        address,
        token_of(token_file or settings.home_assistant_token_file),
        Exposure(settings.home_assistant_include, settings.home_assistant_exclude),
        settings.home_assistant_name,
        settings.device_seconds,
    )


def token_of(file: Path | None) -> str:
    """The token, from a file of its owner's alone, else from the environment. Raises SettingError."""
    if file is None:
        token = os.environ.get(VARIABLE, "").strip()
        if not token:
            raise SettingError(
                "There is no token for Home Assistant.",
                remedy=f"Name the file that holds it (home_assistant_token_file), or put it into {VARIABLE}.",
            )
        return _plain(token, VARIABLE)
    try:
        if file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise SettingError(f"Others can read {file}.", remedy=f"Make it yours alone: chmod 600 {file}.")
        return _plain(file.read_text(encoding="ascii").strip(), str(file))
    except (OSError, UnicodeDecodeError) as error:
        remedy = "Put the token into it, and nothing else."
        raise SettingError(f"{file} cannot be read as a token.", remedy=remedy) from error


def _plain(token: str, source: str) -> str:
    if not token or any(one.isspace() or not one.isprintable() for one in token):
        raise SettingError(f"{source} holds no token.", remedy="Put the token into it, and nothing else.")
    return token
