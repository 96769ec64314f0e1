"""A study in QAConv's official form: questions of each split, and the chunks they are about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from seminar.collection.corpus.records import Chunk
from seminar.collection.exports.conversations import Conversation
from seminar.collection.records import Annotation, StudyRecords, WrittenQuestion
from seminar.collection.rules.qaconv import (
    Decision,
    Settlement,
    Verdict,
    decide,
    failed_traps,
    settled_answers,
)

FILES = {"train": "trn.json", "dev": "val.json", "test": "tst.json"}
_PREFIXES = {"train": "trn", "dev": "val", "test": "tst"}
SEGMENTS, CONVERSATIONS = "article_segment.json", "article_full.json"


def split_files(
    records: StudyRecords, splits: Mapping[str, Sequence[Conversation]]
) -> dict[str, object]:
    """The official file of each split, and those of the chunks and whole conversations."""
    chunks = {chunk.id: chunk for chunk in records.corpus.chunks}
    distrusted = untrusted_verifiers(records)
    files: dict[str, object] = {}
    used: set[str] = set()
    for name, dialogs in splits.items():
        questions: list[dict[str, Any]] = []
        for conversation in dialogs:
            answers = gold_answers(conversation, distrusted, is_evaluated=name != "train")
            if answers is not None:
                identity = f"{_PREFIXES[name]}-{len(questions)}"
                questions.append(_question(conversation, chunks, answers) | {"id": identity})
                used.add(chunks[conversation.dialog.subject].source)
        files[FILES[name]] = questions
    return files | _texts([chunk for chunk in chunks.values() if chunk.source in used])


def untrusted_verifiers(records: StudyRecords) -> frozenset[str]:
    """Who did not see that a planted question can't be answered."""
    planted = (one for one in records.annotations if one.trap)
    return failed_traps((one.worker, one.option) for one in planted if one.option)


def gold_answers(
    conversation: Conversation, distrusted: frozenset[str], *, is_evaluated: bool
) -> tuple[str, ...] | None:
    """The answers of a question after verification; None where it is dropped or not settled."""
    written = _written(conversation)
    given = [one for one in conversation.annotations.get(1, ()) if not one.trap]
    verdicts = [Verdict(one.worker, one.option, _text(one)) for one in given if one.option]
    decision: Decision = decide(written.answers, verdicts, distrusted=distrusted)
    if not decision.kept:
        return None
    if not decision.answers or not is_evaluated:
        return decision.answers
    others = [_text(one) for one in given if not one.option][:2]
    if not others:
        return decision.answers
    settled: Settlement = settled_answers(decision.answers[0], *others)
    if settled.needs:
        return None
    return tuple(dict.fromkeys(filter(None, (*settled.answers, *decision.answers[1:]))))


def _question(
    conversation: Conversation, chunks: Mapping[str, Chunk], answers: tuple[str, ...]
) -> dict[str, Any]:
    written = _written(conversation)
    chunk = chunks[conversation.dialog.subject]
    return {
        "id": "",
        "article_segment_id": chunk.id,
        "article_full_id": [chunk.source],
        "QG": written.chosen is not None,
        "question": written.question,
        "answers": list(answers),
    }


def _texts(chunks: Sequence[Chunk]) -> dict[str, object]:
    """The chunks, and the conversations that they are parts of, message by message."""
    whole: defaultdict[str, list[dict[str, str]]] = defaultdict(list)
    segments = {}
    for chunk in chunks:
        own = whole[chunk.source]
        messages = [
            {"id": f"{chunk.source}-{number}", "speaker": line.speaker, "text": line.text}
            for number, line in enumerate(chunk.lines, start=len(own))
        ]
        own += messages
        segments[chunk.id] = {"seg_dialog": messages}
    return {SEGMENTS: segments, CONVERSATIONS: dict(whole)}


def _written(conversation: Conversation) -> WrittenQuestion:
    answer = conversation.turns[0].answer
    if not isinstance(answer, WrittenQuestion):
        raise TypeError(f"a turn of QAConv has no {type(answer).__name__}")
    return answer


def _text(annotation: Annotation) -> str:
    answer = annotation.answer
    return answer.answers[0] if isinstance(answer, WrittenQuestion) and answer.answers else ""
