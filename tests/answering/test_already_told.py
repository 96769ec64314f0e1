from seminar.answering.already_told import Shown, enclosing, sentence_spans, shown_in
from seminar.types import Dialogue, Passage, Pragmatic, Query, Reply, Span, Turn, Utterance

TEXT = "The crossing takes 55 minutes. Dogs are carried free of charge. Cars must be booked."
FERRY = Passage("ferry.md", 100, 100 + len(TEXT), TEXT, "The ferry")
ELSEWHERE = Passage("guide.md", 0, 40, "On the crossing, dogs are carried free of charge.", "Guide")


def span(passage: Passage, text: str) -> Span:
    start = passage.text.index(text)
    return Span(passage, start, start + len(text))


def test_a_span_is_shown_with_the_sentence_around_it():
    assert enclosing(span(FERRY, "55 minutes")).text == "The crossing takes 55 minutes."
    assert (
        enclosing(span(FERRY, "charge. Cars")).text
        == "Dogs are carried free of charge. Cars must be booked."
    )


def test_what_was_shown_is_a_repetition_and_what_was_not_is_none():
    shown = Shown().add([span(FERRY, "55 minutes")])
    assert shown.repeats(span(FERRY, "The crossing takes"))
    assert not shown.repeats(span(FERRY, "Dogs are carried free of charge."))


def test_the_same_words_elsewhere_are_a_repetition():
    shown = Shown().add([span(ELSEWHERE, "dogs are carried free of charge")])
    assert shown.repeats(span(FERRY, "Dogs are carried free of charge."))
    assert not shown.repeats(span(FERRY, "Cars must be booked."))


def test_words_without_content_tell_nothing():
    passage = Passage("a.md", 0, 11, "And so it is.")
    assert Shown().repeats(Span(passage, 0, 13))


def test_a_dialogue_has_said_its_answers_and_its_extras():
    reply = Reply(
        text="55 minutes",
        query=Query("How long?"),
        answerable=True,
        literal=(span(FERRY, "55 minutes"),),
        pragmatic=(Pragmatic(span(FERRY, "Dogs are carried free of charge."), "lead"),),
    )
    shown = shown_in(Dialogue((Turn("How long?", reply),)))
    assert shown.repeats(span(FERRY, "Dogs are carried free of charge."))
    assert not shown.repeats(span(FERRY, "Cars must be booked."))
    assert {"crossi", "55", "dogs", "charge"} <= shown.terms


def test_a_refusal_has_said_nothing():
    refused = Reply(text="I can't find dogs.", query=Query("Dogs?"))
    assert shown_in(Dialogue((Turn("Dogs?", refused),))) == Shown()


def test_sentences_leave_out_headings_and_speakers():
    headed = Passage("a.md", 0, 30, "Fares\nDogs are carried free of charge.", "Ferry", "Fares")
    assert [one.text for one in sentence_spans(headed)] == ["Dogs are carried free of charge."]
    shown = Utterance("1", "Ada", "Dogs are carried free of charge.", None, 5, 22)
    spoken = Passage("mail#1", 0, 22, "Ada: Dogs are carried free of charge.", utterances=(shown,))
    assert [one.text for one in sentence_spans(spoken)] == ["Dogs are carried free of charge."]
