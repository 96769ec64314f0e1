import pytest

from seminar.ingestion.documents.cell_values import show


@pytest.mark.parametrize(
    ("value", "number_format", "shown"),
    [
        (4, "General", "4"),
        (0.1 + 0.2, "General", "0.3"),
        (1234567, "#,##0", "1,234,567"),
        (4.5, '"£"#,##0.00', "£4.50"),
        (4.5, "#,##0.00 [$€-407]", "4.50 €"),
        (4.5, '_-[$$-409]* #,##0.00_ ;_-[$$-409]* \\-#,##0.00\\ ', "$4.50"),
        (0.5, "0%", "50%"),
        (2.25, "0", "2.25"),
        (2.25, '0.0 "litres, the whole long tank of them"', "2.2"),
        (-3, "0.00;[Red]-0.00", "-3.00"),
        (1e300, "General", "1e+300"),
        (12, "# ?/?", "12"),
        ("  two\nlines ", "@", "two lines"),
        (None, "General", ""),
    ],
)  # fmt: skip
def test_value_is_shown_in_its_number_format(value: object, number_format: str, shown: str):
    assert show(value, number_format) == shown


def test_number_format_of_any_length_is_read_in_linear_time():
    assert show(1.5, '"' * 9_999 + "[" * 9_999) == "1.5"
