import json

import pytest

pytest.importorskip("bm25s")

from seminar.examples import Example, Gold
from seminar.models.reader.model import ReaderModel
from seminar.models.word_pieces import WordPieces
from seminar.training.reader.pseudo_answers import (
    others_than,
    pseudo_answers,
    read_pseudo_answers,
)
from tests.paths import TINY_READER


def asked(number: int, context: str) -> Example:
    gold = Gold(answers=("at nine",))
    return Example(str(number), "d", "when does the ferry leave", gold, context=context)


def test_every_answer_is_of_some_passage_and_none_repeats_the_gold():
    contexts = [f"the ferry leaves at nine and costs {n} pounds" for n in range(6)]
    corpus = [asked(number, context) for number, context in enumerate(contexts)]
    found = pseudo_answers(corpus[:2], corpus, ReaderModel(TINY_READER))
    assert set(found) == {"0", "1"}
    for said in found.values():
        assert all(any(one in context for context in contexts) for one in said)
        assert "at nine" not in said
        assert len(said) == len(set(said)) <= 4


def test_wording_that_the_scorers_overlook_makes_no_new_answer():
    assert others_than(["The Colts"], ["colts!", "Giants", "the Giants", "..."]) == ["Giants"]


def test_answers_are_read_in_word_pieces(tmp_path):
    path = tmp_path / "found.json"
    path.write_text(json.dumps({"1": ["two pounds"], "2": []}))
    pieces = WordPieces(TINY_READER)
    assert read_pseudo_answers(path, pieces) == {"1": (pieces.split("two pounds"),)}
