from pathlib import Path

import pytest

from seminar.errors import ConfigurationError
from seminar.index_url import IndexUrl, parse_index_url, parse_place


def test_place_is_a_url_or_a_folder():
    assert parse_place("s3://bucket/notes") == IndexUrl("s3://bucket/notes")
    assert parse_place("notes/s3") == Path("notes/s3")


def test_url_has_a_scheme_a_name_and_options():
    url = parse_index_url("Milvus://host:19530/notes/?vectors=half&index=")
    assert (url.scheme, url.name) == ("milvus", "notes")
    assert url.options == {"vectors": "half", "index": ""}
    assert parse_index_url("s3://bucket").name == "bucket"


def test_url_without_a_host_keeps_its_form():
    text = "milvus:///folder/index.db/notes?index=hnsw"
    assert str(parse_index_url(text)) == text
    assert parse_place(str(parse_index_url(text))) == IndexUrl(text)


def test_password_in_a_url_is_refused_without_being_shown():
    with pytest.raises(ConfigurationError, match="milvus://host: a URL with a user") as caught:
        parse_index_url("milvus://me:secret@host/notes")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("text", ["s3://host:port/a", "s3://[1/a", "s3://a/" + "b" * 2_000])
def test_malformed_url_is_an_error_that_shows_it(text: str):
    with pytest.raises(ConfigurationError, match="no URL of an index"):
        parse_index_url(text)
