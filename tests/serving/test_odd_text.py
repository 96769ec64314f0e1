"""Text that no database or file can hold is an error or is replaced, never a failure."""

import pytest

from tests.serving.conftest import Service

HALF = b'"\\ud800 \\u0000 \\udfff"'  # halves of surrogate pairs and NUL, as JSON


def send(service: Service, method: str, path: str, body: bytes) -> int:
    headers = {"Content-Type": "application/json"}
    return service.client.request(method, path, content=body, headers=headers).status_code


@pytest.fixture(scope="module")
def dialogue(service: Service) -> str:
    body = {"collection": service.collection}
    name = service.client.post("/api/v1/dialogues", json=body).json()["id"]
    question = {"question": "What is eelgrass?"}
    service.client.post(f"/api/v1/dialogues/{name}/turns", json=question)
    return name


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "dialogues", b'{"collection": %s}'),
        ("PATCH", "dialogues/{id}", b'{"title": %s}'),
        ("PATCH", "dialogues/{id}", b'{"scope": %s}'),
        ("POST", "dialogues/{id}/turns", b'{"question": %s}'),
        ("PUT", "dialogues/{id}/turns/1/feedback", b'{"right": true, "comment": %s}'),
        (
            "PUT",
            "dialogues/{id}/turns/1/feedback",
            b'{"right": true, "span": {"source": %s, "text": "a", "start": 0, "end": 1}}',
        ),
    ],
)
def test_halves_of_characters_never_fail(
    service: Service, dialogue: str, method: str, path: str, body: bytes
):
    status = send(service, method, f"/api/v1/{path.format(id=dialogue)}", body % HALF)
    assert status < 500


def test_halves_of_characters_never_fail_in_openais_form(service: Service):
    for body in (
        b'{"model": %s, "messages": [{"role": "user", "content": "Who?"}]}',
        b'{"model": "collection", "messages": [{"role": "user", "content": %s}]}',
        b'{"model": "collection", "scope": %s, "messages": [{"role": "user", "content": "Who?"}]}',
        b'{"model": "collection", "messages": [{"role": %s, "content": "Who?"}]}',
    ):
        assert send(service, "POST", "/v1/chat/completions", body % HALF) < 500
