"""A PragmatiCQA study with simulated workers on a virtual clock, by the study's own methods.

Survey, pairing, background test, assignment of incentives, rounds, pay and ledger are those of
`seminar.collection`. Drawn are the workers: what they want to teach and learn, what they know, when
they come, and who breaks off a dialog with a background test to get one without.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from seminar.collection.assignment.arms import assign
from seminar.collection.assignment.background import (
    NOT_QUALIFIED,
    PASS_MARK,
    background_test,
    score_test,
)
from seminar.collection.assignment.inclinations import best_topic, random_topic, survey_topics
from seminar.collection.assignment.pairing import Pair, Waiting, pair
from seminar.collection.corpus.records import Topic
from seminar.collection.pay.ledger import Entry, dialogue_entries
from seminar.collection.pay.schedule import Ending, PayPlan, earned
from seminar.collection.records import Dialog, Inclination, Seat
from seminar.collection.rules.pragmaticqa import LEAST_ROUNDS, may_leave

GENRES, TOPICS, SURVEYED = 4, 6, 12  # topics of each genre
HOURS = 8  # over which workers come
TICK, PATIENCE, LIMIT = 15, 300, 1_800  # seconds: pairing, any topic, sent home
DIALOGS = (1, 8)  # that a worker wants to hold
SKIPPERS = 0.2  # workers who break off where there is a test
SKIPPED = 0.6  # how often they do
TOPIC, BACKGROUND = "topic selection", "background test"
PLAN = PayPlan(
    "USD", base=150, turn=5, extra=10, growth=3, minimum=LEAST_ROUNDS, roles={"teacher": 75},
    partial=50,
)  # fmt: skip
LEVELS: tuple[Inclination, ...] = (-2, -1, 0, 1, 2)
WEIGHTS = (2, 3, 4, 2, 1)  # how often each level is chosen
START = datetime(2026, 1, 1, tzinfo=UTC)

Pairing = Callable[[Sequence[Waiting], random.Random], list[Pair]]
ALL_TOPICS = [
    Topic(f"g{genre}t{number}", f"Topic {genre}.{number}", f"genre {genre}")
    for genre in range(GENRES)
    for number in range(TOPICS)
]
TITLES = {
    topic.id: [f"Page {10 * place + n}" for n in range(10)]
    for place, topic in enumerate(ALL_TOPICS)
}
GENRE = {topic.id: topic.genre for topic in ALL_TOPICS}


@dataclass
class Person:
    """A simulated worker."""

    name: str
    inclinations: dict[str, Inclination]
    wants: int  # dialogs still
    skips: bool
    passed: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)
    since: float | None = None  # waits in the lobby since
    busy: bool = False


@dataclass(frozen=True)
class Course:
    """What happens in a dialog: its rounds, how each of the two ends it, and when."""

    rounds: int
    endings: dict[str, Ending]
    seconds: float
    reason: str = ""


@dataclass
class Run:
    """A study in progress on a virtual clock, in seconds."""

    chance: random.Random
    pairing: Pairing
    people: dict[str, Person]
    events: list[tuple[float, int, str, str]] = field(default_factory=list)
    dialogs: dict[str, Dialog] = field(default_factory=dict)
    courses: dict[str, Course] = field(default_factory=dict)
    ledger: list[Entry] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)  # inclinations of each pair, before the arms
    waits: list[float] = field(default_factory=list)
    sent_home: int = 0
    faults: list[str] = field(default_factory=list)

    def schedule(self, time: float, kind: str, name: str) -> None:
        heapq.heappush(self.events, (time, len(self.dialogs) + len(self.events), kind, name))


def maximised(waiting: Sequence[Waiting], chance: random.Random) -> list[Pair]:
    return pair(waiting)


def by_chance(waiting: Sequence[Waiting], chance: random.Random) -> list[Pair]:
    """Pairs at random, each with its best topic; who have none in common wait on."""
    order = list(waiting)
    chance.shuffle(order)
    pairs = []
    for first, second in zip(order[::2], order[1::2], strict=False):
        least = 0 if first.patient or second.patient else 1
        match = best_topic(
            first.inclinations, second.inclinations, least=least,
            barred=(first.barred, second.barred),
        )  # fmt: skip
        if match:
            two = (first.worker, second.worker)
            teacher, student = two if match.first_teaches else two[::-1]
            pairs.append(Pair(teacher, student, match.topic, match.total))
    return pairs


def new_run(workers: int, pairing: Pairing, seed: int) -> Run:
    chance = random.Random(seed)
    people = {}
    for number in range(workers):
        asked = survey_topics(ALL_TOPICS, count=SURVEYED, seed=chance.randrange(2**32))
        levels = chance.choices(LEVELS, WEIGHTS, k=len(asked))
        people[f"w{number}"] = Person(
            f"w{number}",
            {topic.id: level for topic, level in zip(asked, levels, strict=True)},
            wants=chance.randint(*DIALOGS),
            skips=chance.random() < SKIPPERS,
        )
    run = Run(chance, pairing, people)
    for name in people:
        run.schedule(chance.uniform(0, HOURS * 3600), "arrive", name)
    run.schedule(0, "tick", "")
    return run


def simulate(run: Run) -> Run:
    """Hold the study until nobody is there any more."""
    while run.events:
        time, _, kind, name = heapq.heappop(run.events)
        if kind == "arrive":
            _arrive(run, run.people[name], time)
        elif kind == "end":
            _end(run, name, time)
        else:
            _tick(run, time)
            if run.events or any(one.since is not None for one in run.people.values()):
                run.schedule(time + TICK, "tick", "")
    return run


def _arrive(run: Run, person: Person, time: float) -> None:
    if person.wants and not person.busy:
        person.since = time


def _tick(run: Run, time: float) -> None:
    lobby = [one for one in run.people.values() if one.since is not None]
    lobby.sort(key=lambda one: one.since or 0)
    waiting = [
        Waiting(
            one.name, one.inclinations, frozenset(one.failed),
            patient=time - (one.since or 0) > PATIENCE,
        )
        for one in lobby
    ]  # fmt: skip
    for found in run.pairing(waiting, run.chance):
        _begin(run, found, time)
    for one in lobby:
        if one.since is not None and time - one.since > LIMIT:
            run.sent_home += 1
            run.waits.append(time - one.since)
            one.since, one.wants = None, 0


def _begin(run: Run, found: Pair, time: float) -> None:
    if found.teacher == found.student:
        run.faults.append(f"{found.teacher} was paired with themselves")
    two = [run.people[found.teacher], run.people[found.student]]
    for person in two:
        if person.since is None or person.busy:
            run.faults.append(f"{person.name} was paired twice")
        run.waits.append(time - (person.since if person.since is not None else time))
        person.since, person.busy = None, True
    run.totals.append(found.total)
    past = list(run.dialogs.values())
    names = [found.teacher, found.student]
    arms = {name: assign(name, past, names, chance=run.chance) for name in (TOPIC, BACKGROUND)}
    teacher, student, topic, total = _with_arms(run, found, arms)
    dialog = Dialog(
        f"d{len(run.dialogs)}", "pragmaticqa", "dialog", topic,
        (Seat("student", student.name), Seat("teacher", teacher.name)),
        began=START + timedelta(seconds=time), arms=arms,
    )  # fmt: skip
    run.dialogs[dialog.id] = dialog
    course = run.courses[dialog.id] = _course(run, dialog, teacher, student, total)
    run.schedule(time + course.seconds, "end", dialog.id)


def _with_arms(run: Run, found: Pair, arms: dict[str, bool]) -> tuple[Person, Person, str, int]:
    teacher, student = run.people[found.teacher], run.people[found.student]
    if arms[TOPIC]:
        return teacher, student, found.topic, found.total
    seed = run.chance.randrange(2**32)
    barred = (teacher.failed, student.failed)
    drawn = random_topic(teacher.inclinations, student.inclinations, seed=seed, barred=barred)
    if drawn is None:
        return teacher, student, found.topic, found.total
    two = (teacher, student) if drawn.first_teaches else (student, teacher)
    return *two, drawn.topic, drawn.total


def _course(run: Run, dialog: Dialog, teacher: Person, student: Person, total: int) -> Course:
    """Draw the course of a dialog."""
    chance = run.chance
    both: dict[str, Ending] = {teacher.name: "completed", student.name: "completed"}
    if dialog.arms[BACKGROUND]:
        for person in (teacher, student):
            if person.skips and chance.random() < SKIPPED:
                return Course(0, _left(both, person.name), 20)
        if dialog.subject not in teacher.passed and not _passes(run, teacher, dialog.subject):
            return Course(0, dict.fromkeys(both, "left"), 90, NOT_QUALIFIED)
    stays = 0.93 + 0.015 * total  # of each round before the minimum: who is interested stays
    rounds, seconds = 0, 0.0
    while True:
        seconds += chance.gammavariate(4, 70)
        if not may_leave(rounds) and chance.random() > stays:
            leaver = chance.choice([teacher.name, student.name])
            return Course(rounds, _left(both, leaver), seconds)
        rounds += 1
        if may_leave(rounds) and chance.random() > 0.5 + 0.05 * total:
            return Course(rounds, both, seconds)


def _left(both: dict[str, Ending], leaver: str) -> dict[str, Ending]:
    return {name: "left" if name == leaver else "partner left" for name in both}


def _passes(run: Run, person: Person, topic: str) -> bool:
    """Take the background test; the more one wants to teach, the more titles one knows."""
    others = {one: TITLES[one] for one in TITLES if one != topic and GENRE[one] == GENRE[topic]}
    test = background_test(topic, TITLES[topic], others, seed=run.chance.randrange(2**32))
    knows = {2: 0.95, 1: 0.85}.get(person.inclinations.get(topic, 0), 0.55)
    answers = [
        ("relevant" if related == (run.chance.random() < knows) else "irrelevant")
        for related in test.related
    ]
    passed = score_test(test, answers) >= PASS_MARK
    (person.passed if passed else person.failed).add(topic)
    return passed


def _end(run: Run, name: str, time: float) -> None:
    course = run.courses[name]
    at = START + timedelta(seconds=time)
    dialog = replace(
        run.dialogs[name],
        state="ended",
        ended=at,
        turns=course.rounds,
        kept=may_leave(course.rounds),
        reason=course.reason,
    )
    run.dialogs[name] = dialog
    for seat in dialog.seats:
        pay = earned(PLAN, course.rounds, role=seat.role, ending=course.endings[seat.worker])
        run.ledger += dialogue_entries(
            pay, worker=seat.worker, dialogue=name, currency=PLAN.currency, at=at
        )
        person = run.people[seat.worker]
        person.busy = False
        person.wants -= course.rounds > 0  # an empty dialog is followed by another
        run.schedule(time + run.chance.uniform(5, 120), "arrive", person.name)
