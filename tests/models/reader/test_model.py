from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from seminar.errors import ConfigurationError
from seminar.models.reader.layout import UNANSWERED, windows
from seminar.models.reader.model import STRIDE, WINDOW, Finding, Inquiry, ReaderModel
from tests.paths import TINY_READER

FERRY = "The ferry leaves at nine and costs two pounds. It doesn't sail in a gale."
WORDS = "the ferry leaves at nine and costs two pounds when does how much is it".split()
LONG = " ".join(f"the ferry leaves at {number} and costs two pounds" for number in range(120))
INQUIRIES = [
    Inquiry("When does it leave?", FERRY, "The ferry"),
    Inquiry("How much?", FERRY, history=(("When does it leave?", "at nine"), ("Why?", ""))),
    Inquiry("Is it nine?", LONG, "The ferry", found=("two pounds",)),
    Inquiry("", "nine"),
    Inquiry("Who?", "Zoë’s naïve façade – 🦔 and 猫 cost £2.", "Façade"),
]


@pytest.fixture(scope="module")
def model() -> ReaderModel:
    return ReaderModel(TINY_READER)


def test_nothing_in_nothing_out(model: ReaderModel):
    assert model.read([]) == []


def test_every_span_is_whole_words_of_its_text(model: ReaderModel):
    for inquiry, [finding] in zip(INQUIRIES, model.read(INQUIRIES), strict=True):
        assert 0 <= finding.start < finding.end <= len(inquiry.text)
        before = inquiry.text[finding.start - 1 : finding.start + 1] if finding.start else ""
        after = inquiry.text[finding.end - 1 : finding.end + 1]
        assert not (len(before) == 2 and before.isascii() and before.isalnum())
        assert not (len(after) == 2 and after.isascii() and after.isalnum())


def test_a_span_keeps_the_accent_of_its_last_letter(model: ReaderModel):
    text = "Jose\u0301"  # as some systems write names of files and what stands in them
    [[finding]] = model.read([Inquiry("Who?", text)])
    assert text[finding.start : finding.end] == text


def test_what_is_found_does_not_depend_on_the_neighbours(model: ReaderModel):
    alone = [model.read([inquiry])[0] for inquiry in INQUIRIES]
    assert model.read(INQUIRIES) == alone
    assert model.read(INQUIRIES[::-1]) == alone[::-1]
    assert ReaderModel(TINY_READER, threads=1).read(INQUIRIES) == alone


def test_a_reader_that_is_shown_no_history_says_what_it_says_without_one(model: ReaderModel):
    told = INQUIRIES[1]
    bare = Inquiry(told.question, told.text, told.heading)
    assert (
        model.with_history(turns=0, marks=0).read([told])
        == model.read([bare])
        != model.read([told])
    )


def test_threads_may_share_a_reader(model: ReaderModel):
    expected = model.read(INQUIRIES)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(model.read, [INQUIRIES] * 8)) == [expected] * 8


def test_the_best_window_of_a_long_text_wins(model: ReaderModel):
    words = [WORDS[at * at % len(WORDS)] for at in range(800)]  # a word piece each
    cuts = windows(len(words), WINDOW, STRIDE)
    seen = model.read([Inquiry("How much?", " ".join(words[left:right])) for left, right in cuts])
    [[finding]] = model.read([Inquiry("How much?", " ".join(words))])
    assert len(cuts) == 4
    assert finding.margin == max(one.margin for [one] in seen)


def test_a_span_is_no_longer_than_allowed(model: ReaderModel):
    for longest in (1, 3):
        [[finding]] = model.read(
            [Inquiry("When?", "nine two pounds at the ferry")], longest=longest
        )
        words = "nine two pounds at the ferry"[finding.start : finding.end].split()
        assert 1 <= len(words) <= longest


def test_further_findings_stand_apart_and_come_best_first(model: ReaderModel):
    [findings] = model.read([Inquiry("When?", LONG)], spans=5)
    assert len(findings) == 5
    margins = [one.margin for one in findings]
    assert margins == sorted(margins, reverse=True)
    places = sorted((one.start, one.end) for one in findings)
    assert all(end <= start for (_, end), (start, _) in pairwise(places))
    assert [findings[:1]] == model.read([Inquiry("When?", LONG)])


def test_no_finding_runs_over_a_line(model: ReaderModel):
    text = "\n".join(LONG.split())
    [findings] = model.read([Inquiry("When?", text)], spans=5)
    assert all("\n" not in text[one.start : one.end] for one in findings)


def test_a_text_without_words_has_no_span(model: ReaderModel):
    for text in ("", "  \n", "\u200b"):
        assert model.read([Inquiry("When?", text)]) == [[]]


def test_an_unanswered_turn_is_read_as_no_answer(model: ReaderModel):
    blank, told = (Inquiry("How much?", FERRY, history=(("Why?", a),)) for a in ("", UNANSWERED))
    [[first], [second]] = model.read([blank, told])
    np.testing.assert_allclose(first.types, second.types, atol=1e-6)


def test_history_and_heading_are_seen(model: ReaderModel):
    [plain], *others = model.read(
        [
            Inquiry("How much?", FERRY),
            Inquiry("How much?", FERRY, history=(("When?", "nine"),)),
            Inquiry("How much?", FERRY, "Two pounds"),
            Inquiry("How much?", FERRY, found=("nine",)),
        ]
    )
    assert all(abs(other.types[0] - plain.types[0]) > 1e-4 for [other] in others)


def test_the_margin_adds_what_both_heads_say():
    finding = Finding(0, 1, span=1.5, types=(2.0, 0.25, -0.5, 0.5, 0.0))
    assert finding.margin == 3.0
    assert finding.yes == 0.75


def test_a_folder_that_lacks_a_file_is_named(tmp_path: Path):
    with pytest.raises(ConfigurationError, match=r"needs a tokenizer\.json"):
        ReaderModel(tmp_path)
    (tmp_path / "tokenizer.json").write_bytes((TINY_READER / "tokenizer.json").read_bytes())
    with pytest.raises(ConfigurationError, match=r"needs a model\.onnx"):
        ReaderModel(tmp_path)
