"""A language model before the embedded stages: what it quotes, what is right, what a turn costs.

    scripts/bench language_model [--llm URL --model NAME] [--questions N] [--turns N]

Asks questions about the example collection of an assistant with the model and of one without it, in
the same run. Without --llm it serves SmolLM2-135M by itself (scripts/test-llm fetches it). All that
goes to the model passes through a recorder, so its own outputs are counted, not only what is told.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import httpx2

from benchmarks import smollm2
from benchmarks.results import progress, write_result
from benchmarks.scripted_dialogues import EXAMPLES, Expected, Place, read_script
from seminar.assembly import open_files
from seminar.assistant import Assistant
from seminar.models.llm.endpoint import PATH, key_for, open_endpoint
from seminar.models.llm.prompts import items
from seminar.models.llm.quotations import locate
from seminar.settings import Settings
from seminar.types import Dialogue, Reply, Turn

KINDS = {"factual": 5, "yes-no": 7, "unanswerable": 7}  # every so many-th question of a kind
TUNED = 8  # every so many-th factual question was looked at while the prompts were written
STAGES = {"answers": "reading", "extras": "composing", "question": "rewriting"}
REPLACED = "the embedded reader took its place"


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the model: for which stage, what it was shown and what it gave."""

    stage: str
    prompt: str
    output: str

    @property
    def passage(self) -> str:
        block = self.prompt.partition("\nBEGIN\n")[2]
        return str(json.loads(block.splitlines()[0]).get("passage", ""))


@contextmanager
def recorder(url: str) -> Iterator[tuple[str, list[Call]]]:
    """The address of a server that passes calls on to a model's, and the calls that it passed."""
    calls: list[Call] = []
    _, key = key_for(url)
    headers = {"Authorization": f"Bearer {key}"} if key else {}

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            answer = httpx2.post(url + PATH, json=body, headers=headers, timeout=1000)
            if answer.status_code == 200:
                calls.append(_call(body, answer.json()))
            self.send_response(answer.status_code)
            self.send_header("Content-Length", str(len(answer.content)))
            self.end_headers()
            self.wfile.write(answer.content)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", calls
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _call(body: dict, answer: dict) -> Call:
    prompt = body["messages"][0]["content"]
    stage = next(stage for name, stage in STAGES.items() if f'{{"{name}": ' in prompt)
    return Call(stage, prompt, answer["choices"][0]["message"]["content"] or "")


def sample(limit: int) -> list[tuple[str, Expected]]:
    """Questions with their kinds, none that was looked at while the prompts were written."""
    asked = tomllib.loads((EXAMPLES / "questions.toml").read_text("utf-8"))["question"]
    chosen = []
    for kind, step in KINDS.items():
        own = [(at, one) for at, one in enumerate(q for q in asked if q["kind"] == kind)]
        fresh = [one for at, one in own if kind != "factual" or at % TUNED]
        chosen += [(kind, _expected(one)) for one in fresh[step // 2 :: step]]
    return chosen[:limit]


def _expected(one: dict) -> Expected:
    place = Place(one["source"], one["answer"], one.get("page")) if "source" in one else None
    return Expected(one["question"], "", place=place, affirmation=one.get("affirmation", "neither"))


def is_right(expected: Expected, reply: Reply) -> bool:
    """Whether the first answer stands at the written place, or none is told where none is."""
    if expected.place is None or not reply.answerable:
        return expected.place is None and not reply.answerable
    polar = expected.affirmation == "neither" or expected.affirmation == reply.affirmation
    return polar and any(place.holds(reply.literal[0]) for place in expected.places)


def told_by(reply: Reply) -> str:
    """Whose answer is told; where both read, the model's located quotations and the other's."""
    if not reply.answerable:
        return "nobody"
    notes = [note for note in reply.notes if REPLACED in note]
    if not notes:
        return "model"
    return "both" if any(f"{REPLACED} in " in note for note in notes) else "embedded reader"


def quotations(calls: Sequence[Call]) -> Counter[str]:
    """What the outputs of the reading stage hold, and where their quotations stand."""
    counts: Counter[str] = Counter(outputs=0)
    for call in calls:
        if call.stage != "reading":
            continue
        counts["outputs"] += 1
        found = items(call.output, "answers", "quote")
        if found is None:
            counts["outputs out of form"] += 1
            continue
        quotes = [str(one["quote"]) for one in found if str(one["quote"]).strip()]
        counts["outputs that say nothing answers"] += not quotes
        for quote in quotes:
            exact = quote.strip() in call.passage
            place = locate(quote, call.passage)
            counts["located exactly" if exact and place else "located" if place else "lost"] += 1
    return counts


def ask(assistant: Assistant, dialogue: Dialogue, question: str) -> tuple[Reply, float]:
    begun = time.perf_counter()
    reply = assistant.reply(dialogue, question)
    return reply, time.perf_counter() - begun


def measure(
    embedded: Assistant, prompted: Assistant, asked: Sequence[tuple[str, Expected]]
) -> list[dict[str, object]]:
    """Each question, asked of both assistants."""
    rows: list[dict[str, object]] = []
    for at in progress(range(len(asked)), "questions"):
        kind, expected = asked[at]
        alone, alone_seconds = ask(embedded, Dialogue(), expected.question)
        reply, seconds = ask(prompted, Dialogue(), expected.question)
        rows.append(
            {
                "kind": kind,
                "question": expected.question,
                "told": reply.text[:120],
                "by": told_by(reply),
                "right": is_right(expected, reply),
                "embedded right": is_right(expected, alone),
                "seconds": round(seconds, 2),
                "embedded seconds": round(alone_seconds, 3),
                "notes": [note.partition("/v1: ")[2] or note for note in reply.notes],
            }
        )
    return rows


def hold(assistant: Assistant, turns: Sequence[Expected]) -> list[dict[str, object]]:
    """The first turns of a written dialogue: what became of each follow-up."""
    dialogue = Dialogue()
    rows: list[dict[str, object]] = []
    for expected in turns:
        reply, seconds = ask(assistant, dialogue, expected.question)
        dialogue = dialogue.add(Turn(expected.question, reply))
        rows.append(
            {
                "question": expected.question,
                "searched": reply.query.text,
                "right": is_right(expected, reply),
                "seconds": round(seconds, 2),
                "notes": [note.partition("/v1: ")[2] or note for note in reply.notes],
            }
        )
    return rows


def summary(rows: Sequence[dict]) -> dict[str, object]:
    seconds = statistics.median(row["seconds"] for row in rows)
    alone = statistics.median(row["embedded seconds"] for row in rows)
    kinds = dict.fromkeys(row["kind"] for row in rows)
    return {
        "questions": len(rows),
        "right": {
            kind: {
                "of": sum(row["kind"] == kind for row in rows),
                "with the model": sum(row["right"] for row in rows if row["kind"] == kind),
                "embedded": sum(row["embedded right"] for row in rows if row["kind"] == kind),
            }
            for kind in kinds
        },
        "told by": Counter(row["by"] for row in rows),
        "median seconds": seconds,
        "median seconds embedded": alone,
        "ratio": round(seconds / alone, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--llm", metavar="URL")
    parser.add_argument("--model", default=smollm2.NAME)
    parser.add_argument("--questions", type=int, default=17)
    parser.add_argument("--turns", type=int, default=4)
    parser.add_argument("--patience", type=float, default=900.0)
    parser.add_argument("--tokens", type=int, default=64)
    options = parser.parse_args()
    embedded = open_files([EXAMPLES / "collection"]).assistant
    with (
        nullcontext(options.llm) if options.llm else smollm2.served() as address,
        recorder(open_endpoint(address, options.model, seconds=1, tokens=1).url) as (url, calls),
    ):
        settings = replace(
            Settings(),
            llm=url,
            model=options.model,
            patience=options.patience,
            tokens=options.tokens,
        )
        prompted = open_files([EXAMPLES / "collection"], settings).assistant
        ask(embedded, Dialogue(), "Where is it?")  # the first question of all loads what is needed
        rows = measure(embedded, prompted, sample(options.questions))
        reading = quotations(calls)
        [first, *_] = read_script().values()
        turns = hold(prompted, first[: options.turns])
    result = {
        "model": options.model,
        "tokens": options.tokens,
        **summary(rows),
        "reading": reading,
        "rows": rows,
        "dialogue": turns,
    }
    write_result("language-model", result)


if __name__ == "__main__":
    main()
