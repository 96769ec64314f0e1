from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("bm25s")

from seminar.examples import Example, Gold
from seminar.training.reader.negatives import retrieved_negatives


def about(name: str, question: str, answer: str, context: str) -> Example:
    return Example(name, name, question, Gold((answer,)), context=context, title=name)


CORPUS = [
    about("bell", "who cast the big bell", "Warner", "The big bell was cast by Warner in Norton."),
    about("tower", "who built the tower", "Barry", "The big bell hangs in the tower of Barry."),
    *(about(f"river {n}", "how long", "9", f"River number {n} is long.") for n in range(10)),
]


def test_the_best_paragraph_without_the_answer_becomes_unanswerable(tmp_path: Path):
    [negative] = retrieved_negatives(CORPUS[:1], CORPUS, tmp_path)
    assert negative.question == "who cast the big bell"
    assert negative.context == "The big bell hangs in the tower of Barry."
    assert (negative.gold.answerable, negative.gold.answers) == (False, ())
    assert negative.title == "tower"


def test_a_question_for_yes_or_no_gets_another_article(tmp_path: Path):
    asked = Example(
        "1", "1", "is the big bell of Norton", Gold(("yes",), affirmation="yes"), title="bell"
    )
    [negative] = retrieved_negatives([asked], CORPUS, tmp_path)
    assert (negative.title, negative.gold.answerable) == ("tower", False)
    assert retrieved_negatives([], CORPUS, tmp_path) == []


def test_without_titles_another_text_is_another_article(tmp_path: Path):
    corpus = [replace(one, title="") for one in CORPUS]
    asked = replace(corpus[0], gold=Gold(("yes",), affirmation="yes"))
    [negative] = retrieved_negatives([asked], corpus, tmp_path)
    assert negative.context == CORPUS[1].context


def test_the_search_is_done_once(tmp_path: Path):
    first = retrieved_negatives(CORPUS[:2], CORPUS, tmp_path)
    [kept] = tmp_path.iterdir()
    written = kept.stat().st_mtime_ns
    assert retrieved_negatives(CORPUS[:2], CORPUS, tmp_path) == first
    assert kept.stat().st_mtime_ns == written
    retrieved_negatives(CORPUS[:1], CORPUS, tmp_path)
    assert len(list(tmp_path.iterdir())) == 2
