"""STUDY.toml: what is checked before anything starts."""

from pathlib import Path

import pytest

from seminar.collection.study.loading import load_study
from seminar.errors import ConfigurationError
from tests.collection.studies import write_study


def test_study_is_complete_with_its_defaults(tmp_path: Path):
    study = load_study(write_study(tmp_path, "quac"))
    assert (study.plan.turn, study.plan.minimum, study.plan.currency) == (10, 3, "USD")
    assert study.options["most_turns"] == 12
    assert study.subjects == ("tide#0",)


def test_text_of_a_file_is_read_and_its_change_changes_the_consent_version(tmp_path: Path):
    file = write_study(tmp_path, "quac", '[texts]\nconsent = "consent.md"\n')
    (tmp_path / "consent.md").write_text("One.", encoding="utf-8")
    first = load_study(file)
    (tmp_path / "consent.md").write_text("Two.", encoding="utf-8")
    second = load_study(file)
    assert first.texts["consent"] == "One."
    assert first.consent_version != second.consent_version


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("[pay]\nturn = 0.1\n", r"Expected `str`, got `float` - at `\$\.pay\.turn`"),
        ('[pay]\nturn = "0.001"\n', "pay: amount '0.001' is no whole number"),
        ('[pay]\ncurrency = "dollar"\n', "pay: currency 'dollar'"),
        ("[quotas]\nmany = 1\n", "unknown field `many`"),
        ("[times]\ngrace = 0\n", r"\$\.times\.grace"),
        ("[options]\nmost_turn = 1\n", "Did you mean 'most_turns'"),
        ('[options]\nmost_turns = "12"\n', "options.most_turns = '12' is not like 12"),
        ("[options]\nleast_turns = 13\n", "least_turns is 13, above most_turns"),
        ('[assistant]\nreader = "spam"\n', "unknown assistant.reader 'spam'. Did you mean 'span'"),
        ('[texts]\nconsent = " "\n', "texts.consent is empty"),
        ('[texts]\nconsent = "missing.md"\n', "missing.md: can't be read"),
        ('[pay]\nroles = { boss = "1" }\n', "pay.roles: quac has no role 'boss'"),
        ('[platform]\nname = "prolific"\n', "platform.completion_code is missing"),
        ('[platform]\nname = "other"\n', "Invalid enum value 'other'"),
        (
            '[qualification]\nitems = [{ text = "?", options = ["a", "b"], answer = 2 }]\n',
            r"items\[0\].answer is 2",
        ),
        ('[[survey]]\nname = "a"\ntext = "A?"\nkind = "choice"\n', "survey 'a': options belong"),
    ],
)
def test_fault_is_named_with_its_place(tmp_path: Path, more: str, message: str):
    file = write_study(tmp_path, "quac", more)
    with pytest.raises(ConfigurationError, match=message) as error:
        load_study(file)
    assert str(file) in str(error.value) or "missing.md" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("protocol", "option", "message"),
    [
        ("topiocqa", "own_first_questions = 101", "it goes from 0 to 100"),
        ("pragmaticqa", "survey_topics = 20", "it goes from 5 to 15"),
        ("qaconv", 'verify = "some"', "known: all, none, uncertain"),
        ("qaconv", "offered = 0", "it goes from 1 to 100"),
    ],
)
def test_value_of_an_option_is_checked(tmp_path: Path, protocol: str, option: str, message: str):
    with pytest.raises(ConfigurationError, match=message):
        load_study(write_study(tmp_path, protocol, f"[options]\n{option}\n"))


def test_all_faults_are_named_at_once(tmp_path: Path):
    more = '[texts]\nconsent = ""\n[platform]\nname = "prolific"\n'
    with pytest.raises(ConfigurationError, match=r"consent.*completion_code"):
        load_study(write_study(tmp_path, "quac", more))


def test_corpus_without_what_the_protocol_needs_is_an_error(tmp_path: Path):
    file = write_study(tmp_path, "quac")
    (tmp_path / "corpus" / "pages.jsonl").unlink()
    with pytest.raises(ConfigurationError, match="corpus has no pages"):
        load_study(file)


def test_missing_corpus_and_damaged_toml_are_errors(tmp_path: Path):
    file = write_study(tmp_path, "quac")
    file.write_text(file.read_text().replace('"corpus"', '"nowhere"'))
    with pytest.raises(ConfigurationError, match="no corpus there"):
        load_study(file)
    file.write_text("name = ")
    with pytest.raises(ConfigurationError, match="not TOML"):
        load_study(file)
