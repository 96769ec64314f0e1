import random
from dataclasses import replace

from seminar.models.reader.layout import FOUND, QUESTION, SEP
from seminar.models.word_pieces import PassagePieces
from seminar.training.reader.augmentation import PRONOUNS, QUESTION_MARK, WHAT_IS, Augmentation
from seminar.training.reader.config import ReaderConfig
from seminar.training.reader.examples import ReaderExample

PLAIN = ReaderConfig(
    history_share=0.0, found_share=0.0, end_share=0.0, no_heading_share=0.0, any_window_share=0.0
)
NAME = (190, 191)


def passage(text: str, first: int) -> PassagePieces:
    """Twelve word pieces, one for each letter, under a heading."""
    return PassagePieces(
        text, tuple(range(first, first + 12)), tuple((at, at + 1) for at in range(12)), (199,)
    )


HERE, THERE = passage("h" * 12, 110), passage("t" * 12, 130)
ASKED = ReaderExample(
    "1", (150, *NAME, QUESTION_MARK), HERE, "span", (2, 4), source="squad", names=(NAME,)
)
BESIDE = ReaderExample("2", (151, *NAME, QUESTION_MARK), HERE, "span", (6, 8), source="squad")
OTHER = ReaderExample("3", (152, QUESTION_MARK), THERE, "span", (1, 2), source="squad")
NEGATIVE = replace(ASKED, passage=THERE, type="no answer", span=None, source="negative")


def layout(example: ReaderExample, config: ReaderConfig) -> list[int]:
    augmentation = Augmentation(config, [ASKED, BESIDE, OTHER], {})
    return augmentation.sample(example, 24, random.Random(0)).layout.ids


def front(ids: list[int]) -> list[int]:
    """The question side, up to the first separator."""
    return ids[: ids.index(SEP)]


def test_a_negative_with_the_answer_as_found_has_the_type_end():
    augmentation = Augmentation(replace(PLAIN, end_negative_share=1.0), [ASKED, BESIDE], {})

    target = augmentation.sample(NEGATIVE, 24, random.Random(0))

    assert target.type == "end"
    assert front(target.layout.ids)[-3:] == [FOUND, *HERE.ids[2:4]]
    assert augmentation.sample(ASKED, 24, random.Random(0)).type == "span"


def test_a_question_may_lose_its_question_mark():
    marked, bare = (
        front(layout(ASKED, replace(PLAIN, no_question_mark_share=share))) for share in (0.0, 1.0)
    )
    assert marked[1:] == [QUESTION, 150, *NAME, QUESTION_MARK]
    assert bare[1:] == [QUESTION, 150, *NAME]


def test_a_yes_or_no_question_may_use_a_pronoun_after_an_introduction():
    asked = ReaderExample("b", (150, 199, QUESTION_MARK), HERE, "yes", source="boolq")
    ids = front(layout(asked, replace(PLAIN, introduction_share=1.0)))
    at = ids.index(QUESTION)
    assert ids[2 : 2 + len(WHAT_IS) + 2] == [*WHAT_IS, 199, QUESTION_MARK]
    assert ids[at + 1] == 150
    assert (ids[at + 2],) in PRONOUNS


def test_a_question_after_others_about_its_passage_may_use_a_pronoun():
    ids = front(layout(ASKED, replace(PLAIN, history_share=1.0, pronoun_share=1.0)))
    at = ids.index(QUESTION)
    assert ids[2:6] == list(BESIDE.question)
    assert (ids[at + 2],) in PRONOUNS


def test_a_negative_follows_questions_about_the_passage_of_its_question():
    target = Augmentation(replace(PLAIN, history_share=1.0), [ASKED, BESIDE, OTHER], {}).sample(
        NEGATIVE, 24, random.Random(0)
    )
    assert front(target.layout.ids)[2:6] == list(BESIDE.question)
    assert target.type == "no answer"
    assert not any(0 < mark <= 3 for mark in target.layout.marks)  # nothing was answered from here


def test_a_derived_question_follows_questions_about_the_same_passage():
    derived = replace(ASKED, id="1 Is it so?", type="yes", source="yes no")
    ids = front(layout(derived, replace(PLAIN, history_share=1.0)))
    assert ids[2:6] == list(BESIDE.question)


def test_a_history_about_another_passage_leaves_the_question_unchanged():
    config = replace(PLAIN, history_share=1.0, other_passage_share=1.0, pronoun_share=1.0)
    histories = set()
    for seed in range(20):
        augmentation = Augmentation(config, [ASKED, BESIDE, OTHER], {})
        ids = front(augmentation.sample(ASKED, 24, random.Random(seed)).layout.ids)
        assert ids[ids.index(QUESTION) + 1 :] == list(ASKED.question)
        histories.add(tuple(ids[2:4]))
    assert (152, QUESTION_MARK) in histories


def test_a_question_of_boolq_may_follow_questions_about_another_passage():
    asked = ReaderExample("b", (150, QUESTION_MARK), passage("b" * 12, 170), "no", source="boolq")
    ids = front(layout(asked, replace(PLAIN, other_passage_share=1.0)))
    assert ids[1] != QUESTION
    assert ids[ids.index(QUESTION) + 1 :] == [150, QUESTION_MARK]
