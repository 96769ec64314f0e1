"""Liveness, readiness and metrics."""

from tests.serving.conftest import Service


def test_a_running_service_is_healthy_and_ready(service: Service):
    assert service.client.get("/health").json() == {"status": "ok"}
    assert service.client.get("/ready").json() == {"status": "ready"}


def test_the_example_collection_is_open(service: Service):
    with service.state.reads() as session:
        from seminar.serving.storage.schema import Collection

        collection = session.get_one(Collection, service.collection)
    assert service.state.collections.open(collection).index.count() > 100
