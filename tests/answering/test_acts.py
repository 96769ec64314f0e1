import pytest

from seminar.answering.acts import affirmation_of, continuation_of, probable
from seminar.answering.already_told import Shown
from seminar.types import Affirmation, Answer, Hit, Passage, Query, Span

TEXT = (
    "The ferry takes 55 minutes. The ferry sails four times a day. It carries 18 cars.\n"
    "The ferry is called off in a gale.\nLemons grow in the garden."
)
FERRY = Passage("ferry.md", 0, len(TEXT), TEXT, "Ferry", "Timetable")
QUERY = Query("How long does the ferry take?")


def span(text: str, passage: Passage = FERRY) -> Span:
    start = passage.text.index(text)
    return Span(passage, start, start + len(text))


def continuation(literal: str, *told: str) -> str:
    shown = Shown().add([span(literal), *(span(one) for one in told)])
    return continuation_of(QUERY, [Hit(FERRY, 1.0)], literal=span(literal), shown=shown)


@pytest.mark.parametrize(
    ("question", "act"),
    [
        ("Is it open?", "yes"),
        ("Without a break?", "yes"),
        ("How long is it open?", "neither"),
        ("And, in what month is it open?", "neither"),
        ("ok so who opened it?", "neither"),
    ],
)
def test_only_a_question_that_yes_can_answer_is_affirmed(question: str, act: str):
    assert affirmation_of(question, Answer(span("The ferry"), 0.9, "yes")) == act


@pytest.mark.parametrize(
    ("question", "words", "affirmation", "act"),
    [
        ("Are refunds given?", "Refunds are never given.", "yes", "neither"),
        ("Are refunds given?", "Refunds are never given.", "no", "no"),
        ("Is it not open?", "It isn’t open.", "yes", "yes"),
        ("Did Ana order the cake?", "Can you order the cake?", "yes", "neither"),
        ("Did Ana order the cake?", "Can you order the cake?", "no", "neither"),
    ],
)
def test_words_that_deny_show_no_yes_and_words_that_ask_show_nothing(
    question: str, words: str, affirmation: Affirmation, act: str
):
    sentence = Span(Passage("a.md", 0, len(words), words), 0, len(words))
    assert affirmation_of(question, Answer(sentence, 0.9, affirmation)) == act


def test_an_answer_is_told_from_the_threshold_on():
    sure, unsure = Answer(span("55 minutes"), 0.5), Answer(span("18 cars"), 0.49)
    assert probable([sure, unsure], 0.5) == [sure]
    assert probable([sure, unsure], 0.0) == [sure, unsure]


def test_what_has_no_probability_is_never_told():
    assert probable([Answer(span("55 minutes"), 0.0)], 0.0) == []


def test_much_to_tell_right_after_the_answer_means_follow_up():
    assert continuation("55 minutes") == "follow up"


def test_what_was_told_already_is_no_reason_to_ask_on():
    told = ("The ferry sails four times a day.", "It carries 18 cars.")
    assert continuation("55 minutes", *told) == "maybe"
    assert continuation("55 minutes", *told, "The ferry is called off in a gale.") == "don't"


def test_other_things_and_the_end_of_the_section_are_no_reason_to_ask_on():
    assert continuation("The ferry is called off in a gale.") == "don't"
    assert continuation("Lemons grow in the garden.") == "don't"


def test_the_section_goes_on_in_another_hit():
    literal = span("Lemons grow in the garden.")
    after = Passage(
        "ferry.md", 200, 240, "Lemons cost 2 crowns. They are sour.", "Ferry", "Timetable"
    )
    other = Passage("ferry.md", 300, 330, "Lemons are yellow.", "Ferry", "Fares")
    shown = Shown().add([literal])
    hits = [Hit(FERRY, 3.0), Hit(after, 2.0), Hit(other, 1.0)]
    assert continuation_of(Query("Lemons?"), hits, literal=literal, shown=shown) == "follow up"
    assert continuation_of(Query("Lemons?"), hits[::2], literal=literal, shown=shown) == "don't"
