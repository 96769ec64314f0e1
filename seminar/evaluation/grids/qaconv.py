"""QAConv's tables: the question's own chunk is read, or the best one of its conversation."""

from __future__ import annotations

from seminar.evaluation.grids.grid import OWN_READERS, Grid, GridRow, Part, Recipe

_SPAN_QA = {
    f"{label}-SQuAD2.0": label.lower()
    for label in ("DistilBERT-Base", "BERT-Base", "BERT-Large", "RoBERTa-Base", "RoBERTa-Large")
}
_TEXT_QA = {f"{label}-UnifiedQA": label.lower() for label in ("T5-Base", "T5-Large", "T5-3B")}
_CHECKPOINTS = {**_SPAN_QA, **_TEXT_QA}
_ONCE = (  # rows of table 6 that were not finetuned
    GridRow("Human", lacking="the crowd workers' answers are not released"),
    GridRow("T5-11B-UnifiedQA", Recipe("", "chunk", "t5-11b")),
)


def _qaconv_rows(retriever: str, *, finetuned: bool, k: int = 0) -> tuple[GridRow, ...]:
    suffix = "-finetuned" if finetuned else ""
    return tuple(
        GridRow(label, Recipe(retriever=retriever, reader=role + suffix, k=k))
        for label, role in _CHECKPOINTS.items()
    )


def _chunk_parts(
    number: int, mode: str, columns: tuple[str, ...], also: tuple[GridRow, ...] = ()
) -> tuple[Part, ...]:
    """Chunk mode: the question's own chunk is read."""
    ours = tuple(GridRow(name, Recipe("", "chunk", name)) for name in OWN_READERS)
    chunk = {"qaconv/tst-chunk": "test"}
    zero = (*also, *_qaconv_rows("chunk", finetuned=False), *ours)
    tuned = _qaconv_rows("chunk", finetuned=True)
    return tuple(
        Part(title, number, columns, rows, chunk, settings=(f"{mode}, {title}",), searched=True)
        for title, rows in (("zero-shot", zero), ("finetuned", tuned))
    )


def _full_part(title: str, *, finetuned: bool) -> Part:
    """Full mode: the best chunk of the conversation is read, or as many as the assistant reads."""
    ours = tuple(
        GridRow(f"{retriever} + {reader}, k = {k}", Recipe("", retriever, reader, k=k))
        for retriever in ("bm25", "lexical", "dense", "fusion")
        for reader in OWN_READERS
        for k in (1, 10)
    )
    rows = _qaconv_rows("bm25", finetuned=finetuned, k=1)
    return Part(
        title,
        7,
        ("EM", "F1", "FZ-R"),
        rows if finetuned else (*rows, *ours),
        {"qaconv/tst-full": "test"},
        settings=(f"full mode, BM25, {title}",),
        searched=True,
    )


TABLE_6 = Grid("QAConv", _chunk_parts(6, "chunk mode", ("EM", "F1", "FZ-R"), _ONCE))
TABLE_7 = Grid(
    "QAConv", (_full_part("zero-shot", finetuned=False), _full_part("finetuned", finetuned=True))
)
TABLE_9 = Grid(
    "QAConv",
    _chunk_parts(
        9,
        "chunk mode by answerability",
        ("EM answerable", "F1 answerable", "recall unanswerable", "binary F1"),
    ),
)
