import numpy as np
import pandas as pd
import pytest

from seminar.analysis.frames import dialogs, turns
from tests.analysis.corpus import EXAMPLES, FRAME, PRAGMATIC


def test_columns_of_turns():
    assert FRAME["dialogue"].tolist() == ["val:a"] * 4 + ["val:b"] * 3
    assert FRAME["question_words"].tolist() == [3, 4, 1, 6, 3, 3, 3]
    assert FRAME["answer_words"].tolist()[:2] == [1, 1]
    assert np.isnan(FRAME["answer_words"][2])
    assert FRAME["answer_words"][6] == 2
    assert FRAME["context_words"].tolist() == [12] * 7
    assert FRAME["disagree"].dropna().tolist() == [1.0]


def test_places_of_answers():
    assert FRAME["chunk"].tolist() == [0, 1, 12, 5, 0, 11, 10]
    assert FRAME["previous_chunk"].tolist() == [13, 0, 1, 12, 13, 0, 11]
    assert FRAME["start"][3] == pytest.approx(50 / 119)


def test_a_missing_turn_takes_the_answer_before_it_from_the_history():
    frame = turns([EXAMPLES[0], EXAMPLES[3]])
    assert frame["previous_chunk"].tolist() == [13, 0]  # the history's last answer is word 0


def test_kinds_of_turns():
    assert FRAME["switch"].tolist() == [
        "", "no-switch", "", "switch-to-new", "", "switch-to-new", "switch-to-old",
    ]  # fmt: skip


def test_spans_of_pragmaticqa():
    row = turns([PRAGMATIC]).iloc[0]
    assert (row["literal_words"], row["pragmatic_words"], row["overlap_words"]) == (4, 4, 2)
    assert row["fixed"] == "Yes"
    assert row["literal_span_words"] == (3,)
    assert row["elements"] == {"k1", "k2"}


def test_dialogs_count_turns_topics_and_chunks():
    table = dialogs(FRAME).set_index("dialogue")
    assert table.loc["val:a"].to_dict() == {"turns": 4, "topics": 2, "elements": 0, "chunks": 3}
    assert table.loc["val:b"].to_dict() == {"turns": 3, "topics": 2, "elements": 0, "chunks": 3}


def test_reading_reports_progress():
    seen: list[int] = []
    turns(EXAMPLES, watch=seen.append)
    assert seen == [7]


def test_an_empty_corpus_has_empty_frames():
    frame = turns([])
    assert list(frame["id"]) == []
    assert isinstance(dialogs(frame), pd.DataFrame)
    assert dialogs(frame).empty
