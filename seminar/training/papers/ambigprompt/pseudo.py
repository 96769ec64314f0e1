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
from seminar.networks.papers.fusion.reader import Asked, FusionReader, distinct, load
from seminar.training.papers.fusion.data import load_examples
from seminar.training.papers.fusion.examples import FusionExample

PseudoAnswers = Mapping[str, Sequence[str]]  # by the question's id

QUESTIONS_AT_ONCE = 64


def pseudo_answers(
    reader: FusionReader, examples: Sequence[FusionExample], *, passages: int
) -> dict[str, list[str]]:
    """What the auxiliary reader says of each passage, each thing once."""
    found: dict[str, list[str]] = {}
    console = Console(stderr=True)
    starts = range(0, len(examples), QUESTIONS_AT_ONCE)
    for at in track(starts, "pseudo answers", console=console, disable=not console.is_terminal):
        batch = [one.asked(passages) for one in examples[at : at + QUESTIONS_AT_ONCE]]
        alone = [Asked(one.question, (text,)) for one in batch for text in one.passages]
        said = iter(reader.generate(alone))
        for one, example in zip(batch, examples[at : at + QUESTIONS_AT_ONCE], strict=True):
            texts = distinct(next(said)[0] for _ in one.passages)
            found[example.id] = [text.text for text in texts]
    return found


def read_pseudo_answers(path: Path) -> PseudoAnswers:
    """The answers that `pseudo_answers` made, as this module's command wrote them."""
    try:
        made: dict[str, list[str]] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigurationError(
            f"{path} can't be read as pseudo answers ({error}): make it with "
            "python -m seminar.training.papers.ambigprompt.pseudo --reader FOLDER "
            "--data DATA --out FILE"
        ) from error
    return made


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
    made = pseudo_answers(reader, examples, passages=options.passages)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(made), encoding="utf-8")


if __name__ == "__main__":
    main()
