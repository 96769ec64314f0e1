"""Every key of STUDY.toml and every option of a protocol stands in docs/collection.md."""

import msgspec
import pytest

from seminar.collection.protocols.registry import PROTOCOLS
from seminar.collection.study import settings
from tests.paths import ROOT

PAGE = (ROOT / "docs" / "collection.md").read_text(encoding="utf-8")
TABLES = {
    "texts": settings.Texts,
    "pay": settings.PayTable,
    "quotas": settings.Quotas,
    "times": settings.Times,
    "validation": settings.Validation,
    "qualification": settings.QualificationTable,
    "platform": settings.Platform,
    "assistant": settings.AssistantTable,
}


@pytest.mark.parametrize("name", TABLES)
def test_every_key_of_a_table_is_documented(name: str):
    for field in msgspec.structs.fields(TABLES[name]):
        assert f"`{name}.{field.name}`" in PAGE


def test_every_key_at_the_top_is_documented():
    for field in msgspec.structs.fields(settings.StudyTable):
        known = (f"`{field.name}`", f"`{field.name}.", f"[[{field.name}]]")
        assert any(one in PAGE for one in known), field.name


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_option_of_a_protocol_is_documented(protocol: str):
    rows = [line for line in PAGE.splitlines() if line.startswith(f"| {protocol} |")]
    for option in PROTOCOLS[protocol].options:
        assert any(f"`{option}`" in row for row in rows), option
