"""PragmatiCQA's test questions over the spans of their own community, and what the extras cost.

    scripts/bench pragmatic                              both tasks
    scripts/bench pragmatic --task spans --reader NAME   another reader, --history WORD, --limit N
    scripts/bench pragmatic --task latency

`spans` asks every question in its dialogue and scores F1-lit and F1-prag, beside simple rules that
are given the same literal answers; then again with the teacher's literal answers. Needs
SEMINAR_DATA. `latency` times the dialogues of the example collection with and without the extras.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.results import progress, read_result, write_result
from seminar.answering.already_told import enclosing, sentence_spans, shown_in
from seminar.answering.composing import Composer
from seminar.answering.pragmatic import LIMIT, Pragmatics
from seminar.assembly import assemble, create_index, open_files
from seminar.assistant import Assistant
from seminar.datasets.catalog import load
from seminar.datasets.dialogues.pragmaticqa import UNKNOWN, community_passages, page_failed
from seminar.examples import Example, dialogue_of
from seminar.metrics.official.pragmaticqa import Spans, literal_f1, pragmatic_f1
from seminar.metrics.statistics import bootstrap_interval
from seminar.models.encoders.registry import load_encoder
from seminar.settings import Settings
from seminar.training.fitting.pragmatic import literal_spans
from seminar.types import Answer, Dialogue, Hit, Passage, Query, Reply, Span, Turn

BATCH = 16
PAPER = {"F1-lit": 11.92, "F1-prag": 5.73}
TASKS = ("spans", "latency")
COLLECTION = Path("examples/collection")
Rule = Callable[[Span, Sequence[Hit]], list[str]]


@dataclass(frozen=True)
class Asked:
    """A question with what was found and read for it, and where its teacher's answer stands."""

    example: Example
    query: Query
    hits: list[Hit]
    answers: list[Answer]
    gold: list[Span]

    @property
    def dialogue(self) -> Dialogue:
        return dialogue_of(self.example, UNKNOWN)

    @property
    def wanted(self) -> Spans:
        gold = self.example.gold
        return Spans([one.text for one in gold.literal], [one.text for one in gold.pragmatic])


def ask_all(examples: Sequence[Example], settings: Settings) -> Iterator[Asked]:
    """Every question, searched and read among the spans of its community."""
    encoder = load_encoder(settings.encoder)
    for community, passages in community_passages(examples).items():
        with tempfile.TemporaryDirectory() as folder:
            index = create_index(Path(folder), encoder)
            index.add(passages, encoder.encode([one.searched for one in passages]))
            made = assemble(index, encoder, settings)
            mine = [one for one in examples if one.sources[0] == community]
            for start in progress(range(0, len(mine), BATCH), community):
                batch = mine[start : start + BATCH]
                dialogues = [dialogue_of(one, UNKNOWN) for one in batch]
                queries = made.rewriter.rewrite(dialogues, [one.question for one in batch])
                hits = made.retriever.search(queries, k=made.k)
                answers = made.reader.read(queries, hits)
                for one, query, found, read in zip(batch, queries, hits, answers, strict=True):
                    yield Asked(one, query, found, read, list(literal_spans(one, passages)))


def reply_spans(composer: Composer, asked: Asked) -> Spans:
    """What the reply tells, as the dataset writes it: yes, no and "I don't know" in words."""
    [reply] = composer.respond([asked.dialogue], [asked.query], [asked.hits], [asked.answers])
    return Spans([_literal(reply)], [one.span.text for one in reply.pragmatic])


def _literal(reply: Reply) -> str:
    if not reply.answerable:
        return UNKNOWN
    return reply.literal[0].text if reply.affirmation == "neither" else reply.affirmation


def nearest_sentences(literal: Span, hits: Sequence[Hit]) -> list[str]:
    """The sentences around the answer in its passage, then those of the best other hits."""
    answer = enclosing(literal)
    own = [one for one in sentence_spans(literal.passage) if not _overlap(one, answer)]
    own.sort(key=lambda one: min(abs(one.start - answer.end), abs(one.end - answer.start)))
    others = [hit.passage for hit in hits if hit.passage.id != literal.passage.id]
    return [one.text for one in (*own, *_sentences(others))][:LIMIT]


def random_sentences(literal: Span, hits: Sequence[Hit]) -> list[str]:
    """Any sentences of the hits but the answer's."""
    answer = enclosing(literal)
    found = [one for one in _sentences([hit.passage for hit in hits]) if not _overlap(one, answer)]
    chance = random.Random(answer.text)
    return [one.text for one in chance.sample(found, min(LIMIT, len(found)))]


def _sentences(passages: Sequence[Passage]) -> list[Span]:
    return [span for passage in passages for span in sentence_spans(passage)]


def _overlap(one: Span, other: Span) -> bool:
    same = one.passage.id == other.passage.id
    return same and one.start < other.end and other.start < one.end


METRICS = {"F1-lit": literal_f1, "F1-prag": pragmatic_f1}


def scores(pairs: Sequence[tuple[Asked, Spans]], *names: str) -> dict[str, object]:
    """F1s in percent with 95 % intervals over dialogs, and how much was added."""
    dialogs = [asked.example.dialogue_id for asked, _ in pairs]
    measured: dict[str, object] = {"questions": len(pairs)}
    for name in names:
        values = [100 * METRICS[name](said, asked.wanted) for asked, said in pairs]
        interval = bootstrap_interval(values, dialogs)
        measured[name] = round(interval.mean, 2)
        measured[f"{name} interval"] = [round(interval.low, 2), round(interval.high, 2)]
    extras = sum(len(said.pragmatic) for _, said in pairs)
    measured["pragmatic sentences a question"] = round(extras / len(pairs), 2)
    return measured


def spans_task(options: argparse.Namespace) -> dict[str, object]:
    settings = replace(Settings(), reader=options.reader, history=options.history)
    examples = [one for one in load(f"pragmaticqa/{options.split}") if not page_failed(one)]
    asked = list(ask_all(examples[: options.limit], settings))
    scorer = Pragmatics(load_encoder("static"))
    open_scorer = Pragmatics(load_encoder("static"), bar=0.0)
    composers = {
        "as it ships": Composer(settings.threshold, pragmatics=scorer),
        "always answering, two sentences": Composer(0.0, pragmatics=open_scorer),
    }
    systems: dict[str, Callable[[Asked], Spans]] = {
        name: lambda one, made=made: reply_spans(made, one) for name, made in composers.items()
    }
    rules: dict[str, Rule] = {
        "nearest sentences": nearest_sentences,
        "random sentences": random_sentences,
    }
    for name, rule in rules.items():
        systems[f"rule: {name}"] = lambda one, rule=rule: _by_rule(rule, one)
    located = [one for one in asked if one.gold]
    given: dict[str, Callable[[Asked], Spans]] = {
        "scorer as it ships": lambda one: _given(scorer, one),
        "scorer, two sentences": lambda one: _given(open_scorer, one),
        **{
            f"rule: {name}": lambda one, rule=rule: Spans([], rule(one.gold[0], one.hits))
            for name, rule in rules.items()
        },
    }
    return {
        "split": options.split,
        "reader": options.reader,
        "history": options.history,
        "paper, on the whole of Fandom": PAPER,
        "literal passage among the hits, %": _found(located),
        "own answers": {
            name: scores([(one, run(one)) for one in asked], *METRICS)
            for name, run in systems.items()
        },
        "the teacher's literal span given": {
            name: scores([(one, run(one)) for one in located], "F1-prag")
            for name, run in given.items()
        },
    }


def _by_rule(rule: Rule, asked: Asked) -> Spans:
    if not asked.answers:
        return Spans([UNKNOWN], [])
    best = asked.answers[0].span
    return Spans([best.text], rule(best, asked.hits))


def _given(scorer: Pragmatics, asked: Asked) -> Spans:
    literal, hits = asked.gold[0], list(asked.hits)
    if literal.passage.id not in {hit.passage.id for hit in hits}:
        hits.append(Hit(literal.passage, 0.0))
    shown = shown_in(asked.dialogue).add(asked.gold)
    chosen = scorer.choose(asked.query, hits, literal=literal, shown=shown)
    return Spans([], [one.span.text for one in chosen])


def _found(asked: Sequence[Asked]) -> float:
    ranked = [{hit.passage.id for hit in one.hits} for one in asked]
    held = [one.gold[0].passage.id in ids for one, ids in zip(asked, ranked, strict=True)]
    return round(100 * float(np.mean(held)), 1)


def latency_task(options: argparse.Namespace) -> dict[str, object]:
    """Milliseconds of an answered turn in the example dialogues, each way in turn in one run.

    Nothing is added to a refusal, so that refused turns would hide what the extras cost.
    """
    plain = replace(
        Settings(), reader=options.reader, history=options.history, pragmatic=False, followups=False
    )
    ways = {
        "plain answer": plain,
        "with pragmatic sentences": replace(plain, pragmatic=True),
        "with follow-ups too": replace(plain, pragmatic=True, followups=True),
    }
    opened = [open_files([COLLECTION], settings).assistant for settings in ways.values()]
    opened[-1].reply(Dialogue(), "When was the college founded?")  # loads the models
    turns = suggested = 0
    answered: list[list[float]] = []
    for file in sorted(Path("examples/dialogues").glob("*.toml")):
        dialogue = Dialogue()
        for turn in tomllib.loads(file.read_text(encoding="utf-8"))["turn"]:
            taken, reply = _timed(opened, dialogue, turn["question"])
            dialogue = dialogue.add(Turn(turn["question"], reply))
            turns += 1
            suggested += len(reply.followups)
            answered += [taken] if reply.answerable else []
    result: dict[str, object] = {
        "reader": options.reader, "turns": turns, "answered": len(answered), "follow-ups": suggested
    }  # fmt: skip
    times = 1000 * np.array(answered)  # (answered turns, ways)
    for name, values in zip(ways, times.T, strict=True):
        result[name] = {
            "p50 ms": round(float(np.median(values)), 1),
            "p95 ms": round(float(np.percentile(values, 95)), 1),
            "ratio of medians": round(float(np.median(values) / np.median(times[:, 0])), 2),
        }
    return result


def _timed(
    assistants: Sequence[Assistant], dialogue: Dialogue, question: str
) -> tuple[list[float], Reply]:
    """The seconds that each assistant takes, and the last one's reply."""
    taken = []
    for assistant in assistants:
        begun = time.perf_counter()
        reply = assistant.reply(dialogue, question)
        taken.append(time.perf_counter() - begun)
    return taken, reply


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--task", choices=TASKS, action="append")
    parser.add_argument("--reader", default=Settings().reader)
    parser.add_argument("--history", default=Settings().history)
    parser.add_argument("--split", choices=("val", "test"), default="test")
    parser.add_argument("--limit", type=int, help="only so many questions")
    options = parser.parse_args()
    name = "pragmatic" if options.split == "test" and not options.limit else "pragmatic-sample"
    results = read_result(name)
    runs = {"spans": spans_task, "latency": latency_task}
    for task in options.task or TASKS:
        results[task] = runs[task](options)
        write_result(name, results)


if __name__ == "__main__":
    main()
