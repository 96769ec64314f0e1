"""Statistics of a split as the papers report them: dialogs, answers, topics and spans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from seminar.datasets.dialogues.pragmaticqa import page_failed
from seminar.examples import Evidence, Example
from seminar.types import Switch

Summary = dict[str, float]


def summarise(examples: Sequence[Example]) -> Summary:
    """Counts and means of a split, without those that its dataset doesn't support."""
    dialogs = len({example.dialogue_id for example in examples})
    summary: Summary = {"questions": len(examples), "dialogs": dialogs}
    if not examples:
        return summary
    answerable = [
        example for example in examples if example.gold.answerable and example.gold.answers
    ]
    summary |= {
        "questions per dialog": len(examples) / dialogs,
        "words per question": _mean(len(example.question.split()) for example in examples),
        "unanswerable %": 100 * _mean(not example.gold.answerable for example in examples),
    }
    if answerable:
        summary |= {
            "words per answer": _mean(
                len(example.gold.answers[0].split()) for example in answerable
            ),
            "references per question": _mean(len(example.gold.answers) for example in examples),
        }
    if any(example.context for example in examples):
        summary["words per context"] = _mean(len(example.context.split()) for example in examples)
    for part, has in PARTS:
        if any(map(has, examples)):
            summary |= part(examples)
    return summary


def topics(examples: Sequence[Example]) -> Summary:
    """Topics of a dialog and how often a turn switches (TopiOCQA, section 4)."""
    counts: list[int] = []
    switches: Counter[Switch] = Counter()
    for _, dialog in groupby(examples, key=lambda example: example.dialogue_id):
        labels = [example.gold.topic for example in dialog if example.gold.topic]
        counts.append(len(set(labels)))
        switches.update(_switches(labels))
    total = max(1, switches.total())
    return {
        "topics per dialog": _mean(counts),
        "switch to a new topic %": 100 * switches["switch-to-new"] / total,
        "switch to an old topic %": 100 * switches["switch-to-old"] / total,
    }


def _switches(topics: Sequence[str]) -> Iterable[Switch]:
    """The kind of each step from a turn's topic to the next; turns without a topic are skipped."""
    for place in range(1, len(topics)):
        if topics[place] == topics[place - 1]:
            yield "no-switch"
        else:
            yield "switch-to-old" if topics[place] in topics[:place] else "switch-to-new"


def spans(examples: Sequence[Example]) -> Summary:
    """Literal and pragmatic spans (PragmatiCQA, table 2), and replies that are no spans."""
    fixed = {"Yes", "No", "I don't know"}
    replies = [{span.text for span in example.gold.literal} & fixed for example in examples]
    return {
        "words of literal spans": _mean(_words(example.gold.literal) for example in examples),
        "words of pragmatic spans": _mean(_words(example.gold.pragmatic) for example in examples),
        "literal spans per question": _mean(len(example.gold.literal) for example in examples),
        "pragmatic spans per question": _mean(len(example.gold.pragmatic) for example in examples),
        "yes, no or don't know %": 100 * _mean(bool(reply) for reply in replies),
        "page failed to load": sum(map(page_failed, examples)),
        "communities": len({example.sources for example in examples}),
    }


def _words(evidence: Iterable[Evidence]) -> int:
    return sum(len(span.text.split()) for span in evidence)


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / max(1, len(listed))


# Further statistics, and whether an example has what they count.
PARTS: tuple[tuple[Callable[[Sequence[Example]], Summary], Callable[[Example], bool]], ...] = (
    (topics, lambda example: bool(example.gold.topic) and not example.gold.literal),
    (spans, lambda example: bool(example.gold.literal)),
)
