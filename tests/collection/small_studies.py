"""A small finished study of each protocol, with annotations by others."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from seminar.collection.corpus.records import (
    Chunk,
    Corpus,
    FirstQuestion,
    Line,
    Page,
    Topic,
)
from seminar.collection.pay.ledger import Entry
from seminar.collection.records import (
    RATINGS,
    Annotation,
    CorpusSpan,
    Dialog,
    FreeAnswer,
    PragmaticAnswer,
    Seat,
    SpanAnswer,
    StudyRecords,
    Turn,
    Worker,
    WrittenQuestion,
)
from seminar.types import Section

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
LIFE = "She was born in Oslo in a small red house.\nShe sang in the choir of the town."
TEXT = f"Ann Berg\n\nAnn Berg is a singer.\n\nLife\n\n{LIFE}"
ANN = Page(
    "ann.html",
    "Ann Berg",
    TEXT,
    (Section("", 0, TEXT.index("Life")), Section("Life", TEXT.index(LIFE), len(TEXT))),
)
OSLO = Page("oslo.html", "Oslo", "Oslo is a town by the sea.", (Section("", 0, 26),))
WORKERS = tuple(Worker(name, NOON, "prolific") for name in ("ann", "bob", "cem", "dan"))


def minutes(number: float) -> datetime:
    return NOON + timedelta(minutes=number)


def dialog(identity: str, protocol: str, subject: str, **more: object) -> Dialog:
    roles = {
        "quac": ("student", "teacher"),
        "topiocqa": ("questioner", "answerer"),
        "pragmaticqa": ("student", "teacher"),
        "qaconv": ("writer",),
    }
    seats = tuple(map(Seat, roles[protocol], ("ann", "bob")))
    kept = Dialog(
        identity,
        protocol,
        "dialog",
        subject,
        seats,
        began=NOON,
        state="ended",
        ended=minutes(6),
        turns=3,
        kept=True,
    )
    return replace(kept, **more)


def span(page: Page, words: str) -> CorpusSpan:
    start = page.text.index(words)
    return CorpusSpan(page.id, start, start + len(words), words, f"{page.id}-k1", f"{page.id}-k2")


def quac_study(*dialogs: Dialog) -> StudyRecords:
    """Three questions in each dialog; the first has four further answers, two of them none."""
    dialogs = dialogs or (dialog("q1", "quac", "ann.html#1"),)
    asked = ("where was she born?", "did she sing?", "did she marry?")
    given = (
        SpanAnswer(span(ANN, "born in Oslo"), "follow up", "neither"),
        SpanAnswer(span(ANN, "a small red house.\nShe sang"), "maybe", "yes"),
        SpanAnswer(None, "don't", "neither"),
    )
    others = (
        SpanAnswer(span(ANN, "Oslo"), "follow up", "neither"),
        SpanAnswer(span(ANN, "born in Oslo"), "maybe", "neither"),
        SpanAnswer(None, "follow up", "neither"),
        SpanAnswer(None, "follow up", "yes"),
    )
    return StudyRecords(
        "Singers",
        "quac",
        Corpus(pages=(ANN, OSLO)),
        WORKERS,
        dialogs,
        turns=tuple(
            Turn(one.id, number, question, answer, minutes(number), minutes(number + 1))
            for one in dialogs
            for number, (question, answer) in enumerate(zip(asked, given, strict=True), start=1)
        ),
        annotations=tuple(
            Annotation(one.id, 1, f"w{number}", f"v{number}", minutes(number), answer)
            for one in dialogs
            for number, answer in enumerate(others)
        ),
        pay=(
            Entry("q1/ann", "ann", "turns", 100, "USD", NOON, "q1"),
            Entry("q1/bob", "bob", "turns", 140, "USD", NOON, "q1"),
        ),
    )


def topiocqa_study() -> StudyRecords:
    """One dialog over two pages with an unanswerable question, and an additional answer."""
    one = dialog("t1", "topiocqa", "ann.html")
    turns = (
        Turn(
            "t1", 1, "who is ann berg?", FreeAnswer("A singer", span(ANN, "a singer")), NOON, NOON
        ),
        Turn(
            "t1", 2, "is she from oslo?", FreeAnswer("Yes", span(ANN, "born in Oslo")), NOON, NOON
        ),
        Turn(
            "t1", 3, "where is it?", FreeAnswer("By the sea", span(OSLO, "by the sea")), NOON, NOON
        ),
        Turn("t1", 4, "how old is it?", FreeAnswer("", None), NOON, NOON),
    )
    more = FreeAnswer("At the sea", span(OSLO, "a town by the sea"))
    corpus = Corpus(
        pages=(ANN, OSLO), first_questions=(FirstQuestion("ann.html", "who is ann berg?"),)
    )
    return StudyRecords(
        "Towns",
        "topiocqa",
        corpus,
        WORKERS,
        (one,),
        turns,
        (Annotation("t1", 3, "cem", "v1", NOON, more),),
    )


def pragmaticqa_study() -> StudyRecords:
    """One dialog of two rounds; the second is answered with yes and not rated."""
    topic = Topic("singers", "Singers", "Music", "ann.html", ("ann.html", "oslo.html"))
    first = PragmaticAnswer(
        (span(ANN, "born in Oslo"),), None, (span(OSLO, "a town by the sea"),), "In Oslo, at sea."
    )
    second = PragmaticAnswer((), "yes", (), "She did.")
    ratings = dict(zip(RATINGS, (1, 2, 3, 4, 5), strict=True))
    turns = (
        Turn("p1", 1, "where was she born?", first, NOON, minutes(1), ratings),
        Turn("p1", 2, "did she sing?", second, minutes(2), minutes(3)),
    )
    one = dialog("p1", "pragmaticqa", "singers", arms={"topic selection": True})
    return StudyRecords(
        "Fans", "pragmaticqa", Corpus((ANN, OSLO), (topic,)), WORKERS, (one,), turns
    )


SAID = (("RASK", "The late boat was asked for on 14 April."), ("CHAIR", "The city pays for it."))


def chunk(identity: str, source: str) -> Chunk:
    text, lines = "", []
    for speaker, words in SAID:
        start = len(text) + len(speaker) + 2
        lines.append(Line(speaker, words, start, start + len(words)))
        text += f"{speaker}: {words}\n"
    return Chunk(identity, source, text, tuple(lines))


def qaconv_study(*annotations: Annotation) -> StudyRecords:
    """A written, a chosen and an unanswerable question about two chunks of one conversation."""
    written = (
        ("On which day was the late boat asked for?", ("14 April",), None, "c1"),
        ("Who says that the city pays for it?", ("CHAIR",), 2, "c2"),
        ("Why did the CHAIR sell the boat on 14 April?", (), None, "c2"),
    )
    dialogs = tuple(
        dialog(f"w{number}", "qaconv", chunk_id)
        for number, (*_, chunk_id) in enumerate(written, start=1)
    )
    turns = tuple(
        Turn(f"w{n}", 1, question, WrittenQuestion(question, answers, (), chosen), NOON, NOON)
        for n, (question, answers, chosen, _) in enumerate(written, start=1)
    )
    corpus = Corpus(chunks=(chunk("c1", "forum"), chunk("c2", "forum"), chunk("c3", "other")))
    return StudyRecords("Forum", "qaconv", corpus, WORKERS, dialogs, turns, annotations)
