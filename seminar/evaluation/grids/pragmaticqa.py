"""PragmatiCQA's table 4: how many passages are read."""

from __future__ import annotations

from seminar.evaluation.grids.grid import Grid, GridRow, Part, Recipe

TABLE_4 = Grid(
    "PragmatiCQA",
    (
        Part(
            "k passages read",
            4,
            ("R@k", "R-All@k", "F1-lit", "F1-prag", "Q"),
            tuple(
                GridRow(
                    f"{label}, k = {k}",
                    Recipe(retriever=retriever, reader=reader, history=history, k=k),
                )
                for label, retriever, reader, history in (
                    ("FiD", "dpr-retriever", "fid", "all"),
                    ("fusion + FiD", "fusion", "fid", "all"),
                    ("fusion + sentence", "fusion", "sentence", "auto"),
                    ("fusion + span", "fusion", "span", "auto"),
                )
                for k in (1, 5, 10, 20, 50)
            ),
            {"pragmaticqa/val": "dev", "pragmaticqa/test": "test"},
            kind="pragmatic",
            searched=True,
            judge="bartscore",
        ),
    ),
    (
        "Q is BARTScore, measured where --network bartscore=FOLDER names a BART; the paper's is "
        "facebook/bart-large-cnn.",
    ),
)
