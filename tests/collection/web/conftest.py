"""Chromium over real servers of studies."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright import sync_api as playwright

from seminar.collection.corpus.storing import write_corpus
from tests.browser import NewPage, chromium, new_page, screenshot, skip_without_chromium
from tests.collection.studies import ADMIN, Running, serving
from tests.collection.web.corpus import CORPORA, CORPUS

__all__ = ["chromium", "new_page", "screenshot"]

INTRODUCTION = """In this study **two people** talk about Port Varn, a town by the sea.

- It takes ten minutes.
- You are paid for every turn.

<script src="/evil.js"></script>"""
CONSENT = """We keep what you write, under a number and without your name.

1. You may stop at any time.
2. You may have everything deleted, from the menu."""
INSTRUCTIONS = {
    "student": "Ask what you want to know of the section. *Short* questions are good questions.",
    "teacher": "Answer with words of the section. Say what the student should ask about next.",
    "questioner": "Ask about the documents whose titles you see, and move on to new ones.",
    "answerer": "Find the answer, mark the words that justify it, and answer in your own words.",
    "writer": "Read the conversation, then write a question with its answer.",
}
ROLES = {
    "quac": ("student", "teacher"),
    "topiocqa": ("questioner", "answerer"),
    "pragmaticqa": ("student", "teacher"),
    "qaconv": ("writer",),
}

NewStudy = Callable[..., Running]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    skip_without_chromium(Path(__file__).parent, config, items)


@pytest.fixture(autouse=True)  # so that it begins before the pages, and ends after them
def new_study(tmp_path: Path) -> Iterator[NewStudy]:
    """Serves studies of a protocol, with tables of STUDY.toml."""
    with ExitStack() as stack:

        def begin(protocol: str, **tables: object) -> Running:
            folder = tmp_path / protocol
            write_corpus(folder / "corpus", CORPORA.get(protocol, CORPUS))
            texts = {
                "consent": CONSENT,
                "introduction": INTRODUCTION,
                "contact": "research@example.org",
                "instructions": {role: INSTRUCTIONS[role] for role in ROLES[protocol]},
            }
            usual = {"texts": texts, "pay": {"turn": "0.10"}, "quotas": {"per_subject": 0}}
            fields = {
                "name": "varn",
                "title": "Talks about Port Varn",
                "protocol": protocol,
                "corpus": "corpus",
                **usual,
                **tables,
            }
            lines = [f"{name} = {_toml(value)}" for name, value in fields.items()]
            file = folder / "STUDY.toml"
            file.write_text("\n".join(lines), encoding="utf-8")
            return stack.enter_context(serving(file))

        yield begin


def _toml(value: object) -> str:
    """A value as TOML writes it, tables in one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name} = {_toml(one)}" for name, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value)


@pytest.fixture
def admin_of(new_page: NewPage) -> Callable[[Running], playwright.Page]:
    """Opens the dashboard of a study by the admin's link."""

    def enter(study: Running) -> playwright.Page:
        page = new_page(study.url)
        page.goto(f"/admin#token={ADMIN}")
        page.get_by_role("heading", name="varn").wait_for()
        return page

    return enter
