"""Odd questions and damaged saved conversations: each is answered, or refused with a line.

    scripts/bench question_fuzz [--questions 5000] [--saved 5000] [--seed 1]

One session over a folder of small files is asked pieces of every script, controls, marks, numbers,
long words and pieces of markup, alone and in dialogues. Saved turns of that session are changed
in a value, a name or a byte, and resumed; what is resumed is asked on, saved and exported.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.results import peak_memory_mib, progress, write_result
from seminar.assembly import open_files
from seminar.dialogue_exports import as_html, as_json, as_markdown
from seminar.errors import SeminarError
from seminar.session import Session
from seminar.settings import Settings

LONGEST = 400  # characters of an error
TEXT = "The ferry leaves at nine. Maud Brennan founded the choir in 1921. It sings on Sundays."
WORDS = (
    "who when where why what ferry choir Maud Brennan 1921 it he the founded leaves and not "
    "more tell me yes no 東京 Ωmega été naïve שלום مرحبا สวัสดี नमस्ते 🦆 'OR' NEAR( *) AND \"x\" "
    "../../etc/passwd %s {0} <b>x</b> &lt; [red] \\n $(x) --json -1 1e309 0x41 _ ^ ~ ?: ;"
).split()
CONTROLS = [
    "\0",
    "\x1b[2J",
    "\x9b31m",
    "\u202e",
    "\u2028",
    "\ud800",
    "\ufeff",
    "\t",
    "\r",
    "\u0301" * 50,
]
VALUES: list[object] = [
    None, True, -1, 0, 2**53, 10**400, 1.5, 1e308, "", "x", "\0", "\u202e", "?", [], {}, [[]],
    {"text": 1}, "x" * 100_000, ["x"] * 1_000, [None],
]  # fmt: skip


def question(chance: random.Random) -> str:
    """Words and odd characters in any order; now and then a very long one."""
    words = chance.choices(WORDS, k=chance.choice([1, 2, 5, 12, 60]))
    if chance.random() < 0.3:
        words.insert(chance.randrange(len(words)), chance.choice(CONTROLS))
    if chance.random() < 0.02:
        words.append(chance.choice(["x", "東", "a b ", "?", "()"]) * 20_000)
    return chance.choice([" ", " ", ""]).join(words) + chance.choice(["", "?", "??", "\n"])


def change(line: str, chance: random.Random) -> bytes:
    """A saved turn with another value, without a field, or with damaged bytes."""
    if chance.random() < 0.3:
        content = bytearray(line.encode())
        for _ in range(chance.choice([1, 3, 20])):
            content[chance.randrange(len(content))] = chance.randrange(256)
        return bytes(content)
    turn = json.loads(line)
    holder, key = chance.choice(list(places(turn)))
    if chance.random() < 0.15:
        del holder[key]
    else:
        holder[key] = chance.choice(VALUES)
    return json.dumps(turn, ensure_ascii=chance.random() < 0.5).encode("utf-8", "replace")


def places(value: Any) -> Iterator[tuple[Any, Any]]:  # noqa: ANN401
    """Every place of a JSON value: its holder and key."""
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from places(value[key])


def outcome(act: Callable[[], str]) -> tuple[str, str]:
    """How an act ended, and the line for the user."""
    try:
        return act(), ""
    except SeminarError as error:
        line = str(error)
        fit = "\n" not in line and len(line) <= LONGEST
        return ("refused" if fit else "unfit line"), line
    except Exception as error:  # noqa: BLE001 - what must not happen is counted
        return "traceback", repr(error)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=5_000)
    parser.add_argument("--saved", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    counts = {"questions": Counter[str](), "saved": Counter[str]()}
    faults, slowest = list[str](), 0.0
    with TemporaryDirectory() as place:
        files = Path(place) / "files"
        files.mkdir()
        (files / "choir.md").write_text(f"# Choir\n\n{TEXT}\n")
        (files / "pier.md").write_text("# Pier\n\nThe pier was built in 1899 by Otto Lund.\n")
        os.environ["SEMINAR_HOME"] = str(Path(place) / "home")
        opened = open_files([files], Settings(encoder="static", reader="sentence"))
        session = Session(opened)

        def ask() -> str:
            reply = session.ask(question(chance))
            json.dumps(session.records[-1]).encode()
            return "answered" if reply.answerable else "not answered"

        def timed(kind: str, act: Callable[[], str]) -> None:
            nonlocal slowest
            begun = time.perf_counter()
            how, line = outcome(act)
            slowest = max(slowest, time.perf_counter() - begun)
            counts[kind][how] += 1
            if how in ("traceback", "unfit line"):
                faults.append(f"{kind}: {how}: {line[:LONGEST]}")

        for number in progress(range(options.questions), "Asking"):
            if number % 6 == 0:
                session.reset()
            timed("questions", ask)
        session.reset()
        for line in (
            "When was the choir founded?",
            "Who built the pier?",
            "How many ducks are there?",
        ):
            session.ask(line)
        session.save(Path(place) / "saved.jsonl")
        lines = (Path(place) / "saved.jsonl").read_text().splitlines()
        file = Path(place) / "changed.jsonl"

        def resume() -> str:
            other = Session(opened)
            other.resume(file)
            other.ask("When?")
            written = other.export()
            for export in (as_json, as_markdown, as_html):
                export(written).encode()
            other.save(file)
            return "resumed"

        for number in progress(range(options.saved), "Resuming"):
            changed = [line.encode() for line in lines]
            changed[number % len(lines)] = change(lines[number % len(lines)], chance)
            file.write_bytes(b"\n".join(changed) + b"\n")
            timed("saved", resume)
    result = {
        "seed": options.seed,
        **counts,
        "slowest s": round(slowest, 2),
        "peak memory MiB": peak_memory_mib(),
        "faults": faults,
    }
    write_result("question_fuzz", result)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
