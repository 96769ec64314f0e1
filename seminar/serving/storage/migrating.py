"""Bring the database to the newest schema; processes that start at once wait for each other."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text

from seminar.errors import ConfigurationError

FOLDER = Path(__file__).parent / "migrations"
LOCK = 7_220_115  # of PostgreSQL; any number that other programs don't use in this database


def migrate(engine: Engine) -> None:
    """Run the migrations that the database has not had yet, all of them or none."""
    with engine.begin() as connection:
        wait_for_others(connection)
        found, newest = revision_of(connection), newest_revision()
        if found is not None and found not in _known_revisions():
            raise ConfigurationError(
                f"the database has the schema {found!r}, which this version of Seminar doesn't "
                f"know (its newest is {newest!r}): start the version that made it, or a newer one"
            )
        if found != newest:
            command.upgrade(_configuration(connection), "head")


def wait_for_others(connection: Connection) -> None:
    """Let one process at a time go on until its transaction ends; SQLite's has the lock already."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})


def revision_of(connection: Connection) -> str | None:
    """The revision of a database's schema; None for an empty database."""
    return MigrationContext.configure(connection).get_current_revision()


def newest_revision() -> str | None:
    """The revision of the schema that this version of Seminar uses."""
    return ScriptDirectory(str(FOLDER)).get_current_head()


def _known_revisions() -> set[str]:
    return {script.revision for script in ScriptDirectory(str(FOLDER)).walk_revisions()}


def _configuration(connection: Connection) -> Config:
    configuration = Config(attributes={"connection": connection})
    configuration.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    return configuration
