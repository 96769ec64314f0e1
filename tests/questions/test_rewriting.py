import pytest

from seminar.models.rewriter.model import FollowUp, RewriterModel
from seminar.questions.registry import HISTORIES
from seminar.types import Dialogue, Passage, Query, Reply, Span, Turn
from seminar.weights import weights_folder

TEXT = "Marie Curie was born in Warsaw. She won the Nobel Prize in Physics in 1903."
PASSAGE = Passage("curie.md", 0, len(TEXT), TEXT, title="Marie Curie", section="Life")


def answered(question: str, words: str) -> Turn:
    start = TEXT.index(words)
    span = Span(PASSAGE, start, start + len(words))
    return Turn(question, Reply(words, Query(question), answerable=True, literal=(span,)))


BORN = Dialogue((answered("Where was Marie Curie born?", "Warsaw"),))


@pytest.fixture(scope="module")
def model() -> RewriterModel:
    return RewriterModel(weights_folder("rewriter"))


def test_a_pronoun_becomes_the_name_before_it():
    [query] = HISTORIES["rewrite"]().rewrite([BORN], ["When did she win the Nobel Prize?"])
    assert query.text == "When did Marie Curie win the Nobel Prize?"
    assert query.question == "When did she win the Nobel Prize?"
    assert query.history == (("Where was Marie Curie born?", "Warsaw"),)


def test_a_first_question_stays_as_it_is():
    [query] = HISTORIES["rewrite"]().rewrite([Dialogue()], ["When did she win it?"])
    assert query.text == "When did she win it?"


def test_title_of_the_last_answer_is_not_put_in():
    passage = Passage("notes.md", 0, 9, "In Warsaw", title="A Note About Moonlighting")
    reply = Reply("Warsaw", Query("?"), answerable=True, literal=(Span(passage, 3, 9),))
    dialogue = Dialogue((Turn("Where was Marie Curie born?", reply),))
    [query] = HISTORIES["rewrite"]().rewrite([dialogue], ["How do you manage Macs?"])
    assert "Moonlighting" not in query.text


@pytest.mark.parametrize("question", ["", "?", "why " * 200, "\ud800 是?"])
def test_odd_questions_stay_as_they_are(model: RewriterModel, question: str):
    turns = (("Who was Marie Curie?", "a physicist"),)
    assert model.rewrite([FollowUp(question, turns)]) == [question]


@pytest.mark.parametrize(
    "answer", [" ".join(["9f86d081884c7d659a2feaa0c55ad015"] * 30), "它是红色的" * 120]
)
def test_a_history_of_more_pieces_than_the_network_has_places_for_is_left_out(
    model: RewriterModel, answer: str
):
    asked = FollowUp("When did she die?", (("Who was Marie Curie?", answer),))
    assert model.rewrite([asked]) == ["When did she die?"]
