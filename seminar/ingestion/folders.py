"""Folders whose files belong together and are read as one: a channel of Slack's, a Maildir."""

from __future__ import annotations

from pathlib import Path

from seminar.ingestion import slack


def parts(folder: Path) -> tuple[Path, ...]:
    """The files that make up a folder read as one; none where it is an ordinary folder."""
    days = slack.day_files(folder)
    people = slack.users_file(folder) if days else None
    return (*days, people) if people else tuple(days)


def is_metadata(path: Path) -> bool:
    """Whether a file only describes the channels beside it."""
    if path.name not in slack.METADATA:
        return False
    return any(slack.is_channel(one) for one in path.parent.iterdir() if one.is_dir())
