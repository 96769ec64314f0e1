from pathlib import Path

import pytest

from seminar.errors import ConfigurationError
from seminar.models.word_pieces import WordPieces
from seminar.weights import weights_folder

TEXTS = [
    "The café’s ferry left.",
    "猫は 🦔 眠る",
    "half a \ud800 pair",
    "e\u0301 combining",
    "",
    "\u200b",
]


@pytest.fixture(scope="module")
def pieces() -> WordPieces:
    return WordPieces(weights_folder("minilm"))


def test_offsets_count_the_characters_of_the_text(pieces: WordPieces):
    for text, passage in zip(TEXTS, pieces.passages(TEXTS, TEXTS), strict=True):
        assert passage.text == text
        assert all(0 <= start < end <= len(text) for start, end in passage.offsets)
    [ferry] = pieces.passages(["The café’s ferry left."], [""])
    assert ferry.tokens(11, 16) == (4, 5)
    assert [ferry.text[slice(*ferry.offsets[at])] for at in (1, 4)] == ["café", "ferry"]


def test_an_earlier_answer_is_found_by_its_words(pieces: WordPieces):
    [passage] = pieces.passages(["It leaves at nine and costs two pounds."], [""])
    assert passage.find("at nine") == (2, 4)
    assert passage.find("at ten") is None
    assert passage.find("") is None


def test_lines_are_counted_from_the_text(pieces: WordPieces):
    [passage] = pieces.passages(["The ferry\n\nIt leaves\nat nine"], [""])
    assert passage.lines(0, 6) == [0, 0, 2, 2, 3, 3]
    assert passage.lines(1, 3) == [0, 2]


def test_one_text_and_many_are_split_alike(pieces: WordPieces):
    assert pieces.split_all(TEXTS) == [pieces.split(text) for text in TEXTS]


def test_a_folder_without_a_tokenizer_is_named(tmp_path: Path):
    with pytest.raises(ConfigurationError, match=r"needs a tokenizer\.json"):
        WordPieces(tmp_path)
