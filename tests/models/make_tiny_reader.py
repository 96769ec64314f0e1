"""Make tests/models/files/tiny-reader: python -m tests.models.make_tiny_reader (needs PyTorch).

A reader with random weights and a vocabulary of letters: what it says means nothing, but it runs
through the same graph and the same runtime as one that was trained.
"""

import json
import string
from pathlib import Path

from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

FOLDER = Path(__file__).parent / "files" / "tiny-reader"
WHOLE_WORDS = "the ferry leaves at nine and costs two pounds when does how much is it no".split()


def make_tokenizer() -> Tokenizer:
    """Letters, digits and a few whole words; special tokens stand where BERT has them."""
    vocabulary = {"[PAD]": 0, "[UNK]": 100, "[CLS]": 101, "[SEP]": 102, "[MASK]": 103}
    vocabulary |= {f"[unused{number}]": number + 1 for number in range(99)}
    letters = [*string.ascii_lowercase, *string.digits]
    words = [*letters, *(f"##{letter}" for letter in letters), *string.punctuation, *WHOLE_WORDS]
    for word in words:
        vocabulary.setdefault(word, len(vocabulary))
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    return tokenizer


def main() -> None:
    import torch
    from transformers import BertConfig

    from seminar.networks.reader import untrained
    from seminar.reading.span_reader import AFFIRMATION_FEATURES, FEATURES
    from seminar.training.export import READER_OUTPUTS, export_network

    FOLDER.mkdir(parents=True, exist_ok=True)
    tokenizer = make_tokenizer()
    tokenizer.save(str(FOLDER / "tokenizer.json"), pretty=False)
    torch.manual_seed(0)
    network = untrained(
        BertConfig(
            vocab_size=max(tokenizer.get_vocab().values()) + 1,
            hidden_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=32,
            max_position_embeddings=512,
        )
    )
    for head in (network.mark, network.span_head, network.type_head):
        torch.nn.init.normal_(head.weight)
    export_network(network, FOLDER / "model.onnx", READER_OUTPUTS)
    weights = {
        "answer": {name: 0.1 * (number + 1) for number, name in enumerate(FEATURES)},
        "affirmation": dict.fromkeys(AFFIRMATION_FEATURES, 0.1),
    }
    (FOLDER / "calibration.json").write_text(json.dumps(weights, indent=1) + "\n")


if __name__ == "__main__":
    main()
