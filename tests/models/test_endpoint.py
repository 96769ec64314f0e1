import socket
import threading

import pytest

from seminar.errors import ConfigurationError, EndpointError
from seminar.models.endpoint import Bounds, Endpoint, check_url, open_endpoint
from tests.completions import Response, said, serving

KEY = "sk-very-secret"


def test_each_prompt_gets_its_completion_in_order():
    with serving(lambda prompt, _: said(prompt.upper())) as (url, received):
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


def test_without_a_key_no_header_is_sent():
    with serving(lambda _, __: said("hello")) as (url, received):
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
        Response(b'{"choices": [{"message": {"content": null}}]}'),
        Response(b"[" * 100_000),
    ],
    ids=["429", "500", "502", "not JSON", "no choice", "no text", "deep"],
)
def test_what_may_pass_is_tried_again(fault: Response):
    with serving(lambda _, before: said("at last") if before else fault) as (url, received):
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
        pytest.raises(EndpointError, match=r"it answered 429 \(tried once\)"),
    ):
        Endpoint(url, "small").generate(["hi"])
    assert len(received.prompts) == 1


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (401, "it answered 401, it refused the key"),
        (404, "it answered 404, no such address or model"),
        (302, "it answered 302"),
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


def test_a_silent_server_is_left_within_the_bounds():
    heard = threading.Event()
    silent = Response(b"{}", pause=lambda: heard.wait(30) and None)
    with serving(lambda _, __: silent) as (url, _):
        with pytest.raises(EndpointError, match=r"no answer within 0\.2 seconds \(tried once\)"):
            Endpoint(url, "small", bounds=Bounds(seconds=0.4)).generate(["hi"])
        heard.set()


def test_what_hangs_once_is_tried_again():
    heard = threading.Event()
    silent = Response(b"{}", pause=lambda: heard.wait(30) and None)
    with serving(lambda _, before: said("at last") if before else silent) as (url, _):
        assert Endpoint(url, "small", bounds=Bounds(seconds=6)).generate(["hi"]) == ["at last"]
        heard.set()


def test_a_server_that_drips_is_left_within_the_bounds():
    heard = threading.Event()
    dripping = Response(b" " * 10_000, drip=lambda: heard.wait(0.05) and None)
    with serving(lambda _, __: dripping) as (url, _):
        with pytest.raises(EndpointError, match="no answer within"):
            Endpoint(url, "small", bounds=Bounds(seconds=0.6)).generate(["hi"])
        heard.set()


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
    assert str(error.value) == f"{url}: it can't be reached (ConnectError) (tried 2 times)"


def test_a_server_that_refuses_an_optional_part_is_asked_without_it():
    def strict(prompt: str, before: int) -> Response:
        refusal = b'{"error": {"message": "Unsupported parameter: max_tokens"}}'
        return said("fine") if before else Response(refusal, 400)

    with serving(strict) as (url, received):
        assert Endpoint(url, "small").generate(["hi"]) == ["fine"]
    assert [sorted(body) for body in received.bodies] == [
        ["max_tokens", "messages", "model", "temperature"],
        ["messages", "model", "temperature"],
    ]


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
    with serving(lambda _, __: said("hello")) as (url, received):
        monkeypatch.setenv("OPENAI_API_KEY", "second")
        monkeypatch.delenv("SEMINAR_LLM_KEY", raising=False)
        open_endpoint(url, "small", seconds=5).generate(["hi"])
        monkeypatch.setenv("SEMINAR_LLM_KEY", " first\n")
        open_endpoint(url, "small", seconds=5).generate(["hi"])
    assert [one["Authorization"] for one in received.headers] == ["Bearer second", "Bearer first"]


@pytest.mark.parametrize("key", ["schlüssel", "two words", "a\nb"])
def test_a_key_that_is_none_is_not_quoted(monkeypatch: pytest.MonkeyPatch, key: str):
    monkeypatch.setenv("SEMINAR_LLM_KEY", key)
    with pytest.raises(ConfigurationError, match="SEMINAR_LLM_KEY holds characters") as error:
        open_endpoint("http://localhost", "small", seconds=5)
    assert key not in str(error.value)
