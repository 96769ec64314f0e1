import json
from pathlib import Path

from seminar.datasets.catalog import load, load_file, passages
from seminar.examples import Evidence, Example, Gold
from seminar.types import Passage


def test_with_passages_and_further_answers(files: Path):
    first = next(load("topiocqa/dev", files))
    assert first == Example(
        id="1_1",
        dialogue_id="1",
        question="who built the lindmere lighthouse",
        gold=Gold(
            answers=("Mira Holt", "Holt", "the engineer Mira Holt"),
            topic="Lindmere lighthouse",
            section="Introduction",
            evidence=(
                Evidence(
                    "It was built by Mira Holt.",
                    source="wiki:42",
                    title="Lindmere lighthouse [SEP] Introduction",
                ),
            ),
        ),
    )


def test_turns_without_gold_passages_have_no_evidence(files: Path):
    _, unanswerable, last = load("topiocqa/dev", files)
    assert unanswerable.gold == Gold(answers=("UNANSWERABLE",), answerable=False)
    assert unanswerable.history == (("who built the lindmere lighthouse", "Mira Holt"),)
    assert (last.id, last.gold.answers, last.gold.topic) == ("2_1", ("90 metres",), "Sound")


def test_json_lines_are_the_same(tmp_path: Path, files: Path):
    records = json.loads((files / "topiocqa/topiocqa_dev.json").read_text())
    path = tmp_path / "topiocqa_valid.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    assert list(load_file("topiocqa", path)) == list(load("topiocqa/dev", files))


def test_retriever_file(files: Path):
    first, last = load("topiocqa/dev-all-history", files)
    assert first == Example(
        id="1_2",
        dialogue_id="1",
        question="who built it [SEP] Mira Holt [SEP] when",
        gold=Gold(
            answers=("1871",),
            evidence=(
                Evidence("It was built in 1871.", "wiki:43", "Lindmere lighthouse [SEP] History"),
            ),
        ),
        turn=2,
    )
    assert last.gold == Gold(answers=("UNANSWERABLE",), answerable=False)


def test_corpus_undoes_the_quoting(files: Path):
    assert list(passages("topiocqa", files)) == [
        Passage("wiki:1", 0, 18, "The sound is deep.", title="Sound", section="Depth"),
        Passage("wiki:2", 0, 27, 'Sailors call it "the well".', title="Sound", section="Names"),
    ]
