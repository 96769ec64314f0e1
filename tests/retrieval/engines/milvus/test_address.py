import pytest

from seminar.errors import ConfigurationError
from seminar.index_url import parse_index_url
from seminar.retrieval.engines.milvus.address import parse_address


def address(text: str):
    return parse_address(parse_index_url(text))


def test_server_has_a_port_a_database_and_options():
    found = address("milvus://db.example:1953/wiki/pages?index=diskann&vectors=half&tls=yes")
    assert found.server == "https://db.example:1953"
    assert (found.database, found.collection) == ("wiki", "pages")
    assert (found.index, found.vectors) == ("diskann", "half")
    assert address("milvus://db.example/pages").server == "http://db.example:19530"


def test_file_of_milvus_lite_is_a_path():
    found = address("milvus:///tmp/my%20index.db/pages")
    assert (found.server, found.collection, found.is_file) == ("/tmp/my index.db", "pages", True)
    assert str(found) == "milvus:///tmp/my index.db/pages"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("milvus://host", "no collection named ''"),
        ("milvus://host/a-b", "no collection named 'a-b'"),
        ("milvus:///folder/pages", "neither a server nor a file of Milvus Lite"),
        ("milvus://host/pages?vector=half", "unknown option of .* Did you mean 'vectors'"),
        ("milvus://host/pages?index=flat", "unknown value of 'index' in .* 'flat'"),
        ("milvus://root:secret@host/pages", "a user name or password"),
    ],
)
def test_wrong_address_is_an_error_of_one_line(text: str, message: str):
    with pytest.raises(ConfigurationError, match=message) as caught:
        address(text)
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)
