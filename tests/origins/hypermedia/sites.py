"""A web of linked things on loopback, in the layout of the HMAS papers, whose every page does as a test says."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from secrets import token_urlsafe
from urllib.parse import parse_qsl

import httpx

from tests.environment import http_servers
from tests.environment.http_servers import Handler, Server

PREFIXES = """
@prefix td: <https://www.w3.org/2019/wot/td#> .
@prefix hctl: <https://www.w3.org/2019/wot/hypermedia#> .
@prefix htv: <http://www.w3.org/2011/http#> .
@prefix js: <https://www.w3.org/2019/wot/json-schema#> .
@prefix wotsec: <https://www.w3.org/2019/wot/security#> .
@prefix hmas: <https://purl.org/hmas/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix hg: <https://w3id.org/hearthgraph#> .
"""
TURTLE = "text/turtle"


@dataclass
class Lamp:
    """An artifact of a site: a light with two properties and three actions."""

    name: str
    title: str
    power: bool = False
    brightness: int = 0
    more: str = ""


@dataclass
class Site:
    """A platform with workspaces of lamps. Its pages are made anew at each call, with a tag made of what they say."""

    server: Server
    workspaces: dict[str, dict[str, Lamp]] = field(default_factory=dict)
    hub: str = ""

    @property
    def url(self) -> str:
        return self.server.url

    @property
    def platform(self) -> str:
        return f"{self.url}/workspaces"

    def artifact(self, workspace: str, name: str) -> str:
        return f"{self.platform}/{workspace}/artifacts/{name}"

    def iri(self, workspace: str, name: str) -> str:
        return f"{self.artifact(workspace, name)}#artifact"

    def property(self, workspace: str, name: str, prop: str) -> str:
        return f"{self.artifact(workspace, name)}#properties/{prop}"

    def add(self, workspace: str, *lamps: Lamp) -> None:
        """Adds lamps to a workspace, and serves what that needs."""
        self.workspaces.setdefault(workspace, {}).update({lamp.name: lamp for lamp in lamps})
        self.serve()

    def remove(self, workspace: str, name: str) -> None:
        del self.workspaces[workspace][name]
        del self.server.routes["GET", f"/workspaces/{workspace}/artifacts/{name}"]

    def serve(self) -> None:
        """Routes for all there is."""
        self.page("/workspaces", self._platform)
        for workspace, lamps in self.workspaces.items():
            self.page(f"/workspaces/{workspace}", lambda w=workspace: self._workspace(w))
            for name in lamps:
                base = f"/workspaces/{workspace}/artifacts/{name}"
                self.page(base, lambda w=workspace, n=name: self.described(w, n))
                self.server.route("GET", f"{base}/properties", lambda h, w=workspace, n=name: self._all(h, w, n))
                for prop, path in (("power", "power"), ("brightness", "b")):
                    one = lambda h, w=workspace, n=name, p=prop: h.answer(getattr(self.workspaces[w][n], p))  # noqa: E731
                    self.server.route("GET", f"{base}/properties/{path}", one)
                for action in ("turn_on", "turn_off", "set_brightness"):
                    act = lambda h, w=workspace, n=name, a=action: self._act(h, w, n, a)  # noqa: E731
                    self.server.route("POST", f"{base}/actions/{action}", act)

    def page(self, path: str, text: object) -> None:
        """Serves Turtle that is made at each call, with its tag, and with the links of a topic where there is a hub."""

        def answer(handler: Handler) -> None:
            body = (PREFIXES + text()).encode()  # type: ignore[operator]
            tag = f'"{hashlib.sha1(body).hexdigest()}"'
            head = {"ETag": tag}
            if self.hub:
                head["Link"] = f'<{self.hub}>; rel="hub", <{self.url}{path}>; rel="self"'
            if handler.headers.get("If-None-Match") == tag:
                handler.answer(status=304, kind="", **head)
            else:
                handler.answer(body, kind=TURTLE, **head)

        self.server.route("GET", path, answer)

    def _platform(self) -> str:
        hosted = "".join(
            f"<workspaces#platform> hmas:hosts <workspaces/{name}#workspace> ."
            f"<workspaces/{name}#workspace> a hmas:Workspace .\n"
            for name in self.workspaces
        )
        return (
            f"@base <{self.url}/> .\n<workspaces> a hmas:ResourceProfile ; hmas:isProfileOf <workspaces#platform> .\n"
            f'<workspaces#platform> a hmas:HypermediaMASPlatform ; rdfs:label "Site" .\n{hosted}'
        )

    def _workspace(self, name: str) -> str:
        state = "".join(
            f"<{self.property(name, lamp.name, 'power')}> hg:value {str(lamp.power).lower()} . "
            f"<{self.property(name, lamp.name, 'brightness')}> hg:value {lamp.brightness} .\n"
            for lamp in self.workspaces[name].values()
        )
        contained = state + "".join(
            f"<#workspace> hmas:contains <{self.iri(name, lamp)}> . <{self.iri(name, lamp)}> a hmas:Artifact .\n"
            for lamp in self.workspaces[name]
        )
        return (
            f"@base <{self.platform}/{name}> .\n<> a hmas:ResourceProfile ; hmas:isProfileOf <#workspace> .\n"
            f'<#workspace> a hmas:Workspace ; rdfs:label "{name}" .\n{contained}'
        )

    def described(self, workspace: str, name: str) -> str:
        """The description of a lamp."""
        lamp, page = self.workspaces[workspace][name], self.artifact(workspace, name)
        together = f"td:hasForm [ hctl:hasTarget <{page}/properties> ; hctl:hasOperationType td:readAllProperties ]"
        power = f'"power" ; td:isObservable true ; td:hasForm [ hctl:hasTarget <{page}/properties/power> ]'
        level = f'"brightness" ; js:minimum 0 ; js:maximum 100 ; td:hasForm [ hctl:hasTarget <{page}/properties/b> ]'
        return f"""@base <{page}> .
<> a hmas:ResourceProfile ; hmas:isProfileOf <#artifact> .
<#artifact> a hmas:Artifact, td:Thing, hg:Light ; td:title "{lamp.title}" ; td:hasSecurityConfiguration "nosec_sc" ;
  {together} ;
  td:hasPropertyAffordance [ a td:PropertyAffordance, js:BooleanSchema, hg:Power ; td:name {power} ] ;
  td:hasPropertyAffordance [ a td:PropertyAffordance, js:IntegerSchema, hg:Brightness ; td:name {level} ] ;
  td:hasActionAffordance [ a td:ActionAffordance, hg:TurnOn ; td:name "turn_on" ;
    td:hasForm [ hctl:hasTarget <{page}/actions/turn_on> ] ] ;
  td:hasActionAffordance [ a td:ActionAffordance, hg:TurnOff ; td:name "turn_off" ;
    td:hasForm [ hctl:hasTarget <{page}/actions/turn_off> ] ] ;
  td:hasActionAffordance [ a td:ActionAffordance, hg:SetBrightness ; td:name "set_brightness" ;
    td:hasInputSchema [ a js:ObjectSchema ; js:required "brightness" ;
      js:properties [ a js:IntegerSchema ; js:propertyName "brightness" ; js:minimum 0 ; js:maximum 100 ] ] ;
    td:hasForm [ hctl:hasTarget <{page}/actions/set_brightness> ] ] .
<#properties/power> hg:value {str(lamp.power).lower()} . <#properties/brightness> hg:value {lamp.brightness} .
{lamp.more}"""

    def _all(self, handler: Handler, workspace: str, name: str) -> None:
        lamp = self.workspaces[workspace][name]
        handler.answer({"power": lamp.power, "brightness": lamp.brightness})

    def _act(self, handler: Handler, workspace: str, name: str, action: str) -> None:
        lamp = self.workspaces[workspace][name]
        if action == "set_brightness":
            lamp.brightness = json.loads(self.server.seen[-1].body)["brightness"]
        lamp.power = action != "turn_off"
        handler.answer(status=204, kind="")


@contextmanager
def serving() -> Iterator[Site]:
    """A site without workspaces, on a port of its own."""
    with http_servers.serving() as server:
        yield Site(server)


@dataclass
class Hub:
    """The hub of a site, which verifies what it is asked for and tells what it is told to tell."""

    site: Site
    lease: int = 3600
    silent: bool = False
    asked: list[dict[str, str]] = field(default_factory=list)
    verified: dict[str, dict[str, str]] = field(default_factory=dict)
    answers: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.site.hub = f"{self.site.url}/hub"
        self.site.server.route("POST", "/hub", self._accept)

    def _accept(self, handler: Handler) -> None:
        said = dict(parse_qsl(self.site.server.seen[-1].body.decode()))
        self.asked.append(said)
        handler.answer(status=202, kind="")
        if not self.silent:
            threading.Thread(target=self._ask_back, args=(said,), daemon=True).start()

    def _ask_back(self, said: dict[str, str]) -> None:
        with suppress(httpx.HTTPError):  # it has gone meanwhile
            self.verify(said)

    def verify(self, said: dict[str, str], **more: str) -> httpx.Response:
        """Asks the subscriber whether it meant it."""
        asked = {"hub.mode": said["hub.mode"], "hub.topic": said["hub.topic"], "hub.challenge": token_urlsafe(8)}
        asked |= {"hub.lease_seconds": str(self.lease)} | more
        answer = httpx.get(said["hub.callback"], params=asked, timeout=30)
        if answer.is_success and answer.text == asked["hub.challenge"]:
            if said["hub.mode"] == "subscribe":
                self.verified[said["hub.topic"]] = said
            else:
                self.verified.pop(said["hub.topic"], None)
        return answer

    def tell(self, topic: str, secret: str | None = None, body: bytes | None = None, method: str = "sha256") -> int:
        """Tells the subscriber of a topic what is there now; signed with `secret` where it is another."""
        said = self.verified[topic]
        content = httpx.get(topic).content if body is None else body
        mark = hmac.new((secret or said["hub.secret"]).encode(), content, getattr(hashlib, method)).hexdigest()
        head = {
            "Content-Type": TURTLE,
            "Link": f'<{self.site.hub}>; rel="hub", <{topic}>; rel="self"',
            "X-Hub-Signature": f"{method}={mark}",
        }
        status = httpx.post(said["hub.callback"], content=content, headers=head, timeout=30).status_code
        self.answers.append(status)
        return status
