import numpy as np
from tokenizers import Tokenizer

from seminar.models.encoders.registry import load_encoder
from seminar.weights import weights_folder

TEXTS = [
    "The harbour-master's flag (red) means: no ferry!",
    "Beyoncé and the cafe\u0301s of Ålesund, naïvely re-opened in 1998-99.",
    "snake_case, e-mail@example.org and https://example.org/a?b=c",
    "猫は太陽の下で眠る。 Наталья 😀 ½ ﬁne",
    "supercalifragilisticexpialidocious " + "x" * 150,
]


def test_word_by_word_is_the_same_as_the_whole_text_through_the_tokenizer():
    tokenizer = Tokenizer.from_file(str(weights_folder("minilm") / "tokenizer.json"))
    with np.load(weights_folder("static") / "tokens.npz") as arrays:
        table = arrays["rows"].astype(np.float32) * arrays["scales"][:, None]
    sums = [table[tokenizer.encode(text, add_special_tokens=False).ids].sum(0) for text in TEXTS]
    expected = [vector / np.linalg.norm(vector) for vector in sums]
    np.testing.assert_allclose(load_encoder("static").encode(TEXTS), expected, atol=1e-5)


def test_order_of_words_does_not_matter():
    first, second = load_encoder("static").encode(["dog bites man", "man bites dog"])
    np.testing.assert_allclose(first, second, atol=1e-6)
