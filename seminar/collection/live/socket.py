"""The socket of a worker: messages in, each checked; messages out, from a queue."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from seminar.collection.live.connections import Connection
from seminar.collection.live.service import StudyService
from seminar.collection.messages.live import (
    CLIENT,
    LONGEST_MESSAGE,
    Accepted,
    Act,
    Check,
    Closing,
    Enter,
    Exit,
    FromClient,
    Hello,
    Notes,
    Ping,
    Pong,
    Typing,
    Welcome,
)
from seminar.collection.messages.live import Refused as RefusedMessage
from seminar.collection.protocols.activity import Refused
from seminar.collection.storage.workers import worker_of
from seminar.serving.problems import Problem, without_database
from seminar.serving.storage.engines import UNREACHABLE

PATIENCE = 10.0  # seconds for the first message

log = logging.getLogger("seminar.collection")

_DECODER = msgspec.json.Decoder(CLIENT)


async def serve_socket(socket: WebSocket, service: StudyService) -> None:
    """Serve one socket from its first message to its end."""
    await socket.accept()
    connection = await _greeted(socket, service)
    if connection is None:
        return
    tasks = [
        asyncio.create_task(_send(socket, connection)),
        asyncio.create_task(_receive(socket, service, connection)),
        asyncio.create_task(_wait_until_too_slow(connection)),
    ]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(ended, Exception):
                log.error("a socket failed", exc_info=ended)
        await service.disconnected(connection)
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.close()


async def _greeted(socket: WebSocket, service: StudyService) -> Connection | None:
    """The connection of a worker who said hello with a token."""
    try:
        first = _decoded(await asyncio.wait_for(_text(socket), PATIENCE))
    except (TimeoutError, WebSocketDisconnect, Refused):
        first = None
    worker = None
    try:
        if isinstance(first, Hello):
            token = first.token
            worker = await service.database.read(lambda session: worker_of(session, token))
        if worker is None:
            raise Problem(401, "say hello with the token of POST join")
        standing = await service.standing(worker)
    except Problem as problem:
        await _close(socket, Closing(detail=problem.detail, again=False))
        return None
    except UNREACHABLE as error:
        await _close(socket, Closing(detail=without_database(error).detail, again=True))
        return None
    connection = Connection(worker)
    connection.send(Welcome(standing=standing))
    await service.connected(connection)
    return connection


async def _close(socket: WebSocket, closing: Closing) -> None:
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await socket.send_text(msgspec.json.encode(closing).decode())
        await socket.close()


async def _send(socket: WebSocket, connection: Connection) -> None:
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        while (content := await connection.queue.get()) is not None:
            await socket.send_text(content.decode())


async def _wait_until_too_slow(connection: Connection) -> None:
    """End when a client reads so slowly that its queue is full: it may connect again."""
    await connection.is_too_slow.wait()


async def _receive(socket: WebSocket, service: StudyService, connection: Connection) -> None:
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        while True:
            await _answer(await _text(socket), service, connection)


async def _answer(text: str, service: StudyService, connection: Connection) -> None:
    """Do what a message asks; whatever is wrong with it is said to its sender."""
    identity = ""
    try:
        if service.messages.seconds_to_wait(connection.worker, time.monotonic()):
            raise Refused("busy", "too many messages; wait a moment")
        message = _decoded(text)
        identity = message.id if isinstance(message, Act) else ""
        await _ANSWERS[type(message)](message, service, connection)
    except Refused as refused:
        connection.send(RefusedMessage(id=identity, code=refused.code, detail=refused.detail))
    except Problem as problem:
        connection.send(RefusedMessage(id=identity, code="lobby", detail=problem.detail))
    except UNREACHABLE as error:
        # Not refused: the client connects again, perhaps to another process, and sends it again.
        connection.close(without_database(error).detail, again=True)


async def _text(socket: WebSocket) -> str:
    """The next text; a binary frame is none."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    return message.get("text") or ""


def _decoded(text: str) -> FromClient:
    if len(text) > LONGEST_MESSAGE:
        raise Refused("invalid", f"a message has at most {LONGEST_MESSAGE:,} characters")
    try:
        message: FromClient = _DECODER.decode(text)
        return message
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Refused("invalid", f"not a message of this socket: {error}") from error


async def _hello(message: Hello, service: StudyService, connection: Connection) -> None:
    raise Refused("invalid", "hello was said already")


async def _enter(message: Enter, service: StudyService, connection: Connection) -> None:
    worker = connection.worker
    async with service.lobby.lock:
        standing = await service.standing(worker)
        if standing.step not in ("lobby", "waiting"):
            raise Refused("lobby", f"your next step is '{standing.step}'")
        if standing.step == "lobby" and not standing.roles:
            raise Refused("lobby", "no dialog is wanted of you now")
        known = service.study.protocol.tasks["dialog"].roles
        if message.role and message.role not in known:
            raise Refused("role", f"there is no role '{message.role}' here")
        await service.lobby.enter(worker, message.role)


async def _exit(message: Exit, service: StudyService, connection: Connection) -> None:
    await service.lobby.exit(connection.worker)
    await service.tell_standing(connection.worker)


async def _act(message: Act, service: StudyService, connection: Connection) -> None:
    try:
        action = msgspec.json.decode(message.action, type=service.study.protocol.actions)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Refused("invalid", f"not an action of this protocol: {error}") from error
    number = await service.rooms.act(connection.worker, message.dialog, message.id, action)
    connection.send(Accepted(id=message.id, number=number))


async def _typing(message: Typing, service: StudyService, connection: Connection) -> None:
    room = service.rooms.find(message.dialog)
    if room is not None and room.role_of(connection.worker):
        state = "typing" if message.on else "here"
        service.rooms.tell_partner(room, connection.worker, state)


async def _check(message: Check, service: StudyService, connection: Connection) -> None:
    room = service.rooms.find(message.dialog)
    if room is None or not room.role_of(connection.worker):
        raise Refused("unknown", "there is no live dialog of that name that is yours")
    if not _asks(room.progress.allowed(room.role_of(connection.worker))):
        raise Refused("turn", "there is no question to check now")
    notes = room.progress.activity.notes(message.question, message.answer)
    connection.send(Notes(dialog=message.dialog, question=message.question, notes=notes))


def _asks(allowed: tuple[str, ...]) -> bool:
    """Whether who may do these things writes questions: others' notes would tell of their view."""
    return bool({"ask", "write"} & set(allowed))


async def _ping(message: Ping, service: StudyService, connection: Connection) -> None:
    connection.send(Pong())


_ANSWERS: dict[Any, Callable[[Any, StudyService, Connection], Awaitable[None]]] = {
    Hello: _hello,
    Enter: _enter,
    Exit: _exit,
    Act: _act,
    Typing: _typing,
    Check: _check,
    Ping: _ping,
}
