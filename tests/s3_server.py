"""A server of the S3 protocol on loopback (moto's), in a process of its own, and faults before it.

Every request goes through a proxy, which can refuse, delay or cut those that a test names.
"""

from __future__ import annotations

import http.client
import itertools
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from seminar.index_url import IndexUrl

BUCKET = "seminar"
SLOW_SECONDS = 1.0
_SERVE = """
import logging
from moto.server import ThreadedMotoServer
logging.getLogger("werkzeug").setLevel(logging.ERROR)
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
input()
"""
_HOP = {"connection", "transfer-encoding", "content-length", "date", "server", "keep-alive"}
Fault = Callable[[str, str], str]  # method and path of a request → "", error, slow, cut or full
_REFUSALS = {
    "error": (500, b"<Error><Code>InternalError</Code></Error>"),
    "full": (507, b"<Error><Code>QuotaExceeded</Code></Error>"),
    "denied": (403, b"<Error><Code>AccessDenied</Code></Error>"),
}


@dataclass
class Storage:
    """A running server; `fault` says what happens to a request."""

    port: int
    fault: Fault = lambda method, path: ""
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def new_place(self) -> IndexUrl:
        return IndexUrl(f"s3://{BUCKET}/index-{next(self._numbers)}")


@contextmanager
def storage() -> Iterator[Storage]:
    """A server with an empty bucket, which the environment names as that of S3."""
    moto = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", _SERVE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert moto.stdout is not None
    assert moto.stdin is not None
    behind = int(moto.stdout.readline())
    proxy = _Proxy(behind)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    _request(behind, "PUT", f"/{BUCKET}")
    try:
        with pytest.MonkeyPatch.context() as environment:
            for name, value in {
                "AWS_ENDPOINT_URL": f"http://127.0.0.1:{proxy.server_port}",
                "AWS_ACCESS_KEY_ID": "test",
                "AWS_SECRET_ACCESS_KEY": "test",
                "AWS_REGION": "us-east-1",
                "AWS_ALLOW_HTTP": "true",
                "AWS_EC2_METADATA_DISABLED": "true",
            }.items():
                environment.setenv(name, value)
            yield proxy.storage
    finally:
        proxy.shutdown()
        proxy.server_close()
        moto.stdin.close()
        moto.stdout.close()
        moto.kill()
        moto.wait()


class _Proxy(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, behind: int) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.behind = behind
        self.storage = Storage(self.server_port)

    def handle_error(self, request: object, address: object) -> None:
        """Clients close connections at any time."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Proxy

    def handle_one_request(self) -> None:
        self.raw_requestline = self.rfile.readline(65_537)
        if not self.raw_requestline or not self.parse_request():
            self.close_connection = True
            return
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        fault = self.server.storage.fault(self.command, self.path)
        if fault in _REFUSALS:
            self._answer(*_REFUSALS[fault], {})
            return
        if fault == "slow":
            time.sleep(SLOW_SECONDS)
        status, content, headers = _request(
            self.server.behind, self.command, self.path, body, dict(self.headers)
        )
        if fault == "cut":  # what was asked is done, and nobody is told
            self.close_connection = True
            return
        self._answer(status, content, headers)

    def _answer(self, status: int, content: bytes, headers: dict[str, str]) -> None:
        self.send_response_only(status)
        for name, value in headers.items():
            if name.lower() not in _HOP:
                self.send_header(name, value)
        length = headers.get("Content-Length", "0") if self.command == "HEAD" else len(content)
        self.send_header("Content-Length", str(length))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


def _request(
    port: int, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None
) -> tuple[int, bytes, dict[str, str]]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read(), dict(answer.getheaders())
    finally:
        connection.close()
