"""Summaries of more than a context holds, with a scripted model and the shipped reader."""

import re
from pathlib import Path

import pytest

from seminar.errors import EndpointError
from seminar.reading.readers import load_span_model
from seminar.types import Passage, Span
from seminar.writing.budget import Budget
from seminar.writing.grounding import Grounder
from seminar.writing.summaries import Summariser
from tests.completions import ScriptedChat, lines_in

FACTS = [f"The lighthouse keeper number {at} was paid {100 + at} crowns." for at in range(24)]
FILLER = " The wind blew from the west over the grey bay and nobody came to see the lamp." * 6


def passages() -> list[Span]:
    texts = [fact + FILLER for fact in FACTS]
    return [
        Span(Passage("log.md", 1000 * at, 1000 * at + len(t), t, "Log"), 0, len(t))
        for at, t in enumerate(texts)
    ]


def first_sentences(prompt: str) -> str:
    """The first sentence of every passage, as it stands, and one that none of them says."""
    lines = [line for line in lines_in(prompt) if "text" in line]
    told = [f"{line['text'].partition('. ')[0].rstrip('.')}. [{line['passage']}]" for line in lines]
    return " ".join([*told[:3], "The keeper was paid 999 crowns. [1]"])


def summariser(model: ScriptedChat, folder: Path) -> Summariser:
    return Summariser(
        model, Grounder(load_span_model()), Budget(1_600, 300), folder=folder / "kept"
    )


def test_a_long_text_is_summarised_in_parts_and_cited(tmp_path: Path):
    model = ScriptedChat(first_sentences)
    heard: list[str] = []
    prose = summariser(model, tmp_path).summarise("the log", passages(), heard.append)
    assert len(model.chats) > 3
    assert "(part 1 of" in "".join(heard)
    assert prose.segments
    for segment in prose.segments:
        [span] = segment.spans
        assert span.passage.source == "log.md"
        assert re.findall(r"\d+", segment.text) == re.findall(r"\d+", span.text)
    assert prose.left_out == len(model.chats)
    assert prose.read == 100 * len(model.chats)
    assert not (tmp_path / "kept").exists()


def test_a_summary_that_was_stopped_goes_on(tmp_path: Path):
    calls: list[str] = []

    def failing(prompt: str) -> str:
        calls.append(prompt)
        if len(calls) == 3:
            raise EndpointError("it can't be reached")
        return first_sentences(prompt)

    with pytest.raises(EndpointError):
        summariser(ScriptedChat(failing), tmp_path).summarise("", passages(), lambda _: None)
    again = ScriptedChat(first_sentences)
    whole = ScriptedChat(first_sentences)
    resumed = summariser(again, tmp_path).summarise("", passages(), lambda _: None)
    fresh = summariser(whole, tmp_path / "other").summarise("", passages(), lambda _: None)
    assert resumed.segments == fresh.segments
    assert len(whole.chats) - len(again.chats) == 2


def test_nothing_to_summarise_is_no_summary(tmp_path: Path):
    prose = summariser(ScriptedChat(lambda _: ""), tmp_path).summarise("", [], lambda _: None)
    assert prose.segments == ()
