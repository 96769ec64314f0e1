"""What narrowing costs: how often the answer is in what the reader is given to read.

    scripts/bench narrowing [--size N]

The questions of the reader's calibration whose article is there, first questions and such within a
dialogue, half of them over one large index and half over small ones; needs SEMINAR_DATA.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence

from benchmarks.results import write_result
from seminar.examples import Example
from seminar.models.encoders.registry import load_encoder
from seminar.reading.regions import narrow
from seminar.reading.span_reader import REGION_WORDS
from seminar.training.fitting.public_probes import Probe, probes, searched
from seminar.types import Hit, Query

# How many regions, and whether the meaning counts beside the words.
WAYS = {
    "ten": (10, False),
    "five, by words": (5, False),
    "five, by words and meaning": (5, True),
    "four, by words and meaning": (4, True),
    "three, by words and meaning": (3, True),
}


def is_read(probe: Probe, query: Query, hits: Sequence[Hit], way: str) -> bool:
    """Whether one of the regions has the answer's words and is of the right article."""
    regions, by_meaning = WAYS[way]
    encoder = load_encoder("minilm") if by_meaning else None
    read = narrow(query, hits, regions=regions, size=REGION_WORDS, encoder=encoder)
    answers = [answer.lower() for answer in probe.example.gold.answers]
    return any(
        probe.is_about(one.passage) and any(answer in one.text.lower() for answer in answers)
        for one in read
    )


def has_words(example: Example) -> bool:
    """Whether its answer can be looked for in a text: a yes or no can't."""
    return bool(example.gold.answers) and example.gold.affirmation not in ("yes", "no")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--size", type=int, default=400, help="as in the reader's calibration")
    options = parser.parse_args()
    indexed, asked = probes(options.size, seed=1)
    here = [one for one in asked if one.kind == "here" and has_words(one.example)]
    read: dict[str, dict[str, list[bool]]] = {way: defaultdict(list) for way in WAYS}
    for probe, query, hits in searched(indexed, here):
        kind = "in a dialogue" if probe.example.history else "first questions"
        for way in WAYS:
            read[way][kind].append(is_read(probe, query, hits, way))
    counts = {kind: len(found) for kind, found in read["ten"].items()}
    shares = {
        way: {kind: round(100 * sum(found) / len(found), 1) for kind, found in kinds.items()}
        for way, kinds in read.items()
    }
    write_result("narrowing", {"questions": counts, "the answer is in what is read": shares})


if __name__ == "__main__":
    main()
