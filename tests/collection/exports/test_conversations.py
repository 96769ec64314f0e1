from dataclasses import replace

import pytest

from seminar.collection.exports.conversations import conversations
from tests.collection.small_studies import dialog, minutes, quac_study

KEPT = dialog("q1", "quac", "ann.html#1")


@pytest.mark.parametrize(
    "changes",
    [
        {"kept": False},
        {"state": "live"},
        {"practice": True},
        {"review": "rejected"},
        {"task": "validation"},
    ],
)
def test_only_kept_dialogs_are_exported(changes: dict[str, object]):
    assert len(conversations(quac_study(KEPT))) == 1
    assert conversations(quac_study(replace(KEPT, **changes))) == []


def test_annotation_that_was_rejected_is_left_out():
    records = quac_study(KEPT)
    task = replace(KEPT, id=records.annotations[0].task, task="validation", review="rejected")
    [found] = conversations(replace(records, dialogs=(*records.dialogs, task)))
    assert [one.worker for one in found.annotations[1]] == ["w1", "w2", "w3"]


def test_turns_and_annotations_are_in_order():
    records = quac_study(replace(KEPT, id="late", began=minutes(1)), KEPT)
    mixed = replace(records, turns=records.turns[::-1], annotations=records.annotations[::-1])
    first, second = conversations(mixed)
    assert (first.dialog.id, second.dialog.id) == ("q1", "late")
    assert [turn.number for turn in first.turns] == [1, 2, 3]
    assert [one.worker for one in first.annotations[1]] == ["w0", "w1", "w2", "w3"]
    assert first.is_annotated


def test_a_dialog_without_turns_is_none():
    assert conversations(replace(quac_study(KEPT), turns=())) == []
