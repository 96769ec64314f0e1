"""The background test: does a worker know a topic well enough to teach it?"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from sqlalchemy.orm import Session

from seminar.collection.assignment.background import PASS_MARK, score_test
from seminar.collection.assignment.background import BackgroundTest as Titles
from seminar.collection.live.background import background_titles
from seminar.collection.live.service import StudyService
from seminar.collection.messages.forms import BackgroundTest
from seminar.collection.protocols.activity import Refused
from seminar.collection.protocols.drafts import Qualified
from seminar.collection.records import Survey
from seminar.collection.storage.workers import add_survey, surveys_of
from seminar.errors import ConfigurationError
from seminar.serving.problems import Problem, not_found
from seminar.serving.storage.schema import now

JUDGEMENTS = {"related": "relevant", "unrelated": "irrelevant", "unknown": "don't know"}


async def background_form(service: StudyService, worker: str, topic: str) -> BackgroundTest:
    """The test of a topic for a worker, with its result if it was handed in."""
    titles = _titles(service, worker, topic)
    tests = await service.database.read(lambda session: surveys_of(session, worker, "background"))
    last = next((test for test in reversed(tests) if test.topic == topic), None)
    return BackgroundTest(
        topic=topic,
        title=service.study.index.topics[topic].title,
        titles=titles.titles,
        score=int(last.score) if last and last.score is not None else None,
        passed=last.passed if last else None,
    )


async def answer_background(
    service: StudyService, worker: str, topic: str, answers: Sequence[str]
) -> BackgroundTest:
    """Judge a test once; the dialog that waits for it begins, or ends where it was failed."""
    standing = await service.standing(worker)
    if standing.step != "background" or standing.topic != topic:
        raise Problem(409, "There is no test for you now.")
    titles = _titles(service, worker, topic)
    if len(answers) != len(titles.titles) or not set(answers) <= JUDGEMENTS.keys():
        known = ", ".join(JUDGEMENTS)
        raise Problem(422, f"Each of the {len(titles.titles)} titles needs one of: {known}.")
    score = score_test(titles, [JUDGEMENTS[answer] for answer in answers])  # type: ignore[misc]
    passed = score >= PASS_MARK
    given = {str(number): answer for number, answer in enumerate(answers)}
    kept = Survey(worker, "background", given, now(), topic=topic, score=score, passed=passed)

    def change(session: Session) -> None:
        add_survey(session, kept)

    await service.database.write(change)
    room = service.rooms.find(standing.dialog)
    if room is not None:
        with contextlib.suppress(Refused):
            if passed:
                await service.rooms.act_as_server(room, Qualified())
            else:
                await service.end(room, "not qualified", room.role_of(worker))
    await service.tell_standing(worker)
    return await background_form(service, worker, topic)


def _titles(service: StudyService, worker: str, topic: str) -> Titles:
    study = service.study
    if study.protocol.needs != "topics" or topic not in study.index.topics:
        raise not_found("topic", topic)
    try:
        return background_titles(study, worker, topic)
    except ConfigurationError as error:
        raise Problem(409, f"There is no test of this topic: {error}") from error
