"""Streaming XML with the standard parser, restricted to what is safe."""

from __future__ import annotations

from collections.abc import Callable
from xml.parsers import expat

from seminar.errors import IngestionError


class XmlStream:
    """Feeds chunks to handlers; document types, and with them all entities, are refused."""

    def __init__(
        self,
        start: Callable[[str, dict[str, str]], None],
        end: Callable[[str], None],
        *,
        characters: Callable[[str], None],
    ) -> None:
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = start
        self._parser.EndElementHandler = end
        self._parser.CharacterDataHandler = characters
        self._parser.StartDoctypeDeclHandler = _refuse_doctype

    def feed(self, chunk: bytes) -> str:
        """Parse the next chunk, and return the error in it, or an empty text."""
        try:
            self._parser.Parse(chunk, False)
        except expat.ExpatError as error:
            return f"damaged XML: {error}"
        except (LookupError, ValueError) as error:
            if "encoding" in str(error):  # one that the declaration names, but Python lacks
                return f"damaged XML: {error}"
            raise
        return ""

    def is_complete(self) -> bool:
        """Whether the XML ended where the stream did."""
        try:
            self._parser.Parse(b"", True)
        except expat.ExpatError:
            return False
        return True


class FieldText:
    """Collects the text of one element at a time, up to a limit."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._tag = ""
        self._pieces: list[str] = []
        self._size = 0

    def begin(self, tag: str) -> None:
        """Collect the text of the element that begins."""
        self._tag = tag
        self._pieces, self._size = [], 0

    def add(self, text: str) -> None:
        """Add characters, if an element is being collected."""
        if self._tag and self._size < self._limit:
            self._pieces.append(text)
            self._size += len(text)

    def end(self, tag: str) -> str | None:
        """The text collected, if this element was; None for any other."""
        if not self._tag or tag != self._tag:
            return None
        self._tag = ""
        return "".join(self._pieces)


def _refuse_doctype(*_: object) -> None:
    raise IngestionError("declares a document type, which may hide entity bombs; none needs one")
