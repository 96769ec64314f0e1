"""Every operation of the service's OpenAPI document, fuzzed by schemathesis.

    scripts/bench service_fuzz [--cases 10] [--seed 1]

A real server process, once with a single user and once with accounts, by an admin's token. Requests
are drawn from the document: valid ones with the ids of real things, valid ones with any ids, and
invalid ones. Every response must have a documented status, content type and body; 5xx are errors,
except 503, by which a busy service refuses.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from http.cookiejar import DefaultCookiePolicy
from pathlib import Path
from typing import Any

import httpx
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from benchmarks.results import write_result
from benchmarks.rights import accepted
from benchmarks.service_process import running
from benchmarks.service_things import API, Ids, fill_in, make_things

CONFORMANCE = [
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
]
BUSY = 503
ORDER = ("GET", "POST", "PUT", "PATCH", "DELETE")  # what deletes comes last
STREAM = "text/event-stream"
DRAWN_TOKENS = 0.25  # of requests with any ids, which are sent with a drawn token too
LIMITS = "requests_per_minute = 10000000\nlogins_per_minute = 10000000\n"


@dataclass
class Findings:
    """What was sent, what came back, and what should not have."""

    operations: int = 0
    cases: int = 0
    not_sent: int = 0  # that HTTP can't carry
    statuses: Counter[str] = field(default_factory=Counter)
    reached: set[str] = field(default_factory=set)  # operations that answered with 2xx or 3xx
    faults: Counter[str] = field(default_factory=Counter)
    unreached: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Way:
    """How requests are drawn: valid or not, and with ids of real things or any."""

    mode: schemathesis.GenerationMode
    is_real: bool
    share: float  # of the number of cases


WAYS = (
    Way(schemathesis.GenerationMode.POSITIVE, is_real=True, share=1.0),
    Way(schemathesis.GenerationMode.POSITIVE, is_real=False, share=0.3),
    Way(schemathesis.GenerationMode.NEGATIVE, is_real=True, share=0.5),
)


def fuzz(
    url: str, token: str | None, *, cases: int, seed_of_all: int, ways: Sequence[Way] = WAYS
) -> Findings:
    """Fuzz every operation of a running service."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    schema = schemathesis.openapi.from_url(f"{url}{API}/openapi.json")
    operations = [one.ok() for one in schema.get_all_operations()]
    operations.sort(key=lambda one: (ORDER.index(one.method.upper()), one.path))
    found = Findings(operations=len(operations))
    with (
        httpx.Client(base_url=url, headers=headers, timeout=60) as client,
        requests.Session() as session,
    ):
        session.headers.update(headers)
        session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        ids = make_things(client)
        for operation in operations:
            for at, way in enumerate(ways):
                if uses_up(operation):
                    ids = make_things(client)
                number = max(1, round(cases * way.share))
                _draw(operation, way, ids, session, found, number=number, seed_of=seed_of_all + at)
    labels = {one.label for one in operations}
    found.unreached = sorted(labels - found.reached)
    return found


def uses_up(operation: schemathesis.APIOperation) -> bool:
    """Whether a thing is no longer there after the operation."""
    method = operation.method.upper()
    return method == "DELETE" or (method == "PATCH" and "/uploads/" in operation.path)


def _draw(
    operation: schemathesis.APIOperation,
    way: Way,
    ids: Ids,
    session: requests.Session,
    found: Findings,
    *,
    number: int,
    seed_of: int,
) -> None:
    """Send so many drawn requests of one operation."""
    chance = random.Random(f"{operation.label} {seed_of}")
    strategy = operation.as_strategy(generation_mode=way.mode)

    @seed(seed_of)
    @settings(
        max_examples=number,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def send(case: schemathesis.Case) -> None:
        if way.is_real:
            fill_in(case, operation, ids, chance)
        is_drawn = not way.is_real and chance.random() < DRAWN_TOKENS  # which nobody has
        _send(case, operation.label, session, found, {} if is_drawn else session.headers)

    with suppress(Unsatisfiable):  # where nothing is asked for, nothing invalid can be drawn
        send()


def _send(
    case: schemathesis.Case,
    label: str,
    session: requests.Session,
    found: Findings,
    headers: Mapping[str, Any],
) -> None:
    """Send one request and check its response."""
    if label.endswith("/turns") and found.cases % 2:
        headers = {**headers, "Accept": STREAM}
    try:
        response = case.call(session=session, headers=dict(headers), timeout=60)
    except (requests.exceptions.InvalidHeader, UnicodeError, requests.exceptions.InvalidURL):
        found.not_sent += 1
        return
    except requests.exceptions.RequestException as error:
        found.faults[f"{label}: {type(error).__name__}"] += 1
        return
    found.cases += 1
    found.statuses[str(response.status_code)] += 1
    if response.status_code < 400:
        found.reached.add(label)
    checks = CONFORMANCE if response.status_code == BUSY else [not_a_server_error, *CONFORMANCE]
    try:
        case.validate_response(response, checks=checks)
    except FailureGroup as group:
        for failure in group.exceptions:
            what = f"{label}: {response.status_code} {type(failure).__name__}"
            found.faults[f"{what}: {str(failure).splitlines()[0][:160]}"] += 1


def record(found: Findings, seconds: float) -> dict[str, object]:
    return {
        "operations": found.operations,
        "cases": found.cases,
        "not sent": found.not_sent,
        "seconds": round(seconds, 1),
        "statuses": dict(sorted(found.statuses.items())),
        "operations that succeeded": len(found.reached),
        "never succeeded": found.unreached,
        "faults": sum(found.faults.values()),
        "kinds of faults": dict(found.faults.most_common(40)),
    }


def run(*, multi_user: bool, cases: int, seed_of_all: int) -> dict[str, object]:
    """Start a service, fuzz it, and end it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "service.toml").write_text(LIMITS)
        options = ["--settings", str(folder / "service.toml")]
        options += ["--multi-user"] if multi_user else []
        with running(folder, options=options) as service:
            token = admin_token(service.url, service.log()) if multi_user else None
            begun = time.monotonic()
            found = fuzz(service.url, token, cases=cases, seed_of_all=seed_of_all)
            result = record(found, time.monotonic() - begun)
            errors = service.log().count("Traceback")
    return {"accounts": multi_user, **result, "tracebacks in the log": errors}


def admin_token(url: str, log: str) -> str:
    """Accept the invitation of the first admin, and make a token that may do all."""
    secret = log.partition("/invitation/")[2].split()[0]
    with closing(accepted(url, secret, "root")) as admin:
        scopes = ["read", "ask", "write", "admin"]
        made = admin.post(f"{API}/tokens", json={"name": "fuzz", "scopes": scopes})
        return str(made.raise_for_status().json()["secret"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=10, help="of each operation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--name", default="service-fuzz", help="of the result's file")
    chosen = parser.parse_args()
    runs = [
        run(multi_user=several, cases=chosen.cases, seed_of_all=chosen.seed)
        for several in (False, True)
    ]
    write_result(
        chosen.name,
        {"schemathesis": schemathesis.__version__, "seed": chosen.seed, "runs": runs},
    )
    return 1 if any(one["faults"] for one in runs) else 0


if __name__ == "__main__":
    sys.exit(main())
