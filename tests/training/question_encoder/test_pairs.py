import random

from seminar.examples import Example, Gold
from seminar.training.question_encoder.pairs import (
    gold_passage,
    quac_pairs,
    rewrite_pairs,
    section_passages,
    squad_pairs,
    with_pronouns,
)

SECTION = " ".join(f"Sentence {number} tells of the tour at some length." for number in range(40))


def quac(start: int, **more) -> Example:
    gold = Gold(answers=("x",), spans=((start, start + 5),))
    return Example(
        "d_q#1", "d", "Why?", gold, context=SECTION, title="Ann Lee", section="Tours", **more
    )


def test_the_aim_is_the_passage_that_the_answer_begins_in():
    first, *_, last = section_passages(quac(0))
    assert gold_passage(quac(0)) == first.searched
    assert gold_passage(quac(len(SECTION) - 10)) == last.searched != first.searched


def test_an_unanswered_question_teaches_nothing():
    example = Example("d_q#1", "d", "Why?", Gold(answerable=False), context=SECTION)
    assert quac_pairs([example]) == []


def test_a_dialogue_begins_with_its_subject():
    [pair] = quac_pairs([quac(0, history=(("Where?", "CANNOTANSWER"), ("When?", "in May")))])
    assert pair.text == "Ann Lee > Tours [SEP] Where? [SEP] When? [SEP] in May [SEP] Why?"
    assert pair.target.startswith("Ann Lee > Tours\nSentence 0")
    assert not pair.rewrite


def test_a_rewrite_is_an_aim():
    example = Example(
        "1", "1", "Why?", Gold(rewrites=("Why did Ann go?",)), history=(("Who went?", "Ann"),)
    )
    [pair] = rewrite_pairs([example])
    assert (pair.target, pair.rewrite) == ("Why did Ann go?", True)


def test_names_of_earlier_texts_become_pronouns():
    assert (
        with_pronouns("Where did Marie Curie die?", ["Who was Marie Curie?"])
        == "Where did they die?"
    )
    assert (
        with_pronouns("Where did Marie Curie die?", ["Who was it?"]) == "Where did Marie Curie die?"
    )


def test_squad_becomes_conversations_about_one_paragraph_or_article():
    def asked(number: int, context: str) -> Example:
        question = f"What did Ann Lee do in {number}?"
        return Example(
            str(number), "a", question, Gold(answers=(f"answer {number}",)), context=context,
            title="Ann_Lee",
        )  # fmt: skip

    examples = [asked(1, "one"), asked(2, "one"), asked(3, "two")]
    pairs = squad_pairs(examples, random.Random(1))
    assert [pair.target for pair in pairs] == ["Ann Lee\none"] * 2 + ["Ann Lee\ntwo"]
    assert pairs[0].text.endswith("[SEP] What did they do in 1?")
    assert "answer 1" not in pairs[0].text
