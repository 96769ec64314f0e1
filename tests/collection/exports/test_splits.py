from collections import Counter
from dataclasses import replace

import pytest

from seminar.collection.exports.conversations import conversations
from seminar.collection.exports.splits import disjoint_splits
from seminar.collection.records import StudyRecords
from seminar.errors import ConfigurationError
from tests.collection.small_studies import dialog, qaconv_study, quac_study


def study(pages: int, sections: int = 2) -> StudyRecords:
    """Dialogs about several sections of each page, without annotations."""
    dialogs = [
        dialog(f"{page}-{section}", "quac", f"page{page}#{section}")
        for page in range(pages)
        for section in range(sections)
    ]
    return replace(quac_study(*dialogs), annotations=())


def test_dialogs_about_one_page_are_in_one_split():
    records = study(40)
    splits = disjoint_splits(records, conversations(records))
    pages = {page: {splits[f"{page}-{section}"] for section in range(2)} for page in range(40)}
    assert all(len(found) == 1 for found in pages.values())
    assert Counter(splits.values()) == {"train": 64, "dev": 8, "test": 8}


def test_splits_depend_on_the_seed_alone():
    records = study(10)
    dialogs = conversations(records)
    assert disjoint_splits(records, dialogs) == disjoint_splits(records, dialogs[::-1])
    assert disjoint_splits(records, dialogs) != disjoint_splits(records, dialogs, seed=1)


def test_annotated_topics_are_for_evaluation():
    records = study(10)
    annotated = {"3-0", "4-1"}
    more = quac_study(*(one for one in records.dialogs if one.id in annotated)).annotations
    records = replace(records, annotations=more)
    splits = disjoint_splits(records, conversations(records))
    assert {splits["3-0"], splits["4-1"]} == {"dev", "test"}
    assert Counter(splits.values()) == {"train": 16, "dev": 2, "test": 2}


def test_questions_about_one_conversation_are_in_one_split():
    records = qaconv_study()
    splits = disjoint_splits(records, conversations(records), shares=(40, 30, 30))
    assert len(set(splits.values())) == 1


@pytest.mark.parametrize("shares", [(80, 10, 5), (120, -10, -10)])
def test_shares_are_percentages(shares: tuple[int, int, int]):
    with pytest.raises(ConfigurationError, match="no percentages"):
        disjoint_splits(study(1), [], shares=shares)
