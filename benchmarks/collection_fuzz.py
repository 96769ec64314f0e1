"""10,000 odd messages over the sockets of a study: no crash, nothing out of turn, nothing leaked.

    scripts/bench collection_fuzz [--messages 10000] [--seed 1]

Broken JSON, wrong types, unknown fields, actions of other protocols and of the server, actions out
of turn and in the dialogs of others, from both roles of ten dialogs at once. Afterwards every
socket must answer, the stored actions must be a valid walk through the protocol, and no student
may have received the hidden section.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from pathlib import Path

from benchmarks.results import write_result
from seminar.collection.study.loading import load_study
from tests.collection.fuzzing import check_actions, check_nothing_leaked, fuzz
from tests.collection.studies import serving, write_study

PAIRS = 10
AT_ONCE = 2_000  # messages to one set of dialogs, within the limit on messages of a worker


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    answers: Counter[str] = Counter()
    stored = rounds = 0
    with tempfile.TemporaryDirectory(prefix="seminar-fuzz-") as name:
        file = write_study(Path(name), "quac")
        study = load_study(file)
        with serving(file) as running:
            for start in range(0, arguments.messages, AT_ONCE):
                sockets = [one for _ in range(PAIRS) for one in running.pair("student", "teacher")]
                count = min(AT_ONCE, arguments.messages - start)
                answers += fuzz(sockets, count, arguments.seed + start)
                check_nothing_leaked(sockets)
                stored += check_actions(running, study, sockets)
                rounds += 1
                for socket in sockets:
                    socket.close()
    write_result(
        "collection_fuzz",
        {
            "messages": arguments.messages,
            "dialogs": rounds * PAIRS,
            "answers": dict(answers.most_common()),
            "actions stored": stored,
        },
    )


if __name__ == "__main__":
    main()
