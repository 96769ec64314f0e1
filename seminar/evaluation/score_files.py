"""Official files for an official scorer: read, recognised, compared id by id, then scored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from seminar.datasets.catalog import DATASETS, load_file, recognise
from seminar.errors import ScoringError
from seminar.evaluation.files import Json, Parsed, read_any
from seminar.evaluation.formats import PREDICTIONS, MisshapenError, PredictionFormat, looks_like
from seminar.evaluation.tasks import single_answer
from seminar.evaluation.trec_files import read_judgements, read_run
from seminar.examples import Example
from seminar.metrics.scorers import Table, find_scorer
from seminar.metrics.strictness import name_some

# Their keys are so common that they only name a file that can't be read as what it should be.
VAGUE = {"nq_open", "boolq"}
# Predictions that are JSON lines: a file of one line reads as one object.
LINES = {"quac", "nq-open"}
# What an official program may stop with, where a strict scorer stops in the same place.
OFFICIAL_STOPS = (Exception, SystemExit)


@dataclass(frozen=True, slots=True)
class References:
    """What a scorer reads as references, and the ids of its questions in order."""

    value: Json
    ids: list[str]


@dataclass(frozen=True, slots=True)
class ReferenceFormat:
    """Whose reader checks the file, how a question is called, and what the scorer gets of it.

    Without `value` the scorer gets the file as it is.
    """

    dataset: str
    name: Callable[[Example], str] = lambda example: example.id
    value: Callable[[list[Example]], Json] | None = None
    split: str = ""


def _nq_open(examples: list[Example]) -> Json:
    return [{"question": one.question, "answer": list(one.gold.answers)} for one in examples]


def _spans(examples: list[Example]) -> Json:
    return {
        one.id: {
            "literal": [span.text for span in one.gold.literal],
            "pragmatic": [span.text for span in one.gold.pragmatic],
        }
        for one in examples
    }


def _ambigqa(examples: list[Example]) -> Json:
    """The official annotations, also from files that hold only sets of answers."""

    def annotation(found: Sequence[Json]) -> Json:
        if single_answer(tuple(found)):
            return {"type": "singleAnswer", "answer": list(found[0].aliases)}
        pairs = [{"question": one.question, "answer": list(one.aliases)} for one in found]
        return {"type": "multipleQAs", "qaPairs": pairs}

    return [
        {
            "id": one.id,
            "question": one.question,
            "annotations": [annotation(found) for found in one.gold.annotations],
        }
        for one in examples
    ]


REFERENCES: dict[str, ReferenceFormat] = {
    "ambigqa": ReferenceFormat("ambigqa", value=_ambigqa),
    "ambigqa-questions": ReferenceFormat("ambigqa", value=_ambigqa),
    "coqa": ReferenceFormat("coqa"),
    "nq-open": ReferenceFormat("nq_open", lambda example: example.question, _nq_open),
    "pragmaticqa": ReferenceFormat("pragmaticqa", value=_spans),
    "qaconv": ReferenceFormat("qaconv"),
    "qaconv-recall": ReferenceFormat("qaconv"),
    "quac": ReferenceFormat("quac"),
    "squad-v1": ReferenceFormat("squad"),
    "squad-v2": ReferenceFormat("squad"),
    "topiocqa-reader": ReferenceFormat("topiocqa"),
    "topiocqa-retriever": ReferenceFormat("topiocqa", split="topiocqa/dev-original"),
}


def score_files(scorer: str, references: Path, predictions: Path, *, strict: bool = False) -> Table:
    """The scores of a file of predictions by the official scorer of that name.

    Files that don't fit together are refused. Strict, the ids aren't compared: the scorer does
    what the official program does, and where that stops the error says with what.
    """
    score = find_scorer(scorer)
    wanted = read_references(scorer, references)
    said = read_predictions(scorer, predictions, wanted.ids, lenient=strict)
    if not strict:
        return score(wanted.value, said)
    try:
        return score(wanted.value, said, strict=True)
    except OFFICIAL_STOPS as error:
        told = f"{type(error).__name__}: {error}"
        raise ScoringError(f"the official program stops here with {told}") from error


def read_references(scorer: str, path: Path) -> References:
    """The references of an official file; one of another dataset is named as such."""
    if scorer not in REFERENCES:
        return _PLAIN_REFERENCES[scorer](path)
    form = REFERENCES[scorer]
    other = recognise(path)
    if other and other != form.dataset and other not in VAGUE:
        raise ScoringError(
            f"{path.name}: this looks like {DATASETS[other].TITLE}, "
            f"not {DATASETS[form.dataset].TITLE}"
        )
    examples = list(load_file(form.split or form.dataset, path))
    if not examples:
        raise ScoringError(f"{path.name}: holds no questions")
    ids = [form.name(example) for example in examples]
    return References(form.value(examples) if form.value else read_any(path).value, ids)


def read_predictions(scorer: str, path: Path, ids: Sequence[str], *, lenient: bool = False) -> Json:
    """The predictions of an official file, once they fit the ids of the references."""
    parsed = Parsed(read_run(path), lines=False) if scorer == "trec" else read_any(path)
    check_predictions(PREDICTIONS[scorer], parsed, ids, path.name, lenient=lenient)
    if scorer in LINES and isinstance(parsed.value, dict):
        return [parsed.value]
    return parsed.value


def check_predictions(
    form: PredictionFormat,
    parsed: Parsed,
    ids: Sequence[str],
    where: str,
    *,
    lenient: bool = False,
) -> None:
    """Stop at predictions that aren't of the form, or don't answer each question once."""
    if parsed.value in ({}, []):
        raise ScoringError(f"{where}: no predictions")
    try:
        entries = list(form.entries(parsed.value))
    except MisshapenError as error:
        raise ScoringError(f"{where}: {error}{_recognised(form, parsed)}") from None
    if not entries:
        raise ScoringError(f"{where}: no predictions")
    wrong = [key for key, value in entries if not form.fits(value)]
    if wrong:
        told = f"{len(wrong)} of the wrong type (expected {form.expected}): {name_some(wrong)}"
        raise ScoringError(f"{where}: {told}{_recognised(form, parsed)}")
    if lenient:
        return
    faults = _compared(form, [key for key, _ in entries], ids, parsed.repeated)
    if faults:
        raise ScoringError(f"{where}: {'; '.join(faults)}")


def _compared(
    form: PredictionFormat, said: list[str], ids: Sequence[str], repeated: Sequence[str]
) -> list[str]:
    """What is wrong between the ids of predictions and references, a sentence each."""
    wanted, given = set(ids), set(said)
    if not form.complete:
        met = wanted & given
        return [] if met else [f"no prediction for any of the {len(wanted)} questions"]
    twice = [key for key, count in Counter(said).items() if count > 1] + list(repeated)
    kinds = {
        "duplicate": twice if len(wanted) == len(ids) else list(repeated),
        "missing": [key for key in dict.fromkeys(ids) if key not in given],
        "extra": [key for key in dict.fromkeys(said) if key not in wanted],
    }
    return [f"{len(keys)} {kind}: {name_some(keys)}" for kind, keys in kinds.items() if keys]


def _recognised(form: PredictionFormat, parsed: Parsed) -> str:
    """The words that name another format, if the file is one."""
    other = looks_like(parsed.value)
    return f"; this looks like {other}, not {form.title}" if other not in ("", form.title) else ""


def _rewrites(path: Path) -> References:
    """A list of rewrites, or the official QReCC file that holds them."""
    if recognise(path) == "qrecc":
        texts = [one.gold.rewrites[0] for one in load_file("qrecc", path)]
    else:
        texts = read_any(path).value
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise ScoringError(f"{path.name}: expected a list of rewrites, or an official QReCC file")
    return References(texts, [str(number) for number in range(1, len(texts) + 1)])


def _qrecc_answers(path: Path) -> References:
    keys = {"Conversation-ID", "Turn-ID", "answer"}
    turns = read_any(path).value
    if not isinstance(turns, list) or not all(
        isinstance(turn, dict) and keys <= turn.keys() for turn in turns
    ):
        raise ScoringError(f"{path.name}: expected a list of {', '.join(sorted(keys))}")
    return References(turns, [f"{one['Conversation-ID']}_{one['Turn-ID']}" for one in turns])


def _qrels(path: Path) -> References:
    judged = read_judgements(path)
    return References(judged, list(judged))


_PLAIN_REFERENCES: dict[str, Callable[[Path], References]] = {
    "qrecc-retrieval": _qrecc_answers,
    "qrecc-rewrites": _rewrites,
    "trec": _qrels,
}
