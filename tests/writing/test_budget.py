from seminar.models.llm.chat import Message
from seminar.types import Hit, Passage, Query
from seminar.writing.budget import PASSAGES, Budget, estimate

QUERY = Query("Where is the tide table kept?")


def hits(count: int, words: int) -> list[Hit]:
    text = "The tide table is kept in the harbour office. " * (words // 9)
    passages = [Passage(f"{at}.md", 0, len(text), text) for at in range(count)]
    return [Hit(passage, 1.0) for passage in passages]


def test_passages_fit_the_context():
    ranking = hits(10, 400)
    for context in (1_100, 1_500, 4_096):
        budget = Budget(context, 256)
        spans = budget.passages(QUERY, ranking, [Message("system", "word " * 100)])
        assert 0 < len(spans) <= PASSAGES
        assert sum(estimate(span.text) for span in spans) <= budget.room([Message("system", "")])


def test_without_room_there_are_no_passages():
    assert Budget(1_024, 900).passages(QUERY, hits(2, 90), [Message("user", "word " * 300)]) == []
