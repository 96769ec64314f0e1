"""Values of dataset files with their place in the file, so that an error can name it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from seminar.errors import DatasetError


@dataclass(frozen=True, slots=True)
class Record:
    """A JSON value and its place: the file (with line, if it has lines) and the path inside."""

    value: object
    where: str
    parent: Record | None = None
    key: str | int = ""

    @property
    def path(self) -> str:
        """The path of the value in its file, as in `data[3].paragraphs[0].qas[2]`."""
        if self.parent is None:
            return ""
        before = self.parent.path
        if isinstance(self.key, int):
            return f"{before}[{self.key}]"
        return f"{before}.{self.key}" if before else self.key

    def fault(self, message: str) -> DatasetError:
        """The error that says what is wrong here."""
        place = f"{self.where}: {self.path}" if self.path else self.where
        return DatasetError(f"{place}: {message}")

    def has(self, key: str) -> bool:
        """Whether the object holds this key with a value that isn't null."""
        return self._object().get(key) is not None

    def __getitem__(self, key: str) -> Record:
        value = self._object()
        if key not in value:
            held = ", ".join(sorted(map(str, value))) or "nothing"
            raise self.fault(f"has no '{key}' (it has {held})")
        return Record(value[key], self.where, self, key)

    def items(self, key: str = "") -> Iterator[Record]:
        """The elements of the list under the key, or of this list itself."""
        record = self[key] if key else self
        if not isinstance(record.value, list):
            raise record.expected("a list")
        for index, value in enumerate(record.value):
            yield Record(value, record.where, record, index)

    def fields(self) -> Iterator[tuple[str, Record]]:
        """The keys of this object with their values."""
        for key, value in self._object().items():
            yield key, Record(value, self.where, self, key)

    def text(self, key: str) -> str:
        """The text under the key."""
        return self[key].as_text()

    def text_or_empty(self, key: str) -> str:
        """The text under the key, empty where it is missing or null."""
        return self.text(key) if self.has(key) else ""

    def texts(self, key: str) -> tuple[str, ...]:
        """The texts of the list under the key."""
        return tuple(item.as_text() for item in self.items(key))

    def integer(self, key: str) -> int:
        """The whole number under the key."""
        return self[key].as_integer()

    def name(self, key: str) -> str:
        """The text or number under the key, as text: an identifier."""
        record = self[key]
        if isinstance(record.value, bool) or not isinstance(record.value, int | str):
            raise record.expected("text or a whole number")
        return str(record.value)

    def flag(self, key: str) -> bool:
        """The truth value under the key."""
        record = self[key]
        if not isinstance(record.value, bool):
            raise record.expected("true or false")
        return record.value

    def as_text(self) -> str:
        """This value, which must be text."""
        if not isinstance(self.value, str):
            raise self.expected("text")
        return self.value

    def as_integer(self) -> int:
        """This value, which must be a whole number or the digits of one."""
        if isinstance(self.value, int) and not isinstance(self.value, bool):
            return self.value
        if isinstance(self.value, str) and self.value.isdecimal():
            return int(self.value)
        raise self.expected("a whole number")

    def expected(self, what: str) -> DatasetError:
        """The error for a value of another kind than the dataset promises."""
        shown = repr(self.value)
        shown = shown if len(shown) <= 60 else f"{shown[:57]}..."
        return self.fault(f"expected {what}, found {shown}")

    def _object(self) -> dict[str, object]:
        if not isinstance(self.value, dict):
            raise self.expected("an object")
        return self.value
