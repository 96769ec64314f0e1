"""The protocol of the how-to page: it is run as it is printed there."""

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from seminar.collection.messages.actions import Ask
from seminar.collection.protocols.activity import Refused
from seminar.collection.protocols.registry import find_protocol
from seminar.errors import ConfigurationError
from tests.collection.small_corpus import after, begun, frame
from tests.paths import ROOT


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    page = (ROOT / "docs" / "howto" / "protocol.md").read_text(encoding="utf-8")
    [code] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    package = tmp_path / "my_package"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "my_protocol.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    protocol = find_protocol("my_package.my_protocol")
    module = sys.modules["my_package.my_protocol"]
    assert module.PROTOCOL is protocol
    return module


def test_dialog_of_the_example_ends_after_three_rounds(own: ModuleType):
    progress = begun(own.PROTOCOL, "tide")
    for number in (1987, 40, 7):
        ask = ("asker", Ask(question="How many?"))
        progress = after(progress, ask, ("guesser", own.Estimate(number=number)))
    assert progress.closing.reason == "limit"
    assert [turn.answer.text for turn in progress.activity.turns()] == ["1987", "40", "7"]
    assert progress.activity.view("guesser", frame("guesser")).page == ""


def test_example_refuses_what_is_out_of_turn(own: ModuleType):
    with pytest.raises(Refused):
        after(begun(own.PROTOCOL, "tide"), ("guesser", own.Estimate(number=1)))


def test_name_without_a_dot_is_one_of_the_papers():
    with pytest.raises(ConfigurationError, match="Did you mean 'quac'"):
        find_protocol("quacc")


def test_module_without_a_protocol_is_an_error():
    with pytest.raises(ConfigurationError, match="has no PROTOCOL"):
        find_protocol("seminar.collection.records")
    with pytest.raises(ConfigurationError, match="can't be imported"):
        find_protocol("no.such.module")
