from dataclasses import replace

from seminar.examples import Example, Gold
from seminar.training.reader.coqa import earlier, marked

STORY = "Maud rowed to the island. Nobody was at home."


def asked(answer: str, evidence: str, **more) -> Example:
    start = STORY.find(evidence)
    gold = Gold((answer,), spans=((start, start + len(evidence)),), **more)
    return Example("1", "1", "Where did she go?", gold, context=STORY)


def spans(examples: list[Example]) -> list[str]:
    return [STORY[start:end] for one in examples for start, end in one.gold.spans]


def test_the_span_is_the_answer_within_its_evidence():
    assert spans(marked([asked("the island", "Maud rowed to the island.")])) == ["the island"]


def test_a_yes_or_no_keeps_its_evidence():
    [made] = marked([asked("No.", "Nobody was at home.")])
    assert (made.gold.affirmation, spans([made])) == ("no", ["Nobody was at home."])


def test_an_answer_in_other_words_is_left_out_and_an_unknown_one_has_no_span():
    unknown = asked("unknown", "Maud", answerable=False)
    assert [one.gold.spans for one in marked([asked("by boat", "Maud rowed"), unknown])] == [()]


def test_an_earlier_question_is_kept_where_the_story_has_its_answer_once():
    history = (("Who rowed?", "Maud"), ("Alone?", "yes"), ("When?", "at home"))
    [who, when] = earlier(replace(asked("the island", "the island"), history=history))
    assert (who.question, spans([who]), who.history) == ("Who rowed?", ["Maud"], ())
    assert (when.question, spans([when]), when.history) == ("When?", ["at home"], history[:2])
