from datetime import UTC, datetime

from seminar.collection.records import CorpusSpan, FreeAnswer, Turn
from seminar.collection.rules.topiocqa import documents, question_notes

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
TITLES = ["Introduction", "Awards", "Life > Early years"]


def turns(pages: str) -> list[Turn]:
    return [
        Turn("d", number, "who is mariah carey?",
             FreeAnswer("A singer", None if page == "-" else CorpusSpan(page, 0, 1, "A")),
             NOON, NOON)
        for number, page in enumerate(pages, start=1)
    ]  # fmt: skip


def kinds(question: str, pages: str = "a") -> list[str]:
    return [note.kind for note in question_notes(question, turns(pages), TITLES)]


def test_words_of_a_section_title_are_noted():
    assert kinds("what awards did she receive?") == ["section title"]
    assert kinds("what accolades did she receive?") == []
    # a part of a title, and what every page has, are no repetition
    assert kinds("where did she live when she was in her first years?") == []
    assert kinds("what were her early years like?") == ["section title"]
    assert kinds("who wrote the introduction to it?") == []


def test_a_follow_up_refers_back():
    assert kinds("which record sold best in canada?") == ["no reference"]
    assert kinds("which of them sold best in canada?") == []
    assert kinds("and in canada?") == []
    assert kinds("by whom?") == []
    assert kinds("what did the young singer study?") == []  # "A singer" was the answer
    assert kinds("what did the young painter study?") == ["no reference"]


def test_the_first_question_stands_alone():
    assert kinds("who is mariah carey?", pages="") == []


def test_a_long_stay_on_one_page_is_noted():
    assert kinds("did she marry?", pages="aaaaa") == ["same topic"]
    assert kinds("did she marry?", pages="aaaab") == []
    assert kinds("did she marry?", pages="aaaa") == []
    assert kinds("did she marry?", pages="aaa-aa") == ["same topic"]  # unanswerable: no page


def test_documents_are_those_of_the_rationales():
    assert documents(turns("a-b")) == ["a", "b"]
