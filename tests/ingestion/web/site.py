"""A real web server on loopback, whose answers a test writes down."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server sends for a path."""

    content: bytes = b""
    kind: str = "text/html; charset=utf-8"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Site:
    """A running server; `asked` are the requests that it got, with their headers."""

    port: int
    answers: dict[str, Answer]
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    def url(self, path: str, host: str = HOST) -> str:
        return f"http://{host}:{self.port}{path}"

    def paths(self) -> list[str]:
        """The paths that were asked for, without robots.txt."""
        return [path for path, _ in self.asked if path != "/robots.txt"]


def page(title: str, *links: str, text: str = "") -> Answer:
    anchors = "".join(f'<a href="{link}">{link}</a> ' for link in links)
    body = f"<nav>{anchors}</nav><main><h1>{title}</h1><p>{text or title} is here.</p></main>"
    return Answer(f"<html><title>{title}</title><body>{body}</body></html>".encode())


@contextmanager
def serving(answers: dict[str, Answer]) -> Iterator[Site]:
    """Serve the answers until the context ends; any other path is 404."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append((self.path, dict(self.headers)))
            answer = site.answers.get(self.path, Answer(status=404))
            known = self.headers.get("If-None-Match")
            if known and answer.headers.get("ETag") == known:
                answer = Answer(status=304)
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Type", answer.kind)
            self.send_header("Content-Length", str(len(answer.content)))
            self.end_headers()
            self.wfile.write(answer.content)

        def log_message(self, format: str, *args: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer((HOST, 0), Handler)
    site = Site(server.server_address[1], answers)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
