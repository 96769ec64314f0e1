"""The contract of every encoder, and how one is chosen."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from seminar.errors import ConfigurationError
from seminar.models.encoders.registry import ENCODERS, load_encoder
from seminar.protocols import Encoder
from seminar.weights import weights_folder

TEXTS = [
    "The harbour master raises the red flag when the ferry can't sail.",
    "Kätzchen schlafen gern in der Sonne.",
    "猫は太陽の下で眠る。",
    "🦔",
    "ferry",
    "The price of a ticket is four euros; children under six travel free. " * 8,
]


@pytest.fixture(params=sorted(ENCODERS))
def encoder(request: pytest.FixtureRequest) -> Encoder:
    return load_encoder(request.param)


def test_nothing_in_nothing_out(encoder: Encoder):
    vectors = encoder.encode([])
    assert vectors.shape == (0, encoder.dimensions)
    assert vectors.dtype == np.float32


def test_every_text_gets_a_unit_vector(encoder: Encoder):
    vectors = encoder.encode([*TEXTS, "", "   \n", "\x00", "\ud800"])
    assert vectors.shape == (len(TEXTS) + 4, encoder.dimensions)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_blank_texts_share_one_vector(encoder: Encoder):
    empty, spaces, lines = encoder.encode(["", "   ", "\n\t\n"])
    np.testing.assert_array_equal(empty, spaces)
    np.testing.assert_array_equal(empty, lines)


def test_a_vector_depends_on_its_text_only(encoder: Encoder):
    alone = np.concatenate([encoder.encode([text]) for text in TEXTS])
    np.testing.assert_allclose(encoder.encode(TEXTS), alone, atol=1e-6)
    np.testing.assert_allclose(encoder.encode(TEXTS[::-1])[::-1], alone, atol=1e-6)


def test_the_same_texts_give_the_same_bits(encoder: Encoder):
    np.testing.assert_array_equal(encoder.encode(TEXTS), encoder.encode(TEXTS))


def test_order_holds_across_many_texts(encoder: Encoder):
    texts = [f"ticket number {number}" for number in range(40)]
    vectors = encoder.encode(texts)
    for place in (0, 17, 39):
        np.testing.assert_allclose(vectors[place], encoder.encode([texts[place]])[0], atol=1e-6)


def test_case_does_not_matter(encoder: Encoder):
    lower, upper = encoder.encode(["the ferry to ålesund", "The FERRY to Ålesund"])
    np.testing.assert_allclose(lower, upper, atol=1e-6)


def test_meaning_is_nearer_than_noise(encoder: Encoder):
    question, answer, other = encoder.encode(
        [
            "When does the ship leave?",
            "The ferry departs at nine in the morning.",
            "Bread is made of flour, water and salt.",
        ]
    )
    assert question @ answer > question @ other + 0.1


def test_a_megabyte_costs_no_more_than_its_opening(encoder: Encoder):
    long, opening = "The ferry sails at noon. " * 40_000, "The ferry sails at noon. " * 400
    np.testing.assert_array_equal(encoder.encode([long]), encoder.encode([opening]))


def test_threads_may_share_an_encoder(encoder: Encoder):
    expected = encoder.encode(TEXTS)
    with ThreadPoolExecutor(4) as pool:
        for vectors in pool.map(encoder.encode, [TEXTS] * 12):
            np.testing.assert_array_equal(vectors, expected)


def test_an_encoder_is_found_again_by_its_name(encoder: Encoder):
    assert load_encoder(encoder.name) is encoder


def test_a_folder_with_a_model_and_a_tokenizer_is_an_encoder():
    folder = weights_folder("minilm")
    brought = load_encoder(str(folder))
    assert brought.name == str(folder.resolve())
    np.testing.assert_array_equal(
        brought.encode(["a ferry"]), load_encoder("minilm").encode(["a ferry"])
    )


def test_an_unknown_name_suggests_the_nearest():
    with pytest.raises(ConfigurationError, match="Did you mean 'static'"):
        load_encoder("statik")


def test_a_folder_without_a_model_says_what_is_missing(tmp_path: Path):
    with pytest.raises(ConfigurationError, match=r"needs a tokenizer\.json"):
        load_encoder(str(tmp_path))
    (tmp_path / "tokenizer.json").write_bytes(
        (weights_folder("minilm") / "tokenizer.json").read_bytes()
    )
    with pytest.raises(ConfigurationError, match=r"needs a model\.onnx"):
        load_encoder(str(tmp_path))
