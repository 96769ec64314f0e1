"""Completions that are streamed: by a server that does, and by servers that fail in many ways."""

import json
import time
from collections.abc import Iterator

import pytest

from seminar.errors import EndpointError
from seminar.models.llm.chat import Completion, Message
from seminar.models.llm.endpoint import Bounds, Endpoint
from tests.completions import Response, Script, completion, serving, streamed

KEY = "sk-very-secret"
ASKED = [Message("system", "Be short."), Message("user", "Who?")]


def chat(script: Script, *, seconds: float = 20.0) -> tuple[Completion, list[str], list[dict]]:
    heard: list[str] = []
    with serving(script) as (url, received):
        endpoint = Endpoint(url, "small", key=KEY, bounds=Bounds(seconds=seconds))
        made = endpoint.chat(ASKED, heard.append)
    return made, heard, received.bodies


def test_pieces_are_told_as_they_come_and_tokens_counted():
    made, heard, [body] = chat(lambda _, __: streamed("Ann", " Lee", "."))
    assert made == Completion("Ann Lee.", 90, 7)
    assert heard == ["Ann", " Lee", "."]
    assert (body["stream"], body["messages"][0]["role"]) == (True, "system")


def test_a_server_that_does_not_stream_is_understood():
    made, heard, _ = chat(lambda _, __: completion("Ann Lee."))
    assert (made.text, heard) == ("Ann Lee.", ["Ann Lee."])


def test_thoughts_are_left_out():
    made, heard, _ = chat(lambda _, __: streamed("<thi", "nk>Hm.</think>", "Ann."))
    assert (made.text, heard) == ("Ann.", ["Ann."])


def test_what_a_server_rejects_is_left_out_of_the_next_request():
    refusal = Response(b"stream_options: unknown field", 400)
    made, _, bodies = chat(lambda _, before: streamed("Ann.") if before else refusal)
    assert made.text == "Ann."
    assert ["stream_options" in body for body in bodies] == [True, False]


def test_a_connection_that_breaks_leaves_what_was_written():
    made, _, _ = chat(lambda _, __: streamed("Ann Lee. She", done=False, usage=None))
    assert (made.text, made.cut) == ("Ann Lee. She", "its connection broke off")


def test_a_stream_that_stalls_leaves_what_was_written():
    event = b'data: {"choices": [{"delta": {"content": "Ann Lee."}}]}\n\n'

    def stall() -> Iterator[bytes]:
        yield b"HTTP/1.0 200 OK\r\n\r\n" + event
        time.sleep(1.0)

    made, heard, _ = chat(lambda _, __: Response(b"", before=stall), seconds=0.6)
    assert (made.text, heard) == ("Ann Lee.", ["Ann Lee."])
    assert "no answer within 0.6 seconds" in made.cut


@pytest.mark.parametrize(
    "garbage",
    [
        Response(b"data: not json\n\ndata: [1, 2]\n\n" * 50),
        Response(b"\xff\xfe\x00garbage\n" * 50),
        Response(b'data: {"choices": [{"delta": {"content": 7}}]}\n\n'),
        Response(b"data: " + b"[" * 100_000 + b"\n\n"),
        Response(b"<html>fine</html>"),
        Response(b""),
    ],
    ids=["no JSON", "bytes", "no text", "deep", "a page", "nothing"],
)
def test_garbage_is_tried_again(garbage: Response):
    made, _, bodies = chat(lambda _, before: streamed("Ann.") if before else garbage)
    assert (made.text, len(bodies)) == ("Ann.", 2)


def test_an_endless_stream_is_cut():
    event = json.dumps({"choices": [{"delta": {"content": "tide " * 1000}}]})
    made, _, _ = chat(lambda _, __: Response(f"data: {event}\n\n".encode() * 300))
    assert made.cut == "its answer is too long"
    assert len(made.text) < 1_100_000


def test_an_error_within_the_stream_is_explained_without_its_words():
    event = json.dumps({"error": {"message": f"key {KEY} is over its context"}})
    with (
        serving(lambda _, __: Response(f"data: {event}\n\n".encode())) as (url, _),
        pytest.raises(EndpointError, match="too long for its context") as failed,
    ):
        Endpoint(url, "small", key=KEY, bounds=Bounds(attempts=1)).chat(ASKED, lambda _: None)
    assert KEY not in str(failed.value)


def test_tokens_spent_on_thinking_are_told():
    event = b'data: {"choices": [{"delta": {"content": "<think>Hm"}}]}\n\n'
    end = b'data: {"choices": [{"delta": {}, "finish_reason": "length"}]}\n\n'
    with (
        serving(lambda _, __: Response(event + end)) as (url, received),
        pytest.raises(EndpointError, match="turn its thinking off"),
    ):
        Endpoint(url, "small").chat(ASKED, lambda _: None)
    assert len(received.bodies) == 1
