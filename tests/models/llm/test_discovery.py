import socket

from seminar.models.llm.discovery import find_endpoints
from tests.completions import Response, model_list, serving


def port_of(url: str) -> int:
    return int(url.rsplit(":", 1)[1].partition("/")[0])


def test_servers_that_list_models_are_found():
    with (
        serving(lambda _, __: Response(b""), {"/v1/models": model_list("qwen3:4b")}) as (url, _),
        serving(lambda _, __: Response(b""), {"/v1/models": Response(b"<html>")}) as (page, _),
        socket.socket() as held,
    ):
        held.bind(("127.0.0.1", 0))  # nobody listens there
        ports = {port_of(url): "Ollama", port_of(page): "a page", held.getsockname()[1]: "nobody"}
        [found] = find_endpoints(ports)
    assert (found.url, found.program, found.models) == (url, "Ollama", ("qwen3:4b",))


def test_no_port_finds_nothing():
    assert find_endpoints({}) == []
