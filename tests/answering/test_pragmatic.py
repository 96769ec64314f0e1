import pytest

from seminar.answering.already_told import Shown
from seminar.answering.pragmatic import FEATURES, LEAD, Candidate, Pragmatics
from seminar.models.encoders.registry import load_encoder
from seminar.types import Hit, Passage, Pragmatic, Query, Span
from seminar.weights import read_weights
from tests.fakes import FakeEncoder

TEXT = (
    "The ferry takes 55 minutes in summer. In winter the ferry takes 65 minutes. Dogs travel free. "
    "Crossing | 55 minutes | 65 minutes"
)
FERRY = Passage("ferry.md", 0, len(TEXT), TEXT, "Ferry")
ISLAND = Passage("island.md", 0, 60, "The island has 1,900 inhabitants and one pub.", "Island")
QUERY = Query("How long does the ferry take?")
HITS = [Hit(FERRY, 2.0), Hit(ISLAND, 1.0)]
ONLY_SAME_PASSAGE = dict.fromkeys(FEATURES, 0.0) | {"same passage": 1.0}


def span(text: str, passage: Passage = FERRY) -> Span:
    start = passage.text.index(text)
    return Span(passage, start, start + len(text))


def chosen(scorer: Pragmatics, *told: Span) -> list[str]:
    shown = Shown().add(told)
    found = scorer.choose(QUERY, HITS, literal=span("55 minutes"), shown=shown)
    return [one.span.text for one in found]


def test_the_answers_own_sentence_and_rows_of_tables_are_never_added():
    scorer = Pragmatics(FakeEncoder(), weights=ONLY_SAME_PASSAGE, limit=9, bar=0.0)
    assert chosen(scorer) == [
        "In winter the ferry takes 65 minutes.",
        "The island has 1,900 inhabitants and one pub.",
    ]  # "Dogs travel free." has too few words


def test_what_was_said_before_is_not_said_again():
    scorer = Pragmatics(FakeEncoder(), weights=ONLY_SAME_PASSAGE, limit=9, bar=0.0)
    assert chosen(scorer, span("In winter")) == ["The island has 1,900 inhabitants and one pub."]


def test_a_question_in_the_files_is_no_extra():
    text = "When does the ferry go out? The ferry goes out at noon on Fridays."
    passage = Passage("chat.txt", 0, len(text), text)
    scorer = Pragmatics(FakeEncoder(), weights=ONLY_SAME_PASSAGE, limit=9, bar=0.0)
    found = scorer.choose(QUERY, [Hit(passage, 1.0)], literal=span("55 minutes"), shown=Shown())
    assert [one.span.text for one in found] == ["The ferry goes out at noon on Fridays."]


def test_two_extras_do_not_say_the_same():
    text = "The hull was built in Carrow in May. The hull was built in Carrow."
    twice = Passage("a.md", 0, len(text), text, "A")
    query, literal = Query("Who paid for it?"), span("55 minutes")
    scorer = Pragmatics(FakeEncoder(), weights=dict.fromkeys(FEATURES, 0.0), limit=9, bar=0.0)
    found = scorer.choose(query, [Hit(twice, 1.0)], literal=literal, shown=Shown())
    assert [one.span.text for one in found] == ["The hull was built in Carrow in May."]


def test_the_bar_and_the_limit_hold():
    few = Pragmatics(FakeEncoder(), weights=ONLY_SAME_PASSAGE, limit=1, bar=0.0)
    assert chosen(few) == ["In winter the ferry takes 65 minutes."]
    sure = Pragmatics(FakeEncoder(), weights=ONLY_SAME_PASSAGE, limit=9, bar=0.6)
    assert chosen(sure) == ["In winter the ferry takes 65 minutes."]
    none = Pragmatics(FakeEncoder(), weights=ONLY_SAME_PASSAGE, limit=9, bar=0.9)
    assert chosen(none) == []


def test_a_mostly_new_sentence_is_a_lead():
    features = dict.fromkeys(FEATURES, 0.0)
    place = span("Dogs travel free.")
    new = Candidate(place, tuple((features | {"novelty": LEAD}).values()))
    old = Candidate(place, tuple((features | {"novelty": LEAD - 0.1}).values()))
    assert new.pragmatic == Pragmatic(place, "lead")
    assert old.pragmatic == Pragmatic(place, "next question")


def test_the_weights_that_ship_prefer_what_stands_beside_the_answer():
    assert set(read_weights("pragmatic")) == set(FEATURES)
    assert chosen(Pragmatics(load_encoder("static")))[0] == "In winter the ferry takes 65 minutes."


def test_no_hits_give_no_extras():
    scorer = Pragmatics(FakeEncoder(), weights=ONLY_SAME_PASSAGE)
    assert scorer.choose(QUERY, [], literal=span("55 minutes"), shown=Shown()) == ()


@pytest.mark.parametrize("text", ["…", "a\n\nb"])
def test_what_has_hardly_a_word_is_no_extra(text: str):
    passage = Passage("x", 0, len(text), text)
    scorer = Pragmatics(FakeEncoder(), weights=ONLY_SAME_PASSAGE, bar=0.0)
    found = scorer.choose(QUERY, [Hit(passage, 1.0)], literal=span("55 minutes"), shown=Shown())
    assert found == ()


def test_sentence_that_begins_with_a_pronoun_is_an_extra_only_after_the_answer_s_sentence():
    text = (
        "The ferry takes 55 minutes. It carries dogs free of charge. They must wear a muzzle then."
    )
    passage = Passage("ferry.md", 0, len(text), text)
    scorer = Pragmatics(FakeEncoder(), weights=ONLY_SAME_PASSAGE, limit=9, bar=0.0)
    literal = span("55 minutes", passage)
    extras = scorer.choose(QUERY, [Hit(passage, 1.0)], literal=literal, shown=Shown())
    assert [extra.span.text for extra in extras] == ["It carries dogs free of charge."]


def test_default_is_one_extra():
    assert len(chosen(Pragmatics(FakeEncoder(), weights=ONLY_SAME_PASSAGE))) == 1
