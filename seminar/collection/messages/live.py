"""The messages of the socket, tagged by `type`: those of the client, and those of the server."""

from __future__ import annotations

from typing import Annotated

import msgspec

from seminar.collection.messages.actions import LONGEST_TEXT
from seminar.collection.messages.forms import Standing
from seminar.collection.messages.views import View

LONGEST_MESSAGE = 64_000  # bytes
Id = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern="^[A-Za-z0-9_.:-]+$")]


class FromClient(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True
):
    """The base of what clients send."""


class Hello(FromClient, frozen=True, tag="hello"):
    """The first message of every socket; `token` is that of `POST join`."""

    token: Annotated[str, msgspec.Meta(max_length=200)]


class Enter(FromClient, frozen=True, tag="enter"):
    """Wait for a partner; `role` empty: any that one may have."""

    role: Annotated[str, msgspec.Meta(max_length=30)] = ""


class Exit(FromClient, frozen=True, tag="exit"):
    """Wait no longer."""


class Act(FromClient, frozen=True, tag="act"):
    """An action in a dialog; the same `id` again is the same action, and is accepted again.

    `action` is one of `actions.ANY_ACTION`, or of a protocol of one's own, which decodes it.
    """

    dialog: Id
    id: Id
    action: msgspec.Raw


class Typing(FromClient, frozen=True, tag="typing"):
    """Tell the partner that one writes, or no longer; never what."""

    dialog: Id
    on: bool


class Check(FromClient, frozen=True, tag="check"):
    """Ask for notes on a question before it is sent (TopiOCQA, QAConv); nothing is stored."""

    dialog: Id
    question: Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT)]
    answer: Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT)] = ""


class Ping(FromClient, frozen=True, tag="ping"):
    """Answered by `pong`."""


CLIENT = Hello | Enter | Exit | Act | Typing | Check | Ping


class FromServer(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """The base of what the server sends."""


class Welcome(FromServer, frozen=True, tag="welcome"):
    """The answer to `hello`: where the worker stands; a view follows if a dialog is live."""

    standing: Standing


class StandingChanged(FromServer, frozen=True, tag="standing"):
    """Where the worker stands now, as after an approval or the end of a dialog."""

    standing: Standing


class Waiting(FromServer, frozen=True, tag="waiting"):
    """In the lobby; `since` in seconds, `people` in it with oneself."""

    since: float
    people: int


class ViewChanged(FromServer, frozen=True, tag="view"):
    """The whole view of a dialog; the first one after `enter` says that a partner was found."""

    view: View


class Accepted(FromServer, frozen=True, tag="accepted"):
    """The action is stored under `number`; the view with it follows or was sent."""

    id: str
    number: int


class Refused(FromServer, frozen=True, tag="refused"):
    """The message changed nothing. `code` is for programs, `detail` for people.

    `id` is that of the action, or empty. Codes: "invalid", "turn" (not now), "ended", "span",
    "text", "page", "early" (may not end yet), "role", "unknown", "busy" (too many messages),
    "paused", "lobby".
    """

    id: str
    code: str
    detail: str


class Partner(FromServer, frozen=True, tag="partner"):
    """The partner's state: "here", "typing" or "away"; away for up to `grace` seconds more."""

    dialog: str
    state: str
    grace: float = 0


class Notes(FromServer, frozen=True, tag="notes"):
    """The answer to `check`: nothing, or what might be better."""

    dialog: str
    question: str
    notes: tuple[str, ...]


class Notice(FromServer, frozen=True, tag="notice"):
    """A text of the study's admin."""

    text: str


class Pong(FromServer, frozen=True, tag="pong"):
    """The answer to `ping`."""


class Closing(FromServer, frozen=True, tag="closing"):
    """The last message before the server closes the socket; `again`: connect anew."""

    detail: str
    again: bool


SERVER_MESSAGE = (
    Welcome
    | StandingChanged
    | Waiting
    | ViewChanged
    | Accepted
    | Refused
    | Partner
    | Notes
    | Notice
    | Pong
    | Closing
)
