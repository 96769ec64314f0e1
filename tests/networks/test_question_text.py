import numpy as np

from seminar.networks.question_text import (
    PART_WORDS,
    WORDS,
    ConversationalEncoder,
    conversation_text,
)
from seminar.types import Matrix


class Counting:
    """Says which encoder it is, and how long the text was."""

    name, dimensions = "counting", 2

    def __init__(self, mark: float) -> None:
        self.mark = mark

    def encode(self, texts) -> Matrix:
        return np.array([[self.mark, len(text)] for text in texts], dtype=np.float32)


def test_only_a_text_with_a_history_goes_to_the_tuned_encoder():
    encoder = ConversationalEncoder(tuned=Counting(1), plain=Counting(0))
    later = "Who came? [SEP] Ann [SEP] Why?"
    assert encoder.encode(["Who came?", later]).tolist() == [[0, 9], [1, len(later)]]
    assert (encoder.name, encoder.dimensions) == ("counting", 2)
    assert encoder.encode([]).shape[0] == 0


def test_the_first_part_and_the_newest_stay():
    turns = [("first one", "a")] + [(f"question {number}", "word " * 20) for number in range(20)]
    text = conversation_text("And now?", turns)
    assert text.startswith("first one [SEP] ")
    assert "question 19" in text
    assert "question 3 " not in text
    assert text.endswith("[SEP] And now?")
    assert len(text.replace("[SEP]", "").split()) <= WORDS


def test_a_long_answer_is_cut():
    text = conversation_text("Why?", [("Who?", "word " * 99)])
    assert text.count("word") == PART_WORDS


def test_a_question_with_nothing_before_it_is_itself():
    assert conversation_text("Why?", []) == "Why?"
