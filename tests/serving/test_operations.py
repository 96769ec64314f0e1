"""What those who run the service see: health, metrics, traces, the access log; and limits."""

import http.server
import json
import logging
import threading
from collections.abc import Iterator
from dataclasses import replace

import httpx
import pytest

from seminar.serving.settings import ServiceSettings
from tests.serving.conftest import ASSISTANT, Service, running, wait_until


def test_a_running_service_is_healthy_and_ready(service: Service):
    assert service.client.get("/health").json() == {"status": "ok"}
    wait_until(lambda: service.client.get("/ready").json() == {"status": "ready"})


def test_a_service_that_stops_is_not_ready(tmp_path):
    with running(ServiceSettings(folder=tmp_path, assistant=ASSISTANT)) as started:
        started.state.stopping.set()
        assert started.client.get("/ready").status_code == 503
        assert started.client.get("/health").status_code == 200


def test_a_service_is_ready_when_its_models_are_loaded(tmp_path):
    missing = replace(ASSISTANT, encoder=str(tmp_path / "no-encoder"))
    with running(ServiceSettings(folder=tmp_path, assistant=missing)) as started:
        wait_until(lambda: "could not be loaded" in started.client.get("/ready").text)
        assert started.client.get("/ready").status_code == 503
        assert started.client.get("/health").status_code == 200
    with running(ServiceSettings(folder=tmp_path, assistant=ASSISTANT)) as started:
        wait_until(lambda: started.client.get("/ready").status_code == 200)
        assert not started.state.models.problem


def test_metrics_count_requests_by_route(service: Service):
    service.client.get(f"/api/v1/collections/{service.collection}")
    service.client.get("/api/v1/collections/nothing")
    found = service.client.get("/metrics").text
    route = 'route="/api/v1/collections/{collection_id}"'
    assert f'seminar_requests_total{{method="GET",{route},status="200"}}' in found
    assert f'seminar_requests_total{{method="GET",{route},status="404"}}' in found
    assert f'seminar_request_seconds_bucket{{le="0.005",{route}}}' in found
    assert 'seminar_jobs{state="done"}' in found
    assert service.collection not in found


def test_the_stages_of_an_answer_are_measured(service: Service):
    begun = service.client.post("/api/v1/dialogues", json={"collection": service.collection})
    url = f"/api/v1/dialogues/{begun.json()['id']}/turns"
    service.client.post(url, json={"question": "When does the ferry leave?"}).raise_for_status()
    found = service.client.get("/metrics").text
    for stage in ("search", "answer", "suggest"):
        assert f'seminar_stage_seconds_count{{stage="{stage}"}}' in found
    assert "ferry" not in found


def test_the_access_log_has_routes_and_no_addresses(
    service: Service, caplog: pytest.LogCaptureFixture
):
    with caplog.at_level(logging.INFO, logger="seminar.access"):
        service.client.get(f"/api/v1/collections/{service.collection}/passages?q=a+secret+question")
        service.client.get("/api/v1/invitations/a-secret-of-a-link")
        service.client.get("/no/such/secret/path")
        wait_until(lambda: len(caplog.records) >= 3)
    entries = [json.loads(one.getMessage()) for one in caplog.records]
    assert [(one["method"], one["route"], one["status"]) for one in entries] == [
        ("GET", "/api/v1/collections/{collection_id}/passages", 200),
        ("GET", "/api/v1/invitations/{secret}", 404),
        ("GET", "(unknown)", 404),
    ]
    assert "secret-of" not in caplog.text
    assert "secret+question" not in caplog.text


@pytest.mark.parametrize("announced", [True, False])
def test_a_large_body_is_refused(service: Service, announced: bool):
    body = b'{"name": "' + b"x" * 1_100_000 + b'"}'

    def parts() -> Iterator[bytes]:
        yield body

    headers = {"Content-Type": "application/json"}
    refused = service.client.post(
        "/api/v1/collections", content=body if announced else parts(), headers=headers
    )
    assert refused.status_code == 413
    assert "upload long texts as files" in refused.json()["detail"]


@pytest.fixture
def sink() -> Iterator[tuple[str, list[bytes]]]:
    """The URL of an endpoint that keeps what it is sent."""
    received: list[bytes] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *arguments: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1/traces", received
    server.shutdown()
    server.server_close()


def test_traces_are_sent_where_an_endpoint_is_named(service: Service, tmp_path, sink):
    pytest.importorskip("opentelemetry.sdk")
    endpoint, received = sink
    settings = replace(service.state.settings, folder=tmp_path, traces=endpoint)
    with running(settings) as traced:
        traced.wait_for_index(traced.collection)
        begun = traced.client.post("/api/v1/dialogues", json={"collection": traced.collection})
        url = f"/api/v1/dialogues/{begun.json()['id']}/turns"
        traced.client.post(url, json={"question": "Who founded the observatory?"})
    sent = b"".join(received)
    for name in (b"request", b"search", b"answer", b"suggest"):
        assert name in sent
    assert b"observatory" not in sent


def test_the_api_describes_itself(service: Service):
    described = service.client.get("/api/v1/openapi.json").json()
    assert "/api/v1/collections/{collection_id}/index" in described["paths"]
    for path, methods in described["paths"].items():
        for method, one in methods.items():
            assert one.get("description") or one.get("summary"), (method, path)


def test_two_services_keep_their_collections_apart(service: Service, tmp_path):
    with running(ServiceSettings(folder=tmp_path, assistant=ASSISTANT)) as other:
        assert other.client.get("/api/v1/collections").json()["items"] == []
        assert httpx.get(f"{service.url}/api/v1/collections").json()["items"] != []
