"""The papers' tables of statistics, for one split or several side by side."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from seminar.analysis.answer_types import type_shares
from seminar.analysis.exhibits import Table, missing_table
from seminar.analysis.frames import dialogs
from seminar.analysis.question_types import first_word_shares
from seminar.analysis.topics import run_lengths, topics_by_length

Statistic = Callable[[pd.DataFrame], float]


def split_columns(frame: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The splits of a frame by name, with all of them together at the end if there are several."""
    parts = {str(name): part for name, part in frame.groupby("split", observed=True, sort=False)}
    return {**parts, "all": frame} if len(parts) > 1 else parts


def statistics(frame: pd.DataFrame, rows: dict[str, Statistic]) -> pd.DataFrame:
    """Named statistics of each split; those that no split has are left out."""
    table = {
        split: {name: statistic(part) for name, statistic in rows.items()}
        for split, part in split_columns(frame).items()
    }
    measured = pd.DataFrame(table, index=pd.Index(rows, name="statistic")).dropna(how="all")
    return measured.reset_index()


def _dialogs(frame: pd.DataFrame) -> float:
    return frame["dialogue"].nunique()


def _mean(column: str) -> Statistic:
    return lambda frame: float(frame[column].mean()) if len(frame) else np.nan


def _share(column: str) -> Statistic:
    return lambda frame: 100 * float(frame[column].mean()) if len(frame) else np.nan


def _per_dialog(column: str) -> Statistic:
    return lambda frame: _positive(dialogs(frame)[column]) if len(frame) else np.nan


def _positive(column: pd.Series) -> float:
    """The mean of a count, NaN if it is 0 everywhere: the dataset doesn't have it."""
    return float(column.mean()) if column.any() else np.nan


def _affirmations(frame: pd.DataFrame) -> float:
    labelled = frame[frame["affirmation"] != ""]
    return (
        100 * float(labelled["affirmation"].isin(["yes", "no"]).mean()) if len(labelled) else np.nan
    )


def _sections(frame: pd.DataFrame) -> float:
    known = frame[frame["context_words"].notna() & (frame["section"] != "")]
    return len(known[["title", "section"]].drop_duplicates()) or np.nan


def _section_words(frame: pd.DataFrame) -> float:
    return float(frame.drop_duplicates("dialogue")["context_words"].mean())


def _answerable(column: str) -> Statistic:
    return lambda frame: float(frame.loc[frame["answerable"], column].mean())


QUAC_ROWS: dict[str, Statistic] = {
    "questions": len,
    "dialogs": _dialogs,
    "unique sections": _sections,
    "tokens / section": _section_words,
    "tokens / question": _mean("question_words"),
    "tokens / answer": _answerable("answer_words"),
    "questions / dialog": lambda frame: len(frame) / max(1, _dialogs(frame)),
    "% yes/no": _affirmations,
    "% unanswerable": lambda frame: 100 - _share("answerable")(frame),
    "references / question": _mean("references"),
}
TOPIOCQA_ROWS: dict[str, Statistic] = {
    "turns": len,
    "conversations": _dialogs,
    "tokens / question": _mean("question_words"),
    "tokens / answer": _mean("answer_words"),
    "turns / conversation": lambda frame: len(frame) / max(1, _dialogs(frame)),
    "topics / conversation": _per_dialog("topics"),
    "% unanswerable": lambda frame: 100 - _share("answerable")(frame),
    "% of all turns with another topic than the turn before": lambda frame: _changes(frame),
    "most frequent length of a topic": lambda frame: _mode(run_lengths(frame), "turns", "length"),
    "most frequent topics of 10 turns": lambda frame: _topics_of(frame, 10),
    "most frequent topics of 14 turns": lambda frame: _topics_of(frame, 14),
    "most frequent topics of 18 turns": lambda frame: _topics_of(frame, 18),
    "% switch of topic": lambda frame: _switches(frame, "switch-to-new", "switch-to-old"),
    "% switch to a new topic": lambda frame: _switches(frame, "switch-to-new"),
    "% switch to an old topic": lambda frame: _switches(frame, "switch-to-old"),
}
PRAGMATICQA_ROWS: dict[str, Statistic] = {
    "QA": len,
    "dialogs": _dialogs,
    "topics": lambda frame: frame["topic"].nunique(),
    "genres": lambda frame: frame["domain"].nunique(),
    "words of Q": _mean("question_words"),
    "words of A": lambda frame: float(frame["given_words"].mean()),
    "words of A lit": _mean("literal_words"),
    "words of A prag": _mean("pragmatic_words"),
    "words that both share": _mean("overlap_words"),
    "spans / question": _mean("spans"),
    "elements / dialog": _per_dialog("elements"),
    "QA / dialog": lambda frame: len(frame) / max(1, _dialogs(frame)),
    "% yes, no or don't know": lambda frame: 100 * float((frame["fixed"] != "").mean()),
    "literal span, 1st quartile": lambda frame: _quartile(frame, 0.25),
    "literal span, median": lambda frame: _quartile(frame, 0.5),
    "literal span, 3rd quartile": lambda frame: _quartile(frame, 0.75),
    "page failed to load": lambda frame: int(frame["page_failed"].sum()),
}
AMBIGQA_ROWS: dict[str, Statistic] = {
    "questions": len,
    "mean answers": lambda frame: float(np.mean(_reading_counts(frame))),
    "median answers": lambda frame: float(np.median(_reading_counts(frame))),
    "% with several answers": lambda frame: 100 * float(np.mean(_reading_counts(frame) > 1)),
}


RATINGS = (
    "naturalness",
    "literal answer fits without excess",
    "spans answer would-be questions",
    "spans give helpful leads",
    "reply is faithful to the spans",
)


def _switches(frame: pd.DataFrame, *kinds: str) -> float:
    """The share of turns of these kinds among those that follow a turn with a topic."""
    known = frame[frame["switch"] != ""]
    return 100 * float(known["switch"].isin(kinds).mean()) if len(known) else np.nan


def _mode(table: pd.DataFrame, count: str, value: str) -> float:
    counts = table[count].to_numpy()
    return float(table[value].to_numpy()[counts.argmax()]) if len(table) else np.nan


def _topics_of(frame: pd.DataFrame, length: int) -> float:
    """How many topics most dialogs of a length have."""
    table = topics_by_length(frame)
    if length not in table:
        return np.nan
    return float(table.index.to_numpy()[table[length].to_numpy().argmax()])


def _changes(frame: pd.DataFrame) -> float:
    return 100 * float(frame["switch"].isin(["switch-to-new", "switch-to-old"]).mean())


def _quartile(frame: pd.DataFrame, share: float) -> float:
    lengths = [length for spans in frame["literal_span_words"] for length in spans]
    return float(np.quantile(lengths, share)) if lengths else np.nan


def _reading_counts(frame: pd.DataFrame) -> np.ndarray:
    """The answers of each question: those of the annotator who found the most."""
    return np.array([max(counts, default=0) for counts in frame["readings"]])


def quac_table2(frame: pd.DataFrame) -> Table:
    """QuAC, table 2: sizes, lengths, yes/no and unanswerable questions."""
    title = "Dialogs, lengths and dialog acts (QuAC, table 2)"
    if frame.empty:
        return missing_table("quac-table-2", title, "There are no questions.")
    note = "Tokens are words between spaces; an answer's are those of its first reference."
    return Table("quac-table-2", title, statistics(frame, QUAC_ROWS), note)


def topiocqa_table2(frame: pd.DataFrame) -> Table:
    """TopiOCQA, table 2: sizes, lengths and topics."""
    title = "Conversations and topics (TopiOCQA, table 2)"
    if not (frame["topic"] != "").any():
        return missing_table("topiocqa-table-2", title, "No turn has a topic.")
    note = "Tokens are words between spaces; unanswerable turns have no topic and no answer."
    return Table("topiocqa-table-2", title, statistics(frame, TOPIOCQA_ROWS), note)


def pragmaticqa_table2(frame: pd.DataFrame) -> Table:
    """PragmatiCQA, table 2: sizes, and lengths of questions, answers and spans."""
    title = "Questions, answers and spans (PragmatiCQA, table 2)"
    if not frame["literal_words"].notna().any():
        return missing_table("pragmaticqa-table-2", title, "No turn has literal spans.")
    rows = statistics(frame.assign(given_words=frame["answer_words"]), PRAGMATICQA_ROWS)
    return Table("pragmaticqa-table-2", title, rows, "Words are those between spaces.")


def ratings(frame: pd.DataFrame) -> Table:
    """PragmatiCQA's five ratings by the asker, the mean of each; 1 is the best, 5 the worst."""
    title = "Ratings of the answers (PragmatiCQA)"
    rated = frame[frame["ratings"].map(len) == len(RATINGS)]
    if rated.empty:
        return missing_table("ratings", title, "No answer was rated by its asker.")
    rows: dict[str, Statistic] = {"rated answers": len}
    for place, name in enumerate(RATINGS):
        rows[name] = lambda part, at=place: float(np.mean([one[at] for one in part["ratings"]]))  # type: ignore[misc]
    return Table("ratings", title, statistics(rated, rows), "From 1, the best, to 5.")


def ambigqa_counts(frame: pd.DataFrame) -> Table:
    """AmbigQA's counts (AmbigPrompt, table 1)."""
    title = "Answers of ambiguous questions (AmbigPrompt, table 1)"
    if not frame["readings"].map(len).any():
        return missing_table("ambigqa-counts", title, "No question has several readings.")
    note = "Of several annotators, the one with the most answers counts."
    return Table("ambigqa-counts", title, statistics(frame, AMBIGQA_ROWS), note)


def question_kind_lengths(frame: pd.DataFrame) -> Table:
    """TopiOCQA, table 3: the mean length of answers by kind of question."""
    title = "Length of answers by kind of question (TopiOCQA, table 3)"
    answered = frame[frame["answer_words"].notna()]
    if answered.empty:
        return missing_table("topiocqa-table-3", title, "No question has an answer.")
    groups = answered.groupby("kind", observed=True)["answer_words"]
    rows = groups.agg(["count", "mean"]).reset_index()
    rows.columns = ["kind of question", "answers", "mean words"]
    note = "The kinds are given by rules; the paper's were given by hand to 150 turns."
    return Table("topiocqa-table-3", title, rows, note)


def turn_examples(frame: pd.DataFrame, each: int = 1) -> Table:
    """TopiOCQA, table 4: an example of each kind of turn and kind of question."""
    title = "Examples of turns and questions (TopiOCQA, table 4)"
    known = frame[(frame["switch"] != "") & frame["answerable"]]
    if known.empty:
        return missing_table("topiocqa-table-4", title, "No turn follows another with a topic.")
    rows = known.groupby(["switch", "kind"], observed=True).head(each)
    columns = {
        "switch": "turn",
        "kind": "question kind",
        "question": "question",
        "answer": "answer",
        "topic": "topic",
    }
    shown = rows.sort_values(["switch", "kind"], kind="stable")[list(columns)]
    return Table("topiocqa-table-4", title, shown.rename(columns=columns).reset_index(drop=True))


def first_words(frame: pd.DataFrame) -> Table:
    """QAConv, table 3: the ten most frequent first words of questions."""
    title = "First words of questions (QAConv, table 3)"
    if frame.empty:
        return missing_table("qaconv-table-3", title, "There are no questions.")
    parts = {"all": frame["question"]}
    if 0 < frame["answerable"].mean() < 1:
        parts["unanswerable"] = frame.loc[~frame["answerable"], "question"]
    rows = [first_word_shares(part).assign(questions_of=name) for name, part in parts.items()]
    whole = pd.concat(rows).rename(columns={"questions_of": "of"})
    return Table("qaconv-table-3", title, whole[["of", "first word", "questions", "share %"]])


def answer_types(frame: pd.DataFrame) -> Table:
    """QAConv, table 5: types of answers, by rules."""
    title = "Types of answers (QAConv, table 5)"
    answered = frame[frame["answer"] != ""]
    if answered.empty:
        return missing_table("qaconv-table-5", title, "No question has an answer.")
    note = "By rules, not by a tagger: see the documentation for what they get."
    return Table(
        "qaconv-table-5", title, type_shares(answered["answer"], answered["question"]), note
    )
