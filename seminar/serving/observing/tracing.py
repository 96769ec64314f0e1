"""Traces of requests and of the line's stages, sent to an OTLP endpoint where one is named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from seminar.errors import MissingExtraError
from seminar.serving.observing.metrics import STAGE_SECONDS
from seminar.version import package_version

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

_tracers: list[Tracer] = []  # one, while traces are sent


@contextmanager
def tracing(endpoint: str) -> Iterator[None]:
    """Send traces to an endpoint such as http://localhost:4318/v1/traces; empty: send none."""
    if not endpoint:
        yield
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ModuleNotFoundError:
        raise MissingExtraError("sending traces", "telemetry") from None
    named = Resource.create({"service.name": "seminar", "service.version": package_version()})
    provider = TracerProvider(resource=named)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint)))
    tracer = provider.get_tracer("seminar.serving")
    _tracers.append(tracer)
    try:
        yield
    finally:
        _tracers.remove(tracer)
        provider.shutdown()


@contextmanager
def span(name: str, attributes: Mapping[str, str] | None = None) -> Iterator[None]:
    """A span around the body, below that of the request."""
    if not _tracers:
        yield
        return
    with _tracers[-1].start_as_current_span(name, attributes=attributes):
        yield


@contextmanager
def stage(name: str) -> Iterator[None]:
    """Measure a stage of answering, and trace it; never with the words of a question."""
    with STAGE_SECONDS.labels(name).time(), span(name):
        yield
