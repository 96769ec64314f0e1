import pytest

from seminar.baselines.okapi import Okapi
from seminar.baselines.topiocqa import extractive_bound, human, rank_passages
from seminar.examples import Evidence, Example, Gold
from seminar.metrics.official.topiocqa import score_retriever
from seminar.types import Passage, Query

LIGHTHOUSE = "The lighthouse of Lindmere was built by Mira Holt, an engineer, in June of 1871."


def turn(number: int, *answers: str, passage: str = "") -> Example:
    return Example(
        id=f"1_{number}",
        dialogue_id="1",
        question="?",
        gold=Gold(
            answers=answers,
            answerable=answers[0] != "UNANSWERABLE",
            evidence=(Evidence(passage, "wiki:1", "Lighthouse [SEP] History"),) if passage else (),
        ),
        turn=number,
    )


def test_human_by_hand():
    # Pairs: 2*1/3, 2*2/5, 2*1/4; the best of each reference: 4/5, 2/3, 4/5.
    [score] = human([turn(1, "Mira Holt", "Holt", "the engineer Mira Holt")])
    assert score.f1 == pytest.approx((4 / 5 + 2 / 3 + 4 / 5) / 3)
    assert score.exact == 0.0


def test_bound_takes_the_best_reference_and_knows_what_has_no_answer():
    turns = [
        turn(1, "It was Holt", "Mira Holt", "Mira Holt", passage=LIGHTHOUSE),
        turn(2, "UNANSWERABLE"),
        turn(3, "yes", passage=LIGHTHOUSE),
        turn(4, "Holt"),
    ]
    assert extractive_bound(turns) == ["Mira Holt", "UNANSWERABLE", "", ""]


def test_rankings_are_what_the_official_scorer_reads():
    store = Okapi(
        [
            Passage("wiki:1", 0, 11, "It is tall.", title="Lighthouse", section="Size"),
            Passage("wiki:2", 0, 18, "Holt built it all.", title="Lighthouse", section="History"),
            Passage("wiki:3", 0, 12, "A deep sound", title="Sound", section="Depth"),
        ]
    )
    turns = [turn(1, "Holt"), turn(2, "deep")]
    rankings = rank_passages(turns, [Query("who built it"), Query("how deep")], store, k=1)
    assert rankings == [
        {
            "conv_id": "1",
            "turn_id": "1",
            "ctxs": [
                {
                    "id": "wiki:2",
                    "title": "Lighthouse [SEP] History",
                    "text": "Holt built it all.",
                }
            ],
        },
        {
            "conv_id": "1",
            "turn_id": "2",
            "ctxs": [{"id": "wiki:3", "title": "Sound [SEP] Depth", "text": "A deep sound"}],
        },
    ]
    gold = [
        {
            "conv_id": 1,
            "turn_id": number,
            "positive_ctxs": [{"title": "Sound [SEP] Depth", "text": "A deep sound"}],
        }
        for number in (1, 2)
    ]
    assert score_retriever(gold, rankings)["Hits@1"] == 50.0
