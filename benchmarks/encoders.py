"""Size, speed and retrieval of each encoder, in one run so that the ratios hold on a busy machine.

python -m benchmarks.encoders [--questions 2000] [--passages 0 for all]
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from benchmarks.corpora import Task, squad
from benchmarks.results import progress, write_result
from seminar.models.encoders.registry import ENCODERS, load_encoder
from seminar.models.encoders.transformer import TransformerEncoder
from seminar.protocols import Encoder
from seminar.types import Matrix
from seminar.weights import weights_folder

Places = NDArray[np.int64]

DEPTHS = (1, 5, 20)
BLOCK = 512
COLD_START = """
import time
start = time.perf_counter()
from seminar.models.encoders.registry import load_encoder
load_encoder({name!r}).encode(["When does the ferry leave?"])
print((time.perf_counter() - start) * 1000)
"""


@click.command()
@click.option("--questions", default=2_000, show_default=True, help="How many dev questions.")
@click.option("--passages", default=0, help="How many paragraphs to search; 0 for all of them.")
def command(questions: int, passages: int) -> None:
    """Compare the encoders on SQuAD 1.1 dev over the paragraphs of train and dev."""
    task = sample(squad("dev"), questions, passages)
    speeds = measure_speeds(task)
    rows = {name: measure(name, task) | speeds[name] for name in sorted(ENCODERS)}
    single = TransformerEncoder(weights_folder("minilm"), name="minilm", threads=1)
    rows["minilm"]["sixty_sentences_one_thread_ms"] = round(
        1000 * min(seconds(single, sentences_of(task)) for _ in range(3)), 2
    )
    ratio = rows["static"]["passages_per_second"] / rows["minilm"]["passages_per_second"]
    write_result(
        "encoders",
        {
            "task": task.name,
            "questions": len(task.questions),
            "paragraphs": len(task.passages),
            "encoders": rows,
            "static_to_minilm_speed": round(ratio, 1),
        },
    )


def sample(task: Task, questions: int, passages: int) -> Task:
    """A seeded sample of the questions; of the passages, those asked about and then the others."""
    chosen = random.Random(0).sample(range(len(task.questions)), questions)
    gold = [task.gold[i] for i in chosen]
    asked = set(gold)
    ordered = sorted(task.passages, key=lambda passage: passage.id not in asked)
    return Task(
        task.name,
        ordered[: max(passages, len(asked))] if passages else ordered,
        [task.questions[i] for i in chosen],
        gold,
    )


def measure(name: str, task: Task) -> dict[str, float]:
    """What one encoder weighs, how long it takes to start, and how often it finds the paragraph."""
    encoder = load_encoder(name)
    texts = [passage.text for passage in task.passages]
    starts = progress(range(0, len(texts), BLOCK), name)
    passages = np.concatenate([encoder.encode(texts[at : at + BLOCK]) for at in starts])
    places = {passage.id: place for place, passage in enumerate(task.passages)}
    gold = np.array([places[one] for one in task.gold])
    ranks = rank(encoder.encode(task.questions), passages, gold)
    files = [path for path in weights_folder(name).iterdir() if path.suffix != ".md"]
    return {
        "megabytes": round(sum(path.stat().st_size for path in files) / 1e6, 1),
        "dimensions": encoder.dimensions,
        "cold_start_ms": round(cold_start(name)),
        **{f"recall_at_{k}": round(float((ranks < k).mean()) * 100, 1) for k in DEPTHS},
    }


def rank(questions: Matrix, passages: Matrix, gold: Places) -> Places:
    """How many paragraphs lie nearer to each question than its own (exact inner product)."""
    scores = questions @ passages.T  # (questions, passages)
    own = scores[np.arange(len(gold)), gold]
    return np.asarray((scores > own[:, None]).sum(axis=1), dtype=np.int64)


def cold_start(name: str) -> float:
    """Milliseconds from a fresh interpreter to the first vector; the best of five."""
    code = COLD_START.format(name=name)
    root = Path(__file__).parent.parent
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, cwd=root)
        for _ in range(5)
    ]
    return min(float(run.stdout) for run in runs)


def measure_speeds(task: Task) -> dict[str, dict[str, float]]:
    """Speeds of all encoders, taken in turn under the same load; the best of three."""
    words = [passage.text.split() for passage in task.passages]
    texts = [" ".join(one[:100]) for one in words if len(one) >= 100][:5_000]
    sentences = sentences_of(task)
    encoders = {name: load_encoder(name) for name in sorted(ENCODERS)}
    found: dict[str, dict[str, float]] = {name: {} for name in encoders}
    for _ in range(3):
        for name, encoder in encoders.items():
            # a transformer on 5,000 passages would take minutes; 500 tell its speed
            some = texts if name == "static" else texts[:500]
            fresh = {
                "passages_per_second": len(some) / seconds(encoder, some),
                "passages_per_cpu_second": len(some) / seconds(encoder, some, time.process_time),
                "question_ms": 1000 * seconds(encoder, task.questions[:1], repeat=20),
                "sixty_sentences_ms": 1000 * seconds(encoder, sentences),
            }
            best = found[name]
            for key, value in fresh.items():
                choose = max if key.startswith("passages") else min
                best[key] = round(choose(value, best.get(key, value)), 2)
    return found


def sentences_of(task: Task) -> list[str]:
    """Sixty texts of some 30 tokens."""
    return [" ".join(passage.text.split()[:22]) for passage in task.passages[:60]]


def seconds(
    encoder: Encoder,
    texts: Sequence[str],
    clock: Callable[[], float] = time.perf_counter,
    *,
    repeat: int = 1,
) -> float:
    start = clock()
    for _ in range(repeat):
        encoder.encode(texts)
    return (clock() - start) / repeat


if __name__ == "__main__":
    command()
