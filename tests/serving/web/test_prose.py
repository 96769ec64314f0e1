"""Prose in the browser: a comparison as a table whose citations open."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from seminar.serving.settings import ServiceSettings
from seminar.settings import Settings
from tests.browser import NewPage
from tests.completions import Response, lines_in, serving, streamed
from tests.serving.conftest import Service, running
from tests.serving.web.steps import begin

FERRY = "The ferry Lodestar crosses in 55 minutes. Dogs travel free on the ferry."
BUS = "The night bus crosses the bridge in 20 minutes. Dogs pay 2 crowns on the bus."


def comparing(prompt: str, _: int) -> Response:
    """The first sentence of each passage, and one that rests on two."""
    lines = [line for line in lines_in(prompt) if "text" in line]
    told = [f"{re.findall('The [^.]*[.]', line['text'])[0]} [{line['passage']}]" for line in lines]
    both = f"{FERRY.partition('.')[0]} and t{BUS[1:].partition('.')[0]}. [1] [2]"
    return streamed(" ".join([*told, both]))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    place = tmp_path_factory.mktemp("compared")
    files = place / "files"
    files.mkdir()
    (files / "ferry.md").write_text(f"# Ferry\n\n{FERRY}\n")
    (files / "bus.md").write_text(f"# Bus\n\n{BUS}\n")
    with serving(comparing) as (url, _):
        assistant = Settings(encoder="static", llm=url, model="scripted")
        settings = ServiceSettings(folder=place / "state", paths=(files,), assistant=assistant)
        with running(settings) as service:
            service.wait_for_index(service.collection)
            yield service


def test_a_comparison_has_a_column_for_each_side(written: Service, new_page: NewPage):
    page = new_page(written.url)
    turn = begin(page, written.collection, "Compare the ferry with the night bus")
    assert turn.locator(".comparison th").all_inner_texts() == ["the ferry", "the night bus"]
    cells = turn.locator(".comparison td").all_inner_texts()
    assert cells[0].startswith("The ferry Lodestar crosses in 55 minutes.")
    assert cells[1].startswith("The night bus crosses the bridge in 20 minutes.")
    expect(turn.locator(".prose > .answer-text")).to_contain_text("and the night bus")
    turn.locator(".comparison .mark").first.click()
    expect(turn.locator(".evidence mark")).to_contain_text("crosses in 55 minutes")
