"""A trained AmbigPrompt as a reader: asked again with the answers found, until it says [EOI]."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from transformers import T5ForConditionalGeneration

from seminar.networks.checkpoints import load_weights, save, settings_of, tokenizer_of, untrained
from seminar.networks.papers.ambigprompt.network import AmbigPrompt, LearnedPrompts
from seminar.networks.papers.fusion.decoding import draw
from seminar.networks.papers.fusion.reader import (
    BATCH,
    PASSAGES,
    FusionInput,
    GeneratedText,
    input_of,
    key_of,
    located,
)
from seminar.networks.papers.fusion.texts import END_OF_ITERATION, Context, FusionText, Lengths
from seminar.types import Answer, Hit, Query

ROUNDS = 10


class AmbigPromptReader:
    """All answers to a question, one after another (AmbigPrompt, 3.2).

    It stops at [EOI], at an answer that is known already, below the `least` probability, and after
    `rounds` answers. The answers that a query has (`Query.found`) are known from the beginning.
    """

    def __init__(
        self,
        network: AmbigPrompt,
        text: FusionText,
        *,
        passages: int = PASSAGES,
        rounds: int = ROUNDS,
        least: float = 0.0,
        batch: int = BATCH,
    ) -> None:
        self.network, self.text = network.eval(), text
        self.passages, self.rounds, self.least = passages, rounds, least
        self.batch = batch

    def read(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Answer]]:
        inputs = [
            input_of(query.text, ranking, self.passages)
            for query, ranking in zip(queries, hits, strict=True)
        ]
        answers = self.answers(inputs, [query.found for query in queries])
        return [located(texts, ranking) for texts, ranking in zip(answers, hits, strict=True)]

    def answers(
        self, inputs: Sequence[FusionInput], known: Sequence[Sequence[str]] | None = None
    ) -> list[list[GeneratedText]]:
        """The answers to each question beside those that are known, in the order of finding."""
        before = known or [()] * len(inputs)
        size = self.batch
        return [
            texts
            for start in range(0, len(inputs), size)
            for texts in self._answers(inputs[start : start + size], before[start : start + size])
        ]

    def _answers(
        self, inputs: Sequence[FusionInput], known: Sequence[Sequence[str]]
    ) -> list[list[GeneratedText]]:
        context = self.text.context(
            [one.question for one in inputs], [one.passages for one in inputs]
        )
        answers: list[list[GeneratedText]] = [[] for _ in inputs]
        open_rows = list(range(len(inputs)))  # questions that may have a further answer
        for _ in range(self.rounds):
            before = [[*known[row], *(one.text for one in answers[row])] for row in open_rows]
            further = self._next(context.rows(open_rows), before)
            new = [
                (row, text)
                for row, text, texts in zip(open_rows, further, before, strict=True)
                if self._is_new(text, texts)
            ]
            if not new:
                break
            for row, text in new:
                answers[row].append(text)
            open_rows = [row for row, _ in new]
        return answers

    def _next(self, context: Context, known: Sequence[Sequence[str]]) -> list[GeneratedText]:
        """One more answer to each question."""
        model = self.network.model
        with torch.no_grad():
            prompt = self.text.known_answers(known).to(model.device)
            encoded = self.network.encode(context.to(model.device), prompt)
        drawn = draw(model, encoded, self.text.lengths.answer, eos_token_id=self._ends())
        texts = self.text.texts(drawn.sequences)
        return list(map(GeneratedText, texts, drawn.probabilities.tolist()))

    def _ends(self) -> list[int]:
        """The tokens that end a text: the model's own, and [EOI]."""
        mark = self.text.tokenizer.convert_tokens_to_ids(END_OF_ITERATION)
        learnt = mark not in (None, self.text.tokenizer.unk_token_id)
        return [self.text.end, mark] if learnt else [self.text.end]

    def _is_new(self, text: GeneratedText, known: Sequence[str]) -> bool:
        keys = {"", *(key_of(answer) for answer in (END_OF_ITERATION, *known))}
        return text.key not in keys and text.probability >= self.least


def save_ambigprompt(reader: AmbigPromptReader, folder: Path) -> None:
    """Write a network for use, with what its inputs look like."""
    network = reader.network
    learned = list(network.prompts.shape[::2]) if network.prompting == "learned" else []
    settings = {
        "prompting": network.prompting,
        "learned": learned,  # rounds and length
        "passages": reader.passages,
        "passage_tokens": reader.text.lengths.passage,
        "answer_tokens": reader.text.lengths.answer,
    }
    save(network, folder, settings, tokenizer=reader.text.tokenizer)


def load(folder: Path, *, least: float = 0.0) -> AmbigPromptReader:
    """The reader that `seminar train ambigprompt` wrote."""
    settings = settings_of(folder)
    learned = LearnedPrompts(*settings["learned"]) if settings["learned"] else None
    model = untrained(folder, T5ForConditionalGeneration)
    network = AmbigPrompt(model, prompting=settings["prompting"], learned=learned)
    load_weights(network, folder)
    lengths = Lengths(settings["passage_tokens"], settings["answer_tokens"])
    text = FusionText(tokenizer_of(str(folder)), model, lengths)
    return AmbigPromptReader(network, text, passages=settings["passages"], least=least)
