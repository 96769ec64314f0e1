import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from seminar.collection.questions.chunks import sample_chunks
from seminar.collection.questions.generation import QuestionGenerator, open_generator
from seminar.ingestion.discover import Problem
from seminar.settings import Settings
from seminar.types import Answer, Hit, Passage, Query, Span
from tests.fakes import FakeEncoder


@dataclass
class Finds:
    """A reader that answers every question with the same words of the first hit."""

    words: str

    def read(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Answer]]:
        return [[self._answer(ranking[0].passage)] for ranking in hits]

    def _answer(self, passage: Passage) -> Answer:
        start = passage.text.index(self.words)
        return Answer(Span(passage, start, start + len(self.words)), 0.9)


@dataclass
class Scripted:
    """A language model that gives one summary, and two questions about whatever it is shown."""

    prompts: list[str] = field(default_factory=list)

    def generate(self, prompts: Sequence[str]) -> list[str]:
        self.prompts += prompts
        return [self._output(prompt) for prompt in prompts]

    def _output(self, prompt: str) -> str:
        if prompt.startswith("Sum up"):
            return '{"summary": "A crossing burns 310 litres."}'
        when = "before" if "Welcome" in prompt else "after"
        made = [
            {
                "question": f"What does a crossing burn, {when} all?",
                "answer": "310  LITRES",
            },
            {"question": "What do you want to know about it?", "answer": "a unicorn"},
        ]
        return "Sure!\n" + "\n".join(map(json.dumps, made))


def test_questions_that_the_reader_answers_are_easy(chunk: Passage):
    judged = list(QuestionGenerator(Finds("CHAIR"), FakeEncoder()).generate([chunk]))
    named = [one for one in judged if one.candidate.answer == "CHAIR"]
    assert named
    assert all(one.easy and not one.kept for one in named)
    others = [one for one in judged if one.candidate.answer != "CHAIR" and not one.failed]
    assert others
    assert all(one.kept for one in others)


def test_a_chunk_gives_a_few_questions_each_once_and_the_same_again(chunk: Passage):
    generator = QuestionGenerator(Finds("RASK"), FakeEncoder(), seed=3)
    judged = list(generator.generate([chunk]))
    asked = [one.candidate.question for one in judged]
    assert len(asked) == len(set(asked))
    assert len(asked) <= 8
    assert {one.candidate.origin for one in judged} == {"chunk", "summary"}
    assert list(generator.generate([chunk])) == judged


def test_a_language_model_writes_questions_whose_answers_must_be_in_the_chunk(chunk: Passage):
    model = Scripted()
    judged = list(QuestionGenerator(Finds("RASK"), FakeEncoder(), model).generate([chunk]))
    assert [(one.candidate.origin, one.candidate.answer) for one in judged] == [
        ("summary", "310 litres"),
        ("summary", "a unicorn"),
        ("chunk", "310 litres"),
    ]
    assert judged[0].kept
    assert judged[0].candidate.span is not None
    assert judged[1].failed == (
        "no first or second person",
        "all words of the answer in the source",
    )
    assert "A crossing burns 310 litres." in model.prompts[1]
    assert len(model.prompts) == 3


def test_no_questions_of_no_summary(chunk: Passage):
    class Silent:
        def generate(self, prompts: Sequence[str]) -> list[str]:
            return ["I would rather not." for _ in prompts]

    assert list(QuestionGenerator(Finds("RASK"), FakeEncoder(), Silent()).generate([chunk])) == []


def test_chunks_are_sampled_and_unreadable_files_are_reported(panel: Path):
    (panel.parent / "broken.pdf").write_bytes(b"%PDF-1.4 no more")
    problems: list[Problem] = []
    chunks = sample_chunks([panel.parent], 0, problems.append)
    assert [chunk.source for chunk in chunks] == ["panel.jsonl#1"]
    assert [problem.source for problem in problems] == ["broken.pdf"]


def test_the_default_reader_leaves_some_questions_and_finds_some_easy(chunk: Passage):
    judged = list(open_generator(Settings(reader="sentence"), seed=1).generate([chunk]))
    assert any(one.kept for one in judged)
    assert any(one.easy for one in judged)
