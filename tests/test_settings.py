"""Settings: where they come from, which goes first, and what a person hears of a wrong one."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from engine import settings
from engine.errors import SettingError


@pytest.fixture
def file(tmp_path, monkeypatch):
    """The file of settings; what is written to it counts."""
    path = tmp_path / "config.toml"
    path.write_text("")
    monkeypatch.setenv("HEARTHGRAPH_CONFIG", str(path))
    monkeypatch.delenv("HEARTHGRAPH_STORE", raising=False)
    return path


def test_every_setting_has_a_default_and_says_what_it_is(file):
    assert settings.load()
    for name, field in settings.Settings.model_fields.items():
        assert (field.description or "").endswith("."), name


def test_a_flag_goes_before_the_environment_and_that_before_the_file(file, monkeypatch):
    file.write_text('store = "/file"\ntick_limit = 5\nhistory_length = 6\n')
    monkeypatch.setenv("HEARTHGRAPH_STORE", "/environment")
    monkeypatch.setenv("HEARTHGRAPH_TICK_LIMIT", "7")
    got = settings.load(store="/flag", history_length=None)
    assert (got.store, got.tick_limit, got.history_length) == (Path("/flag"), 7, 6)


def test_the_file_is_looked_for_in_the_directory_of_the_platform(monkeypatch, tmp_path):
    monkeypatch.delenv("HEARTHGRAPH_CONFIG", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert settings.config_file().name == "config.toml"
    assert settings.load().tick_limit > 0


def test_a_list_is_a_list_in_the_file_and_separated_by_commas_in_the_environment(file, monkeypatch):
    file.write_text('allowed_hosts = ["a.org", "b.org"]')
    assert settings.load().allowed_hosts == ("a.org", "b.org")
    monkeypatch.setenv("HEARTHGRAPH_ALLOWED_HOSTS", "c.org, d.org,")
    assert settings.load().allowed_hosts == ("c.org", "d.org")


def test_a_time_without_an_offset_is_in_the_homes_zone(file):
    got = settings.load(time_zone="Europe/Zurich", now="2026-07-01T12:00")
    assert got.now.utcoffset() == timedelta(hours=2)
    assert datetime.now(got.zone).utcoffset() in (timedelta(hours=1), timedelta(hours=2))
    assert settings.load(now="2026-07-01T12:00").now.tzinfo is not None
    assert settings.load().zone is not None


def test_a_path_may_start_at_home(file):
    assert settings.load(store="~/hearth").store == Path.home() / "hearth"


def test_a_store_is_a_directory_or_an_address(file, monkeypatch):
    assert settings.load(store="https://sparql.example/home/").store == "https://sparql.example/home"
    assert settings.load(store="graph").directory == Path("graph")
    monkeypatch.setenv("HEARTHGRAPH_STORE", "http://127.0.0.1:7878")
    got = settings.load()
    assert got.store == "http://127.0.0.1:7878"
    assert got.directory.is_absolute()
    for address in ("ftp://a.org", "https://me:secret@a.org", "https://"):
        with pytest.raises(SettingError) as caught:
            settings.load(store=address)
        assert "'store'" in str(caught.value)
        assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("tick_limits = 3", "tick_limit"),
        ("[llm]\nurl = 'http://x.org'", "llm"),
        ("tick_limit = 0", "greater than or equal to 1"),
        ("tick_limit = 'many'", "tick_limit"),
        ("run_seconds = nan", "run_seconds"),
        ("time_zone = 'Middle/Earth'", "Europe/Zurich"),
        ("now = 'yesterday'", "now"),
        ("llm_url = 'localhost:80'", "llm_url"),
        ("tick_limit = \n", "line 1"),
    ],
)
def test_a_wrong_line_in_the_file_is_told_with_the_file(file, content, told):
    file.write_text(content)
    with pytest.raises(SettingError) as caught:
        settings.load()
    assert told in str(caught.value)
    assert str(file) in str(caught.value)


def test_a_wrong_variable_is_told_by_its_name(file, monkeypatch):
    monkeypatch.setenv("HEARTHGRAPH_RUN_SECONDS", "long")
    with pytest.raises(SettingError, match="HEARTHGRAPH_RUN_SECONDS"):
        settings.load()


def test_a_variable_that_is_no_setting_is_refused_with_the_nearest(file, monkeypatch):
    monkeypatch.setenv("HEARTHGRAPH_TICKS_LIMIT", "3")
    with pytest.raises(SettingError, match="HEARTHGRAPH_TICK_LIMIT"):
        settings.load()


def test_an_unknown_flag_is_refused(file):
    with pytest.raises(SettingError, match="no setting 'nonsense'"):
        settings.load(nonsense=1)


def test_a_named_file_that_is_missing_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("HEARTHGRAPH_CONFIG", str(tmp_path / "missing.toml"))
    with pytest.raises(SettingError, match=r"missing\.toml"):
        settings.load()


def test_a_key_is_read_from_its_file_and_never_shown(file, tmp_path):
    key = tmp_path / "key"
    key.write_text("s3cret\n")
    got = settings.load(llm_key_file=str(key))
    assert got.llm_key().get_secret_value() == "s3cret"
    assert "s3cret" not in repr(got) + str(got.llm_key()) + got.model_dump_json()
    assert settings.load().llm_key() is None
    with pytest.raises(SettingError):
        settings.load(llm_key_file=str(tmp_path)).llm_key()


def test_an_address_with_a_key_in_it_is_refused_without_being_repeated(file):
    with pytest.raises(SettingError) as caught:
        settings.load(llm_url="http://user:s3cret@x.org/")
    assert "s3cret" not in str(caught.value)
    assert settings.load(llm_url="http://x.org/v1/").llm_url == "http://x.org/v1"
