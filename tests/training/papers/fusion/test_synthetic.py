import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from seminar.training.papers.fusion.data import load_examples
from seminar.training.papers.fusion.synthetic import World, one_answer, questions, vocabulary

WORLD = World()


def kind(word):
    return int(word.removeprefix("thing")) % WORLD.kinds


def test_all_things_of_the_asked_kind_are_answers_and_nothing_else_is():
    for one in questions(WORLD, 200, seed=3, name="x"):
        asked = int(one.question[-1])
        named = {word for text in one.passages for word in text.split() if "thing" in word}
        assert {answer for (answer,) in one.answers} == {w for w in named if kind(w) == asked}
        assert len(one.passages) == 10
        assert all(text.split()[0] == one.question.split()[0] for text in one.passages)


def test_questions_have_one_to_four_answers_some_named_more_than_once():
    made = questions(WORLD, 500, seed=3, name="x")
    counts = [sum(len(one.answers) == n for one in made) for n in range(6)]
    assert counts[0] == counts[5] == 0
    assert counts[1] > counts[2] > counts[3] > counts[4] > 20
    named = [sum(one.answers[0][0] in text.split() for text in one.passages) for one in made]
    assert (min(named), max(named)) == (1, 3)


def test_the_seed_and_the_name_decide():
    made = [
        questions(WORLD, 3, seed=s, name=n) for s, n in ((1, "a"), (1, "a"), (2, "a"), (1, "b"))
    ]
    assert made[0] == made[1]
    assert made[0] != made[2]
    assert [one.question for one in made[0]] != [one.question for one in made[3]]


def test_one_answer_is_one_of_several():
    several = questions(WORLD, 50, seed=1, name="x")
    alone = one_answer(several, seed=1)
    assert all(len(one.answers) == 1 for one in alone)
    pairs = zip(alone, several, strict=True)
    assert all(one.answers[0] in other.answers for one, other in pairs)


def test_every_word_is_one_token():
    tokenizer = vocabulary(WORLD)
    words = "subject11 what4 [SEP] thing39 ; thing0 [EOI] </lit> </prag>"
    ids = tokenizer(words.replace(" ;", ";"))["input_ids"]
    assert tokenizer.convert_ids_to_tokens(ids) == words.split()


def test_the_parts_are_known_by_name():
    assert len(load_examples("synthetic/held-out", passages=10)) == 300
