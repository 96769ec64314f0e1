import pytest

from seminar.types import Answer, Passage, Segment, Span
from seminar.writing.weighing import FEATURES, Weighing, Written

TEXT = "It takes 55 minutes in summer and 65 minutes in winter. Dogs travel free."
PASSAGE = Passage("ferry.md", 0, len(TEXT), TEXT)
WEIGHTS = dict(zip(FEATURES, (0.0, 1.0, 1.0, -1.0, -0.5), strict=True))


def span(words: str) -> Span:
    start = TEXT.index(words)
    return Span(PASSAGE, start, start + len(words))


def segment(text: str, words: str) -> Segment:
    return Segment(text, (span(words),), 0.9)


SUMMER = Answer(span("55 minutes"), 0.5)
WINTER = Answer(span("65 minutes"), 0.45)
SENTENCE = "It takes 55 minutes in summer and 65 minutes in winter."


def weigh(*answers: Answer, written: Written) -> list[tuple[str, bool]]:
    weighed = Weighing(WEIGHTS).weigh(answers, written)
    return [(one.answer.span.text, one.verdict.written) for one in weighed]


def test_the_answer_that_the_model_wrote_gains():
    written = Written((segment("In winter it takes 65 minutes.", SENTENCE),))
    assert weigh(SUMMER, WINTER, written=written) == [("65 minutes", True), ("55 minutes", False)]


def test_a_reader_that_is_sure_is_not_overruled():
    sure = Answer(span("55 minutes"), 0.95)
    written = Written((segment("Dogs travel free.", "Dogs travel free."),))
    assert weigh(sure, written=written)[0] == ("55 minutes", False)


def test_nothing_there_lowers_every_answer_but_silences_none_by_itself():
    [best] = Weighing(WEIGHTS).weigh([Answer(span("55 minutes"), 0.9)], Written(absent=True))
    assert best.verdict.absent
    assert best.answer.score == pytest.approx(0.768, abs=0.001)


def test_words_that_the_reader_did_not_answer_with_are_a_candidate():
    written = Written((segment("Dogs travel free.", "Dogs travel free."),), "yes")
    [own] = Weighing(WEIGHTS).weigh([], written)
    assert (own.answer.text, own.answer.affirmation) == ("Dogs travel free.", "yes")
    assert Weighing(WEIGHTS).weigh([], Written()) == []


def test_a_yes_against_a_no_is_a_disagreement():
    yes = Answer(span("Dogs travel free."), 0.6, "yes")
    written = Written((segment("No, dogs travel free.", "Dogs travel free."),), "no")
    best, other = Weighing(WEIGHTS).weigh([yes], written)
    assert (best.answer.affirmation, best.verdict.otherwise) == ("yes", True)
    assert (other.answer.affirmation, other.verdict.written) == ("no", True)


def test_the_shipped_weights_are_complete():
    weights = Weighing().weights
    assert set(weights) == set(FEATURES)
    assert weights["reader"] > 0 >= weights["absent"]
