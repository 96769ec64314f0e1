from pathlib import Path

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.documents.rst import parse


def titles(text: str) -> list[str]:
    return [section.title for section in parse(text, "a.rst").sections]


def test_headings_give_the_title_and_the_paths_of_sections():
    text = "====\nBoat\n====\n\na\n\nFares\n-----\n\nb\n\nChild\n~~~~~\n\nc\n\nTimes\n-----\n\nd\n"
    document = parse(text, "docs/b.rst")
    assert document.title == "Boat"
    assert titles(text) == ["", "Fares", "Fares > Child", "Times"]
    assert [mark.line for mark in document.lines] == [2, 5, 7, 10, 12, 15, 17, 20]
    assert parse("Only text.", "docs/readme.rst").title == "readme"


def test_roles_show_their_words_and_references_are_links():
    text = (
        "See :ref:`the pier <pier>`, :func:`~os.path.join`, :class:`!Boat`, :doc:`times <t/x>`,\n"
        "`fares <f.rst>`_ and |who|.\n\n.. |who| replace:: *Ada*\n"
    )
    document = parse(text, "docs/a.rst")
    assert document.text == "See the pier, join, Boat, times, fares and Ada."
    anchors = [(document.text[link.start : link.end], link.target) for link in document.links]
    assert anchors == [("times", "docs/t/x.rst"), ("fares", "docs/f.rst")]


def test_directives_show_their_argument_and_content():
    text = (
        ".. versionadded:: 2.0\n   The night boat.\n\n.. py:function:: sail(tide)\n\n"
        "   Leaves.\n\n   :param tide: The tide.\n\n.. code-block:: python\n   :linenos:\n\n"
        "   x = 1\n\n.. custom-note:: Mind\n   the gap.\n"
    )
    assert parse(text, "a.rst").text == (
        "New in version 2.0 The night boat.\n\nsail(tide)\n\nLeaves.\n\nparam tide: The tide."
        "\n\nx = 1\n\nMind the gap."
    )


def test_rows_of_tables_and_lists_keep_their_lines():
    text = "- one\n- two\n\n====== =====\nTicket Price\n====== =====\nChild  4\n====== =====\n"
    document = parse(text, "a.rst")
    assert document.text == "one\ntwo\n\nTicket | Price\nTicket: Child; Price: 4"
    assert document.lines[-1].line == 7


@pytest.mark.parametrize(
    "directive",
    [
        ".. include:: {}",
        ".. literalinclude:: {}",
        ".. raw:: html\n   :file: {}",
        ".. csv-table:: T\n   :file: {}",
        ".. figure:: {}\n   :figwidth: image",
        ".. raw:: html\n\n   <p>secret</p>",
        ".. role:: raw-html(raw)\n   :format: html\n\n:raw-html:`<b>x</b>`",
    ],
)
def test_nothing_is_read_from_other_files(tmp_path: Path, directive: str):
    (tmp_path / "other.txt").write_text("secret,1\n")
    text = f"Before.\n\n{directive.format(tmp_path / 'other.txt')}\n\nAfter.\n"
    document = parse(text, "a.rst")
    assert "secret" not in document.text
    assert document.text.startswith("Before.")
    assert document.text.endswith("After.")


def test_configuration_beside_the_file_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "docutils.conf").write_text("[general]\nfile_insertion_enabled: yes\n")
    (tmp_path / "other.txt").write_text("secret")
    monkeypatch.chdir(tmp_path)
    assert parse("Text.\n\n.. include:: other.txt\n", "a.rst").text == "Text."


def test_substitutions_that_multiply_are_bounded():
    text = ".. |a0| replace:: " + "x" * 50 + "\n"
    text += "".join(f".. |a{n}| replace:: " + f"|a{n - 1}| " * 20 + "\n" for n in range(1, 9))
    assert len(parse(f"Text |a8| here.\n\n{text}", "a.rst").text) < 100_000


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x" * 20_000, "line 1 is longer than 10,000 characters"),
        ("".join(f":r{n}:`x` " + "\n" * (n % 9 == 0) for n in range(600)), "more than 500 roles"),
        (".. comment only\n", "empty: it holds no text"),
        ("".join(f"{'  ' * n}- x\n\n" for n in range(600)), "nested too deeply"),
    ],
)
def test_hostile_text_is_one_line(text: str, reason: str):
    with pytest.raises(IngestionError, match=reason):
        parse(text, "a.rst")
