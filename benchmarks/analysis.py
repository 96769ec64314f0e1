"""How fast reports are made, what the rules of questions and answers get, and the papers' numbers.

    python benchmarks/analysis.py [speed] [rules] [papers]

`speed` makes up 100,000 turns and two systems that answered them, and writes the whole report.
`rules` and `papers` read real data from SEMINAR_DATA.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd

from benchmarks.results import peak_memory_mib, read_result, write_result
from seminar.analysis.answer_types import (
    NAME,
    ORGANISATION,
    PERSON,
    PLACE,
    answer_type,
)
from seminar.analysis.frames import turns
from seminar.analysis.outcomes import Outcome
from seminar.analysis.published import SPLITS
from seminar.analysis.question_types import is_polar
from seminar.analysis.report.writing import write_report
from seminar.analysis.sections import dataset_section, systems_section
from seminar.datasets.catalog import load, locate, threads
from seminar.examples import Example, Gold

TURNS = 100_000
LENGTH = 13  # turns of a made-up dialog
SEED = 22
# Subjects of Wikispeedia's articles whose titles are names of one kind.
SUBJECTS = {
    PERSON: ("Historical figures", "Writers and critics", "Political People", "USA Presidents",
             "Performers and composers", "Sports and games people", "Monarchs of Great Britain",
             "Artists", "Religious figures and leaders", "Engineers and inventors", "Philosophers",
             "Actors, models and celebrities", "Military People", "Human Scientists"),
    PLACE: ("Countries", "African Countries", "European Countries", "Asian Countries",
            "Central & South American Countries", "European Geography", "African Geography",
            "North American Geography", "Geography of Asia", "Geography of Great Britain"),
    ORGANISATION: ("Business", "Companies"),
}  # fmt: skip
QUESTIONS = {PERSON: "Who is meant?", PLACE: "Where is it?"}


def made_up(number: int) -> Iterator[Example]:
    """Turns of dialogs over sections of 400 words, with topics, spans and histories."""
    chance = random.Random(SEED)
    words = ["".join(chance.choices("abcdefghijklm", k=chance.randint(2, 9))) for _ in range(3_000)]
    openings = ["what is", "who was", "when did", "did they", "how many", "why", "tell me about"]
    for dialog in range(-(-number // LENGTH)):
        section = chance.choices(words, k=400)
        context, topic = " ".join(section), "0"
        history: tuple[tuple[str, str], ...] = ()
        for turn in range(1, LENGTH + 1):
            topic = topic if chance.random() < 0.7 else str(chance.randrange(6))
            begin = chance.randrange(380)
            answer = " ".join(section[begin : begin + chance.randint(1, 15)])
            start = len(" ".join(section[:begin])) + (begin > 0)
            question = f"{chance.choice(openings)} {' '.join(chance.choices(words, k=4))}?"
            gold = Gold((answer,), spans=((start, start + len(answer)),), topic=topic)
            yield Example(
                f"{dialog}-{turn}", str(dialog), question, gold, history, context,
                title=str(dialog), section="s", turn=turn,
            )  # fmt: skip
            history = (*history, (question, answer))


def speed() -> dict[str, object]:
    """Seconds and peak memory of a report on 100,000 turns and two systems."""
    chance = random.Random(SEED)
    examples = list(made_up(TURNS))[:TURNS]
    before = peak_memory_mib()
    systems = {
        name: [
            Outcome(one.id, one.gold.answers[0], chance.random(), confidence=chance.random(),
                    seconds=chance.random(), megabytes=100.0)
            for one in examples
        ]
        for name in ("one", "two")
    }  # fmt: skip
    stages: dict[str, float] = {}
    begun, worked = time.perf_counter(), time.process_time()

    def stage(name: str) -> None:
        stages[name] = round(time.perf_counter() - begun - sum(stages.values()), 1)

    frame = turns(examples, split="x")
    stage("rows of turns")
    dataset = dataset_section("made up", frame)
    stage("tables and figures of the dataset")
    compared = systems_section("made up", frame, examples, systems)
    stage("systems compared")
    with tempfile.TemporaryDirectory() as folder:
        files = write_report("Speed", [dataset, compared], Path(folder) / "report")
        stage("files written")
        page = next(file for file in files if file.suffix == ".html").stat().st_size
    return {
        "turns": len(frame),
        "seconds": round(sum(stages.values()), 1),
        "seconds of processor time": round(time.process_time() - worked, 1),
        "stages": stages,
        "peak MiB": peak_memory_mib(),
        "peak MiB before, with the turns in memory": before,
        "page MiB": round(page / 2**20, 1),
        "load of the machine (1 minute)": round(os.getloadavg()[0], 1),
        "cores": os.cpu_count(),
    }


def rules() -> dict[str, object]:
    """What the rules get on labels that exist."""
    return {
        "names of Wikispeedia": _names(asked=False),
        "names of Wikispeedia, the question asks who or where": _names(asked=True),
        "answers that are speakers of their conversation (qaconv/trn-full)": _speakers(),
        "questions for yes or no": {
            "written/dev": _polar("written/dev", lambda one: one.domain.startswith("yesno")),
            "pragmaticqa/val": _polar(
                "pragmaticqa/val", lambda one: one.gold.affirmation in ("yes", "no")
            ),
            "topiocqa/dev": _polar("topiocqa/dev", _begins_with_yes_or_no),
            "boolq/dev" if _there("boolq/dev") else "boolq/combined": _polar(
                "boolq/dev" if _there("boolq/dev") else "boolq/combined", lambda one: True
            ),
        },
    }


def _there(name: str) -> bool:
    try:
        return locate(name).exists()
    except Exception:  # noqa: BLE001 - a split that isn't there is not measured
        return False


def _names(*, asked: bool) -> dict[str, object]:
    """Types given to the titles of articles on people, places and companies."""
    kinds = {subject: kind for kind, subjects in SUBJECTS.items() for subject in subjects}
    found: dict[str, Counter[str]] = {}
    path = Path(os.environ["SEMINAR_DATA"], "wikispeedia", "articles_with_links.jsonl.gz")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            article = json.loads(line)
            labels = {kinds[one] for one in _subjects(article) if one in kinds}
            if len(labels) == 1:
                kind = labels.pop()
                question = QUESTIONS.get(kind, "") if asked else ""
                given = answer_type(article["title"], asked=question)
                found.setdefault(kind, Counter())[given] += 1
    return {kind: _recall(kind, counts) for kind, counts in found.items()}


def _subjects(article: dict[str, list[dict[str, str]]]) -> list[str]:
    for block in article["blocks"][:4]:
        _, mark, subjects = block["text"].partition("Related subjects: ")
        if mark:
            return [subject.strip() for subject in subjects.split(";")]
    return []


def _recall(kind: str, counts: Counter[str]) -> dict[str, object]:
    total = counts.total()
    return {
        "titles": total,
        "recall %": round(100 * counts[kind] / total, 1),
        "other names %": round(100 * counts[NAME] / total, 1),
        "given": dict(counts.most_common(6)),
    }


def _speakers() -> dict[str, object]:
    """Types of answers that are the name of a speaker of the question's conversation."""
    speakers = {
        thread.title: {message.speaker.strip().lower() for message in thread.utterances}
        for thread in threads("qaconv")
    }
    given: Counter[str] = Counter()
    for example in load("qaconv/trn-full"):
        known = set().union(*(speakers.get(name, set()) for name in example.sources))
        answer = next(iter(example.gold.answers), "")
        if answer and answer.strip().lower() in known:
            given[answer_type(answer, asked=example.question)] += 1
    return _recall(PERSON, given)


def _begins_with_yes_or_no(example: Example) -> bool:
    first = example.gold.answers[0].lower().replace(",", " ").replace(".", " ").split()[:1]
    return first in (["yes"], ["no"])


def _polar(name: str, label: Callable[[Example], bool]) -> dict[str, object]:
    """Precision and recall of the rule for questions that ask for yes or no."""
    pairs = [(is_polar(one.question), label(one)) for one in load(name)]
    both = sum(given and true for given, true in pairs)
    given, true = sum(one for one, _ in pairs), sum(one for _, one in pairs)
    return {
        "questions": len(pairs),
        "labelled": true,
        "precision %": round(100 * both / max(1, given), 1),
        "recall %": round(100 * both / max(1, true), 1),
    }


def papers() -> dict[str, object]:
    """The papers' numbers beside ours, for every dataset whose splits are there."""
    shown: dict[str, object] = {}
    for dataset, splits in {**SPLITS, "quac": ("val-part",)}.items():
        frames = [turns(load(f"{dataset}/{split}"), split=split) for split in splits]
        files = [locate(f"{dataset}/{split}") for split in splits]
        known = list(threads(dataset)) if dataset == "qaconv" else []
        whole = pd.concat(frames, ignore_index=True)
        table = dataset_section(dataset, whole, files=files, threads=known).exhibits[0].frame
        shown[dataset] = json.loads(table.round(3).to_json(orient="records"))
    return shown


PARTS: dict[str, Callable[[], dict[str, object]]] = {
    "speed": speed,
    "rules": rules,
    "papers": papers,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    chosen = parser.parse_args().parts or list(PARTS)
    result = read_result("analysis")
    write_result("analysis", {**result, **{part: PARTS[part]() for part in chosen}})


if __name__ == "__main__":
    main()
