"""Errors as problem+json (RFC 9457): what is wrong, which value, and what to do."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import DataError
from starlette.exceptions import HTTPException

from seminar.errors import SeminarError
from seminar.serving.storage.engines import UNREACHABLE, reason_of

MEDIA_TYPE = "application/problem+json"
OPENAI = "/v1/"  # paths whose errors have OpenAI's form, so that its clients show what is wrong
OPENAI_TYPES = {
    401: "authentication_error",
    403: "permission_error",
    429: "rate_limit_error",
}
UNEXPECTED = "An error of the service; its log says more."
NO_DATABASE = "The database doesn't answer; send the request again in some seconds."

log = logging.getLogger("seminar.database")


class Problem(SeminarError):
    """An error of a request, with its HTTP status."""

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        errors: Sequence[Mapping[str, object]] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status, self.detail = status, detail
        self.errors, self.headers = tuple(errors), dict(headers or {})


def not_found(kind: str, name: str) -> Problem:
    """The error for a thing that isn't there, or isn't the caller's."""
    return Problem(404, f"There is no {kind} {name!r} that you may see.")


def without_database(error: Exception) -> Problem:
    """The problem of a request that the database did not answer, which the log notes."""
    log.warning("a request failed: %s", reason_of(error))
    return Problem(503, NO_DATABASE, headers={"Retry-After": "2"})


def problem_record(problem: Problem) -> dict[str, object]:
    """The body of a problem, as responses and events send it."""
    record: dict[str, object] = {
        "type": "about:blank",
        "title": HTTPStatus(problem.status).phrase,
        "status": problem.status,
        "detail": problem.detail,
    }
    return {**record, "errors": list(problem.errors)} if problem.errors else record


def error_response(path: str, problem: Problem) -> JSONResponse:
    """The response to a request of that path."""
    form = _openai_response if path.startswith(OPENAI) else _problem_response
    return form(problem)


def _problem_response(problem: Problem) -> JSONResponse:
    return JSONResponse(
        problem_record(problem),
        status_code=problem.status,
        headers=problem.headers,
        media_type=MEDIA_TYPE,
    )


def _openai_response(problem: Problem) -> JSONResponse:
    """A problem in OpenAI's form; what a client did wrong is 400 there."""
    status = 400 if problem.status == 422 else problem.status
    kind = OPENAI_TYPES.get(status, "server_error" if status >= 500 else "invalid_request_error")
    fields = [str(one["field"]).removeprefix("body.") for one in problem.errors]
    details = [
        f"{field}: {one['detail']}" for field, one in zip(fields, problem.errors, strict=True)
    ]
    body = {
        "message": "; ".join(details) or problem.detail,
        "type": kind,
        "param": fields[0] if fields else None,
        "code": None,
    }
    return JSONResponse({"error": body}, status_code=status, headers=problem.headers)


def add_error_handlers(app: FastAPI) -> None:
    """Answer every error with a problem; what the user can't fix says no more than that."""

    @app.exception_handler(Problem)
    def _problem(request: Request, error: Problem) -> JSONResponse:
        return error_response(request.url.path, error)

    @app.exception_handler(SeminarError)
    def _seminar(request: Request, error: SeminarError) -> JSONResponse:
        return error_response(request.url.path, Problem(422, str(error)))

    @app.exception_handler(RequestValidationError)
    def _invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        fields = [
            {"field": ".".join(map(str, one["loc"])), "detail": one["msg"]}
            for one in error.errors()
        ]
        named = ", ".join(one["field"] for one in fields)
        problem = Problem(422, f"The request is not valid: {named}.", errors=fields)
        return error_response(request.url.path, problem)

    @app.exception_handler(HTTPException)
    def _http(request: Request, error: HTTPException) -> JSONResponse:
        problem = Problem(error.status_code, str(error.detail), headers=error.headers)
        return error_response(request.url.path, problem)

    @app.exception_handler(DataError)
    def _unstorable(request: Request, error: DataError) -> JSONResponse:
        # PostgreSQL takes no NUL in a text, and no number beyond its type.
        problem = Problem(422, "The database can't hold a value of the request.")
        return error_response(request.url.path, problem)

    def _without_database(request: Request, error: Exception) -> JSONResponse:
        return error_response(request.url.path, without_database(error))

    for kind in UNREACHABLE:
        app.add_exception_handler(kind, _without_database)

    @app.exception_handler(Exception)
    def _unexpected(request: Request, error: Exception) -> JSONResponse:
        return error_response(request.url.path, Problem(500, UNEXPECTED))
