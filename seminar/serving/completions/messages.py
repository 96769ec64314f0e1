"""Messages in OpenAI's form to a dialogue: nothing is stored, the client sends all of it again.

An answer that comes back with its annotations is restored exactly; of one without, the words are
looked for in the index.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from seminar.retrieval.file_index import FileIndex
from seminar.serving.dialogues.asking import LONGEST_QUESTION, checked_question
from seminar.serving.dialogues.restoring import Places
from seminar.serving.problems import Problem
from seminar.types import Dialogue, Query, Reply, Span, Turn

REMEMBERED = 20  # turns before the question
LOOKED_AT = 10  # passages in which an answer without annotations is looked for
MOST_MESSAGES = 1_000
LONGEST_MESSAGE = 100_000

Text = Annotated[str, Field(max_length=LONGEST_MESSAGE)]


class Part(BaseModel):
    """A part of a message; only text is read."""

    type: str = Field(max_length=40)
    text: Text = ""


class Message(BaseModel):
    """A message of the conversation so far."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: Text | Annotated[list[Part], Field(max_length=100)] | None = None
    annotations: Annotated[list[dict[str, Any]], Field(max_length=100)] | None = None

    @property
    def text(self) -> str:
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.type == "text")
        return self.content or ""


class StreamOptions(BaseModel):
    include_usage: bool = False


class Completion(BaseModel):
    """A request for a completion; parameters that choose words have no effect on quotations."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"model": "notes", "messages": [{"role": "user", "content": "Who founded it?"}]}
            ]
        }
    )
    model: str = Field(max_length=200)
    messages: list[Message] = Field(min_length=1, max_length=MOST_MESSAGES)
    stream: bool = False
    stream_options: StreamOptions | None = None
    n: Literal[1] | None = None
    scope: str = Field("", max_length=4_000)


def question_of(messages: Sequence[Message]) -> str:
    """The question that is asked: the last message."""
    if messages[-1].role != "user":
        raise Problem(422, "messages: the last one must be the user's question.")
    return checked_question(messages[-1].text)


def dialogue_of(messages: Sequence[Message], index: FileIndex) -> Dialogue:
    """The turns before the question, each a user's message and the answer after it."""
    pairs = list(_pairs(messages[:-1]))[-REMEMBERED:]
    citations = [list(_citations(answer)) for _, answer in pairs]
    places = Places(index, {one["document"] for several in citations for one in several})
    turns = []
    for (question, answer), cited in zip(pairs, citations, strict=True):
        text = question.text[:LONGEST_QUESTION]
        spans = [span for one in cited if (span := places.span(one))]
        literal = spans or _located(answer.text, index)
        reply = Reply(answer.text, Query(text, text), answerable=bool(literal), literal=(*literal,))
        turns.append(Turn(text, reply))
    return Dialogue(tuple(turns))


def _pairs(messages: Sequence[Message]) -> Iterator[tuple[Message, Message]]:
    question = None
    for message in messages:
        if message.role == "user":
            question = message
        elif message.role == "assistant" and question is not None:
            yield question, message
            question = None


def _citations(answer: Message) -> Iterator[dict[str, Any]]:
    """The literal spans among the annotations, as they were sent with the answer."""
    for annotation in answer.annotations or ():
        cited = annotation.get("url_citation")
        if not isinstance(cited, dict) or cited.get("kind") != "literal":
            continue
        words = isinstance(cited.get("text"), str) and isinstance(cited.get("document"), str)
        if words and all(type(cited.get(key)) is int for key in ("start", "end")):
            yield cited


def _located(text: str, index: FileIndex) -> list[Span]:
    """The place of an answer's first line, where a passage has exactly these words."""
    words = text.strip().partition("\n")[0].strip()
    if not words:
        return []
    [hits] = index.search_text([Query(words[:LONGEST_QUESTION])], k=LOOKED_AT)
    for passage in (hit.passage for hit in hits):
        at = passage.text.find(words)
        if at >= 0:
            return [Span(passage, at, at + len(words))]
    return []
