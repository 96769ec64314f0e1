"""However a server takes its time, whoever asks it is done within the bounds."""

import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

import pytest

from seminar.errors import EndpointError
from seminar.models.llm.endpoint import Bounds, Endpoint
from tests.completions import Response, completion, serving


def test_a_silent_server_is_left_within_the_bounds():
    heard = threading.Event()
    silent = Response(b"{}", pause=lambda: heard.wait(30) and None)
    with serving(lambda _, __: silent) as (url, _):
        with pytest.raises(
            EndpointError, match=r"no answer within 0\.2 seconds: .* \(tried once\)"
        ):
            Endpoint(url, "small", bounds=Bounds(seconds=0.4)).generate(["hi"])
        heard.set()


@pytest.fixture
def interruptible() -> Iterator[None]:
    """A process that heeds an interruption, though its shell may have told it not to."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_who_interrupts_does_not_wait_for_what_is_under_way():
    heard, answered = threading.Event(), threading.Event()

    def pause() -> None:
        heard.wait(30)
        answered.set()

    def interrupted(_: str, __: int) -> Response:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        return Response(b"{}", pause=pause)

    with serving(interrupted) as (url, _):
        with pytest.raises(KeyboardInterrupt):
            Endpoint(url, "small").generate(["hi"])
        assert not answered.is_set()
        heard.set()


def test_what_hangs_once_is_tried_again():
    heard = threading.Event()
    silent = Response(b"{}", pause=lambda: heard.wait(30) and None)
    with serving(lambda _, before: completion("at last") if before else silent) as (url, _):
        assert Endpoint(url, "small", bounds=Bounds(seconds=6)).generate(["hi"]) == ["at last"]
        heard.set()


def test_a_server_that_drips_is_left_within_the_bounds():
    heard = threading.Event()
    dripping = Response(b" " * 10_000, drip=lambda: heard.wait(0.05) and None)
    with serving(lambda _, __: dripping) as (url, _):
        with pytest.raises(EndpointError, match="no answer within"):
            Endpoint(url, "small", bounds=Bounds(seconds=0.6)).generate(["hi"])
        heard.set()


HEADER = b"HTTP/1.1 200 OK\r\nX-Slow: ", b"x"
HINTS = b"HTTP/1.1 103 Early Hints\r\n\r\n", b"HTTP/1.1 103 Early Hints\r\n\r\n"


@pytest.fixture
def endless() -> Iterator[Callable[[bytes, bytes], Response]]:
    """Responses that begin with the one piece and go on with the other until the test is over."""
    over = threading.Event()

    def response(first: bytes, further: bytes) -> Response:
        def pieces() -> Iterator[bytes]:
            yield first
            while not over.wait(0.02):
                yield further

        return Response(b"{}", before=pieces)

    yield response
    over.set()


@pytest.mark.parametrize("pieces", [HEADER, HINTS], ids=["header", "hints"])
def test_a_server_that_never_comes_to_its_answer_is_left_and_asked_again(
    endless: Callable[[bytes, bytes], Response], pieces: tuple[bytes, bytes]
):
    slow = endless(*pieces)
    with serving(lambda _, before: completion("at last") if before else slow) as (url, _):
        assert Endpoint(url, "small", bounds=Bounds(seconds=6)).generate(["hi"]) == ["at last"]


def test_a_list_of_models_that_never_comes_is_done_without(
    endless: Callable[[bytes, bytes], Response],
):
    pages = {"/v1/models": endless(*HEADER)}
    with (
        serving(lambda _, __: Response(b"", 404), pages) as (url, _),
        pytest.raises(EndpointError, match="404, it has no chat protocol there"),
    ):
        Endpoint(url, "small").generate(["hi"])


def test_a_process_ends_while_a_server_still_drips(endless: Callable[[bytes, bytes], Response]):
    asking = (
        "import sys\n"
        "from seminar.errors import EndpointError\n"
        "from seminar.models.llm.endpoint import Bounds, Endpoint\n"
        "try:\n"
        "    Endpoint(sys.argv[1], 'small', bounds=Bounds(seconds=1)).generate(['hi'])\n"
        "except EndpointError as error:\n"
        "    print(error)\n"
    )
    slow = endless(*HEADER)
    with serving(lambda _, __: slow) as (url, _):
        done = subprocess.run(
            [sys.executable, "-c", asking, url],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
    assert "no answer within 0.5 seconds" in done.stdout
    assert done.stderr == ""
