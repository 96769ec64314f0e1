"""Pseudo answers, as AmbigPrompt's post-pretraining takes them (Sun et al., 2023, section 3.3).

    python -m seminar.training.reader.pseudo_answers --model FOLDER --out FILE

An auxiliary reader answers training questions from each of the passages that BM25 retrieves for
them. What it says, right or wrong, is what an iterative reader may have found already when it is
asked again, so the reader is trained to find the rest beside it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from rich.progress import track

from seminar.datasets.catalog import load
from seminar.examples import Example
from seminar.metrics.measures.normalisation import tokens
from seminar.models.reader.model import Inquiry, ReaderModel
from seminar.models.word_pieces import WordPieces
from seminar.training.reader.examples import heading_of
from seminar.training.reader.negatives import search
from seminar.training.samples import sample

PASSAGES = 4
QUESTIONS_AT_ONCE = 64

Found = dict[str, list[str]]


def pseudo_answers(
    questions: Sequence[Example], corpus: Iterable[Example], reader: ReaderModel
) -> Found:
    """For each question, the reader's answers in retrieved passages that differ from the gold."""
    passages = list({one.context: one for one in corpus}.values())
    rankings = search(
        [one.question for one in questions], [one.context for one in passages], depth=PASSAGES
    )
    found: Found = {}
    for start in track(range(0, len(questions), QUESTIONS_AT_ONCE), "pseudo answers"):
        batch = list(zip(questions, rankings, strict=True))[start : start + QUESTIONS_AT_ONCE]
        inquiries = [
            Inquiry(asked.question, passages[at].context, heading_of(passages[at]))
            for asked, ranking in batch
            for at in ranking
        ]
        findings = iter(reader.read(inquiries))
        texts = iter(inquiries)
        for asked, ranking in batch:
            said = [
                one.text[best.start : best.end]
                for one, best in ((next(texts), next(findings)[0]) for _ in ranking)
                if best.margin > 0
            ]
            found[asked.id] = others_than(asked.gold.answers, said)
    return found


def others_than(gold: Iterable[str], said: Iterable[str]) -> list[str]:
    """What was said, each thing once, without what only repeats a gold answer.

    >>> others_than(["the Colts"], ["Colts", "Giants", "giants", "in 1984"])
    ['Giants', 'in 1984']
    """
    seen = {tuple(tokens(one)) for one in gold}
    kept = []
    for one in said:
        key = tuple(tokens(one))
        if key and key not in seen:
            seen.add(key)
            kept.append(one)
    return kept


def read_pseudo_answers(
    path: Path, pieces: WordPieces
) -> Mapping[str, tuple[tuple[int, ...], ...]]:
    """The file's answers in word pieces, by the question's id."""
    made: Found = json.loads(path.read_text(encoding="utf-8"))
    return {name: tuple(pieces.split_all(said)) for name, said in made.items() if said}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path, required=True, help="the auxiliary reader's folder")
    parser.add_argument("--questions", type=int, default=5000)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    squad = list(load("squad/train"))
    asked = sample(squad, options.questions)
    made = pseudo_answers(asked, squad, ReaderModel(options.model))
    options.out.write_text(json.dumps(made), encoding="utf-8")


if __name__ == "__main__":
    main()
