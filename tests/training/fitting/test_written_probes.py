from dataclasses import replace

import pytest

from seminar.datasets.catalog import locate
from seminar.datasets.dialogues.written import read_sets
from seminar.reading.candidates import Candidate
from seminar.reading.regions import Region, Sentence
from seminar.reading.span_reader import Featured
from seminar.training.fitting.written_probes import (
    WrittenProbe,
    asked_alone,
    dialogues_of,
    own_reply,
)
from seminar.training.reader.written import IngestedSet
from seminar.types import Query, Span
from tests.paths import DATASET_FILES


@pytest.fixture(scope="module")
def written() -> tuple[IngestedSet, list[list[WrittenProbe]]]:
    [group] = read_sets(locate("written/dev", DATASET_FILES))
    return dialogues_of(group)


def test_every_third_question_is_asked_alone():
    assert [asked_alone(number) for number in range(4)] == [True, False, False, True]


def test_a_span_is_right_where_it_has_the_words_in_their_passage(written):
    ingested, [probes, *_] = written
    [answer] = probes[0].answers
    assert probes[0].is_right(answer)
    wider = Span(answer.passage, answer.start - 9, answer.end)
    assert probes[0].is_right(wider)
    other = next(one for one in ingested.passages if one.id != answer.passage.id)
    assert not probes[0].is_right(Span(other, 0, 9))
    assert not probes[2].answers


def test_the_own_reply_is_the_strongest_candidate_or_a_refusal(written):
    _, [probes, *_] = written
    [answer] = probes[0].answers
    sentence = Sentence(answer.start, answer.end, 1.0)
    region = Region(answer.passage, (sentence,), 1, 1.0, 1.0)
    strong = Candidate(region, answer, span_odds=2.0, type_odds=1.0)
    query = Query("When does the boat leave?")
    reply = own_reply(query, [Featured(strong, (), ())])
    assert (reply.answerable, reply.text, reply.literal) == (True, answer.text, (answer,))
    assert reply.score == pytest.approx(0.731, abs=0.001)
    weak = replace(strong, span_odds=-2.0)
    assert not own_reply(query, [Featured(weak, (), ())]).answerable
    assert not own_reply(query, []).answerable
