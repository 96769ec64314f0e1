import numpy as np

from seminar.models.rewriter.edits import Edit, words_of
from seminar.models.rewriter.layout import (
    ANSWERED,
    ASKED,
    CLS,
    HISTORY_WORDS,
    SEP,
    TITLE,
    EditLogits,
    decode,
    history_words,
    lay_out_edits,
)

PHRASES = [(), ("'", "s"), ("in",)]


def pieces(word: str) -> list[int]:
    """Two pieces for a long word, one for a short one."""
    return [900, 901] if len(word) > 4 else [800]


def laid_out(question: str):
    return lay_out_edits(
        history_words("Ann", "", [("Who left", "Bob")]), words_of(question), pieces
    )


def silent(tokens: int) -> EditLogits:
    """Logits that ask for no edit."""
    pair = np.tile(np.array([1.0, 0.0], dtype=np.float32), (tokens, 1))
    phrases = np.zeros((tokens, 3), dtype=np.float32)
    pointers = np.zeros((tokens, tokens), dtype=np.float32)
    return EditLogits(
        pair.copy(), pair.copy(), phrases.copy(), phrases.copy(), pointers.copy(), pointers.copy()
    )


def test_words_know_their_tokens():
    layout = laid_out("Which reason?")
    assert layout.ids == [
        CLS,
        *[800] * 2,
        *[800] * 3,
        *[800] * 2,
        SEP,
        900,
        901,
        900,
        901,
        800,
        SEP,
    ]
    assert layout.places == [9, 11, 13, 14]
    assert layout.marks[:9] == [0, TITLE, TITLE, *[ASKED] * 3, *[ANSWERED] * 2, 0]
    assert layout.segments == [0] * 9 + [1] * 6


def test_the_title_stays_when_old_turns_must_go():
    turn = ("why " * 36, "so " * 36)
    history = history_words("Ann", "Life", [("first", "turn"), turn, turn])
    assert [word.text for word in history.words[:4]] == ["Ann", ".", "Life", "."]
    assert "first" not in [word.text for word in history.words]
    assert len(history.words) <= HISTORY_WORDS


def test_an_empty_rewrite_keeps_the_question():
    layout = laid_out("Why did she go?")
    assert decode(silent(len(layout.ids)), layout, PHRASES) == []


def test_a_dropped_word_gives_way_to_a_copy_with_a_possessive():
    layout = laid_out("Why did her dog go?")
    logits, at = silent(len(layout.ids)), layout.places[2]
    logits.drop[at] = logits.insert[at] = (0.0, 1.0)
    logits.after[at, 1] = 1.0
    logits.start[at, layout.starts[0]] = logits.end[at, layout.ends[0]] = 1.0
    assert decode(logits, layout, PHRASES) == [Edit(2, 3, (), (0, 1), ("'", "s"))]


def test_an_insertion_may_stand_at_the_end_and_copy_nothing():
    layout = laid_out("Why did she go")
    logits, at = silent(len(layout.ids)), layout.places[4]
    logits.insert[at] = (0.0, 1.0)
    logits.before[at, 2] = 1.0
    assert decode(logits, layout, PHRASES) == [Edit(4, 4, before=("in",))]
