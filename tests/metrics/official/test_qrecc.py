import pytest

from seminar.errors import ScoringError
from seminar.metrics.official.qrecc import closest_span, score


def row(turn: int, rank: int, content: str, answer: str) -> dict[str, object]:
    ids = {"Conversation-ID": 1, "Turn-ID": turn, "docid": f"d{rank}"}
    return {**ids, "content": content, "answer": answer, "rank": rank}


def test_the_span_keeps_the_passages_own_words():
    assert closest_span("The Quick Brown Fox", "quick brown").span == "Quick Brown"


def test_without_a_shared_word_the_whole_window_stays():
    match = closest_span("alpha beta gamma", "delta epsilon")
    assert (match.span, match.f1) == ("alpha beta", 0.0)


def test_a_passage_shorter_than_the_answer_has_no_span():
    assert closest_span("x y", "x y z v w u").span == ""


def test_the_first_relevant_rank_counts():
    rows = [row(0, 1, "nothing here", "red house"), row(0, 2, "a red house", "red house")]
    scores = score(rows)
    assert (scores.mrr, scores.recall_at_10, scores.relevant_documents) == (0.5, 1.0, 1)


def test_without_an_answer_no_passage_is_relevant():
    scores = score([row(0, 1, "anything", "")])
    assert (scores.mrr, scores.recall_at_100, scores.perfect_per_question) == (0.0, 0.0, 0.0)


def test_nothing_to_score_is_an_error():
    with pytest.raises(ScoringError, match="no questions to score"):
        score([])
