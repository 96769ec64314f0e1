"""Odd messages over real sockets; `scripts/bench collection_fuzz` sends 10,000."""

from pathlib import Path

import pytest

from seminar.collection.study.loading import load_study
from tests.collection.fuzzing import (
    ROLES,
    check_actions,
    check_nothing_leaked,
    fuzz,
    fuzzed_study,
    pairs,
)
from tests.collection.studies import serving


@pytest.mark.parametrize("protocol", ROLES)
def test_odd_messages_break_nothing_and_tell_nothing(tmp_path: Path, protocol: str):
    file = fuzzed_study(tmp_path, protocol)
    with serving(file) as study:
        sockets = pairs(study, protocol, 3)
        answers = fuzz(sockets, protocol, 600, seed=1)
        assert answers["refused: invalid"] > 100
        assert answers["refused: turn"] > 20
        assert answers["accepted"] >= 1
        check_nothing_leaked(sockets)
        assert check_actions(study, load_study(file), sockets) >= 1
