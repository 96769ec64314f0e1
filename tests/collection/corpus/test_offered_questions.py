from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from seminar.collection.corpus.offered_questions import offer_questions, passage_of
from seminar.collection.corpus.reading import chunk_of
from seminar.collection.questions.generation import QuestionGenerator
from seminar.types import Answer, Hit, Passage, Query
from tests.fakes import FakeEncoder


@dataclass
class CountingReader:
    """Answers nothing, and counts the questions that it was asked."""

    asked: int = 0

    def read(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Answer]]:
        self.asked += len(queries)
        return [[] for _ in queries]


def test_a_chunk_is_the_passage_that_it_was_made_from(chunk: Passage):
    again = passage_of(chunk_of(chunk))
    assert again.text == chunk.text
    assert [again.spoken_words(one).text for one in again.utterances] == [
        chunk.spoken_words(one).text for one in chunk.utterances
    ]
    assert [one.speaker for one in again.utterances] == ["CHAIR", "RASK", "CHAIR"]


def test_questions_are_made_once(chunk: Passage, tmp_path: Path):
    reader = CountingReader()
    generator = QuestionGenerator(reader, FakeEncoder(), seed=1)
    record = tmp_path / "questions"
    done: list[int] = []
    [first] = offer_questions([chunk_of(chunk)], generator, record, watch=done.append)
    assert first.questions
    assert len(first.questions) == len(first.answers)
    assert done == [1]
    asked = reader.asked
    with record.open("ab") as lines:
        lines.write(b'{"chunk": "cut o')  # a run that was killed
    [again] = offer_questions([chunk_of(chunk)], generator, record)
    assert again == first
    assert reader.asked == asked
