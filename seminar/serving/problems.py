"""Errors as problem+json (RFC 9457): what is wrong, which value, and what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import DataError
from starlette.exceptions import HTTPException

from seminar.errors import SeminarError

MEDIA_TYPE = "application/problem+json"


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


def problem_record(problem: Problem) -> dict[str, object]:
    """The body of a problem, as responses and events send it."""
    record: dict[str, object] = {
        "type": "about:blank",
        "title": HTTPStatus(problem.status).phrase,
        "status": problem.status,
        "detail": problem.detail,
    }
    return {**record, "errors": list(problem.errors)} if problem.errors else record


def problem_response(problem: Problem) -> JSONResponse:
    return JSONResponse(
        problem_record(problem),
        status_code=problem.status,
        headers=problem.headers,
        media_type=MEDIA_TYPE,
    )


def add_error_handlers(app: FastAPI) -> None:
    """Answer every error with a problem; what the user can't fix says no more than that."""

    @app.exception_handler(Problem)
    def _problem(request: Request, error: Problem) -> JSONResponse:
        return problem_response(error)

    @app.exception_handler(SeminarError)
    def _seminar(request: Request, error: SeminarError) -> JSONResponse:
        return problem_response(Problem(422, str(error)))

    @app.exception_handler(RequestValidationError)
    def _invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        fields = [
            {"field": ".".join(map(str, one["loc"])), "detail": one["msg"]}
            for one in error.errors()
        ]
        named = ", ".join(one["field"] for one in fields)
        return problem_response(Problem(422, f"The request is not valid: {named}.", errors=fields))

    @app.exception_handler(HTTPException)
    def _http(request: Request, error: HTTPException) -> JSONResponse:
        return problem_response(
            Problem(error.status_code, str(error.detail), headers=error.headers)
        )

    @app.exception_handler(DataError)
    def _unstorable(request: Request, error: DataError) -> JSONResponse:
        # PostgreSQL takes no NUL in a text, and no number beyond its type.
        return problem_response(Problem(422, "The database can't hold a value of the request."))

    @app.exception_handler(Exception)
    def _unexpected(request: Request, error: Exception) -> JSONResponse:
        return problem_response(Problem(500, "An error of the service; its log says more."))
