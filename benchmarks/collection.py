"""Questions made from conversations by templates: how many, which rules they break, how many stay.

    scripts/bench collection [--reader NAME] [--chunks N]

Needs SEMINAR_DATA: the chunks of BC3's mail, and of Slack's racket, as QAConv has them.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Sequence

from benchmarks.results import write_result
from seminar.collection.questions.generation import QuestionGenerator, open_generator
from seminar.datasets.catalog import threads
from seminar.ingestion.segments import combine, split
from seminar.settings import Settings, load_settings
from seminar.types import Passage, Thread

PREFIXES = {"BC3 mail": "bc3", "Slack racket": "slack-racket"}


def chunks_of(talks: Sequence[Thread], limit: int) -> list[Passage]:
    """At most so many chunks, chosen by chance."""
    chunks = [passage for talk in combine(talks) for passage in split(talk)]
    random.Random(0).shuffle(chunks)
    return chunks[:limit]


def measure(generator: QuestionGenerator, chunks: Sequence[Passage]) -> dict[str, object]:
    judged = list(generator.generate(chunks))
    kept = [one.candidate for one in judged if one.kept]
    return {
        "chunks": len(chunks),
        "questions": len(judged),
        "broken rules": Counter(rule for one in judged for rule in one.failed),
        "breaking any": sum(bool(one.failed) for one in judged),
        "easy": sum(one.easy for one in judged),
        "kept": len(kept),
        "chunks with a question kept": len({one.passage.id for one in kept}),
        "made, by kind": Counter(one.candidate.kind for one in judged),
        "kept, by kind": Counter(one.kind for one in kept),
        "kept, by origin": Counter(one.origin for one in kept),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reader", default=Settings().reader)
    parser.add_argument("--chunks", type=int, default=200)
    options = parser.parse_args()
    generator = open_generator(load_settings(None, reader=options.reader))
    talks = list(threads("qaconv"))
    results: dict[str, object] = {"reader": options.reader}
    for name, prefix in PREFIXES.items():
        own = [talk for talk in talks if talk.source.startswith(prefix)]
        results[name] = measure(generator, chunks_of(own, options.chunks))
    write_result("collection", results)


if __name__ == "__main__":
    main()
