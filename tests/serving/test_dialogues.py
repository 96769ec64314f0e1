"""Dialogues over a real server: asked, listed, forked, exported, and there after a restart."""

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from seminar.serving.storage.schema import StoredTurn
from tests.serving.conftest import Service, running

FOUNDED = "Who founded the observatory?"


def begin(service: Service, **fields: str) -> str:
    body = {"collection": service.collection, **fields}
    response = service.client.post("/api/v1/dialogues", json=body)
    assert response.status_code == 201, response.text
    return response.json()["id"]


def ask(service: Service, dialogue: str, question: str, **headers: str) -> httpx.Response:
    path = f"/api/v1/dialogues/{dialogue}/turns"
    return service.client.post(path, json={"question": question}, headers=headers)


def stream(service: Service, dialogue: str, question: str) -> Iterator[tuple[str, dict]]:
    path = f"/api/v1/dialogues/{dialogue}/turns"
    headers = {"Accept": "text/event-stream"}
    with service.client.stream("POST", path, json={"question": question}, headers=headers) as r:
        assert r.status_code == 200, r.read()
        name = ""
        for line in r.iter_lines():
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                yield name, json.loads(line.removeprefix("data: "))


@pytest.fixture(scope="module")
def asked(service: Service) -> dict:
    """A dialogue of two turns."""
    dialogue = begin(service)
    for question in (FOUNDED, "When was that?"):
        assert ask(service, dialogue, question).status_code == 200
    return service.client.get(f"/api/v1/dialogues/{dialogue}").json()


def test_turn_has_every_field_of_ask_and_exact_spans(asked: dict):
    turn = asked["turns"][0]
    assert (turn["number"], turn["question"], turn["feedback"]) == (1, FOUNDED, None)
    reply = turn["reply"]
    assert {"text", "answerable", "affirmation", "hits", "score", "representations"} <= set(reply)
    for span in (*reply["literal"], *([reply["nearest"]] if reply["nearest"] else [])):
        holding = next(
            hit
            for hit in reply["hits"]
            if hit["source"] == span["document"] and hit["start"] <= span["start"] < hit["end"]
        )
        start = span["start"] - holding["start"]
        sentence = span["before"] + span["text"] + span["after"]
        assert holding["text"][start : start + len(span["text"])] == span["text"]
        assert sentence in holding["text"]


def test_turn_has_the_seconds_of_its_stages(asked: dict):
    reply = asked["turns"][0]["reply"]
    assert list(reply["stages"]) == ["search", "answer"]
    assert sum(reply["stages"].values()) == pytest.approx(reply["seconds"], abs=0.001)


def test_stages_come_in_order_and_the_turn_is_stored_before_its_answer(service: Service):
    dialogue = begin(service)
    names = []
    for name, record in stream(service, dialogue, "What is eelgrass?"):
        names.append(name)
        if name == "searched":
            assert record["query"]
            assert {"source", "start", "end", "text", "score"} <= set(record["hits"][0])
        if name == "answer":
            assert record["number"] == 1
            with service.state.reads() as session:
                stored = session.get_one(StoredTurn, (dialogue, 1))
                assert stored.reply["text"] == record["text"]
        if name == "done":
            shown = service.client.get(f"/api/v1/dialogues/{dialogue}").json()
            assert shown["turns"] == [record]
    assert names == ["searched", "answer", "followups", "done"]


def test_client_that_leaves_finds_the_turn_later(service: Service):
    dialogue = begin(service)
    for name, _ in stream(service, dialogue, "Who is Maud Brennan?"):
        assert name == "searched"
        break
    for _ in range(200):
        turns = service.client.get(f"/api/v1/dialogues/{dialogue}").json()["turns"]
        if turns:
            break
        asyncio.run(asyncio.sleep(0.1))
    assert [turn["question"] for turn in turns] == ["Who is Maud Brennan?"]


def test_questions_at_once_follow_each_other(service: Service):
    dialogue = begin(service)
    questions = ["What is eelgrass?", "Who is Maud Brennan?", "When does the ferry leave?"]
    with ThreadPoolExecutor(3) as pool:
        responses = list(pool.map(lambda question: ask(service, dialogue, question), questions))
    assert [response.status_code for response in responses] == [200, 200, 200]
    turns = service.client.get(f"/api/v1/dialogues/{dialogue}").json()["turns"]
    assert [turn["number"] for turn in turns] == [1, 2, 3]
    assert sorted(turn["question"] for turn in turns) == sorted(questions)


def test_repeated_request_gives_the_same_turn(service: Service):
    dialogue = begin(service)
    key = {"Idempotency-Key": "k1"}
    first = ask(service, dialogue, FOUNDED, **key).json()
    assert ask(service, dialogue, FOUNDED, **key).json() == first
    assert len(service.client.get(f"/api/v1/dialogues/{dialogue}").json()["turns"]) == 1
    other = ask(service, dialogue, "What is eelgrass?", **key)
    assert (other.status_code, other.headers["content-type"]) == (422, "application/problem+json")
    assert "was sent with another question" in other.json()["detail"]


@pytest.mark.parametrize(
    ("question", "what"),
    [("", "no letter or digit"), ("?!", "no letter or digit"), ("a " * 2_001, "4,002 characters")],
)
def test_question_that_can_not_be_asked_is_a_problem(service: Service, question: str, what: str):
    response = ask(service, begin(service), question, Accept="text/event-stream")
    assert response.status_code == 422
    assert what in response.json()["detail"]


def test_dialogue_that_is_not_there_is_a_problem_before_the_stream(service: Service):
    response = ask(service, "0" * 32, FOUNDED, Accept="text/event-stream")
    assert response.status_code == 404
    assert "There is no dialogue" in response.json()["detail"]


def test_search_finds_questions_and_answers(service: Service, asked: dict):
    get = service.client.get
    found = get("/api/v1/dialogues", params={"q": "FOUNDED THE OBS"}).json()["items"]
    [match] = [one for one in found if one["id"] == asked["id"]]
    assert (match["match"], match["number"]) == (FOUNDED, 1)
    text = asked["turns"][1]["reply"]["text"]
    found = get("/api/v1/dialogues", params={"q": text}).json()["items"]
    assert asked["id"] in [one["id"] for one in found]
    assert get("/api/v1/dialogues", params={"q": "100%_sure"}).json()["items"] == []


def test_list_continues_at_its_cursor(service: Service, asked: dict):
    names = [begin(service) for _ in range(3)]
    first = service.client.get("/api/v1/dialogues", params={"limit": 2}).json()
    assert [one["id"] for one in first["items"]] == [names[2], names[1]]
    params = {"limit": 200, "after": first["next"]}
    second = service.client.get("/api/v1/dialogues", params=params).json()
    assert second["items"][0]["id"] == names[0]
    assert second["next"] is None
    bad = service.client.get("/api/v1/dialogues", params={"after": "x"})
    assert bad.status_code == 422


def test_dialogue_is_renamed_scoped_and_deleted(service: Service):
    dialogue = begin(service)
    path = f"/api/v1/dialogues/{dialogue}"
    changed = service.client.patch(path, json={"title": "Halls", "scope": "halls"}).json()
    assert (changed["title"], changed["scope"]) == ("Halls", "halls")
    reply = ask(service, dialogue, "When was the new hall opened?").json()["reply"]
    assert {hit["source"].partition("/")[0] for hit in reply["hits"]} == {"halls"}
    unknown = service.client.patch(path, json={"scope": "hals"})
    assert unknown.status_code == 422
    assert "Did you mean 'halls'?" in unknown.json()["detail"]
    assert service.client.delete(path).status_code == 204
    assert service.client.get(path).status_code == 404


def test_fork_has_the_turns_before(service: Service, asked: dict):
    path = f"/api/v1/dialogues/{asked['id']}/fork"
    fork = service.client.post(path, json={"number": 2}).json()
    assert fork["forked_from"] == asked["id"]
    shown = service.client.get(f"/api/v1/dialogues/{fork['id']}").json()
    assert shown["turns"] == asked["turns"][:1]
    assert ask(service, fork["id"], "Where is it?").json()["number"] == 2
    assert service.client.post(path, json={"number": 9}).status_code == 422


def test_feedback_is_kept_and_replaced(service: Service, asked: dict):
    path = f"/api/v1/dialogues/{asked['id']}/turns/1/feedback"
    span = {"source": "observatory.html", "start": 3, "end": 9, "text": "Osgood"}
    service.client.put(path, json={"right": True})
    put = service.client.put(path, json={"right": False, "span": span, "comment": "no"}).json()
    assert (put["right"], put["span"], put["comment"]) == (False, span, "no")
    turns = service.client.get(f"/api/v1/dialogues/{asked['id']}").json()["turns"]
    assert turns[0]["feedback"] == put
    assert turns[1]["feedback"] is None
    assert service.client.put(path.replace("/1/", "/9/"), json={"right": True}).status_code == 404


def test_dialogue_goes_on_after_a_restart(service: Service):
    questions = ["What is eelgrass?", "Are you sure?", "tell me more"]
    whole = begin(service)
    expected = [ask(service, whole, question).json()["reply"] for question in questions]
    restarted = begin(service)
    got = [ask(service, restarted, questions[0]).json()["reply"]]
    for question in questions[1:]:
        with running(service.state.settings) as other:
            got.append(ask(other, restarted, question).json()["reply"])
    untimed = {"seconds": 0, "stages": {}}
    for one, two in zip(expected, got, strict=True):
        assert {**one, **untimed} == {**two, **untimed}


def test_two_processes_number_the_turns_of_one_dialogue(service: Service):
    dialogue = begin(service)
    with running(service.state.settings) as other, ThreadPoolExecutor(2) as pool:
        first = pool.submit(ask, service, dialogue, "What is eelgrass?")
        second = pool.submit(ask, other, dialogue, "Who is Maud Brennan?")
        assert [first.result().status_code, second.result().status_code] == [200, 200]
    turns = service.client.get(f"/api/v1/dialogues/{dialogue}").json()["turns"]
    assert [turn["number"] for turn in turns] == [1, 2]
