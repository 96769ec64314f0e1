"""Coverage-guided fuzzing (atheris) of the parsers that are Seminar's own.

    pip install atheris==3.0.0
    python -m benchmarks.guided_fuzz PARSER [--runs 20000] [--seconds 300]

A parser may read or refuse (IngestionError, RecursionError: the sandbox makes a line of them); any
other error, an item whose offsets don't fit, or more than ten seconds for an input ends the run.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

# Ours: others stand on a library's parser, which benchmarks/mutations.py tries with damaged files.
PARSERS = ("chat.txt", "org", "json", "csv", "txt", "md", "html", "toml", "yaml", "py")
SECONDS_EACH = 10


def reader(place: Path, suffix: str) -> Callable[[bytes], None]:
    """Reads an input as a file of a format, and checks what it gives."""
    from seminar.errors import IngestionError
    from seminar.ingestion.formats import choose
    from seminar.ingestion.read_options import DEFAULT_READING
    from seminar.ingestion.segments import split_item

    path = place / f"input.{suffix}"

    def read(content: bytes) -> None:
        path.write_bytes(content)
        try:
            read_all = choose(path).reader(DEFAULT_READING, lambda: None)
            for item in read_all(path, path.name, lambda _: None):
                for passage in split_item(item):
                    if passage.end - passage.start != len(passage.text):
                        raise ValueError(f"offsets {passage.start}:{passage.end} don't fit")
        except (IngestionError, RecursionError):
            return

    return read


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parser", choices=PARSERS)
    parser.add_argument("--runs", type=int, default=20_000)
    parser.add_argument("--seconds", type=int, default=300)
    options = parser.parse_args()
    import atheris  # type: ignore[import-not-found,import-untyped,unused-ignore]

    with TemporaryDirectory() as temporary:
        place = Path(temporary)
        corpus = place / "corpus"
        corpus.mkdir()
        with atheris.instrument_imports(include=["seminar"]):
            read = reader(place, options.parser)
        from benchmarks.format_files import make_all

        whole = make_all(place / "whole")[options.parser]
        (corpus / "whole").write_bytes(whole.read_bytes()[:4_000])
        limits = [f"-runs={options.runs}", f"-max_total_time={options.seconds}", "-max_len=4096"]
        limits += [f"-timeout={SECONDS_EACH}", "-rss_limit_mb=2048", "-print_final_stats=1"]
        atheris.Setup([sys.argv[0], *limits, str(corpus)], read)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
