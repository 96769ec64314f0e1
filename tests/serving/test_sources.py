"""Sources beside the conversation: text, pages and messages, and nothing outside the index."""

import asyncio
from io import BytesIO
from pathlib import Path

import httpx
import pytest
from PIL import Image

from seminar.serving.problems import Problem
from seminar.serving.sources.page_worker import PageRequest
from seminar.serving.sources.pages import Pages
from tests.paths import EXAMPLES
from tests.serving.conftest import Service

YELLOW = (255, 214, 64)


def get(service: Service, what: str, **params: object) -> httpx.Response:
    path = f"/api/v1/collections/{service.collection}/{what}"
    return service.client.get(path, params=params)


def hit(service: Service, q: str, scope: str) -> dict:
    [found, *_] = get(service, "passages", q=q, scope=scope).json()["items"]
    return found


def text_between(source: dict, start: int, end: int) -> str:
    [block] = [one for one in source["blocks"] if one["start"] <= start and end <= one["end"]]
    return block["text"][start - block["start"] : end - block["start"]]


def test_passages_have_place_and_text(service: Service):
    found = hit(service, "ferry in winter", "ferry.html")
    assert {"source", "start", "end", "text", "title", "section", "score"} <= set(found)
    assert found["source"] == "ferry.html"


def test_html_source_has_the_words_at_their_offsets(service: Service):
    found = hit(service, "ferry in winter", "ferry.html")
    first = found["text"].split("\n")[0]
    start = found["start"]
    source = get(service, "source", path="ferry.html", start=start, end=start + 10).json()
    assert (source["kind"], source["file"]) == ("text", "ferry.html")
    assert text_between(source, start, start + len(first)) == first


def test_long_source_is_read_on_at_both_ends(service: Service):
    source = get(service, "source", path="visitors-handbook.pdf").json()
    assert (source["kind"], source["before"]) == ("pages", None)
    seen = {block["start"] for block in source["blocks"]}
    while source["after"] is not None:
        source = get(service, "source", path="visitors-handbook.pdf", start=source["after"]).json()
        seen |= {block["start"] for block in source["blocks"]}
    assert source["blocks"][-1]["page"] >= 2
    assert min(seen) == 0


@pytest.fixture(scope="module")
def slack_span(service: Service) -> dict:
    """A span that a reply cites in the Slack export."""
    body = {"collection": service.collection, "scope": "slack/boathouse"}
    dialogue = service.client.post("/api/v1/dialogues", json=body).json()["id"]
    question = {"question": "How much do the larch planks for the Clara cost?"}
    turn = service.client.post(f"/api/v1/dialogues/{dialogue}/turns", json=question).json()
    reply = turn["reply"]
    return (reply["literal"] or [reply["nearest"]])[0]


def test_message_is_shown_in_its_thread(service: Service, slack_span: dict):
    place = {"path": slack_span["source"], "start": slack_span["start"], "end": slack_span["end"]}
    for document in ({}, {"document": slack_span["document"]}):
        source = get(service, "source", **place, **document).json()
        assert source["kind"] == "messages"
        assert text_between(source, place["start"], place["end"]) == slack_span["text"]
        [block] = [one for one in source["blocks"] if one["source"] == slack_span["source"]]
        assert (block["speaker"], block["time"]) == (slack_span["speaker"], slack_span["time"])


def test_file_of_threads_opens_at_its_first_one(service: Service):
    source = get(service, "source", path="mail/office.mbox").json()
    assert source["kind"] == "messages"
    assert source["source"].startswith("mail/office.mbox#")


@pytest.mark.parametrize(
    "path", ["../../etc/passwd", "/etc/passwd", "ferry.html/../index.html", "nowhere.md", "a#b"]
)
def test_paths_that_the_index_does_not_know_are_not_found(service: Service, path: str):
    for what in ("source", "page"):
        response = get(service, what, path=path)
        assert response.status_code == 404, response.text


def test_page_has_the_words_marked_and_nothing_else(service: Service):
    source = get(service, "source", path="visitors-handbook.pdf").json()
    block = next(one for one in source["blocks"] if one["page"] == 2)
    place = {"path": "visitors-handbook.pdf", "number": 2}
    marked = get(service, "page", **place, start=block["start"], end=block["start"] + 12)
    assert marked.headers["content-type"] == "image/png"
    plain = get(service, "page", **place)
    one, other = (Image.open(BytesIO(r.content)).convert("RGB") for r in (marked, plain))
    assert one.size == other.size
    assert _yellow(other) == 0
    assert 200 < _yellow(one) < one.size[0] * one.size[1] // 20


def _yellow(picture: Image.Image) -> int:
    return sum(count for count, colour in picture.getcolors(1 << 24) if colour == YELLOW)


def test_page_that_is_not_there_names_the_number_of_pages(service: Service):
    response = get(service, "page", path="visitors-handbook.pdf", number=99)
    assert response.status_code == 404
    assert "There is no page 99: the file has" in response.json()["detail"]
    response = get(service, "page", path="ferry.html")
    assert (response.status_code, "only PDFs" in response.json()["detail"]) == (422, True)


def test_damaged_pdf_is_a_problem(tmp_path: Path):
    file = tmp_path / "damaged.pdf"
    file.write_bytes((EXAMPLES / "collection" / "visitors-handbook.pdf").read_bytes()[:200])
    with pytest.raises(Problem, match="Page 1 can't be drawn"):
        asyncio.run(Pages().draw(PageRequest(str(file), 1)))
