"""Natural Questions with the passage that holds the answer, in two public forms."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from seminar.datasets.files import Split, read_json_lines
from seminar.examples import Evidence, Example, Gold

TITLE = "NQ with gold passages"
SIGNATURE = ("ctxs", "hasanswer")


def read(path: Path) -> Iterator[Example]:
    """Questions with their gold passage as the context, and the others beside it as evidence."""
    for number, record in enumerate(read_json_lines(path)):
        contexts = list(record.items("ctxs"))
        if not contexts:
            raise record["ctxs"].expected("at least one passage")
        gold = next(
            (context for context in contexts if context.has("isgold") and context.flag("isgold")),
            contexts[0],
        )
        name = f"oracle-{number}"
        yield Example(
            id=name,
            dialogue_id=name,
            question=record.text("question"),
            gold=Gold(
                answers=record.texts("answers"),
                evidence=(Evidence(gold.text("text"), title=gold.text("title")),),
            ),
            context=gold.text("text"),
            title=gold.text("title"),
            sources=(name,),
        )


def read_prompts(path: Path) -> Iterator[Example]:
    """Prompts 'Context: ... Question: ... Answer:' with an answer and its aliases."""
    for number, record in enumerate(read_json_lines(path)):
        prompt = record.text("context").removeprefix("Context: ").removesuffix("\nAnswer:")
        context, mark, question = prompt.rpartition("\n\nQuestion: ")
        if not mark:
            raise record["context"].expected("'Context: ...', 'Question: ...' and 'Answer:'")
        name = f"openbook-{number}"
        answers = (record.text("answer"), *record.texts("aliases"))
        yield Example(
            id=name,
            dialogue_id=name,
            question=question,
            gold=Gold(tuple(dict.fromkeys(answers)), evidence=(Evidence(context),)),
            context=context,
            sources=(name,),
        )


SPLITS = {
    "oracle": Split(("nq-open-oracle.jsonl",), read),
    "openbook": Split(("llmfoundry_natural_questions_openbook_short.jsonl",), read_prompts),
}
