import json

import pytest

from seminar.models.llm.context import context_of
from seminar.models.llm.endpoint import Endpoint
from tests.completions import Response, serving


def page(content: object) -> Response:
    return Response(json.dumps(content).encode())


@pytest.mark.parametrize(
    ("pages", "tokens"),
    [
        ({"/props": page({"default_generation_settings": {"n_ctx": 8192}})}, 8192),
        ({"/v1/models": page({"data": [{"id": "small", "max_model_len": 32768}]})}, 32768),
        ({"/v1/models": page({"data": [{"id": "other", "max_model_len": 32768}]})}, 0),
        ({"/props": page({"default_generation_settings": {"n_ctx": "many"}})}, 0),
        ({"/props": page([1]), "/v1/models": Response(b"[" * 10_000)}, 0),
        ({}, 0),
    ],
)
def test_context_is_asked_of_the_server(pages: dict[str, Response], tokens: int):
    with serving(lambda _, __: Response(b""), pages) as (url, _):
        assert context_of(Endpoint(url, "small")) == tokens


def test_a_server_that_is_down_tells_nothing():
    assert context_of(Endpoint("http://127.0.0.1:9/v1", "small")) == 0
