from seminar.examples import Example, Gold
from seminar.questions.standalone import StandingAlone
from seminar.training.fitting.standalone import (
    LabelledQuestion,
    area_under_curve,
    changes_of_subject,
    fit,
    follow_ups_of,
)

FERRY = (("How long is the crossing?", "It takes 55 minutes."),)
TOWER = (("Who built the lantern tower?", "Edda Thornquist."), ("When?", "In 1911."))


def example(question: str, rewrite: str, history: tuple[tuple[str, str], ...]) -> Example:
    return Example(question, question, question, Gold(rewrites=(rewrite,)), history=history)


EXAMPLES = [
    example("Is it rough?", "Is the crossing rough?", FERRY),
    example("Who repaired the tower", "who repaired the tower?", TOWER),
    example("Who was she?", "Who was Edda Thornquist?", TOWER[:1]),
    example("Who built the lantern tower?", "Who built the lantern tower?", ()),
]


def test_a_question_that_its_rewrite_leaves_unchanged_is_standalone():
    assert [(one.question, one.standalone) for one in follow_ups_of(EXAMPLES)] == [
        ("Is it rough?", False),
        ("Who repaired the tower", True),
        ("Who was she?", False),
    ]


def test_a_change_of_subject_is_a_first_question_in_another_conversation():
    changed = changes_of_subject(EXAMPLES, 20, seed=1)
    firsts = {"How long is the crossing?", "Who built the lantern tower?"}
    assert {one.question for one in changed} == firsts
    assert {one.history for one in changed} == {FERRY, TOWER, TOWER[:1]}
    assert all(one.standalone for one in changed)


def test_the_fit_separates_pronouns_from_names():
    questions = [
        LabelledQuestion("Is it rough?", FERRY, False),
        LabelledQuestion("Who built the lantern tower?", FERRY, True),
        LabelledQuestion("Why does she like it?", TOWER, False),
        LabelledQuestion("How many petrels nest on Sallow Head?", TOWER, True),
    ]
    model = StandingAlone(fit(questions))
    assert area_under_curve(model, questions) == 100.0
    assert model.weights["stands in"] < 0 < model.weights["new terms"]
