"""Text-to-text question answering: UnifiedQA's form, fine-tuned as QAConv's authors do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from seminar.datasets.conversations.qaconv_chunks import load_split
from seminar.errors import ConfigurationError
from seminar.examples import Example
from seminar.metrics.measures.overlap import exact_match, f1
from seminar.networks.papers.seq2seq.answering import (
    UNANSWERABLE,
    AnsweringNetwork,
    Seq2SeqReader,
    save,
    source_of,
)
from seminar.networks.papers.seq2seq.network import Sizes
from seminar.training.papers.seq2seq.task import Pair, Purpose, Seq2SeqTask, new_writer
from seminar.training.samples import sample, split_off


@dataclass(frozen=True, slots=True)
class TextToTextConfig:
    """The checkpoint, the data and the form of a question.

    Without `held_out`, so many `held_out_dialogues` of the data are scored instead; `titled` puts
    a passage's title before it, `passages` are read at inference, `limit` keeps a sample.
    """

    checkpoint: str = "tiny"
    family: str = "t5"
    form: str = "unifiedqa"
    titled: bool = True
    data: tuple[str, ...] = ("squad/train",)
    held_out: str = "squad/dev"
    held_out_dialogues: int = 100
    limit: int = 0
    sample: int = 300
    batch_size: int = 16
    source_tokens: int = 512
    target_tokens: int = 32
    beams: int = 1
    dropout: float = 0.1
    passages: int = 1


def answer_scores(answers: Sequence[str], pairs: Sequence[Pair]) -> dict[str, float]:
    """Token F1 and exact match against the best reference."""
    rows = list(zip(answers, pairs, strict=True))
    overlap = sum(
        max(f1(answer, reference) for reference in pair.references) for answer, pair in rows
    )
    exact = sum(
        any(exact_match(answer, reference) for reference in pair.references)
        for answer, pair in rows
    )
    return {
        "f1": round(100 * overlap / len(rows), 2),
        "exact": round(100 * exact / len(rows), 2),
    }


def answering_pair(example: Example, *, form: str, titled: bool) -> Pair:
    """A question over its context, and the first of its answers."""
    title = example.title if titled else ""
    source = source_of(example.question, example.context, form, title=title)
    references = _references(example)
    target = references[0].lower() if form == "unifiedqa" else references[0]
    return Pair(source, target, references)


def _references(example: Example) -> tuple[str, ...]:
    gold = example.gold
    if not gold.answerable:
        return (UNANSWERABLE,)
    if not gold.answers and gold.affirmation in ("yes", "no"):
        return (gold.affirmation,)
    if not gold.answers:
        raise ConfigurationError(
            f"{example.id} has neither an answer nor a yes or no: name data with answers"
        )
    return gold.answers


def text_to_text_task(config: TextToTextConfig, *, cache: Path, seed: int) -> Seq2SeqTask:
    """The whole task from the datasets under SEMINAR_DATA."""
    sizes = Sizes(config.source_tokens, config.target_tokens, beams=config.beams)
    writer = new_writer(AnsweringNetwork, config, sizes, seed=seed)
    examples, held_out = _examples(config)
    reader = Seq2SeqReader(writer, form=config.form, titled=config.titled, passages=config.passages)
    return Seq2SeqTask(
        writer,
        [answering_pair(one, form=config.form, titled=config.titled) for one in examples],
        Purpose(answer_scores, partial(save, reader)),
        batch_size=config.batch_size,
        held_out=[
            answering_pair(one, form=config.form, titled=config.titled)
            for one in sample(held_out, config.sample)
        ],
        seed=seed,
    )


def _examples(config: TextToTextConfig) -> tuple[list[Example], list[Example]]:
    """The training and the held-out examples that have a context."""
    examples = [one for name in config.data for one in load_split(name, None) if one.context]
    if config.held_out:
        held_out = [one for one in load_split(config.held_out, None) if one.context]
    else:
        examples, held_out = split_off(examples, config.held_out_dialogues)
    return (sample(examples, config.limit) if config.limit else examples), held_out
