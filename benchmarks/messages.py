"""Speed and memory of reading exports of conversations: messages to passages, nothing indexed.

    scripts/bench messages [--messages 1000000] [--kinds slack zip mbox lines]

The messages are made up of Zipf-like words. Reading runs in the sandbox's worker, as always, so
that its memory is told apart from ours.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import time
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import islice, product
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.results import peak_memory_mib, read_result, write_result
from seminar.ingestion.discover import discover
from seminar.ingestion.loader import read_passages
from seminar.ingestion.sandbox.pool import Sandbox

CHANNELS = 20
DAYS = 365
PEOPLE = 500
BEGIN = datetime(2023, 1, 1, tzinfo=UTC)
REPLIES = 0.3  # share of messages that reply in a thread, a tenth of them on a later day

Message = dict[str, object]


def channel_days(messages: int, chance: random.Random) -> Iterator[tuple[str, str, list[Message]]]:
    """Channel, day and messages, as Slack would export them."""
    words = ["".join(letters) for letters in islice(product("etaoinshrd", repeat=5), 20_000)]
    weights = [1 / (rank + 1) for rank in range(len(words))]
    pool = chance.choices(words, weights, k=200_000)
    each = messages / (CHANNELS * DAYS)
    for channel in range(CHANNELS):
        roots: list[str] = []
        for day in range(DAYS):
            begin = BEGIN + timedelta(days=day)
            count = int(each * (day + 1)) - int(each * day)
            said = [_message(begin, number, count, pool, chance) for number in range(count)]
            for one in said:
                if roots and chance.random() < REPLIES:
                    recent = roots[-5:] if chance.random() < 0.9 else roots[-500:]
                    one["thread_ts"] = chance.choice(recent)
                elif chance.random() < 0.1:
                    roots.append(str(one["ts"]))
            yield f"channel-{channel:02}", begin.date().isoformat(), said


def _message(
    begin: datetime, number: int, count: int, pool: list[str], chance: random.Random
) -> Message:
    time_of = begin + timedelta(seconds=80_000 * number / count)
    start = chance.randrange(len(pool) - 60)
    text = " ".join(pool[start : start + chance.randrange(3, 40)])
    user = f"U{chance.randrange(PEOPLE)}"
    return {"type": "message", "user": user, "ts": f"{time_of.timestamp():.6f}", "text": text}


def write_slack(folder: Path, messages: int) -> None:
    people = [
        {"id": f"U{one}", "profile": {"display_name": f"Person {one}"}} for one in range(PEOPLE)
    ]
    (folder / "users.json").write_text(json.dumps(people))
    for channel, day, said in channel_days(messages, random.Random(1)):
        (folder / channel).mkdir(exist_ok=True)
        (folder / channel / f"{day}.json").write_text(json.dumps(said, indent=4))


def write_zip(folder: Path, messages: int) -> None:
    with zipfile.ZipFile(folder / "export.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("users.json", "[]")
        for channel, day, said in channel_days(messages, random.Random(1)):
            archive.writestr(f"{channel}/{day}.json", json.dumps(said, indent=4))


def write_lines(folder: Path, messages: int) -> None:
    with (folder / "log.jsonl").open("w") as file:
        for channel, _, said in channel_days(messages, random.Random(1)):
            for one in said:
                file.write(json.dumps({"channel": channel, **one}) + "\n")


def write_mbox(folder: Path, messages: int) -> None:
    with (folder / "mail.mbox").open("w") as file:
        for channel, _, said in channel_days(messages, random.Random(1)):
            for one in said:
                file.write(_mail(channel, one))


def _mail(channel: str, message: Message) -> str:
    sent = datetime.fromtimestamp(float(str(message["ts"])), UTC)
    answers = f"In-Reply-To: <{message['thread_ts']}@{channel}>\n" if "thread_ts" in message else ""
    return (
        f"From x@y {sent:%a %b %d %H:%M:%S %Y}\nMessage-ID: <{message['ts']}@{channel}>\n{answers}"
        f"From: {message['user']} <{message['user']}@x.org>\nSubject: s{message['ts']}\n"
        f"Date: {format_datetime(sent)}\n\n{message['text']}\n\n"
    )


WRITERS: dict[str, Callable[[Path, int], None]] = {
    "slack": write_slack,
    "mbox": write_mbox,
    "zip": write_zip,
    "lines": write_lines,
}


def measure(kind: str, messages: int, folder: Path) -> dict[str, object]:
    WRITERS[kind](folder, messages)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    sandbox = Sandbox()
    begun = time.perf_counter()
    passages = read = 0
    files, _ = discover([folder])
    for file in files:
        for passage in read_passages(file, print, sandbox=sandbox):
            passages += 1
            read += len(passage.utterances)
    seconds = time.perf_counter() - begun
    sandbox.close()
    worker = resource.getrusage(resource.RUSAGE_CHILDREN)  # ended, so that it is counted
    return {
        "messages": messages,
        "read": read,
        "MB": round(size / 1e6, 1),
        "passages": passages,
        "seconds": round(seconds, 1),
        "messages/s": round(read / seconds),
        "worker CPU seconds": round(worker.ru_utime + worker.ru_stime, 1),
        "worker MiB": round(worker.ru_maxrss / 1024, 1),
        "our MiB": peak_memory_mib(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--kinds", nargs="+", default=list(WRITERS), choices=list(WRITERS))
    options = parser.parse_args()
    results = read_result("messages")
    for kind in options.kinds:
        # Each in a process of its own: the most memory that one held is not another's.
        with ProcessPoolExecutor(1) as process, TemporaryDirectory() as folder:
            results[kind] = process.submit(measure, kind, options.messages, Path(folder)).result()
        write_result("messages", results)


if __name__ == "__main__":
    main()
