import numpy as np
import pytest

pytest.importorskip("torch")

from seminar.training.reading_scores import best_span


def logits(**values: float) -> np.ndarray:
    made = np.zeros(8, dtype=np.float32)
    for name, value in values.items():
        made[int(name[1:])] = value
    return made


def test_the_best_span_starts_before_it_ends():
    assert best_span(logits(t6=5.0), logits(t4=4.0, t7=3.0), 3, 4) == (6, 7, 8.0)


def test_the_best_span_is_no_longer_than_allowed():
    start, end = logits(t3=5.0), logits(t7=5.0, t5=1.0)
    assert best_span(start, end, 3, 3) == (3, 5, 6.0)
    assert best_span(start, end, 3, 5) == (3, 7, 10.0)


def test_the_question_is_never_the_answer():
    assert best_span(logits(t1=9.0, t4=1.0), logits(t1=9.0, t4=1.0), 3, 4) == (4, 4, 2.0)
