"""Where an exploration may go by name and by address, and how addresses and links are read."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BindingError
from engine.origins.hypermedia import links
from engine.origins.hypermedia.crawl.scope import CrawlScope
from engine.origins.hypermedia.websub.subscriber import signed

NAMES = {
    "public.example": "93.184.216.34",
    "other.example": "8.8.8.8",
    "sly.example": "10.0.0.7",
    "near.example": "127.0.0.1",
}


async def known(host: str, port: int) -> list[str]:
    return [NAMES.get(host, "1.1.1.1")]


def refused(scope: CrawlScope, url: str) -> str:
    """Why it does not go there; "" where it does."""
    try:
        asyncio.run(scope.resolve(httpx.URL(url)))
    except BindingError as error:
        return error.reason
    return ""


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://127.0.0.1:8008/x", ""),
        ("http://127.0.0.1:22/x", "host_not_allowed"),
        ("http://localhost:8008/x", "host_not_allowed"),
        ("http://[::1]:8008/x", "host_not_allowed"),
        ("http://0.0.0.0:8008/x", "host_not_allowed"),
        ("http://192.168.1.20/x", ""),
        ("http://192.168.1.21/x", "host_not_allowed"),
        ("http://10.1.2.3/x", "host_not_allowed"),
        ("http://169.254.169.254/latest", "host_not_allowed"),
        ("http://[fe80::1]/x", "host_not_allowed"),
        ("http://printer.local/x", "host_not_allowed"),
        ("http://user:secret@public.example/x", "host_not_allowed"),
        ("http://public.example/x", ""),
        ("http://sly.example/x", "host_not_allowed"),
        ("http://near.example/x", "host_not_allowed"),
    ],
)
def test_it_goes_where_it_was_told_and_to_the_open_net(url: str, reason: str) -> None:
    scope = CrawlScope(["http://127.0.0.1:8008/workspaces"], ["192.168.1.20"], 4, known)
    assert refused(scope, url) == reason


def test_it_goes_to_so_many_public_hosts_and_no_more() -> None:
    scope = CrawlScope(["http://public.example/"], (), 1, known)
    assert refused(scope, "http://public.example/again") == ""
    assert refused(scope, "http://other.example/") == ""
    assert refused(scope, "http://third.example/") == "limit_reached"
    assert refused(scope, "http://other.example/again") == ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://A.example:80/x", "http://a.example/x"),
        ("http://a.example", "http://a.example/"),
        ("http://a.example/x#frag", "http://a.example/x"),
        ("http://a.example/a/../b/./c", "http://a.example/b/c"),
        ("http://a.example/%7euser?q=%c3", "http://a.example/%7Euser?q=%C3"),
        ("https://a.example:443/", "https://a.example/"),
    ],
)
def test_one_page_has_one_address(one: str, other: str) -> None:
    assert links.canonical(one) == links.canonical(other) is not None


@given(st.text(max_size=60))
def test_any_text_is_an_address_or_none_and_the_same_when_read_again(text: str) -> None:
    for found in (links.canonical(text), links.canonical(text, "http://a.example/b/c")):
        assert found is None or links.canonical(found) == found


@given(st.text(max_size=200))
def test_any_head_is_read(text: str) -> None:
    assert isinstance(links.read(text, "http://a.example/"), tuple)


def test_links_are_read_with_several_relations_and_without_what_is_about_others() -> None:
    head = '<a>; rel="hub next"; title="x, y", <b> ; rel=self, <c>; rel="self"; anchor="#z", '
    head += '<d>; rel="item"; type="text/turtle"'
    found = links.read(head, "http://h.example/p/")
    assert links.of(found, "hub") == links.of(found, "next") == ("http://h.example/p/a",)
    assert links.of(found, "self") == ("http://h.example/p/b",)
    assert [one.type for one in found if one.relation == "item"] == ["text/turtle"]


@given(st.text(max_size=80), st.binary(max_size=80))
def test_no_text_is_a_signature_but_the_right_one(text: str, body: bytes) -> None:
    assert not signed("secret", text, body)
