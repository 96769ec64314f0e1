"""QReCC: rewrites by ROUGE and BLEU, retrieved passages by their answers (Anantha et al., 2021)."""

from __future__ import annotations

from pathlib import Path

from seminar.datasets.catalog import load_file, recognise
from seminar.errors import ScoringError
from seminar.evaluation.files import Json, read_any
from seminar.evaluation.formats import (
    PredictionFormat,
    is_text,
    is_texts,
    keyed_entries,
    listed_entries,
)
from seminar.evaluation.references import References
from seminar.evaluation.suites.suite import OfficialFormat, Suite, Table
from seminar.metrics.measures import bleu, rouge
from seminar.metrics.official import qrecc
from seminar.metrics.strictness import fault

CONVERSATION, TURN = KEYS = ("Conversation-ID", "Turn-ID")


def score_rewrites(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """[rewrite] and [rewrite], in one order; out of 100."""
    return {
        "rouge1_recall": 100 * rouge.mean_rouge_1_recall(predictions, references),
        "bleu": bleu.corpus_bleu(predictions, [references], strict=strict).score,
    }


def score_retrieval(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """[{"Conversation-ID", "Turn-ID", "answer"}] and rows with "docid", "content" and "rank"."""
    answers = {(turn[CONVERSATION], turn[TURN]): turn["answer"] for turn in references}
    rows: Json = []
    for row in predictions:
        conversation, turn = row[CONVERSATION], row[TURN]
        if (conversation, turn) not in answers:
            message = f"no reference for turn {turn} of conversation {conversation}"
            raise fault(KeyError, message, strict=strict)
        rows.append(row | {"answer": answers[conversation, turn]})
    scores = qrecc.score(rows, strict=strict)
    return {
        "mrr": scores.mrr,
        "recall@10": scores.recall_at_10,
        "recall@100": scores.recall_at_100,
    }


def read_rewrites(path: Path) -> References:
    """A list of rewrites, or the official file that holds them."""
    if recognise(path) == "qrecc":
        texts = [example.gold.rewrites[0] for example in load_file("qrecc", path)]
    else:
        texts = read_any(path).value
    if not is_texts(texts):
        raise ScoringError(f"{path.name}: expected a list of rewrites, or an official QReCC file")
    return References(texts, [str(number) for number in range(1, len(texts) + 1)])


def read_answers(path: Path) -> References:
    """A list of turns with their answers."""
    keys = {*KEYS, "answer"}
    turns = read_any(path).value
    if not isinstance(turns, list) or not all(
        isinstance(turn, dict) and keys <= turn.keys() for turn in turns
    ):
        raise ScoringError(f"{path.name}: expected a list of {', '.join(sorted(keys))}")
    return References(turns, [f"{turn[CONVERSATION]}_{turn[TURN]}" for turn in turns])


SUITE = Suite(
    formats={
        "qrecc-retrieval": OfficialFormat(
            PredictionFormat(
                "QReCC retrieval",
                keyed_entries(KEYS, "content", "_"),
                is_text,
                "a text under content",
                complete=False,
            ),
            read_answers,
            score_retrieval,
        ),
        "qrecc-rewrites": OfficialFormat(
            PredictionFormat("QReCC rewrites", listed_entries, is_text, "a text"),
            read_rewrites,
            score_rewrites,
        ),
    },
)
