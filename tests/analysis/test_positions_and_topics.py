"""Figures are tested by their data."""

import pytest

from seminar.analysis import answer_positions, topics
from tests.analysis.corpus import FRAME


def test_position_of_answers_by_turn():
    table = answer_positions.position_by_turn(FRAME).set_index("turn")
    assert table["answers"].to_dict() == {1: 2, 2: 2, 3: 1, 4: 1}
    assert table.loc[1, "median"] == 0
    assert table.loc[2, "median"] == pytest.approx((10 + 110) / 2 / 119)
    assert table.loc[4, "median"] == pytest.approx(50 / 119)


def test_transitions_count_from_chunk_to_chunk():
    table = answer_positions.transitions(FRAME)
    assert table.to_numpy().sum() == 7
    assert table.loc["start", "1"] == 2
    assert table.loc["1", "2"] == 1
    assert table.loc["2", "none"] == 1
    assert table.loc["none", "6"] == 1
    assert table.loc["1", "12"] == 1
    assert table.loc["12", "11"] == 1


def test_chunks_that_dialogs_cover():
    table = answer_positions.chunks_covered(FRAME).set_index("chunks")
    assert table["dialogs"].to_dict() == {n: 2 if n == 3 else 0 for n in range(13)}


def test_shares_by_turn():
    table = answer_positions.shares_by_turn(FRAME).set_index("turn")
    assert table["yes/no %"].tolist() == [0, 50, 50, 0]
    assert table["unanswerable %"].tolist() == [0, 0, 50, 0]


def test_questions_without_labels_are_counted_by_their_form():
    table = answer_positions.shares_by_turn(FRAME.assign(affirmation=""))
    assert table["yes/no by form %"].tolist() == [0, 50, 0, 0]


def test_topics_by_length_of_the_dialog():
    table = topics.topics_by_length(FRAME)
    assert table.to_dict() == {3: {2: 100.0}, 4: {2: 100.0}}


def test_runs_pass_over_turns_without_a_topic():
    assert topics.runs(FRAME)[["topic", "length"]].to_numpy().tolist() == [
        ["Lindmere", 2],
        ["Tower", 1],
        ["Orrin", 1],
        ["Lindmere", 1],
        ["Orrin", 1],
    ]
    table = topics.run_lengths(FRAME).set_index("length")
    assert table["turns"].to_dict() == {1: 4, 2: 2}
    assert table["share of turns %"].to_dict() == {
        1: pytest.approx(400 / 6), 2: pytest.approx(200 / 6),
    }  # fmt: skip


def test_flow_numbers_topics_by_first_occurrence():
    rows = topics.flow(FRAME).to_numpy().tolist()
    assert rows == [
        [2, 1, 1, 1],  # a stays at Lindmere
        [2, 1, 2, 1],  # b goes from Orrin to Lindmere
        [3, 1, 1, 1],  # a's turn without a topic keeps the one before
        [3, 2, 1, 1],  # b goes back
        [4, 1, 2, 1],  # a goes to the tower
    ]


def test_kinds_of_questions_by_kind_of_turn():
    table = topics.kinds_by_switch(FRAME)
    assert table.loc["no-switch"].to_dict() == {"ask-specific": 100, "ask-further": 0}
    assert table.loc["switch-to-old"].to_dict() == {"ask-specific": 0, "ask-further": 100}
