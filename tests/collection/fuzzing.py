"""Messages that no page would send, and what must hold after them."""

import json
import random
from collections import Counter
from copy import deepcopy
from datetime import datetime
from typing import Any

from seminar.collection.protocols.progress import replayed
from seminar.collection.records import Action, Dialog, Seat
from seminar.collection.storage.snapshots import scene_of
from seminar.collection.study.loading import Study
from tests.collection.small_corpus import SECRET
from tests.collection.studies import Running, Socket

KINDS = (
    "ask",
    "answer span",
    "end",
    "leave",
    "report",
    "open",
    "back",
    "rate",
    "paraphrase",
    "away",
    "draft",
    "judge",
    "write",
)
TYPES = ("act", "enter", "exit", "typing", "check", "ping", "hello", "welcome", "view")
ODD = (None, True, -1, 0, 2**70, 1.5, "", "a" * 3_000, "\u0000", "\ud800", [], {}, [[]], "../x")


def odd_message(chance: random.Random, dialogs: list[str]) -> str:
    """A message that is broken, strange, or valid at the wrong time."""
    return chance.choice(_MAKERS)(chance, dialogs)


def _action(chance: random.Random, dialogs: list[str]) -> str:
    """A well-formed action, mostly out of turn; one that ends a dialog is rare."""
    kind = chance.choice(KINDS[:2] if chance.random() < 0.7 else KINDS)
    if kind in ("leave", "report", "end") and chance.random() < 0.9:
        kind = "ask"
    fields = {
        "ask": {"question": f"Why {chance.randrange(9)}?"},
        "answer span": {
            "span": chance.choice([None, _span(chance)]),
            "continuation": chance.choice(["follow up", "maybe", "don't", "perhaps"]),
            "affirmation": chance.choice(["yes", "no", "neither", 3]),
        },
        "report": {"problem": "other"},
        "open": {"page": chance.choice(["tide", "holm", "nowhere"])},
        "away": {"role": "teacher"},
    }.get(kind, {})
    identity = f"f{chance.randrange(10**9)}"
    action = {"kind": kind, **fields}
    message = {"type": "act", "dialog": chance.choice(dialogs), "id": identity, "action": action}
    return json.dumps(message)


def _span(chance: random.Random) -> dict[str, object]:
    start = chance.choice([0, 60, 75, 200, -1, 10**9])
    page = chance.choice(["tide", "holm", ""])
    return {"page": page, "start": start, "end": start + chance.randrange(-3, 60)}


def _odd_fields(chance: random.Random, dialogs: list[str]) -> str:
    """A message with wrong values, missing fields or fields of its own."""
    message: dict[str, Any] = json.loads(_action(chance, dialogs))
    for _ in range(chance.randrange(1, 4)):
        target = chance.choice([message, message.get("action", {})])
        if isinstance(target, dict):
            target[chance.choice([*target, "extra"])] = deepcopy(chance.choice(ODD))
    return json.dumps(message)


def _other_type(chance: random.Random, dialogs: list[str]) -> str:
    message = {
        "type": chance.choice(TYPES),
        "dialog": chance.choice(dialogs),
        "question": "where?",
        "on": chance.choice([True, "yes"]),
        "role": chance.choice(["teacher", "student", "admin"]),
    }
    kept = chance.sample(sorted(message), chance.randrange(1, len(message) + 1))
    return json.dumps({name: message[name] for name in kept})


def _broken(chance: random.Random, dialogs: list[str]) -> str:
    text = _action(chance, dialogs)
    cut = chance.randrange(len(text))
    return chance.choice(
        [
            text[:cut],
            text[:cut] + chance.choice('{}[]",:') + text[cut:],
            "[" * 5_000,
            '{"type": ' * 2_000,
            "\u2028" + text,
            "null",
            "",
        ]
    )


_MAKERS = (_action, _action, _action, _odd_fields, _other_type, _broken)


def fuzz(sockets: list[Socket], count: int, seed: int) -> Counter[str]:
    """Send odd messages by the sockets in turn, then ask each for a sign of life."""
    chance = random.Random(seed)
    dialogs = sorted({socket.view["frame"]["dialog"] for socket in sockets} | {"none"})
    for number in range(count):
        sockets[number % len(sockets)].connection.send(odd_message(chance, dialogs))
    answers: Counter[str] = Counter()
    for socket in sockets:
        socket.send(type="ping")
        socket.until("pong")
        answers.update(
            message["type"] if message["type"] != "refused" else f"refused: {message['code']}"
            for message in socket.received
        )
    return answers


def check_nothing_leaked(sockets: list[Socket]) -> None:
    """No student has received the hidden section, or anything of the dialogs of others."""
    for socket in sockets:
        own = socket.view["frame"]["dialog"]
        for message in socket.received:
            if message["type"] != "view":
                continue
            assert message["view"]["frame"]["dialog"] == own
            if message["view"]["view"] == "quac student":
                assert SECRET not in json.dumps(message["view"])


def check_actions(running: Running, study: Study, sockets: list[Socket]) -> int:
    """Every stored action was valid when it came: the fold accepts all of them, in their order."""
    stored = 0
    for dialog in {socket.view["frame"]["dialog"] for socket in sockets}:
        details = running.admin("GET", f"dialogs/{dialog}").json()
        line = details["dialog"]
        seats = tuple(Seat(one["role"], one["worker"]) for one in line["seats"])
        began = datetime.fromisoformat(line["began"])
        record = Dialog(dialog, "quac", "dialog", line["subject"], seats, began)
        actions = [
            Action(
                id="",
                dialog=dialog,
                number=one["number"],
                role=one["role"],
                worker=one["worker"],
                kind=one["kind"],
                fields=one["fields"],
                time=datetime.fromisoformat(one["time"]),
            )
            for one in details["actions"]
        ]
        assert [one.number for one in actions] == list(range(1, len(actions) + 1))
        roles = {seat.role: seat.worker for seat in seats} | {"server": "server"}
        assert all(roles[one.role] == one.worker for one in actions)
        progress = replayed(study.protocol, "dialog", scene_of(study, record, ()), actions)
        assert progress.number == len(actions)
        stored += len(actions)
    return stored
