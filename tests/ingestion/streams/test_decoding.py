import pytest

from seminar.errors import IngestionError
from seminar.ingestion.streams.decoding import SourceText, decode_source
from seminar.types import LineMark


def decoded(content: bytes, declared: str | None = None) -> tuple[str, list[str]]:
    notices: list[str] = []
    return decode_source(content, notices.append, declared=declared).content, notices


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_unicode_is_decoded_without_notice(encoding: str):
    assert decoded("Café – 東京 مرحبا e\u0301".encode(encoding)) == (
        "Café – 東京 مرحبا e\u0301",
        [],
    )


def test_windows_1252_is_decoded_with_a_notice():
    assert decoded("“Café” costs £3".encode("cp1252")) == (
        "“Café” costs £3",
        ["not UTF-8; read as windows-1252"],
    )


def test_declared_encoding_is_used():
    assert decoded("Привет".encode("koi8-r"), "koi8-r") == ("Привет", [])


def test_false_declaration_gives_a_notice():
    text, notices = decoded("Café au lait".encode("cp1252"), "utf-9")
    assert text == "Café au lait"
    assert notices == ["not utf-9, which it claims to be", "not UTF-8; read as windows-1252"]


def test_utf8_with_an_error_is_decoded_as_utf8():
    text, notices = decoded(("é" * 100).encode() + b"\xff.")
    assert text == "é" * 100 + "\ufffd."
    assert notices == ["damaged UTF-8; 1 characters can't be read"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"text\0with a zero", "binary"),
        (bytes(range(1, 9)) * 10, "binary"),
        ("Привет, мир".encode("koi8-r"), "unknown encoding"),
        (b"\xff\xfea", "damaged UTF-16"),
    ],
)
def test_bytes_that_are_no_text_are_refused(content: bytes, reason: str):
    with pytest.raises(IngestionError, match=reason):
        decoded(content)


def test_line_ends_are_normalised_and_invisible_characters_removed():
    text, _ = decoded("a\r\nb\rc\u2028d\ufeff e\u200bf sh\u00ady".encode())
    assert text == "a\nb\nc\nd ef shy"


def test_lines_after_form_feed_keep_the_numbers_of_the_file():
    text = decode_source("a\r\nb\f\nc\u2028d\re\n".encode(), print)
    assert text == SourceText("a\nb\n\nc\nd\ne\n", extra_lines=(3, 5))
    marks = [LineMark(start, line) for start, line in enumerate([1, 2, 3, 4, 5, 6])]
    assert [mark.line for mark in text.renumber(marks)] == [1, 2, 2, 3, 3, 4]
