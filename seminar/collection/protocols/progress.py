"""A dialog as its actions left it: the protocol's state, and what every protocol has in common.

Leaving, reports, timeouts and the end are the same in every protocol. `advanced` is the only way
from one state to the next, when an action comes in and when stored actions are read again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import msgspec

from seminar.collection.messages.actions import ActionType, End, Leave, Report
from seminar.collection.pay.schedule import Ending
from seminar.collection.protocols.activity import Activity, ProtocolType, Refused, Scene
from seminar.collection.protocols.drafts import Drafted, Qualified
from seminar.collection.records import SERVER, Action, Role

ALWAYS = ("leave", "report")  # what may be done in every dialog at any time


class Away(ActionType, frozen=True, tag="away"):
    """A role had no connection for longer than the grace time."""

    role: Role


class Idle(ActionType, frozen=True, tag="idle"):
    """A role did not act for longer than the study allows."""

    role: Role


class Stopped(ActionType, frozen=True, tag="stopped"):
    """The admin, a withdrawal or a failed test ended the dialog; `role` if somebody caused it."""

    why: str = "stopped"
    role: Role = ""


SERVER_ACTION = Away | Idle | Stopped | Drafted | Qualified


_OF_THE_PARTNER = {
    "left": "partner left",
    "away": "partner left",
    "not qualified": "partner left",
    "idle": "partner idle",
}


@dataclass(frozen=True, slots=True)
class Closing:
    """Why a dialog ended, and the role that caused it, if it was before it may end."""

    reason: str
    role: Role = ""
    time: datetime | None = None

    def reason_for(self, role: Role) -> str:
        """The reason as a role sees it."""
        if not self.role or self.role == role:
            return self.reason
        return _OF_THE_PARTNER.get(self.reason, self.reason)

    def ending_for(self, role: Role) -> Ending:
        """What the end means for a role's pay: who caused an early end gets the turns alone."""
        if self.reason in ("completed", "limit", "unanswerable"):
            return "completed"
        return "left" if self.role == role and self.reason != "reported" else "partner left"


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of a dialog after `number` actions."""

    activity: Activity
    number: int = 0
    closing: Closing | None = None

    def allowed(self, role: Role) -> tuple[str, ...]:
        """The kinds of actions that are accepted of a role now."""
        if self.closing:
            return ()
        own = self.activity.allowed(role)
        return own if role == SERVER else (*own, *ALWAYS)


def advanced(progress: Progress, role: Role, action: ActionType, time: datetime) -> Progress:
    """The state after an action; Refused if it isn't valid now."""
    if progress.closing:
        raise Refused("ended", "the dialog has ended")
    number = progress.number + 1
    if role == SERVER and isinstance(action, Away | Idle | Stopped):
        closing = _server_closing(action, time)
        return replace(progress, number=number, closing=closing)
    kind = str(action.__struct_config__.tag)
    if kind not in progress.allowed(role):
        early = kind == "end"
        detail = "the dialog may not end yet; you may leave it" if early else f"'{kind}' not now"
        raise Refused("early" if early else "turn", detail)
    if isinstance(action, Leave | Report):
        reason = "left" if isinstance(action, Leave) else "reported"
        return replace(progress, number=number, closing=Closing(reason, role, time))
    if isinstance(action, End):
        return replace(progress, number=number, closing=Closing("completed", "", time))
    activity = progress.activity.act(role, action, time)
    over = activity.ending
    return Progress(activity, number, Closing(over, "", time) if over else None)


def _server_closing(action: Away | Idle | Stopped, time: datetime) -> Closing:
    if isinstance(action, Stopped):
        return Closing(action.why, action.role, time)
    return Closing("away" if isinstance(action, Away) else "idle", action.role, time)


def action_of(protocol: ProtocolType, stored: Action) -> ActionType:
    """A stored action as it was sent."""
    union = SERVER_ACTION if stored.role == SERVER else protocol.actions
    action: ActionType = msgspec.convert({"kind": stored.kind, **stored.fields}, union)
    return action


def replayed(protocol: ProtocolType, task: str, scene: Scene, stored: Sequence[Action]) -> Progress:
    """The state of a dialog after its stored actions."""
    progress = Progress(protocol.tasks[task].begin(scene))
    for one in stored:
        progress = advanced(progress, one.role, action_of(protocol, one), one.time)
    return progress


def fields_of(action: ActionType) -> tuple[str, dict[str, object]]:
    """The kind of an action and its fields, as they are stored."""
    fields: dict[str, object] = msgspec.to_builtins(action)
    return str(fields.pop("kind")), fields
