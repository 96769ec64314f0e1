"""Ranking measures by trec_eval: nDCG, recall, precision, reciprocal rank, average precision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from seminar.errors import ConfigurationError
from seminar.metrics.extras import require

Judgements = Mapping[str, Mapping[str, int]]
Run = Mapping[str, Mapping[str, float]]

MEASURES = ("nDCG@3", "nDCG@10", "R@10", "R@100", "P@1", "RR", "AP")
TREC_EVAL_MEASURES = (
    "map",
    "recip_rank",
    "P.1,3,5,10",
    "recall.1,3,5,10,20,100",
    "ndcg",
    "ndcg_cut.1,3,5,10,20,100",
    "map_cut.10,100",
    "success.1,5,10",
)


def mean_measures(
    judgements: Judgements, run: Run, measures: Sequence[str] = MEASURES
) -> dict[str, float]:
    """The mean of measures, named as in ir_measures, over every judged query; a missing one is 0.

    Documents of one score go by falling id; only RR with a cutoff lets them go by rising id.
    """
    library = require("ir_measures")
    try:
        parsed = [library.parse_measure(name) for name in measures]
    except (NameError, ValueError) as error:
        known = "AP, nDCG, P, R, RR, Success, each with or without a cutoff as in nDCG@3"
        raise ConfigurationError(f"{error}. Known: {known}") from error
    values = library.calc_aggregate(parsed, _copy(judgements), _with_floats(run))
    return {name: float(values[measure]) for name, measure in zip(measures, parsed, strict=True)}


def trec_eval(
    judgements: Judgements, run: Run, measures: Sequence[str] = TREC_EVAL_MEASURES
) -> dict[str, dict[str, float]]:
    """Measures, named as in trec_eval, of each query that is both judged and run."""
    library = require("pytrec_eval")
    evaluator = library.RelevanceEvaluator(_copy(judgements), set(measures))
    by_query: dict[str, dict[str, float]] = evaluator.evaluate(_with_floats(run))
    return by_query


def mean_of_queries(by_query: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """The mean of each measure over the queries there are."""
    names = next(iter(by_query.values()), {})
    return {
        name: sum(values[name] for values in by_query.values()) / len(by_query) for name in names
    }


def _copy(judgements: Judgements) -> dict[str, dict[str, int]]:
    """Judgements as plain dicts, which the libraries insist on."""
    return {query: dict(grades) for query, grades in judgements.items()}


def _with_floats(run: Run) -> dict[str, dict[str, float]]:
    """A run as plain dicts of floats, which the libraries insist on."""
    return {query: {key: float(s) for key, s in scores.items()} for query, scores in run.items()}
