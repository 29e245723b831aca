"""A real browser on a real server: Chromium without a window, and an empty home that a newcomer fills."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service as Driver
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.ui import WebDriverWait

from tests.homes import filled
from tests.server.serving import Serving, serving

AXE = (Path(__file__).parent / "vendor" / "axe-4.14.1.min.js").read_text(encoding="utf-8")
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")


def options(*, dark: bool = False, size: str = "1200,900") -> webdriver.ChromeOptions:
    chosen = webdriver.ChromeOptions()
    chosen.binary_location = CHROMIUM or ""
    flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--window-size={size}"]
    for flag in [*flags, "--blink-settings=preferredColorScheme=0"] if dark else flags:
        chosen.add_argument(flag)
    chosen.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return chosen


class Page:
    """A browser on a server, signed in. `fetched` and `complaints` have what it fetched and what it complained of."""

    def __init__(self, driver: WebDriver, served: Serving) -> None:
        self.driver, self.served = driver, served

    def open(self, path: str) -> None:
        self.driver.get(self.served.url + path)

    def find(self, selector: str) -> Any:
        return self.driver.find_element("css selector", selector)

    def wait(self, condition: Callable[[WebDriver], Any], seconds: float = 90) -> Any:
        return WebDriverWait(self.driver, seconds, poll_frequency=0.05).until(condition)

    def wait_for(self, selector: str, words: str = "") -> Any:
        """The first element of a selector that has these words in it, waited for."""

        def found(driver: WebDriver) -> Any:
            return next((e for e in driver.find_elements("css selector", selector) if words in e.text), None)

        return self.wait(found)

    def faults(self) -> list[str]:
        """What axe-core finds that is serious or critical."""
        self.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": AXE})
        run = "const done = arguments[0]; axe.run().then(found => done(found.violations))"
        violations = self.driver.execute_async_script(run)
        return [
            f"{one['id']}: {one['nodes'][0]['html'][:160]}"
            for one in violations
            if one["impact"] in ("serious", "critical")
        ]

    def fetched(self) -> set[str]:
        """The hosts that anything was asked of since the last call."""
        hosts = set()
        for entry in self.driver.get_log("performance"):  # type: ignore[no-untyped-call]
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                hosts.add(urlsplit(message["params"]["request"]["url"]).netloc)
        return hosts - {""}

    def complaints(self) -> list[str]:
        """What the console has of errors since the last call."""
        return [e["message"] for e in self.driver.get_log("browser") if e["level"] == "SEVERE"]  # type: ignore[no-untyped-call]


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDriver]:
    if CHROMIUM is None or DRIVER is None:
        pytest.skip("no chromium and chromedriver here: make browser installs them")
    chosen = options()
    downloads = tmp_path_factory.mktemp("downloads")
    chosen.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    made = webdriver.Chrome(options=chosen, service=Driver(DRIVER))
    made.set_script_timeout(30)
    made.downloads = downloads
    yield made
    made.quit()


@pytest.fixture(scope="module")
def newcomer(driver: WebDriver, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A browser on an empty home."""
    with serving(tmp_path_factory.mktemp("empty") / "store") as served:
        yield _signed_in(driver, served)


@pytest.fixture(scope="module")
def house(driver: WebDriver, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A browser on the demo house."""
    with serving(filled(tmp_path_factory.mktemp("house") / "store")) as served:
        yield _signed_in(driver, served)


def _signed_in(driver: WebDriver, served: Serving) -> Page:
    page = Page(driver, served)
    page.open(f"/sign-in?code={served.service.keys.code}")
    page.fetched()
    page.complaints()
    return page
