"""URI templates, against the examples of RFC 6570 itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.environment.http.templates import expand_template, variables_of
from engine.errors import BindingError, ValueFault
from engine.graph.terms import Json

VALUES: dict[str, Json] = {
    "count": ["one", "two", "three"],
    "dub": "me/too",
    "hello": "Hello World!",
    "half": "50%",
    "var": "value",
    "who": "fred",
    "path": "/foo/bar",
    "list": ["red", "green", "blue"],
    "keys": {"semi": ";", "dot": ".", "comma": ","},
    "v": "6",
    "x": "1024",
    "y": "768",
    "empty": "",
    "undef": None,
}


@pytest.mark.parametrize(
    ("template", "expanded"),
    [
        ("{var}", "value"),
        ("{hello}", "Hello%20World%21"),
        ("{half}", "50%25"),
        ("O{empty}X", "OX"),
        ("{x,hello,y}", "1024,Hello%20World%21,768"),
        ("{var:3}", "val"),
        ("{list}", "red,green,blue"),
        ("{list*}", "red,green,blue"),
        ("{keys}", "semi,%3B,dot,.,comma,%2C"),
        ("{keys*}", "semi=%3B,dot=.,comma=%2C"),
        ("{+hello}", "Hello%20World!"),
        ("{+path}/here", "/foo/bar/here"),
        ("here?ref={+path}", "here?ref=/foo/bar"),
        ("{+path:6}/here", "/foo/b/here"),
        ("{#path,x}/here", "#/foo/bar,1024/here"),
        ("{.who,who}", ".fred.fred"),
        ("X{.list*}", "X.red.green.blue"),
        ("{/var,x}/here", "/value/1024/here"),
        ("{/list*}", "/red/green/blue"),
        ("{/undef}", ""),
        ("{;x,y,empty}", ";x=1024;y=768;empty"),
        ("{;list*}", ";list=red;list=green;list=blue"),
        ("{?x,y}", "?x=1024&y=768"),
        ("{?x,y,empty}", "?x=1024&y=768&empty="),
        ("{?x,y,undef}", "?x=1024&y=768"),
        ("{?list}", "?list=red,green,blue"),
        ("{?list*}", "?list=red&list=green&list=blue"),
        ("{?keys*}", "?semi=%3B&dot=.&comma=%2C"),
        ("?fixed=yes{&x}", "?fixed=yes&x=1024"),
        ("{&undef}", ""),
        ("none", "none"),
    ],
)
def test_an_example_of_the_rfc_expands_as_it_says(template: str, expanded: str) -> None:
    assert expand_template(template, VALUES) == expanded


@pytest.mark.parametrize(
    "template", ["{", "}", "{}", "{var", "{a b}", "{var}}", "{!var}", "{var:0}", "{{var}}", "{a,}"]
)
def test_what_is_no_template_is_refused(template: str) -> None:
    with pytest.raises(BindingError) as caught:
        expand_template(template, VALUES)
    assert caught.value.reason == "no_usable_form"


def test_an_address_that_needs_a_value_says_which() -> None:
    with pytest.raises(BindingError, match="room") as caught:
        expand_template("/rooms/{room}/level", {})
    assert caught.value.reason == "missing_value"


def test_variables_are_named_once_in_their_order() -> None:
    assert variables_of("/{b}{?a*,b:3}") == ("b", "a")


@pytest.mark.parametrize("template", ["/rooms/{room}/level", "/rooms{/room}", "/rooms/{+room}"])
@pytest.mark.parametrize("value", [".", ".."])
def test_a_value_does_not_lead_out_of_its_folder(template: str, value: str) -> None:
    with pytest.raises(ValueFault):
        expand_template(template, {"room": value})


@given(st.text(max_size=20).filter(lambda text: text not in (".", "..")))
def test_a_value_stays_within_its_step_of_the_path(value: str) -> None:
    expanded = expand_template("/rooms/{room}/level", {"room": value})
    assert expanded.count("/") == 3
    assert not set("?#{} ") & set(expanded)
