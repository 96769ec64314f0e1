from seminar.examples import Example, Gold
from seminar.training.fitting.topics import in_dialogue, predict, score, train
from seminar.types import Switch
from tests.fakes import FakeEncoder


def example(turn: int, question: str, topic: str, conversation: str = "1") -> Example:
    answer = f"{topic} it is" if topic else "UNANSWERABLE"
    gold = Gold(answers=(answer,), answerable=bool(topic), topic=topic)
    return Example(f"{conversation}_{turn}", conversation, question, gold, turn=turn)


CONVERSATION = [
    example(1, "which empire fell?", "Byzantium"),
    example(2, "who took it?", "Mehmed"),
    example(3, "did he sing?", ""),
    example(4, "was he old?", "Mehmed"),
    example(5, "who else held byzantium?", "Byzantium"),
    example(1, "what is force?", "Force", conversation="2"),
]


def test_labels_compare_with_the_last_answered_topic():
    asked = list(in_dialogue(CONVERSATION))
    assert [one.switch for one in asked] == [
        None,
        "switch-to-new",
        None,
        "no-switch",
        "switch-to-old",
        None,
    ]
    assert [len(one.dialogue.turns) for one in asked] == [0, 1, 2, 3, 4, 0]
    assert [passage.title for passage in asked[4].dialogue.trail] == [
        "Byzantium",
        "Mehmed",
        "Mehmed",
    ]


def test_a_trained_predictor_gives_back_its_training_labels():
    asked = [one for one in in_dialogue(CONVERSATION) if one.switch]
    predictor = train(asked, FakeEncoder(dimensions=16))
    assert predict(predictor, asked) == [one.switch for one in asked]


def test_scores_are_accuracy_and_the_mean_f1():
    gold: list[Switch] = ["no-switch", "no-switch", "switch-to-old", "switch-to-new"]
    made: list[Switch] = ["no-switch", "no-switch", "no-switch", "switch-to-new"]
    assert score(made, gold) == {
        "accuracy": 75.0,
        "macro-F1": 60.0,
        "no-switch": 80.0,
        "switch-to-old": 0.0,
        "switch-to-new": 100.0,
    }
