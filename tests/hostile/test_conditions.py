"""What is to be done only where nothing has changed is done once, however many ask for it at the same time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.homes import filled
from tests.server.serving import serving

LIGHT = "/workspaces/lab308/artifacts/light308/properties/brightness"


def test_of_several_who_read_the_same_value_one_changes_it(tmp_path: Path) -> None:
    with serving(filled(tmp_path / "store", "lab308.ttl")) as lab:
        for present in (10, 20, 30):
            lab.client.put(LIGHT, json=present).raise_for_status()
            tag = lab.stranger.get(LIGHT).headers["ETag"]

            def write(number: int, tag: str = tag) -> int:
                return lab.client.put(LIGHT, json=40 + number, headers={"If-Match": tag}).status_code

            with ThreadPoolExecutor(5) as at:
                assert sorted(at.map(write, range(5))) == [204, 412, 412, 412, 412]
