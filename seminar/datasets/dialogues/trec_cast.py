"""TREC CAsT 2019 to 2022: conversational search topics with rewrites and judgements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from seminar.datasets.files import Split, read_json, read_lines, read_rows
from seminar.datasets.records import Record
from seminar.errors import DatasetError
from seminar.examples import Evidence, Example, Gold

TITLE = "TREC CAsT"
SIGNATURE = ("turn", "raw_utterance")
Relevance = dict[str, tuple[tuple[str, int], ...]]
RESULT_IDS = ("manual_canonical_result_id", "canonical_result_id")


def read(path: Path, judgements: str = "", rewrites: str = "") -> Iterator[Example]:
    """Every turn of a topics file; judgements and rewrites are files beside it, if they are there.

    The answers in the history are the canonical passages where the year gives their text (2021).
    """
    relevance = _relevance(path.parent / judgements) if judgements else {}
    written = _rewrites(path.parent / rewrites) if rewrites else {}
    for topic in read_json(path).items():
        history: tuple[tuple[str, str], ...] = ()
        for turn in topic.items("turn"):
            number = turn.integer("number")
            name = f"{topic.name('number')}_{number}"
            rewrite = turn.text_or_empty("manual_rewritten_utterance") or written.get(name, "")
            yield Example(
                id=name,
                dialogue_id=topic.name("number"),
                question=turn.text("raw_utterance"),
                gold=Gold(
                    rewrites=(rewrite,) if rewrite else (),
                    evidence=_evidence(turn),
                    relevance=relevance.get(name, ()),
                ),
                history=history,
                title=topic.text_or_empty("title"),
                turn=number,
            )
            history = (*history, (turn.text("raw_utterance"), turn.text_or_empty("passage")))


def _evidence(turn: Record) -> tuple[Evidence, ...]:
    source = next((turn.text(key) for key in RESULT_IDS if turn.has(key)), "")
    if turn.has("passage_id"):
        source = f"{source}-{turn.name('passage_id')}"
    return (Evidence(turn.text_or_empty("passage"), source),) if source else ()


def _relevance(path: Path) -> Relevance:
    """Grades of passages by turn, from lines 'turn, iteration, passage, grade'."""
    grades: dict[str, list[tuple[str, int]]] = defaultdict(list)
    if not path.is_file():
        return {}
    for number, line in read_lines(path):
        columns = line.split()
        if len(columns) != 4 or not columns[3].lstrip("-").isdecimal():
            raise DatasetError(f"{path.name}:{number}: expected 'turn 0 passage grade': {line!r}")
        grades[columns[0]].append((columns[2], int(columns[3])))
    return {turn: tuple(graded) for turn, graded in grades.items()}


def _rewrites(path: Path) -> dict[str, str]:
    return {row[0]: row[1] for _, row in read_rows(path, 2)} if path.is_file() else {}


def read_tree(path: Path) -> Iterator[Example]:
    """Every question of a 2022 topics file, where a conversation may branch.

    The gold answers are the responses that follow the question, with their passages.
    """
    for topic in read_json(path).items():
        turns = {turn.text("number"): turn for turn in topic.items("turn")}
        for number, turn in turns.items():
            if turn.text("participant") != "User":
                continue
            history = _before(turn, turns)
            yield Example(
                id=f"{topic.name('number')}_{number}",
                dialogue_id=topic.name("number"),
                question=turn.text("utterance"),
                gold=_tree_gold(turn, turns),
                history=history,
                turn=len(history) + 1,
            )


def _before(turn: Record, turns: dict[str, Record]) -> tuple[tuple[str, str], ...]:
    """Questions and responses on the way from the root to this turn."""
    exchanges: list[tuple[str, str]] = []
    while turn.has("parent"):
        response = _parent(turn, turns)
        turn = _parent(response, turns)
        exchanges.append((turn.text("utterance"), response.text("response")))
    return tuple(reversed(exchanges))


def _parent(turn: Record, turns: dict[str, Record]) -> Record:
    name = turn.text("parent")
    if name not in turns:
        raise turn["parent"].expected("the number of another turn")
    return turns[name]


def _tree_gold(turn: Record, turns: dict[str, Record]) -> Gold:
    number = turn.text("number")
    replies = [turn for turn in turns.values() if turn.text_or_empty("parent") == number]
    answers = [reply for reply in replies if reply.has("response")]
    sources = dict.fromkeys(source for answer in answers for source in answer.texts("provenance"))
    rewrite = turn.text_or_empty("manual_rewritten_utterance")
    return Gold(
        answers=tuple(answer.text("response") for answer in answers),
        rewrites=(rewrite,) if rewrite else (),
        evidence=tuple(Evidence(source=source) for source in sources),
    )


SPLITS = {
    "2019-train": Split(
        ("2019/data/training/train_topics_v1.0.json",),
        partial(
            read,
            judgements="train_topics_mod.qrel",
            rewrites="train_topic_sample_annotated_resolved_v1.0.tsv",
        ),
    ),
    "2019": Split(
        ("2019/data/evaluation/evaluation_topics_v1.0.json",),
        partial(
            read,
            judgements="../2019qrels.txt",
            rewrites="evaluation_topics_annotated_resolved_v1.0.tsv",
        ),
    ),
    "2020": Split(
        ("2020/2020_manual_evaluation_topics_v1.0.json",),
        partial(read, judgements="2020qrels.txt"),
    ),
    "2021": Split(
        ("2021/2021_manual_evaluation_topics_v1.0.json",),
        partial(read, judgements="trec-cast-qrels-docs.2021.qrel"),
    ),
    "2022": Split(("2022/2022_evaluation_topics_tree_v1.0.json",), read_tree),
}
