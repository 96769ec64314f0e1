import numpy as np

from seminar.models.encoders.registry import load_encoder

SENTENCES = [
    "When does the ferry leave?",
    "The ferry departs at nine in the morning.",
    "Bread is made of flour, water and salt.",
    "The harbour master raises a red flag in a storm.",
    "How do I bake a loaf?",
]
# Cosines of all-MiniLM-L6-v2 in float32 (PyTorch), the model that the int8 file stands for.
FLOAT_COSINES = [
    [1.000, 0.708, -0.064, 0.218, 0.013],
    [0.708, 1.000, -0.059, 0.187, 0.024],
    [-0.064, -0.059, 1.000, -0.001, 0.570],
    [0.218, 0.187, -0.001, 1.000, -0.022],
    [0.013, 0.024, 0.570, -0.022, 1.000],
]


def test_int8_keeps_the_cosines_of_the_float_model():
    vectors = load_encoder("minilm").encode(SENTENCES)
    np.testing.assert_allclose(vectors @ vectors.T, FLOAT_COSINES, atol=0.04)


def test_text_past_256_tokens_does_not_count():
    long, longer = load_encoder("minilm").encode(["ferry " * 300, "ferry " * 300 + "bread"])
    np.testing.assert_array_equal(long, longer)
