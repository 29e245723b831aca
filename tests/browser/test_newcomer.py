"""What a newcomer does first, in a browser: load a home, ask, consent, look, ask why, query, download."""

from __future__ import annotations

import csv
import time
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from engine.resources import folder
from tests.browser.conftest import Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def say(page: Page, words: str) -> None:
    page.find("#text").send_keys(words, Keys.ENTER)


def last(page: Page, words: str) -> str:
    """The last thing the home said, once it has these words."""

    def found(_: object) -> str | None:
        said = page.driver.find_elements("css selector", "#talk .home")
        return said[-1].text if said and words in said[-1].text else None

    return str(page.wait(found))


def test_a_broken_file_shows_its_line_and_changes_nothing(newcomer: Page, tmp_path: Path) -> None:
    good = (folder("data") / "lab308.ttl").read_text(encoding="utf-8").splitlines()
    number = next(i for i, line in enumerate(good) if "td:title" in line)
    good[number] = good[number].replace("td:title", "td:title td:title", 1)
    broken = tmp_path / "broken.ttl"
    broken.write_text("\n".join(good), encoding="utf-8")
    newcomer.open("/load")
    newcomer.find("#file").send_keys(str(broken))
    assert f"Line {number + 1}:" in newcomer.wait_for("#report .fault", "Line").text
    assert good[number].strip()[:20] in newcomer.find("#report mark").text
    assert not newcomer.find("#load").is_displayed()
    assert newcomer.served.stranger.get("/home/things").json() == []


def test_a_home_is_looked_at_and_then_loaded(newcomer: Page) -> None:
    newcomer.open("/load")
    newcomer.find("#file").send_keys(str(folder("data") / "lab308.ttl"))
    newcomer.wait_for("#heading", "lab308.ttl: valid")
    assert "Light308" in newcomer.find("#report").text
    assert newcomer.served.stranger.get("/home/things").json() == []
    newcomer.find("#load").click()
    newcomer.wait_for("#heading", "loaded")
    assert len(newcomer.served.stranger.get("/home/things").json()) == 4


def test_a_request_is_consented_to_and_seen_and_explained(newcomer: Page) -> None:
    newcomer.served.service.home.ask("turn off the light", consent=True)
    newcomer.open("/")
    say(newcomer, "turn on the light")
    last(newcomer, "Shall I?")
    newcomer.wait_for("#talk button.yes").click()
    assert "Done" in last(newcomer, "Done")
    tree = newcomer.driver.find_elements("css selector", "#talk .tree li.success")
    assert tree, "the tree has ticked"
    newcomer.wait_for("#talk button.why").click()
    assert "turn on the light" in newcomer.wait_for("#talk .story", "light").text
    newcomer.open("/home")
    shown = newcomer.wait_for(".card", "Light308")
    assert shown.find_element("css selector", "select").get_attribute("value") == '"on"'


def test_a_query_is_run_and_its_table_downloaded_and_drawn(newcomer: Page) -> None:
    newcomer.open("/query")
    newcomer.wait_for(".yasqe_queryButton, .yasqe button", "")
    newcomer.driver.execute_script(
        "document.querySelector('.CodeMirror').CodeMirror.setValue("
        "'SELECT ?title { ?thing <https://www.w3.org/2019/wot/td#title> ?title } ORDER BY ?title')"
    )
    newcomer.find(".yasqe_queryButton").click()
    newcomer.wait_for(".yasr table", "Light308")
    newcomer.find("#csv").click()
    file = newcomer.driver.downloads / "result.csv"
    deadline = time.perf_counter() + 90
    while not file.exists():
        assert time.perf_counter() < deadline
        time.sleep(0.05)
    assert "Light308" in [row["title"] for row in csv.DictReader(file.read_text(encoding="utf-8").splitlines())]
    newcomer.driver.execute_script(
        "document.querySelector('.CodeMirror').CodeMirror.setValue("
        "'SELECT ?class (COUNT(*) AS ?n) { ?thing a ?class } GROUP BY ?class ORDER BY DESC(?n) LIMIT 5')"
    )
    newcomer.find("#draw").click()
    assert newcomer.wait_for("#chart .bar")


def test_nothing_was_fetched_from_outside_and_nothing_went_wrong(newcomer: Page) -> None:
    assert newcomer.fetched() == {newcomer.served.url.removeprefix("http://")}
    expected = ("/things", "favicon")  # what was refused, on purpose, is an error to the console, too
    assert [said for said in newcomer.complaints() if not any(word in said for word in expected)] == []
