"""Programs with API tokens: the client of OpenAI and our own, in a service with accounts."""

from collections.abc import Iterator
from pathlib import Path

import openai
import pytest

from seminar.client import Client, ServiceError
from tests.serving.identity.people import People, people_of, weak

QUESTION = {"role": "user", "content": "When was the choir founded?"}


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[People]:
    with people_of(weak(tmp_path_factory.mktemp("programs"))) as started:
        yield started


def token(people: People, *scopes: str) -> str:
    body = {"name": "program", "scopes": list(scopes), "expires_days": 1}
    return people.admin.send("POST", "/tokens", body, 201)["secret"]


def client_of(people: People, secret: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{people.service.url}/v1", api_key=secret, max_retries=0)


def test_token_uploads_and_asks_with_both_clients(people: People, tmp_path: Path):
    (tmp_path / "choir.md").write_text("# Choir\n\nThe choir was founded in 1921.\n")
    secret = token(people, "read", "ask", "write")
    with Client(people.service.url, token=secret) as client:
        made = client.create("songs")
        client.upload(made.id, tmp_path / "choir.md")
        *_, last = client.index(made.id)
        assert last.state == "done"
        dialogue = client.begin(made.id)
        assert "1921" in client.ask(dialogue.id, str(QUESTION["content"])).reply.text
    with client_of(people, secret) as other:
        assert [model.id for model in other.models.list()] == ["songs"]
        reply = other.chat.completions.create(model="songs", messages=[QUESTION])
        assert "1921" in reply.choices[0].message.content


def test_unknown_token_is_an_error_of_the_client(people: People):
    unknown = "unknown, revoked or expired"
    with (
        client_of(people, "seminar_wrong") as client,
        pytest.raises(openai.AuthenticationError, match=unknown),
    ):
        client.models.list()
    with Client(people.service.url, token="seminar_wrong") as own:
        with pytest.raises(ServiceError, match=unknown) as refused:
            own.create("x")
        assert refused.value.status == 401


def test_token_without_the_scope_may_not_ask(people: People):
    with (
        client_of(people, token(people, "read")) as client,
        pytest.raises(openai.PermissionDeniedError, match="lacks 'ask'"),
    ):
        client.chat.completions.create(model="songs", messages=[QUESTION])


def test_models_of_others_are_not_there(people: People):
    person = people.person("paula")
    body = {"name": "p", "scopes": ["read", "ask"], "expires_days": 1}
    secret = person.send("POST", "/tokens", body, 201)["secret"]
    with client_of(people, secret) as client:
        assert list(client.models.list()) == []
        with pytest.raises(openai.NotFoundError, match="There is no model 'songs'"):
            client.chat.completions.create(model="songs", messages=[QUESTION])
