"""CoQA and TopiOCQA, which score turns alike."""

import pytest

from seminar.errors import ScoringError
from seminar.metrics.official import coqa, topiocqa


def story(source: str, *turns: list[str]) -> dict[str, object]:
    columns = [[turn[i] for turn in turns] for i in range(len(turns[0]))]
    answers = [
        [{"turn_id": n, "input_text": text} for n, text in enumerate(texts, start=1)]
        for texts in columns
    ]
    return {
        "id": "s",
        "source": source,
        "questions": [{"turn_id": n, "input_text": "q"} for n in range(1, len(turns) + 1)],
        "answers": answers[0],
        "additional_answers": {str(i): texts for i, texts in enumerate(answers[1:])},
    }


def test_coqa_reports_by_domain():
    predictions = [{"id": "s", "turn_id": 1, "answer": "x"}]
    scores = coqa.score([story("reddit", ["x", "x"], ["y", "z"])], predictions)
    assert scores["reddit"] == scores["out_domain"] == {"em": 50.0, "f1": 50.0, "turns": 2}
    assert scores["in_domain"] == {"em": 0.0, "f1": 0.0, "turns": 0}


def test_coqa_turn_ids_match_by_type():
    predictions = [{"id": "s", "turn_id": "1", "answer": "x"}]
    scores = coqa.score([story("cnn", ["x"])], predictions)
    assert scores["overall"]["em"] == 0.0


def test_coqa_people():
    scores = coqa.score_human([story("race", ["x y", "x"])])
    assert scores["mid-high_school"] == {"em": 0.0, "f1": 66.7, "turns": 1}


def test_coqa_names_an_unknown_source():
    with pytest.raises(ScoringError, match="unknown source 'blog' of story 's'"):
        coqa.score([story("blog", ["x"])], [])
    with pytest.raises(KeyError):
        coqa.score([story("blog", ["x"])], [], strict=True)


def gold(turn: int, *answers: str) -> dict[str, object]:
    others = [{"Answer": answer} for answer in answers[1:]]
    return {
        "Conversation_no": 1,
        "Turn_no": turn,
        "Answer": answers[0],
        "Additional_answers": others,
    }


def result(turn: object, *predictions: object) -> dict[str, object]:
    return {"conv_id": "1", "turn_id": turn, "predictions": list(predictions)}


def test_topiocqa_takes_ids_as_numbers_and_counts_missing_turns():
    turns = [gold(1, "Paris", "in Paris"), gold(2, "Rome")]
    scores = topiocqa.score_reader(turns, [result("1", "Paris")])
    assert scores == {"em": 25.0, "f1": 41.7, "turns": 2}


def test_topiocqa_picks_the_answer_read_from_top_k_passages():
    records = [{"top_k": k, "prediction": {"text": text}} for k, text in ((1, "y"), (10, "x"))]
    for top_k, em in ((1, 0.0), (10, 100.0), (5, 0.0)):
        scores = topiocqa.score_reader([gold(1, "x")], [result(1, *records)], top_k=top_k)
        assert scores["em"] == em


def test_topiocqa_people():
    scores = topiocqa.score_human([gold(1, "x", "x", "y", "z")])
    assert scores == {"em": 50.0, "f1": 50.0, "turns": 1}


@pytest.mark.parametrize(
    ("turns", "results", "official", "message"),
    [
        ([gold(1, "x"), gold(1, "y")], [], AssertionError, "comes twice"),
        ([gold(1, "x")], [result(1)], IndexError, "empty list of predictions"),
        ([gold(1, "x")], [result("one", "x")], ValueError, "'one' is no conversation or turn"),
    ],
)
def test_topiocqa_says_what_is_wrong(turns, results, official, message):
    with pytest.raises(ScoringError, match=message):
        topiocqa.score_reader(turns, results)
    with pytest.raises(official):
        topiocqa.score_reader(turns, results, strict=True)


def test_topiocqa_may_have_one_reference_only_unless_strict():
    turns = [{"Conversation_no": 1, "Turn_no": 1, "Answer": "x"}]
    assert topiocqa.score_reader(turns, [result(1, "x")])["em"] == 100.0
    with pytest.raises(KeyError, match="Additional_answers"):
        topiocqa.score_reader(turns, [result(1, "x")], strict=True)


def ranking(*texts: str, key: str = "ctxs") -> dict[str, object]:
    return {"conv_id": 1, "turn_id": 1, key: [{"title": "t", "text": text} for text in texts]}


def test_topiocqa_hits_are_of_the_first_gold_passage():
    queries = [ranking("gold", "other", key="positive_ctxs")]
    hits = topiocqa.score_retriever(queries, [ranking("other", "x", "gold")])
    assert (hits["Hits@1"], hits["Hits@3"], hits["Hits@100"]) == (0.0, 100.0, 100.0)


def test_topiocqa_rankings_must_be_those_of_the_queries():
    queries = [ranking("gold", key="positive_ctxs")]
    with pytest.raises(ScoringError, match="1 queries but 0 rankings"):
        topiocqa.score_retriever(queries, [])
    other = ranking("gold") | {"turn_id": 2}
    with pytest.raises(ScoringError, match="turn '1_2' stands where that of '1_1' should"):
        topiocqa.score_retriever(queries, [other])
    with pytest.raises(ScoringError, match="no gold passage"):
        topiocqa.score_retriever([ranking(key="positive_ctxs")], [ranking("x")])
