"""Summaries and comparisons of real files, with a scripted model over loopback."""

import re
from pathlib import Path

import pytest

from seminar.assembly import open_files
from seminar.settings import Settings
from seminar.types import Dialogue, Reply
from tests.completions import Response, lines_in, serving, streamed

FERRY = "The ferry Lodestar crosses in 55 minutes. Dogs travel free on the ferry."
BUS = "The night bus crosses the bridge in 20 minutes. Dogs pay 2 crowns on the bus."


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SEMINAR_HOME", str(tmp_path / "home"))
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "ferry.md").write_text(f"# Ferry\n\n{FERRY}\n")
    (folder / "bus.md").write_text(f"# Bus\n\n{BUS}\n")
    return folder


def copying(prompt: str, _: int) -> Response:
    """The first sentence of each passage, and one that is made up."""
    lines = [line for line in lines_in(prompt) if "text" in line]
    told = [f"{re.findall('The [^.]*[.]', line['text'])[0]} [{line['passage']}]" for line in lines]
    return streamed(" ".join([*told, "Both sank in 1911. [1]"]))


def asked(folder: Path, question: str, script=copying) -> Reply:
    with serving(script) as (url, _):
        assistant = open_files([folder], Settings(llm=url, model="scripted")).assistant
        return assistant.reply(Dialogue(), question)


def test_a_document_is_summarised_with_citations(folder: Path):
    reply = asked(folder, "Summarise the ferry")
    [segment] = reply.prose.segments
    assert reply.text == segment.text == "The ferry Lodestar crosses in 55 minutes."
    assert reply.literal[0].source == "ferry.md"
    assert reply.prose.left_out == 1


def test_two_things_are_compared_from_passages_of_each(folder: Path):
    reply = asked(folder, "Compare the ferry with the night bus")
    sources = {span.source for one in reply.prose.segments for span in one.spans}
    assert sources == {"ferry.md", "bus.md"}
    assert "1911" not in reply.text
    assert reply.notes[-1].endswith("not borne out by the passages: left out")


def test_a_model_that_fails_leaves_the_quotations(folder: Path):
    reply = asked(folder, "Summarise the ferry", lambda _, __: Response(b"", 401))
    assert reply.text.startswith("I quote, I don't summarise")
    assert reply.notes[-1].endswith("the files were quoted instead")
