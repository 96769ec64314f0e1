"""Replicas on hosts of their own, behind nginx, over one PostgreSQL."""

import asyncio

import pytest

from benchmarks import replicas
from seminar.errors import ConfigurationError
from seminar.serving.storage.engines import open_engine, reaching

AWAY = "The database doesn't answer."


@pytest.mark.skipif(bool(replicas.missing()), reason=replicas.missing() or "all there")
def test_nothing_acknowledged_is_lost_by_a_kill_a_database_restart_and_a_partition():
    with replicas.running(2) as setting:
        walk = replicas.faults(setting, clients=3, seconds=2, seed=1)
        phases, told, tally = asyncio.run(walk)
        logs = "".join(one.log.read_text() for one in setting.replicas)
    assert tally.faults == []
    assert {one.name: one.turns > 0 for one in phases} == dict.fromkeys(replicas.FAULTS, True)
    by_name = {one.name: one.more for one in phases}
    assert AWAY in by_name["the database restarted"]["what the replicas said meanwhile"]
    assert by_name["a replica cut off from the database"]["what the replica said"] == AWAY
    assert set(told.refused) <= {"409", "502", "503", "504", "ended without an answer"}
    assert "Traceback" not in logs


def test_database_that_is_not_there_is_one_clear_error_without_its_password():
    engine = open_engine("postgresql://me:secret@127.0.0.1:1/notes")
    with pytest.raises(ConfigurationError) as error, reaching(engine), engine.connect():
        pass
    assert str(error.value).startswith("the database postgresql://me:***@127.0.0.1:1/notes can't")
    assert "Connection refused" in str(error.value)
    assert "\n" not in str(error.value)
