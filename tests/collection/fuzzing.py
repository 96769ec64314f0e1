"""Messages that no page would send, and what must hold after them."""

import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from copy import deepcopy
from datetime import datetime
from pathlib import Path
from typing import Any

from seminar.collection.protocols.progress import replayed
from seminar.collection.records import Action, Dialog, Seat
from seminar.collection.storage.snapshots import scene_of
from seminar.collection.study.loading import Study
from tests.collection.small_corpus import SECRET
from tests.collection.studies import Running, Socket, write_study

ROLES = {  # of each protocol, who asks and who reads
    "quac": ("student", "teacher"),
    "topiocqa": ("questioner", "answerer"),
    "pragmaticqa": ("student", "teacher"),
}
OWN = {  # what is done in it mostly
    "quac": ("ask", "answer span"),
    "topiocqa": ("ask", "answer free", "open", "back", "forward"),
    "pragmaticqa": ("ask", "select literal", "select pragmatic", "paraphrase", "rate", "open"),
}
ENDING = ("leave", "report", "end")
KINDS = (*ENDING, "away", "draft", "qualified", "judge", "write", *sorted({*sum(OWN.values(), ())}))
RATINGS = ("natural", "literal", "next_questions", "leads", "faithful")
TYPES = ("act", "enter", "exit", "typing", "check", "ping", "hello", "welcome", "view")
ODD = (None, True, -1, 0, 2**70, 1.5, "", "a" * 3_000, "\u0000", "\ud800", [], {}, [[]], "../x")


def odd_message(chance: random.Random, dialogs: list[str], own: Sequence[str]) -> str:
    """A message that is broken, strange, or valid at the wrong time."""
    return chance.choice(_MAKERS)(chance, dialogs, own)


def _action(chance: random.Random, dialogs: list[str], own: Sequence[str]) -> str:
    """A well-formed action, mostly out of turn; one that ends a dialog is rare."""
    kind = chance.choice(own if chance.random() < 0.7 else KINDS)
    if kind in ENDING and chance.random() < 0.98:
        kind = "ask"
    identity = f"f{chance.randrange(10**9)}"
    action = {"kind": kind, **_FIELDS.get(kind, lambda _: {})(chance)}
    message = {"type": "act", "dialog": chance.choice(dialogs), "id": identity, "action": action}
    return json.dumps(message)


_FIELDS: dict[str, Callable[[random.Random], dict[str, object]]] = {
    "ask": lambda chance: {"question": f"Why {chance.randrange(9)}?"},
    "answer span": lambda chance: {
        "span": chance.choice([None, _span(chance)]),
        "continuation": chance.choice(["follow up", "maybe", "don't", "perhaps"]),
        "affirmation": chance.choice(["yes", "no", "neither", 3]),
    },
    "answer free": lambda chance: {
        "text": chance.choice(["", "So it is."]),
        "rationale": chance.choice([None, _span(chance)]),
    },
    "select literal": lambda chance: chance.choice(
        [{"answer": "yes"}, {"spans": [_span(chance)]}, {"answer": "no", "spans": [_span(chance)]}]
    ),
    "select pragmatic": lambda chance: {"spans": chance.choice([[], [_span(chance)]])},
    "paraphrase": lambda chance: {"text": chance.choice(["So it is.", " "])},
    "rate": lambda chance: {
        "turn": chance.randrange(1, 4),
        **{name: chance.randrange(1, 7) for name in RATINGS},
    },
    "report": lambda chance: {"problem": "other"},
    "open": lambda chance: {"page": chance.choice(["tide", "holm", "nowhere"])},
    "away": lambda chance: {"role": "teacher"},
}


def _span(chance: random.Random) -> dict[str, object]:
    start = chance.choice([0, 60, 75, 200, -1, 10**9])
    page = chance.choice(["tide", "holm", ""])
    return {"page": page, "start": start, "end": start + chance.randrange(-3, 60)}


def _odd_fields(chance: random.Random, dialogs: list[str], own: Sequence[str]) -> str:
    """A message with wrong values, missing fields or fields of its own."""
    message: dict[str, Any] = json.loads(_action(chance, dialogs, own))
    for _ in range(chance.randrange(1, 4)):
        target = chance.choice([message, message.get("action", {})])
        if isinstance(target, dict):
            target[chance.choice([*target, "extra"])] = deepcopy(chance.choice(ODD))
    return json.dumps(message)


def _other_type(chance: random.Random, dialogs: list[str], own: Sequence[str]) -> str:
    message = {
        "type": chance.choice(TYPES),
        "dialog": chance.choice(dialogs),
        "question": "where?",
        "on": chance.choice([True, "yes"]),
        "role": chance.choice(["teacher", "student", "admin"]),
    }
    kept = chance.sample(sorted(message), chance.randrange(1, len(message) + 1))
    return json.dumps({name: message[name] for name in kept})


def _broken(chance: random.Random, dialogs: list[str], own: Sequence[str]) -> str:
    text = _action(chance, dialogs, own)
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


def fuzzed_study(folder: Path, protocol: str) -> Path:
    """A study whose dialogs begin with nothing drawn."""
    options = {
        "quac": "",
        "topiocqa": "[options]\nown_first_questions = 100\n",
        "pragmaticqa": "[options]\nincentives = false\n",
    }
    return write_study(folder, protocol, options[protocol])


def pairs(study: Running, protocol: str, count: int) -> list[Socket]:
    """Sockets of people in dialogs."""
    found = []
    for _ in range(count):
        sockets = []
        for role, level in zip(ROLES[protocol], (-2, 2), strict=True):
            person = study.join()
            if protocol == "pragmaticqa":
                answer = person.post("inclinations", {"levels": {"music": level}})
                assert answer.status_code == 200, answer.text
                role = ""  # it follows from what they want
            socket = person.socket()
            socket.send(type="enter", role=role)
            sockets.append(socket)
        for socket in sockets:
            socket.until("view")
        found += sockets
    return found


def fuzz(sockets: list[Socket], protocol: str, count: int, seed: int) -> Counter[str]:
    """Send odd messages by the sockets in turn, then ask each for a sign of life."""
    chance = random.Random(seed)
    dialogs = sorted({socket.view["frame"]["dialog"] for socket in sockets} | {"none"})
    for number in range(count):
        message = odd_message(chance, dialogs, OWN[protocol])
        sockets[number % len(sockets)].connection.send(message)
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
    """Nobody who asks has received hidden text, or anybody anything of the dialogs of others."""
    for socket in sockets:
        own = socket.view["frame"]["dialog"]
        for message in socket.received:
            if message["type"] != "view":
                continue
            assert message["view"]["frame"]["dialog"] == own
            if message["view"]["view"].endswith(("student", "questioner")):
                assert SECRET not in json.dumps(message["view"])


def check_actions(running: Running, study: Study, sockets: list[Socket]) -> int:
    """Every stored action was valid when it came: the fold accepts all of them, in their order."""
    stored = 0
    for dialog in {socket.view["frame"]["dialog"] for socket in sockets}:
        details = running.admin("GET", f"dialogs/{dialog}").json()
        line = details["dialog"]
        seats = tuple(Seat(one["role"], one["worker"]) for one in line["seats"])
        began = datetime.fromisoformat(line["began"])
        record = Dialog(dialog, study.protocol.name, "dialog", line["subject"], seats, began)
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
