"""The routes of forms: qualification, inclinations, background tests, exit surveys."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from sqlalchemy.orm import Session

from seminar.collection.api.background import answer_background, background_form
from seminar.collection.api.bodies import body_of, respond, service_of, worker_from
from seminar.collection.live.closings import survey_items
from seminar.collection.live.service import StudyService
from seminar.collection.live.standing import asked_topics, role_in
from seminar.collection.messages.forms import (
    BackgroundAnswers,
    Inclinations,
    InclinationSurvey,
    Option,
    Qualification,
    QualificationAnswers,
    QualificationItem,
    SurveyAnswers,
    SurveyForm,
    SurveyQuestion,
)
from seminar.collection.records import Dialog, Role, Survey
from seminar.collection.storage.dialogs import find_dialog
from seminar.collection.storage.workers import add_survey, qualify, surveys_of
from seminar.collection.study.settings import SurveyItem
from seminar.serving.problems import Problem, not_found
from seminar.serving.storage.schema import now

BEST = 5  # of a scale that begins at 1

router = APIRouter()


@router.get("/qualification")
async def qualification(request: Request) -> Response:
    """The test, without its key."""
    worker, service = await worker_from(request), service_of(request)
    return respond(await _qualification(service, worker))


@router.post("/qualification")
async def hand_in_qualification(request: Request) -> Response:
    """Judge the answers; who has enough of them right may take part."""
    worker, service = await worker_from(request), service_of(request)
    given = await body_of(request, QualificationAnswers)
    test = service.study.table.qualification
    if (await service.standing(worker)).step != "qualification":
        raise Problem(409, "There is no test for you now.")
    if len(given.answers) != len(test.items):
        raise Problem(422, f"The test has {len(test.items)} items, and {len(given.answers)} came.")
    score = sum(
        answer == item.answer for answer, item in zip(given.answers, test.items, strict=True)
    )
    passed = score >= test.pass_mark

    def change(session: Session) -> None:
        answers = {str(number): answer for number, answer in enumerate(given.answers)}
        kept = Survey(worker, "qualification", answers, now(), score=score, passed=passed)
        add_survey(session, kept)
        if passed:
            qualify(session, worker, qualified=True)

    await service.database.write(change)
    await service.tell_standing(worker)
    return respond(await _qualification(service, worker))


@router.get("/inclinations")
async def inclinations(request: Request) -> Response:
    """The topics to say one's inclinations about."""
    await worker_from(request)
    return respond(InclinationSurvey(_topics(service_of(request))))


@router.post("/inclinations")
async def say_inclinations(request: Request) -> Response:
    """Keep the inclinations; all topics are to be answered, and they may be said again."""
    worker, service = await worker_from(request), service_of(request)
    form = await body_of(request, Inclinations)
    asked = {one.id for one in _topics(service)}
    if form.levels.keys() != asked:
        raise Problem(422, "Every topic of the survey needs one answer, and no other has any.")
    if (await service.standing(worker)).step not in ("inclinations", "lobby"):
        raise Problem(409, "There is no survey for you now.")
    kept = Survey(worker, "inclinations", dict(form.levels), now())
    await service.database.write(lambda session: add_survey(session, kept))
    return respond(await service.standing(worker))


@router.get("/background/{topic}")
async def background(request: Request, topic: str) -> Response:
    """The titles to sort into related and unrelated ones."""
    worker, service = await worker_from(request), service_of(request)
    return respond(await background_form(service, worker, topic))


@router.post("/background/{topic}")
async def hand_in_background(request: Request, topic: str) -> Response:
    """Judge the answers; the dialog that waits for them begins, or ends."""
    worker, service = await worker_from(request), service_of(request)
    given = await body_of(request, BackgroundAnswers)
    return respond(await answer_background(service, worker, topic, given.answers))


@router.get("/dialogs/{dialog}/survey")
async def exit_survey(request: Request, dialog: str) -> Response:
    """The exit survey for one's role in a dialog."""
    worker, service = await worker_from(request), service_of(request)
    _, role = await _own(service, worker, dialog)
    questions = tuple(
        SurveyQuestion(
            name=item.name,
            text=item.text,
            kind=item.kind,
            options=tuple(item.options),
            required=item.required,
        )
        for item in _items(service, role)
    )
    return respond(SurveyForm(dialog, questions))


@router.post("/dialogs/{dialog}/survey")
async def hand_in_survey(request: Request, dialog: str) -> Response:
    worker, service = await worker_from(request), service_of(request)
    form = await body_of(request, SurveyAnswers)
    found, role = await _own(service, worker, dialog)
    if found.state != "ended":
        raise Problem(409, "The dialog goes on; its survey comes at the end.")
    known = {item.name: item for item in _items(service, role)}
    strange = form.answers.keys() - known.keys()
    if strange:
        raise Problem(422, f"The survey has no question {min(strange)!r}.")
    for name, item in known.items():
        _check(item, form.answers.get(name))

    def change(session: Session) -> None:
        earlier = [one.dialog for one in surveys_of(session, worker, "exit")]
        if dialog not in earlier:
            add_survey(session, Survey(worker, "exit", dict(form.answers), now(), dialog=dialog))

    await service.database.write(change)
    return respond(await service.standing(worker))


async def _qualification(service: StudyService, worker: str) -> Qualification:
    test = service.study.table.qualification
    tried = await service.database.read(
        lambda session: surveys_of(session, worker, "qualification")
    )
    last = tried[-1] if tried else None
    return Qualification(
        text=test.text,
        items=tuple(QualificationItem(item.text, tuple(item.options)) for item in test.items),
        attempts_left=max(0, test.attempts - len(tried)),
        score=int(last.score) if last and last.score is not None else None,
        passed=last.passed if last else None,
    )


def _topics(service: StudyService) -> tuple[Option, ...]:
    study = service.study
    if study.protocol.needs != "topics":
        raise not_found("survey", "inclinations")
    topics = (study.index.topics[topic] for topic in asked_topics(study))
    return tuple(Option(topic.id, topic.title, topic.genre) for topic in topics)


async def _own(service: StudyService, worker: str, dialog: str) -> tuple[Dialog, Role]:
    """A dialog in which the worker has a role."""
    name = service.study.protocol.name
    found = await service.database.read(lambda session: find_dialog(session, name, dialog))
    role = role_in(found, worker) if found else ""
    if found is None or not role:
        raise not_found("dialog", dialog)
    return found, role


def _items(service: StudyService, role: Role) -> list[SurveyItem]:
    survey = service.study.table.survey
    return [survey[number] for number in survey_items(service.study, role)]


def _check(item: SurveyItem, answer: object) -> None:
    """Raise a problem for an answer that doesn't fit its question."""
    if answer is None or answer == "":
        if item.required:
            raise Problem(422, f"Question {item.name!r} needs an answer.")
        return
    right = {
        "scale": isinstance(answer, int) and 1 <= answer <= BEST,
        "choice": answer in item.options,
        "text": isinstance(answer, str) and "\0" not in answer,
    }[item.kind]
    if not right:
        raise Problem(422, f"The answer to question {item.name!r} doesn't fit it.")
