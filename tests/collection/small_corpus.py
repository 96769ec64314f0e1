"""A corpus of a few pages, a topic and a chunk, and what is needed to walk through protocols."""

from datetime import UTC, datetime, timedelta

from seminar.collection.corpus.lookup import CorpusIndex
from seminar.collection.corpus.records import Chunk, Corpus, FirstQuestion, Line, Page, Topic
from seminar.collection.messages.actions import ActionType, ChosenSpan
from seminar.collection.messages.views import Frame
from seminar.collection.protocols.activity import ProtocolType, Scene
from seminar.collection.protocols.progress import Progress, advanced
from seminar.types import Element, Link, Section

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
SECRET = "The choir rehearses in the salt warehouse."

TIDE_TEXT = (
    "Tide Choir\nThe Tide Choir is a choir of Port Varn.\n"
    f"History\nIt was founded in 1987 by Ada Holm. {SECRET} It sang for the harbour.\n"
    "Repertoire\nThe choir sings shanties, and works of Ada Holm."
)
HISTORY = TIDE_TEXT.index("History\n") + len("History\n")
REPERTOIRE = TIDE_TEXT.index("Repertoire\n")
HOLM_TEXT = "Ada Holm\nAda Holm is a composer.\nLife\nShe was born in Port Varn in 1950."

TIDE = Page(
    id="tide",
    title="Tide Choir",
    text=TIDE_TEXT,
    sections=(
        Section("History", HISTORY, REPERTOIRE),
        Section("Repertoire", REPERTOIRE + len("Repertoire\n"), len(TIDE_TEXT)),
    ),
    links=(
        Link(TIDE_TEXT.index("Ada Holm"), TIDE_TEXT.index("Ada Holm") + 8, "holm"),
        Link(TIDE_TEXT.index("Port Varn"), TIDE_TEXT.index("Port Varn") + 9, "varn"),
    ),
    elements=(Element("e1", 0, HISTORY), Element("e2", HISTORY, len(TIDE_TEXT))),
    kind="group",
    topic="music",
    incoming=120,
)
HOLM = Page(
    id="holm",
    title="Ada Holm",
    text=HOLM_TEXT,
    sections=(Section("Life", HOLM_TEXT.index("She"), len(HOLM_TEXT)),),
    links=(Link(HOLM_TEXT.index("Port Varn"), HOLM_TEXT.index("Port Varn") + 9, "varn"),),
    topic="music",
)
VARN = Page(id="varn", title="Port Varn", text="Port Varn\nA harbour town.", topic="music")
LINES = (
    ("ANN", "Bob and Carl moved the Friday launch to Monday."),
    ("BOB", "Dana signs the contract with Akzo in March."),
)
CHUNK_TEXT = "\n".join(f"{speaker}: {text}" for speaker, text in LINES)
CHUNK = Chunk(
    id="c1",
    source="mail.mbox",
    title="Launch",
    text=CHUNK_TEXT,
    lines=tuple(
        Line(speaker, text, CHUNK_TEXT.index(text), CHUNK_TEXT.index(text) + len(text))
        for speaker, text in LINES
    ),
    questions=(
        "Which day was the launch moved to by Bob?",
        "Who signs the contract with Akzo in March?",
        "When does Dana sign the contract with Akzo?",
        "Who moved the launch from Friday to Monday?",
    ),
    answers=("Monday", "Dana", "March", "Bob and Carl"),
)
OTHER_CHUNK = Chunk(
    id="c2",
    source="roof.mbox",
    title="Roof",
    text="EVE: The roof of the Lantern House leaks.",
    lines=(Line("EVE", "The roof of the Lantern House leaks.", 5, 41),),
)
INDEX = CorpusIndex(
    Corpus(
        pages=(TIDE, HOLM, VARN),
        topics=(
            Topic(
                id="music",
                title="Music of Port Varn",
                genre="Music",
                central="tide",
                pages=("tide", "holm", "varn"),
            ),
        ),
        chunks=(CHUNK, OTHER_CHUNK),
        first_questions=(FirstQuestion("tide", "when was the tide choir founded"),),
    )
)


def span(page: Page, words: str) -> ChosenSpan:
    """The first place of words on a page."""
    start = page.text.index(words)
    return ChosenSpan(page.id, start, start + len(words))


def frame(role: str) -> Frame:
    return Frame(
        dialog="d1",
        protocol="",
        task="dialog",
        role=role,
        number=0,
        yours=True,
        allowed=(),
        turns_done=0,
        practice=False,
        assisted=False,
        began=START,
        deadline=None,
        earned=0,
        turn_pay=0,
        currency="USD",
    )


def begun(protocol: ProtocolType, subject: str, task: str = "dialog", **scene: object) -> Progress:
    """A dialog or task at its beginning."""
    first = Scene(INDEX, "d1", subject, START, **scene)
    return Progress(protocol.tasks[task].begin(first))


def after(progress: Progress, *acts: tuple[str, ActionType]) -> Progress:
    """The state after actions, one a second."""
    for role, action in acts:
        time = START + timedelta(seconds=progress.number + 1)
        progress = advanced(progress, role, action, time)
    return progress
