"""The prediction of a system for one example, and its line in predictions.jsonl."""

from __future__ import annotations

from dataclasses import dataclass, fields

from seminar.datasets.records import Record


@dataclass(frozen=True, slots=True)
class Ranked:
    """A retrieved passage, as the official result files name it."""

    id: str
    score: float
    title: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Prediction:
    """A system's prediction for one example.

    `yesno` and `followup` are QuAC's letters, empty where the system gives none. `measures` holds
    the scores of people, who give several answers; `notes` are the reply's. `score` is the
    probability that the answer is right, where the system gives one.
    """

    id: str
    answer: str = ""
    yesno: str = ""
    followup: str = ""
    answers: tuple[str, ...] = ()
    literal: tuple[str, ...] = ()
    pragmatic: tuple[str, ...] = ()
    ranking: tuple[Ranked, ...] = ()
    measures: tuple[tuple[str, float], ...] = ()
    notes: tuple[str, ...] = ()
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Timed:
    """A prediction, the seconds it took, and the most memory the process had held by then."""

    prediction: Prediction
    seconds: float | None = None
    megabytes: float | None = None


def to_record(timed: Timed) -> dict[str, object]:
    """The line of predictions.jsonl, without empty fields other than the answer."""
    prediction = timed.prediction
    record: dict[str, object] = {"id": prediction.id, "answer": prediction.answer}
    for name in ("yesno", "followup", "answers", "literal", "pragmatic", "notes"):
        if getattr(prediction, name):
            record[name] = getattr(prediction, name)
    if prediction.ranking:
        record["ranking"] = [
            {field.name: getattr(ranked, field.name) for field in fields(ranked)}
            for ranked in prediction.ranking
        ]
    if prediction.score is not None:
        record["score"] = round(prediction.score, 6)
    if prediction.measures:
        record["measures"] = dict(prediction.measures)
    if timed.seconds is not None:
        record |= {"seconds": round(timed.seconds, 6), "megabytes": timed.megabytes}
    return record


def from_record(record: Record) -> Timed:
    """The prediction of a line; a bad one is named by file, line and key."""
    return Timed(
        Prediction(
            id=record.name("id"),
            answer=record.text_or_empty("answer"),
            yesno=record.text_or_empty("yesno"),
            followup=record.text_or_empty("followup"),
            answers=_texts(record, "answers"),
            literal=_texts(record, "literal"),
            pragmatic=_texts(record, "pragmatic"),
            ranking=tuple(map(_ranked, record.items("ranking"))) if record.has("ranking") else (),
            measures=_measures(record),
            notes=_texts(record, "notes"),
            score=_number(record["score"]) if record.has("score") else None,
        ),
        seconds=_number(record["seconds"]) if record.has("seconds") else None,
        megabytes=_number(record["megabytes"]) if record.has("megabytes") else None,
    )


def _ranked(record: Record) -> Ranked:
    return Ranked(
        id=record.name("id"),
        score=_number(record["score"]),
        title=record.text_or_empty("title"),
        text=record.text_or_empty("text"),
    )


def _measures(record: Record) -> tuple[tuple[str, float], ...]:
    if not record.has("measures"):
        return ()
    return tuple((name, _number(value)) for name, value in record["measures"].fields())


def _texts(record: Record, key: str) -> tuple[str, ...]:
    return record.texts(key) if record.has(key) else ()


def _number(record: Record) -> float:
    if isinstance(record.value, bool) or not isinstance(record.value, int | float):
        raise record.expected("a number")
    return float(record.value)
