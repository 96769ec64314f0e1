"""What the batches of questions measure, for Prometheus."""

from __future__ import annotations

from prometheus_client import Histogram

from seminar.serving.batching import Observe

SIZES = (1, 2, 4, 8, 16, 32)
SECONDS = (0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30)

BATCH_SIZE = Histogram(
    "seminar_batch_requests", "Requests that were run together.", ["stage"], buckets=SIZES
)
BATCH_SECONDS = Histogram(
    "seminar_batch_seconds", "Time that a batch took.", ["stage"], buckets=SECONDS
)


def observe_batches(stage: str) -> Observe:
    """The observer of the batches of one stage."""
    size, seconds = BATCH_SIZE.labels(stage), BATCH_SECONDS.labels(stage)

    def observe(requests: int, took: float) -> None:
        size.observe(requests)
        seconds.observe(took)

    return observe
