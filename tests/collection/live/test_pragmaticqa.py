"""PragmatiCQA over a real server: inclinations, background test, three steps, ratings."""

from dataclasses import replace
from pathlib import Path

import pytest

from seminar.collection.corpus.records import Corpus, Page, Topic
from seminar.collection.corpus.storing import write_corpus
from seminar.types import Link
from tests.collection.studies import Person, Running, Socket, serving, write_study

TEXT = "The lantern hangs in the harbour. It was lit in 1890. See all of it."


def page(topic: str, number: int, pages: int) -> Page:
    """A page that links to the next one of its topic."""
    following = f"{topic}-{(number + 1) % pages}"
    title = f"Harbour thing {topic}{number}"
    return Page(f"{topic}-{number}", title, TEXT, links=(Link(0, 3, following),), topic=topic)


def corpus() -> Corpus:
    pages = tuple(page(topic, number, 7) for topic in "abcde" for number in range(7))
    topics = tuple(
        Topic(
            id=topic,
            title=f"Subject {topic.upper()}",
            genre="Places",
            central=f"{topic}-0",
            pages=tuple(one.id for one in pages if one.topic == topic),
        )
        for topic in "abcde"
    )
    return replace(Corpus(), pages=pages, topics=topics)


@pytest.fixture
def study_file(tmp_path: Path) -> Path:
    options = "[options]\nincentives = false\nsurvey_topics = 5\nleast_turns = 1\n"
    file = write_study(tmp_path, "pragmaticqa", options + '[pay]\nbase = "1.00"\nminimum = 1\n')
    write_corpus(tmp_path / "corpus", corpus())
    return file


def joined(study: Running, level: int) -> tuple[Person, Socket]:
    """A worker who wants to teach (2) or to learn (-2) topic b, and is not interested in others."""
    person = study.join()
    assert person.standing()["step"] == "inclinations"
    topics = [one["id"] for one in person.get("inclinations").json()["topics"]]
    assert sorted(topics) == list("abcde")
    assert person.post("inclinations", {"levels": {"a": 1}}).status_code == 422
    levels = {topic: level if topic == "b" else 0 for topic in topics}
    assert person.post("inclinations", {"levels": levels}).json()["step"] == "lobby"
    socket = person.socket()
    socket.send(type="enter")
    return person, socket


def test_teacher_is_tested_and_then_answers_in_three_steps(study_file: Path):
    with serving(study_file) as study:
        teacher, teaching = joined(study, 2)
        _, learning = joined(study, -2)
        teaching.until("view")
        learning.until("view")
        assert learning.view["topic"] == "Subject B"
        assert learning.act("ask", question="When was it lit?")["code"] == "turn"
        standing = teacher.standing()
        assert (standing["step"], standing["topic"]) == ("background", "b")
        titles = teacher.get("background/b").json()["titles"]
        assert len(titles) == 10
        answers = ["related" if title[-2] == "b" else "unrelated" for title in titles]
        assert teacher.post("background/b", {"answers": answers}).json()["passed"] is True
        learning.until_turn()
        learning.act("ask", question="When was it lit?")
        teaching.until_turn()
        dialog = teaching.view["frame"]["dialog"]
        text = teacher.get(f"dialogs/{dialog}/page", page="b-0").json()["text"]
        start = text.index("It was lit")
        span = {"page": "b-0", "start": start, "end": start + 19}
        assert teaching.act("paraphrase", text="In 1890.")["code"] == "turn"
        assert teaching.act("select literal", spans=[span])["type"] == "accepted"
        assert teaching.act("select pragmatic", spans=[])["type"] == "accepted"
        assert teaching.act("paraphrase", text="In 1890.")["type"] == "accepted"
        learning.until_turn()
        assert "lit in 1890" not in str(learning.received)
        learning.act("end")
        assert teaching.until_end()["pay"] == 100


def test_teacher_who_fails_the_test_ends_the_dialog_unpaid(study_file: Path):
    with serving(study_file) as study:
        teacher, teaching = joined(study, 2)
        _, learning = joined(study, -2)
        teaching.until("view")
        answers = ["unknown"] * 10
        assert teacher.post("background/b", {"answers": answers}).json()["passed"] is False
        assert learning.until_end() == {"reason": "partner left", "pay": 0, "next": "lobby"}
        assert teaching.until_end()["reason"] == "not qualified"
        assert teacher.standing()["step"] == "lobby"
