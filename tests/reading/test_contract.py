"""The contract of every reader."""

from collections.abc import Callable

import pytest

from seminar.models.encoders.registry import load_encoder
from seminar.protocols import Reader
from seminar.reading.iterative import IterativeReader, OnePassReader
from seminar.reading.readers import load_reader
from seminar.reading.speakers import SpeakerReader
from seminar.types import Answer, Hit, Passage, Query
from tests.paths import TINY_READER

READERS: dict[str, Callable[[], Reader]] = {
    "iterative": lambda: IterativeReader(load_reader(str(TINY_READER)), diversity=1.0),
    "one pass": lambda: OnePassReader(load_reader("sentence"), diversity=1.0),
    "sentence": lambda: load_reader("sentence"),
    "span": lambda: load_reader(str(TINY_READER)),
    "speakers": lambda: SpeakerReader(load_reader("sentence"), load_encoder("static")),
}

TEXTS = [
    "The crossing takes 55 minutes in summer. Dogs travel free. The café sells soup.",
    "Der Turm wurde 1911 von Edda Thörnquist vollendet – „endlich“. Er steht noch.",
    "猫は太陽の下で眠る。犬は走る。",
    "🦔 hedgehogs 🦔🦔 sleep; e\u0301 combining, half a \ud800 pair, a\u00a0hard space.",
    "word " * 700,
]
PASSAGES = [
    Passage(f"{number}.md", 0, len(text), text, title=f"Title {number}")
    for number, text in enumerate(TEXTS)
]
HITS = [Hit(passage, 1.0 / (at + 1)) for at, passage in enumerate(PASSAGES)]
QUESTIONS = ["How long is the crossing?", "Wer baute den Turm?", "猫は？", "🦔", "\ud800", ""]


def query_of(question: str) -> Query:
    return Query(question, question, history=(("Do dogs pay?", "Dogs travel free"), ("Why?", "")))


QUERIES = [query_of(question) for question in QUESTIONS]


@pytest.fixture(params=sorted(READERS))
def reader(request: pytest.FixtureRequest) -> Reader:
    return READERS[request.param]()


def places(answers: list[Answer]) -> list[tuple[str, int, int, str]]:
    return [
        (answer.span.passage.id, answer.span.start, answer.span.end, answer.affirmation)
        for answer in answers
    ]


def test_no_queries_or_no_hits_give_no_answers(reader: Reader):
    assert reader.read([], []) == []
    assert reader.read([query_of("Who?")], [[]]) == [[]]


def test_batch_gives_same_answers_as_single_queries_in_order(reader: Reader):
    separately = [reader.read([query], [HITS])[0] for query in QUERIES]
    together = reader.read(QUERIES, [HITS] * len(QUERIES))
    assert [places(answers) for answers in together] == [places(answers) for answers in separately]
    reversed_order = reader.read(QUERIES[::-1], [HITS] * len(QUERIES))
    assert [places(answers) for answers in reversed_order[::-1]] == [
        places(answers) for answers in separately
    ]


def test_reading_is_deterministic(reader: Reader):
    assert reader.read(QUERIES, [HITS] * 6) == reader.read(QUERIES, [HITS] * 6)


def test_answers_are_exact_spans_of_passages(reader: Reader):
    for answers in reader.read(QUERIES, [HITS] * len(QUERIES)):
        assert answers
        for answer in answers:
            span = answer.span
            assert span.passage in PASSAGES
            assert 0 <= span.start < span.end <= len(span.passage.text)
            assert span.text == span.text.strip() != ""


def test_scores_are_probabilities_best_first(reader: Reader):
    for answers in reader.read(QUERIES, [HITS] * len(QUERIES)):
        scores = [answer.score for answer in answers]
        assert scores == sorted(scores, reverse=True)
        assert all(0 < score < 1 for score in scores)


@pytest.mark.parametrize("text", ["", "   \n", "\u200b", "\ud800", ".", "\x00\x01"])
def test_passage_without_words_is_read_without_error(reader: Reader, text: str):
    blank = Hit(Passage("blank.md", 0, len(text), text), 1.0)
    [answers] = reader.read([query_of("Who?")], [[blank]])
    assert all(0 < answer.score < 1 for answer in answers)
