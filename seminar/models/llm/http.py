"""One HTTP request within a time limit that holds for any server; no error quotes a response."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

from seminar.models.llm.errors import AttemptError

if TYPE_CHECKING:
    import httpx2

T = TypeVar("T")

LARGEST = 1_000_000  # bytes of a response: no completion is longer


def request(
    client: httpx2.Client, url: str, body: dict[str, object] | None, seconds: float
) -> tuple[int, float, bytes]:
    """Status, seconds to wait and content; the limit holds for a server that drips bytes too."""
    import httpx2

    if seconds <= 0:
        raise TimeoutError
    try:
        return _within(seconds, lambda: _stream(client, url, body, seconds))
    except httpx2.TimeoutException:
        raise TimeoutError from None
    except (httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL, UnicodeError) as error:
        reason = f"it can't be reached ({type(error).__name__}): is it running at this address?"
        raise AttemptError(reason) from None


def _within(seconds: float, call: Callable[[], T]) -> T:
    """The call's result, or a TimeoutError; a call that takes longer is abandoned in its thread.

    The client's own limit is on silence, which a server that drips headers never reaches.
    """
    outcome: Future[T] = Future()

    def work() -> None:
        try:
            outcome.set_result(call())
        except Exception as error:  # noqa: BLE001 - raised again by the waiting thread
            outcome.set_exception(error)

    Thread(target=work, daemon=True).start()
    return outcome.result(timeout=seconds)


def _stream(
    client: httpx2.Client, url: str, body: dict[str, object] | None, silence: float
) -> tuple[int, float, bytes]:
    with client.stream("POST" if body else "GET", url, json=body, timeout=silence) as response:
        content = bytearray()
        for piece in response.iter_bytes():
            content += piece
            if len(content) > LARGEST:
                raise AttemptError("its answer is too long", retry=False)
        return response.status_code, retry_after(response.headers), bytes(content)


def retry_after(headers: Mapping[str, str]) -> float:
    """The seconds of a Retry-After header, a number or a date; 0 where it is neither."""
    value = headers.get("Retry-After", "")
    if value.strip().isdecimal():
        return float(value)
    try:
        then = parsedate_to_datetime(value)
    except (TypeError, ValueError, OverflowError):
        return 0.0
    zoned = then if then.tzinfo else then.replace(tzinfo=UTC)
    return max(0.0, (zoned - datetime.now(UTC)).total_seconds())
