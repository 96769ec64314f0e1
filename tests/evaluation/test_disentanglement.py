from dataclasses import replace

from seminar.baselines.disentanglement import RULES
from seminar.datasets.conversations.disentanglement import Channel
from seminar.evaluation.disentanglement import score, untangle
from seminar.ingestion.conversations.disentangling.model import shipped_weights
from seminar.types import Utterance

SAID = ("ada", "where is the key?"), ("", "di has joined"), ("bo", "ada: in the shed")
GOLD = Channel(
    "c",
    tuple(Utterance(str(number), *one) for number, one in enumerate(SAID)),
    ("0", "1", "0"),
    ((0, 0), (1, 1), (2, 0)),
)


def test_context_is_not_scored():
    found = RULES["each message alone"](GOLD)
    assert score([GOLD], [found])["link F1"] == 66.7
    late = replace(GOLD, start=2, links=((2, 0),))
    assert score([late], [replace(found, start=2)])["link F1"] == 0.0


def test_channels_without_links_have_no_score_of_links():
    plain = replace(GOLD, links=())
    assert score([plain], [plain]) == {"VI": 100.0, "1-1": 100.0, "exact F1": 100.0}


def test_the_model_leaves_notices_alone():
    split = untangle(GOLD, shipped_weights())
    assert split.conversations == ("0", "1", "0")
    assert split.links == ((0, 0), (1, 1), (2, 0))
