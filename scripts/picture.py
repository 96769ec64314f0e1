"""Draw a conversation with the example collection as the terminal shows it, as an SVG picture."""

import io
import re
import sys
from pathlib import Path

from rich.console import Console

from seminar.cli.printing import print_asked, print_questions, print_reply
from seminar.session import open_session

QUESTIONS = [
    "When was the Tide Choir founded?",
    "Who is the conductor?",
    "What salary does the principal receive?",
]
COLUMNS = 84
FONT = "ui-monospace, Menlo, Consolas, monospace"  # of the reader's machine: nothing is fetched


def record_conversation(collection: Path) -> str:
    """Ask the questions and return what the terminal shows as SVG."""
    console = Console(record=True, file=io.StringIO(), width=COLUMNS, highlight=False)
    session = open_session(collection, followups=True)
    for question in QUESTIONS:
        print_asked(console, question)
        print_reply(console, session.ask_without_suggestions(question), session.seconds)
        print_questions(console, session.suggest())
    drawing = console.export_svg(title="seminar chat examples/collection", unique_id="chat")
    return without_web_fonts(drawing)


def without_web_fonts(drawing: str) -> str:
    """Remove the fonts that rich's pictures load from a server."""
    drawing = re.sub(r"\s*@font-face\s*{[^}]*}", "", drawing)
    return re.sub(r"Fira Code(?:, ?monospace)?", FONT, drawing)


if __name__ == "__main__":
    drawing = record_conversation(Path("examples/collection"))
    Path(sys.argv[1]).write_text(drawing, encoding="utf-8")
