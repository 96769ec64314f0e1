"""Summaries and comparisons of a language model, written to a file for a reader's judgement.

`scripts/bench language_model requests` runs it. Half of the requests are on the example collection,
half on documents of written dev that a seed draws. Each line of the file is a request with its
sentences, the words that bear each out, and `borne out`, null until a reader has put true or false
there. Requests that the file has are not made again.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.kept_completions import Kept
from benchmarks.scripted_dialogues import EXAMPLES
from seminar.answering.meta_questions import recognise
from seminar.assembly import open_files
from seminar.assistant import Assistant
from seminar.datasets.dialogues.written import WrittenSet
from seminar.datasets.dialogues.written_files import write_files
from seminar.questions.llm_planner import PLAN, Planner
from seminar.settings import Settings
from seminar.types import Dialogue, Reply
from seminar.writing.writer import ProseWriter

EXAMPLE_COLLECTION = "example collection"
SUMMARIES = (
    "Summarise the ferry",
    "Summarise the choir",
    "Summarise the lantern",
    "Summarise the library",
    "Summarise Maud Brennan",
    "Summarise the eelgrass",
    "Summarise the public nights at the observatory",
    "Summarise #boathouse in February 2025",
    "What was said in marine-station since 20 February 2025?",
    "Summarise mail/office.mbox",
)
COMPARISONS = (
    "Compare old Brennan Hall with new Brennan Hall",
    "Compare Maud Brennan with Ines Calloway",
    "Compare Tobias Brennan with Leopold Osgood",
    "Compare the refectory with the boathouse",
    "Compare the library with the archive",
    "Compare the choir with the lantern",
    "Compare the eelgrass with the storm petrels",
    "Compare Harriet Osgood with Leopold Osgood",
    "Compare the ferry with the island",
    "Compare the gardens with the observatory",
)
DRAWN = 10  # of each kind from the written dialogues
_JOINED = re.compile(r"\b(?:and|with|to|against|versus|vs)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Request:
    """A request and the collection that it is made of: the examples, or a set by its id."""

    collection: str
    text: str


def requests_of(groups: Sequence[WrittenSet], seed: int) -> list[Request]:
    """All requests: those on the examples as they are written, the others as a seed draws them."""
    chance = random.Random(seed)
    drawn: dict[str, list[Request]] = {"summary": [], "comparison": []}
    order = chance.sample(list(groups), len(groups))
    for group in order:
        titles = sorted({one.title for one in group.documents if not _JOINED.search(one.title)})
        if len(titles) < 2:
            continue
        one, *two = chance.sample(titles, 2)
        for text in (f"Summarise {one}", f"Compare {one} with {two[0]}"):
            asked = recognise(text)
            if asked and asked.kind in drawn:
                drawn[asked.kind].append(Request(group.id, text))
    own = [Request(EXAMPLE_COLLECTION, text) for text in (*SUMMARIES, *COMPARISONS)]
    return [*own, *drawn["summary"][:DRAWN], *drawn["comparison"][:DRAWN]]


def make(
    wanted: Sequence[Request],
    groups: Sequence[WrittenSet],
    settings: Settings,
    *,
    model: Kept,
    file: Path,
) -> None:
    """Make each request that the file lacks, and write what came of it there at once."""
    known = {(one["collection"], one["request"]) for one in read(file)}
    sets = {group.id: group for group in groups}
    for collection in dict.fromkeys(one.collection for one in wanted):
        missing = [
            one
            for one in wanted
            if one.collection == collection and (collection, one.text) not in known
        ]
        if not missing:
            continue
        with tempfile.TemporaryDirectory() as place:
            folder = EXAMPLES / "collection"
            if collection in sets:
                folder = Path(place)
                write_files(sets[collection], folder)
            assistant = open_files([folder], settings).assistant
            use(assistant, model)
            for one in missing:
                record = _made(assistant, one, model)
                with file.open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps(record, ensure_ascii=False) + "\n")
                print(f"{one.text}: {len(record['sentences'])} sentences", flush=True)


def use(assistant: Assistant, model: Kept) -> None:
    """Let an assistant's writer write with this model."""
    writer = assistant.writer
    assert isinstance(writer, ProseWriter)
    assert writer.requests is not None
    writer.model = writer.requests.model = model
    writer.planner = Planner(model.shaped(PLAN))


def _made(assistant: Assistant, request: Request, model: Kept) -> dict[str, object]:
    model.uses.reset()
    begun = time.perf_counter()
    reply = assistant.reply(Dialogue(), request.text)
    seconds = time.perf_counter() - begun - model.uses.spent + model.uses.seconds
    prose = reply.prose
    return {
        "collection": request.collection,
        "request": request.text,
        "sentences": list(_sentences(reply)),
        "left out": prose.left_out if prose else 0,
        "tokens": prose.read + prose.written if prose else 0,
        "seconds": round(seconds, 1),
        "notes": list(reply.notes),
    }


def _sentences(reply: Reply) -> Iterator[dict[str, object]]:
    for one in reply.prose.segments if reply.prose else ():
        yield {
            "text": one.text,
            "side": one.side,
            "words": [{"source": span.source, "text": span.text} for span in one.spans],
            "borne out": None,
        }


def read(file: Path) -> list[dict]:
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return [json.loads(line) for line in lines]


def judged(file: Path) -> dict[str, object]:
    """What a reader found in the file: how many sentences are borne out by their words."""
    found = read(file)
    marks = [one["borne out"] for record in found for one in record["sentences"]]
    counted = [mark for mark in marks if mark is not None]
    return {
        "requests": len(found),
        "requests without a sentence": sum(not record["sentences"] for record in found),
        "sentences": len(marks),
        "left out": sum(record["left out"] for record in found),
        "judged": len(counted),
        "borne out": sum(counted),
        "borne out, %": round(100 * sum(counted) / len(counted), 1) if counted else None,
    }
