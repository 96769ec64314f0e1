import random
from dataclasses import replace

import pytest

from seminar.examples import Example, Gold
from seminar.training.reader.yes_no import ask_whether, yes_no_questions

TEXT = (
    "The old tower was built in 1904 by Ada Lovell. It was not repaired before the war. "
    "There is no lift in the building. The new tower was opened in 1931."
)


def asked(question: str, answer: str) -> Example:
    at = TEXT.index(answer)
    gold = Gold((answer,), spans=((at, at + len(answer)),))
    return Example(question, "d", question, gold, context=TEXT, title="Towers")


EXAMPLES = [
    asked("When was the old tower built?", "1904"),
    asked("When was the new tower opened?", "1931"),
]


def made(seeds: int = 30) -> list[Example]:
    return [one for seed in range(seeds) for one in yes_no_questions(EXAMPLES, random.Random(seed))]


def evidence(example: Example) -> str:
    [(start, end)] = example.gold.spans
    return example.context[start:end]


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("Where was Curie born?", "Warsaw", "Was Curie born in Warsaw?"),
        ("When did it open?", "on 3 May 1912", "Did it open on 3 May 1912?"),
        ("When did it open?", "May 3, 1912", "Did it open on May 3, 1912?"),
        ("Who was the first director?", "Maud Brennan", "Was Maud Brennan the first director?"),
        ("How many rooms does it have?", "142", "Does it have 142 rooms?"),
        ("What did she find?", "a slug", "Did she find a slug?"),
        ("Why did it fail?", "rain", None),
        ("What did she find?", "x" * 50, None),
    ],
)
def test_an_open_question_becomes_one_for_yes_or_no(question, answer, expected):
    assert ask_whether(question, answer) == expected


def test_as_many_are_answered_yes_as_no():
    said = [one.gold.affirmation for one in made()]
    assert said.count("yes") == said.count("no") > 0


def test_the_right_answer_gives_yes_and_another_of_its_kind_no():
    said = {one.question: one.gold.affirmation for one in made()}
    assert said["Was the old tower built in 1904?"] == "yes"
    assert said["Was the old tower built in 1931?"] == "no"
    assert not any("Ada" in question for question in said if question.startswith("Was the new"))


def test_a_negation_that_stands_there_gives_no():
    said = {one.question: one for one in made()}
    repaired = said["Was it repaired before the war?"]
    assert (repaired.gold.affirmation, repaired.context) == ("no", TEXT)
    assert evidence(repaired) == "It was not repaired before the war."
    assert said["Is there a lift in the building?"].gold.affirmation == "no"


def test_a_negation_that_is_put_in_gives_no_and_moves_the_evidence_s_end():
    changed = [one for one in made() if one.context != TEXT]
    assert changed
    for one in changed:
        assert one.gold.affirmation == "no"
        assert evidence(one).endswith(".")
        assert any(word in evidence(one) for word in ("not", "never", "no longer"))
        assert one.context.replace(evidence(one), "").count(".") == 3


def test_questions_without_a_span_are_left_out():
    lost = [replace(one, gold=replace(one.gold, spans=())) for one in EXAMPLES]
    for seed in range(30):
        questions = {one.question for one in yes_no_questions(lost, random.Random(seed))}
        assert questions.isdisjoint({f"Was the old tower built in {y}?" for y in (1904, 1931)})
