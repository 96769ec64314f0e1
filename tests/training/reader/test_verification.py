"""Entailment, negation and answerability as questions, from a small file of each source."""

import gzip
import json
from pathlib import Path

import pytest

from seminar.errors import ConfigurationError
from seminar.examples import Example, Gold
from seminar.training.reader.verification import (
    FOLDER,
    SOURCES,
    as_question,
    untokenised,
    verification_examples,
)

PREMISE = "A man is steering a ferry ."
LONG = " ".join(["word"] * 41)
STORY = "The miller lost his\nonly mill in the flood. Then he wept."
RECORDS = {
    "mnli/mnli_3way.jsonl.gz": [
        {"premise": PREMISE, "hypothesis": "A man is awake.", "label": "entailment"},
        {"premise": PREMISE, "hypothesis": "The man is asleep.", "label": "contradiction"},
        {"premise": PREMISE, "hypothesis": "The ferry is late.", "label": "neutral"},
        {"premise": PREMISE, "hypothesis": "It rains.", "label": "-"},
        {"premise": LONG, "hypothesis": "There are words.", "label": "entailment"},
    ],
    "scitail/scitail.jsonl.gz": [
        {"premise": "a", "hypothesis": "b", "label": "entailment", "official_split": "test"},
        {"premise": "a", "hypothesis": "b", "label": "entailment", "official_split": "train"},
    ],
    "fever_dev/fever_dev_claims.jsonl.gz": [
        {"evidence": "Oslo is a city.", "claim": "Oslo is a city.", "label": "supports"}
    ],
    "condaqa/test.jsonl.gz": [
        {"id": "7", "passage": "It isn't open.", "question": "Is it open?", "label": "NO"},
        {"id": "8", "passage": "It isn't open.", "question": "Is it old?", "label": "DON'T KNOW"},
    ],
    "doqa/doqa_part.jsonl.gz": [
        {
            "passage": "Soak the beans overnight.",
            "question": "How long?",
            "label": "answerable",
            "answers": [{"text": "overnight", "answer_start": 15}],
            "history": [{"text": "Should I soak them?"}, {"text": "I don't know"}],
        },
        {"passage": "p", "question": "Why?", "label": "unanswerable", "history": []},
    ],
    "fairytaleqa/train.jsonl.gz": [
        {
            "passage": STORY,
            "question": "Why did the miller weep?",
            "answers": [{"text": "lost his only mill to the flood"}],
        },
        {"passage": STORY, "question": "Who came?", "answers": [{"text": "A wolf."}]},
    ],
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    for name in SOURCES:
        path = folder / FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = "".join(f"{json.dumps(record)}\n" for record in RECORDS.get(name, []))
        path.write_bytes(gzip.compress(lines.encode()))
    return folder


@pytest.fixture(scope="module")
def examples(root: Path) -> dict[str, Example]:
    return {example.id: example for example in verification_examples(100, root)}


@pytest.mark.parametrize(
    ("statement", "question"),
    [
        ("The ferry is late.", "Is the ferry late?"),
        ("Oslo was founded in 1048.", "Was Oslo founded in 1048?"),
        ("They can swim", "Can they swim?"),
        ("The ferry is not late.", "Is it true that the ferry is not late?"),
        ("Sailors like the ferry.", "Is it true that sailors like the ferry?"),
        ("If it rains, it is late.", "Is it true that if it rains, it is late?"),
        ("NATO met in May.", "Is it true that NATO met in May?"),
        ("I agree.", "Is it true that I agree?"),
    ],
)
def test_a_statement_becomes_a_yes_or_no_question(statement: str, question: str):
    assert as_question(statement) == question


def test_space_tokenised_text_is_joined():
    text = "`` It wo n't sail ( today ) '' , he said : the crew 's ill ."
    assert untokenised(text) == "\"It won't sail (today)\", he said: the crew's ill."


def test_entailment_is_yes_contradiction_no_and_neutral_unanswerable(examples):
    golds = [examples[f"mnli-{number}"].gold for number in range(3)]
    span = ((0, len("A man is steering a ferry.")),)
    assert golds == [
        Gold(("yes",), spans=span, affirmation="yes"),
        Gold(("no",), spans=span, affirmation="no"),
        Gold(answerable=False),
    ]
    assert examples["mnli-1"].question == "Is the man asleep?"
    assert examples["mnli-1"].context == "A man is steering a ferry."


def test_records_without_a_known_label_are_left_out(examples):
    assert "mnli-3" not in examples


def test_a_long_premise_has_no_evidence_span(examples):
    assert examples["mnli-4"].gold == Gold(("yes",), affirmation="yes")


def test_only_the_training_part_of_scitail_is_used(examples):
    assert [name for name in examples if name.startswith("scitail")] == ["scitail-1"]


def test_claims_are_asked_of_their_evidence(examples):
    assert examples["fever_dev-0"].question == "Is Oslo a city?"
    assert examples["fever_dev-0"].gold.affirmation == "yes"


def test_condaqa_has_a_yes_or_no_without_evidence(examples):
    assert examples["condaqa-7"].gold == Gold(("no",), affirmation="no")
    assert examples["condaqa-8"].gold == Gold(answerable=False)


def test_doqa_has_spans_and_a_history(examples):
    soaked = examples["doqa-0"]
    [(start, end)] = soaked.gold.spans
    assert soaked.context[start:end] == "overnight"
    assert soaked.history == (("Should I soak them?", "CANNOTANSWER"),)
    assert examples["doqa-1"].gold == Gold(answerable=False)


def test_fairytales_keep_answers_that_the_story_has_in_about_the_same_words(examples):
    [(start, end)] = examples["fairytale-0"].gold.spans
    assert examples["fairytale-0"].context[start:end] == "lost his only mill in the flood"
    assert "fairytale-1" not in examples


def test_a_limit_takes_a_fixed_sample_of_each_source(root: Path):
    few = verification_examples(1, root)
    assert len(few) == 6
    assert verification_examples(1, root) == few


def test_without_data_the_variable_is_named(monkeypatch):
    monkeypatch.delenv("SEMINAR_DATA", raising=False)
    with pytest.raises(ConfigurationError, match="SEMINAR_DATA"):
        verification_examples(1)
