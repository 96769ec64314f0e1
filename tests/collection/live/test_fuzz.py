"""Odd messages over real sockets; `scripts/bench collection_fuzz` sends 10,000."""

from pathlib import Path

from seminar.collection.study.loading import load_study
from tests.collection.fuzzing import check_actions, check_nothing_leaked, fuzz
from tests.collection.studies import serving, write_study


def test_odd_messages_break_nothing_and_tell_nothing(tmp_path: Path):
    file = write_study(tmp_path, "quac")
    with serving(file) as study:
        sockets = [socket for _ in range(3) for socket in study.pair("student", "teacher")]
        answers = fuzz(sockets, 600, seed=1)
        assert answers["refused: invalid"] > 100
        assert answers["refused: turn"] > 20
        assert answers["accepted"] > 3
        check_nothing_leaked(sockets)
        assert check_actions(study, load_study(file), sockets) >= 3
