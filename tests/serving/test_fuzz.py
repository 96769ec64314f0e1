"""Requests drawn from the OpenAPI document, and what the benchmark of kills compares."""

from dataclasses import replace
from pathlib import Path

from sqlalchemy.orm import Session

from benchmarks.service_fuzz import WAYS, fuzz
from benchmarks.service_kills import Tally, check
from benchmarks.service_load import Acknowledged, Told
from seminar.serving.storage.engines import open_engine
from seminar.serving.storage.migrating import migrate
from seminar.serving.storage.schema import Account, Collection, Job, StoredDialogue, StoredTurn
from seminar.settings import Settings
from tests.serving.conftest import Service
from tests.serving.identity.people import people_of, weak

QUICK = Settings(encoder="static", reader="sentence")
METHODS = {"get", "put", "post", "patch", "delete"}


def test_drawn_requests_get_only_documented_responses(tmp_path: Path):
    with people_of(weak(tmp_path, assistant=QUICK)) as people:
        scopes = {"name": "fuzz", "scopes": ["read", "ask", "write", "admin"]}
        token = people.admin.send("POST", "/tokens", scopes, 201)["secret"]
        url = people.service.url
        found = fuzz(url, token, cases=2, seed_of_all=1, ways=WAYS[:1])
    assert dict(found.faults) == {}
    assert found.operations > 55
    assert found.cases >= found.operations
    assert len(found.reached) > found.operations * 2 / 3
    assert found.statuses["404"] < found.cases / 4


def test_every_operation_documents_its_errors(service: Service):
    document = service.client.get("/api/v1/openapi.json").json()
    assert "HTTPValidationError" not in document["components"]["schemas"]
    for path, operations in document["paths"].items():
        form = "OpenAiError" if path.startswith("/v1/") else "Problem"
        for method, operation in operations.items():
            assert method in METHODS
            errors = [one for status, one in operation["responses"].items() if status >= "400"]
            assert len(errors) >= 7
            for error in errors:
                [content] = error["content"].values()
                assert content["schema"]["$ref"].endswith(form)


def test_the_check_after_a_kill_finds_what_is_lost(tmp_path: Path):
    url = f"sqlite:///{tmp_path}/service.sqlite"
    engine = open_engine(url)
    migrate(engine)
    with Session(engine) as session, session.begin():
        session.add(Account(id="a", name="Ada"))
        session.flush()
        session.add(Collection(id="c", owner_id="a", name="Tides"))
        session.flush()
        session.add(StoredDialogue(id="d", account_id="a", collection_id="c"))
        session.add(Job(id="j", collection_id="c", state="running"))
        session.flush()
        for number in (1, 2):
            reply = {"text": str(number), "followups": []}
            question = {"question": "Where?", "key": f"d {number}", "reply": reply}
            session.add(StoredTurn(dialogue_id="d", number=number, **question))
    engine.dispose()
    first, second = (
        Acknowledged("d", number, f"d {number}", "Where?", {"text": str(number)})
        for number in (1, 2)
    )

    def faults(*turns: Acknowledged, dialogues: tuple[str, ...] = ("d",)) -> list[str]:
        tally = Tally()
        told = Told(dialogues=list(dialogues), turns=list(turns), jobs=["j"])
        assert check(url, told, tally) == 1
        return tally.faults

    assert faults(first, second) == []
    assert faults(replace(second, number=3)) == ["turn d 2 is gone"]
    assert faults(replace(second, key="d 9")) == ["turn d 9 is another one"]
    assert faults(replace(second, reply={"text": "9"})) == ["turn d 2 has another reply"]
    assert faults(dialogues=("d", "e")) == ["dialogue e is gone"]
