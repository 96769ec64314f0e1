"""TopiOCQA (Adlakha et al., 2022): reader scores, leave-one-out, and retriever hits by identity."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NotRequired, TypedDict

from seminar.metrics.measures.overlap import TurnScore, score_humans, score_turn
from seminar.metrics.strictness import fault

CUTOFFS = (1, 3, 5, 10, 20, 30, 50, 100)
MISSED = 1000  # the rank of a passage that wasn't found; a hit at rank 1000 looks the same


class TopiocqaAnswer(TypedDict):
    """A further reference of a turn."""

    Answer: str


class TopiocqaTurn(TypedDict):
    """A turn of the official dataset file."""

    Conversation_no: int
    Turn_no: int
    Answer: str
    Additional_answers: NotRequired[list[TopiocqaAnswer]]


class TopiocqaResult(TypedDict):
    """A turn of a result file.

    The generative reader predicts texts; the extractive one records
    {"top_k": passages read, "prediction": {"text": answer}}.
    """

    conv_id: int | str
    turn_id: int | str
    predictions: list[Any]


class TopiocqaPassage(TypedDict):
    """A passage as the retriever's files hold it."""

    id: NotRequired[str]
    title: str
    text: str


class TopiocqaQuery(TypedDict):
    """A turn of the retriever's data: its gold passages."""

    conv_id: int | str
    turn_id: int | str
    positive_ctxs: list[TopiocqaPassage]


class TopiocqaRanking(TypedDict):
    """A turn of the retriever's results, passages best first."""

    conv_id: int | str
    turn_id: int | str
    ctxs: list[TopiocqaPassage]


class TopiocqaScore(TypedDict):
    """Exact match and F1 in percent, to one decimal, and the number of turns."""

    em: float
    f1: float
    turns: int


Key = tuple[int, int]


def score_reader(
    turns: Iterable[TopiocqaTurn],
    results: Iterable[TopiocqaResult],
    *,
    top_k: int | None = None,
    strict: bool = False,
) -> TopiocqaScore:
    """Exact match and F1 of a reader; a missing answer is wrong.

    `top_k` picks, from an extractive reader's records, the answer read from that many passages.
    """
    references = _references(turns, strict=strict)
    predicted = _answers(results, top_k, strict=strict)

    def score_one(key: Key) -> TurnScore:
        if key not in predicted:
            return TurnScore(exact=0.0, f1=0.0)
        return score_turn(predicted[key], references[key], strict=strict)

    return _average(references, score_one)


def score_human(turns: Iterable[TopiocqaTurn], *, strict: bool = False) -> TopiocqaScore:
    """What the references score against each other."""
    references = _references(turns, strict=strict)
    return _average(references, lambda key: score_humans(references[key], strict=strict))


def score_retriever(
    queries: Sequence[TopiocqaQuery], rankings: Sequence[TopiocqaRanking], *, strict: bool = False
) -> dict[str, float]:
    """Hits@n in percent, to two decimals: how often the first gold passage is among the first n.

    Queries and rankings go together by position.
    """
    if len(queries) != len(rankings):
        message = f"{len(queries)} queries but {len(rankings)} rankings; they go by position"
        raise fault(AssertionError, message, strict=strict)
    ranks = []
    for query, ranking in zip(queries, rankings, strict=True):
        _check_same_turn(query, ranking, strict=strict)
        ranks.append(_rank_of_gold(query, ranking, strict=strict))
    count = max(1, len(ranks))
    return {f"Hits@{n}": round(100 * sum(r <= n for r in ranks) / count, 2) for n in CUTOFFS}


def _check_same_turn(query: TopiocqaQuery, ranking: TopiocqaRanking, *, strict: bool) -> None:
    """Stop where a ranking isn't that of the query at its place."""
    expected, given = (f"{turn['conv_id']}_{turn['turn_id']}" for turn in (query, ranking))
    if expected != given:
        message = f"the ranking of turn '{given}' stands where that of '{expected}' should"
        raise fault(AssertionError, message, strict=strict)


def _rank_of_gold(query: TopiocqaQuery, ranking: TopiocqaRanking, *, strict: bool) -> int:
    """The 1-based rank of the first gold passage, found by equal title and text."""
    if not query["positive_ctxs"]:
        message = f"turn '{query['conv_id']}_{query['turn_id']}' has no gold passage"
        raise fault(IndexError, message, strict=strict)
    gold = query["positive_ctxs"][0]
    for rank, passage in enumerate(ranking["ctxs"], start=1):
        if passage["title"] == gold["title"] and passage["text"] == gold["text"]:
            return rank
    return MISSED


def _references(turns: Iterable[TopiocqaTurn], *, strict: bool) -> dict[Key, list[str]]:
    """The references of each turn, by conversation and turn number."""
    references: dict[Key, list[str]] = {}
    for turn in turns:
        key = (turn["Conversation_no"], turn["Turn_no"])
        if key in references:
            message = f"turn {key[1]} of conversation {key[0]} comes twice"
            raise fault(AssertionError, message, strict=strict)
        if strict and "Additional_answers" not in turn:
            raise KeyError("Additional_answers")
        others = [answer["Answer"] for answer in turn.get("Additional_answers", ())]
        references[key] = [turn["Answer"], *others]
    return references


def _answers(
    results: Iterable[TopiocqaResult], top_k: int | None, *, strict: bool
) -> dict[Key, str]:
    """The answer to each turn; the last wins."""
    predicted: dict[Key, str] = {}
    for result in results:
        key = (_whole(result["conv_id"], strict=strict), _whole(result["turn_id"], strict=strict))
        if not top_k and not result["predictions"]:
            message = f"turn {key[1]} of conversation {key[0]} has an empty list of predictions"
            raise fault(IndexError, message, strict=strict)
        if not top_k:
            predicted[key] = result["predictions"][0]
        for record in result["predictions"] if top_k else ():
            if record["top_k"] == top_k:
                predicted[key] = record["prediction"]["text"]
    return predicted


def _whole(value: int | str, *, strict: bool) -> int:
    """An id as the official program reads it."""
    try:
        return int(value)
    except (TypeError, ValueError) as error:
        message = f"'{value}' is no conversation or turn number"
        raise fault(type(error), message, strict=strict) from error


def _average(
    references: dict[Key, list[str]], score_one: Callable[[Key], TurnScore]
) -> TopiocqaScore:
    """The mean over the turns, in percent to one decimal; no turns is 0."""
    scores = [score_one(key) for key in references]
    count = max(1, len(scores))
    return TopiocqaScore(
        em=round(sum(score.exact for score in scores) / count * 100, 1),
        f1=round(sum(score.f1 for score in scores) / count * 100, 1),
        turns=len(scores),
    )
