from pathlib import Path

import pytest

from seminar.errors import ConfigurationError
from seminar.settings import Settings, home, load_settings


def test_what_is_chosen_overrules_the_file_and_the_file_the_defaults(tmp_path: Path):
    file = tmp_path / "settings.toml"
    file.write_text('history = "original"\nhits = 5\n')
    settings = load_settings(file, hits=7, threshold=None)
    assert settings == Settings(history="original", hits=7)


def test_the_callers_own_defaults_give_way_to_the_file(tmp_path: Path):
    file = tmp_path / "settings.toml"
    file.write_text("followups = false\n")
    assert load_settings(None, {"followups": True}).followups
    assert not load_settings(file, {"followups": True}).followups
    assert load_settings(file, followups=True).followups


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("histry = 1", r"unknown setting in .*: 'histry'. Did you mean 'history'\?"),
        ('hits = "many"', "hits = 'many' is not a number"),
        ("hits = true", "hits = True is not a number"),
        ("pragmatic = 1", "pragmatic = 1 is not true or false"),
        ('history = "some"', "unknown history 'some'. Known: all, auto, original"),
        ('encoder = "statc"', "unknown encoder 'statc'. Did you mean 'static'"),
        ('reader = "spam"', "unknown reader 'spam'. Did you mean 'span'"),
        ('answers = "sevral"', "unknown answers 'sevral'. Did you mean 'several'"),
        ("diversity = 2", "diversity = 2 must be between 0 and 1"),
        ('llm = "localhost"\nmodel = "m"', "must be like http://localhost:8080/v1"),
        ('llm = "http://localhost:8080"', "name the language model that is to answer: --model"),
        ('model = "m"', "model 'm' needs the address of its endpoint: --llm URL"),
        ("patience = 0", "patience = 0 must be more than 0 seconds"),
        ("patience = 1e12", "patience = 1000000000000.0 must be .* 86400 .a day. at most"),
        ("patience = inf", "patience = inf must be"),
        ("patience = nan", "patience = nan must be"),
        ("hits = 0", "hits = 0 must be at least 1"),
        ("hits = -3", "hits = -3 must be at least 1"),
        ("threshold = 7.0", "threshold = 7.0 must be between 0 and 1"),
        ("threshold = nan", "threshold = nan must be between 0 and 1"),
        ("hits = ", "not TOML"),
    ],
)
def test_a_bad_file_says_what_is_wrong(tmp_path: Path, content: str, told: str):
    file = tmp_path / "settings.toml"
    file.write_text(content)
    with pytest.raises(ConfigurationError, match=told):
        load_settings(file)


def test_a_missing_file_is_named(tmp_path: Path):
    with pytest.raises(ConfigurationError, match=r"none\.toml: can't be read"):
        load_settings(tmp_path / "none.toml")


def test_home_is_where_the_environment_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("SEMINAR_HOME", str(tmp_path))
    assert home() == tmp_path
    monkeypatch.delenv("SEMINAR_HOME")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert home() == tmp_path / "cache" / "seminar"
