"""The errors in the OpenAPI document: which statuses an operation may answer, and their bodies."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI

from seminar.serving.addresses import PREFIX
from seminar.serving.problems import MEDIA_TYPE, OPENAI

Record = dict[str, Any]

EVERYWHERE = (400, 403, 413, 421, 429, 500, 503)  # in front of every route
TEXT = {"type": "string"}
PROBLEM: Record = {
    "type": "object",
    "description": "What is wrong, which value, and what to do (RFC 9457).",
    "properties": {
        "type": TEXT,
        "title": TEXT,
        "status": {"type": "integer"},
        "detail": TEXT,
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"field": TEXT, "detail": TEXT},
                "required": ["field", "detail"],
            },
        },
    },
    "required": ["type", "title", "status", "detail"],
    "example": {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": "There is no collection '5f1c' that you may see.",
    },
}
OPENAI_ERROR: Record = {
    "type": "object",
    "description": "An error in OpenAI's form.",
    "properties": {
        "error": {
            "type": "object",
            "properties": {
                "message": TEXT,
                "type": TEXT,
                "param": {"type": ["string", "null"]},
                "code": {"type": ["string", "null"]},
            },
            "required": ["message", "type", "param", "code"],
        }
    },
    "required": ["error"],
}


def describe_errors(app: FastAPI) -> None:
    """Add the errors of every operation to the OpenAPI document of an application."""
    generate = app.openapi

    def openapi() -> Record:
        if app.openapi_schema is None:
            _add_errors(generate())
        return generate()

    app.openapi = openapi  # type: ignore[method-assign]


def _add_errors(document: Record) -> None:
    schemas = document["components"]["schemas"]
    for name in ("HTTPValidationError", "ValidationError"):  # the framework's, which is not sent
        schemas.pop(name, None)
    schemas |= {"Problem": PROBLEM, "OpenAiError": OPENAI_ERROR}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            own = {status for status in operation["responses"] if status >= "400"}
            for status in sorted({*own, *map(str, _statuses(path, method, operation))}):
                operation["responses"][status] = _response(path, int(status))
            if path.startswith(OPENAI):
                operation["responses"].pop("422", None)  # 400 there


def _statuses(path: str, method: str, operation: Record) -> Iterator[int]:
    """The errors that an operation may answer, besides those that its route names."""
    yield from EVERYWHERE
    if "security" in operation or path.startswith(f"{PREFIX}/session"):
        yield 401
    if "{" in path or "requestBody" in operation:
        yield 404
    if method != "get" or "/collections/{" in path:
        yield 409
    if operation.get("parameters") or "requestBody" in operation:
        yield 422


def _response(path: str, status: int) -> Record:
    media_type, name = (
        ("application/json", "OpenAiError") if path.startswith(OPENAI) else (MEDIA_TYPE, "Problem")
    )
    content = {media_type: {"schema": {"$ref": f"#/components/schemas/{name}"}}}
    return {"description": HTTPStatus(status).phrase, "content": content}
