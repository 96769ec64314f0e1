"""The contract with the pages: what is decoded and refused, and that the page of docs is whole."""

import re
from typing import get_args

import msgspec
import pytest

from seminar.collection.messages import admin, forms
from seminar.collection.messages.actions import ANY_ACTION, Rate
from seminar.collection.messages.live import CLIENT, SERVER_MESSAGE, Act
from seminar.collection.messages.views import ANY_VIEW, View
from tests.paths import ROOT

PAGE = (ROOT / "docs" / "collection-messages.md").read_text(encoding="utf-8")


def test_action_is_decoded_by_its_kind():
    text = (
        b'{"type": "act", "dialog": "d1", "id": "a1", "action": {"kind": "rate", "turn": 1, '
        b'"natural": 5, "literal": 4, "next_questions": 3, "leads": 2, '
        b'"faithful": 1}}'
    )
    act = msgspec.json.decode(text, type=CLIENT)
    assert isinstance(act, Act)
    assert msgspec.json.decode(act.action, type=ANY_ACTION) == Rate(
        turn=1, natural=5, literal=4, next_questions=3, leads=2, faithful=1
    )


@pytest.mark.parametrize(
    "text",
    [
        b'{"type": "act", "dialog": "d1", "id": "../a", "action": {"kind": "end"}}',
        b'{"type": "hello", "token": "t", "admin": true}',
        b'{"type": "welcome"}',
        b"[]",
        b"\xff",
    ],
)
def test_what_the_contract_does_not_have_is_refused(text: bytes):
    with pytest.raises((msgspec.MsgspecError, UnicodeDecodeError)):
        msgspec.json.decode(text, type=CLIENT)


@pytest.mark.parametrize(
    "text",
    [
        b'{"kind": "ask", "question": ""}',
        b'{"kind": "end", "more": 1}',
        b'{"kind": "away"}',
        b'{"kind": "report", "problem": "other", "text": "\\u0000"}',
        b'{"kind": "open", "page": "\\u0000"}',
    ],
)
def test_action_that_the_contract_does_not_have_is_refused(text: bytes):
    with pytest.raises(msgspec.MsgspecError):
        msgspec.json.decode(text, type=ANY_ACTION)


@pytest.mark.parametrize("union", [ANY_ACTION, CLIENT, SERVER_MESSAGE, ANY_VIEW])
def test_every_tag_is_documented(union: object):
    for kind in get_args(union):
        assert f"`{kind.__struct_config__.tag}`" in PAGE, kind


@pytest.mark.parametrize("union", [ANY_ACTION, CLIENT, SERVER_MESSAGE])
def test_every_field_is_documented(union: object):
    for kind in get_args(union):
        rows = [line for line in PAGE.splitlines() if re.match(rf"\| [^|]*`{_tag(kind)}`", line)]
        named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
        assert set(kind.__struct_fields__) <= named, _tag(kind)


@pytest.mark.parametrize(
    "module", [forms, admin], ids=lambda module: module.__name__.rsplit(".", 1)[1]
)
def test_every_body_of_a_request_is_documented(module: object):
    bodies = [kind for kind in vars(module).values() if _is_form(kind)]
    assert len(bodies) > 5
    for kind in bodies:
        assert f"`{kind.__name__}`" in PAGE


def test_every_view_has_a_frame():
    assert all(issubclass(kind, View) for kind in get_args(ANY_VIEW))


def _tag(kind: type) -> str:
    return str(kind.__struct_config__.tag)


def _is_form(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, forms.Form) and kind is not forms.Form
