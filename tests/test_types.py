"""What passages and spans know of their utterances and source lines."""

from seminar.types import LineMark, Passage, Span, Utterance

PANEL = Passage(
    "panel.txt#1",
    0,
    27,
    "Ada: Hello.\nBo: It is late.",
    utterances=(
        Utterance("1", "Ada", "Hello.", start=5, end=11, lines=(LineMark(5, 3),)),
        Utterance("2", "Bo", "It is late.", start=16, end=27, lines=(LineMark(16, 4),)),
    ),
)


def test_speaker_label_is_name_before_words():
    [_, bo] = PANEL.utterances
    assert PANEL.speaker_label(bo) == Span(PANEL, 12, 14)


def test_speaker_label_is_none_where_passage_begins_within_utterance():
    passage = Passage("panel.txt#1", 16, 27, "It is late.")
    assert passage.speaker_label(Utterance("2", "Bo", "It is late.", start=0, end=11)) is None


def test_spoken_words_leave_out_label_that_utterance_includes():
    passage = Passage("qaconv#1", 0, 10, "Ada: Hello")
    utterance = Utterance("1", "Ada", "Ada: Hello", start=0, end=10)
    assert passage.spoken_words(utterance).text == "Hello"


def test_line_of_span_is_that_of_its_utterance():
    assert Span(PANEL, 19, 21).line == 4


def test_line_of_speaker_name_is_that_of_words_after_it():
    assert Span(PANEL, 12, 14).line == 4


def test_line_of_span_is_none_without_marks():
    assert Span(Passage("a.pdf", 0, 3, "One"), 0, 3).line is None
