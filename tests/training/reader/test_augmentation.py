import random
from dataclasses import replace

from seminar.models.reader.layout import FOUND, QUESTION, SEP
from seminar.models.word_pieces import PassagePieces
from seminar.training.reader.augmentation import PRONOUNS, QUERY, WHAT_IS, Showing
from seminar.training.reader.config import ReaderConfig
from seminar.training.reader.examples import ReaderExample

PLAIN = ReaderConfig(
    history_share=0.0, found_share=0.0, end_share=0.0, bare_share=0.0, away_share=0.0
)
NAME = (190, 191)


def passage(text: str, first: int) -> PassagePieces:
    """Twelve word pieces, one for each letter, under a heading."""
    return PassagePieces(
        text, tuple(range(first, first + 12)), tuple((at, at + 1) for at in range(12)), (199,)
    )


HERE, THERE = passage("h" * 12, 110), passage("t" * 12, 130)
ASKED = ReaderExample("1", (150, *NAME, QUERY), HERE, "span", (2, 4), source="squad", names=(NAME,))
BESIDE = ReaderExample("2", (151, *NAME, QUERY), HERE, "span", (6, 8), source="squad")
OTHER = ReaderExample("3", (152, QUERY), THERE, "span", (1, 2), source="squad")
NEGATIVE = replace(ASKED, passage=THERE, type="no answer", span=None, source="negative")


def layout(example: ReaderExample, config: ReaderConfig) -> list[int]:
    showing = Showing(config, [ASKED, BESIDE, OTHER], {})
    return showing.shown(example, 24, random.Random(0)).layout.ids


def front(ids: list[int]) -> list[int]:
    """The question side, up to the first separator."""
    return ids[: ids.index(SEP)]


def test_a_passage_beside_the_answer_s_ends_the_search_once_the_answer_is_known():
    showing = Showing(replace(PLAIN, end_elsewhere_share=1.0), [ASKED, BESIDE], {})

    shown = showing.shown(NEGATIVE, 24, random.Random(0))

    assert shown.type == "end"
    assert front(shown.layout.ids)[-3:] == [FOUND, *HERE.ids[2:4]]
    assert showing.shown(ASKED, 24, random.Random(0)).type == "span"


def test_a_question_may_lose_its_mark_so_that_typing_none_betrays_nothing():
    marked, bare = (
        front(layout(ASKED, replace(PLAIN, unmarked_share=share))) for share in (0.0, 1.0)
    )
    assert marked[1:] == [QUESTION, 150, *NAME, QUERY]
    assert bare[1:] == [QUESTION, 150, *NAME]


def test_a_yes_or_no_may_be_asked_by_a_pronoun_after_what_the_passage_is_about():
    asked = ReaderExample("b", (150, 199, QUERY), HERE, "yes", source="boolq")
    ids = front(layout(asked, replace(PLAIN, introduced_share=1.0)))
    at = ids.index(QUESTION)
    assert ids[2 : 2 + len(WHAT_IS) + 2] == [*WHAT_IS, 199, QUERY]
    assert ids[at + 1] == 150
    assert (ids[at + 2],) in PRONOUNS


def test_after_talk_about_its_passage_a_question_may_name_things_by_a_pronoun():
    ids = front(layout(ASKED, replace(PLAIN, history_share=1.0, pronoun_share=1.0)))
    at = ids.index(QUESTION)
    assert ids[2:6] == list(BESIDE.question)
    assert (ids[at + 2],) in PRONOUNS


def test_a_negative_follows_the_talk_that_its_question_belongs_to():
    shown = Showing(replace(PLAIN, history_share=1.0), [ASKED, BESIDE, OTHER], {}).shown(
        NEGATIVE, 24, random.Random(0)
    )
    assert front(shown.layout.ids)[2:6] == list(BESIDE.question)
    assert shown.type == "no answer"
    assert not any(0 < mark <= 3 for mark in shown.layout.marks)  # nothing was answered from here


def test_what_was_made_of_a_question_follows_the_same_talk():
    polar = replace(ASKED, id="1 Is it so?", type="yes", source="polar")
    ids = front(layout(polar, replace(PLAIN, history_share=1.0)))
    assert ids[2:6] == list(BESIDE.question)


def test_talk_about_something_else_leaves_the_question_as_it_is():
    config = replace(PLAIN, history_share=1.0, elsewhere_share=1.0, pronoun_share=1.0)
    histories = set()
    for seed in range(20):
        showing = Showing(config, [ASKED, BESIDE, OTHER], {})
        ids = front(showing.shown(ASKED, 24, random.Random(seed)).layout.ids)
        assert ids[ids.index(QUESTION) + 1 :] == list(ASKED.question)
        histories.add(tuple(ids[2:4]))
    assert (152, QUERY) in histories


def test_a_question_of_boolq_may_follow_talk_about_something_else():
    asked = ReaderExample("b", (150, QUERY), passage("b" * 12, 170), "no", source="boolq")
    ids = front(layout(asked, replace(PLAIN, elsewhere_share=1.0)))
    assert ids[1] != QUESTION
    assert ids[ids.index(QUESTION) + 1 :] == [150, QUERY]
