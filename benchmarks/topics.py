"""Topics: which switch a question makes, and which history finds the article it is after.

    scripts/bench topics                        both parts, on TopiOCQA dev
    scripts/bench topics --trained topics.npz   with a predictor of your own beside the plain one
    scripts/bench topics --split train --limit 700   the search on turns that tuning may see

Needs SEMINAR_DATA. The index of Wikispeedia is kept in the --work folder.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.corpora import Task
from benchmarks.results import progress, read_result, write_result
from benchmarks.retrieval import index
from benchmarks.topic_turns import Articles, Case, cases, changes_of_subject, moves
from seminar.datasets.catalog import load
from seminar.models.encoders.registry import load_encoder
from seminar.protocols import Retriever, Rewriter
from seminar.questions.auto import Auto
from seminar.questions.registry import HISTORIES
from seminar.questions.topic_switches import PlainTopics, TopicPredictor, TrainedTopics
from seminar.retrieval.hybrid import hybrid
from seminar.retrieval.representations import FusedRepresentations, spelling
from seminar.training.fitting.topics import LabelledTurn, in_dialogue, predict, score
from seminar.types import Hit, Switch

CUTOFFS = (1, 5, 20)
BATCH = 32
TIMED = 60


def labels(trained: Path | None) -> dict[str, object]:
    """Accuracy and macro-F1 of the switch labels on dev, from question and history."""
    asked = list(in_dialogue(load("topiocqa/dev")))
    known = [one for one in asked if one.switch]
    gold = [one.switch for one in known if one.switch]
    every = [_carried(one) for one in asked]
    predictors: dict[str, TopicPredictor] = {"plain": PlainTopics()}
    if trained:
        predictors["trained on TopiOCQA train"] = TrainedTopics.load(
            trained, load_encoder("static")
        )
    rows: dict[str, object] = {
        "majority class": {
            "labelled": score(["no-switch"] * len(known), gold),
            "all": score([_of_rest(one, "no-switch") for one in asked], every),
        }
    }
    for name, predictor in predictors.items():
        predicted = predict(predictor, asked)
        made = [_of_rest(*pair) for pair in zip(asked, predicted, strict=True)]
        told = [one for one, turn in zip(predicted, asked, strict=True) if turn.switch]
        rows[name] = {"labelled": score(told, gold), "all": score(made, every)}
    counts = {name: gold.count(name) for name in sorted(set(gold))}
    return {"turns": len(asked), "labelled": len(known), "gold": counts, "rows": rows}


def _carried(asked: LabelledTurn) -> Switch:
    """The label of any turn: before a first answer all is new, an unanswered turn stays."""
    if asked.switch:
        return asked.switch
    return "no-switch" if asked.dialogue.trail else "switch-to-new"


def _of_rest(asked: LabelledTurn, predicted: Switch) -> Switch:
    """The prediction; that the first topic is a new one needs no predicting."""
    return predicted if asked.dialogue.trail else "switch-to-new"


def rank(rewriter: Rewriter, retriever: Retriever, asked: Sequence[Case]) -> list[list[Hit]]:
    rankings: list[list[Hit]] = []
    for start in progress(range(0, len(asked), BATCH), type(rewriter).__name__):
        batch = asked[start : start + BATCH]
        queries = rewriter.rewrite([one.dialogue for one in batch], [one.question for one in batch])
        rankings += retriever.search(queries, CUTOFFS[-1])
    return rankings


def found_at(rankings: Sequence[Sequence[Hit]], asked: Sequence[Case]) -> dict[str, object]:
    """How often the article is among the first k hits, and a passage of it that has the answer.

    The second is asked of the turns whose answer stands in the article word for word.
    """
    pairs = list(zip(rankings, asked, strict=True))
    article = [[hit.passage.source == one.article for hit in ranking] for ranking, one in pairs]
    answer = [
        [hit.passage.source == one.article and _tells(hit, one) for hit in ranking]
        for ranking, one in pairs
        if one.answer
    ]
    return {
        "turns": len(article),
        "article": _shares(article),
        "turns with answer": len(answer),
        "answer": _shares(answer),
    }


def _tells(hit: Hit, one: Case) -> bool:
    return spelling(one.answer) in spelling(hit.passage.text)


def _shares(right: Sequence[Sequence[bool]]) -> dict[str, float]:
    count = max(len(right), 1)
    return {f"top {k}": round(100 * sum(any(row[:k]) for row in right) / count, 1) for k in CUTOFFS}


def latencies(
    rewriters: Mapping[str, Rewriter], retriever: Retriever, asked: Sequence[Case]
) -> dict[str, float]:
    """Milliseconds from question to hits at the median, one at a time, the histories in turn."""
    taken: dict[str, list[float]] = {name: [] for name in rewriters}
    for one in asked:
        for name, rewriter in rewriters.items():
            begun = time.perf_counter()
            retriever.search(rewriter.rewrite([one.dialogue], [one.question]), 10)
            taken[name].append(1000 * (time.perf_counter() - begun))
    return {name: round(statistics.median(times), 1) for name, times in taken.items()}


def search(split: str, work: Path, *, limit: int | None, trained: Path | None) -> dict[str, object]:
    """The share of turns whose article is found, by history and by how the topic moves."""
    encoder = load_encoder("static")
    articles = Articles()
    store = index(Task("Wikispeedia", articles.passages, [], []), encoder, work / encoder.name)
    retriever = FusedRepresentations(hybrid(store, encoder))
    asked = cases(split, articles)
    changed = changes_of_subject(asked)
    if limit:
        asked = random.Random(1).sample(asked, min(limit, len(asked)))
        changed = random.Random(1).sample(changed, min(limit // 4, len(changed)))
    rewriters = {name: make() for name, make in HISTORIES.items()}
    if trained:
        rewriters["auto without rewriter, trained topics"] = Auto(
            topics=TrainedTopics.load(trained, encoder)
        )
    rows = {}
    for name, rewriter in rewriters.items():
        rankings = rank(rewriter, retriever, [*asked, *changed])
        own, foreign = rankings[: len(asked)], rankings[len(asked) :]
        by_move = {
            move: found_at([own[at] for at in places], [asked[at] for at in places])
            for move, places in moves(asked).items()
        }
        rows[name] = {
            "all": found_at(own, asked),
            **by_move,
            "change of subject": found_at(foreign, changed),
        }
    timed = random.Random(1).sample(asked, min(TIMED, len(asked)))
    times = latencies(rewriters, retriever, timed)
    return {"passages": len(articles.passages), "rows": rows, "ms": times}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, default=Path(".seminar/bench/topics"))
    parser.add_argument("--split", choices=("dev", "train"), default="dev")
    parser.add_argument("--limit", type=int, help="search only so many turns, drawn with seed 1")
    parser.add_argument(
        "--trained", type=Path, help="made by python -m seminar.training.fitting.topics"
    )
    options = parser.parse_args()
    results = read_result("topics")
    if options.split == "dev":
        results["labels"] = labels(options.trained)
    results[f"search, {options.split}"] = search(
        options.split, options.work, limit=options.limit, trained=options.trained
    )
    write_result("topics", results)


if __name__ == "__main__":
    main()
