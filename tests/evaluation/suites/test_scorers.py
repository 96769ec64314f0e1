import pytest

from seminar.errors import ConfigurationError
from seminar.evaluation.suites.catalog import SCORERS, find_scorer

SQUAD = {"data": [{"paragraphs": [{"qas": [{"id": "q", "answers": [{"text": "x"}]}]}]}]}
QUAC = {
    "data": [
        {
            "paragraphs": [
                {
                    "id": "D",
                    "context": "x",
                    "qas": [
                        {"id": "D_q#0", "answers": [{"text": "x"}], "yesno": "y", "followup": "m"}
                    ],
                }
            ]
        }
    ]
}
COQA = {
    "data": [
        {
            "id": "s",
            "source": "cnn",
            "questions": [{"turn_id": 1}],
            "answers": [{"turn_id": 1, "input_text": "x"}],
            "additional_answers": {},
        }
    ]
}
TURN = {"conv_id": 1, "turn_id": 1}
PASSAGE = {"title": "t", "text": "x"}
SEGMENT = [{"id": "q", "answers": ["x"], "article_segment_id": "d"}]
AMBIGUOUS = {"type": "multipleQAs", "qaPairs": [{"question": "who sang", "answer": ["x"]}]}
AMBIGQA = [{"id": "q", "question": "who", "annotations": [AMBIGUOUS]}]
TOPIOCQA = {"Conversation_no": 1, "Turn_no": 1, "Answer": "x", "Additional_answers": []}
QRECC = {"Conversation-ID": 1, "Turn-ID": 1}
SPANS = {"q": {"literal": ["x"], "pragmatic": ["y"]}}

PERFECT = {
    "squad-v1": (SQUAD, {"q": "x"}, {"exact_match": 100.0, "f1": 100.0}),
    "squad-v2": (SQUAD, {"q": "x"}, {"exact": 100.0, "HasAns_total": 1}),
    "coqa": (COQA, [{"id": "s", "turn_id": 1, "answer": "x"}], {"overall em": 100.0}),
    "quac": (
        QUAC,
        [{"qid": ["D_q#0"], "best_span_str": ["x"], "yesno": ["y"], "followup": ["m"]}],
        {"f1": 100.0, "heq": 100.0, "dheq": 100.0},
    ),
    "topiocqa-reader": ([TOPIOCQA], [TURN | {"predictions": ["x"]}], {"em": 100.0, "turns": 1}),
    "topiocqa-retriever": (
        [TURN | {"positive_ctxs": [PASSAGE]}],
        [TURN | {"ctxs": [PASSAGE]}],
        {"Hits@1": 100.0},
    ),
    "qaconv": (SEGMENT, {"q": "x"}, {"exact": 100.0, "fzr": 100.0}),
    "qaconv-recall": (SEGMENT, {"q": {"e": 1.0}}, {"fair Recall@10": 0.0}),
    "ambigqa": (AMBIGQA, {"q": ["x"]}, {"f1": 1.0, "f1_multiple": 1.0}),
    "ambigqa-questions": (
        AMBIGQA,
        {"q": [{"question": "who sang", "answer": "x"}]},
        {"multiple answer": 1.0, "multiple edit-f1": 1.0},
    ),
    "nq-open": (
        [{"question": "q", "answer": ["x"]}],
        [{"question": "q", "prediction": "x"}],
        {"accuracy": 1.0, "missing": 0},
    ),
    "qrecc-rewrites": (["who won it"], ["who won it"], {"rouge1_recall": 100.0}),
    "qrecc-retrieval": (
        [QRECC | {"answer": "x"}],
        [QRECC | {"docid": "d", "content": "x", "rank": 2}],
        {"mrr": 0.5, "recall@10": 1.0},
    ),
    "trec": ({"q": {"d": 1}}, {"q": {"d": 1.0}}, {"nDCG@3": 1.0, "RR": 1.0}),
    "pragmaticqa": (SPANS, SPANS, {"f1_literal": 100.0, "f1_pragmatic": 100.0}),
}


@pytest.mark.parametrize("name", SCORERS)
def test_every_scorer_reads_the_official_shapes(name: str):
    references, predictions, expected = PERFECT[name]
    table = find_scorer(name)(references, predictions)
    assert {key: table[key] for key in expected} == expected
    assert all(isinstance(value, float | int) for value in table.values())


def test_an_unknown_scorer_is_named():
    with pytest.raises(ConfigurationError, match="Did you mean 'quac'"):
        find_scorer("quack")
