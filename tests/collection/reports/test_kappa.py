import pytest

from seminar.collection.reports.kappa import fleiss_kappa

# Fleiss' (1971) method on the example of ten subjects, fourteen raters and five categories that
# textbooks repeat: kappa 0.210.
COUNTS = [
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
]


def test_the_known_example():
    items = [
        [category for category, count in enumerate(counts) for _ in range(count)]
        for counts in COUNTS
    ]
    assert fleiss_kappa(items) == pytest.approx(0.210, abs=0.0005)


def test_full_agreement_and_full_disagreement():
    assert fleiss_kappa(["yy", "nn"]) == 1
    assert fleiss_kappa(["yn", "yn"]) == -1


@pytest.mark.parametrize("items", [[], ["y"], ["yy", "yyy"]])
def test_without_two_raters_or_two_categories_there_is_no_value(items: list[str]):
    assert fleiss_kappa(items) is None
