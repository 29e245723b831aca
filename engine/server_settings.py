"""The settings of the server: where it listens, who may read and call it, how much of everything it gives."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Annotated, Literal

from pydantic import AnyHttpUrl, BeforeValidator, Field, TypeAdapter, field_validator
from pydantic_settings import BaseSettings, NoDecode

_URL = TypeAdapter(AnyHttpUrl)


def listed(given: object) -> object:
    """A list from a text with commas; anything else as it is."""
    return [one.strip() for one in given.split(",") if one.strip()] if isinstance(given, str) else given


Several = Annotated[tuple[str, ...], NoDecode, BeforeValidator(listed)]
"""A list, which may be given as a text with commas."""


class ServerSettings(BaseSettings):
    """Those of all settings that are about the server."""

    host: str = Field(
        default="127.0.0.1",
        description="The address that the server listens on; anything but this machine's own lets others in.",
    )
    port: int = Field(
        default=8008,
        ge=0,
        le=65_535,
        description="The port that the server listens on; 0 takes a free one.",
    )
    readers: Literal["anyone", "household"] | None = Field(
        default=None,
        description="Who may read over HTTP: 'anyone' who reaches the server, or the 'household', with the token or "
        "signed in. None means anyone where the server listens to this machine alone and has no `public_url`, else the "
        "household.",
    )
    server_names: Several = Field(
        default=(),
        description="The names besides its address by which the server may be called, a list or separated by commas.",
    )
    public_url: str | None = Field(
        default=None,
        description="The address at which others reach this server, as 'https://house.example', where a proxy stands "
        "before it: what it tells of its own addresses begins with it. None means the one that was called.",
    )
    server_threads: int = Field(
        default=24,
        ge=4,
        le=256,
        description="How many calls the server answers at the same time.",
    )
    callback_hosts: Several = Field(
        default=(),
        description="The hosts in private networks at which subscribers may be told of changes, as 'localhost' or "
        "'192.168.1.20:9000', a list or separated by commas; those in the open net may be anyway.",
    )
    open_streams: int = Field(
        default=8,
        ge=1,
        le=200,
        description="How many streams of events may be open at the same time; fewer than threads.",
    )
    body_bytes: int = Field(
        default=16_777_216,
        ge=1024,
        description="How many bytes a call of the server may bring; a larger one is refused.",
    )
    dump_bytes: int = Field(
        default=1_073_741_824,
        ge=1024,
        description="How many bytes a dump may have that is restored over HTTP with the token; it is kept on the disk "
        "beside the store meanwhile.",
    )
    calls_per_second: int = Field(
        default=1_000,
        ge=1,
        description="How many calls a second the server answers to one address; those of who is known there and of "
        "strangers count apart.",
    )
    sparql_seconds: float = Field(
        default=5.0,
        gt=0,
        description="How many seconds a query over HTTP may take; then it is stopped.",
    )
    sparql_bytes: int = Field(
        default=33_554_432,
        ge=1024,
        description="How many bytes the result of a query over HTTP may have.",
    )
    sparql_megabytes: int = Field(
        default=2_048,
        ge=1_024,
        description="How much memory a process that answers queries may use, in megabytes.",
    )
    sparql_processes: int = Field(
        default=3,
        ge=1,
        le=64,
        description="How many processes answer queries over HTTP; as many queries run at the same time.",
    )
    sparql_staleness_seconds: float = Field(
        default=1.0,
        ge=0,
        description="How old the copy may be that queries over HTTP are answered from, in seconds.",
    )
    sparql_services: Several = Field(
        default=(),
        description="The addresses that a query may call with SERVICE where it is asked with the token, a list or "
        "separated by commas.",
    )

    @field_validator("public_url")
    @classmethod
    def _public(cls, address: str | None) -> str | None:
        if address is None:
            return None
        url = _URL.validate_python(address)
        if url.path not in (None, "/") or any((url.username, url.password, url.query, url.fragment)):
            raise ValueError("write the name alone, as 'https://house.example'")
        return address.rstrip("/")

    @property
    def reading_open(self) -> bool:
        """Whether whoever reaches the server may read."""
        if self.readers is not None:
            return self.readers == "anyone"
        return self.public_url is None and _is_this_machine(self.host)


def _is_this_machine(host: str) -> bool:
    try:
        return host.lower() == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
