"""AmbigPrompt's tables: several answers, what they cost, ablations, and ways to decode."""

from __future__ import annotations

from collections.abc import Mapping

from seminar.evaluation.grids.grid import Grid, GridRow, Part, Recipe

_ANSWER_SETS = ("F1", "F1 multi")
_EFFICIENCY = ("parameters M", "seconds", "memory GB")
_AMBIGQA = {"ambigqa/dev": "dev"}
_WEBQSP = {"webqsp/test-answers": "test", "webqsp/test": "test"}
_SEVERAL = (
    GridRow("fusion + span, one answer", Recipe(retriever="fusion", reader="span")),
    GridRow("fusion + span, several answers", Recipe("", "fusion", "span", several=True)),
)


def _prompted(label: str, role: str) -> GridRow:
    """A row of a network of AmbigPrompt's tables; all read the hits of one retriever."""
    return GridRow(label, Recipe(retriever="best", reader=role, several=True))


def _table_2(title: str, splits: Mapping[str, str]) -> Part:
    return Part(
        title,
        2,
        (*_ANSWER_SETS, *_EFFICIENCY),
        (
            GridRow("JPR"),
            GridRow("RECTIFY"),
            _prompted("DPR", "dpr-reader"),
            GridRow("SpanSeqGen"),
            _prompted("FiD-Base", "fid"),
            GridRow("Refuel"),
            _prompted("AmbigPrompt", "ambigprompt"),
            *_SEVERAL,
        ),
        splits,
        settings=("", "efficiency"),
        searched=True,
        alone=True,
    )


def _table_3(title: str, splits: Mapping[str, str]) -> Part:
    return Part(
        title,
        3,
        _ANSWER_SETS,
        tuple(
            _prompted(f"AmbigPrompt{without}", f"ambigprompt{role}")
            for without, role in (
                ("", ""),
                (" w/o task-adaptive pre-training", "-without-pretraining"),
                (" w/o prompting model", "-without-prompting"),
                (" w/o interleaving prompting", "-without-interleaving"),
            )
        ),
        splits,
        settings=("ablation",),
        searched=True,
    )


TABLE_2 = Grid(
    "AmbigPrompt",
    (_table_2("AmbigQA", _AMBIGQA), _table_2("WebQSP", _WEBQSP)),
    ("seconds and memory are of searching and reading, a question at a time, on this machine's "
     "processor; the paper's are a GPU's.",),
)  # fmt: skip
TABLE_3 = Grid("AmbigPrompt", (_table_3("AmbigQA", _AMBIGQA), _table_3("WebQSP", _WEBQSP)))
TABLE_5 = Grid(
    "AmbigPrompt",
    (
        Part(
            "zero-shot",
            5,
            _ANSWER_SETS,
            (
                _prompted("DPR", "dpr-reader"),
                GridRow("SpanSeqGen"),
                *(
                    GridRow(
                        f"FiD, {suffix}" if suffix else "FiD",
                        Recipe("", "best", "fid", several=True, decoding=decoding),
                    )
                    for suffix, decoding in (
                        ("", "greedy"),
                        ("nucleus sampling", "nucleus"),
                        ("top-k sampling", "top-k"),
                        ("diverse beam search", "diverse-beam"),
                        ("reduced end of sequence", "fewer-ends"),
                    )
                ),
                _prompted("AmbigPrompt", "ambigprompt"),
                *_SEVERAL,
            ),
            _AMBIGQA,
            settings=("zero-shot",),
            searched=True,
        ),
    ),
    ("FiD with a reduced end of sequence is FiD-multi of the paper's figure 5.",),
)
