from pathlib import Path

from seminar.datasets.catalog import load
from seminar.datasets.dialogues.pragmaticqa import community_passages, page_failed
from seminar.examples import Evidence, Example, Gold
from seminar.types import Passage


def test_literal_and_pragmatic_spans_stay_apart(files: Path):
    examples = list(load("pragmaticqa/val", files))
    assert len(examples) == 3
    assert examples[0] == Example(
        id="val-0_1",
        dialogue_id="val-0",
        question="Who is Captain Vale?",
        gold=Gold(
            answers=("A sailor; he also has a parrot.",),
            affirmation="neither",
            topic="Captain Vale",
            literal=(Evidence("Vale is a sailor", elements=("k1", "k2")),),
            pragmatic=(Evidence("His parrot is Inkpot", elements=("k3", "k3")),),
            ratings=(1, 2, 1, 3, 5),
        ),
        title="Captain Vale",
        domain="Comics",
        sources=("Lindmere",),
    )


def test_yes_and_unknown_are_no_spans(files: Path):
    _, yes, unknown = load("pragmaticqa/val", files)
    assert yes.gold.affirmation == "yes"
    assert yes.gold.literal == (
        Evidence("Yes"),
        Evidence("Vale lives", elements=("k4", "k4")),
    )
    assert yes.gold.ratings == ()
    assert yes.history == (("Who is Captain Vale?", "A sailor; he also has a parrot."),)
    assert not unknown.gold.answerable
    assert unknown.history == ()


def test_turns_whose_page_failed_are_known(files: Path):
    assert [page_failed(one) for one in load("pragmaticqa/val", files)] == [False, False, True]


def test_the_spans_of_a_block_make_a_passage_without_repetition():
    literal = (Evidence("Vale is\na sailor", elements=("k1", "k2")), Evidence("Yes"))
    spans = (Evidence("a sailor", elements=("k1",)), Evidence("He has a parrot", elements=("k1",)))
    gold = Gold(literal=literal, pragmatic=spans)
    example = Example("1", "d", "Who?", gold, sources=("Lindmere",))
    text = "Vale is a sailor\nHe has a parrot"
    assert community_passages([example, example]) == {
        "Lindmere": [Passage("Lindmere/k1", 0, len(text), text, title="Lindmere")]
    }


def test_failed_pages_give_no_passages(files: Path):
    failed = [one for one in load("pragmaticqa/val", files) if page_failed(one)]
    assert community_passages(failed) == {}
