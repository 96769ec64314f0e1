"""Pseudo answers for AmbigPrompt's post-pretraining: one drawn from every passage (Eq. 8).

    python -m seminar.training.papers.ambigprompt.pseudo --reader FOLDER --data DATA --out FILE

The auxiliary reader g(a | q, c) is a Fusion-in-Decoder trained with form "passage": it learnt to
find an answer in one passage, and finds one in every passage, right or wrong.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from rich.console import Console
from rich.progress import track

from seminar.errors import ConfigurationError
from seminar.networks.papers.fusion.decoding import sample
from seminar.networks.papers.fusion.reader import FusionInput, FusionReader, distinct, load
from seminar.training.papers.fusion.data import load_examples
from seminar.training.papers.fusion.examples import FusionExample

PseudoAnswers = Mapping[str, Sequence[str]]  # by the question's id

QUESTIONS_AT_ONCE = 64


def pseudo_answers(
    reader: FusionReader, examples: Sequence[FusionExample], *, passages: int
) -> dict[str, list[str]]:
    """The auxiliary reader's distinct answers to each question, one drawn from each passage."""
    answers: dict[str, list[str]] = {}
    console = Console(stderr=True)
    starts = range(0, len(examples), QUESTIONS_AT_ONCE)
    for start in track(starts, "pseudo answers", console=console, disable=not console.is_terminal):
        few = examples[start : start + QUESTIONS_AT_ONCE]
        inputs = [example.input(passages) for example in few]
        single = [FusionInput(one.question, (text,)) for one in inputs for text in one.passages]
        generated = iter(reader.generate(single))
        for example, one in zip(few, inputs, strict=True):
            texts = distinct(next(generated)[0] for _ in one.passages)
            answers[example.id] = [text.text for text in texts]
    return answers


def read_pseudo_answers(path: Path) -> PseudoAnswers:
    """The answers that `pseudo_answers` made, as this module's command wrote them."""
    try:
        answers: dict[str, list[str]] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigurationError(
            f"{path} can't be read as pseudo answers ({error}): make it with "
            "python -m seminar.training.papers.ambigprompt.pseudo --reader FOLDER "
            "--data DATA --out FILE"
        ) from error
    return answers


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reader", type=Path, required=True, help="the auxiliary reader's folder")
    parser.add_argument("--data", required=True, help="the questions with one answer each")
    parser.add_argument("--passages", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    examples = load_examples(options.data, passages=options.passages)
    reader = load(options.reader, decode=sample)
    answers = pseudo_answers(reader, examples, passages=options.passages)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(answers), encoding="utf-8")


if __name__ == "__main__":
    main()
