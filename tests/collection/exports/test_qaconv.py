import pytest

from seminar.collection.exports.conversations import conversations
from seminar.collection.exports.qaconv import gold_answers, untrusted_verifiers
from seminar.collection.records import Annotation, WrittenQuestion
from tests.collection.small_studies import minutes, qaconv_study


def annotation(
    worker: str, option: str = "", answer: str = "", *, trap: bool = False, at: int = 0
) -> Annotation:
    answers = (answer,) if answer else ()
    written = WrittenQuestion("?", answers)
    return Annotation("w1", 1, worker, f"v{worker}{at}", minutes(at), written, option, trap)


def answers(*given: Annotation, is_evaluated: bool = True) -> tuple[str, ...] | None:
    records = qaconv_study(*given)
    first = conversations(records)[0]
    return gold_answers(first, untrusted_verifiers(records), is_evaluated=is_evaluated)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((), ("14 April",)),
        ((annotation("a", "A"),), ("14 April",)),
        ((annotation("a", "B"),), ()),
        ((annotation("a", "C"),), None),
        ((annotation("a", "D", "in April"),), ("14 April", "in April")),
        ((annotation("a", answer="14 april"),), ("14 April",)),  # 100: the first
        ((annotation("a", answer="on 14 April"),), ("14 April", "on 14 April")),  # 84: both
        ((annotation("a", answer="the city"),), None),  # waits for a third
        (
            (annotation("a", answer="the city"), annotation("b", answer="on 14 April", at=1)),
            ("14 April", "on 14 April"),
        ),
        ((annotation("a", answer="the city"), annotation("b", answer="RASK", at=1)), None),
        ((annotation("a"), annotation("b", at=1)), ()),  # two say that nothing answers it
    ],
)
def test_gold_answers_of_a_verified_question(given, expected):
    assert answers(*given) == expected


def test_training_keeps_the_first_answer():
    assert answers(annotation("a", answer="the city"), is_evaluated=False) == ("14 April",)


def test_who_misses_a_planted_question_does_not_count():
    trap = annotation("a", "A", trap=True, at=1)
    assert answers(annotation("a", "C"), trap) == ("14 April",)
    seen = annotation("a", "B", trap=True, at=1)
    assert answers(annotation("a", "C"), seen) is None
