"""The roles that trained networks play in a grid, and the folder that fills each."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from seminar.errors import ConfigurationError, MissingExtraError, unknown
from seminar.io import content_hash

INNER, LOG = "model", "log.jsonl"  # the network and the log in a run's folder
# The papers' smallest network is DistilBERT, of 66 million parameters, and their smallest training
# set PragmatiCQA's, of 4,027 questions: fewer examples are less than one epoch of it.
SMALL, FEW = 50_000_000, 4_027
# Networks that can also be a Hugging Face checkpoint which others trained.
PUBLISHED = ("AnsweringNetwork", "BartScorer", "RewritingNetwork", "SpanQa")

Settings = Mapping[str, Any]


@dataclass(frozen=True)
class Trained:
    """The folder of a trained network, and its settings."""

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
        """A fingerprint of the weights: a run is never resumed with others."""
        return content_hash(self.weights)[:16]

    @cached_property
    def parameters(self) -> int:
        """The number of parameters; a matrix that several parts share counts once."""
        from seminar.networks.checkpoints import parameter_count

        return parameter_count(self.weights)

    @cached_property
    def family(self) -> str:
        """The family of its pretrained part, as in "bert" or "t5"."""
        file = self.folder / "config.json"
        return str(json.loads(file.read_text(encoding="utf-8")).get("model_type", ""))

    @cached_property
    def examples(self) -> int | None:
        """The number of examples it was trained on, where its run's log is there."""
        file = self.folder.parent / LOG
        if not file.is_file():
            return None
        lines = file.read_text(encoding="utf-8").splitlines()
        # The last line of a stopped run may be cut short.
        return max(
            (json.loads(line)["examples"] for line in lines if line.endswith("}")), default=0
        )

    @property
    def small(self) -> bool:
        """Whether its size or its training is far below the papers'."""
        return self.parameters < SMALL or (self.examples is not None and self.examples < FEW)

    @property
    def description(self) -> str:
        """Its class, folder, size and number of training examples, as the notes give them."""
        size = f"{self.parameters / 1e6:.1f}M parameters"
        examples = "" if self.examples is None else f", trained on {self.examples:,} examples"
        return f"{self.network} in {self.folder}, {size}{examples}"


@dataclass(frozen=True, slots=True)
class Role:
    """A network's class, its name for `seminar train`, and whether a trained one fits."""

    network: str
    training: str
    fits: Callable[[Trained], bool] = lambda network: True


def open_trained(folder: Path) -> Trained:
    """The network in a run's folder or in its `model`; another folder is an error."""
    if find_spec("torch") is None:
        raise MissingExtraError("a trained network", "train")
    from seminar.networks.checkpoints import SETTINGS, settings_of

    inner = folder / INNER
    own = inner if (inner / SETTINGS).is_file() else folder
    network = Trained(own, settings_of(own))
    if not network.weights.is_file():
        raise ConfigurationError(f"{own} has settings but no weights: train it to the end")
    return network


def assign(
    pairs: Sequence[tuple[str, Path]],
    folder: Path | None,
    known: Sequence[str],
    *,
    needed: Sequence[str],
) -> dict[str, Trained]:
    """The network of each role: those named, and of a folder of runs those for other roles."""
    given = _named(pairs, known)
    if folder is None:
        return given
    return {**_in_folder(folder, [role for role in needed if role not in given]), **given}


def _named(pairs: Sequence[tuple[str, Path]], roles: Sequence[str]) -> dict[str, Trained]:
    given: dict[str, Trained] = {}
    for role, folder in pairs:
        if role not in roles:
            raise unknown("role of this grid", role, roles)
        expected = ROLES[role]
        network = _published(folder, expected.network) or open_trained(folder)
        if network.network != expected.network:
            made_by = f", which `seminar train {expected.training}` makes"
            raise ConfigurationError(
                f"{network.folder} holds a {network.network}; "
                f"{role} is played by a {expected.network}{made_by if expected.training else ''}"
            )
        given[role] = network
    return given


def _published(folder: Path, network: str) -> Trained | None:
    """A checkpoint that others trained for the task, as in QAConv's zero-shot rows."""
    whole = (folder / "config.json").is_file() and (folder / "model.safetensors").is_file()
    if network not in PUBLISHED or not whole or (folder / "settings.json").exists():
        return None
    return Trained(folder, {"network": network, "published": True})


def _in_folder(folder: Path, roles: Sequence[str]) -> dict[str, Trained]:
    """The networks below a folder, each in the first of the roles that its settings fit."""
    if not folder.is_dir():
        raise ConfigurationError(f"{folder} is no folder of trained networks")
    given: dict[str, Trained] = {}
    for file in sorted(folder.rglob("settings.json")):
        network = open_trained(file.parent)
        role = next((name for name in roles if _plays(ROLES[name], network)), "")
        if role in given:
            raise ConfigurationError(
                f"{given[role].folder} and {network.folder} both fit {role}: "
                f"say which, --network {role}=FOLDER"
            )
        if role:
            given[role] = network
    return given


def _plays(role: Role, network: Trained) -> bool:
    return network.network == role.network and role.fits(network)


def _has(key: str, value: object) -> Callable[[Trained], bool]:
    return lambda network: network.settings.get(key) == value


def _sized(family: str, least: int, most: int, *, finetuned: bool) -> Callable[[Trained], bool]:
    """A checkpoint's family and its size in millions, and whether it was trained on QAConv."""

    def fits(network: Trained) -> bool:
        size = network.parameters / 1e6
        data = network.settings.get("form"), *network.settings.get("data", ())
        own = any(name and name.partition("/")[0] == "qaconv" for name in data)
        return network.family == family and least <= size < most and own == finetuned

    return fits


_PROMPTINGS = {
    "ambigprompt": "interleaved",
    "ambigprompt-without-prompting": "learned",
    "ambigprompt-without-interleaving": "separate",
}
# The checkpoints of QAConv's tables: family, and the range of their size in millions.
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
        role: Role("AmbigPrompt", "ambigprompt", _has("prompting", how))
        for role, how in _PROMPTINGS.items()
    },
    # Its settings equal the full network's: it must be named.
    "ambigprompt-without-pretraining": Role("AmbigPrompt", "ambigprompt", lambda network: False),
    **{f"bidaf-{k}": Role("BidafNetwork", "bidaf", _has("contexts", k)) for k in range(4)},
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
