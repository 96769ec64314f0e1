import json

import pytest

from seminar.errors import IngestionError
from seminar.ingestion.documents.notebook import OUTPUT_LIMIT, parse

MARKDOWN = {"cell_type": "markdown", "metadata": {}, "source": ["# Tides\n", "\n", "It is *high*."]}


def notebook(*cells: dict[str, object]) -> str:
    content = {"cells": cells, "metadata": {"kernelspec": {"name": "python3"}}, "nbformat": 4}
    return json.dumps(content, indent=1)


def code(source: list[str], *outputs: dict[str, object]) -> dict[str, object]:
    return {"cell_type": "code", "execution_count": 1, "outputs": outputs, "source": source}


def test_markdown_code_and_outputs_follow_one_another():
    stream = {"output_type": "stream", "name": "stdout", "text": ["3\n", "\x1b[31mred\x1b[0m\n"]}
    shown = {
        "output_type": "execute_result",
        "data": {"text/html": ["<b>no</b>"], "image/png": "aGk=", "text/plain": ["  x\n", "1 2"]},
    }
    failed = {"output_type": "error", "ename": "ValueError", "evalue": "ebb", "traceback": ["no"]}
    document = parse(
        notebook(MARKDOWN, code(["a = 1\n", "\n", "print(a)"], stream, shown, failed)), "d/t.ipynb"
    )
    assert document.title == "Tides"
    assert document.text == (
        "Tides\n\nIt is high.\n\na = 1\n\nprint(a)\n\n3\nred\n  x\n1 2\nValueError\nebb"
    )


def test_lines_are_those_of_the_file():
    text = notebook(MARKDOWN, code(["a = 1\n", "b = 2"]))
    document = parse(text, "t.ipynb")
    lines = text.split("\n")
    found = {
        document.text[mark.start :].split("\n")[0]: lines[mark.line - 1].strip()
        for mark in document.lines
    }
    assert found["Tides"] == '"# Tides\\n",'
    assert found["a = 1"] == '"a = 1\\n",'
    assert found["b = 2"] == '"b = 2"'


def test_source_may_be_one_string_and_cells_may_stand_in_worksheets():
    old = {"worksheets": [{"cells": [{"cell_type": "code", "input": "x = 1\ny = 2"}]}]}
    assert parse(json.dumps(old), "old.ipynb").text == "x = 1\ny = 2"


def test_long_output_is_cut():
    stream = {"output_type": "stream", "text": ["x" * 1_000 + "\n"] * 100}
    assert len(parse(notebook(code([], stream)), "a.ipynb").text) <= OUTPUT_LIMIT + 1_001


@pytest.mark.parametrize("text", ["{}", notebook(), notebook(code([])), '{"cells": [1, [2]]}'])
def test_notebook_without_text_is_refused(text: str):
    with pytest.raises(IngestionError, match=r"^empty: "):
        parse(text, "a.ipynb")
