"""The resources below `/workspaces`, each with its media types.

The server answers from here, and the hub pushes from here: pushed and read content are the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from engine.graph.terms import Json, Triple
from engine.model.thing import Property, Thing
from engine.origins.hypermedia.platform import formats, representation
from engine.origins.hypermedia.platform.addresses import ROOT, step_name
from engine.origins.hypermedia.platform.web import Web
from engine.things.description import emission, jsonld
from engine.things.description.emission import Profile

TURTLE, JSONLD, TD, JSON = "text/turtle", "application/ld+json", "application/td+json", "application/json"
SHORT: Mapping[str, str] = {"turtle": TURTLE, "jsonld": JSONLD, "td": TD, "json": JSON}
"""What `?format=` may say."""
DIALECTS: Mapping[Profile, str] = {
    Profile.W3C: "https://www.w3.org/2022/wot/td/v1.1",
    Profile.YGGDRASIL: "https://purl.org/hmas/yggdrasil",
}
"""What stands for a dialect in headers."""
Writer = Callable[[], str]


@dataclass(frozen=True, slots=True)
class Resource:
    """A resource at an address. `forms` writes it in each of its media types, the usual one first; `properties` are the
    property affordances, by IRI, whose values it includes; `up` is its container. `dialect` is that of a Thing
    Description, None for other resources."""

    address: str
    forms: Mapping[str, Writer]
    properties: frozenset[str] = field(default_factory=frozenset)
    up: str | None = None
    dialect: Profile | None = None

    def topic(self, media: str) -> str:
        """The address at which it is in this form alone: that which is subscribed to (W3C WebSub, section 4.1)."""
        asked = [] if media == next(iter(self.forms)) else [f"format={_NAMES[media]}"]
        asked += [f"profile={self.dialect.value}"] if self.dialect is Profile.YGGDRASIL else []
        return "?".join([self.address, "&".join(asked)]) if asked else self.address

    def type(self, media: str) -> str:
        """The content type of this form, with its charset and dialect."""
        charset = "; charset=utf-8" if media.startswith("text/") else ""
        dialect = f'; profile="{DIALECTS[self.dialect]}"' if self.dialect is Profile.YGGDRASIL else ""
        return media + charset + dialect


_NAMES = {media: name for name, media in SHORT.items()}


def platform(web: Web) -> Resource:
    """The platform."""
    return Resource(web.at.platform, _graph(lambda: representation.platform(web)))


def workspace(web: Web, name: str) -> Resource | None:
    """A workspace with the state of its contents; None where there is none of that name."""
    known, place = web.place(name)
    if not known:
        return None
    iri = None if place is None else place.iri
    told = frozenset(prop.iri for thing in web.things_in(iri).values() for prop in thing.properties)
    page = web.at.workspace(iri)
    return Resource(page, _graph(lambda: representation.workspace(web, place)), told, web.at.platform)


def workspace_values(web: Web, name: str) -> Resource | None:
    """The values of all that a workspace contains: by address of the artifact, then by property."""
    page = workspace(web, name)
    if page is None:
        return None
    things = web.things_in(web.names.workspaces[name]).values()
    address = f"{page.address}/properties"
    write = _json(lambda: {web.at.artifact(thing): values(web, thing) for thing in things})
    return Resource(address, write, page.properties, page.address)


def _listed_security(value: Any) -> Any:
    """A TD in which every `security` is a list, which it may be or not: consumers look for lists."""
    if isinstance(value, dict):
        found = {key: _listed_security(one) for key, one in value.items()}
        named = found.get("security")
        return found | {"security": [named]} if isinstance(named, str) else found
    return [_listed_security(one) for one in value] if isinstance(value, list) else value


def artifact(web: Web, thing: Thing, dialect: Profile = Profile.W3C) -> Resource:
    """An artifact: its description in a dialect, and its state; as a TD the description alone."""

    def said() -> tuple[Thing, list[Triple]]:
        return representation.artifact(web, thing, dialect)

    forms = {
        TURTLE: lambda: emission.turtle(*said()),
        JSONLD: lambda: formats.jsonld(said()[1]),
        TD: lambda: json.dumps(_listed_security(jsonld.document(representation.td(web, thing))), ensure_ascii=False),
    }
    return Resource(web.at.artifact(thing), forms, _told(thing), web.at.workspace(web.names.within(thing)), dialect)


def artifact_values(web: Web, thing: Thing) -> Resource:
    """The values of all properties of an artifact, as far as they are known."""
    page = web.at.artifact(thing)
    return Resource(f"{page}/properties", _json(lambda: values(web, thing)), _told(thing), page)


def value(web: Web, thing: Thing, prop: Property) -> Resource:
    """The value of a property; null where it is not known."""
    address = web.at.of_affordance(thing, prop)
    return Resource(address, _json(lambda: web.state.get(prop.iri)), frozenset((prop.iri,)), web.at.artifact(thing))


def values(web: Web, thing: Thing) -> dict[str, Json]:
    """The known values of the properties that can be read, by name."""
    readable = (prop for prop in thing.properties if not prop.schema.write_only)
    return {prop.name: web.state[prop.iri] for prop in readable if prop.iri in web.state}


def property_of(thing: Thing, name: str) -> Property | None:
    """The property that has that name in addresses, if it can be read."""
    return next((p for p in thing.properties if step_name(p) == name and not p.schema.write_only), None)


def find(web: Web, address: str) -> tuple[Resource, str] | None:
    """The resource at an address of this platform and the media type that the address stands for; None where there is
    none."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    if not address.startswith(f"{web.at.base}/") or parts.fragment:
        return None
    asked = dict(parse_qsl(parts.query))
    dialect = Profile.YGGDRASIL if asked.get("profile") == Profile.YGGDRASIL.value else Profile.W3C
    found = _at([unquote(step) for step in parts.path.split("/")[1:]], web, dialect)
    if found is None:
        return None
    media = SHORT.get(asked["format"], "") if "format" in asked else next(iter(found.forms))
    return (found, media) if media in found.forms else None


def _at(steps: list[str], web: Web, dialect: Profile) -> Resource | None:
    match steps:
        case [root] if f"/{root}" == ROOT:
            return platform(web)
        case [root, name] if f"/{root}" == ROOT:
            return workspace(web, name)
        case [root, name, "properties"] if f"/{root}" == ROOT:
            return workspace_values(web, name)
        case [root, name, "artifacts", called, *rest] if f"/{root}" == ROOT:
            thing = web.thing(name, called)
            return None if thing is None else _of(thing, rest, web, dialect)
    return None


def _of(thing: Thing, steps: list[str], web: Web, dialect: Profile) -> Resource | None:
    match steps:
        case []:
            return artifact(web, thing, dialect)
        case ["properties"]:
            return artifact_values(web, thing)
        case ["properties", name]:
            prop = property_of(thing, name)
            return None if prop is None else value(web, thing, prop)
    return None


def _told(thing: Thing) -> frozenset[str]:
    return frozenset(prop.iri for prop in thing.properties)


def _graph(write: Callable[[], list[Triple]]) -> Mapping[str, Writer]:
    return {TURTLE: lambda: formats.turtle(write()), JSONLD: lambda: formats.jsonld(write())}


def _json(write: Callable[[], Json]) -> Mapping[str, Writer]:
    return {JSON: lambda: json.dumps(write(), ensure_ascii=False)}
