from seminar.ingestion.documents.plain import parse


def test_wrapped_lines_are_joined_and_lists_are_not():
    document = parse(
        "The ferry leaves at nine in the morning on every day of\n"
        "the week but Sunday.\n\n- adults\n- children\n",
        "a.txt",
    )
    assert document.text == (
        "The ferry leaves at nine in the morning on every day of the week but Sunday."
        "\n\n- adults\n- children"
    )


def test_first_line_that_stands_alone_is_the_title():
    document = parse("The Ferry\n\nIt leaves at nine.", "docs/f.txt")
    assert document.title == "The Ferry"
    assert [section.title for section in document.sections] == [""]
    assert parse("It leaves at nine.", "docs/f.txt").title == "f"
    assert parse("It leaves at nine.\n\nIt returns.", "docs/f.txt").title == "f"


def test_headings_are_underlined_numbered_or_in_capitals():
    document = parse(
        "Fares\n=====\nFour pounds.\n\nCHILDREN UNDER TEN\n\nFree.\n\n"
        "1. Refunds\n\nNone.\n\n1.2 Late boats\n\nHalf.\n\nOK.\n\n2 of us went.",
        "a.txt",
    )
    assert [section.title for section in document.sections] == [
        "",
        "CHILDREN UNDER TEN",
        "1. Refunds",
        "1. Refunds > 1.2 Late boats",
    ]
    assert document.title == "Fares"


def test_verse_keeps_its_lines():
    assert parse("I\n\nRoses are red,\nviolets are blue.", "v.txt").text == (
        "I\n\nRoses are red,\nviolets are blue."
    )
