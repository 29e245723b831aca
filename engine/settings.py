"""The settings: flags go before the environment (`HEARTHGRAPH_<NAME>`), that before the file, that before the defaults.

The file is TOML, one line a setting, at `HEARTHGRAPH_CONFIG` or else `config.toml` in the platform's directory for
Hearthgraph's configuration. An unknown name is an error, in the file as in the environment: a misspelt limit would
limit nothing.
"""

from __future__ import annotations

import os
import re
import tomllib
from datetime import datetime, tzinfo
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

import platformdirs
from pydantic import AnyHttpUrl, Field, SecretStr, TypeAdapter, ValidationError, ValidationInfo, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from engine.errors import SettingError
from engine.server_settings import ServerSettings, Several

PREFIX = "HEARTHGRAPH_"
CONFIG = f"{PREFIX}CONFIG"
_URL = TypeAdapter(AnyHttpUrl)
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


class Settings(ServerSettings):
    """All settings, checked and frozen. Use `load`, which turns every fault into a SettingError."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_ignore_empty=True,
        extra="forbid",
        frozen=True,
        allow_inf_nan=False,
        hide_input_in_errors=True,
        validate_default=True,
    )

    store: Path | str = Field(
        default_factory=lambda: platformdirs.user_data_path("hearthgraph", appauthor=False) / "store",
        description="The directory of the graph store, which one process owns at a time; or the address of a SPARQL "
        "server that has it, as 'https://sparql.example/home'; see docs/stores.md.",
    )
    store_query_url: str | None = Field(
        default=None, description="Where that server takes queries; none means `query` below its address."
    )
    store_update_url: str | None = Field(
        default=None, description="Where that server takes updates; none means `update` below its address."
    )
    store_graphs_url: str | None = Field(
        default=None,
        description="Where that server speaks the Graph Store Protocol; none means `store` below its address.",
    )
    store_credentials_file: Path | None = Field(
        default=None,
        description="The file of what that server asks for, TOML, readable by its owner alone; see docs/stores.md.",
    )
    store_seconds: float = Field(
        default=30.0, gt=0, description="How many seconds that server may take to answer a request."
    )
    store_mirror: bool = Field(
        default=True,
        description="Whether what is known of the home is kept in this process, too, and read there instead of on that "
        "server.",
    )
    history_length: int = Field(
        default=100, ge=0, le=1_000_000, description="How many past values of each property are kept; 0 keeps none."
    )
    history_days: int = Field(
        default=400,
        ge=0,
        le=36_500,
        description="For how many days older values are kept, thinned to one an hour, after two weeks to one a day.",
    )
    offers: bool = Field(
        default=True,
        description="Whether what somebody usually has done next is offered after a request; it is never done unasked.",
    )
    request_retention_days: int = Field(
        default=90, ge=0, description="After how many days requests, plans and runs are forgotten; 0 means never."
    )
    tick_limit: int = Field(default=100_000, ge=1, description="After how many ticks a run is stopped, done or not.")
    run_seconds: float = Field(
        default=86_400.0, gt=0, description="After how many seconds, waits included, a run is stopped, done or not."
    )
    time_zone: str = Field(
        default="", description="The home's time zone, as 'Europe/Zurich'; empty means the machine's own."
    )
    now: datetime | None = Field(
        default=None,
        description="The instant at which a simulated home starts, in ISO 8601; none means the present. Without an "
        "offset it is read in the home's time zone.",
    )
    max_text_length: int = Field(
        default=4_000, ge=1, description="How many characters a request may have; a longer one is refused unread."
    )
    experience: bool = Field(
        default=True,
        description="Whether what was carried out is remembered, and done in the same way again where it fits.",
    )
    llm_url: str | None = Field(
        default=None,
        description="The base address of an OpenAI-compatible language model, as 'http://localhost:8080/v1'; none "
        "means that no model is asked.",
    )
    llm_model: str | None = Field(default=None, description="The name of the model at that address.")
    llm_key_file: Path | None = Field(
        default=None, description="The file that holds the key for the model, and nothing else; the key is never shown."
    )
    llm_path: Literal["needed", "always"] = Field(
        default="needed",
        description="When the language model plans: 'needed', for what nothing else understands, or 'always'.",
    )
    summary: Literal["template", "model"] = Field(
        default="template",
        description="Who puts a plan that is proposed into words: 'template', or 'model', the language model, whose "
        "words are checked against the plan.",
    )
    llm_seconds: float = Field(default=30.0, gt=0, description="How many seconds a call of the model may take.")
    allowed_hosts: Several = Field(
        default=(),
        description="The hosts besides this machine that the engine may fetch from, a list or separated by commas.",
    )
    live: bool = Field(
        default=False,
        description="Whether things that have forms for HTTP are talked to; else all of the home is simulated.",
    )
    credentials_file: Path | None = Field(
        default=None,
        description="The file of what devices ask for, TOML or JSON, readable by its owner alone; see docs/http.md.",
    )
    device_seconds: float = Field(default=10.0, gt=0, description="How many seconds a device may take to answer.")
    device_bytes: int = Field(
        default=1_048_576, ge=1, description="How many bytes an answer of a device may have; a longer one is refused."
    )
    settle_seconds: float = Field(
        default=2.0, ge=0, description="How many seconds the effect of an action may take to show on a real device."
    )
    poll_seconds: float = Field(
        default=30.0, ge=0.1, description="How often a device that tells of nothing by itself is asked, in seconds."
    )
    home_assistant_url: str | None = Field(
        default=None,
        description="The address of the Home Assistant that a live home follows, as 'http://homeassistant.local:8123'; "
        "none means no one.",
    )
    home_assistant_token_file: Path | None = Field(
        default=None,
        description="The file that holds a long-lived token for it, readable by its owner alone; else the variable "
        "HOME_ASSISTANT_TOKEN has it.",
    )
    home_assistant_notify: str | None = Field(
        default=None,
        pattern=r"^[a-z0-9_]+\.[a-z0-9_]+$",
        description="The service there that tells what rules tell, as 'notify.notify'; none means that it is not told.",
    )
    notice_webhook: str | None = Field(
        default=None,
        pattern=r"^https?://",
        description="The address to which what rules tell is posted, as JSON; none means no one.",
    )
    home_assistant_name: str = Field(
        default="home", min_length=1, max_length=64, description="What it is called in the addresses of its things."
    )
    home_assistant_include: Several = Field(
        default=(),
        description="Patterns of entities, as 'light.*', that may be known although they are not exposed there.",
    )
    home_assistant_exclude: Several = Field(
        default=(), description="Patterns of entities that stay unknown although they are exposed there."
    )

    @field_validator("store", mode="before")
    @classmethod
    def _directory_or_address(cls, store: object) -> object:
        if isinstance(store, str) and _ADDRESS.match(store):
            return _keyless(store, "store_credentials_file").rstrip("/")
        return Path(store) if isinstance(store, str) else store

    @field_validator("store_query_url", "store_update_url", "store_graphs_url")
    @classmethod
    def _endpoint(cls, address: str | None) -> str | None:
        return None if address is None else _keyless(address, "store_credentials_file")

    @field_validator("store", "llm_key_file", "credentials_file", "store_credentials_file", "home_assistant_token_file")
    @classmethod
    def _at_home(cls, path: Path | str | None) -> Path | str | None:
        return path.expanduser() if isinstance(path, Path) else path

    @field_validator("time_zone")
    @classmethod
    def _known_zone(cls, name: str) -> str:
        if name:
            try:
                ZoneInfo(name)
            except (OSError, ValueError, KeyError):
                raise ValueError("no such time zone; write it as 'Europe/Zurich'") from None
        return name

    @field_validator("now")
    @classmethod
    def _in_a_zone(cls, now: datetime | None, info: ValidationInfo) -> datetime | None:
        if now is None or now.tzinfo is not None:
            return now
        name = info.data.get("time_zone", "")
        return now.replace(tzinfo=ZoneInfo(name)) if name else now.astimezone()

    @field_validator("llm_url")
    @classmethod
    def _address(cls, address: str | None) -> str | None:
        return None if address is None else _keyless(address, "llm_key_file").rstrip("/")

    @field_validator("home_assistant_url")
    @classmethod
    def _home_assistant(cls, address: str | None) -> str | None:
        return None if address is None else _keyless(address, "home_assistant_token_file").rstrip("/")

    @property
    def directory(self) -> Path:
        """The directory of the store; for a store on a server, the one for the files that this machine alone keeps
        beside it."""
        beside = platformdirs.user_data_path("hearthgraph", appauthor=False) / "beside"
        return self.store if isinstance(self.store, Path) else beside

    @property
    def zone(self) -> tzinfo:
        """The home's time zone."""
        if self.time_zone:
            return ZoneInfo(self.time_zone)
        return datetime.now().astimezone().tzinfo or ZoneInfo("UTC")

    def llm_key(self) -> SecretStr | None:
        """The key in `llm_key_file`, or None where none is named. Raises SettingError when it cannot be read."""
        if self.llm_key_file is None:
            return None
        try:
            return SecretStr(self.llm_key_file.read_text(encoding="utf-8").strip())
        except (OSError, UnicodeDecodeError) as error:
            raise SettingError(
                f"The file that llm_key_file names, {self.llm_key_file}, cannot be read.",
                remedy="Make it a readable text file, or leave the setting out.",
            ) from error

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, toml_file=config_file())


def _keyless(address: str, key_file: str) -> str:
    """An HTTP address, checked. Raises ValueError for any other, and for one that holds a key."""
    url = _URL.validate_python(address)
    if url.username or url.password:
        raise ValueError(f"an address must not hold a key; put it into the file that {key_file} names")
    return address


def config_file() -> Path:
    """Where the file of settings is looked for; it need not exist, unless `HEARTHGRAPH_CONFIG` names it."""
    named = os.environ.get(CONFIG)
    return (
        Path(named).expanduser()
        if named
        else platformdirs.user_config_path("hearthgraph", appauthor=False) / "config.toml"
    )


def load(**flags: Any) -> Settings:
    """The settings as flags, environment, file and defaults have them; a flag that is None was not given.

    Raises SettingError, which names each setting that is wrong and where it was given, and never its value.
    """
    _check_environment()
    given = {name: value for name, value in flags.items() if value is not None}
    try:
        return Settings(**given)
    except ValidationError as error:
        raise SettingError(" ".join(_fault(fault, given) for fault in error.errors())) from None
    except tomllib.TOMLDecodeError as error:
        raise SettingError(f"{config_file()} is not valid TOML: {error}.", remedy="Mend that line.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingError(f"{config_file()} cannot be read: {error}.") from None


def _check_environment() -> None:
    if os.environ.get(CONFIG) and not config_file().is_file():
        raise SettingError(f"{CONFIG} names {config_file()}, which is no file.")
    known = {CONFIG, *(PREFIX + name.upper() for name in Settings.model_fields)}
    for name in sorted(os.environ):
        if name.upper().startswith(PREFIX) and name.upper() not in known:
            raise SettingError(f"There is no setting {name}.", remedy=_nearest(name.upper(), known))


def _fault(fault: Any, flags: dict[str, Any]) -> str:
    name = str(fault["loc"][0]) if fault["loc"] else ""
    if fault["type"] == "extra_forbidden":
        hint = _nearest(name, set(Settings.model_fields))
        return f"There is no setting '{name}'{_source(name, flags)}. {hint}".strip()
    reason = str(fault["msg"]).removeprefix("Value error, ").removeprefix("Input should be ")
    return f"The setting '{name}'{_source(name, flags)} cannot be used: {reason}."


def _source(name: str, flags: dict[str, Any]) -> str:
    if name in flags:
        return ""
    variable = PREFIX + name.upper()
    return f" (in {variable})" if os.environ.get(variable) else f" (in {config_file()})"


def _nearest(name: str, known: set[str]) -> str:
    near = get_close_matches(name, sorted(known), 1)
    return f"Did you mean {near[0]}?" if near else "The settings are listed in docs/settings.md."
