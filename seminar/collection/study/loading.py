"""STUDY.toml, checked wholly before anything is started."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from seminar.collection.corpus.lookup import CorpusIndex
from seminar.collection.corpus.storing import CorpusError, read_corpus
from seminar.collection.pay.amounts import minor_units
from seminar.collection.pay.schedule import PayPlan
from seminar.collection.protocols.activity import ProtocolType
from seminar.collection.protocols.registry import find_protocol
from seminar.collection.study.settings import StudyTable
from seminar.errors import ConfigurationError, unknown
from seminar.reading.readers import READERS
from seminar.settings import fits_default

LARGEST_FILE = 1_000_000  # bytes of STUDY.toml or of a text


@dataclass(frozen=True, eq=False)
class Study:
    """A study ready to be served: its settings, texts, protocol, corpus and subjects."""

    table: StudyTable
    protocol: ProtocolType
    index: CorpusIndex
    plan: PayPlan
    options: Mapping[str, Any]
    subjects: tuple[str, ...]
    texts: Mapping[str, str]  # "consent", "introduction", and those of roles

    @property
    def consent_version(self) -> str:
        """Changes with the consent text, which is then asked for again."""
        return hashlib.sha256(self.texts["consent"].encode()).hexdigest()[:12]

    def digest(self, secret: str) -> str:
        """What processes that serve this study together have in common, the secret too."""
        pages = [(page.id, len(page.text)) for page in self.index.corpus.pages]
        content = msgspec.json.encode(
            [msgspec.to_builtins(self.table), dict(self.texts), list(self.subjects), pages, secret]
        )
        return hashlib.sha256(content).hexdigest()

    @property
    def least_turns(self) -> int:
        """Turns below which a dialog is discarded."""
        return int(self.options.get("least_turns", self.protocol.least_turns))


def load_study(file: Path) -> Study:
    """Read and check a study; every fault is named in one error."""
    table = _read(file)
    protocol = find_protocol(table.protocol)
    options = _options(file, table, protocol)
    texts = _texts(file, table)
    try:
        index = CorpusIndex(read_corpus(file.parent / table.corpus))
    except CorpusError as error:
        raise ConfigurationError(f"{file}: corpus: {error}") from error
    subjects = tuple(protocol.subjects(index, options)) if _has(index, protocol) else ()
    faults = list(_faults(table, protocol, options, index, subjects))
    if faults:
        raise ConfigurationError(f"{file}: " + "; ".join(faults))
    plan = _plan(file, table, protocol)
    return Study(table, protocol, index, plan, options, subjects, texts)


def _read(file: Path) -> StudyTable:
    try:
        found = tomllib.loads(_text(file))
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{file}: not TOML ({error})") from error
    try:
        return msgspec.convert(found, StudyTable)
    except msgspec.ValidationError as error:
        raise ConfigurationError(f"{file}: {error}") from error


def _text(file: Path) -> str:
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise ConfigurationError(f"{file}: larger than {LARGEST_FILE:,} bytes")
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{file}: can't be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{file}: not UTF-8 ({error.reason})") from error


def _texts(file: Path, table: StudyTable) -> dict[str, str]:
    named = {
        "consent": table.texts.consent,
        "introduction": table.texts.introduction,
        **{f"instructions {role}": text for role, text in table.texts.instructions.items()},
    }
    return {name: _content(file.parent, text) for name, text in named.items()}


def _content(folder: Path, text: str) -> str:
    """A text, or that of the file that it names."""
    if text.endswith(".md") and "\n" not in text:
        return _text(folder / text)
    return text


def _options(file: Path, table: StudyTable, protocol: ProtocolType) -> dict[str, Any]:
    for name, value in table.options.items():
        if name not in protocol.options:
            raise unknown(f"{file}: option of {protocol.name}", name, protocol.options)
        usual = protocol.options[name]
        if not (isinstance(value, list) if isinstance(usual, list) else fits_default(value, usual)):
            raise ConfigurationError(f"{file}: options.{name} = {value!r} is not like {usual!r}")
        if isinstance(value, int) and value < 0:
            raise ConfigurationError(f"{file}: options.{name} = {value} is below 0")
    return {**protocol.options, **table.options}


def _plan(file: Path, table: StudyTable, protocol: ProtocolType) -> PayPlan:
    pay = table.pay
    try:
        units = {
            name: minor_units(getattr(pay, name), pay.currency)
            for name in ("base", "turn", "extra", "growth", "annotation")
        }
        roles = {role: minor_units(amount, pay.currency) for role, amount in pay.roles.items()}
        return PayPlan(
            currency=pay.currency,
            minimum=protocol.least_turns if pay.minimum is None else pay.minimum,
            most=pay.most,
            partial=pay.partial,
            roles=roles,
            **units,
        )
    except ConfigurationError as error:
        raise ConfigurationError(f"{file}: pay: {error}") from error


def _has(index: CorpusIndex, protocol: ProtocolType) -> bool:
    return bool(getattr(index.corpus, protocol.needs))


def _faults(
    table: StudyTable,
    protocol: ProtocolType,
    options: Mapping[str, Any],
    index: CorpusIndex,
    subjects: tuple[str, ...],
) -> Iterator[str]:
    """What is wrong beyond the types of single values."""
    roles = {role for task in protocol.tasks.values() for role in task.roles}
    if not _has(index, protocol):
        yield f"corpus has no {protocol.needs}, which {protocol.name} is about"
    elif not subjects:
        yield f"no part of the corpus fits the options of {protocol.name}, so nothing can begin"
    if not table.texts.consent.strip():
        yield "texts.consent is empty: people must know what they agree to"
    for place, named in (
        ("texts.instructions", table.texts.instructions),
        ("pay.roles", table.pay.roles),
        ("assistant.practice", dict.fromkeys(table.assistant.practice)),
        ("survey roles", {role: None for item in table.survey for role in item.roles}),
    ):
        for role in named:
            if role not in roles:
                known = ", ".join(sorted(roles))
                yield f"{place}: {protocol.name} has no role '{role}' (it has {known})"
    for role in table.assistant.practice:
        if role in roles and role not in protocol.tasks["dialog"].roles:
            yield f"assistant.practice: '{role}' has no part in dialogs"
    if table.assistant.drafts and not protocol.knower:
        yield f"assistant.drafts: {protocol.name} has no teacher to draft for"
    yield from (f"options.{fault}" for fault in protocol.faults(options))
    reader = table.assistant.reader
    if reader not in READERS and not Path(reader).is_dir():
        yield str(unknown("assistant.reader", reader, READERS))
    yield from _form_faults(table)
    if table.validation.annotations and "validation" not in protocol.tasks:
        yield f"validation: {protocol.name} has none"
    if table.platform.name == "prolific" and not table.platform.completion_code:
        yield "platform.completion_code is missing: copy it from the study's page at Prolific"


def _form_faults(table: StudyTable) -> Iterator[str]:
    test = table.qualification
    for number, item in enumerate(test.items):
        if item.answer >= len(item.options):
            yield f"qualification.items[{number}].answer is {item.answer}, beyond its options"
    if test.pass_mark > len(test.items):
        yield f"qualification.pass_mark is {test.pass_mark} of {len(test.items)} items"
    names = [item.name for item in table.survey]
    if len(set(names)) < len(names):
        yield "survey has a name twice"
    for asked in table.survey:
        if (asked.kind == "choice") != bool(asked.options):
            yield f"survey '{asked.name}': options belong to the kind 'choice', and to it alone"
