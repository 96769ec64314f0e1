"""A training run from its TOML file: which network, which data, how long."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from seminar.errors import ConfigurationError, unknown
from seminar.settings import fits_default
from seminar.training.loop.config import LoopConfig

if TYPE_CHECKING:
    from seminar.training.loop.run import Run

Config = TypeVar("Config")

# Each network's module, its configuration there, and what makes its task:
# `(config, *, cache: Path, seed: int) -> Task`. Imported when trained, so that a list is cheap.
NETWORKS = {
    "ambigprompt": "seminar.training.papers.ambigprompt.task:AmbigPromptConfig:ambigprompt_task",
    "bidaf": "seminar.training.papers.bidaf.task:BidafConfig:bidaf_task",
    "dpr": "seminar.training.papers.dpr.bi_encoder:BiEncoderConfig:bi_encoder_task",
    "dpr-reader": "seminar.training.papers.dpr.reader:DprReaderConfig:dpr_reader_task",
    "encoder": "seminar.training.question_encoder.task:EncoderConfig:encoder_task",
    "fusion": "seminar.training.papers.fusion.task:FusionConfig:fusion_task",
    "reader": "seminar.training.reader.task:ReaderConfig:reader_task",
    "rewriter": "seminar.training.rewriter.task:RewriterConfig:rewriter_task",
    "rewriting": "seminar.training.papers.seq2seq.rewriting:RewritingConfig:rewriting_task",
    "span-qa": "seminar.training.papers.span_qa:SpanQaConfig:span_qa_task",
    "text-to-text": "seminar.training.papers.seq2seq.answering:TextToTextConfig:text_to_text_task",
}

MODEL = "model"  # the folder of the trained network, inside the run's


def parts_of(network: str) -> tuple[type[Any], Callable[..., Any]]:
    """A network's configuration class and its task maker."""
    if network not in NETWORKS:
        raise unknown("network", network, NETWORKS)
    module, config, task = NETWORKS[network].split(":")
    found = import_module(module)
    return getattr(found, config), getattr(found, task)


def train(
    network: str,
    config: Path,
    out: Path,
    *,
    resume: Path | None,
    decay: int | None,
    cache: Path,
) -> list[Path]:
    """Train a network in a folder, from the start or from a checkpoint: what it has written."""
    from seminar.analysis.training_curves import plot
    from seminar.training.loop.progress import progress_of
    from seminar.training.loop.run import LAST, LOG

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
    with progress_of(run) as watch:
        run.train(watch)
    if run.hardware.rank == 0:
        plot(out / LOG)
    run.export(out / MODEL)
    return [path for path in (out / LAST, out / MODEL) if path.exists()]


def start(network: str, config: Path, out: Path, cache: Path) -> Run[Any]:
    """A run at its beginning."""
    from seminar.training.loop.hardware import first_process_first
    from seminar.training.loop.run import Run

    kind, make = parts_of(network)
    tables = read_tables(config, network)
    loop = filled(LoopConfig, tables.get("loop", {}), config)
    own = filled(kind, tables.get(network, {}), config)
    with first_process_first():
        task = make(own, cache=cache, seed=loop.seed)
    return Run(task, loop, out)


def read_tables(path: Path, network: str) -> dict[str, dict[str, object]]:
    """The [loop] table of a TOML file and the network's own; another table is an error."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{path} can't be read as TOML: {error}") from error
    for name, table in tables.items():
        if name not in ("loop", network):
            raise unknown(f"table in {path}", name, ["loop", network])
        if not isinstance(table, dict):
            raise ConfigurationError(f"{path}: '{name}' is {table!r}; expected a table [{name}]")
    return tables


def filled(kind: type[Config], values: Mapping[str, object], path: Path) -> Config:
    """A configuration with these values and its defaults; an unknown key is an error."""
    known = {field.name: field.default for field in fields(kind)}  # type: ignore[arg-type]
    made: dict[str, Any] = {}
    for name, value in values.items():
        if name not in known:
            raise unknown(f"key in {path}", name, known)
        made[name] = _frozen(value)
        if not fits_default(made[name], known[name]):
            raise ConfigurationError(
                f"{path}: '{name}' is {value!r}; expected something like {known[name]!r}"
            )
    try:
        return kind(**made)
    except ConfigurationError as error:
        raise ConfigurationError(f"{path}: {error}") from error


def _frozen(value: object) -> object:
    return tuple(_frozen(one) for one in value) if isinstance(value, list) else value
