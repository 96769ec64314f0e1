import msgspec
import pytest

from seminar.collection.messages.actions import (
    AnswerFree,
    Ask,
    Back,
    Forward,
    Open,
)
from seminar.collection.protocols.activity import Refused
from seminar.collection.protocols.topiocqa import PROTOCOL
from tests.collection.small_corpus import HOLM, SECRET, START, TIDE, after, begun, frame, span

FOUNDED = AnswerFree(text="1987, by Ada Holm", rationale=span(TIDE, "founded in 1987 by Ada Holm"))
BORN = AnswerFree(text="1950", rationale=span(HOLM, "born in Port Varn in 1950"))
ASK = ("questioner", Ask(question="When was it founded?"))
OPEN = ("answerer", Open(page="holm"))


def questioner(progress):
    return progress.activity.view("questioner", frame("questioner"))


def test_answer_has_its_rationale_and_an_empty_one_is_unanswerable():
    progress = after(
        begun(PROTOCOL, "tide"), ASK, ("answerer", FOUNDED), ASK, ("answerer", AnswerFree())
    )
    first, second = progress.activity.turns()
    assert first.answer.rationale.text == "founded in 1987 by Ada Holm"
    assert (second.answer.text, second.answer.rationale) == ("", None)
    assert [turn.unanswerable for turn in questioner(progress).turns] == [False, True]


def test_questioner_sees_titles_of_visited_and_linked_documents_and_no_text():
    progress = after(begun(PROTOCOL, "tide"), ASK)
    assert [(one.title, one.sections) for one in questioner(progress).documents] == [
        ("Tide Choir", ("History", "Repertoire"))
    ]
    progress = after(progress, OPEN, ("answerer", FOUNDED))
    seen = questioner(progress)
    assert [(one.page, one.visited) for one in seen.documents] == [("tide", True), ("holm", True)]
    text = msgspec.json.encode(seen).decode()
    assert SECRET not in text
    assert "composer" not in text


def test_document_linked_in_a_rationale_is_listed_before_it_is_visited():
    link = AnswerFree(text="of Port Varn", rationale=span(TIDE, "choir of Port Varn"))
    progress = after(begun(PROTOCOL, "tide"), ASK, ("answerer", link))
    assert [(one.page, one.visited) for one in questioner(progress).documents] == [
        ("tide", True),
        ("varn", False),
    ]


def test_answerer_follows_links_back_and_forward():
    progress = after(begun(PROTOCOL, "tide"), OPEN, ("answerer", Back()))
    assert progress.activity.navigation.page == "tide"
    progress = after(progress, ("answerer", Forward()))
    assert progress.activity.navigation.page == "holm"
    assert progress.activity.pages("answerer") == {"tide", "holm"}
    assert progress.activity.pages("questioner") == frozenset()


@pytest.mark.parametrize("page", ["nowhere", "../etc"])
def test_page_that_the_open_one_does_not_link_to_is_refused(page: str):
    with pytest.raises(Refused) as refused:
        after(begun(PROTOCOL, "tide"), ("answerer", Open(page=page)))
    assert refused.value.code == "page"


def test_rationale_of_a_page_that_was_not_opened_is_refused():
    with pytest.raises(Refused) as refused:
        after(begun(PROTOCOL, "tide"), ASK, ("answerer", BORN))
    assert refused.value.code == "page"


def test_answer_without_rationale_is_refused():
    with pytest.raises(Refused):
        after(begun(PROTOCOL, "tide"), ASK, ("answerer", AnswerFree(text="1987")))


def test_first_question_of_the_study_waits_for_the_answerer():
    progress = begun(PROTOCOL, "tide", setup={"first_question": "when was it founded"})
    assert progress.activity.waits_for == ("answerer",)
    progress = after(progress, ("answerer", FOUNDED))
    [turn] = progress.activity.turns()
    assert (turn.question, turn.asked) == ("when was it founded", START)


def test_note_on_words_of_a_section_title():
    notes = begun(PROTOCOL, "tide").activity.notes("What is its repertoire?", "")
    assert ["Repertoire" in note for note in notes] == [True]


def test_dialog_may_end_after_five_turns():
    progress = begun(PROTOCOL, "tide")
    for _ in range(5):
        assert "end" not in progress.allowed("questioner")
        progress = after(progress, ASK, ("answerer", FOUNDED))
    assert "end" in progress.allowed("questioner")


def test_annotator_sees_no_later_turn_and_reads_its_documents():
    about = after(
        begun(PROTOCOL, "tide"),
        ASK,
        ("answerer", FOUNDED),
        ("questioner", Ask(question="When was she born?")),
        OPEN,
        ("answerer", BORN),
        ASK,
        ("answerer", AnswerFree()),
    ).activity.turns()
    scene = {"about": about, "workers": {"annotator": "w3"}, "about_dialog": "d0"}
    progress = begun(PROTOCOL, "tide", "validation", **scene)
    seen = progress.activity.view("annotator", frame("annotator"))
    assert "born" not in msgspec.json.encode(seen).decode()
    progress = after(progress, ("annotator", FOUNDED), ("annotator", AnswerFree()))
    assert progress.activity.pages("annotator") == {"tide", "holm"}
    progress = after(progress, ("annotator", AnswerFree()))
    assert [one.number for one in progress.activity.annotations()] == [1, 2, 3]
