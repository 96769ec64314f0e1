import numpy as np

from seminar.models.conversation import ANSWER_WORDS, WORDS, ConversationEncoder, conversation_text
from seminar.types import Matrix, Query


class Counting:
    """Says which encoder it is, and how long the text was."""

    name, dimensions = "counting", 2

    def __init__(self, mark: float) -> None:
        self.mark = mark

    def encode(self, texts) -> Matrix:
        return np.array([[self.mark, len(text)] for text in texts], dtype=np.float32)


def test_only_a_question_with_a_history_goes_to_the_tuned_encoder():
    encoder = ConversationEncoder(tuned=Counting(1), plain=Counting(0))
    first = Query("Who came?", "Who came?")
    later = Query("rewritten", "Why?", history=(("Who came?", "Ann"),))
    assert encoder.encode([first, later]).tolist() == [
        [0, len("Who came?")],
        [1, len("Who came? [SEP] Ann [SEP] Why?")],
    ]
    assert encoder.encode([]).shape[0] == 0


def test_the_first_turn_and_the_newest_stay():
    turns = [("first one", "a")] + [(f"question {number}", "word " * 20) for number in range(20)]
    text = conversation_text("And now?", turns)
    assert text.startswith("first one [SEP] a [SEP] question ")
    assert "question 19" in text
    assert "question 3 " not in text
    assert text.endswith("[SEP] And now?")
    assert len(text.replace("[SEP]", "").split()) <= WORDS


def test_a_long_answer_is_cut():
    text = conversation_text("Why?", [("Who?", "word " * 99)])
    assert text.count("word") == ANSWER_WORDS
