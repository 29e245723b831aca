"""The pages of a whole house: usable by everybody, by keyboard, on a phone, and not to be tricked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from engine.rules.notices import Notice
from tests.browser.conftest import Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PAGES = [
    "/",
    "/home",
    "/graph",
    "/query",
    "/load",
    "/experience",
    "/coming",
    "/journal",
    "/policies",
    "/settings",
    "/api",
    "/sign-in",
]
IRI = re.compile(r"\b(?:https?|urn):[^\s]+")


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_fault(house: Page, path: str, scheme: str) -> None:
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    house.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    house.open(path)
    house.wait_for("h1")
    if path == "/query":
        house.wait_for(".yasqe_queryButton").click()
        house.wait_for(".yasr table", "1")
    assert house.faults() == []


@pytest.mark.parametrize("path", [path for path in PAGES if path != "/query"])
def test_a_phone_needs_no_scrolling_sideways(house: Page, path: str) -> None:
    size = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    house.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        house.open(path)
        house.wait_for("h1")
        script = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert house.driver.execute_script(script) <= 0
    finally:
        house.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize("path", ["/", "/home", "/graph", "/experience", "/journal", "/policies"])
def test_people_read_names_and_no_addresses(house: Page, path: str) -> None:
    house.open(path)
    house.wait_for("h1")
    if path == "/graph":
        house.wait_for("#relations td")
    assert IRI.findall(house.find("main").text) == []


def test_a_device_is_operated_by_keyboard(house: Page) -> None:
    home = house.served.service.home
    home.ask("turn off the pantry light", consent=True)
    house.open("/home")
    house.find("#filter").send_keys("pantry light")
    card = house.wait_for(".card:not([hidden])", "pantry light")
    select = card.find_element("css selector", "select")
    select.send_keys("on")
    select.send_keys(Keys.TAB)
    house.wait_for("#notice", "Done")
    assert house.served.service.home.ask("is the pantry light on?").reply.startswith("Yes")


def test_what_may_be_regretted_is_asked_on_the_page_too(house: Page) -> None:
    house.served.service.home.ask("lock the front door", consent=True)
    house.open("/home")
    house.find("#filter").send_keys("front door lock")
    card = house.wait_for(".card:not([hidden])", "front door lock")
    card.find_element("css selector", "select").send_keys("unlocked")
    dialog = house.wait_for("dialog[open]", "Shall I?")
    dialog.find_element("css selector", "button[value=no]").click()
    house.wait_for("#notice", "leave it")
    assert house.served.service.home.ask("is the front door locked?").reply.startswith("Yes")


def test_the_state_on_the_page_follows_the_home(house: Page) -> None:
    house.served.service.home.ask("turn off the pantry light", consent=True)
    house.open("/home")
    card = house.wait_for(".card", "pantry light")
    select = card.find_element("css selector", "select")
    assert select.get_attribute("value") == '"off"'
    house.served.service.home.ask("turn on the pantry light", consent=True)
    house.wait(lambda _: select.get_attribute("value") == '"on"')


def test_one_walks_in_the_graph(house: Page) -> None:
    house.open("/graph")
    start = house.wait_for("#about").text
    house.find("#node").send_keys("front door lock", Keys.ENTER)
    house.wait_for("#about", "front door lock")
    assert house.find("#drawing canvas")
    house.wait_for("#relations button", "hallway").click()
    house.wait_for("#about", "hallway")
    house.find("#back").click()
    house.find("#back").click()
    house.wait_for("#about", start)


LABELS_OVER_EACH_OTHER = """
const parts = { includeNodes: false, includeEdges: false, includeLabels: true, includeOverlays: false };
const named = (one) => one.data("name") || one.data("before") || one.data("after");
const drawn = document.getElementById("drawing")._cyreg.cy.elements().filter(named);
const boxes = drawn.map((one) => [named(one), one.boundingBox(parts)]);
const shared = (a, b, low, high) => Math.min(a[high], b[high]) - Math.max(a[low], b[low]) > 2;
const over = (a, b) => shared(a, b, "x1", "x2") && shared(a, b, "y1", "y2");
const after = (a, i) => boxes.slice(i + 1).filter(([, b]) => over(a, b));
const pairs = boxes.flatMap(([name, a], i) => after(a, i).map(([other]) => [name, other]));
return [boxes.length, pairs];
"""


@pytest.mark.parametrize("name", ["house", "living room air conditioner", "hallway"])
def test_no_name_in_the_graph_lies_over_another(house: Page, name: str) -> None:
    house.open("/graph")
    house.wait_for("#relations td")
    house.find("#node").send_keys(name, Keys.ENTER)
    house.wait_for("#about", name)
    drawn = house.wait(lambda driver: driver.execute_script(LABELS_OVER_EACH_OTHER))
    assert drawn[0] > 20
    assert drawn[1] == []


def test_the_editor_completes_from_this_graph(house: Page) -> None:
    house.open("/query")
    house.wait_for(".yasqe_queryButton")
    house.driver.execute_script(
        "const editor = document.querySelector('.CodeMirror').CodeMirror;"
        "editor.setValue('PREFIX hg: <https://w3id.org/hearthgraph#>\\nSELECT * { ?s a hg:CeilingL'); "
        "editor.focus(); editor.setCursor(1, 100);"
    )
    area = house.driver.switch_to.active_element
    area.send_keys(Keys.CONTROL, Keys.SPACE)
    house.wait(
        lambda driver: (
            "CeilingLight"
            in driver.execute_script("return document.querySelector('.CodeMirror').CodeMirror.getValue()")
            or any("CeilingLight" in hint.text for hint in driver.find_elements("css selector", ".CodeMirror-hint"))
        )
    )


def test_what_was_learnt_is_shown_and_forgotten(house: Page) -> None:
    home = house.served.service.home
    home.ask("turn off the pantry light", consent=True)
    home.ask("turn on the pantry light", consent=True)
    house.open("/experience")
    row = house.wait_for("tbody tr", "turn on the pantry light")
    assert "pantry light" in row.text
    shown = len(house.driver.find_elements("css selector", "tbody tr"))
    row.find_element("css selector", "button").click()
    house.wait(lambda driver: len(driver.find_elements("css selector", "tbody tr")) == shown - 1)
    assert "turn on the pantry light" not in house.find("main").text


EVIL = '<img src=x onerror="window.tricked=1"><script>window.tricked=1</script>'
TRICK = f"""
@prefix td: <https://www.w3.org/2019/wot/td#> .
@prefix hg: <https://w3id.org/hearthgraph#> .
@prefix js: <https://www.w3.org/2019/wot/json-schema#> .
@prefix hmas: <https://purl.org/hmas/> .
<http://evil.example/lamp> a td:Thing, hg:Light ; td:title '''{EVIL}'''@en ;
  hmas:isContainedIn <http://evil.example/room> ;
  td:hasPropertyAffordance <http://evil.example/lamp#properties/text> .
<http://evil.example/lamp#properties/text> a td:PropertyAffordance, js:StringSchema ; td:name "text" .
<http://evil.example/lamp#properties/text> hg:value '''{EVIL}''' .
"""


def test_a_script_in_a_title_or_a_value_is_text(house: Page, tmp_path: Path) -> None:
    file = tmp_path / "evil.ttl"
    file.write_text(TRICK, encoding="utf-8")
    house.open("/load")
    house.find("#file").send_keys(str(file))
    house.wait_for("#heading", "valid")
    house.find("#load").click()
    house.wait_for("#heading", "loaded")
    for path in ("/", "/home", "/graph?node=http%3A%2F%2Fevil.example%2Flamp", "/load", "/settings"):
        house.open(path)
        house.wait_for("h1")
        if path == "/":
            house.find("#text").send_keys(EVIL, Keys.ENTER)
            house.wait(lambda driver: len(driver.find_element("css selector", "#talk .home").text) > 3)
        if path == "/home":
            assert EVIL in house.find("main").text
        if path.startswith("/graph"):
            house.wait_for("#about", "img")
        assert house.driver.execute_script("return window.tricked") is None
    house.served.client.delete("/things/http://evil.example/lamp")


def test_no_page_complained_and_nothing_came_from_outside(house: Page) -> None:
    assert house.fetched() <= {house.served.url.removeprefix("http://")}
    assert [said for said in house.complaints() if "status of 4" not in said] == []


def test_a_reminder_pops_up_on_whichever_page_is_open(house: Page) -> None:
    house.open("/policies")
    house.wait_for("h1")
    home = house.served.service.home
    house.wait(lambda driver: driver.execute_script("return localStorage.getItem('hearthgraph-heard')"))
    home.rules.notices.publish([Notice("urn:rule", "the fridge <b>is</b> open", None, home.clock.now())])
    shown = house.wait_for("#notices .told", "the fridge <b>is</b> open")
    assert house.faults() == []
    shown.find_element("css selector", "button").click()
    house.wait(lambda driver: not driver.find_elements("css selector", "#notices .told"))
    house.driver.get("about:blank")
    home.rules.notices.publish([Notice("urn:rule", "the oven is done", None, home.clock.now())])
    house.open("/policies")
    house.wait_for("#notices .told", "the oven is done")
