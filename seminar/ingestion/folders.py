"""Folders that are read as one file: a channel of a Slack export, a Maildir, saved mails."""

from __future__ import annotations

from pathlib import Path

from seminar.ingestion.conversations.mail.mailboxes import eml_files, is_maildir, maildir_files
from seminar.ingestion.conversations.slack.export import (
    METADATA,
    day_files,
    is_channel,
    users_file,
)


def parts(folder: Path) -> tuple[Path, ...]:
    """The files of a folder that is read as one; empty for an ordinary folder."""
    if days := day_files(folder):
        people = users_file(folder)
        return (*days, people) if people else tuple(days)
    if is_maildir(folder):
        return tuple(maildir_files(folder))
    return tuple(eml_files(folder))


def is_metadata(path: Path) -> bool:
    """Whether a file only describes the Slack channels beside it."""
    if path.name not in METADATA:
        return False
    return any(is_channel(folder) for folder in path.parent.iterdir() if folder.is_dir())
