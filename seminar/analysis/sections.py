"""The sections of a report: a dataset, systems on it, a user's conversations, training runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from seminar.analysis import chats as conversations
from seminar.analysis import comparison, confidence, published, qaconv_sources
from seminar.analysis import outcomes as measured
from seminar.analysis import statistics_tables as tables
from seminar.analysis.clusters import LIMIT, group_questions
from seminar.analysis.exhibits import Exhibit, Section, Table, missing_table
from seminar.analysis.figures import chats, positions, questions, systems, topics, training
from seminar.analysis.figures.confidence import calibration_chart, risk_coverage_chart
from seminar.analysis.outcomes import Outcome
from seminar.analysis.training_logs import best_scores
from seminar.examples import Example
from seminar.types import Thread

NO_ANSWERS = "No question has an answer."


def dataset_section(
    dataset: str,
    frame: pd.DataFrame,
    *,
    files: Sequence[Path] = (),
    threads: Sequence[Thread] = (),
) -> Section:
    """The papers' tables and figures of one dataset, over the splits that the frame holds."""
    splits = [str(split) for split in frame["split"].unique()]
    answers = tables.answer_types(frame)
    exhibits: list[Exhibit] = [
        tables.quac_table2(frame),
        tables.topiocqa_table2(frame),
        tables.pragmaticqa_table2(frame),
        tables.ratings(frame),
        tables.ambigqa_counts(frame),
        tables.first_words(frame),
        questions.question_sunburst(frame["question"]),
        questions.question_treemap(frame["question"]),
        answers,
        questions.bars("answer-types", "Types of answers", answers.frame, lacks=NO_ANSWERS),
        positions.position_chart(frame),
        positions.transition_chart(frame),
        positions.chunks_chart(frame),
        positions.shares_chart(frame),
        topics.topics_by_length_chart(frame),
        topics.run_lengths_chart(frame),
        topics.flow_chart(frame),
        topics.kinds_chart(frame),
        tables.question_kind_lengths(frame),
        tables.turn_examples(frame),
    ]
    if dataset == "qaconv":
        exhibits += [qaconv_sources.by_source(frame, threads), qaconv_sources.by_writer(files)]
    paper = published.beside_paper(dataset, splits, exhibits)
    named = ", ".join(split for split in splits if split)
    text = f"{len(frame):,} questions of {frame['dialogue'].nunique():,} dialogs" + (
        f"; splits: {named}." if named else "."
    )
    return Section(f"Dataset: {dataset}", (paper, *exhibits), text)


def systems_section(
    name: str,
    turns: pd.DataFrame,
    examples: Sequence[Example],
    answered: Mapping[str, Sequence[Outcome]],
) -> Section:
    """Systems on one split: scores, intervals, paired comparison, and the error browser."""
    joined = measured.join(turns, answered)
    title = f"Systems on {name}"
    if joined.empty:
        return Section(title, text="No prediction is for a question of this split.")
    sets = measured.answer_sets(examples, answered)
    exhibits: list[Exhibit] = [
        Table("systems", "Scores", measured.summary(joined),
              "Intervals are 95 %, with dialogs as units; scores are the official ones."),
        _compared(joined),
        _wins(joined),
        systems.curve(joined, "turn"),
        systems.curve(joined, "distance"),
        systems.curve(joined, "length"),
        systems.latency_chart(joined),
        systems.data_size_chart(joined),
        systems.answer_sets_chart(sets),
        risk_coverage_chart(joined),
        calibration_chart(joined),
        _confidence(joined),
    ]  # fmt: skip
    errors = comparison.error_rows(examples, answered)
    shown = f" Of {joined['id'].nunique():,} questions the {len(errors):,} with the lowest scores "
    text = f"{len(answered)} systems.{shown}are in the error browser below."
    return Section(title, tuple(exhibits), text, errors)


def _compared(joined: pd.DataFrame) -> Table:
    name, title = "paired-bootstrap", "Systems compared on the same questions"
    table = comparison.paired_bootstrap(joined)
    if table.empty:
        return missing_table(name, title, "There is one system: name two to compare them.")
    note = (
        "The interval is of 2,000 paired resamplings of whole dialogs, p of 2,000 swaps of the "
        "two systems' answers of whole dialogs. With many pairs some are small by chance."
    )
    return Table(name, title, table, note)


def _wins(joined: pd.DataFrame) -> Table:
    name, title = "wins-by-kind", "Wins and losses by kind of question"
    table = comparison.wins_by_kind(joined)
    if table.empty:
        return missing_table(name, title, "No kind has 20 questions that two systems answered.")
    return Table(name, title, table, f"Kinds of {comparison.LEAST} questions or more.")


def _confidence(joined: pd.DataFrame) -> Table:
    name, title = "confidence", "What confidence is worth"
    lacks = "No file of predictions says how sure the system was."
    return table_or_sentence(name, title, confidence.summary(joined), lacks)


def chats_section(frame: pd.DataFrame) -> Section:
    """A user's own conversations."""
    title = "Your conversations"
    if frame.empty:
        return Section(title, text="The saved conversations have no turns.")
    lacking = conversations.unanswered(frame)
    exhibits: list[Exhibit] = [
        Table("chats", "In numbers", conversations.overview(frame)),
        _lacking(lacking),
        chats.asked_chart(frame),
        chats.sources_chart(frame),
        chats.latency_chart(frame),
        table_or_sentence("latency", "Seconds by stage", conversations.latency(frame),
                      "No saved turn says how long its reply took."),
        table_or_sentence("unanswered", "Questions without an answer",
                      lacking[["chat", "turn", "question", "reply"]].reset_index(drop=True),
                      "Every question got an answer."),
        _feedback(frame),
    ]  # fmt: skip
    return Section(title, tuple(exhibits), f"{frame['chat'].nunique():,} saved conversations.")


def table_or_sentence(name: str, title: str, frame: pd.DataFrame, lacks: str) -> Table:
    """The table, or the sentence where it has no rows."""
    return missing_table(name, title, lacks) if frame.empty else Table(name, title, frame)


def _lacking(lacking: pd.DataFrame) -> Table:
    name, title = "files-lack", "What your files lack: questions without an answer, alike together"
    if lacking.empty:
        return missing_table(name, title, "Every question got an answer.")
    note = "Questions that share rare words are put together."
    if len(lacking) > LIMIT:
        note += f" Of {len(lacking):,} questions, the last {LIMIT:,}."
    return Table(name, title, group_questions(lacking["question"].tolist()), note)


def _feedback(frame: pd.DataFrame) -> Table:
    name, title = "feedback", "What askers said of answers"
    said = frame[frame["right"].notna()]
    if said.empty:
        return missing_table(name, title, "No turn has feedback.")
    rows = said.sort_values("right", kind="stable")[["right", "question", "reply", "comment"]]
    return Table(name, title, rows.assign(right=rows["right"].map({True: "right", False: "wrong"})))


def training_section(runs: Mapping[str, pd.DataFrame]) -> Section:
    """Training runs side by side."""
    table = best_scores(runs)
    title = "Training runs"
    if table.empty:
        return Section(title, text="The logs have no entries.")
    exhibits: tuple[Exhibit, ...] = (
        Table("training", "Runs", table, "Highest and lowest over the run, and the last."),
        training.loss_chart(runs),
        training.scores_chart(runs),
    )
    return Section(title, exhibits)
