"""ROUGE, BLEU and BARTScore."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from seminar.errors import ScoringError
from seminar.metrics.measures.bartscore import mean_log_probability, symmetric_bartscore
from seminar.metrics.measures.bleu import corpus_bleu, sentence_bleus
from seminar.metrics.measures.rouge import mean_rouge_1_recall, rouge_l, rouge_n, rouge_tokens


def test_rouge_parts_words_at_other_letters():
    assert rouge_tokens("Café co-founder's 2nd") == ["caf", "co", "founder", "s", "2nd"]


def test_rouge_stems_words_longer_than_three_letters():
    assert rouge_tokens("cities are was running", stem=True) == ["citi", "are", "was", "run"]


def test_rouge_clips_repeated_words():
    assert rouge_n("the the the", "the cat").recall == 0.5
    assert rouge_n("the the the", "the cat").precision == 1 / 3


def test_rouge_l_keeps_order():
    assert rouge_l("d c b a", "a b c d").recall == 0.25
    assert rouge_l("a x c", "a b c").f == 2 / 3


def test_rouge_of_nothing_is_nothing():
    assert rouge_l("", "").f == rouge_n("", "x", n=2).recall == 0.0


def test_mean_recall_needs_as_many_predictions_as_references():
    assert mean_rouge_1_recall(["p q", "r"], ["p x", "r"]) == 0.75
    with pytest.raises(ScoringError, match="1 predictions and 2 references"):
        mean_rouge_1_recall(["p"], ["p", "q"])


def test_bleu_of_the_same_is_a_hundred():
    result = corpus_bleu(["who won the cup"], [["who won the cup"]])
    assert math.isclose(result.score, 100.0)
    assert result.signature.startswith("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:")


def test_bleu_is_cased_by_default():
    predictions, references = ["WHO WON THE CUP"], [["who won the cup"]]
    assert corpus_bleu(predictions, references).score == 0.0
    assert math.isclose(corpus_bleu(predictions, references, lowercase=True).score, 100.0)


def test_short_sentences_are_scored_by_the_orders_they_have():
    assert sentence_bleus(["who won"], [["who won"]]) == pytest.approx([100.0])


def test_bleu_of_nothing_is_an_error():
    with pytest.raises(ScoringError, match="no predictions"):
        corpus_bleu([], [[]])


def test_log_probability_is_averaged_over_tokens_without_padding():
    even = np.zeros((3, 4))
    assert math.isclose(mean_log_probability(even, [0, 3, 1], pad_id=1), -math.log(4), abs_tol=1e-6)


def test_a_long_target_keeps_its_end():
    logits = [[9.0, 0.0, 0.0], [9.0, 0.0, 0.0], [0.0, 0.0, 9.0]]
    cut = mean_log_probability(logits, [0, 0, 2], pad_id=1, max_length=2)
    assert math.isclose(cut, (-0.000247 - 9.000247) / 2, abs_tol=1e-5)


def test_logits_must_fit_their_tokens():
    with pytest.raises(ScoringError, match=r"shape \(2, 3\) don't fit 1 tokens"):
        mean_log_probability(np.zeros((2, 3)), [0], pad_id=1)
    with pytest.raises(ScoringError, match="nothing but padding"):
        mean_log_probability(np.zeros((1, 3)), [1], pad_id=1)


def test_bartscore_goes_both_ways():
    def longer_is_worse(sources: Sequence[str], targets: Sequence[str]) -> list[float]:
        return [-float(len(target)) for target in targets]

    assert symmetric_bartscore(["ab", "a"], ["abcd", "a"], longer_is_worse) == [-3.0, -1.0]
