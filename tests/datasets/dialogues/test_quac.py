import json
from pathlib import Path

from seminar.datasets.catalog import load
from seminar.datasets.dialogues.quac import answerable
from seminar.examples import Example, Gold
from seminar.training.samples import split_off

CONTEXT = (
    "Mira Holt built the Lindmere lighthouse in 1871. She lit it with whale oil. "
    "The lamp was replaced in 1904. CANNOTANSWER"
)


def test_validation_file(files: Path):
    examples = list(load("quac/val", files))
    assert len(examples) == 4
    first = Example(
        id="C_holt_1_q#0",
        dialogue_id="C_holt_1",
        question="What did she build?",
        gold=Gold(
            answers=(
                "the Lindmere lighthouse",
                "Mira Holt built the Lindmere lighthouse in 1871.",
            ),
            spans=((16, 39), (0, 48)),
            affirmation="neither",
            continuation="follow up",
        ),
        context=CONTEXT,
        title="Mira Holt",
        section="Lighthouse",
        background="Mira Holt was an engineer of Lindmere.",
        sources=("C_holt_1",),
    )
    assert examples[0] == first
    assert examples[1].gold == Gold(
        answers=("She lit it with whale oil.", "CANNOTANSWER", "whale oil"),
        spans=((49, 75), (107, 119), (65, 74)),
        affirmation="yes",
        continuation="maybe",
    )
    assert examples[3].id == "C_vale_1_q#0"
    assert examples[3].history == ()
    assert examples[3].gold.affirmation == "no"
    assert examples[3].gold.continuation == "don't"


def test_history_holds_the_teachers_answers(files: Path):
    third = list(load("quac/val", files))[2]
    assert third.turn == 3
    assert third.history == (
        ("What did she build?", "the Lindmere lighthouse"),
        ("Did she use oil?", "She lit it with whale oil."),
    )


def test_half_of_the_annotators_make_a_question_unanswerable(files: Path):
    assert not list(load("quac/val", files))[2].gold.answerable
    assert not answerable(["CANNOTANSWER", "1904"])
    assert answerable(["CANNOTANSWER", "1904", "in 1904"])


def test_part_puts_the_first_three_turns_before_the_others(files: Path):
    examples = list(load("quac/val-part", files))
    assert [(one.id, one.question, one.gold.answers) for one in examples] == [
        ("val-part-0_q#0", "What did she build?", ("the Lindmere lighthouse", "lighthouse")),
        ("val-part-0_q#1", "How was it lit?", ("whale oil", "She lit it with whale oil.")),
        ("val-part-0_q#2", "Who paid?", ("CANNOTANSWER", "CANNOTANSWER", "1904")),
        ("val-part-0_q#3", "Is it still there?", ("CANNOTANSWER",)),
    ]
    assert examples[0].gold.spans == ((16, 39), (29, 39))
    assert examples[3].history[0] == (
        "What did she build?",
        "Mira Holt built the Lindmere lighthouse in 1871.",
    )


def test_part_with_all_references(files: Path):
    examples = list(load("quac/val-part-references", files))
    assert [one.turn for one in examples] == [1, 2, 3]


def test_held_out_dialogs_are_those_that_training_holds_out(files: Path, tmp_path: Path):
    [dialog, *_] = json.loads((files / "quac" / "val-part.json").read_text())
    (tmp_path / "quac").mkdir()
    (tmp_path / "quac" / "val-part.json").write_text(json.dumps([dialog] * 130))
    held_out = list(load("quac/val-part-held-out", tmp_path))
    _, expected = split_off(load("quac/val-part", tmp_path), 100)
    assert held_out == expected
    assert len({example.dialogue_id for example in held_out}) == 100
