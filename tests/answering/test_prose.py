import pytest

from seminar.answering.prose import is_prose
from seminar.types import Passage, Span, Utterance


def prose(text: str, *utterances: Utterance) -> bool:
    return is_prose(Span(Passage("a", 0, len(text), text, utterances=utterances), 0, len(text)))


@pytest.mark.parametrize(
    "text",
    [
        "Dogs are welcome on the upper deck.",
        "“There is no more room on board!”",
        "Set the option --k to the number of hits that you want to see.",
        "In 1998 the ferry carried 220 passengers and 18 cars a day.",
    ],
)
def test_sentence_that_reads_by_itself_is_prose(text: str):
    assert prose(text)


@pytest.mark.parametrize(
    "text",
    [
        "Dogs travel free.",  # too short
        "Adult | 12.50 | return fare is included here.",  # a row of a table
        "Which of the two ferries takes dogs on board?",  # a question
        "There are three ways to pay for the crossing:",  # a list follows
        "Who may use the boats of the college",  # a heading
        "open_files(paths, settings) -> Opened, an assistant and its index.",  # a signature
        "from seminar.answering import the_whole_module as module_name",  # code
        "minilm finds more where questions share few words.",  # begins in the middle
        "Recall is 76 / 88 / 95 and 43 / 64 / 78 there.",  # figures
        "",
    ],
)
def test_code_headings_rows_questions_and_fragments_are_not_prose(text: str):
    assert not prose(text)


def test_message_may_lack_capital_and_full_stop():
    text = "the release goes out on friday then"
    assert not prose(text)
    assert prose(text, Utterance("1", "Bo", text, None, 0, len(text), "chat.txt"))
