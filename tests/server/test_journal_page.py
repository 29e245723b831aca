"""The journal as people read it: the latest first, by day and by words, and why each ended as it did."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.serving import Serving, serving

ADDRESS = re.compile(r"(?:https?|urn):")


@pytest.fixture
def served(house_store: Path, tmp_path: Path) -> Iterator[Serving]:
    shutil.copytree(house_store, tmp_path / "store")
    with serving(tmp_path / "store") as found:
        yield found


def asked(served: Serving, *texts: str) -> None:
    for text in texts:
        answer = served.client.post("/requests", json={"text": text, "consent": "yes", "user": "Ada"})
        assert answer.status_code == 200, answer.text


def main_of(text: str) -> str:
    return re.sub(r"<[^>]+>", " ", text.partition("<main")[2])


def test_an_empty_journal_says_how_to_begin(served: Serving) -> None:
    page = served.stranger.get("/journal")
    assert page.status_code == 200
    assert "Nothing has been asked yet" in page.text


def test_what_was_asked_stands_there_with_what_changed(served: Serving) -> None:
    asked(served, "set the floor lamp to 30 percent", "turn on the pantry fan", "is the front door locked?")
    page = served.stranger.get("/journal").text
    told = main_of(page)
    found = [told.index(text) for text in ("is the front door locked?", "turn on the pantry fan", "set the floor lamp")]
    assert found == sorted(found)
    assert "brightness: 40 → 30" in told
    assert "Ada: refused" in " ".join(told.split())
    assert not ADDRESS.search(told)
    why = re.findall(r'href="(/journal/[^"?]+)"', page)
    assert len(why) == 3
    story = served.stranger.get(why[-1])
    assert "Ada said “set the floor lamp to 30 percent”" in story.text
    assert "So it ended: done." in story.text


def test_it_is_looked_through_by_words_and_by_day(served: Serving) -> None:
    asked(served, "turn on the pantry light", "is the front door locked?")
    found = served.stranger.get("/journal", params={"words": "PANTRY"}).text
    assert "turn on the pantry light" in found
    assert "front door" not in main_of(found)
    day = re.findall(r'<time datetime="(\d{4}-\d\d-\d\d)', found)[0]
    assert "turn on the pantry light" in served.stranger.get("/journal", params={"day": day}).text
    assert "Nothing of the kind was asked" in served.stranger.get("/journal", params={"day": "2001-01-01"}).text


def test_long_journals_are_turned_over(served: Serving) -> None:
    texts = [f"is the front door locked, {number}?" for number in range(31)]
    asked(served, *texts)
    first = served.stranger.get("/journal")
    assert first.text.count('class="card"') == 30
    [older] = re.findall(r'href="(/journal\?before=[^"]+)"', first.text)
    rest = served.stranger.get(older).text
    assert texts[0] in rest
    assert rest.count('class="card"') == 1
    assert "Older" not in rest


@pytest.mark.parametrize("query", ["?day=tomorrow", "?before=x", "?day=9999-12-31"])
def test_no_day_gets_an_error_in_words(served: Serving, query: str) -> None:
    answer = served.stranger.get(f"/journal{query}")
    assert answer.status_code == 400
    assert "no day" in answer.text


def test_an_unknown_request_gets_an_error_in_words(served: Serving) -> None:
    assert served.stranger.get("/journal/urn:uuid:nothing").status_code == 404
    assert served.stranger.get("/journal/not an iri").status_code in (400, 404)


def test_words_of_requests_are_no_markup(served: Serving) -> None:
    asked(served, "turn on the <script>alert(1)</script> light")
    assert "<script>alert" not in served.stranger.get("/journal").text
