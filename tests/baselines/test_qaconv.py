from seminar.baselines.okapi import Okapi
from seminar.baselines.qaconv import rank_chunks, rank_chunks_okapi
from seminar.examples import Evidence, Example, Gold
from seminar.metrics.official.qaconv import score_recall
from seminar.types import Passage


def chunk(source: str, text: str, scope: str) -> Passage:
    return Passage(source, 0, len(text), text, scope=scope)


CHUNKS = [
    chunk("bc3-1", "Ada: shall we meet", "bc3-bc3_001"),
    chunk("bc3-2", "Bo: on Tuesday at noon", "bc3-bc3_001"),
    chunk("openslack-1", "Kit: tide fails", "slack-lindmere"),
    chunk("openslack-2", "Rae: update tide", "slack-lindmere"),
    chunk("bc3-3", "Ada: Tuesday is full", "bc3-bc3_002"),
]


def question(name: str, text: str, gold: str, *sources: str) -> Example:
    return Example(name, name, text, Gold(evidence=(Evidence(source=gold),)), sources=sources)


QUESTIONS = [
    question("q1", "at noon on Tuesday", "bc3-2", "bc3-bc3_001"),
    question("q2", "who should update", "openslack-2", "slack-lindmere-0-1", "slack-lindmere-0-7"),
    question("q3", "Tuesday is when", "bc3-3", "bc3-bc3_001", "bc3-bc3_002"),
]


def test_only_the_conversations_asked_about_are_ranked():
    rankings = rank_chunks(QUESTIONS, Okapi(CHUNKS), k=2)
    assert {name: list(ranking) for name, ranking in rankings.items()} == {
        "q1": ["bc3-2", "bc3-1"],
        "q2": ["openslack-2", "openslack-1"],
        "q3": ["bc3-3", "bc3-2"],
    }


def test_the_authors_index_holds_nothing_else():
    rankings = rank_chunks_okapi(QUESTIONS, CHUNKS)
    assert {name: list(ranking) for name, ranking in rankings.items()} == {
        "q1": ["bc3-1", "bc3-2"],
        "q2": ["openslack-1", "openslack-2"],
        "q3": ["bc3-1", "bc3-2", "bc3-3"],
    }
    # Of two chunks, a word in one has the idf ln(1.5 / 1.5): nothing tells them apart.
    assert rankings["q1"] == {"bc3-1": 0.0, "bc3-2": 0.0}
    assert max(rankings["q3"], key=rankings["q3"].__getitem__) == "bc3-3"


def test_the_official_scorer_reads_the_rankings():
    gold = [
        {"id": one.id, "article_segment_id": one.gold.evidence[0].source, "answers": []}
        for one in QUESTIONS
    ]
    recall = score_recall(gold, rank_chunks(QUESTIONS, Okapi(CHUNKS), k=2))
    assert recall["Recall@1"] == 1.0
