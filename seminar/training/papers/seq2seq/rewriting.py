"""Question rewriting by an encoder-decoder: TopiOCQA's QR module, and T5 on CANARD."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from seminar.datasets.catalog import load
from seminar.examples import Example
from seminar.metrics.measures.bleu import corpus_bleu
from seminar.models.rewriter.model import FollowUp
from seminar.networks.papers.seq2seq.network import Sizes
from seminar.networks.papers.seq2seq.rewriting import (
    RewritingNetwork,
    Seq2SeqRewriter,
    save,
    source_of,
)
from seminar.training.papers.seq2seq.task import Pair, Purpose, Seq2SeqTask, new_writer
from seminar.training.rewriter.rewrites import disjoint_from, with_titles
from seminar.training.samples import sample, split_off

UNTITLED = "canard/train-pairs"
UNANSWERED = frozenset({"CANNOTANSWER", "UNANSWERABLE"})


@dataclass(frozen=True, slots=True)
class RewritingConfig:
    """The checkpoint, the data and the form of a dialogue.

    Without `held_out`, `held_out_dialogues` of the data are scored instead. `disjoint` leaves out
    turns that share a rewrite, or two questions, with a scored dialogue; `limit` keeps a sample.
    """

    checkpoint: str = "tiny"
    family: str = "t5"
    form: str = "topiocqa"
    data: tuple[str, ...] = ("qrecc/train-part",)
    held_out: str = ""
    held_out_dialogues: int = 100
    disjoint: bool = True
    limit: int = 0
    sample: int = 300
    batch_size: int = 16
    source_tokens: int = 512
    target_tokens: int = 64
    beams: int = 1
    dropout: float = 0.1


def rewriting_scores(rewrites: Sequence[str], pairs: Sequence[Pair]) -> dict[str, float]:
    """BLEU without and with regard to case, and how many are exactly their rewrite."""
    targets = [pair.target for pair in pairs]
    matches = zip(rewrites, targets, strict=True)
    exact = sum(rewrite.lower() == target.lower() for rewrite, target in matches)
    return {
        "uncased bleu": round(corpus_bleu(rewrites, [targets], lowercase=True).score, 2),
        "bleu": round(corpus_bleu(rewrites, [targets]).score, 2),
        "exact": round(100 * exact / len(targets), 2),
    }


def rewriting_pair(example: Example, form: str) -> Pair:
    """A question in its dialogue, and its rewrite."""
    turns = tuple(
        (question, "" if answer in UNANSWERED else answer) for question, answer in example.history
    )
    asked = FollowUp(example.question, turns, example.title, example.section)
    return Pair(source_of(asked, form), example.gold.rewrites[0], example.gold.rewrites)


def rewriting_task(config: RewritingConfig, *, cache: Path, seed: int) -> Seq2SeqTask:
    """The whole task from the datasets under SEMINAR_DATA."""
    sizes = Sizes(config.source_tokens, config.target_tokens, kept="end", beams=config.beams)
    writer = new_writer(RewritingNetwork, config, sizes, seed=seed)
    examples, held_out = _examples(config)
    rewriter = Seq2SeqRewriter(writer, config.form)
    return Seq2SeqTask(
        writer,
        [rewriting_pair(one, config.form) for one in examples],
        Purpose(rewriting_scores, partial(save, rewriter)),
        batch_size=config.batch_size,
        held_out=[rewriting_pair(one, config.form) for one in sample(held_out, config.sample)],
        seed=seed,
    )


def _examples(config: RewritingConfig) -> tuple[list[Example], list[Example]]:
    """The training examples, and the held-out ones."""
    examples = [one for name in config.data for one in _rewritten(name)]
    if config.held_out:
        held_out = _rewritten(config.held_out)
    else:
        examples, held_out = split_off(examples, config.held_out_dialogues)
    if config.disjoint:
        examples = disjoint_from(examples, held_out)
    return (sample(examples, config.limit) if config.limit else examples), held_out


def _rewritten(name: str) -> list[Example]:
    """A split's questions that have a rewrite; CANARD's train pairs with the titles they lack."""
    examples = [one for one in load(name) if one.gold.rewrites]
    return with_titles(examples) if name == UNTITLED else examples
