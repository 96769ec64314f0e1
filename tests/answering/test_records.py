import json
from datetime import UTC, datetime

from seminar.answering.records import reply_record, span_record
from seminar.types import (
    Alternative,
    Answer,
    Hit,
    LineMark,
    Page,
    Passage,
    Place,
    Query,
    Reply,
    Span,
    Utterance,
)

NAMES = {
    "question", "text", "answerable", "literal", "pragmatic", "affirmation", "continuation",
    "alternatives", "followups", "topic", "switch", "nearest", "score", "meta", "query", "notes",
    "hits", "seconds", "representations", "prose",
}  # fmt: skip


def test_a_refusal_has_every_name():
    record = reply_record("Why?", Reply(text="No.", query=Query("Why?")), 0.12345)
    assert set(record) == NAMES
    assert record["seconds"] == 0.1235
    assert record["switch"] is None
    assert record["literal"] == []
    assert record["nearest"] is None


def test_unanswered_question_has_record_of_nearest_sentence():
    passage = Passage("ferry.md", 10, 31, "The ferry runs daily.")
    reply = Reply("No.", Query("How many ferries?"), nearest=Span(passage, 0, 21))
    span = reply_record("How many ferries?", reply, 0.1)["nearest"]
    assert (span["text"], span["source"]) == ("The ferry runs daily.", "ferry.md")
    assert (span["start"], span["end"]) == (10, 31)


def test_notes_say_what_went_otherwise():
    reply = Reply(text="No.", query=Query("Why?"), notes=("the model did not answer",))
    assert reply_record("Why?", reply, 0.1)["notes"] == ["the model did not answer"]


def test_an_alternative_is_told_with_all_its_words():
    passage = Passage("panel.txt", 0, 30, "It is small. It must last now.")
    answer = Answer(Span(passage, 0, 12), 0.5, also=(Span(passage, 13, 30),))
    reply = Reply("?", Query("Why?"), alternatives=(Alternative(answer),))
    [told] = reply_record("Why?", reply, 0.1)["alternatives"]
    assert told["text"] == "It is small. … It must last now."


def test_a_span_is_placed_in_its_source_and_on_its_page():
    pages = (Page(3, 0, 10), Page(4, 10, 30))
    passage = Passage("report.pdf", 500, 530, "It is open on Sundays at noon.", pages=pages)
    reply = Reply(
        text="Sundays",
        query=Query("When?"),
        literal=(Span(passage, 14, 21),),
        hits=(Hit(passage, 1.5),),
    )
    record = json.loads(json.dumps(reply_record("When?", reply, 0.1)))
    assert record["literal"] == [
        {
            "text": "Sundays",
            "id": "report.pdf#514-521",
            "source": "report.pdf",
            "document": "report.pdf",
            "start": 514,
            "end": 521,
            "title": "",
            "section": "",
            "page": 4,
            "line": None,
            "column": None,
            "place": None,
            "speaker": None,
            "time": None,
        }
    ]
    assert record["hits"] == [
        {
            "id": "report.pdf#500-530",
            "source": "report.pdf",
            "start": 500,
            "end": 530,
            "title": "",
            "section": "",
            "score": 1.5,
        }
    ]


def test_span_record_gives_line_of_source_file():
    lines = (LineMark(0, 7), LineMark(12, 8))
    passage = Passage("panel.txt", 0, 30, "It is small. It must last now.", lines=lines)
    assert span_record(Span(passage, 6, 11))["line"] == 7
    assert span_record(Span(passage, 13, 15))["line"] == 8


def test_span_record_gives_the_cells_of_its_row():
    places = (Place("Fares!A2:B2", 0, 26), Place("Fares!A3:B3", 27, 53))
    text = "Ticket: Adult; Price: £12\nTicket: Child; Price: £4."
    passage = Passage("fares.xlsx", 0, len(text), text, places=places)
    assert span_record(Span(passage, 50, 52))["place"] == "Fares!A3:B3"


def test_a_message_names_its_speaker_and_time():
    said = Utterance("m1", "Ada", "At noon.", datetime(2024, 5, 1, 12, tzinfo=UTC), 5, 13)
    passage = Passage("mail.mbox#m1", 0, 13, "Ada: At noon.", utterances=(said,))
    reply = Reply(text="noon", query=Query("When?"), literal=(Span(passage, 8, 12),))
    [span] = json.loads(json.dumps(reply_record("When?", reply, 0.1)))["literal"]
    assert (span["speaker"], span["time"]) == ("Ada", "2024-05-01T12:00:00+00:00")


def test_a_message_is_cited_by_its_own_source_not_by_its_thread():
    said = [
        Utterance("1.1", "Ada", "When?", None, 5, 10, "general/2024-05-01.json"),
        Utterance("1.9", "Bo", "At noon.", None, 15, 23, "general/2024-05-03.json"),
    ]
    text = "Ada: When?\nBo: At noon."
    thread = "general/2024-05-01.json#1.1"
    passage = Passage(thread, 0, 23, text, title="#general", utterances=tuple(said))
    reply = Reply(
        text="noon", query=Query("When?"), literal=(Span(passage, 18, 22),), hits=(Hit(passage, 1),)
    )
    record = json.loads(json.dumps(reply_record("When?", reply, 0.1)))
    [span] = record["literal"]
    assert span["source"] == "general/2024-05-03.json#1.9"
    assert (span["text"], span["title"], span["speaker"]) == ("noon", "#general", "Bo")
    assert text[span["start"] : span["end"]] == "noon"
    assert record["hits"][0]["source"] == thread
