"""The official client of OpenAI asks a collection: answers, streams, history, citations, errors."""

import asyncio

import openai
import pytest

from tests.serving.conftest import Service

QUESTION = "How much do two larch planks cost?"
MODEL = "collection"


@pytest.fixture(scope="module")
def client(service: Service):
    with openai.OpenAI(base_url=f"{service.url}/v1", api_key="none", max_retries=0) as client:
        yield client


def user(text: str) -> dict:
    return {"role": "user", "content": text}


@pytest.fixture(scope="module")
def answer(client: openai.OpenAI):
    return client.chat.completions.create(model=MODEL, messages=[user(QUESTION)])


def test_models_are_collections(client: openai.OpenAI, service: Service):
    assert MODEL in [model.id for model in client.models.list().data]
    assert client.models.retrieve(service.collection).id == MODEL


def test_answer_is_a_quotation_with_its_citation(answer, service: Service):
    [choice] = answer.choices
    assert choice.finish_reason == "stop"
    text = choice.message.content
    assert "410 crowns" in text
    cited = choice.message.annotations[0].url_citation
    assert text[cited.start_index : cited.end_index] == cited.text
    assert (cited.kind, cited.speaker) == ("literal", "Callum Reyes")
    assert cited.source.startswith("slack/boathouse/2025-02-04.json#")
    source = service.client.get(cited.url).json()
    [block] = [one for one in source["blocks"] if one["start"] <= cited.start < one["end"]]
    at = cited.start - block["start"]
    assert block["text"][at : at + len(cited.text)] == cited.text


def test_usage_adds_up(answer):
    usage = answer.usage
    assert usage.total_tokens == usage.prompt_tokens + usage.completion_tokens
    assert usage.prompt_tokens > 5


def test_messages_are_the_conversation(client: openai.OpenAI, answer):
    message = answer.choices[0].message
    kept = message.model_dump()
    bare = {"role": "assistant", "content": message.content}
    for earlier in (kept, bare):
        messages = [user(QUESTION), earlier, user("Who said that?")]
        reply = client.chat.completions.create(model=MODEL, messages=messages)
        assert "Callum Reyes" in reply.choices[0].message.content


def test_stream_has_the_same_text_and_citations(client: openai.OpenAI, answer):
    stream = client.chat.completions.create(
        model=MODEL,
        messages=[user(QUESTION)],
        stream=True,
        stream_options={"include_usage": True},
    )
    chunks = list(stream)
    text = "".join(one.choices[0].delta.content or "" for one in chunks if one.choices)
    assert text == answer.choices[0].message.content
    *_, last, usage = chunks
    assert last.choices[0].finish_reason == "stop"
    wanted = [one.model_dump() for one in answer.choices[0].message.annotations]
    assert last.choices[0].delta.annotations == wanted
    assert usage.usage.total_tokens == answer.usage.total_tokens


def test_asynchronous_client_streams(service: Service, answer):
    async def ask() -> str:
        async with openai.AsyncOpenAI(base_url=f"{service.url}/v1", api_key="none") as client:
            stream = await client.chat.completions.create(
                model=MODEL, messages=[user(QUESTION)], stream=True
            )
            return "".join([one.choices[0].delta.content or "" async for one in stream])

    assert asyncio.run(ask()) == answer.choices[0].message.content


def test_parts_of_a_message_are_read(client: openai.OpenAI):
    parts = [{"type": "text", "text": "What is eelgrass?"}]
    system = {"role": "system", "content": "Answer in verse."}
    reply = client.chat.completions.create(
        model=MODEL,
        messages=[system, {"role": "user", "content": parts}],
        extra_body={"scope": "research"},
    )
    cited = reply.choices[0].message.annotations
    assert {one.url_citation.source.partition("/")[0] for one in cited} == {"research"}


@pytest.mark.parametrize(
    ("model", "messages", "what"),
    [
        (MODEL, [user("?!")], "no letter or digit"),
        (MODEL, [{"role": "assistant", "content": "hi"}], "the last one must be the user's"),
        (MODEL, [], "messages"),
    ],
)
def test_wrong_request_is_an_error_of_the_client(client, model: str, messages: list, what: str):
    with pytest.raises(openai.BadRequestError, match=what):
        client.chat.completions.create(model=model, messages=messages)


def test_unknown_model_is_not_found(client: openai.OpenAI):
    with pytest.raises(openai.NotFoundError, match="There is no model 'gpt'"):
        client.chat.completions.create(model="gpt", messages=[user("Who?")])


def test_errors_before_the_route_have_the_form_too(service: Service):
    foreign = {"Origin": "https://evil.example"}
    large = b'{"model": "' + b"x" * 1_100_000 + b'"}'
    completions = "/v1/chat/completions"
    sent = {
        403: service.client.post(completions, json={}, headers=foreign),
        404: service.client.get("/v1/embeddings"),
        405: service.client.get(completions),
        413: service.client.post(completions, content=large),
        421: service.client.get("/v1/models", headers={"Host": "evil.example"}),
    }
    for status, response in sent.items():
        error = response.json()["error"]
        assert response.status_code == status
        assert set(error) == {"message", "type", "param", "code"}
        assert error["message"]
