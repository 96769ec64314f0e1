"""A language model behind the service: quick answer, draft, prose with citations that open."""

import json
from collections.abc import Iterator
from pathlib import Path

import openai
import pytest

from seminar.serving.settings import ServiceSettings
from seminar.settings import Settings
from tests.completions import Response, lines_in, serving, streamed
from tests.serving.conftest import Service, running

QUESTION = "How long does the ferry Lodestar take to cross?"
SENTENCE = "The ferry Lodestar crosses in 55 minutes."


def answering(prompt: str, _: int) -> Response:
    *passages, _ = lines_in(prompt)
    number = next(line["passage"] for line in passages if "crosses" in line["text"])
    return streamed(
        "The ferry Lodestar ", f"crosses in 55 minutes. [{number}] ", "<b>It flies.</b>"
    )


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    place = tmp_path_factory.mktemp("written")
    files = place / "files"
    files.mkdir()
    (files / "ferry.md").write_text(f"# The ferry\n\n{SENTENCE} Her master is Edda Thornquist.\n")
    with serving(answering) as (url, _):
        assistant = Settings(encoder="static", llm=url, model="scripted")
        settings = ServiceSettings(folder=place / "state", paths=(files,), assistant=assistant)
        with running(settings) as service:
            service.wait_for_index(service.collection)
            yield service


@pytest.fixture(scope="module")
def dialogue(written: Service) -> str:
    asked = {"collection": written.collection, "scope": ""}
    return written.client.post("/api/v1/dialogues", json=asked).json()["id"]


@pytest.fixture(scope="module")
def events(written: Service, dialogue: str) -> list[tuple[str, dict]]:
    response = written.client.post(
        f"/api/v1/dialogues/{dialogue}/turns",
        json={"question": QUESTION},
        headers={"Accept": "text/event-stream"},
    )
    blocks = [block.splitlines() for block in response.text.split("\n\n") if "data: " in block]
    return [(name[7:], json.loads(data[6:])) for name, data in blocks]


def test_the_quick_answer_comes_before_the_draft(events: list[tuple[str, dict]]):
    names = [name for name, _ in events]
    assert names[:3] == ["searched", "quick", "writing"]
    assert names[-3:] == ["answer", "followups", "done"]
    assert dict(events)["quick"]["text"] == "55 minutes"
    assert dict(events)["quick"]["prose"] is None
    draft = "".join(record["text"] for name, record in events if name == "writing")
    assert draft.startswith(SENTENCE)


def test_the_stored_turn_has_prose_with_its_words(events: list[tuple[str, dict]]):
    reply = dict(events)["done"]["reply"]
    assert reply["text"] == "55 minutes"
    segment, added = reply["prose"]["segments"]
    assert (added["text"], added["role"]) == ("Her master is Edda Thornquist.", "lead")
    assert segment["role"] is None
    [span] = segment["spans"]
    assert (segment["text"], span["text"], span["source"]) == (SENTENCE, SENTENCE, "ferry.md")
    assert {"before", "after", "document"} <= set(span)
    assert (reply["prose"]["left_out"], reply["prose"]["tokens"]) == (
        1,
        {"read": 90, "written": 7},
    )
    assert reply["stages"]["write"] > 0


def test_exports_have_the_prose(written: Service, dialogue: str, events: list):
    for kind, marked in (("markdown", r"\[1\]"), ("html", "[1]"), ("json", '"prose"')):
        text = written.client.get(f"/api/v1/dialogues/{dialogue}/export?format={kind}").text
        assert marked in text
        assert "It flies" not in text


def test_openai_clients_get_prose_with_annotations(written: Service):
    with openai.OpenAI(base_url=f"{written.url}/v1", api_key="none", max_retries=0) as client:
        [model] = [one.id for one in client.models.list().data]
        messages = [{"role": "user", "content": QUESTION}]
        answer = client.chat.completions.create(model=model, messages=messages)
        stream = client.chat.completions.create(model=model, messages=messages, stream=True)
        chunks = [chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices]
    message = answer.choices[0].message
    assert message.content.startswith(SENTENCE)
    assert "".join(chunks) == message.content
    assert len([chunk for chunk in chunks if chunk]) > 1
    cited = message.annotations[0].url_citation
    assert cited.kind == "prose"
    assert message.content[cited.start_index : cited.end_index] == SENTENCE
    assert written.client.get(cited.url).status_code == 200


def test_openai_clients_get_a_summary_once(written: Service):
    with openai.OpenAI(base_url=f"{written.url}/v1", api_key="none", max_retries=0) as client:
        [model] = [one.id for one in client.models.list().data]
        messages = [{"role": "user", "content": "Summarise the ferry"}]
        message = client.chat.completions.create(model=model, messages=messages).choices[0].message
    assert message.content == SENTENCE
    [cited] = [one.url_citation for one in message.annotations]
    assert (cited.kind, cited.text) == ("literal", SENTENCE)


def test_a_model_that_fails_leaves_the_answer(tmp_path: Path):
    files = tmp_path / "files"
    files.mkdir()
    (files / "ferry.md").write_text(f"# The ferry\n\n{SENTENCE}\n")
    with serving(lambda _, __: Response(b"", 401)) as (url, _):
        assistant = Settings(encoder="static", llm=url, model="scripted")
        settings = ServiceSettings(folder=tmp_path / "state", paths=(files,), assistant=assistant)
        with running(settings) as service:
            service.wait_for_index(service.collection)
            asked = {"collection": service.collection, "scope": ""}
            made = service.client.post("/api/v1/dialogues", json=asked).json()["id"]
            turn = service.client.post(
                f"/api/v1/dialogues/{made}/turns", json={"question": QUESTION}, timeout=60
            ).json()
    assert turn["reply"]["text"] == "55 minutes"
    assert turn["reply"]["prose"] is None
    assert "it wants a key" in turn["reply"]["notes"][0]
