"""The database: its schema, its migrations, and how it is opened."""

import subprocess
import sys

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import func, select, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from seminar.errors import ConfigurationError
from seminar.serving.storage.engines import open_engine
from seminar.serving.storage.migrating import migrate, newest_revision, revision_of
from seminar.serving.storage.schema import Account, Collection, Table, now


def test_migrations_make_exactly_the_tables_in_the_code(database: str):
    engine = open_engine(database)
    migrate(engine)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Table.metadata) == []
    engine.dispose()


def test_migrating_again_changes_nothing(database: str):
    engine = open_engine(database)
    for _ in range(2):
        migrate(engine)
        with engine.connect() as connection:
            assert revision_of(connection) == newest_revision()
    engine.dispose()


def test_processes_that_start_at_once_migrate_one_after_the_other(database: str):
    program = (
        "from seminar.serving.storage import engines, migrating\n"
        f"migrating.migrate(engines.open_engine({database!r}))"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE) for _ in range(3)
    ]
    assert [(one.communicate()[1], one.returncode) for one in processes] == [(b"", 0)] * 3


def test_a_newer_schema_is_refused(database: str):
    engine = open_engine(database)
    migrate(engine)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(ConfigurationError, match=r"'9999'.*start the version that made it"):
        migrate(engine)
    engine.dispose()


def test_times_come_back_in_utc(database: str):
    engine = open_engine(database)
    migrate(engine)
    made = now()
    with Session(engine) as session, session.begin():
        session.add(Account(name="Ada", created=made))
    with Session(engine) as session:
        assert session.scalar(select(Account.created)) == made
    engine.dispose()


def test_foreign_keys_hold(database: str):
    engine = open_engine(database)
    migrate(engine)
    with pytest.raises(IntegrityError), Session(engine) as session, session.begin():
        session.add(Collection(owner_id="nobody", name="x"))
    engine.dispose()


def test_errors_do_not_show_the_values_of_a_statement(database: str):
    engine = open_engine(database)
    migrate(engine)
    with pytest.raises(IntegrityError) as caught, Session(engine) as session, session.begin():
        session.add(Collection(owner_id="nobody", name="a private question"))
    assert "a private question" not in str(caught.value)
    engine.dispose()


def test_sqlite_keeps_acknowledged_transactions_through_a_power_cut(tmp_path):
    engine = open_engine(f"sqlite:///{tmp_path}/state.sqlite")
    with engine.connect() as connection:
        names = ("journal_mode", "synchronous", "foreign_keys")
        found = [connection.execute(text(f"PRAGMA {name}")).scalar() for name in names]
    assert found == ["wal", 2, 1]  # 2: FULL
    engine.dispose()


def test_a_reader_does_not_wait_for_a_writer(tmp_path):
    engine = open_engine(f"sqlite:///{tmp_path}/state.sqlite")
    migrate(engine)
    with engine.begin() as writing:
        writing.execute(Account.__table__.insert().values(name="Ada"))
        with engine.execution_options(reads=True).connect() as reading:
            assert reading.scalar(select(func.count()).select_from(Account)) == 0
    engine.dispose()


@pytest.mark.parametrize("url", ["no url", "mysql://host/name"])
def test_an_unusable_address_of_a_database_is_named(url: str):
    with pytest.raises(ConfigurationError, match="postgresql"):
        open_engine(url)
