"""QuAC's table 4: sanity checks, bounds, baselines, and BiDAF++ with k contexts."""

from __future__ import annotations

from seminar.evaluation.grids.grid import OWN_READERS, Grid, GridRow, Part, Recipe, baselines

TABLE_4 = Grid(
    "QuAC",
    (
        Part(
            "answers and dialog acts",
            4,
            ("F1", "HEQ-Q", "HEQ-D", "yes/no", "follow-up", "F1 all"),
            (
                *baselines(
                    {
                        "Random sentence": "random-sentence",
                        "Majority": "majority",
                        "Transition matrix": "transition-matrix",
                        "Gold NA + TM": "gold-na-tm",
                        "Gold sentence + NA": "gold-sentence",
                        "Human": "human",
                        "Sentence similarity (InferSent)": "similarity",
                        "Logistic regression": "regression",
                    }
                ),
                *(
                    GridRow(
                        f"BiDAF++ w/ {k}-ctx" if k else "BiDAF++",
                        Recipe(retriever="context", reader=f"bidaf-{k}"),
                    )
                    for k in range(4)
                ),
                *(GridRow(name, Recipe("", "context", name, "auto")) for name in OWN_READERS),
            ),
            dict.fromkeys(
                (
                    "quac/val",
                    "quac/val-part-held-out",
                    "quac/val-part",
                    "quac/val-part-references",
                ),
                "dev",
            ),
        ),
    ),
    (
        "The span reader, and any network trained on quac-part, has seen 600 dialogs of quac/val; "
        "quac/val-part-held-out are 100 that none has seen.",
    ),
)
