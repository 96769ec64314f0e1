"""`seminar evaluate feedback`: turns that people judged, asked again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from seminar.assembly import open_files
from seminar.errors import ConfigurationError, MissingExtraError, SeminarError
from seminar.evaluation.feedback import (
    FEEDBACK_FORMATS,
    JudgedTurn,
    Judgement,
    judge_again,
    read_export,
)
from seminar.index_url import Place
from seminar.settings import Settings, home

FEEDBACK = "feedback"  # the word in the place of a dataset


def evaluate_feedback(
    judged: Path | None, files: Sequence[Path], settings: Settings, *, style: str
) -> str:
    """The table of the judged turns of a service's folder, or of an exported dialogue."""
    place = judged or home() / "service"
    by_files = _by_files(place, files)
    judgements: list[Judgement] = []
    for paths, turns in by_files:
        judgements += judge_again(turns, open_files(paths, settings))
    if not judgements:
        raise SeminarError(f"{place}: nobody has judged a turn yet")
    return FEEDBACK_FORMATS[style](judgements)


def _by_files(place: Path, files: Sequence[Path]) -> list[tuple[Sequence[Place], list[JudgedTurn]]]:
    if place.is_file():
        if not files:
            raise ConfigurationError(f"name the files that {place} asks: --files PATH")
        return [(files, read_export(place))]
    if files:
        raise ConfigurationError("--files is for an exported dialogue: a service has its own files")
    try:
        from seminar.serving.dialogues.judged import judged_by_index
    except ModuleNotFoundError:
        raise MissingExtraError("reading a service's folder", "serve") from None
    return [([index], turns) for index, turns in judged_by_index(place).items()]
