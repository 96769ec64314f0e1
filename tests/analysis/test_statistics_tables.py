import pandas as pd
import pytest

from seminar.analysis import statistics_tables as tables
from seminar.analysis.frames import turns
from tests.analysis.corpus import AMBIGUOUS, EXAMPLES, FRAME, PRAGMATIC


def column(table: tables.Table, name: str) -> dict[str, float]:
    assert not table.lacks
    return dict(zip(table.frame["statistic"], table.frame[name], strict=True))


def test_quac_table_2():
    assert column(tables.quac_table2(FRAME), "val") == {
        "questions": 7,
        "dialogs": 2,
        "unique sections": 1,
        "tokens / section": 12,
        "tokens / question": pytest.approx(23 / 7),
        "tokens / answer": pytest.approx(7 / 6),
        "questions / dialog": 3.5,
        "% yes/no": pytest.approx(200 / 7),
        "% unanswerable": pytest.approx(100 / 7),
        "references / question": pytest.approx(8 / 7),
    }


def test_topiocqa_table_2():
    assert column(tables.topiocqa_table2(FRAME), "val") == {
        "turns": 7,
        "conversations": 2,
        "tokens / question": pytest.approx(23 / 7),
        "tokens / answer": pytest.approx(7 / 6),
        "turns / conversation": 3.5,
        "topics / conversation": 2,
        "% unanswerable": pytest.approx(100 / 7),
        "% of all turns with another topic than the turn before": pytest.approx(300 / 7),
        "most frequent length of a topic": 1,  # runs of 2, 1, 1, 1 and 1 turns
        "% switch of topic": 75,
        "% switch to a new topic": 50,
        "% switch to an old topic": 25,
    }


def test_pragmaticqa_table_2():
    values = column(tables.pragmaticqa_table2(turns([PRAGMATIC], split="val")), "val")
    assert values["words of Q"] == 3
    assert values["words of A"] == 8
    assert values["words of A lit"] == 4
    assert values["words of A prag"] == 4
    assert values["words that both share"] == 2
    assert values["% yes, no or don't know"] == 100
    assert values["spans / question"] == 3
    assert values["elements / dialog"] == 2
    assert values["literal span, median"] == 3


def test_ratings():
    table = tables.ratings(turns([PRAGMATIC], split="val"))
    assert table.frame["val"].tolist() == [1, 1, 2, 1, 3, 1]


def test_answers_of_ambiguous_questions():
    assert column(tables.ambigqa_counts(turns(AMBIGUOUS, split="dev")), "dev") == {
        "questions": 2,
        "mean answers": 1.5,
        "median answers": 1.5,
        "% with several answers": 50,
    }


def test_splits_stand_side_by_side_with_all_of_them():
    frame = pd.concat([turns(EXAMPLES[:4], split="train"), turns(EXAMPLES[4:], split="val")])
    rows = tables.quac_table2(frame).frame.set_index("statistic")
    assert rows.loc["questions"].to_dict() == {"train": 4, "val": 3, "all": 7}


def test_answer_length_by_kind_of_question():
    table = tables.question_kind_lengths(FRAME).frame
    assert dict(zip(table["kind of question"], table["mean words"], strict=True)) == {
        "ask-further": 2,
        "ask-generic": 1,
        "ask-specific": 1,
    }


def test_an_example_of_each_kind_of_turn():
    table = tables.turn_examples(FRAME).frame
    assert set(table["turn"]) == {"no-switch", "switch-to-new", "switch-to-old"}


def test_first_words_also_of_the_unanswerable():
    table = tables.first_words(FRAME).frame
    assert table[table["of"] == "unanswerable"]["first word"].tolist() == ["why?"]
