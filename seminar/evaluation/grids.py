"""The papers' tables as grids, by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from seminar.errors import unknown
from seminar.evaluation.grid import (
    HISTORIES,
    OWN_HISTORIES,
    Grid,
    GridRow,
    Part,
    Recipe,
    crossed,
)
from seminar.evaluation.grids_qaconv import TABLE_6, TABLE_7, TABLE_9


def _plain(names: Iterable[str]) -> dict[str, str]:
    return {name: name for name in names}


def _baselines(names: Mapping[str, str]) -> tuple[GridRow, ...]:
    return tuple(GridRow(label, Recipe(baseline=name)) for label, name in names.items())


_TOPIOCQA = {"topiocqa/dev": "dev"}
_SEARCHED = _plain(("lexical", "dense", "fusion"))
_READ = _plain(("sentence", "span"))
_DPR = {"BM25": "bm25", "DPR Retriever": "dpr-retriever"}
_NETWORKS = {"DPR Reader": "dpr-reader", "FiD": "fid"}

TOPIOCQA_5 = Grid(
    "TopiOCQA",
    (
        Part(
            "end to end",
            5,
            ("EM", "F1"),
            (
                *_baselines({"Human": "human"}),
                GridRow("GPT-3", Recipe(reader="closed book", history="all")),
                *crossed(_DPR, _NETWORKS, HISTORIES),
                *crossed(_SEARCHED, _READ, OWN_HISTORIES),
            ),
            _TOPIOCQA,
            searched=True,
        ),
        Part(
            "gold passage given",
            7,
            ("EM", "F1"),
            (
                *_baselines({"Extractive bound": "extractive-bound"}),
                *(
                    GridRow(
                        f"{label}, {told}",
                        Recipe(retriever="gold passage", reader=reader, history=history),
                    )
                    for label, reader in {**_NETWORKS, **_READ}.items()
                    for history, told in (OWN_HISTORIES if label in _READ else HISTORIES).items()
                ),
            ),
            _TOPIOCQA,
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
            _TOPIOCQA,
            kind="retrieval",
            searched=True,
        ),
    ),
    ("GPT-3's row is filled by the language model of --llm, which is given no passage.",),
)

PRAGMATICQA_4 = Grid(
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

_ANSWER_SETS = ("F1", "F1 multi")
_EFFICIENCY = ("parameters M", "seconds", "memory GB")
_AMBIGQA = {"ambigqa/dev": "dev"}
_WEBQSP = {"webqsp/test-answers": "test", "webqsp/test": "test"}
_SEVERAL = (
    GridRow("fusion + span, one answer", Recipe(retriever="fusion", reader="span")),
    GridRow("fusion + span, several answers", Recipe("", "fusion", "span", several=True)),
)


def _prompted(label: str, role: str) -> GridRow:
    """A network of AmbigPrompt's tables; all read what one retriever found."""
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


AMBIGPROMPT_2 = Grid(
    "AmbigPrompt",
    (_table_2("AmbigQA", _AMBIGQA), _table_2("WebQSP", _WEBQSP)),
    ("seconds and memory are of searching and reading, a question at a time, on this machine's "
     "processor; the paper's are a GPU's.",),
)  # fmt: skip
AMBIGPROMPT_3 = Grid("AmbigPrompt", (_table_3("AmbigQA", _AMBIGQA), _table_3("WebQSP", _WEBQSP)))
AMBIGPROMPT_5 = Grid(
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
                        f"FiD, {told}" if told else "FiD",
                        Recipe("", "best", "fid", several=True, decoding=decoding),
                    )
                    for told, decoding in (
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

QUAC_4 = Grid(
    "QuAC",
    (
        Part(
            "answers and dialog acts",
            4,
            ("F1", "HEQ-Q", "HEQ-D", "yes/no", "follow-up", "F1 all"),
            (
                *_baselines(
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
                *(GridRow(name, Recipe("", "context", name, "auto")) for name in _READ),
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

GRIDS: dict[str, Grid] = {
    "topiocqa-table5": TOPIOCQA_5,
    "pragmaticqa-table4": PRAGMATICQA_4,
    "ambigprompt-table2": AMBIGPROMPT_2,
    "ambigprompt-table3": AMBIGPROMPT_3,
    "ambigprompt-table5": AMBIGPROMPT_5,
    "quac-table4": QUAC_4,
    "qaconv-table6": TABLE_6,
    "qaconv-table7": TABLE_7,
    "qaconv-table9": TABLE_9,
}


def find_grid(name: str) -> Grid:
    """The grid of a name, or the error that lists those there are."""
    if name not in GRIDS:
        raise unknown("grid", name, GRIDS)
    return GRIDS[name]
