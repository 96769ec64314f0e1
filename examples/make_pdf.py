"""Build collection/visitors-handbook.pdf from visitors-handbook.md, the same bytes every time.

Run it as `python examples/make_pdf.py`, with fpdf2 2.8.9.
"""

from datetime import UTC, datetime
from pathlib import Path

from fpdf import FPDF

FOLDER = Path(__file__).parent
TITLE = "Visitors' Handbook 2025"
PRINTED = datetime(2025, 1, 6, 9, 0, tzinfo=UTC)
A5 = (148, 210)  # millimetres


class Handbook(FPDF):
    """A handbook with its title at the top of each page and the page number at the bottom."""

    def header(self) -> None:
        self.set_font("Helvetica", "I", 9)
        self.cell(0, 8, f"Larkholm College: {TITLE}", align="R", new_x="LMARGIN", new_y="NEXT")

    def footer(self) -> None:
        self.set_y(-15)
        self.set_font("Helvetica", "I", 9)
        self.cell(0, 8, f"Page {self.page_no()}", align="C")

    def write_block(self, text: str, *, size: int, style: str = "") -> None:
        """Typeset a heading or a paragraph, left-aligned so that no space is stretched."""
        self.set_font("Helvetica", style, size)
        self.multi_cell(0, size * 0.5, text, align="L", new_x="LMARGIN", new_y="NEXT")
        self.ln(2)

    def write_chapter(self, heading: str) -> None:
        """Begin a page; the first one also gets the title of the handbook."""
        self.add_page()
        if self.page_no() == 1:
            self.write_block(TITLE, size=24, style="B")
        self.start_section(heading)
        self.write_block(heading, size=17, style="B")

    def write_section(self, heading: str) -> None:
        self.start_section(heading, level=1)
        self.write_block(heading, size=13, style="B")


def make_handbook(source: str) -> Handbook:
    """Typeset '# chapter', '## section' and paragraphs, one on each line, as pages."""
    handbook = Handbook(format=A5)
    handbook.set_compression(False)  # compressors differ between machines
    handbook.set_creation_date(PRINTED)
    handbook.set_title(TITLE)
    handbook.set_author("The porters of Larkholm College")
    handbook.set_lang("en")
    handbook.set_auto_page_break(True, margin=16)
    for line in filter(None, source.splitlines()):
        if line.startswith("## "):
            handbook.write_section(line.removeprefix("## "))
        elif line.startswith("# "):
            handbook.write_chapter(line.removeprefix("# "))
        else:
            handbook.write_block(line, size=11)
    return handbook


if __name__ == "__main__":
    source = (FOLDER / "visitors-handbook.md").read_text(encoding="utf-8")
    make_handbook(source).output(str(FOLDER / "collection" / "visitors-handbook.pdf"))
