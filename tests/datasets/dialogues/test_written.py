"""Written dialogues: turns as examples, and documents as files that ingestion reads back."""

import json
from pathlib import Path

import pytest

from seminar.datasets.catalog import load, locate
from seminar.datasets.dialogues.written import read_sets
from seminar.datasets.dialogues.written_files import markdown, write_files
from seminar.errors import DatasetError
from seminar.ingestion.discover import discover
from seminar.ingestion.loader import read_passages
from tests.paths import DATASET_FILES


def test_a_turn_has_its_documents_text_and_the_earlier_turns():
    examples = list(load("written/dev", DATASET_FILES))
    assert len(examples) == 6
    second = examples[1]
    assert second.history == (("When does the night boat leave?", "21:30"),)
    [(start, end)] = second.gold.spans
    assert second.context[start:end] == "Children under six travel free."
    assert second.gold.affirmation == "yes"
    assert second.gold.rewrites == ("Is the night boat free for small children?",)


def test_an_unanswerable_turn_is_shown_with_its_most_tempting_document():
    examples = list(load("written/dev", DATASET_FILES))
    assert not examples[2].gold.answerable
    assert examples[2].title == "The night boat"
    assert examples[3].history[-1] == ("who built it", "")


def test_alternatives_are_annotated_with_their_reading():
    [first, second] = list(load("written/dev", DATASET_FILES))[3].gold.annotations[0]
    assert first.aliases == ("the quay",)
    assert (second.aliases, second.question) == (("the north pier",), "on other days")


def test_rows_of_a_table_stay_together_in_markdown():
    [group] = read_sets(locate("written/dev", DATASET_FILES))
    page = markdown(group.documents[0])
    assert "| Class | Price |\n| --- | --- |\n| Deck | 12 |\n| Cabin | 40 |" in page


def test_every_answer_is_in_a_passage_of_its_file(tmp_path: Path):
    [group] = read_sets(locate("written/dev", DATASET_FILES))
    sources = write_files(group, tmp_path)
    files, problems = discover([tmp_path])
    assert not problems
    passages = [one for file in files for one in read_passages(file, pytest.fail)]
    for turn in group.dialogues[0]:
        for quote in (*turn.answers, *turn.near):
            own = [
                one.text
                for one in passages
                if one.source.startswith(sources[quote.document])
                or any(
                    utterance.source.startswith(sources[quote.document])
                    for utterance in one.utterances
                )
            ]
            assert any(quote.text in text for text in own), quote


def test_speakers_of_chats_mail_and_transcripts_are_kept(tmp_path: Path):
    [group] = read_sets(locate("written/dev", DATASET_FILES))
    write_files(group, tmp_path)
    files, _ = discover([tmp_path])
    passages = [one for file in files for one in read_passages(file, pytest.fail)]
    speakers = {utterance.speaker for passage in passages for utterance in passage.utterances}
    assert speakers == {"Ana Kowal", "Bo Lind", "Chair"}


def test_an_unknown_kind_of_document_is_named(tmp_path: Path):
    path = tmp_path / "dev.jsonl"
    document = {"id": "d1", "kind": "fax", "title": "x", "text": "y"}
    path.write_text(json.dumps({"id": "a", "domain": "", "documents": [document]}))
    with pytest.raises(DatasetError, match=r"documents\[0\]\.kind: expected one of page, chat"):
        list(read_sets(path))
