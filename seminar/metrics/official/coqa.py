"""CoQA (Reddy et al., 2019): exact match and F1 by domain, leave-one-out over the references."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypedDict

from seminar.metrics.measures.overlap import TurnScore, score_humans, score_turn
from seminar.metrics.strictness import fault

IN_DOMAIN = {
    "mctest": "children_stories",
    "gutenberg": "literature",
    "race": "mid-high_school",
    "cnn": "news",
    "wikipedia": "wikipedia",
}
OUT_OF_DOMAIN = {"reddit": "reddit", "science": "science"}
SOURCES = IN_DOMAIN | OUT_OF_DOMAIN


class CoqaTurn(TypedDict):
    """One question or answer of a story in the official file."""

    turn_id: int
    input_text: str


class CoqaStory(TypedDict):
    """A story in the official file's `data`."""

    id: str
    source: str
    questions: list[CoqaTurn]
    answers: list[CoqaTurn]
    additional_answers: dict[str, list[CoqaTurn]]


class CoqaPrediction(TypedDict):
    """An answer in the official prediction file."""

    id: str
    turn_id: int
    answer: str


class CoqaScore(TypedDict):
    """Exact match and F1 in percent, to one decimal, and the number of turns."""

    em: float
    f1: float
    turns: int


Key = tuple[str, int]
Sums = tuple[float, float, int]  # exact match, F1, turns


def references_of(story: CoqaStory) -> Iterator[tuple[Key, list[str]]]:
    """Each turn's key (story id, turn id) and its references, the story's own first."""
    annotators = [story["answers"], *story["additional_answers"].values()]
    for place, question in enumerate(story["questions"]):
        references = [answers[place]["input_text"] for answers in annotators]
        yield (story["id"], question["turn_id"]), references


def score(
    stories: Iterable[CoqaStory], predictions: Iterable[CoqaPrediction], *, strict: bool = False
) -> dict[str, CoqaScore]:
    """Exact match and F1 by domain, in and out of domain, overall; a missing answer is wrong."""
    predicted = {(answer["id"], answer["turn_id"]): answer["answer"] for answer in predictions}

    def score_one(key: Key, references: list[str]) -> TurnScore:
        if key not in predicted:
            return TurnScore(exact=0.0, f1=0.0)
        return score_turn(predicted[key], references, strict=strict)

    return _score_by_domain(stories, score_one, strict=strict)


def score_human(stories: Iterable[CoqaStory], *, strict: bool = False) -> dict[str, CoqaScore]:
    """What the references score against each other, by domain."""
    return _score_by_domain(
        stories, lambda _, references: score_humans(references, strict=strict), strict=strict
    )


def _score_by_domain(
    stories: Iterable[CoqaStory],
    score_one: Callable[[Key, list[str]], TurnScore],
    *,
    strict: bool,
) -> dict[str, CoqaScore]:
    """Sums by source, then the averages; a turn that comes twice counts once, the last time."""
    sources: dict[str, str] = {}
    turns: dict[Key, list[str]] = {}
    for story in stories:
        sources[story["id"]] = story["source"]
        turns |= dict(references_of(story))
    sums: dict[str, Sums] = dict.fromkeys(SOURCES, (0.0, 0.0, 0))
    for key, references in turns.items():
        turn = score_one(key, references)
        source = sources[key[0]]
        if source not in sums:
            message = f"unknown source '{source}' of story '{key[0]}'. Known: {', '.join(SOURCES)}"
            raise fault(KeyError, message, strict=strict)
        exact, f1, count = sums[source]
        sums[source] = (exact + turn.exact, f1 + turn.f1, count + 1)
    return _report(sums)


def _report(sums: dict[str, Sums]) -> dict[str, CoqaScore]:
    """The averages of each domain, of both groups of domains, and of everything."""
    inside = _add(sums[source] for source in IN_DOMAIN)
    outside = _add(sums[source] for source in OUT_OF_DOMAIN)
    return {
        **{domain: _average(sums[source]) for source, domain in SOURCES.items()},
        "in_domain": _average(inside),
        "out_domain": _average(outside),
        "overall": _average(_add((inside, outside))),
    }


def _add(parts: Iterable[Sums]) -> Sums:
    """Some sums together."""
    exact, f1, turns = 0.0, 0.0, 0
    for part in parts:
        exact, f1, turns = exact + part[0], f1 + part[1], turns + part[2]
    return exact, f1, turns


def _average(sums: Sums) -> CoqaScore:
    """Percentages to one decimal; no turns is 0."""
    exact, f1, turns = sums
    count = max(1, turns)
    return CoqaScore(em=round(exact / count * 100, 1), f1=round(f1 / count * 100, 1), turns=turns)
