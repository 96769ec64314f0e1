"""Pseudo answers, as AmbigPrompt's post-pretraining takes them (Sun et al., 2023, section 3.3).

    python -m seminar.training.reader.pseudo_answers --model FOLDER --out FILE

An auxiliary reader answers training questions from each of the passages that BM25 retrieves for
them. Its answers, right or wrong, are what an iterative reader may have found already when it is
asked again, so the reader is trained to find the gold answer beside them.
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

PseudoAnswers = dict[str, list[str]]  # by the question's id


def pseudo_answers(
    questions: Sequence[Example], corpus: Iterable[Example], reader: ReaderModel
) -> PseudoAnswers:
    """For each question, the reader's answers in retrieved passages that differ from the gold."""
    passages = list({one.context: one for one in corpus}.values())
    rankings = search(
        [one.question for one in questions], [one.context for one in passages], depth=PASSAGES
    )
    answers: PseudoAnswers = {}
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
            spans = [
                one.text[best.start : best.end]
                for one, best in ((next(texts), next(findings)[0]) for _ in ranking)
                if best.margin > 0
            ]
            answers[asked.id] = others_than(asked.gold.answers, spans)
    return answers


def others_than(gold: Iterable[str], answers: Iterable[str]) -> list[str]:
    """The distinct answers that are not a gold answer.

    >>> others_than(["the Colts"], ["Colts", "Giants", "giants", "in 1984"])
    ['Giants', 'in 1984']
    """
    seen = {tuple(tokens(answer)) for answer in gold}
    others = []
    for answer in answers:
        key = tuple(tokens(answer))
        if key and key not in seen:
            seen.add(key)
            others.append(answer)
    return others


def read_pseudo_answers(
    path: Path, pieces: WordPieces
) -> Mapping[str, tuple[tuple[int, ...], ...]]:
    """The file's answers in word pieces, by the question's id."""
    answers: PseudoAnswers = json.loads(path.read_text(encoding="utf-8"))
    return {name: tuple(pieces.split_all(texts)) for name, texts in answers.items() if texts}


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
    answers = pseudo_answers(asked, squad, ReaderModel(options.model))
    options.out.write_text(json.dumps(answers), encoding="utf-8")


if __name__ == "__main__":
    main()
