"""Server-sent events, as the streams of turns and jobs send them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping

from fastapi.responses import StreamingResponse

HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # no proxy holds them back
KEEP_ALIVE = b": \n\n"  # a comment, which clients ignore


def event(name: str, record: Mapping[str, object]) -> bytes:
    """An event with a JSON object.

    >>> event("done", {"state": "done"})
    b'event: done\\ndata: {"state": "done"}\\n\\n'
    """
    return f"event: {name}\ndata: {json.dumps(record, ensure_ascii=False)}\n\n".encode()


def event_stream(events: AsyncIterator[bytes]) -> StreamingResponse:
    """The response that sends events as they come."""
    return StreamingResponse(events, media_type="text/event-stream", headers=HEADERS)
