"""Telling by its keys or tags which dataset a file belongs to, for errors that help."""

from __future__ import annotations

import re
from pathlib import Path

from seminar.datasets.files import read_lines
from seminar.errors import DatasetError

# Keys that together mark a dataset; the first dataset whose keys all occur is named.
MARKS = {
    "quac": ("orig_answer", "followup", "yesno"),
    "coqa": ("story", "span_text", "input_text"),
    "abg_coqa": ("clarification_turn",),
    "written": ("dialogues", "rewrite", "near"),
    "molweni": ("edus",),
    "friendsqa": ("utterance_id", "answer_text"),
    "squad": ("paragraphs", "qas", "context"),
    "canard": ("QuAC_dialog_id",),
    "topiocqa": ("Conversation_no", "Topic"),
    "qrecc": ("Conversation_no", "Conversation_source"),
    "qaconv": ("article_segment_id",),
    "pragmaticqa": ("a_meta", "literal_obj"),
    "ambigqa": ("annotations", "qaPairs"),
    "webqsp": ("Questions", "Parses"),
    "trec_cast": ("turn", "raw_utterance"),
    "nq_gold_passages": ("ctxs", "hasanswer"),
    "webquestions": ("qId", "qText"),
    "boolq": ("passage", "question"),
    "nq_open": ("question", "answer"),
    "bc3": ("listno", "annotation", "sent"),
}
KEY = re.compile(r'"(?P<key>[^"\\]{1,40})"\s*:|<(?P<tag>\w{1,40})[ >]')
PEEK = 200_000


def recognise(path: Path) -> str:
    """The dataset whose keys the beginning of the file shows, or nothing.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "unknown.json")
    ...     _ = path.write_text('[{"article_segment_id": "bc3-1", "QG": false}]')
    ...     recognise(path)
    'qaconv'
    """
    keys = {found["key"] or found["tag"] for found in KEY.finditer(_beginning(path))}
    return next((name for name, marks in MARKS.items() if keys.issuperset(marks)), "")


def _beginning(path: Path) -> str:
    lines: list[str] = []
    length = 0
    try:
        for _, line in read_lines(path):
            lines.append(line[:PEEK])
            length += len(line)
            if length > PEEK:
                break
    except DatasetError:
        return "\n".join(lines)
    return "\n".join(lines)
