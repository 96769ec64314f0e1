import pytest

from seminar.models.rewriter.edits import apply, text_of, words_of
from seminar.training.rewriter.referents import referent_edits


@pytest.mark.parametrize(
    ("history", "question", "rewrite", "edited"),
    [
        (
            "Who lives on Hesketh Island? sheep .",
            "how many live there",
            "How many people live on Hesketh Island?",
            "how many live on Hesketh Island",
        ),
        (
            "Who painted it? Ada Brook .",
            "Was her brother there too?",
            "Was Ada Brook's brother at the unveiling?",
            "Was Ada Brook's brother there too?",
        ),
        (
            "When is the treasurer chosen? in May .",
            "who got it",
            "Who was elected treasurer?",
            "who got treasurer",
        ),
        (
            "What does the ferry cost? four crowns .",
            "And for children?",
            "What does the ferry cost for children?",
            "And What does the ferry cost for children?",
        ),
        ("Is the ferry late? no .", "Who is Ann?", "Who is Ann?", "Who is Ann?"),
        (
            "Has the mill a wheel? yes .",
            "why was the dam built",
            "What reason had they to build a dam at the mill?",
            "why was the dam built the mill",
        ),
    ],
)
def test_the_spans_that_a_rewrite_takes_from_the_history_are_put_in(
    history: str, question: str, rewrite: str, edited: str
):
    words, earlier = words_of(question), words_of(history)
    edits = referent_edits(words, words_of(rewrite), earlier)
    assert text_of(apply(words, earlier, edits)) == edited


def test_edits_come_in_order_and_do_not_overlap():
    earlier = words_of("Where did Tom meet Ann Lee? at the old mill .")
    question = words_of("did he like her there?")
    edits = referent_edits(question, words_of("Did Tom like Ann Lee at the old mill?"), earlier)
    bounds = [bound for edit in edits for bound in (edit.start, edit.end)]
    assert edits
    assert bounds == sorted(bounds)
