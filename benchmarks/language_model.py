"""A language model beside the embedded stages, over files that neither has seen: what it is worth.

    scripts/bench language_model [--llm URL --model NAME] [--turns 120] [--history rewrite|own]
    scripts/bench language_model --split train --fit      fits seminar/models/weights/prose

Turns of the written dialogues, drawn by a seed, are answered by the embedded stages alone, by the
model's completion of the joint prompt as it stands (the naive way), and by both together: grounded
and weighed. `rewrite` asks each question in its self-contained form, `own` holds the dialogues of
the drawn turns from their beginning, after the assistant's own replies. Needs SEMINAR_DATA.

Completions are kept in a file (`--kept`), a line each, so that a run goes on where it was stopped
and a change of what comes after the model costs no call of it. Without --llm it serves SmolLM2-135M
(scripts/test-llm fetches it).

An answer is right if a cited span is (as `scripts/bench written` says), or if the words that are
told have all numbers and 60 % of the terms of a gold quote; for yes or no, if the affirmation is.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks import smollm2
from benchmarks.results import progress, read_result, write_result
from benchmarks.written import Material, percent
from seminar.assembly import open_files
from seminar.assistant import Assistant
from seminar.datasets.catalog import locate
from seminar.datasets.dialogues.written import Quote, WrittenSet, WrittenTurn, read_sets
from seminar.logistic import Floats, probabilities
from seminar.models.llm.chat import Completion, Listener, Message
from seminar.models.llm.endpoint import Endpoint, open_endpoint
from seminar.questions.llm_planner import PLAN, Planner
from seminar.settings import Settings
from seminar.text import terms
from seminar.training.fitting.trials import write_json
from seminar.types import Dialogue, Reply, Segment, Turn
from seminar.weights import FOLDER
from seminar.writing.completions import parse
from seminar.writing.facts import numbers
from seminar.writing.weighing import FEATURES, Candidate, candidates
from seminar.writing.writer import Draft, ProseWriter

TOLD = 0.6  # share of a gold quote's terms that words which tell it have
PENALTY = 1.0  # of the fitted weights


@dataclass
class Kept:
    """A model whose completions are kept in a file, with the seconds that they took."""

    endpoint: Endpoint
    file: Path
    shape: str = ""

    def __post_init__(self) -> None:
        lines = self.file.read_text("utf-8").splitlines() if self.file.exists() else []
        self.known = {record["key"]: record for record in map(json.loads, lines)}
        self.last: dict = {}

    def shaped(self, schema: dict) -> Kept:
        other = Kept(self.endpoint.shaped(schema), self.file, json.dumps(schema))
        other.known = self.known
        return other

    def chat(self, messages: Sequence[Message], listen: Listener) -> Completion:
        key = self.key(messages)
        if key not in self.known:
            self.keep(key, *self._timed(messages))
        self.last = self.known[key]
        listen(self.last["text"])
        return Completion(*(self.last[name] for name in ("text", "read", "written", "cut")))

    def key(self, messages: Sequence[Message]) -> str:
        content = json.dumps([self.endpoint.model, self.shape, *map(asdict, messages)])
        return hashlib.sha256(content.encode()).hexdigest()

    def keep(self, key: str, made: Completion, first: float, seconds: float) -> None:
        record = {
            "key": key,
            **asdict(made),
            "first": round(first, 3),
            "seconds": round(seconds, 3),
        }
        self.known[key] = record
        with self.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")

    def _timed(self, messages: Sequence[Message]) -> tuple[Completion, float, float]:
        begun, heard = time.perf_counter(), []
        made = self.endpoint.chat(messages, lambda _: heard.append(time.perf_counter() - begun))
        return made, heard[0] if heard else 0.0, time.perf_counter() - begun


@dataclass(frozen=True, slots=True)
class Told:
    """What one system tells of a turn, and whether that is right."""

    text: str
    answered: bool
    right: bool
    affirmation: str
    sentences: int
    borne_out: int
    seconds: float
    tokens: int = 0
    first: float = 0.0  # seconds to the model's first token


@dataclass(frozen=True, slots=True)
class Row:
    """One turn with what each system tells of it."""

    id: tuple[int, int, int]
    kind: str
    question: str
    gold: str
    answerable: bool
    wants: str
    systems: dict[str, Told]


@dataclass
class Bench:
    """The assistants over one set: the embedded stages and the writer."""

    material: Material
    assistant: Assistant
    model: Kept

    @property
    def writer(self) -> ProseWriter:
        writer = self.assistant.writer
        assert isinstance(writer, ProseWriter)
        return writer


def open_bench(group: WrittenSet, folder: Path, settings: Settings, model: Kept) -> Bench:
    material = Material(group, folder)
    assistant = open_files([folder], settings).assistant
    bench = Bench(material, assistant, model)
    bench.writer.model, bench.writer.planner = model, Planner(model.shaped(PLAN))
    return bench


def draw(groups: Sequence[WrittenSet], turns: int, seed: int) -> list[tuple[int, int, int]]:
    """Turns drawn by a seed, as numbers of set, dialogue and turn."""
    every = [
        (g, d, t)
        for g, group in enumerate(groups)
        for d, dialogue in enumerate(group.dialogues)
        for t in range(len(dialogue))
    ]
    return random.Random(seed).sample(every, min(turns, len(every)))


def tells(text: str, quotes: Sequence[Quote]) -> bool:
    """Whether words have all numbers and most terms of a quote."""
    return any(_tells(text, quote.text) for quote in quotes)


def _tells(text: str, gold: str) -> bool:
    wanted = terms(gold)
    if not wanted:
        return " ".join(gold.lower().split()) in " ".join(text.lower().split())
    return numbers(gold) <= numbers(text) and len(wanted & terms(text)) >= TOLD * len(wanted)


def ask(bench: Bench, turn: WrittenTurn, question: str, dialogue: Dialogue) -> dict[str, Told]:
    """The turn answered in three ways; the model reads one prompt for both that it is in."""
    begun = time.perf_counter()
    [quick] = bench.assistant.answer_without_suggestions([dialogue], [question])
    embedded = time.perf_counter() - begun
    naive = _naive(bench, turn, quick, dialogue, embedded)
    begun = time.perf_counter()
    [reply] = bench.assistant.write([dialogue], [quick])
    rest = time.perf_counter() - begun
    waited = bench.model.last.get("seconds", 0.0)
    took = embedded + (rest if rest > waited else rest + waited)
    return {
        "embedded": _judged(bench, turn, quick, embedded),
        "naive": naive,
        "together": replace(
            _judged(bench, turn, reply, took), first=embedded + bench.model.last.get("first", 0.0)
        ),
    }


def _naive(
    bench: Bench, turn: WrittenTurn, quick: Reply, dialogue: Dialogue, seconds: float
) -> Told:
    """The completion of the joint prompt as it stands: no plan, no check, no second witness."""
    if quick.meta:
        return _judged(bench, turn, quick, seconds)
    draft = bench.writer.draft(dialogue, quick.query, quick.hits, lambda _: None)
    parsed = parse(draft.completion.text)
    text = " ".join(one.text for one in parsed.statements)
    polar = turn.affirmation != "neither"
    right = parsed.affirmation == turn.affirmation if polar else tells(text, turn.answers)
    last = bench.model.last
    return Told(
        draft.completion.text,
        bool(parsed.statements),
        turn.answerable and bool(parsed.statements) and right,
        parsed.affirmation,
        len(draft.segments),
        sum(bool(one.spans) for one in draft.segments),
        seconds + last["seconds"],
        draft.completion.read + draft.completion.written,
        seconds + last["first"],
    )


def _judged(bench: Bench, turn: WrittenTurn, reply: Reply, seconds: float) -> Told:
    segments: tuple[Segment, ...] = reply.prose.segments if reply.prose else ()
    text = f"{reply.text} {' '.join(one.text for one in segments)}".strip()
    spans = reply.literal if reply.answerable else ()
    quoted = any(bench.material.matches(span, quote) for span in spans for quote in turn.answers)
    polar = turn.affirmation != "neither"
    right = reply.affirmation == turn.affirmation if polar else quoted or tells(text, turn.answers)
    return Told(
        text,
        reply.answerable,
        turn.answerable and reply.answerable and right,
        reply.affirmation if reply.answerable else "neither",
        len(segments),
        sum(bool(one.spans) for one in segments),
        seconds,
        reply.prose.read + reply.prose.written if reply.prose else 0,
    )


def rows(
    groups: Sequence[WrittenSet],
    ids: Sequence[tuple[int, int, int]],
    history: str,
    settings: Settings,
    model: Kept,
) -> Iterator[Row]:
    """Each drawn turn; for `own` its dialogue is held up to it, each turn once."""
    wanted = sorted({(g, d) for g, d, _ in ids})
    with tempfile.TemporaryDirectory() as place:
        benches: dict[int, Bench] = {}
        for at in progress(range(len(wanted)), "dialogues"):
            g, d = wanted[at]
            if g not in benches:
                folder = Path(place) / str(g)
                folder.mkdir()
                benches[g] = open_bench(groups[g], folder, settings, model)
            drawn = {t for one, other, t in ids if (one, other) == (g, d)}
            yield from _dialogue_rows(benches[g], groups[g], (g, d), drawn, history)


def _dialogue_rows(
    bench: Bench, group: WrittenSet, place: tuple[int, int], drawn: set[int], history: str
) -> Iterator[Row]:
    dialogue = Dialogue()
    for t, turn in enumerate(group.dialogues[place[1]][: max(drawn) + 1]):
        if history == "rewrite" and t not in drawn:
            continue
        question = turn.rewrite if history == "rewrite" else turn.question
        if t in drawn:
            yield Row(
                (*place, t),
                turn.kind,
                question,
                turn.answers[0].text if turn.answers else "",
                turn.answerable,
                turn.affirmation,
                ask(bench, turn, question, dialogue),
            )
        if history != "rewrite":
            # Turns that were not drawn are held by the embedded stages, which keeps runs short.
            [reply] = bench.assistant.answer_without_suggestions([dialogue], [question])
            dialogue = dialogue.add(Turn(question, reply))


def summary(found: Sequence[Row]) -> dict[str, object]:
    names = ("embedded", "naive", "together")
    return {"turns": len(found), **{name: _scores(found, name) for name in names}}


def _scores(found: Sequence[Row], name: str) -> dict[str, object]:
    told = [(row, row.systems[name]) for row in found]
    answerable = [pair for pair in told if pair[0].answerable]
    polar = [pair for pair in answerable if pair[0].wants != "neither"]
    sentences = sum(one.sentences for _, one in told)
    return {
        "right": percent(one.right for _, one in answerable),
        "answerable": len(answerable),
        "refused, unanswerable": percent(
            not one.answered for row, one in told if not row.answerable
        ),
        "unanswerable": len(told) - len(answerable),
        "refused, answerable": percent(not one.answered for _, one in answerable),
        "yes or no right": percent(one.right for _, one in polar),
        "yes or no": len(polar),
        "sentences": sentences,
        "borne out": round(100 * sum(one.borne_out for _, one in told) / sentences, 1)
        if sentences
        else None,
        "seconds, median": round(statistics.median(one.seconds for _, one in told), 2),
        "seconds to the first token, median": round(
            statistics.median(one.first for _, one in told), 2
        ),
        "tokens, median": statistics.median(one.tokens for _, one in told),
    }


def fit(
    groups: Sequence[WrittenSet],
    ids: Sequence[tuple[int, int, int]],
    settings: Settings,
    model: Kept,
) -> dict[str, object]:
    """Weights of the two witnesses, on the candidates of drawn turns."""
    table, labels, turns = [], [], 0
    with tempfile.TemporaryDirectory() as place:
        for g in sorted({one for one, _, _ in ids}):
            folder = Path(place) / str(g)
            folder.mkdir()
            bench = open_bench(groups[g], folder, settings, model)
            for _, d, t in (one for one in ids if one[0] == g):
                turn = groups[g].dialogues[d][t]
                [quick] = bench.assistant.answer_without_suggestions([Dialogue()], [turn.rewrite])
                if quick.meta:
                    continue
                turns += 1
                draft = bench.writer.draft(Dialogue(), quick.query, quick.hits, lambda _: None)
                [answers] = bench.writer.embedded.reader.read([quick.query], [quick.hits])
                for one in candidates(answers[:2], draft.written):
                    table.append([one.features()[name] for name in FEATURES])
                    labels.append(float(_is_right(bench, turn, one, draft)))
    found, right = np.array(table), np.array(labels)
    offset = found[:, FEATURES.index("reader")]  # calibrated: it keeps its weight of 1
    moved = [name for name in FEATURES if name not in ("bias", "reader")]
    rest = found[:, [FEATURES.index(name) for name in moved]]
    fitted = {"bias": 0.0, "reader": 1.0} | dict(
        zip(moved, np.round(fit_offset(rest, right, offset), 3).tolist(), strict=True)
    )
    return {"weights": fitted, "turns": turns, "candidates": len(labels), "right": int(right.sum())}


def fit_offset(features: Floats, labels: Floats, offset: Floats) -> Floats:
    """Weights of least penalised log loss beside log odds that are given, by Newton's method."""
    weights = np.zeros(features.shape[1])
    for _ in range(50):
        chance = probabilities(features @ weights + offset)
        gradient = features.T @ (chance - labels) + PENALTY * weights
        curvature = (features * (chance * (1 - chance))[:, None]).T @ features
        weights = weights - np.linalg.solve(curvature + PENALTY * np.eye(len(weights)), gradient)
    return weights


def _is_right(bench: Bench, turn: WrittenTurn, candidate: Candidate, draft: Draft) -> bool:
    answer = candidate.answer
    if turn.affirmation != "neither":
        side = answer.affirmation
        if candidate.verdict.written and side == "neither":
            side = draft.written.affirmation
        return side == turn.affirmation
    quoted = any(
        bench.material.matches(span, quote) for span in answer.spans for quote in turn.answers
    )
    told = " ".join(one.text for one in draft.written.segments) if candidate.verdict.written else ""
    return quoted or tells(f"{answer.text} {told}", turn.answers)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--llm", metavar="URL")
    parser.add_argument("--model", default=smollm2.NAME)
    parser.add_argument("--split", default="dev", choices=("dev", "train"))
    parser.add_argument("--history", default="rewrite", choices=("rewrite", "own"))
    parser.add_argument("--turns", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=float, default=900.0)
    parser.add_argument("--tokens", type=int, default=160)
    parser.add_argument("--kept", type=Path, default=Path("completions.jsonl"))
    parser.add_argument("--rows", type=Path, help="write every turn as a JSON line")
    parser.add_argument("--fit", action="store_true", help="fit the weights of the two witnesses")
    options = parser.parse_args()
    groups = list(read_sets(locate(f"written/{options.split}")))
    ids = draw(groups, options.turns, options.seed)
    with nullcontext(options.llm) if options.llm else smollm2.served() as url:
        settings = Settings(
            encoder="minilm",
            llm=url,
            model=options.model,
            patience=options.patience,
            tokens=options.tokens,
        )
        endpoint = open_endpoint(
            url, options.model, seconds=options.patience, tokens=options.tokens
        )
        model = Kept(endpoint, options.kept)
        if options.fit:
            fitted = fit(groups, ids, settings, model)
            print(json.dumps(fitted, indent=1))
            write_json(FOLDER / "prose" / "weighing.json", {"weights": fitted["weights"]})
            return
        found = list(rows(groups, ids, options.history, settings, model))
    if options.rows:
        options.rows.write_text("".join(json.dumps(asdict(row)) + "\n" for row in found), "utf-8")
    results = read_result("language-model")
    results[f"{options.model}, {options.split}, {options.history}"] = {
        "seed": options.seed,
        **summary(found),
    }
    write_result("language-model", results)


if __name__ == "__main__":
    main()
