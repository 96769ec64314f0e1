"""Trained networks by the role that they play in a grid: which folder, and what is said of it."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from seminar.errors import ConfigurationError, MissingExtraError, unknown
from seminar.io import content_hash

INNER, LOG = "model", "log.jsonl"  # where a run's folder keeps its network, and what it logs
# The papers' smallest network is DistilBERT, of 66 million parameters, and their smallest training
# set PragmatiCQA's, of 4,027 questions: what saw fewer didn't see even that once.
SMALL, FEW = 50_000_000, 4_027
# Networks of which one may bring a Hugging Face checkpoint that is trained already.
PUBLISHED = ("AnsweringNetwork", "BartScorer", "RewritingNetwork", "SpanQa")

Settings = Mapping[str, Any]


@dataclass(frozen=True)
class Trained:
    """A folder that `seminar train` wrote, and what its settings say."""

    folder: Path
    settings: Settings

    @property
    def network(self) -> str:
        return str(self.settings.get("network", "network without a name"))

    @property
    def weights(self) -> Path:
        from seminar.networks.checkpoints import WEIGHTS

        return self.folder / WEIGHTS

    @cached_property
    def fingerprint(self) -> str:
        """Of the weights: a run never goes on with others."""
        return content_hash(self.weights)[:16]

    @cached_property
    def parameters(self) -> int:
        """How many numbers were learnt; a matrix that several parts share counts once."""
        return sum(_sizes(self.weights))

    @cached_property
    def family(self) -> str:
        """What its pretrained part is, as in "bert" or "t5"."""
        file = self.folder / "config.json"
        return str(json.loads(file.read_text(encoding="utf-8")).get("model_type", ""))

    @cached_property
    def examples(self) -> int | None:
        """How many examples it was trained on, where its run's log stands beside it."""
        file = self.folder.parent / LOG
        if not file.is_file():
            return None
        lines = file.read_text(encoding="utf-8").splitlines()
        # A run that was stopped may leave its last line cut short.
        return max(
            (json.loads(line)["examples"] for line in lines if line.endswith("}")), default=0
        )

    @property
    def small(self) -> bool:
        """Whether its size or its training is far below the papers'."""
        return self.parameters < SMALL or (self.examples is not None and self.examples < FEW)

    @property
    def told(self) -> str:
        """The network for people: its class, its folder, its size and how long it was trained."""
        size = f"{self.parameters / 1e6:.1f}M parameters"
        seen = "" if self.examples is None else f", trained on {self.examples:,} examples"
        return f"{self.network} in {self.folder}, {size}{seen}"


@dataclass(frozen=True, slots=True)
class Role:
    """What plays a role: a network's class, its name for `seminar train`, and whether one fits."""

    network: str
    training: str
    fits: Callable[[Trained], bool] = lambda found: True


def trained(folder: Path) -> Trained:
    """The network in a run's folder or in its `model`; another folder is an error that names it."""
    if find_spec("torch") is None:
        raise MissingExtraError("a trained network", "train")
    from seminar.networks.checkpoints import SETTINGS, settings_of

    inner = folder / INNER
    place = inner if (inner / SETTINGS).is_file() else folder
    found = Trained(place, settings_of(place))
    if not found.weights.is_file():
        raise ConfigurationError(f"{place} has settings but no weights: train it to the end")
    return found


def _sizes(file: Path) -> Iterator[int]:
    """The size of each different tensor of a safetensors file: a length, a JSON header, numbers."""
    seen: set[tuple[str, bytes]] = set()
    with file.open("rb") as stream:
        length = int.from_bytes(stream.read(8), "little")
        header = json.loads(stream.read(length))
        for one in (header[name] for name in header if name != "__metadata__"):
            start, end = one["data_offsets"]
            stream.seek(8 + length + start)
            key = (str(one["shape"]), hashlib.blake2b(stream.read(end - start)).digest())
            # Vectors of zeros or ones are alike by chance, tables and matrices only if shared.
            if len(one["shape"]) < 2 or key not in seen:
                seen.add(key)
                yield math.prod(one["shape"])


def assigned(
    pairs: Sequence[tuple[str, Path]],
    folder: Path | None,
    known: Sequence[str],
    *,
    needed: Sequence[str],
) -> dict[str, Trained]:
    """The network of each role: those named, and those of a folder of runs that others need."""
    given = _named(pairs, known)
    if folder is None:
        return given
    return {**_gathered(folder, [role for role in needed if role not in given]), **given}


def _named(pairs: Sequence[tuple[str, Path]], roles: Sequence[str]) -> dict[str, Trained]:
    given: dict[str, Trained] = {}
    for role, folder in pairs:
        if role not in roles:
            raise unknown("role of this grid", role, roles)
        wanted = ROLES[role]
        found = _published(folder, wanted.network) or trained(folder)
        if found.network != wanted.network:
            raise ConfigurationError(
                f"{found.folder} holds a {found.network}; {role} is played by a {wanted.network}"
                + (f", which `seminar train {wanted.training}` makes" if wanted.training else "")
            )
        given[role] = found
    return given


def _published(folder: Path, network: str) -> Trained | None:
    """A checkpoint that others trained for the task, as in QAConv's zero-shot rows."""
    whole = (folder / "config.json").is_file() and (folder / "model.safetensors").is_file()
    if network not in PUBLISHED or not whole or (folder / "settings.json").exists():
        return None
    return Trained(folder, {"network": network, "published": True})


def _gathered(folder: Path, roles: Sequence[str]) -> dict[str, Trained]:
    """The networks below a folder, each in the first of the roles that its settings fit."""
    if not folder.is_dir():
        raise ConfigurationError(f"{folder} is no folder of trained networks")
    given: dict[str, Trained] = {}
    for file in sorted(folder.rglob("settings.json")):
        found = trained(file.parent)
        for role in [one for one in roles if _plays(ROLES[one], found)][:1]:
            if role in given:
                raise ConfigurationError(
                    f"{given[role].folder} and {found.folder} both fit {role}: "
                    f"say which, --network {role}=FOLDER"
                )
            given[role] = found
    return given


def _plays(role: Role, found: Trained) -> bool:
    return found.network == role.network and role.fits(found)


def _set(key: str, value: object) -> Callable[[Trained], bool]:
    return lambda found: found.settings.get(key) == value


def _sized(family: str, least: int, most: int, *, finetuned: bool) -> Callable[[Trained], bool]:
    """A checkpoint's family and its size in millions, and whether it learnt from QAConv."""

    def fits(found: Trained) -> bool:
        size = found.parameters / 1e6
        learnt = found.settings.get("form"), *found.settings.get("data", ())
        own = any(name and name.partition("/")[0] == "qaconv" for name in learnt)
        return found.family == family and least <= size < most and own == finetuned

    return fits


_PROMPTINGS = {
    "ambigprompt": "interleaved",
    "ambigprompt-without-prompting": "learned",
    "ambigprompt-without-interleaving": "separate",
}
# The checkpoints of QAConv's tables: family, and the millions of parameters of such.
_SPAN_QA = {
    "distilbert-base": ("distilbert", 0, 1_000),
    "bert-base": ("bert", 0, 200),
    "bert-large": ("bert", 200, 1_000),
    "roberta-base": ("roberta", 0, 200),
    "roberta-large": ("roberta", 200, 1_000),
}
_TEXT_QA = {
    "t5-base": ("t5", 0, 500),
    "t5-large": ("t5", 500, 2_000),
    "t5-3b": ("t5", 2_000, 6_000),
    "t5-11b": ("t5", 6_000, 20_000),
}

ROLES: dict[str, Role] = {
    "bartscore": Role("BartScorer", ""),
    "dpr-retriever": Role("BiEncoder", "dpr"),
    "dpr-reader": Role("DprReader", "dpr-reader"),
    "fid": Role("FusionInDecoder", "fusion"),
    "rewriter": Role("RewritingNetwork", "rewriting"),
    **{
        role: Role("AmbigPrompt", "ambigprompt", _set("prompting", how))
        for role, how in _PROMPTINGS.items()
    },
    # The same network as the whole one but for its training: it must be named.
    "ambigprompt-without-pretraining": Role("AmbigPrompt", "ambigprompt", lambda found: False),
    **{f"bidaf-{k}": Role("BidafNetwork", "bidaf", _set("contexts", k)) for k in range(4)},
    **{
        role + suffix: Role(network, training, _sized(*sizes, finetuned=bool(suffix)))
        for network, training, checkpoints in (
            ("SpanQa", "span-qa", _SPAN_QA),
            ("AnsweringNetwork", "text-to-text", _TEXT_QA),
        )
        for role, sizes in checkpoints.items()
        for suffix in ("", "-finetuned")
    },
}
