from dataclasses import replace
from pathlib import Path

from seminar.datasets.catalog import load, passages, threads
from seminar.examples import Evidence, Example, Gold
from seminar.types import Passage, Thread, Utterance

MAIL = "Ada Moor: Shall we meet?\nBo Lind: On Tuesday, yes."
MAIL_UTTERANCES = (
    Utterance("bc3-bc3_001-0", "Ada Moor", "Shall we meet?", start=0, end=24),
    Utterance("bc3-bc3_001-1", "Bo Lind", "On Tuesday, yes.", start=25, end=50),
)


def test_questions_alone(files: Path):
    examples = list(load("qaconv/val", files))
    assert len(examples) == 3
    assert examples[0] == Example(
        id="val-0",
        dialogue_id="val-0",
        question="When is the meeting?",
        gold=Gold(answers=("Tuesday", "on Tuesday"), evidence=(Evidence(source="bc3-1"),)),
        domain="bc3",
        sources=("bc3-bc3_001",),
    )
    assert examples[1].sources == ("slack-lindmere-0-1", "slack-lindmere-0-2")
    assert examples[1].domain == "openslack"
    assert examples[2].gold == Gold(answerable=False, evidence=(Evidence(source="bc3-1"),))


def test_chunk_mode_gives_the_chunk(files: Path):
    examples = list(load("qaconv/val-chunk", files))
    assert [one.context for one in examples] == [
        MAIL,
        "Kit: tide fails for me\nRae: update it",
        MAIL,
    ]


def test_full_mode_gives_the_conversations_that_are_there(files: Path):
    examples = list(load("qaconv/val-full", files))
    assert [(one.id, one.context) for one in examples] == [("val-0", MAIL), ("val-2", MAIL)]


def test_conversations_as_threads(files: Path):
    first, last = threads("qaconv", files)
    utterances = tuple(replace(one, source="bc3-bc3_001") for one in MAIL_UTTERANCES)
    assert first == Thread("bc3-bc3_001", "bc3-bc3_001", MAIL, utterances, "bc3-bc3_001")
    assert last.text == "Kit: tide fails for me"
    assert last.channel == "slack-lindmere"


def test_chunks_as_passages(files: Path):
    first, last = passages("qaconv", files)
    assert first == Passage(
        "bc3-1", 0, 50, MAIL, title="bc3-1", scope="bc3-bc3_001", utterances=MAIL_UTTERANCES
    )
    assert (last.source, last.scope) == ("openslack-9", "slack-lindmere")
