import json
import logging
import socket

import pytest

from seminar.errors import ConfigurationError, EndpointError
from seminar.models.llm.endpoint import Bounds, Endpoint, check_url, key_for, open_endpoint
from seminar.models.llm.prompts import TEXT, shape
from tests.completions import Response, completion, model_list, serving

KEY = "sk-very-secret"


def test_each_prompt_gets_its_completion_in_order():
    with serving(lambda prompt, _: completion(prompt.upper())) as (url, received):
        endpoint = Endpoint(url, "small", key=KEY)
        assert endpoint.generate(["one", "två", "🦔", "four", "five", "six"]) == [
            "ONE",
            "TVÅ",
            "🦔",
            "FOUR",
            "FIVE",
            "SIX",
        ]
        assert endpoint.generate([]) == []
    assert {body["model"] for body in received.bodies} == {"small"}
    assert {headers["Authorization"] for headers in received.headers} == {f"Bearer {KEY}"}


def test_the_key_is_in_no_log(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    with serving(lambda _, __: completion("hello")) as (url, _):
        endpoint = Endpoint(url, "small", key=KEY)
        endpoint.generate(["hi"])
    assert "/v1/chat/completions" in caplog.text
    assert KEY not in caplog.text
    assert KEY not in repr(endpoint)


def test_without_a_key_no_header_is_sent():
    with serving(lambda _, __: completion("hello")) as (url, received):
        Endpoint(url, "small").generate(["hi"])
    assert "Authorization" not in received.headers[0]


@pytest.mark.parametrize(
    "fault",
    [
        Response(b"slow down", 429, {"Retry-After": "0"}),
        Response(b"", 500),
        Response(b"<html>bad gateway</html>", 502),
        Response(b"<html>fine</html>"),
        Response(b'{"choices": []}'),
        Response(b"", 503, {"Retry-After": "Mon, 01 Jan 99999999999 00:00:00 GMT"}),
        Response(b'{"choices": [{"message": {"content": null}}]}'),
        Response(b"[" * 100_000),
    ],
    ids=["429", "500", "502", "not JSON", "no choice", "no date", "no text", "deep"],
)
def test_what_may_pass_is_tried_again(fault: Response):
    with serving(lambda _, before: completion("at last") if before else fault) as (url, received):
        assert Endpoint(url, "small").generate(["hi"]) == ["at last"]
    assert len(received.prompts) == 2


def test_tries_are_bounded():
    with (
        serving(lambda _, __: Response(b"", 503)) as (url, received),
        pytest.raises(EndpointError, match=r"/v1: it answered 503 \(tried 2 times\)"),
    ):
        Endpoint(url, "small", bounds=Bounds(attempts=2)).generate(["hi"])
    assert len(received.prompts) == 2


@pytest.mark.parametrize("wait", ["3600", "Fri, 31 Dec 2199 23:59:59 GMT"])
def test_a_wait_beyond_the_bound_is_not_waited_for(wait: str):
    limited = Response(b"", 429, {"Retry-After": wait})
    with (
        serving(lambda _, __: limited) as (url, received),
        pytest.raises(
            EndpointError,
            match=r"it answered 429, too many requests, or no credit is left \(tried once\)",
        ),
    ):
        Endpoint(url, "small").generate(["hi"])
    assert len(received.prompts) == 1


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (401, "it answered 401, it refused the key: check SEMINAR_LLM_KEY"),
        (
            404,
            "it answered 404, it has no chat protocol there: the address is what comes before "
            "/chat/completions, and often ends in /v1",
        ),
        (302, "it answered 302, it sends elsewhere: name that address itself, perhaps with https"),
    ],
)
def test_a_refusal_is_not_tried_again_and_quotes_nothing(status: int, told: str):
    refusal = Response(f"Incorrect key: {KEY}".encode(), status, {"Location": "http://elsewhere/"})
    with (
        serving(lambda _, __: refusal) as (url, received),
        pytest.raises(EndpointError) as error,
    ):
        Endpoint(url, "small", key=KEY).generate(["hi"])
    assert str(error.value) == f"{url}: {told} (tried once)"
    assert len(received.prompts) == 1


def test_a_missing_model_is_named_with_the_available_ones():
    pages = {"/v1/models": model_list("small:latest", "large")}
    with (
        serving(lambda _, __: Response(b"", 404), pages) as (url, _),
        pytest.raises(EndpointError) as error,
    ):
        Endpoint(url, "small").generate(["hi"])
    assert str(error.value) == (
        f"{url}: it answered 404, it has no model 'small'. Did you mean 'small:latest'? "
        "It has: large, small:latest (--model NAME) (tried once)"
    )


def test_an_address_without_v1_is_explained():
    with (
        serving(lambda _, __: Response(b"", 404), {"/v1/models": model_list("small")}) as (url, _),
        pytest.raises(EndpointError) as error,
    ):
        Endpoint(url.replace("/v1", "/api"), "small").generate(["hi"])
    assert f"it has no chat protocol there: try --llm {url} (" in str(error.value)


def test_what_was_completed_before_another_failed_comes_with_the_error():
    def second_fails(prompt: str, _: int) -> Response:
        return Response(b"filtered", 400) if prompt == "two" else completion(prompt.upper())

    with (
        serving(second_fails) as (url, _),
        pytest.raises(EndpointError, match="400, it can't serve this request") as error,
    ):
        Endpoint(url, "small").generate(["one", "two", "three"])
    assert error.value.outputs == ("ONE", None, "THREE")


def test_an_output_that_ends_while_thinking_is_not_retried():
    cut = {"finish_reason": "length", "message": {"content": "", "reasoning": "Hm"}}
    with (
        serving(lambda _, __: Response(json.dumps({"choices": [cut]}).encode())) as (url, received),
        pytest.raises(EndpointError, match="it spent its 9 tokens before it answered: turn its"),
    ):
        Endpoint(url, "small", bounds=Bounds(tokens=9)).generate(["hi"])
    assert len(received.prompts) == 1


def test_an_endless_answer_is_cut_off():
    with (
        serving(lambda _, __: Response(b" " * 1_100_000)) as (url, _),
        pytest.raises(EndpointError, match=r"its answer is too long \(tried once\)"),
    ):
        Endpoint(url, "small").generate(["hi"])


def test_a_dead_endpoint_is_named_without_the_key():
    with socket.socket() as held:  # bound but not listening: nobody answers there
        held.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{held.getsockname()[1]}/v1"
        with pytest.raises(EndpointError) as error:
            Endpoint(url, "small", key=KEY, bounds=Bounds(attempts=2)).generate(["a", "b"])
    assert str(error.value) == (
        f"{url}: it can't be reached (ConnectError): is it running at this address? (tried 2 times)"
    )
    assert error.value.outputs == (None, None)


@pytest.mark.parametrize("url", ["http://über.–com", "http://a..b", "http://localhost/\udcff"])
def test_an_address_that_no_server_can_have_is_a_failure_like_others(url: str):
    with pytest.raises(
        EndpointError, match=r"it can't be reached \((InvalidURL|Unicode\w*Error)\)"
    ):
        Endpoint(url, "small", bounds=Bounds(attempts=1)).generate(["hi"])


def refused(*parts: str) -> list[list[str]]:
    """What a server was asked in turn that refuses these parts, one after another."""
    refusals = [Response(f"{{'error': 'Unsupported: {part}'}}".encode(), 400) for part in parts]

    def strict(_: str, before: int) -> Response:
        return refusals[before] if before < len(parts) else completion("fine")

    with serving(strict) as (url, received):
        shaped = Endpoint(url, "small").shaped(shape(question=TEXT))
        assert shaped.generate(["hi"]) == ["fine"]
    return [sorted(body) for body in received.bodies]


def test_a_server_that_refuses_optional_parts_is_asked_without_them():
    assert refused("max_tokens", "temperature") == [
        ["max_tokens", "messages", "model", "response_format", "temperature"],
        ["messages", "model", "response_format", "temperature"],
        ["messages", "model", "response_format"],
    ]


def test_a_refusal_that_names_no_part_is_taken_for_one_of_the_shape():
    assert refused("grammars") == [
        ["max_tokens", "messages", "model", "response_format", "temperature"],
        ["max_tokens", "messages", "model", "temperature"],
    ]


def test_the_shape_of_the_output_is_asked_for():
    with serving(lambda _, __: completion("{}")) as (url, received):
        endpoint = Endpoint(url, "small")
        endpoint.generate(["hi"])
        endpoint.shaped(shape(question=TEXT)).generate(["hi"])
    assert "response_format" not in received.bodies[0]
    assert received.bodies[1]["response_format"] == {
        "type": "json_schema",
        "json_schema": {
            "name": "output",
            "strict": True,
            "schema": {
                "type": "object",
                "properties": {"question": {"type": "string"}},
                "required": ["question"],
                "additionalProperties": False,
            },
        },
    }


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("localhost:8080", "must be like http://localhost:8080/v1"),
        ("ftp://host/v1", "must be like"),
        ("http://", "must be like"),
        ("http://host:99999/v1", "must be like"),
        (f"http://me:{KEY}@host/v1", "must hold no key"),
        (f"http://host/v1?key={KEY}", "must hold no key"),
    ],
)
def test_a_bad_address_is_refused_without_quoting_it(url: str, told: str):
    with pytest.raises(ConfigurationError, match=told) as error:
        check_url(url)
    assert KEY not in str(error.value)


def test_the_key_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch):
    with serving(lambda _, __: completion("hello")) as (url, received):
        monkeypatch.setenv("SEMINAR_LLM_KEY", " first\n")
        open_endpoint(url, "small", seconds=5, tokens=9).generate(["hi"])
    assert [one["Authorization"] for one in received.headers] == ["Bearer first"]


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://api.openai.com/v1", ("OPENAI_API_KEY", KEY)),
        ("https://eu.api.openai.com/v1", ("OPENAI_API_KEY", KEY)),
        ("http://localhost:8080/v1", ("", "")),
        ("https://openai.com.evil.example/v1", ("", "")),
        ("https://notopenai.com/v1", ("", "")),
        ("http://api.openai.com/v1", ("", "")),  # in clear
    ],
)
def test_the_key_for_openai_goes_nowhere_else(
    monkeypatch: pytest.MonkeyPatch, url: str, key: tuple[str, str]
):
    monkeypatch.delenv("SEMINAR_LLM_KEY", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert key_for(url) == key
    monkeypatch.setenv("SEMINAR_LLM_KEY", "first")
    assert key_for(url) == ("SEMINAR_LLM_KEY", "first")


@pytest.mark.parametrize("key", ["schlüssel", "two words", "a\nb"])
def test_a_key_that_is_none_is_not_quoted(monkeypatch: pytest.MonkeyPatch, key: str):
    monkeypatch.setenv("SEMINAR_LLM_KEY", key)
    with pytest.raises(ConfigurationError, match="SEMINAR_LLM_KEY holds characters") as error:
        open_endpoint("http://localhost", "small", seconds=5, tokens=9)
    assert key not in str(error.value)
