"""10,000 odd messages over the sockets of a study: no crash, nothing out of turn, nothing leaked.

    scripts/bench collection_fuzz [--messages 10000] [--seed 1]

Broken JSON, wrong types, unknown fields, actions of other protocols and of the server, actions out
of turn and in the dialogs of others, from both roles of ten dialogs at once; studies of QuAC,
TopiOCQA and PragmatiCQA in turn. Afterwards every socket must answer, the stored actions must be a
valid walk through the protocol, and nobody who asks may have received hidden text.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from pathlib import Path

from benchmarks.results import write_result
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

PAIRS = 10
AT_ONCE = 1_700  # messages to one study, within the limit on messages of a worker


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    answers: Counter[str] = Counter()
    stored: Counter[str] = Counter()
    dialogs = 0
    for number, start in enumerate(range(0, arguments.messages, AT_ONCE)):
        protocol = list(ROLES)[number % len(ROLES)]
        count = min(AT_ONCE, arguments.messages - start)
        with tempfile.TemporaryDirectory(prefix="seminar-fuzz-") as name:
            file = fuzzed_study(Path(name), protocol)
            with serving(file) as running:
                sockets = pairs(running, protocol, PAIRS)
                answers += fuzz(sockets, protocol, count, arguments.seed + start)
                check_nothing_leaked(sockets)
                stored[protocol] += check_actions(running, load_study(file), sockets)
                dialogs += PAIRS
                for socket in sockets:
                    socket.close()
    write_result(
        "collection_fuzz",
        {
            "messages": arguments.messages,
            "dialogs": dialogs,
            "answers": dict(answers.most_common()),
            "actions stored": dict(stored),
        },
    )


if __name__ == "__main__":
    main()
