"""A study's export, read as the dataset that it is and scored by the official scorers."""

import io
import json
import zipfile
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import seminar
from seminar.examples import Example
from seminar.metrics.official import pragmaticqa, qaconv, quac, topiocqa
from tests.collection.studies import Running

SPLITS = {
    "quac": ("train", "val", "test"),
    "topiocqa": ("train", "dev", "test"),
    "pragmaticqa": ("train", "val", "test"),
    "qaconv": ("trn-chunk", "val-chunk", "tst-chunk"),
}


def exported(study: Running, name: str, folder: Path) -> list[Example]:
    """The examples of all splits of a study, as it is now."""
    content = study.admin("GET", f"exports/{name}").content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(folder)
    splits = (seminar.load_dataset(f"{name}/{split}", folder) for split in SPLITS[name])
    return list(chain.from_iterable(splits))


def score_of_first_answers(name: str, folder: Path) -> float:
    """What the official scorer gives to the original answers themselves, of 100."""
    return _SCORES[name](folder / name)


def _quac(folder: Path) -> float:
    files = (folder / f"{split}_v0.2.json" for split in SPLITS["quac"])
    data = [article for file in files for article in json.loads(file.read_text())["data"]]
    given = {
        paragraph["id"]: {
            qa["id"]: quac.QuacPrediction(qa["orig_answer"]["text"], qa["yesno"], qa["followup"])
            for qa in paragraph["qas"]
        }
        for article in data
        for paragraph in article["paragraphs"]
    }
    return quac.score(data, given).f1


def _topiocqa(folder: Path) -> float:
    files = (folder / f"topiocqa_{split}.json" for split in SPLITS["topiocqa"])
    turns = [turn for file in files for turn in json.loads(file.read_text())]
    results = [
        {
            "conv_id": turn["Conversation_no"],
            "turn_id": turn["Turn_no"],
            "predictions": [turn["Answer"]],
        }
        for turn in turns
    ]
    return float(topiocqa.score_reader(turns, results, strict=True)["f1"])


def _pragmaticqa(folder: Path) -> float:
    lines = chain.from_iterable(
        (folder / f"{split}.jsonl").read_text().splitlines() for split in SPLITS["pragmaticqa"]
    )
    gold = [_spans(qa["a_meta"]) for line in lines for qa in json.loads(line)["qas"]]
    return pragmaticqa.score(zip(gold, gold, strict=True)).literal


def _spans(meta: dict[str, Any]) -> pragmaticqa.Spans:
    literal, pragmatic = (
        [one["text"] for one in meta[f"{kind}_obj"]] for kind in ("literal", "pragmatic")
    )
    return pragmaticqa.Spans(literal, pragmatic)


def _qaconv(folder: Path) -> float:
    files = (folder / f"{part}.json" for part in ("trn", "val", "tst"))
    questions = [one for file in files for one in json.loads(file.read_text())]
    scores = [
        qaconv.score_answer((one["answers"] or ["unanswerable"])[0], gold).exact
        for one in questions
        for gold in [qaconv.gold_answers(one["answers"])]
    ]
    return 100 * sum(scores) / len(scores)


_SCORES: dict[str, Callable[[Path], float]] = {
    "quac": _quac,
    "topiocqa": _topiocqa,
    "pragmaticqa": _pragmaticqa,
    "qaconv": _qaconv,
}
