"""The example collection keeps its promises: every answer stands where the questions say."""

import tomllib

import pytest

from seminar.ingestion.discover import discover
from seminar.ingestion.loader import read
from seminar.types import Document, Thread, Utterance
from tests.paths import EXAMPLES

COLLECTION = EXAMPLES / "collection"
ASKED = tomllib.loads((EXAMPLES / "questions.toml").read_text(encoding="utf-8"))["question"]
KINDS = {"factual", "yes-no", "ambiguous", "unanswerable", "message", "who", "words", "joint"}
CONVERSATIONS = {"message", "who", "words", "joint"}


@pytest.fixture(scope="module")
def read_files() -> list[Document | Thread]:
    files, problems = discover([COLLECTION])
    assert problems == []
    told: list[object] = []
    found = [item for file in files for item in read(file, told.append)]
    assert told == []
    return found


@pytest.fixture(scope="module")
def said(read_files: list[Document | Thread]) -> list[Utterance]:
    return [one for item in read_files if isinstance(item, Thread) for one in item.utterances]


def flat(text: str) -> str:
    return " ".join(text.split())


def test_every_kind_is_known_and_no_question_is_asked_twice():
    assert {one["kind"] for one in ASKED} == KINDS
    questions = [one["question"] for one in ASKED]
    assert len(questions) == len(set(questions))


def test_documents_hold_their_answers(read_files: list[Document | Thread]):
    texts = {item.source: flat(item.text) for item in read_files if isinstance(item, Document)}
    for one in ASKED:
        told = [one["and"]] if "and" in one else []
        if "source" in one and one["kind"] not in CONVERSATIONS:
            told += [one, *one.get("alternatives", [])]
        for place in told:
            assert flat(place["answer"]) in texts[place["source"]], one["question"]


@pytest.mark.parametrize(
    "asked", [one for one in ASKED if one["kind"] in CONVERSATIONS], ids=lambda one: one["question"]
)
def test_messages_hold_their_answers(asked: dict[str, str], said: list[Utterance]):
    speaker = asked.get("speaker", asked["answer"])
    wanted = asked.get("said", asked["answer"])
    own = [one.text for one in said if one.source == asked["source"] and one.speaker == speaker]
    for words in (wanted, *asked.get("further", ())):
        assert any(words in text for text in own), words


def test_the_conversations_are_read_as_what_they_are(read_files: list[Document | Thread]):
    threads = [item for item in read_files if isinstance(item, Thread)]
    assert {one.channel.partition("/")[0] for one in threads} == {"mail", "panel", "slack"}
    assert sorted(one.title for one in threads if one.channel.startswith("mail/")) == [
        "Our clock has lost a minute",
        "Scanner lamp",
        "The lift in the library",
    ]


def test_quotations_signatures_joins_and_markup_are_no_message(said: list[Utterance]):
    spoken = "\n".join(one.text for one in said)
    assert "wrote:" not in spoken
    assert "Every crown has two sides" not in spoken
    assert "has joined the channel" not in spoken
    assert "<@U" not in spoken
