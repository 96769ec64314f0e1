"""A user's own conversations: what was asked, what was refused, and from which sources."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from seminar.analysis.question_types import prefix
from seminar.text import whole

COLUMNS = (
    "chat", "turn", "question", "searched", "reply", "answerable", "meta", "score", "seconds",
    "sources", "type", "right", "comment", "time", "stages", "reader_failed",
)  # fmt: skip
TOP = 25  # sources in the table

SavedTurn = Mapping[str, Any]


def chat_turns(chats: Iterable[tuple[str, Iterable[SavedTurn]]]) -> pd.DataFrame:
    """One row a turn of saved conversations, given by name with their turns.

    A turn is an object as `seminar ask --json` prints it, or as the service gives it, with the
    reply under `reply` and what the asker said of it under `feedback`.
    """
    rows = [
        _row(chat, number, turn)
        for chat, saved in chats
        for number, turn in enumerate(saved, start=1)
    ]
    frame = pd.DataFrame(rows, columns=COLUMNS)
    return frame.astype({"answerable": bool, "meta": bool, "seconds": float, "score": float})


def _row(chat: str, number: int, turn: SavedTurn) -> tuple[object, ...]:
    reply = turn["reply"] if isinstance(turn.get("reply"), Mapping) else turn
    feedback = turn["feedback"] if isinstance(turn.get("feedback"), Mapping) else {}
    question = _text(turn, "question")
    spans = [
        *_objects(reply, "literal"),
        *(
            one["span"]
            for one in _objects(reply, "alternatives")
            if isinstance(one.get("span"), Mapping)
        ),
    ]
    sources = tuple(dict.fromkeys(_text(span, "source").partition("#")[0] for span in spans))
    stages = reply.get("stages", turn.get("stages"))
    return (
        whole(chat),
        number,
        question,
        _text(reply, "query") or question,
        _text(reply, "text"),
        bool(reply.get("answerable")),
        bool(reply.get("meta")),
        _number(reply.get("score")),
        _number(reply.get("seconds")),
        sources if reply.get("answerable") else (),
        prefix(question)[0],
        feedback.get("right") if isinstance(feedback.get("right"), bool) else None,
        _text(feedback, "comment"),
        _text(turn, "created"),
        {whole(str(name)): _number(value) for name, value in stages.items()}
        if isinstance(stages, Mapping)
        else {},
        any("language model" in str(note) for note in _listed(reply, "notes")),
    )


def _text(record: Mapping[str, Any], key: str) -> str:
    value = record.get(key)
    return whole(value) if isinstance(value, str) else ""


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return float("nan")
    return float(value) if math.isfinite(value) else float("nan")


def _listed(record: Mapping[str, Any], key: str) -> list[Any]:
    value = record.get(key)
    return value if isinstance(value, list) else []


def _objects(record: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    return [one for one in _listed(record, key) if isinstance(one, Mapping)]


def unanswered(frame: pd.DataFrame) -> pd.DataFrame:
    """The questions about files that got no answer."""
    return frame[~frame["answerable"].astype(bool) & ~frame["meta"].astype(bool)]


def overview(frame: pd.DataFrame) -> pd.DataFrame:
    """How much was asked, answered and refused, how fast, and what the askers said."""
    asked = frame[~frame["meta"].astype(bool)]
    judged = frame["right"].dropna()
    facts: list[tuple[str, float]] = [
        ("conversations", frame["chat"].nunique()),
        ("questions", len(frame)),
        ("about the conversation itself", len(frame) - len(asked)),
        ("answered", int(asked["answerable"].sum())),
        ("not answered", len(unanswered(frame))),
        ("not answered %", 100 * len(unanswered(frame)) / max(1, len(asked))),
        ("questions / conversation", len(frame) / max(1, frame["chat"].nunique())),
        ("words / question", frame["question"].str.split().map(len).mean()),
        ("sources quoted", len({source for sources in frame["sources"] for source in sources})),
        ("median seconds", float(frame["seconds"].median())),
        ("95 % take at most seconds", float(frame["seconds"].quantile(0.95))),
        ("judged", len(judged)),
        (
            "judged right %",
            100 * float(judged.astype(bool).mean()) if len(judged) else float("nan"),
        ),
        ("the language model failed", int(frame["reader_failed"].sum())),
    ]
    return pd.DataFrame(facts, columns=["statistic", "number"]).dropna().reset_index(drop=True)


def asked_types(frame: pd.DataFrame) -> pd.DataFrame:
    """Questions by type with the share of each that was answered."""
    asked = frame[~frame["meta"].astype(bool)]
    groups = asked.groupby("type")["answerable"]
    table = pd.DataFrame(
        {
            "questions": groups.size(),
            "share %": 100 * groups.size() / max(1, len(asked)),
            "answered %": 100 * groups.mean().astype(float),
        }
    )
    return table.sort_values("questions", ascending=False, kind="stable").reset_index()


def by_source(frame: pd.DataFrame) -> pd.DataFrame:
    """The sources that answers quote, with the answers of each and what was said of them."""
    quoted = frame[["sources", "right"]].explode("sources").dropna(subset="sources")
    groups = quoted.groupby("sources")
    total = max(1, int(frame["answerable"].sum()))
    table = pd.DataFrame({"answers": groups.size(), "share %": 100 * groups.size() / total})
    if quoted["right"].notna().any():
        table["judged right %"] = 100 * groups["right"].agg(
            lambda said: said.dropna().astype(bool).mean()
        )
    table.index.name = "source"
    ordered = table.sort_values("answers", ascending=False, kind="stable")
    return ordered.reset_index().head(TOP)


def latency(frame: pd.DataFrame) -> pd.DataFrame:
    """Seconds by stage, where the turns have stages, and in all: median and 95th percentile."""
    columns: dict[str, pd.Series] = {}
    stages = pd.DataFrame(list(frame["stages"]), index=frame.index)
    for stage in stages.columns:
        columns[str(stage)] = stages[stage]
    columns["whole reply"] = frame["seconds"]
    rows = [
        (stage, len(known), known.median(), known.quantile(0.95), known.max())
        for stage, values in columns.items()
        if len(known := values.dropna())
    ]
    return pd.DataFrame(rows, columns=["stage", "replies", "median s", "95 % s", "longest s"])
