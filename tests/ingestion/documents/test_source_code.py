import pytest

from seminar.errors import IngestionError
from seminar.ingestion.documents.source_code import parse

PYTHON = '''#!/usr/bin/env python
"""The harbour's gate."""

import os

LIMIT = 3  # metres


class Gate:
    """A gate that opens
    at high water."""

    @property
    def height(self, tide: int,
               wind: int) -> int:
        """How high it is."""
        # It never sinks
        # below zero.
        return max(tide, 0)


AFTER = 1
'''

C = """/**
 * Opens the gate.
 * @param tide metres
 */
#include <stdio.h>
int gate(int tide) { return 1; } // trailing

// closed on Mondays
/* one line */
static int x;
"""


def test_docstrings_and_comments_of_python_are_prose():
    document = parse(PYTHON, "src/gate.py")
    assert document.title == "gate.py"
    assert document.text == (
        "#!/usr/bin/env python\n\nThe harbour's gate.\n\nimport os\n\nLIMIT = 3  # metres\n\n"
        "class Gate:\n\nA gate that opens\nat high water.\n\n    @property\n\n"
        "def height(self, tide: int, wind: int) -> int:\n\nHow high it is.\n\n"
        "It never sinks\nbelow zero.\n\n        return max(tide, 0)\n\nAFTER = 1"
    )


def test_classes_and_functions_are_sections_that_end_with_them():
    document = parse(PYTHON, "gate.py")
    assert [section.title for section in document.sections] == [
        "",
        "class Gate:",
        "class Gate: > def height(self, tide: int, wind: int) -> int:",
        "",
    ]
    assert document.sections[-1].title == ""
    assert document.text[document.sections[-1].start :] == "AFTER = 1"


def test_comments_of_other_languages_are_prose():
    document = parse(C, "gate.c")
    assert document.text == (
        "Opens the gate.\n@param tide metres\n\n#include <stdio.h>\n"
        "int gate(int tide) { return 1; } // trailing\n\nclosed on Mondays\none line\n\n"
        "static int x;"
    )
    assert [mark.line for mark in document.lines] == [2, 3, 5, 6, 8, 9, 10]


@pytest.mark.parametrize(
    ("name", "text", "prose"),
    [
        ("a.sql", "-- Fares by age\nselect 1;\n", "Fares by age"),
        ("a.sh", "#!/bin/sh\n# Starts the boat\nexit 0\n", "Starts the boat"),
        ("a.js", "/* Sails */\nlet a = '// no';\n", "Sails"),
        ("a.lisp", ";; Anchors\n(defun f ())\n", "Anchors"),
        ("a.hs", "-- | Tides\nx = 1\n", "| Tides"),
        ("a.css", "/* Blue */\na { color: blue }\n", "Blue"),
        ("broken.py", "# Python 2\nprint 'x'\n", "Python 2"),
    ],
)
def test_prose_is_found_by_the_lexer_of_the_suffix(name: str, text: str, prose: str):
    assert prose in parse(text, name).text.split("\n")


def test_deep_nesting_falls_back_to_the_lexer():
    text = "# The boat\nx = " + "(" * 5_000 + ")" * 5_000 + "\n"
    assert parse(text, "a.py").text.startswith("The boat\n\nx = (")


def test_code_made_by_programs_is_refused():
    with pytest.raises(IngestionError, match="source code of more than 4,000,000 characters"):
        parse("x = 1\n" * 700_000, "a.py")
