"""Long lists go to the pager of a real terminal."""

import sys
from io import StringIO
from pathlib import Path

from rich.console import Console

from seminar.cli.paging import print_paged
from tests.cli.terminal import terminal

PRINT_LINES = """
import sys
from seminar.cli import consoles
from seminar.cli.paging import print_paged
console = consoles.output()
for count in (3, 200):
    print_paged(console, lambda: [console.print(f"line {n}", style="red") for n in range(count)])
print("end")
"""


def test_only_what_the_screen_cannot_hold_is_paged(tmp_path: Path):
    paged = tmp_path / "paged.txt"
    command = [sys.executable, "-c", PRINT_LINES]
    with terminal(tmp_path, command=command, PAGER=f"cat > {paged}", LINES="24") as person:
        person.see("line 2", seconds=120)
        person.see("end", seconds=120)
    assert paged.read_text() == "".join(f"line {number}\n" for number in range(200))


def test_nothing_is_paged_outside_of_a_terminal():
    console = Console(file=StringIO())
    print_paged(console, lambda: [console.print("a") for _ in range(500)])
    assert console.file.getvalue() == "a\n" * 500
