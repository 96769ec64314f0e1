"""Examples of datasets: a turn to evaluate or train on, and its gold annotation."""

from __future__ import annotations

from dataclasses import dataclass

from seminar.types import Affirmation, Continuation, Dialogue, Query, Reply, Turn


@dataclass(frozen=True, slots=True)
class Evidence:
    """The text that supports an answer, and the dataset's name for its place.

    `source` is a passage's id or address; `elements` are the keys of the first and the last block.
    """

    text: str = ""
    source: str = ""
    title: str = ""
    elements: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """One answer to an ambiguous question: its aliases, and the reading that it answers."""

    aliases: tuple[str, ...]
    question: str = ""


@dataclass(frozen=True, slots=True)
class Gold:
    """A dataset's annotation of one turn; what it lacks stays at the default.

    `answers` are the references as the dataset's own scorer wants them:
    QuAC's CANNOTANSWER and TopiOCQA's UNANSWERABLE are kept, SQuAD and QAConv have none there.
    `spans` are offsets into the example's context, one for each answer.
    `annotations` holds the readings of each annotator; `clarifications` the question that
    distinguishes them. `relevance` pairs a passage's id with its grade.
    """

    answers: tuple[str, ...] = ()
    answerable: bool = True
    spans: tuple[tuple[int, int], ...] = ()
    affirmation: Affirmation | None = None
    continuation: Continuation | None = None
    rewrites: tuple[str, ...] = ()
    topic: str = ""
    section: str = ""
    evidence: tuple[Evidence, ...] = ()
    literal: tuple[Evidence, ...] = ()
    pragmatic: tuple[Evidence, ...] = ()
    ratings: tuple[int, ...] = ()
    annotations: tuple[tuple[Reading, ...], ...] = ()
    clarifications: tuple[str, ...] = ()
    relevance: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """One evaluated turn: its question, the questions and gold answers before it, and its gold.

    `context`, `title`, `section` and `background` are what the system may see; `sources` names the
    documents or conversations that it is about; `turn` counts from 1 as the dataset counts.
    """

    id: str
    dialogue_id: str
    question: str
    gold: Gold
    history: tuple[tuple[str, str], ...] = ()
    context: str = ""
    title: str = ""
    section: str = ""
    background: str = ""
    domain: str = ""
    sources: tuple[str, ...] = ()
    turn: int = 1


def dialogue_of(example: Example, no_answer: str) -> Dialogue:
    """The turns before an example, with the answers that its dataset gave."""
    turns = (
        Turn(
            question,
            Reply(text=answer, query=Query(question), answerable=answer not in ("", no_answer)),
        )
        for question, answer in example.history
    )
    return Dialogue(tuple(turns))
