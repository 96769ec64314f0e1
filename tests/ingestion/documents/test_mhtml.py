from email.message import EmailMessage
from pathlib import Path

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.documents.mhtml import read

PAGE = "<title>Fähre</title><nav>menu</nav><h1>The boat</h1><p>It leaves at <b>neun</b> Uhr é.</p>"


def saved(tmp_path: Path, *, encoding: str, cte: str) -> Path:
    """A page with a picture and a frame, as browsers save it."""
    message = EmailMessage()
    message["From"] = "<Saved by Blink>"
    message["Snapshot-Content-Location"] = "https://example.org/"
    message.set_content(PAGE, subtype="html", charset=encoding, cte=cte)
    message.add_related(b"\x89PNG", "image", "png")
    message.add_related("<p>frame</p>", subtype="html")
    path = tmp_path / "page.mhtml"
    path.write_bytes(bytes(message))
    return path


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1"])
@pytest.mark.parametrize("cte", ["quoted-printable", "base64"])
def test_page_is_read_without_its_pictures_and_frames(tmp_path: Path, encoding: str, cte: str):
    [document] = read(saved(tmp_path, encoding=encoding, cte=cte), "page.mhtml", pytest.fail)
    assert document.title == "The boat"
    assert document.text == "The boat\n\nIt leaves at neun Uhr é."
    assert document.lines == ()


@pytest.mark.parametrize("content", [b"no page", b"Content-Type: multipart/related\n\n--x\n"])
def test_file_without_a_page_is_refused(tmp_path: Path, content: bytes):
    (tmp_path / "a.mhtml").write_bytes(content)
    with pytest.raises(IngestionError, match="no MHTML: it holds no page"):
        list(read(tmp_path / "a.mhtml", "a.mhtml", pytest.fail))
