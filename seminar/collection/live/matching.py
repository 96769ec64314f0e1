"""Who is paired with whom, about what: a decision over the lobby and the study so far."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import combinations
from typing import Any

from seminar.collection.assignment import pairing
from seminar.collection.assignment.arms import assign
from seminar.collection.assignment.inclinations import Inclinations, random_topic
from seminar.collection.live.background import can_be_tested
from seminar.collection.records import FAILED_TRAP, Dialog, Flag, Role, Seat
from seminar.collection.storage.questions import QuestionsSoFar
from seminar.collection.study.loading import Study
from seminar.serving.storage.schema import new_id

TOPIC, BACKGROUND = "topic selection", "background test"  # the incentives of PragmatiCQA


@dataclass(frozen=True, slots=True)
class Waiting:
    """A worker in the lobby; `role` empty: any."""

    worker: str
    role: Role
    since: datetime
    inclinations: Inclinations = field(default_factory=dict)
    tests: Mapping[str, bool] = field(default_factory=dict)  # background tests, by topic


@dataclass(frozen=True)
class StudySoFar:
    """The dialogs, flags and questions that decide who does what next."""

    dialogs: Sequence[Dialog]
    flags: Sequence[Flag]
    questions: QuestionsSoFar = field(default_factory=QuestionsSoFar)

    def apart(self) -> frozenset[frozenset[str]]:
        """Pairs of whom one has reported the other."""
        reports = (flag for flag in self.flags if flag.kind == "report")
        return frozenset(frozenset((flag.worker, flag.by)) for flag in reports)

    def distrusted(self) -> frozenset[str]:
        """Verifiers who missed a planted question: their verdicts don't count."""
        return frozenset(flag.worker for flag in self.flags if flag.kind == FAILED_TRAP)

    def known_subjects(self, workers: Sequence[str], *, knower: Role = "") -> frozenset[str]:
        """What any of the workers has had to do with already.

        Whoever asks learns nothing from a dialog that ended before its first turn; `knower` is the
        role that reads from the beginning.
        """
        return frozenset(
            dialog.subject
            for dialog in self.dialogs
            for seat in dialog.seats
            if seat.worker in workers and not _taught_nothing(dialog, seat.role, knower)
        )

    def used_subjects(self) -> Counter[str]:
        """How many dialogs about each subject are live or kept."""
        return Counter(
            dialog.subject
            for dialog in self.dialogs
            if dialog.task == "dialog"
            and not dialog.practice
            and dialog.review != "rejected"
            and (dialog.kept or dialog.state == "live")
        )


def _taught_nothing(dialog: Dialog, role: Role, knower: Role) -> bool:
    """Whether a dialog ended before somebody learned anything from it."""
    asks = bool(knower) and role != knower and dialog.task == "dialog"
    return asks and dialog.state == "ended" and not dialog.turns


def match(
    study: Study, waiting: Sequence[Waiting], so_far: StudySoFar, at: datetime
) -> list[Dialog]:
    """The dialogs that begin now, as many as are wanted; `waiting` has the longest wait first."""
    by_topic = study.protocol.needs == "topics"
    begun = (_by_inclination if by_topic else _by_subject)(study, waiting, so_far, at)
    wanted = study.table.quotas.dialogs
    if not wanted:
        return begun
    return begun[: max(0, wanted - sum(so_far.used_subjects().values()))]


def free_subject(
    study: Study, workers: Sequence[str], so_far: StudySoFar, chance: random.Random
) -> str | None:
    """A subject that is wanted and new to the workers; of these one of the least used."""
    used = so_far.used_subjects()
    known = so_far.known_subjects(workers, knower=study.protocol.knower)
    most = study.table.quotas.per_subject
    free = [
        subject
        for subject in study.subjects
        if subject not in known and (not most or used[subject] < most)
    ]
    if not free:
        return None
    least = min(used[subject] for subject in free)
    return chance.choice([subject for subject in free if used[subject] == least])


def begin(
    study: Study,
    subject: str,
    seats: Sequence[Seat],
    at: datetime,
    *,
    arms: Mapping[str, bool] | None = None,
    setup: Mapping[str, Any] | None = None,
) -> Dialog:
    """A new dialog."""
    return Dialog(
        id=new_id(),
        protocol=study.protocol.name,
        task="dialog",
        subject=subject,
        seats=tuple(seats),
        began=at,
        assisted=study.table.assistant.drafts and bool(study.protocol.knower),
        arms=dict(arms or {}),
        setup=dict(setup or {}),
    )


def first_setup(study: Study, subject: str, chance: random.Random) -> dict[str, Any]:
    """What a dialog of TopiOCQA begins with: mostly a first question that the corpus has."""
    offered = [one.question for one in study.index.corpus.first_questions if one.page == subject]
    if study.protocol.name != "topiocqa" or not offered:
        return {}
    if chance.random() * 100 < study.options["own_first_questions"]:
        return {}
    return {"first_question": chance.choice(offered)}


def _by_subject(
    study: Study, waiting: Sequence[Waiting], so_far: StudySoFar, at: datetime
) -> list[Dialog]:
    """Pairs in the order of waiting, whose wished roles fit, with a subject that is new to both."""
    begun: list[Dialog] = []
    taken: set[str] = set()
    apart, chance = so_far.apart(), random.SystemRandom()
    for first, second in combinations(waiting, 2):
        pair = frozenset((first.worker, second.worker))
        if len(pair) < 2 or pair & taken or pair in apart:
            continue
        seats = _seats(study.protocol.tasks["dialog"].roles, first, second, chance)
        if seats is None:
            continue
        now_so_far = StudySoFar([*so_far.dialogs, *begun], so_far.flags)
        subject = free_subject(study, sorted(pair), now_so_far, chance)
        if subject is not None:
            setup = first_setup(study, subject, chance)
            begun.append(begin(study, subject, seats, at, setup=setup))
            taken |= pair
    return begun


def _seats(
    roles: Sequence[Role], first: Waiting, second: Waiting, chance: random.Random
) -> tuple[Seat, Seat] | None:
    """The two roles by wish; by chance where both have none."""
    orders = [(first, second), (second, first)]
    chance.shuffle(orders)
    for one, other in orders:
        if one.role in ("", roles[0]) and other.role in ("", roles[1]):
            return Seat(roles[0], one.worker), Seat(roles[1], other.worker)
    return None


def _by_inclination(
    study: Study, waiting: Sequence[Waiting], so_far: StudySoFar, at: datetime
) -> list[Dialog]:
    """Pairs with the largest sum of inclinations, and which incentives are on for each."""
    patience = timedelta(seconds=study.table.times.patience)
    people = [
        pairing.Waiting(
            one.worker,
            one.inclinations,
            frozenset(topic for topic, passed in one.tests.items() if not passed),
            patient=at - one.since > patience,
        )
        for one in waiting
    ]
    by_worker = {one.worker: one for one in waiting}
    barred = {one.worker: one.barred for one in people}
    chance = random.SystemRandom()
    begun: list[Dialog] = []
    for pair in pairing.pair(people, apart=so_far.apart()):
        teacher, student, topic = pair.teacher, pair.student, pair.topic
        arms = _arms(study, (teacher, student), [*so_far.dialogs, *begun], chance)
        if arms.get(TOPIC) is False:
            levels = (by_worker[teacher].inclinations, by_worker[student].inclinations)
            drawn = random_topic(
                *levels,
                seed=chance.randrange(2**32),
                barred=(barred[teacher], barred[student]),
            )
            if drawn is not None:
                topic = drawn.topic
                teacher, student = (teacher, student) if drawn.first_teaches else (student, teacher)
        passed = by_worker[teacher].tests.get(topic, False)
        tested = arms.get(BACKGROUND, True) and not passed and can_be_tested(study, topic)
        setup = {"background_test": tested}
        seats = (Seat("student", student), Seat("teacher", teacher))
        begun.append(begin(study, topic, seats, at, arms=arms, setup=setup))
    return begun


def _arms(
    study: Study, workers: Sequence[str], dialogs: Sequence[Dialog], chance: random.Random
) -> dict[str, bool]:
    """The incentives of the next dialog, each assigned by itself; none without an A/B test."""
    if not study.options.get("incentives"):
        return {}
    target = study.options["incentive_share"] / 100
    return {
        technique: assign(technique, dialogs, workers, chance=chance, target=target)
        for technique in (TOPIC, BACKGROUND)
    }
