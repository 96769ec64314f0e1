"""Generated questions for chunks, of which QAConv's writers are offered four (section 2.1.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import msgspec

from seminar.collection.corpus.records import Chunk
from seminar.collection.questions.generation import QuestionGenerator
from seminar.types import Passage, Utterance


class _Offered(msgspec.Struct, frozen=True):
    """The questions of one chunk, with the answers that they were made from."""

    chunk: str
    questions: tuple[str, ...]
    answers: tuple[str, ...]


def offer_questions(
    chunks: Iterable[Chunk],
    generator: QuestionGenerator,
    record: Path,
    *,
    watch: Callable[[int], None] = lambda done: None,
) -> Iterator[Chunk]:
    """The chunks with their kept questions; those that `record` has already aren't made again.

    Questions that the reader answers easily, or that break a rule of form, are left out.
    """
    made = {offered.chunk: offered for offered in _read(record)}
    with record.open("ab") as lines:
        for done, chunk in enumerate(chunks, start=1):
            offered = made.get(chunk.id)
            if offered is None:
                offered = _make(chunk, generator)
                lines.write(msgspec.json.encode(offered) + b"\n")
                lines.flush()
            watch(done)
            yield replace(chunk, questions=offered.questions, answers=offered.answers)


def passage_of(chunk: Chunk) -> Passage:
    """A chunk as the question generator wants it."""
    return Passage(
        chunk.source,
        0,
        len(chunk.text),
        chunk.text,
        title=chunk.title,
        utterances=tuple(
            Utterance(str(number), line.speaker, line.text, start=line.start, end=line.end)
            for number, line in enumerate(chunk.lines)
        ),
    )


def _make(chunk: Chunk, generator: QuestionGenerator) -> _Offered:
    kept = [judged.candidate for judged in generator.generate([passage_of(chunk)]) if judged.kept]
    return _Offered(
        chunk.id, tuple(one.question for one in kept), tuple(one.answer for one in kept)
    )


def _read(record: Path) -> Iterator[_Offered]:
    """What an earlier run recorded, without a line that it did not finish."""
    if not record.is_file():
        return
    content = record.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        record.write_bytes(whole)
    for line in whole.splitlines():
        yield msgspec.json.decode(line, type=_Offered)
