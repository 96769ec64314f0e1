"""A language model beside the embedded stages, over files that neither has seen: what it is worth.

    scripts/bench language_model [turns] [--turns 120] [--history rewrite|own]
    scripts/bench language_model script            the dialogues over the example collection
    scripts/bench language_model requests          20 summaries and 20 comparisons, to be judged
    scripts/bench language_model judged            how many of their sentences are borne out
    scripts/bench language_model --split train --fit      fits seminar/models/weights/prose

The model is SmolLM2-135M (scripts/test-llm fetches it), the one of `--gguf FILE`, or one that is
served already (`--llm URL --model NAME`).

Turns of the written dialogues, drawn by a seed, are answered by the embedded stages alone, by the
model's completion of the joint prompt as it stands (the naive way), and by both together: grounded
and weighed. `rewrite` asks each question in its self-contained form, `own` holds the dialogues of
the drawn turns from their beginning, after the assistant's own replies. Needs SEMINAR_DATA.

Completions are kept in a file (`--kept`), a line each, so that a run goes on where it was stopped
and a change of what comes after the model costs no call of it; `--minutes` stops it by itself. The
naive way and ours read the same completion of the same prompt, so that their first tokens differ by
the plan alone.

An answer is right if a cited span is (as `scripts/bench written` says), or if the words that are
told have all numbers and 60 % of the terms of a gold quote; for yes or no, if the affirmation is.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from benchmarks import smollm2
from benchmarks.kept_completions import Kept
from benchmarks.language_model_requests import judged, make, requests_of, use
from benchmarks.results import progress, read_result, write_result
from benchmarks.scripted_dialogues import EXAMPLES, faults, hold, read_script, report
from benchmarks.written import Material, percent
from seminar.assembly import open_files
from seminar.assistant import Assistant
from seminar.datasets.catalog import locate
from seminar.datasets.dialogues.written import Quote, WrittenSet, WrittenTurn, read_sets
from seminar.models.llm.endpoint import open_endpoint
from seminar.settings import Settings
from seminar.text import terms
from seminar.training.fitting.trials import write_json
from seminar.types import Dialogue, Reply, Segment, Turn
from seminar.weights import FOLDER
from seminar.writing.completions import parse
from seminar.writing.facts import numbers
from seminar.writing.writer import ProseWriter

TOLD = 0.6  # share of a gold quote's terms that words which tell it have
PIECES = ("turns", "script", "requests", "judged")
FEWEST = 20  # turns of a result that is kept


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
    use(assistant, model)
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
    uses = bench.model.uses
    uses.reset()
    begun = time.perf_counter()
    [reply] = bench.assistant.write([dialogue], [quick])
    took = embedded + time.perf_counter() - begun - uses.spent + uses.seconds
    return {
        "embedded": _judged(bench, turn, quick, embedded),
        "naive": naive,
        "together": replace(_judged(bench, turn, reply, took), first=embedded + uses.first),
    }


def _naive(
    bench: Bench, turn: WrittenTurn, quick: Reply, dialogue: Dialogue, seconds: float
) -> Told:
    """The completion of the joint prompt as it stands: no plan, no check, no second witness."""
    if quick.meta:
        return _judged(bench, turn, quick, seconds)
    bench.model.uses.reset()
    draft = bench.writer.draft(dialogue, quick.query, quick.hits, lambda _: None)
    parsed = parse(draft.completion.text)
    text = " ".join(one.text for one in parsed.statements)
    polar = turn.affirmation != "neither"
    right = parsed.affirmation == turn.affirmation if polar else tells(text, turn.answers)
    return Told(
        draft.completion.text,
        bool(parsed.statements),
        turn.answerable and bool(parsed.statements) and right,
        parsed.affirmation,
        len(draft.segments),
        sum(bool(one.spans) for one in draft.segments),
        seconds + bench.model.uses.seconds,
        draft.completion.read + draft.completion.written,
        seconds + bench.model.uses.first,
    )


def _judged(bench: Bench, turn: WrittenTurn, reply: Reply, seconds: float) -> Told:
    written: tuple[Segment, ...] = reply.prose.segments if reply.prose else ()
    segments = [one for one in written if one.role is None]  # what the model wrote in answer
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


def script(settings: Settings, model: Kept, most: int) -> dict[str, object]:
    """The first turns of the dialogues over the example collection, without and with the model."""
    alone = open_files([EXAMPLES / "collection"], replace(settings, llm="")).assistant
    together = open_files([EXAMPLES / "collection"], settings).assistant
    use(together, model)
    found: dict[str, object] = {}
    for name, assistant in (("embedded", alone), ("together", together)):
        right, wrong = 0, Counter[str]()
        held = 0
        for dialogue, turns in read_script().items():
            turn_by_turn = list(hold(assistant, turns[: most - held]))
            held += len(turn_by_turn)
            print(f"{name}, {dialogue}", flush=True)
            right += report(turn_by_turn, print)
            wrong += faults(turn_by_turn)
        found[name] = {"right": right, "turns": held, "wrong": wrong}
    return found


def main() -> None:
    options = _options()
    if options.piece == "judged":
        print(json.dumps(judged(options.out), indent=1))
        return
    groups = list(read_sets(locate(f"written/{options.split}")))
    ids = draw(groups, options.turns, options.seed)
    serving = smollm2.served(weights=options.gguf, threads=options.threads)
    with nullcontext(options.llm) if options.llm else serving as url:
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
        deadline = time.monotonic() + 60 * options.minutes
        model = Kept(endpoint, options.kept, deadline=deadline)
        if options.fit:
            from benchmarks.language_model_fit import fit

            fitted = fit(groups, ids, settings, model)
            print(json.dumps(fitted, indent=1))
            write_json(FOLDER / "prose" / "weighing.json", {"weights": fitted["weights"]})
        elif options.piece == "requests":
            wanted = requests_of(groups, options.seed)
            every = max(1, len(wanted) // options.turns)
            make(wanted[::every], groups, settings, model=model, file=options.out)
        elif options.piece == "script":
            found = script(settings, model, options.turns)
            _add(f"{options.model}, script", found, small=options.turns < FEWEST)
        else:
            told = list(rows(groups, ids, options.history, settings, model))
            if options.rows:
                lines = [json.dumps(asdict(row)) + "\n" for row in told]
                options.rows.write_text("".join(lines), "utf-8")
            name = f"{options.model}, {options.split}, {options.history}"
            _add(name, {"seed": options.seed, **summary(told)}, small=len(told) < FEWEST)


def _add(name: str, result: dict[str, object], *, small: bool = False) -> None:
    """Keep a result beside those of other runs; one of a few turns is only shown."""
    if small:
        print(json.dumps(result, indent=1))
        return
    write_result("language-model", read_result("language-model") | {name: result})


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("piece", nargs="?", default="turns", choices=PIECES)
    parser.add_argument("--llm", metavar="URL")
    parser.add_argument("--gguf", metavar="FILE", default="", help="serve this model")
    parser.add_argument("--threads", type=int, default=smollm2.THREADS)
    parser.add_argument("--model")
    parser.add_argument("--split", default="dev", choices=("dev", "train"))
    parser.add_argument("--history", default="rewrite", choices=("rewrite", "own"))
    parser.add_argument("--turns", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=float, default=900.0)
    parser.add_argument("--tokens", type=int, default=160)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after so many")
    parser.add_argument("--kept", type=Path, default=Path("completions.jsonl"))
    parser.add_argument("--out", type=Path, default=Path("requests.jsonl"))
    parser.add_argument("--rows", type=Path, help="write every turn as a JSON line")
    parser.add_argument("--fit", action="store_true", help="fit the weights of the two witnesses")
    options = parser.parse_args()
    options.model = options.model or (Path(options.gguf).stem if options.gguf else smollm2.NAME)
    return options


if __name__ == "__main__":
    main()
