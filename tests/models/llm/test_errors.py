import json

import pytest

from seminar.models.llm.errors import ErrorResponse, Server, explain
from tests.completions import model_list

KEY = "sk-very-secret"
URL = "http://here:8080/v1"


def explained(
    status: int, *, content: bytes = b"", key: str = KEY, models: bytes | None = None
) -> str:
    """The explanation of an error response of a server that lists these models."""

    def fetch(url: str) -> tuple[int, bytes]:
        return (200, models) if models is not None and url == f"{URL}/models" else (404, b"")

    return explain(ErrorResponse(status, content), Server(URL, "small", key, fetch))


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (401, "it refused the key: check SEMINAR_LLM_KEY"),
        (403, "it refused the key: check SEMINAR_LLM_KEY"),
        (402, "no credit is left"),
        (413, "the prompt is too long for it"),
        (422, "it can't serve this request"),
        (429, "too many requests, or no credit is left"),
        (301, "it sends elsewhere: name that address itself, perhaps with https"),
    ],
)
def test_a_known_status_is_explained(status: int, reason: str):
    assert explained(status, content=f"no: {KEY}".encode()) == f"it answered {status}, {reason}"


def test_an_unknown_status_is_given_without_an_explanation():
    assert explained(503) == "it answered 503"


def test_without_a_key_the_variable_is_named():
    assert explained(401, key="") == "it answered 401, it wants a key: set SEMINAR_LLM_KEY"


def test_a_context_that_is_too_small_is_explained():
    said = b'{"error": "the request exceeds the available context size"}'
    reason = "the prompt is too long for its context: serve the model with a longer one"
    assert explained(400, content=said) == f"it answered 400, {reason}"


@pytest.mark.parametrize("status", [400, 404])
def test_a_model_that_is_not_listed_is_named_as_missing(status: int):
    names = [f"model-{n:02}" for n in range(20)]
    assert explained(status, models=model_list(*names).body) == (
        f"it answered {status}, it has no model 'small'. It has: "
        "model-00, model-01, model-02, model-03, model-04, model-05, model-06, model-07, ... "
        "(--model NAME)"
    )


def test_a_server_without_models_is_named_as_such():
    assert explained(404, models=model_list().body) == (
        "it answered 404, it has no model 'small': it has none (--model NAME)"
    )


def test_a_listed_model_is_not_named_as_missing():
    assert (
        explained(400, models=model_list("small").body)
        == "it answered 400, it can't serve this request"
    )
    assert (
        explained(404, models=model_list("small").body)
        == "it answered 404, no such address or model"
    )


def test_only_harmless_names_are_quoted():
    """A list of models is content of the server too."""
    names = [KEY, f"x-{KEY}", "a b", "\x1b[31mred", "n" * 81, "fine/model:7b@q4", 7, None]
    models = json.dumps({"data": [{"id": name} for name in names]}).encode()
    assert explained(404, models=models).endswith("It has: fine/model:7b@q4 (--model NAME)")


@pytest.mark.parametrize("models", [b"", b"<html>", b"[]", b'{"data": 3}', b'{"data": [3]}'])
def test_a_page_that_is_no_list_of_models_means_no_chat_protocol(models: bytes):
    assert "it has no chat protocol there" in explained(404, models=models)
