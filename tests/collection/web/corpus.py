"""A small corpus to hold dialogs about: pages with sections and links, topics, and chunks."""

from __future__ import annotations

import re
from dataclasses import replace

from seminar.collection.corpus.records import Chunk, Corpus, FirstQuestion, Line, Page, Topic
from seminar.types import Element, Link, Section

SECRET = "It rehearses in the old salt warehouse by the harbour on Thursdays."
CHOIR = f"""The Tide Choir is a mixed choir of [[varn|Port Varn]] that sings at the harbour.
# Origin
The choir was founded in 1987 by the composer [[holm|Ada Holm]], who had returned to the town a \
year before. {SECRET} Its first concert was given on a ferry, because the town hall was closed.
Eleven people sang in the first season. Today the choir has forty-two members, most of whom work \
in the port.
# Repertoire
The choir sings shanties and works of [[holm|Ada Holm]]. Its best known piece is the Lantern Mass, \
written for the reopening of the [[hall|Lantern Hall]] in 2004.
"""
HOLM = """Ada Holm is a composer and conductor from [[varn|Port Varn]].
# Life
She was born in 1950 as the daughter of a pilot, and studied the organ in the capital. In 1986 she \
returned to [[varn|Port Varn]].
# Works
Her Lantern Mass for choir and four horns was first heard in the [[hall|Lantern Hall]] in 2004.
"""
HALL = """The Lantern Hall is a concert hall in [[varn|Port Varn]] with 380 seats.
# History
It was built in 1912 as a fish market. After a fire in 1999 it was closed for five years.
"""
VARN = """Port Varn is a harbour town of nine thousand people.
# Sights
The lighthouse, the [[Harbour Organ|organ]] and the [[hall|Lantern Hall]] are open to visitors.
The [[Heron Ferry|Heron]] crosses every hour.
"""
GLASS = """Glass blowing is practised in the Hollow Valley since the eighteenth century.
# Masters
The best known is the [[Brandt workshop|Brandt workshop]]. Others make [[Bent willow|baskets]], \
[[Black pottery|pottery]], [[Old loom|cloth]] and [[Cold forge|knives]].
"""
TALK = [
    ("CHAIR", "The budget for next year will be 9.4 million crowns."),
    ("RASK", "Every crossing of the Heron burns 310 litres of fuel in winter."),
    ("LIND", "Akzo delivers the new engine to Port Varn in March."),
    ("CHAIR", "Then the Heron will be replaced in August by the Curlew."),
]
OFFERED = {
    "How many litres of fuel does every crossing of the Heron burn?": "310 litres",
    "Which company delivers the new engine to Port Varn in March?": "Akzo",
    "When will the Heron be replaced by the Curlew?": "August",
    "How large will the budget be for the next year?": "9.4 million crowns",
}


def page(id: str, title: str, text: str, topic: str = "music") -> Page:
    """A page of a text in which `# ` begins a section and `[[id|words]]` is a link."""
    plain, sections, links, elements = "", [], [], []
    for number, line in enumerate(text.strip().split("\n")):
        start = len(plain)
        heading = line.startswith("# ")
        for part in re.split(r"(\[\[[^\]]+\]\])", line.removeprefix("# ")):
            target, _, words = part.strip("[]").rpartition("|")
            if target:
                links.append(Link(len(plain), len(plain) + len(words), target))
            plain += words
        elements.append(Element(f"{id}-{number}", start, len(plain)))
        plain += "\n"
        if heading:
            sections.append((line.removeprefix("# "), len(plain)))
    ends = [start - len(title) - 1 for title, start in sections[1:]] + [len(plain)]
    spans = [Section(name, start, end) for (name, start), end in zip(sections, ends, strict=False)]
    incoming = 150 if id == "choir" else 5
    return Page(
        id=id,
        title=title,
        text=plain,
        sections=tuple(spans),
        links=tuple(links),
        elements=tuple(elements),
        topic=topic,
        kind="group",
        incoming=incoming,
    )


def chunk(id: str, title: str, talk: list[tuple[str, str]], offered: dict[str, str]) -> Chunk:
    """A chunk with the questions that a machine made of it."""
    text, lines = "", []
    for speaker, words in talk:
        start = len(text) + len(speaker) + 2
        lines.append(Line(speaker, words, start, start + len(words)))
        text += f"{speaker}: {words}\n"
    return Chunk(id, id, text, tuple(lines), title, tuple(offered), tuple(offered.values()))


MORE = {  # titles for the background test, which needs five of a topic and five of another
    "music": ("Harbour Organ", "Heron Ferry"),
    "crafts": ("Brandt workshop", "Bent willow", "Black pottery", "Cold forge", "Old loom"),
}
PAGES = (
    page("choir", "Tide Choir", CHOIR),
    page("holm", "Ada Holm", HOLM),
    page("hall", "Lantern Hall", HALL),
    page("varn", "Port Varn", VARN),
    page("glass", "Glass of the valley", GLASS, "crafts"),
    *(
        page(title, title, f"{title} is part of it.", topic)
        for topic, titles in MORE.items()
        for title in titles
    ),
)


def _pages_of(topic: str) -> list[str]:
    return [one.id for one in PAGES if one.topic == topic]


CORPUS = Corpus(
    pages=PAGES,
    topics=(
        Topic("music", "Music of Port Varn", "Arts", "choir", tuple(_pages_of("music"))),
        Topic("crafts", "Crafts of the Hollow Valley", "Arts", "glass", tuple(_pages_of("crafts"))),
    ),
    chunks=(
        chunk("ferry", "The ferry board, 12 May", TALK, OFFERED),
        chunk("roof", "Roof of the hall", [("EVE", "The roof of the Lantern Hall leaks.")], {}),
    ),
    first_questions=(FirstQuestion("choir", "when was the tide choir founded"),),
)
CORPORA = {  # of one subject where tests know the answers
    "quac": Corpus(pages=(replace(PAGES[0], sections=PAGES[0].sections[:1]),)),
    "qaconv": Corpus(chunks=CORPUS.chunks[:1]),
}
