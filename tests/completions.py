"""A fake chat endpoint on localhost that follows a script, including faults."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from seminar.models.llm.chat import Completion, Message


@dataclass(frozen=True)
class Response:
    """What goes over the wire, after a pause; `drip` is the pause after each byte.

    `before` are pieces that are sent before it, each as it comes.
    """

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    pause: Callable[[], None] = lambda: None
    drip: Callable[[], None] | None = None
    before: Callable[[], Iterable[bytes]] = tuple


@dataclass
class Received:
    """What the server was asked, in order."""

    prompts: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    bodies: list[dict[str, object]] = field(default_factory=list)


Script = Callable[[str, int], Response]  # of the prompt and of how many came before it


@dataclass
class Scripted:
    """A `Generator` without a server; it keeps the prompts that it got."""

    script: Callable[[str], str]
    prompts: list[str] = field(default_factory=list)

    def generate(self, prompts: Sequence[str]) -> list[str]:
        self.prompts += prompts
        return [self.script(prompt) for prompt in prompts]


@dataclass
class ScriptedChat:
    """A language model that chats without a server; it keeps the messages that it got."""

    script: Callable[[str], str]  # of the last message
    chats: list[Sequence[Message]] = field(default_factory=list)
    cut: str = ""

    def chat(self, messages: Sequence[Message], listen: Callable[[str], None]) -> Completion:
        self.chats.append(messages)
        text = self.script(messages[-1].content)
        for piece in text.split(" "):
            listen(f"{piece} ")
        return Completion(text, 100, len(text.split()), self.cut)


def lines_in(prompt: str) -> list[dict[str, str]]:
    """The data lines of a joint prompt, the question last."""
    return [json.loads(line) for line in prompt.splitlines() if line.startswith("{")]


def streamed(*pieces: str, done: bool = True, usage: tuple[int, int] | None = (90, 7)) -> Response:
    """A completion in these pieces, as servers stream it."""
    events: list[object] = [{"choices": [{"delta": {"content": piece}}]} for piece in pieces]
    if done:
        events.append({"choices": [{"delta": {}, "finish_reason": "stop"}]})
    if usage:
        counts = {"prompt_tokens": usage[0], "completion_tokens": usage[1]}
        events.append({"choices": [], "usage": counts})
    body = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
    return Response((body + "data: [DONE]\n\n" * done).encode())


def data_in(prompt: str) -> dict[str, str]:
    """The data fields of a prompt, of all its lines together."""
    block = prompt.partition("\nBEGIN\n")[2].partition("\nEND\n")[0]
    fields: dict[str, str] = {}
    for line in block.splitlines():
        fields |= json.loads(line)
    return fields


def completion(text: str) -> Response:
    """A completion with this text."""
    return Response(json.dumps({"choices": [{"message": {"content": text}}]}).encode())


def model_list(*models: str) -> Response:
    """The list of a server's models."""
    return Response(json.dumps({"data": [{"id": model} for model in models]}).encode())


@contextmanager
def serving(
    script: Script, pages: Mapping[str, Response] | None = None
) -> Iterator[tuple[str, Received]]:
    """The address of a running server, and what it receives; `pages` answer GET requests."""
    received = Received()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            prompt = body["messages"][-1]["content"]
            before = len(received.prompts)
            received.prompts.append(prompt)
            received.headers.append(dict(self.headers))
            received.bodies.append(body)
            self.answer(script(prompt, before))

        def do_GET(self) -> None:
            self.answer((pages or {}).get(self.path, Response(b"", 404)))

        def answer(self, response: Response) -> None:
            response.pause()
            for piece in response.before():
                try:
                    self.wfile.write(piece)
                except OSError:  # the client has closed the connection, as it should
                    return
            self.send_response(response.status)
            for name, value in response.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(response.body)))
            self.end_headers()
            if response.drip is None:
                self.wfile.write(response.body)
                return
            for byte in response.body:
                try:
                    self.wfile.write(bytes([byte]))
                except OSError:  # the client has closed the connection, as it should
                    return
                response.drip()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", received
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
