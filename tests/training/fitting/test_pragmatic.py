from seminar.answering.pragmatic import FEATURES, Candidate, Pragmatics
from seminar.examples import Evidence, Example, Gold
from seminar.training.fitting.pragmatic import Trial, literal_spans, report, role_report
from seminar.types import Passage, Span
from tests.fakes import FakeEncoder

TEXT = "The lion roars at noon.\nThe witch fears cold water.\nThe road is made of yellow brick."
OZ = Passage("Oz/a", 0, len(TEXT), TEXT, "Oz")
GOLD = Gold(
    literal=(Evidence("roars", elements=("a",)), Evidence("Yes")),
    pragmatic=(Evidence("The witch fears cold water", elements=("a",)),),
)
EXAMPLE = Example("1", "d", "What does the lion do?", GOLD)


def candidate(text: str, **features: float) -> Candidate:
    start = TEXT.index(text)
    values = dict.fromkeys(FEATURES, 0.0) | features
    return Candidate(Span(OZ, start, start + len(text)), tuple(values.values()))


WITCH = candidate("The witch fears cold water.", names=1.0, novelty=0.9)
ROAD = candidate("The road is made of yellow brick.")


def test_only_literal_answers_that_are_spans_have_a_place():
    [found] = literal_spans(EXAMPLE, [OZ])
    assert (found.text, found.passage) == ("roars", OZ)


def test_a_sentence_is_right_where_most_of_it_was_chosen():
    assert Trial(EXAMPLE, None, [WITCH, ROAD]).right.tolist() == [1.0, 0.0]


def test_the_report_counts_choices_and_how_many_were_the_teachers():
    weights = dict.fromkeys(FEATURES, 0.0) | {"names": 1.0}
    scorer = Pragmatics(FakeEncoder(), weights=weights, limit=1, bar=0.0)
    trials = [Trial(EXAMPLE, None, [ROAD, WITCH])]
    assert report(trials, scorer) == {
        "F1-prag": 100.0,
        "sentences a question": 1.0,
        "of them the teacher's, %": 100.0,
    }


def test_a_lead_is_a_sentence_whose_new_terms_are_asked_for_next():
    led = Example("2", "d", "Why does she fear water?", Gold(literal=(Evidence("Yes"),)))
    answered = Example(
        "2", "d", "And then?", Gold(literal=(Evidence("the witch fears water", elements=("a",)),))
    )
    found = role_report([Trial(EXAMPLE, led, [WITCH]), Trial(EXAMPLE, answered, [WITCH])])
    assert found == {
        "sentences": 2,
        "leads called leads, %": 100.0,
        "next answers called so, %": 0.0,
    }
