"""Predictions in the official formats: written for leaderboards, read back as a system's word."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path

from seminar.datasets.records import Record
from seminar.errors import ConfigurationError
from seminar.evaluation.files import Json, Parsed, read_any
from seminar.evaluation.formats import (
    PREDICTIONS,
    PredictionFormat,
    is_text,
    keyed_entries,
    looks_like,
)
from seminar.evaluation.predictions import Prediction, Ranked, from_record
from seminar.evaluation.score_files import REFERENCES, check_predictions
from seminar.evaluation.setup import Bench, System
from seminar.examples import Example

Pairs = list[tuple[Example, Prediction]]

# The scorers that read a dataset's predictions, by what is measured.
SCORER_OF: dict[str, dict[str, str]] = {
    "ambigqa": {"answers": "ambigqa"},
    "coqa": {"answers": "coqa"},
    "nq_open": {"answers": "nq-open"},
    "pragmaticqa": {"answers": "pragmaticqa"},
    "qaconv": {"answers": "qaconv", "retrieval": "qaconv-recall"},
    "quac": {"answers": "quac"},
    "squad": {"answers": "squad-v1"},
    "squad/dev-v2": {"answers": "squad-v2"},
    "squad/train-v2": {"answers": "squad-v2"},
    "topiocqa": {"answers": "topiocqa-reader", "retrieval": "topiocqa-retriever"},
}


def scorers_of(name: str) -> dict[str, str]:
    """The scorers of a split's official predictions by kind; none where no format is known."""
    return SCORER_OF.get(name) or SCORER_OF.get(name.partition("/")[0], {})


def _quac_lines(pairs: Pairs) -> str:
    lines = []
    for _, dialog in groupby(pairs, key=lambda pair: pair[0].dialogue_id):
        said = [prediction for _, prediction in dialog]
        line = {
            "qid": [one.id for one in said],
            "best_span_str": [one.answer for one in said],
            "yesno": [one.yesno for one in said],
            "followup": [one.followup for one in said],
        }
        lines.append(_dumped(line))
    return "\n".join(lines)


def _answers(pairs: Pairs) -> str:
    return _dumped({said.id: said.answer for _, said in pairs})


def _answer_sets(pairs: Pairs) -> str:
    return _dumped({said.id: list(said.answers) or [said.answer] for _, said in pairs})


def _coqa(pairs: Pairs) -> str:
    return _dumped(
        [
            {"id": example.dialogue_id, "turn_id": example.turn, "answer": said.answer}
            for example, said in pairs
        ]
    )


def _nq_open(pairs: Pairs) -> str:
    return "\n".join(
        _dumped({"question": example.question, "prediction": said.answer})
        for example, said in pairs
    )


def _spans(pairs: Pairs) -> str:
    return _dumped(
        {
            said.id: {
                "literal": list(said.literal) or [said.answer] * bool(said.answer),
                "pragmatic": list(said.pragmatic),
            }
            for _, said in pairs
        }
    )


def _segments(pairs: Pairs) -> str:
    return _dumped({said.id: {one.id: one.score for one in said.ranking} for _, said in pairs})


def _topiocqa(pairs: Pairs) -> str:
    return _dumped([_turn(example) | {"predictions": [said.answer]} for example, said in pairs])


def _topiocqa_rankings(pairs: Pairs) -> str:
    return _dumped(
        [
            _turn(example)
            | {
                "ctxs": [
                    {"id": one.id, "title": one.title, "text": one.text} for one in said.ranking
                ]
            }
            for example, said in pairs
        ]
    )


def _turn(example: Example) -> dict[str, Json]:
    return {"conv_id": example.dialogue_id, "turn_id": str(example.turn)}


def _dumped(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


WRITERS: dict[str, Callable[[Pairs], str]] = {
    "ambigqa": _answer_sets,
    "coqa": _coqa,
    "nq-open": _nq_open,
    "pragmaticqa": _spans,
    "qaconv": _answers,
    "qaconv-recall": _segments,
    "quac": _quac_lines,
    "squad-v1": _answers,
    "squad-v2": _answers,
    "topiocqa-reader": _topiocqa,
    "topiocqa-retriever": _topiocqa_rankings,
}


def official_text(scorer: str, examples: Sequence[Example], said: Sequence[Prediction]) -> str:
    """The content of a prediction file that the official program of this scorer reads."""
    return WRITERS[scorer](list(zip(examples, said, strict=True))) + "\n"


READERS: dict[str, Callable[[str, Json], Prediction]] = {
    "ambigqa": lambda key, said: Prediction(key, answers=(said,) if _lone(said) else tuple(said)),
    "coqa": Prediction,
    "nq-open": Prediction,
    "pragmaticqa": lambda key, said: Prediction(
        key, literal=tuple(said["literal"]), pragmatic=tuple(said["pragmatic"])
    ),
    "qaconv": Prediction,
    "qaconv-recall": lambda key, said: Prediction(key, ranking=_by_score(said)),
    "quac": lambda key, said: Prediction(key, said[0], yesno=said[1], followup=said[2]),
    "squad-v1": Prediction,
    "squad-v2": Prediction,
    "topiocqa-reader": lambda key, said: Prediction(key, said[0]),
    "topiocqa-retriever": lambda key, said: Prediction(key, ranking=_contexts(said)),
}


def _lone(said: Json) -> bool:
    return isinstance(said, str)


def _by_score(scores: dict[str, float]) -> tuple[Ranked, ...]:
    best = sorted(scores, key=scores.__getitem__)[::-1]  # of equal ones the last, as officially
    return tuple(Ranked(key, scores[key]) for key in best)


def _contexts(found: list[dict[str, str]]) -> tuple[Ranked, ...]:
    return tuple(
        Ranked(one.get("id", ""), 1 / rank, one["title"], one["text"])
        for rank, one in enumerate(found, start=1)
    )


def file_system(path: Path, bench: Bench) -> System:
    """A file of predictions as a system: an official format, or predictions.jsonl of a run."""
    parsed = read_any(path)
    if _is_run(parsed.value):
        return _of_run(parsed, path, bench)
    scorers = scorers_of(bench.name)
    if not scorers:
        raise ConfigurationError(
            f"{path.name}: {bench.dataset} has no official format; "
            'give JSON lines {"id": ..., "answer": ...}'
        )
    looks = looks_like(parsed.value)
    titles = {PREDICTIONS[scorer].title: kind for kind, scorer in scorers.items()}
    kind = titles.get(looks, "answers")
    scorer = scorers[kind]
    name = REFERENCES[scorer].name
    check_predictions(PREDICTIONS[scorer], parsed, [*map(name, bench.examples)], path.name)
    entries = dict(PREDICTIONS[scorer].entries(parsed.value))
    said = {one.id: READERS[scorer](one.id, entries[name(one)]) for one in bench.examples}
    return System(_looked_up(said), kind, note=f"from {path.name}")


def _is_run(value: Json) -> bool:
    """Whether these are the lines of a run's predictions.jsonl; CoQA's form has turns besides."""
    lines = value if isinstance(value, list) else [value]
    return bool(lines) and all(
        isinstance(one, dict) and {"id", "answer"} <= one.keys() and "turn_id" not in one
        for one in lines
    )


def _of_run(parsed: Parsed, path: Path, bench: Bench) -> System:
    lines = parsed.value if isinstance(parsed.value, list) else [parsed.value]
    form = PredictionFormat("Seminar", keyed_entries(("id",), "answer", ""), is_text, "a text")
    ids = [example.id for example in bench.examples]
    check_predictions(form, Parsed(lines, True, parsed.repeated), ids, path.name)
    said = [
        from_record(Record(one, f"{path.name}:{number}")).prediction
        for number, one in enumerate(lines, start=1)
    ]
    kind = "retrieval" if any(one.ranking for one in said) else "answers"
    return System(_looked_up({one.id: one for one in said}), kind, note=f"from {path.name}")


def _looked_up(
    said: dict[str, Prediction],
) -> Callable[[Sequence[Example]], list[Prediction]]:
    return lambda examples: [said[example.id] for example in examples]
