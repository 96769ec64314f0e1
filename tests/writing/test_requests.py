"""Summaries and comparisons of real files, with a scripted model over loopback."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from seminar.assembly import open_files
from seminar.settings import Settings
from seminar.types import Dialogue, Hit, Passage, Reply, Segment, Span
from seminar.writing.requests import shared_out, side_of
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


def test_the_sentences_of_a_comparison_have_their_sides(folder: Path):
    def comparing(prompt: str, at: int) -> Response:
        both = f"{FERRY.partition('.')[0]} and t{BUS[1:].partition('.')[0]}. [1] [2]"
        lines = [line for line in lines_in(prompt) if "text" in line]
        told = [
            f"{re.findall('The [^.]*[.]', line['text'])[0]} [{line['passage']}]" for line in lines
        ]
        return streamed(" ".join([*told, both]))

    prose = asked(folder, "Compare the ferry with the night bus", comparing).prose
    assert prose.sides == ("the ferry", "the night bus")
    assert [(one.text, one.side) for one in prose.segments] == [
        ("The ferry Lodestar crosses in 55 minutes.", "the ferry"),
        ("The night bus crosses the bridge in 20 minutes.", "the night bus"),
        (
            "The ferry Lodestar crosses in 55 minutes and the night bus crosses the bridge in 20 "
            "minutes.",
            "",
        ),
    ]


def test_a_passage_that_both_sides_find_belongs_to_the_one_that_ranks_it_higher():
    one, two, three = (
        Hit(Passage(name, 0, 4, "Dogs"), 1.0) for name in ("one.md", "two.md", "three.md")
    )
    assert shared_out([[one, two, three], [two, one]]) == [[one, three], [two]]


def test_a_sentence_that_names_the_other_side_is_on_both():
    passage = Passage("ferry.md", 0, len(FERRY), FERRY)
    owners = {passage.id: "the ferry", "bus.md#0-4": "the bus"}
    longer = Segment("It takes longer than the bus.", (Span(passage, 0, 10),))
    assert side_of(longer, owners) == ""
    assert side_of(replace(longer, text="It takes 55 minutes."), owners) == "the ferry"


def slack(folder: Path) -> None:
    """A channel with a message on each of three days."""
    channel = folder / "slack" / "boathouse"
    channel.mkdir(parents=True)
    (folder / "slack" / "channels.json").write_text('[{"id": "C1", "name": "boathouse"}]')
    (folder / "slack" / "users.json").write_text('[{"id": "U1", "name": "ada"}]')
    days = {
        "2025-01-30": (1738231200, "The Clara is dry and painted."),
        "2025-02-04": (1738660320, "The Clara has a cracked plank."),
        "2025-03-10": (1741593000, "The Clara sails again."),
    }
    for day, (at, text) in days.items():
        message = {"type": "message", "user": "U1", "text": text, "ts": f"{at}.000100"}
        (channel / f"{day}.json").write_text(json.dumps([message]))


@pytest.mark.parametrize(
    "question",
    ["Summarise #boathouse in February", "What was said in boathouse from 3 to 10 February 2025?"],
)
def test_a_channel_is_summarised_over_a_period(folder: Path, question: str):
    slack(folder)
    reply = asked(folder, question)
    [segment] = reply.prose.segments
    assert segment.text == reply.text == "The Clara has a cracked plank."
    assert reply.literal[0].source.startswith("slack/boathouse/2025-02-04.json")


def test_a_period_without_messages_costs_no_call(folder: Path):
    slack(folder)
    calls: list[str] = []

    def counting(prompt: str, at: int) -> Response:
        calls.append(prompt)
        return copying(prompt, at)

    reply = asked(folder, "Summarise #boathouse in 2023", counting)
    assert reply.text.startswith("Nothing was written in slack/boathouse from 1 January 2023")
    assert (calls, reply.prose) == ([], None)


def test_everything_holds_documents_and_messages(folder: Path):
    slack(folder)
    reply = asked(folder, "Summarise everything")
    sources = {span.source.partition("/")[0] for span in reply.literal}
    assert sources == {"bus.md", "ferry.md", "slack"}


def test_a_topic_that_no_file_has_is_not_a_summary_of_everything(folder: Path):
    reply = asked(folder, "Summarise xylophones")
    assert (reply.prose, reply.answerable) == (None, False)
    assert "No section speaks of xylophones" in reply.text


def test_a_model_that_fails_leaves_the_quotations(folder: Path):
    reply = asked(folder, "Summarise the ferry", lambda _, __: Response(b"", 401))
    assert reply.text.startswith("I quote, I don't summarise")
    assert reply.notes[-1].endswith("the files were quoted instead")
