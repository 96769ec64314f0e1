"""A trained Fusion-in-Decoder as a reader, and as a responder where it learnt PragmatiCQA's form.

A generated text counts as an answer only where a passage holds its words; `generate` also gives
the others, to score free text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from seminar.networks.checkpoints import load_weights, save, settings_of, tokenizer_of, untrained
from seminar.networks.papers.fusion.decoding import Decoding, greedy
from seminar.networks.papers.fusion.network import FAMILIES, FusionInDecoder
from seminar.networks.papers.fusion.pragmatic_targets import locate, reply_of
from seminar.networks.papers.fusion.texts import MARKS, FusionText, Lengths
from seminar.types import SEPARATOR, Answer, Dialogue, Hit, Query, Reply

PASSAGES = 100
BATCH = 8


@dataclass(frozen=True, slots=True)
class FusionInput:
    """A question as text and the passages to read for it, best first."""

    question: str
    passages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GeneratedText:
    """A generated text, and the probability that the network gives to it."""

    text: str
    probability: float

    @property
    def key(self) -> str:
        """What equal texts share."""
        return key_of(self.text)


def key_of(text: str) -> str:
    """A text without regard to case and white space."""
    return " ".join(text.lower().split())


class FusionReader:
    """Answers that a Fusion-in-Decoder generates, each located in a passage.

    Several answers in one generation are parted by [SEP] and share its probability, which is the
    network's own and not calibrated.
    """

    def __init__(
        self,
        network: FusionInDecoder,
        text: FusionText,
        *,
        passages: int = PASSAGES,
        decode: Decoding = greedy,
        batch: int = BATCH,
    ) -> None:
        self.network, self.text = network.eval(), text
        self.passages, self.decode, self.batch = passages, decode, batch

    def read(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Answer]]:
        answers = self.answers(
            [
                input_of(query.text, ranking, self.passages)
                for query, ranking in zip(queries, hits, strict=True)
            ]
        )
        return [located(texts, ranking) for texts, ranking in zip(answers, hits, strict=True)]

    def answers(self, inputs: Sequence[FusionInput]) -> list[list[GeneratedText]]:
        """The distinct answers to each question, the most probable generation's first."""
        return [
            distinct(
                GeneratedText(part.strip(), one.probability)
                for one in sorted(texts, key=lambda one: -one.probability)
                for part in one.text.split(MARKS[0])
            )
            for texts in self.generate(inputs)
        ]

    def generate(self, inputs: Sequence[FusionInput]) -> list[list[GeneratedText]]:
        """The texts generated for each question, as many as the decoding draws."""
        starts = range(0, len(inputs), self.batch)
        return [row for at in starts for row in self._generate(inputs[at : at + self.batch])]

    def _generate(self, inputs: Sequence[FusionInput]) -> list[list[GeneratedText]]:
        model = self.network.model
        context = self.text.context(
            [one.question for one in inputs], [one.passages for one in inputs]
        )
        with torch.no_grad():
            encoded = self.network.encode(context.to(model.device))
        columns = [
            map(GeneratedText, self.text.texts(drawn.sequences), drawn.probabilities.tolist())
            for drawn in self.decode(model, encoded, self.text.lengths.answer)
        ]
        return [list(row) for row in zip(*columns, strict=True)]


class PragmaticResponder:
    """Replies with literal and pragmatic evidence, generated in PragmatiCQA's form."""

    def __init__(self, reader: FusionReader) -> None:
        self.reader = reader

    def respond(
        self,
        dialogues: Sequence[Dialogue],
        queries: Sequence[Query],
        hits: Sequence[Sequence[Hit]],
        answers: Sequence[Sequence[Answer]],
    ) -> list[Reply]:
        """Replies from the queries and their hits; what another reader answered isn't used."""
        inputs = [
            input_of(question_with_history(query), ranking, self.reader.passages)
            for query, ranking in zip(queries, hits, strict=True)
        ]
        generated = self.reader.generate(inputs)
        return [
            reply_of(texts[0].text, query, ranking)
            for texts, query, ranking in zip(generated, queries, hits, strict=True)
        ]


def input_of(question: str, hits: Sequence[Hit], passages: int) -> FusionInput:
    """A question over the best passages, each with its heading."""
    return FusionInput(question, tuple(hit.passage.searched for hit in hits[:passages]))


def question_with_history(query: Query) -> str:
    """The whole conversation and the question; what doesn't fit later is the oldest."""
    turns = [part for turn in query.history for part in turn if part]
    return SEPARATOR.join([*turns, query.typed])


def distinct(texts: Iterable[GeneratedText]) -> list[GeneratedText]:
    """The first of each text, empty ones left out."""
    kept: dict[str, GeneratedText] = {}
    for one in texts:
        kept.setdefault(one.key, one)
    return [one for key, one in kept.items() if key]


def located(texts: Sequence[GeneratedText], hits: Sequence[Hit]) -> list[Answer]:
    """The texts that stand in a passage, as answers with decreasing scores."""
    answers: list[Answer] = []
    for one in texts:
        span = locate(one.text, hits)
        if span:
            least = answers[-1].score if answers else 1.0
            answers.append(Answer(span, min(one.probability, least)))
    return answers


def save_fusion(reader: FusionReader, folder: Path) -> None:
    """Write a network for use, with what its inputs look like."""
    settings = {
        "family": reader.network.model.config.model_type,
        "passages": reader.passages,
        "passage_tokens": reader.text.lengths.passage,
        "answer_tokens": reader.text.lengths.answer,
    }
    save(reader.network, folder, settings, tokenizer=reader.text.tokenizer)


def load(folder: Path, *, decode: Decoding = greedy) -> FusionReader:
    """The reader that `seminar train fusion` wrote."""
    settings = settings_of(folder)
    head, _ = FAMILIES[settings["family"]]
    network = FusionInDecoder(untrained(folder, head))
    load_weights(network, folder)
    lengths = Lengths(settings["passage_tokens"], settings["answer_tokens"])
    text = FusionText(tokenizer_of(str(folder)), network.model, lengths)
    return FusionReader(network, text, passages=settings["passages"], decode=decode)
