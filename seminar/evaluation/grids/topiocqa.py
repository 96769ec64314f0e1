"""TopiOCQA's tables: retriever × reader × form of the question, and each stage by itself."""

from __future__ import annotations

from seminar.evaluation.grids.grid import (
    CLOSED_BOOK,
    HISTORIES,
    OWN_HISTORIES,
    OWN_READERS,
    Grid,
    GridRow,
    Part,
    Recipe,
    baselines,
    crossed,
)

_DEV = {"topiocqa/dev": "dev"}
_SEARCHED = {name: name for name in ("lexical", "dense", "fusion")}
_READ = {name: name for name in OWN_READERS}
_DPR = {"BM25": "bm25", "DPR Retriever": "dpr-retriever"}
_NETWORKS = {"DPR Reader": "dpr-reader", "FiD": "fid"}

TABLE_5 = Grid(
    "TopiOCQA",
    (
        Part(
            "end to end",
            5,
            ("EM", "F1"),
            (
                *baselines({"Human": "human"}),
                GridRow("GPT-3", Recipe(reader=CLOSED_BOOK, history="all")),
                *crossed(_DPR, _NETWORKS, HISTORIES),
                *crossed(_SEARCHED, _READ, OWN_HISTORIES),
            ),
            _DEV,
            searched=True,
        ),
        Part(
            "gold passage given",
            7,
            ("EM", "F1"),
            (
                *baselines({"Extractive bound": "extractive-bound"}),
                *(
                    GridRow(
                        f"{label}, {suffix}",
                        Recipe(retriever="gold passage", reader=reader, history=history),
                    )
                    for label, reader in {**_NETWORKS, **_READ}.items()
                    for history, suffix in (OWN_HISTORIES if label in _READ else HISTORIES).items()
                ),
            ),
            _DEV,
            settings=("gold passage",),
        ),
        Part(
            "retrieval",
            6,
            ("Top-20", "Top-100"),
            (
                *crossed(_DPR, {"": ""}, HISTORIES),
                *crossed(_SEARCHED, {"": ""}, OWN_HISTORIES),
            ),
            _DEV,
            kind="retrieval",
            searched=True,
        ),
    ),
    ("GPT-3's row is filled by the language model of --llm, which is given no passage.",),
)
