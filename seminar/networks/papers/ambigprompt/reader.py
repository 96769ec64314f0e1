"""A trained AmbigPrompt as a reader: asked again, told what it found, until it says [EOI]."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from transformers import T5ForConditionalGeneration

from seminar.networks.checkpoints import load_weights, save, settings_of, tokenizer_of, untrained
from seminar.networks.papers.ambigprompt.network import AmbigPrompt, LearnedPrompts
from seminar.networks.papers.fusion.decoding import draw
from seminar.networks.papers.fusion.reader import BATCH, PASSAGES, Asked, Said, asked_of, located
from seminar.networks.papers.fusion.texts import END_OF_ITERATION, Context, FusionText, Lengths
from seminar.types import Answer, Hit, Query

ROUNDS = 10


class AmbigPromptReader:
    """All answers to a question, one after another (AmbigPrompt, 3.2).

    It stops at [EOI], at an answer that it was told already, below the `least` probability, and
    after so many rounds. What a query knows already (`Query.found`) is told from the beginning.
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
        pairs = list(zip(queries, hits, strict=True))
        asked = [asked_of(one.text, found, self.passages) for one, found in pairs]
        said = self.answers(asked, [one.found for one in queries])
        return [located(texts, found) for texts, found in zip(said, hits, strict=True)]

    def answers(
        self, asked: Sequence[Asked], known: Sequence[Sequence[str]] | None = None
    ) -> list[list[Said]]:
        """The answers to each question beside those that are known, in the order of finding."""
        before = known or [()] * len(asked)
        size = self.batch
        return [
            found
            for at in range(0, len(asked), size)
            for found in self._answers(asked[at : at + size], before[at : at + size])
        ]

    def _answers(self, asked: Sequence[Asked], known: Sequence[Sequence[str]]) -> list[list[Said]]:
        context = self.text.context(
            [one.question for one in asked], [one.passages for one in asked]
        )
        found: list[list[Said]] = [[] for _ in asked]
        going = list(range(len(asked)))
        for _ in range(self.rounds):
            told = [[*known[at], *(one.text for one in found[at])] for at in going]
            said = dict(zip(going, self._next(context.rows(going), told), strict=True))
            going = [
                at for at, before in zip(going, told, strict=True) if self._is_new(said[at], before)
            ]
            if not going:
                break
            for at in going:
                found[at].append(said[at])
        return found

    def _next(self, context: Context, told: Sequence[Sequence[str]]) -> list[Said]:
        """One more answer to each question."""
        model = self.network.model
        with torch.no_grad():
            known = self.text.told(told).to(model.device)
            encoded = self.network.encode(context.to(model.device), known)
        drawn = draw(model, encoded, self.text.lengths.answer, eos_token_id=self._ends())
        return list(map(Said, self.text.texts(drawn.sequences), drawn.probabilities.tolist()))

    def _ends(self) -> list[int]:
        """What ends a text: the model's own mark, and [EOI], after which nothing is to be said."""
        mark = self.text.tokenizer.convert_tokens_to_ids(END_OF_ITERATION)
        learnt = mark not in (None, self.text.tokenizer.unk_token_id)
        return [self.text.end, mark] if learnt else [self.text.end]

    def _is_new(self, one: Said, told: Sequence[str]) -> bool:
        keys = {"", Said(END_OF_ITERATION, 1.0).key, *(Said(text, 1.0).key for text in told)}
        return one.key not in keys and one.probability >= self.least


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
