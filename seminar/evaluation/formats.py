"""The official prediction formats: which ids a file answers, and whether its values can be read."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeGuard

from seminar.errors import ScoringError
from seminar.evaluation.files import Json

Entry = tuple[str, Json]


class MisshapenError(ScoringError):
    """A file that isn't of the expected form at all."""


@dataclass(frozen=True, slots=True)
class PredictionFormat:
    """A form of predictions: its name, its entries by id, and what each entry must be.

    A file is `complete` if it answers every question once; rankings and runs need not be.
    """

    title: str
    entries: Callable[[Json], Iterator[Entry]]
    fits: Callable[[Json], bool]
    expected: str
    complete: bool = True


def is_text(value: Json) -> TypeGuard[str]:
    return isinstance(value, str)


def is_texts(value: Json) -> bool:
    return isinstance(value, list) and all(map(is_text, value))


def is_number(value: Json) -> bool:
    """Whether a value is a number to rank by, which NaN and infinity are not."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and abs(value) <= sys.float_info.max


def is_scores(value: Json) -> bool:
    return isinstance(value, dict) and all(map(is_number, value.values()))


def is_one_text_or_more(value: Json) -> bool:
    return is_texts(value) and bool(value)


def is_answers(value: Json) -> bool:
    return is_text(value) or is_texts(value)


def is_pairs(value: Json) -> bool:
    """Whether a value is a list of questions with their answers."""
    return isinstance(value, list) and all(_has(one, ("question", "answer")) for one in value)


def is_spans(value: Json) -> bool:
    return _has(value, ("literal", "pragmatic"), list) and all(map(is_texts, value.values()))


def is_contexts(value: Json) -> bool:
    return isinstance(value, list) and all(_has(one, ("title", "text")) for one in value)


def is_quac_answer(value: Json) -> bool:
    return isinstance(value, tuple) and all(map(is_text, value))


def _has(value: Json, keys: tuple[str, ...], kind: type = str) -> bool:
    return isinstance(value, dict) and all(isinstance(value.get(key), kind) for key in keys)


def mapping_entries(parsed: Json) -> Iterator[Entry]:
    """{id: value}."""
    if not isinstance(parsed, dict):
        raise MisshapenError(f"expected one JSON object of ids, found {_kind(parsed)}")
    yield from parsed.items()


def quac_entries(parsed: Json) -> Iterator[Entry]:
    """Lines of parallel lists; a lone line reads as one object."""
    columns = ("qid", "best_span_str", "yesno", "followup")
    for number, line in enumerate([parsed] if isinstance(parsed, dict) else _list(parsed), 1):
        if not _has(line, columns, list):
            raise MisshapenError(f"line {number}: expected lists under {', '.join(columns)}")
        if len({len(line[column]) for column in columns}) > 1:
            lengths = ", ".join(f"{len(line[column])} {column}" for column in columns)
            raise MisshapenError(f"line {number}: its lists are of unlike length ({lengths})")
        for key, *said in zip(*(line[column] for column in columns), strict=True):
            yield str(key), tuple(said)


def keyed_entries(keys: tuple[str, ...], value: str, join: str) -> Callable[..., Iterator[Entry]]:
    """[{key: ..., value: ...}], its ids joined of the keys."""

    def entries(parsed: Json) -> Iterator[Entry]:
        alone = isinstance(parsed, dict) and {*keys, value} <= parsed.keys()
        for number, one in enumerate([parsed] if alone else _list(parsed)):
            if not isinstance(one, dict) or not {*keys, value} <= one.keys():
                raise MisshapenError(f"[{number}]: expected {', '.join((*keys, value))}")
            yield join.join(str(one[key]) for key in keys), one[value]

    return entries


def listed_entries(parsed: Json) -> Iterator[Entry]:
    """[value], its ids being the places from 1."""
    for number, one in enumerate(_list(parsed), start=1):
        yield str(number), one


def _list(parsed: Json) -> list[Json]:
    if not isinstance(parsed, list):
        raise MisshapenError(f"expected a list, found {_kind(parsed)}")
    return parsed


def _kind(value: Json) -> str:
    names: dict[type, str] = {dict: "an object", list: "a list", str: "text"}
    return names.get(type(value), f"a {type(value).__name__}")


_TURN = ("conv_id", "turn_id")
_QRECC = ("Conversation-ID", "Turn-ID")
_SQUAD = PredictionFormat("SQuAD", mapping_entries, is_text, "the text of an answer")

# In the order in which a file of unknown form is compared with them.
PREDICTIONS: Mapping[str, PredictionFormat] = {
    "quac": PredictionFormat(
        "QuAC", quac_entries, is_quac_answer, "texts under best_span_str, yesno and followup"
    ),
    "coqa": PredictionFormat(
        "CoQA", keyed_entries(("id", "turn_id"), "answer", "#"), is_text, "a text under answer"
    ),
    "topiocqa-reader": PredictionFormat(
        "TopiOCQA",
        keyed_entries(_TURN, "predictions", "_"),
        is_one_text_or_more,
        "a list of texts, one or more, under predictions",
    ),
    "topiocqa-retriever": PredictionFormat(
        "TopiOCQA retrieval",
        keyed_entries(_TURN, "ctxs", "_"),
        is_contexts,
        "passages with title and text under ctxs",
    ),
    "qrecc-retrieval": PredictionFormat(
        "QReCC retrieval",
        keyed_entries(_QRECC, "content", "_"),
        is_text,
        "a text under content",
        complete=False,
    ),
    "nq-open": PredictionFormat(
        "NQ-open",
        keyed_entries(("question",), "prediction", ""),
        is_text,
        "a text under prediction",
    ),
    "pragmaticqa": PredictionFormat(
        "PragmatiCQA", mapping_entries, is_spans, "lists of texts under literal and pragmatic"
    ),
    "ambigqa-questions": PredictionFormat(
        "AmbigQA questions", mapping_entries, is_pairs, "a list of pairs of question and answer"
    ),
    "ambigqa": PredictionFormat(
        "AmbigQA", mapping_entries, is_answers, "a list of answers, or one text"
    ),
    "trec": PredictionFormat(
        "TREC", mapping_entries, is_scores, "finite numbers by document", complete=False
    ),
    "qaconv-recall": PredictionFormat(
        "QAConv ranking", mapping_entries, is_scores, "finite numbers by segment"
    ),
    "squad-v1": _SQUAD,
    "squad-v2": _SQUAD,
    "qaconv": PredictionFormat("QAConv", mapping_entries, is_text, "the text of an answer"),
    "qrecc-rewrites": PredictionFormat("QReCC rewrites", listed_entries, is_text, "a text"),
}


def looks_like(parsed: Json) -> str:
    """The title of the first format that the first entry of a file fits, or nothing.

    >>> looks_like([{"id": "story", "turn_id": 1, "answer": "yes"}])
    'CoQA'
    """
    for form in PREDICTIONS.values():
        try:
            first = next(form.entries(parsed), None)
        except MisshapenError:
            continue
        if first is not None and form.fits(first[1]) and not _only_texts(form, first[1], parsed):
            return form.title
    return ""


def _only_texts(form: PredictionFormat, value: Json, parsed: Json) -> bool:
    """Whether AmbigQA's lone answers would claim what is rather SQuAD's form."""
    return form.title == "AmbigQA" and is_text(value) and isinstance(parsed, dict)
