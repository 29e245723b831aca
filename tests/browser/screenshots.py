"""`python -m tests.browser.screenshots`: takes the pictures of the README anew, in docs/images."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from selenium import webdriver
from selenium.webdriver.chrome.service import Service as Driver
from selenium.webdriver.common.keys import Keys

from tests.browser.conftest import DRIVER, Page, options
from tests.homes import filled
from tests.server.serving import serving

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "images"
SAID = "in the study, open the blinds halfway and turn the heater up two degrees"
QUERY = """PREFIX hg: <https://w3id.org/hearthgraph#>
PREFIX td: <https://www.w3.org/2019/wot/td#>
SELECT ?device ?brightness WHERE {
  ?thing td:title ?device ; td:hasPropertyAffordance ?property .
  ?property a hg:Brightness ; hg:value ?brightness
}
ORDER BY DESC(?brightness)"""


def main() -> int:
    """Takes all pictures; the exit status."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    driver = webdriver.Chrome(options=options(size="1040,760"), service=Driver(DRIVER))
    with TemporaryDirectory() as folder, serving(filled(Path(folder) / "house")) as served:
        page = Page(driver, served)
        page.open(f"/sign-in?code={served.service.keys.code}")
        _ask(page)
        _home(page)
        _graph(page)
        _query(page)
    driver.quit()
    return 0


def _take(page: Page, name: str) -> None:
    page.driver.save_screenshot(str(PICTURES / f"{name}.png"))


def _ask(page: Page) -> None:
    page.find("#text").send_keys(SAID, Keys.ENTER)
    page.wait_for("#talk button.yes").click()
    page.wait_for("#talk .home", "Done")
    page.find("#text").send_keys("turn the bathroom light and the mirror light to 30 and 60 respectively", Keys.ENTER)
    page.wait_for("#talk button.yes")
    _take(page, "ask")


def _home(page: Page) -> None:
    page.open("/home")
    page.find("#filter").send_keys("study")
    page.wait_for(".card:not([hidden])", "study")
    _take(page, "home")


def _graph(page: Page) -> None:
    page.open("/graph")
    page.find("#node").send_keys("study heater", Keys.ENTER)
    page.wait_for("#about", "study heater")
    _take(page, "graph")


def _query(page: Page) -> None:
    page.open("/query")
    page.wait_for(".yasqe_queryButton")
    page.driver.execute_script("document.querySelector('.CodeMirror').CodeMirror.setValue(arguments[0])", QUERY)
    page.find(".yasqe_queryButton").click()
    page.wait_for(".yasr table", "light")
    _take(page, "sparql")


if __name__ == "__main__":
    sys.exit(main())
