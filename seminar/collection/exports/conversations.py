"""The dialogs of a study that are exported, each with its turns and further annotations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from seminar.collection.records import Annotation, Dialog, StudyRecords, Turn


@dataclass(frozen=True, slots=True)
class Conversation:
    """A kept dialog; `annotations` are by the number of their turn, in the order of time."""

    dialog: Dialog
    turns: tuple[Turn, ...]
    annotations: Mapping[int, tuple[Annotation, ...]]

    @property
    def is_annotated(self) -> bool:
        """Whether others have answered its questions too, as evaluation sets need."""
        return any(
            not annotation.option for several in self.annotations.values() for annotation in several
        )


def conversations(records: StudyRecords) -> list[Conversation]:
    """The dialogs that ended, are kept, were not rejected and are no practice, oldest first."""
    turns: defaultdict[str, list[Turn]] = defaultdict(list)
    for turn in records.turns:
        turns[turn.dialog].append(turn)
    annotations: defaultdict[str, defaultdict[int, list[Annotation]]] = defaultdict(
        lambda: defaultdict(list)
    )
    rejected = {dialog.id for dialog in records.dialogs if dialog.review == "rejected"}
    for annotation in records.annotations:
        if annotation.task in rejected:
            continue
        annotations[annotation.dialog][annotation.number].append(annotation)
    return [
        Conversation(
            dialog,
            tuple(sorted(turns[dialog.id], key=lambda turn: turn.number)),
            {
                number: tuple(sorted(several, key=lambda one: (one.time, one.worker)))
                for number, several in annotations[dialog.id].items()
            },
        )
        for dialog in sorted(records.dialogs, key=lambda dialog: (dialog.began, dialog.id))
        if is_exported(dialog) and turns[dialog.id]
    ]


def is_exported(dialog: Dialog) -> bool:
    """Whether a dialog belongs to the dataset."""
    done = dialog.task == "dialog" and dialog.state == "ended" and dialog.kept
    return done and not dialog.practice and dialog.review != "rejected"
