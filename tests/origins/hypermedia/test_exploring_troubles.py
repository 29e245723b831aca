"""Exploring what is broken, slow, lying or hostile: it is told, and the rest comes in."""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable

import pytest

from engine.environment.binding import Call, Operation
from engine.errors import BindingError
from engine.hearthgraph import Hearthgraph
from engine.origins.hypermedia.crawl.frontier import Limits
from engine.settings import load
from tests.environment.http_servers import Handler
from tests.origins.hypermedia.sites import PREFIXES, TURTLE, Lamp, Site

LAMP = "/workspaces/lab/artifacts/desk"
HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/turtle\r\n"


@pytest.fixture
def lab(site: Site) -> Site:
    site.add("lab", Lamp("desk", "Desk lamp"), Lamp("ceiling", "Ceiling light"))
    return site


def _endless(handler: Handler) -> None:
    handler.raw(f"{HEAD}Transfer-Encoding: chunked\r\n\r\n".encode())
    chunk = b"10000\r\n" + b"#" * 65536 + b"\r\n"
    while not handler.server.stopping.is_set():
        handler.wfile.write(chunk)


def _drip(handler: Handler) -> None:
    handler.raw(f"{HEAD}Content-Length: 100000\r\n\r\n".encode())
    while not handler.server.stopping.wait(0.05):
        handler.wfile.write(b"#")
        handler.wfile.flush()


def _bomb(handler: Handler) -> None:
    handler.answer(gzip.compress(b"#" * 50_000_000), kind=TURTLE, Content_Encoding="gzip")


FAULTS: dict[str, tuple[Callable[[Handler], object], str]] = {
    "it is gone": (lambda h: h.answer(status=404), "no_such_thing"),
    "its server fails": (lambda h: h.answer(status=500), "device_failed"),
    "it wants a password": (lambda h: h.answer(status=401), "unauthorized"),
    "it says it is HTML": (lambda h: h.answer(b"<p>Hello</p>", kind="text/html"), "bad_answer"),
    "it has no type": (lambda h: h.answer(b"<a> <b> <c> .", kind=""), "bad_answer"),
    "it says it is Turtle and is not": (lambda h: h.answer(b"{'this': is not}", kind=TURTLE), "bad_syntax"),
    "it says it is JSON and is not": (lambda h: h.answer(b"<a> <b> <c> .", kind="application/td+json"), "bad_syntax"),
    "it is no TD": (lambda h: h.answer({"@context": "https://www.w3.org/2022/wot/td/v1.1"}), "bad_thing"),
    "its context is elsewhere": (lambda h: h.answer({"@context": "http://x.example/c", "@id": "y"}), "bad_input"),
    "it breaks off": (lambda h: h.raw(f"{HEAD}Content-Length: 1000\r\n\r\n<a>".encode()), "device_failed"),
    "it is no HTTP": (lambda h: h.raw(b"SSH-2.0-OpenSSH\r\n\r\n"), "device_failed"),
    "it has no end": (_endless, "bad_answer"),
    "it is slow": (_drip, "timeout"),
    "it unfolds in memory": (_bomb, "bad_answer"),
    "it leads in circles": (lambda h: h.answer(status=302, Location=h.path + "?again"), "bad_answer"),
    "its value schema is absurd": (
        lambda h: h.answer(
            f'{PREFIXES}<#artifact> a td:Thing ; td:title "x" ; td:hasPropertyAffordance '
            '[ td:name "p" ; a js:IntegerSchema ; js:minimum 5 ; js:maximum 1 ] .'.encode(),
            kind=TURTLE,
        ),
        "bad_thing",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_one_bad_page_is_told_and_the_rest_comes_in(home: Hearthgraph, lab: Site, fault: str) -> None:
    answer, reason = FAULTS[fault]
    lab.server.route("GET", LAMP, answer)
    began = time.monotonic()
    found = home.explorer.explore(lab.platform)
    assert time.monotonic() - began < 180  # an endless one has no end
    assert found.new == (lab.iri("lab", "ceiling"),)
    assert [(trouble.url, trouble.reason) for trouble in found.troubles] == [(lab.artifact("lab", "desk"), reason)]
    assert found.bytes < 10_000_000


def test_a_server_that_is_not_there_is_told(home: Hearthgraph, lab: Site) -> None:
    lab.server.route("GET", LAMP, lambda h: h.answer(status=302, Location="http://127.0.0.1:9/x"))
    found = home.explorer.explore(lab.platform)
    assert [trouble.reason for trouble in found.troubles] == ["host_not_allowed"]


# Whose word counts


def thing(iri: str, *forms: str, more: str = "") -> bytes:
    """A lamp in Turtle with one property and one action at these forms."""
    there = " ".join(f"td:hasForm [ hctl:hasTarget <{form}> ] ;" for form in forms)
    return (
        f'{PREFIXES}<{iri}> a td:Thing, hg:Light ; td:title "Odd" ; td:hasSecurityConfiguration "nosec_sc" ;\n'
        f'td:hasPropertyAffordance [ a js:BooleanSchema, hg:Power ; {there} td:name "power" ] ;\n'
        f'td:hasActionAffordance [ a hg:TurnOn ; {there} td:name "turn_on" ] .\n{more}'
    ).encode()


def test_a_thing_that_claims_to_be_on_another_host_is_refused(home: Hearthgraph, lab: Site) -> None:
    lab.server.route("GET", LAMP, lambda h: h.answer(thing("http://bank.example/vault"), kind=TURTLE))
    found = home.explorer.explore(lab.platform)
    assert [trouble.reason for trouble in found.troubles] == ["bad_thing"]
    assert "http://bank.example/vault" not in home.registry.things


def test_a_thing_cannot_take_the_place_of_one_of_this_home(home: Hearthgraph, lab: Site, tmp_path_factory) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path_factory.mktemp("own") / "own.ttl"
    file.write_bytes(thing("urn:home:vault", "http://127.0.0.1:1/vault"))
    home.load([file])
    before = home.registry.things["urn:home:vault"]
    lab.server.route("GET", LAMP, lambda h: h.answer(thing("urn:home:vault", f"{lab.url}/x"), kind=TURTLE))
    found = home.explorer.explore(lab.platform)
    assert home.registry.things["urn:home:vault"] == before
    assert [trouble.reason for trouble in found.troubles] == ["bad_thing"]


def test_what_a_page_says_of_others_is_left_out(home: Hearthgraph, lab: Site) -> None:
    more = """<https://w3id.org/hearthgraph#TurnOn> hg:effect [ hg:kind hg:Power ; hg:to false ] .
    hg:Sabotage a hg:Command . <http://other.example/place> a hmas:Workspace ; rdfs:label "Kitchen" .
    <urn:home:lamp#properties/power> hg:value true ."""
    iri = f"{lab.artifact('lab', 'desk')}#artifact"
    lab.server.route("GET", LAMP, lambda h: h.answer(thing(iri, f"{lab.url}{LAMP}", more=more), kind=TURTLE))
    words = home.registry.vocabulary
    found = home.explorer.explore(lab.platform)
    assert len(found.new) == 2
    assert home.registry.vocabulary.commands == words.commands
    assert "http://other.example/place" not in home.registry.places
    assert "urn:home:lamp#properties/power" not in home.state
    assert any("not its own" in warning for warning in found.warnings)


def test_a_page_of_a_things_own_is_believed_before_others(home: Hearthgraph, lab: Site) -> None:
    inline = thing(lab.iri("lab", "desk"), f"{lab.url}/wrong").decode()
    page = lab._workspace

    lab._workspace = lambda name: page(name) + inline.partition("\n<")[2].join(("<", ""))  # type: ignore[method-assign]
    found = home.explorer.explore(lab.platform)
    assert len(found.new) == 2
    assert home.registry.things[lab.iri("lab", "desk")].title == "Desk lamp"


def test_workspaces_that_contain_each_other_are_mapped_once(home: Hearthgraph, lab: Site) -> None:
    page = lab._workspace
    up = f"<#workspace> hmas:contains <{lab.platform}#platform> . <{lab.platform}#platform> a hmas:Workspace ."
    lab._workspace = lambda name: page(name) + up  # type: ignore[method-assign]
    found = home.explorer.explore(lab.platform)
    assert len(found.new) == 2
    parents = {iri: place.parent for iri, place in home.registry.places.items()}
    assert list(parents.values()).count(None) == 1


# Where it does not go


def test_it_goes_to_no_private_place_that_nobody_named(home: Hearthgraph, lab: Site, other: Site) -> None:
    other.add("den", Lamp("x", "X"))
    page = lab._workspace
    away = "".join(
        f"<#workspace> hmas:contains <{url}> ."
        for url in (f"{other.platform}/den", "http://10.0.0.1/x", "http://169.254.169.254/latest", "http://hub.local/")
    )
    lab._workspace = lambda name: page(name) + away  # type: ignore[method-assign]
    found = home.explorer.explore(lab.platform)
    assert len(found.new) == 2
    assert {trouble.reason for trouble in found.troubles} == {"host_not_allowed"}
    assert len(found.troubles) == 4
    assert other.server.seen == []


def test_it_goes_to_a_private_place_that_is_allowed(lab: Site, other: Site) -> None:
    other.add("den", Lamp("x", "X"))
    page = lab._workspace
    lab._workspace = lambda name: page(name) + f"<#workspace> hmas:contains <{other.platform}/den> ."  # type: ignore[method-assign]
    allowed = other.url.removeprefix("http://")
    with Hearthgraph.open(None, settings=load(live=True, allowed_hosts=(allowed,))) as home:
        assert other.iri("den", "x") in home.explorer.explore(lab.platform).new


def test_a_redirect_leads_to_no_private_place_either(home: Hearthgraph, lab: Site, other: Site) -> None:
    lab.server.route("GET", LAMP, lambda h: h.answer(status=302, Location=f"{other.url}/secret"))
    found = home.explorer.explore(lab.platform)
    assert [trouble.reason for trouble in found.troubles] == ["host_not_allowed"]
    assert other.server.seen == []


@pytest.mark.parametrize("where", ["its form", "a redirect of its form"])
def test_what_was_found_cannot_make_this_home_call_a_private_place(
    home: Hearthgraph, lab: Site, other: Site, where: str
) -> None:
    other.server.route("POST", "/open", lambda h: h.answer(status=204, kind=""))
    other.server.route("GET", "/open", True)
    target = f"{other.url}/open"
    if where != "its form":
        for method in ("GET", "POST"):
            lab.server.route(method, "/away", lambda h: h.answer(status=307, Location=f"{other.url}/open"))
        target = f"{lab.url}/away"
    iri = f"{lab.artifact('lab', 'desk')}#artifact"
    lab.server.route("GET", LAMP, lambda h: h.answer(thing(iri, target), kind=TURTLE))
    home.explorer.explore(lab.platform)
    page = lab.artifact("lab", "desk")
    for operation, affordance in ((Operation.INVOKE, "actions/turn_on"), (Operation.READ, "properties/power")):
        with pytest.raises(BindingError) as fault:
            home.binding.start(Call(operation, f"{page}#{affordance}")).result(5)
        assert fault.value.reason in ("host_not_allowed", "bad_answer")
    assert home.ask("turn on the odd light", consent=True).status.value != "done"
    assert other.server.seen == []


def test_a_secret_is_shown_to_its_host_alone(lab: Site, other: Site, tmp_path_factory) -> None:  # type: ignore[no-untyped-def]
    """A thing that was found at one place and whose form leads to an allowed one cannot use what that one trusts."""
    here, there = (one.url.removeprefix("http://") for one in (lab, other))
    secrets = tmp_path_factory.mktemp("secrets") / "credentials.toml"
    secrets.write_text(f'["{here}"]\ntoken = "ours"\n["{there}"]\ntoken = "theirs"\n', encoding="utf-8")
    secrets.chmod(0o600)
    form = f"{other.url}/open"
    body = thing(f"{lab.artifact('lab', 'desk')}#artifact", form).decode()
    bearer = """td:definesSecurityScheme [ a <https://www.w3.org/2019/wot/security#BearerSecurityScheme> ;
        td:hasInstanceConfiguration "bearer_sc" ] ; td:hasSecurityConfiguration "bearer_sc" ;"""
    body = body.replace('td:hasSecurityConfiguration "nosec_sc" ;', bearer)

    def guarded(handler: Handler) -> None:
        if handler.headers.get("Authorization") == "Bearer ours":
            handler.answer(body.encode(), kind=TURTLE)
        else:
            handler.answer(status=401)

    lab.server.route("GET", LAMP, guarded)
    other.server.route("POST", "/open", lambda h: h.answer(status=204, kind=""))
    with Hearthgraph.open(None, settings=load(live=True, allowed_hosts=(there,), credentials_file=secrets)) as home:
        assert len(home.explorer.explore(lab.platform).new) == 2
        with pytest.raises(BindingError) as fault:
            home.binding.start(Call(Operation.INVOKE, f"{lab.artifact('lab', 'desk')}#actions/turn_on")).result(5)
        assert fault.value.reason == "unauthorized"
    assert all("theirs" not in str(seen.headers) for seen in [*lab.server.seen, *other.server.seen])
    assert all("ours" not in str(seen.headers) for seen in other.server.seen)


def test_this_home_is_not_explored_by_itself(home: Hearthgraph, lab: Site, other: Site) -> None:
    other.add("den", Lamp("mine", "Mine"))
    home.explorer.own.add(other.url)
    page = lab._workspace
    lab._workspace = lambda name: page(name) + f"<#workspace> hmas:contains <{other.platform}/den> ."  # type: ignore[method-assign]
    found = home.explorer.explore(lab.platform)
    assert len(found.new) == 2
    assert other.server.seen == []


# Where it ends


def _maze(site: Site, pages: int, fan: int) -> None:
    """Workspaces that contain each other, round and round."""

    def answer(handler: Handler) -> None:
        number = int(handler.path.rpartition("/")[2])
        inner = "".join(
            f"<#workspace> hmas:contains </maze/{(number * fan + step) % pages}#workspace> ."
            for step in range(1, fan + 1)
        )
        handler.answer(
            f'{PREFIXES}<#workspace> a hmas:Workspace ; rdfs:label "{number}" . {inner}'.encode(), kind=TURTLE
        )

    for number in range(pages):
        site.server.route("GET", f"/maze/{number}", answer)


@pytest.mark.slow
def test_a_loop_of_ten_thousand_pages_ends(home: Hearthgraph, site: Site) -> None:
    _maze(site, 10_000, 10)
    found = home.explorer.explore(f"{site.url}/maze/0", Limits(seconds=3_600))
    assert len(found.places) == 10_000
    assert found.requests == len(site.server.seen) == 10_000
    assert found.limits == ()


def test_a_chain_without_end_ends_at_the_depth(home: Hearthgraph, site: Site) -> None:
    _maze(site, 10_000, 1)
    found = home.explorer.explore(f"{site.url}/maze/0")
    assert found.limits == ("depth",)
    assert found.requests == 17


@pytest.mark.parametrize(
    ("limits", "name"),
    [
        (Limits(documents=30), "documents"),
        (Limits(bytes=20_000), "bytes"),
        (Limits(seconds=0.2), "seconds"),
        (Limits(depth=1), "depth"),
    ],
)
def test_a_limit_is_kept_and_told(home: Hearthgraph, site: Site, limits: Limits, name: str) -> None:
    _maze(site, 3_000, 10)
    found = home.explorer.explore(f"{site.url}/maze/0", limits)
    assert name in found.limits
    assert len(site.server.seen) < 1_000


def test_addresses_without_end_end(home: Hearthgraph, site: Site) -> None:
    """A server that makes up a new address for the same page each time."""

    def answer(handler: Handler) -> None:
        again = f"<#workspace> hmas:contains <{handler.path}/more> ."
        handler.answer(f"{PREFIXES}<#workspace> a hmas:Workspace . {again}".encode(), kind=TURTLE)

    for depth in range(40):
        site.server.route("GET", "/deep" + "/more" * depth, answer)
    assert home.explorer.explore(f"{site.url}/deep").limits == ("depth",)


# What changes under it


def test_a_platform_that_changes_while_it_is_crawled_is_seen_as_it_is_at_the_end(home: Hearthgraph, lab: Site) -> None:
    lab.add("hall", Lamp("spot", "Spot"))
    described = lab.described

    def changing(workspace: str, name: str) -> str:
        if name == "desk" and "late" not in lab.workspaces["lab"]:
            lab.add("lab", Lamp("late", "Late lamp", brightness=7))
            lab.remove("lab", "ceiling")
        return described(workspace, name) if name in lab.workspaces[workspace] else ""

    lab.described = changing  # type: ignore[method-assign]
    found = home.explorer.explore(lab.platform)
    assert set(home.registry.things) == {lab.iri("lab", "desk"), lab.iri("lab", "late"), lab.iri("hall", "spot")}
    assert home.state[lab.property("lab", "late", "brightness")] == 7
    assert len(found.new) == 3


def test_a_workspace_that_comes_while_it_is_crawled_is_found(home: Hearthgraph, lab: Site) -> None:
    described = lab.described

    def changing(workspace: str, name: str) -> str:
        if "attic" not in lab.workspaces:
            lab.add("attic", Lamp("bulb", "Bulb"))
        return described(workspace, name)

    lab.described = changing  # type: ignore[method-assign]
    home.explorer.explore(lab.platform)
    assert lab.iri("attic", "bulb") in home.registry.things
