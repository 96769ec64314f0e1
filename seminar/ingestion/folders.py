"""Folders whose files belong together and are read as one: a channel of Slack's, saved mails."""

from __future__ import annotations

from pathlib import Path

from seminar.ingestion.conversations.mail import mailboxes as mail
from seminar.ingestion.conversations.slack import export as slack


def parts(folder: Path) -> tuple[Path, ...]:
    """The files that make up a folder read as one; none where it is an ordinary folder."""
    if days := slack.day_files(folder):
        people = slack.users_file(folder)
        return (*days, people) if people else tuple(days)
    if mail.is_maildir(folder):
        return tuple(mail.maildir_files(folder))
    return tuple(mail.eml_files(folder))


def is_metadata(path: Path) -> bool:
    """Whether a file only describes the channels beside it."""
    if path.name not in slack.METADATA:
        return False
    return any(slack.is_channel(one) for one in path.parent.iterdir() if one.is_dir())
