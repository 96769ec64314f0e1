import pytest

from seminar.collection.rules.qaconv import (
    Decision,
    Settlement,
    Verdict,
    alikeness,
    decide,
    entities,
    failed_traps,
    form_faults,
    is_uncertain,
    settled_answers,
    unanswerable_faults,
)

SOURCE = "Rask: Ann Berg asked for the late boat on 14 April. CHAIR: Oslo pays for it."
ASKED = "Why did Rask tell Ann Berg that Oslo sold the late boat?"


def test_the_form_of_a_question_is_checked():
    assert form_faults("On which day was the late boat asked for?", "14 April", SOURCE) == ()
    assert form_faults("Who asked you", "Ann Berg", SOURCE) == (
        "more than 6 words in the question",
        "a question mark at its end",
        "no first or second person",
    )


def test_an_answer_needs_the_words_of_the_conversation():
    question = "On which day was the late boat asked for?"
    assert form_faults(question, "15 April", SOURCE) == ("all words of the answer in the source",)


def test_entities_are_names_and_numbers_that_the_conversation_mentions():
    assert entities("Did Rask tell Ann Berg before 14 April, in Bergen?", SOURCE) == (
        "Rask",
        "Ann Berg",
        "14",
    )


def test_an_unanswerable_question_mentions_three_entities():
    assert unanswerable_faults(ASKED, SOURCE) == ()
    assert unanswerable_faults("Why did Rask not like the late boat?", SOURCE) == (
        "at least 3 names or numbers of the source (1 there)",
    )


@pytest.mark.parametrize(
    ("answers", "uncertain"),
    [
        (["Tommy Norment", "Senator Tommy Norment"], False),  # 76
        (["Akzo Nobel", "the litigation"], True),  # 30
        (["Akzo Nobel", "the litigation", "Akzo Nobel"], False),
        (["Akzo Nobel"], False),
    ],
)
def test_a_question_whose_answers_all_differ_is_uncertain(answers: list[str], uncertain: bool):
    assert is_uncertain(answers) == uncertain


def test_who_does_not_say_b_of_a_planted_question_is_distrusted():
    assert failed_traps([("ann", "B"), ("bob", "A"), ("bob", "B")]) == {"bob"}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("A", Decision(True, ("Oslo",))),
        ("B", Decision(True, ())),
        ("C", Decision(False)),
        ("D", Decision(True, ("Oslo", "the city"))),
        ("AAC", Decision(True, ("Oslo",))),
        ("AC", Decision(False)),
        ("AD", Decision(True, ("Oslo", "the city"))),
        ("", Decision(True, ("Oslo",))),
    ],
)
def test_verifiers_decide(options: str, expected: Decision):
    verdicts = [
        Verdict(f"w{number}", option, "the city" if option == "D" else "")
        for number, option in enumerate(options)
    ]
    assert decide(["Oslo"], verdicts) == expected


def test_verdicts_of_the_distrusted_do_not_count():
    verdicts = [Verdict("ann", "C"), Verdict("bob", "C"), Verdict("cem", "A")]
    assert decide(["Oslo"], verdicts, distrusted=["ann", "bob"]) == Decision(True, ("Oslo",))


@pytest.mark.parametrize(
    ("second", "third", "expected"),
    [
        ("the blue boats", None, Settlement(("the blue boat",))),  # 95
        ("blue boat of Oslo", None, Settlement(needs="third annotator")),
        ("for the blue boat", None, Settlement(("the blue boat", "for the blue boat"))),  # 82
        ("14 April", "the blue boats", Settlement(("the blue boat", "the blue boats"))),
        ("14 April", "on 14 April", Settlement(("14 April", "on 14 April"))),  # 84
        ("14 April", "Ann Berg", Settlement(needs="judgement")),
    ],
)
def test_dev_and_test_answers_are_settled(second: str, third: str | None, expected: Settlement):
    assert settled_answers("the blue boat", second, third) == expected


def test_alikeness_does_not_depend_on_the_order():
    assert alikeness("Akzo Nobel", "the litigation") == 30
    assert alikeness("the litigation", "Akzo Nobel") == 30
