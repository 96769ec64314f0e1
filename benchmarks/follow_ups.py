"""Retrieval of follow-ups: the QuAC part's questions over its passages and SQuAD's paragraphs.

    scripts/bench follow_ups --encoder FOLDER [--rewriter FOLDER] [--limit N]

Each question of the 100 held-out dialogs that has an answer is searched as it was asked, with all
its history, rewritten, and through the conversational question encoder, by words, by vectors and
by both; the history begins with the title and section that both sides of a dialog knew. Needs
SEMINAR_DATA. The index is kept in the --work folder.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.corpora import Task, squad
from benchmarks.results import progress, write_result
from benchmarks.retrieval import index
from seminar.examples import Example
from seminar.models.encoders.registry import load_encoder
from seminar.models.rewriter.model import FollowUp, RewriterModel
from seminar.networks.question_text import ConversationalEncoder, conversation_text
from seminar.protocols import Retriever
from seminar.retrieval.dense import Dense
from seminar.retrieval.fusion import Fused
from seminar.retrieval.hybrid import DENSE_WEIGHTS, RANK_CONSTANT
from seminar.retrieval.lexical import Lexical
from seminar.training.question_encoder.pairs import gold_passage, section_passages, subject_first
from seminar.training.samples import quac_parts, sample
from seminar.types import Passage, Query
from seminar.weights import weights_folder

CUTOFFS = (1, 5, 20)

Rows = dict[str, dict[str, float]]


def corpus() -> Task:
    """SQuAD's paragraphs and the passages of every section in the QuAC part."""
    paragraphs = squad()
    sections = {one.dialogue_id: one for part in quac_parts() for one in part}
    texts: dict[str, Passage] = {}
    for example in sections.values():
        for passage in section_passages(example):
            texts.setdefault(passage.searched, passage)
    return Task("SQuAD and QuAC part", [*paragraphs.passages, *texts.values()], [], [])


def as_asked(example: Example) -> Query:
    return Query(example.question, example.question)


def with_history(example: Example) -> Query:
    turns = tuple(subject_first(example))
    return Query(conversation_text(example.question, turns), example.question, history=turns)


def rewritten(model: RewriterModel, example: Example) -> Query:
    subject, *turns = subject_first(example)
    [rewrite] = model.rewrite([FollowUp(example.question, tuple(turns), subject[0])])
    return Query(rewrite, example.question)


def recalls(
    retriever: Retriever, queries: Sequence[Query], gold: Sequence[str]
) -> dict[str, float]:
    """How often the gold passage is among the first 1, 5 and 20."""
    ranks = []
    for at in progress(range(0, len(queries), 32), "search"):
        rankings = retriever.search(queries[at : at + 32], max(CUTOFFS))
        for ranking, wanted in zip(rankings, gold[at : at + 32], strict=True):
            places = [n for n, hit in enumerate(ranking) if hit.passage.searched == wanted]
            ranks.append(places[0] if places else max(CUTOFFS))
    return {f"R@{k}": round(100 * sum(rank < k for rank in ranks) / len(ranks), 1) for k in CUTOFFS}


def main() -> None:
    options = _options()
    _, held_out = quac_parts()
    examples = [one for one in held_out if gold_passage(one)]
    examples = sample(examples, options.limit) if options.limit else examples
    gold = [gold_passage(one) or "" for one in examples]
    minilm = load_encoder("minilm")
    store = index(corpus(), minilm, options.work / "quac" / minilm.name)
    weights = (1.0, DENSE_WEIGHTS[minilm.name])
    lexical, dense = Lexical(store), Dense(store, minilm)
    both = Fused([lexical, dense], weights=weights, constant=RANK_CONSTANT)
    rewriter = RewriterModel(options.rewriter)
    ways: dict[str, Callable[[Example], Query]] = {
        "original": as_asked,
        "all history": with_history,
        "rewrite": lambda one: rewritten(rewriter, one),
    }
    results: dict[str, Rows] = {}
    asked = {name: [way(one) for one in examples] for name, way in ways.items()}
    for name, queries in asked.items():
        results[name] = {
            "words": recalls(lexical, queries, gold),
            "minilm": recalls(dense, queries, gold),
            "both": recalls(both, queries, gold),
        }
    tuned = ConversationalEncoder(load_encoder(str(options.encoder)), minilm)
    vectors = tuned.encode([query.text for query in asked["all history"]])
    for name in ("all history", "rewrite"):
        queries = [
            replace(query, vector=vector)
            for query, vector in zip(asked[name], vectors, strict=True)
        ]
        results[f"tuned encoder, words of {name}"] = {
            "minilm": recalls(dense, queries, gold),
            "both": recalls(both, queries, gold),
        }
    counts = {"questions": len(examples), "passages": store.count()}
    write_result("follow-ups-sample" if options.limit else "follow-ups", {**counts, **results})


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--encoder", type=Path, required=True, help="the tuned encoder's folder")
    parser.add_argument("--rewriter", type=Path, default=weights_folder("rewriter"))
    parser.add_argument("--limit", type=int, help="only so many questions")
    parser.add_argument("--work", type=Path, default=Path(".seminar/bench/retrieval"))
    return parser.parse_args()


if __name__ == "__main__":
    main()
