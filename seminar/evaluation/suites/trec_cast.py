"""TREC CAsT: ranking measures over judgements and runs."""

from __future__ import annotations

from pathlib import Path

from seminar.evaluation.files import Json, Parsed
from seminar.evaluation.formats import PredictionFormat, is_scores, mapping_entries
from seminar.evaluation.references import References
from seminar.evaluation.suites.suite import OfficialFormat, Suite, Table
from seminar.evaluation.trec_files import EXPECTED, read_judgements, read_run
from seminar.metrics.official import trec


def score(references: Json, predictions: Json, *, strict: bool = False) -> Table:
    """{query: {document: grade}} and {query: {document: score}}."""
    return trec.mean_measures(references, predictions)


def read_references(path: Path) -> References:
    judgements = read_judgements(path)
    return References(judgements, list(judgements))


def read_predictions(path: Path) -> Parsed:
    return Parsed(read_run(path), lines=False)


SUITE = Suite(
    formats={
        "trec": OfficialFormat(
            PredictionFormat(
                "TREC",
                mapping_entries,
                is_scores,
                EXPECTED,
                complete=False,
                read=read_predictions,
            ),
            read_references,
            score,
        )
    }
)
