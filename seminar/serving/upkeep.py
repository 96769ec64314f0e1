"""Backup and restore of the state that the settings name."""

from __future__ import annotations

from pathlib import Path

from seminar.errors import SeminarError
from seminar.serving.settings import ServiceSettings
from seminar.serving.storage.backup import write_backup
from seminar.serving.storage.engines import open_engine, reaching
from seminar.serving.storage.restoring import restore_backup


def back_up(settings: ServiceSettings, file: Path) -> int:
    """Write a backup, also while the service runs; its bytes."""
    if not settings.database and not (settings.folder / "service.sqlite").exists():
        raise SeminarError(f"there is no service in {settings.folder}: name its --folder")
    engine = open_engine(settings.database_url)
    try:
        with reaching(engine):
            return write_backup(engine, settings.folder, file)
    finally:
        engine.dispose()


def restore(settings: ServiceSettings, file: Path) -> None:
    """Restore a backup into a folder and a database in which nothing is."""
    if not file.is_file():
        raise SeminarError(f"{file}: no such file")
    settings.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    engine = open_engine(settings.database_url)
    try:
        with reaching(engine):
            restore_backup(engine, settings.folder, file)
    finally:
        engine.dispose()
