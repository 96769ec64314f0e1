"""XML read as it comes, with the standard parser held to what is safe."""

from __future__ import annotations

from collections.abc import Callable
from xml.parsers import expat

from seminar.errors import IngestionError


class XmlStream:
    """Feeds chunks to handlers; a document type, and with it every entity trick, is refused."""

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
        """Read on; what is wrong with the XML, if anything is."""
        try:
            self._parser.Parse(chunk, False)
        except expat.ExpatError as error:
            return f"damaged XML: {error}"
        return ""

    def is_complete(self) -> bool:
        """Whether the XML ended where the stream did."""
        try:
            self._parser.Parse(b"", True)
        except expat.ExpatError:
            return False
        return True


def _refuse_doctype(*_: object) -> None:
    raise IngestionError("declares a document type, which may hide entity bombs; none needs one")
