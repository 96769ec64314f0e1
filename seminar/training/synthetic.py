"""A small closed world with ambiguous questions: several true answers over many passages.

A question names a subject and a relation ("film3 director"); its answers differ by the year that
the question leaves out. A passage states one fact. Like real retrieval, the passages of a question
repeat some answers more often than others, put relations into other words than the question, and
hold facts about the same subject or the same relation that don't answer it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from seminar.networks.fusion_text import ANSWER_SEPARATOR, MARKS
from seminar.training.fusion_examples import FusionExample

PAD, END, UNKNOWN = "[PAD]", "</s>", "[UNK]"  # ids 0, 1 and 2, as in T5
TEMPLATES = ("{subject} {relation} {year} {answer}", "{year} {answer} {relation} {subject}")


@dataclass(frozen=True, slots=True)
class World:
    """How many of each thing there are, and how many passages a question has.

    `several` are the chances of one, two, ... answers; `words` is how many words a relation has.
    """

    subjects: int = 24
    relations: int = 6
    words: int = 2
    years: int = 8
    answers: int = 40
    passages: int = 12
    several: tuple[float, ...] = (0.4, 0.3, 0.2, 0.1)
    support: tuple[float, ...] = (0.5, 0.3, 0.2)  # the chances of one, two, ... passages

    def relation(self, number: int, draw: random.Random) -> str:
        return f"relation{number}{chr(ord('a') + draw.randrange(self.words))}"


def vocabulary(world: World) -> PreTrainedTokenizerFast:
    """A tokenizer with one token for each word of the world."""
    words = [
        *(f"subject{number}" for number in range(world.subjects)),
        *(
            f"relation{number}{chr(ord('a') + word)}"
            for number in range(world.relations)
            for word in range(world.words)
        ),
        *(f"year{number}" for number in range(world.years)),
        *(f"answer{number}" for number in range(world.answers)),
    ]
    entries = [PAD, END, UNKNOWN, ANSWER_SEPARATOR.strip(), *MARKS, *words]
    model = models.WordLevel({word: at for at, word in enumerate(entries)}, unk_token=UNKNOWN)
    made = Tokenizer(model)
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Split(";", "isolated")]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token=PAD, eos_token=END, unk_token=UNKNOWN
    )


def questions(world: World, count: int, *, seed: int, name: str) -> list[FusionExample]:
    """So many questions with all their answers, the best supported first."""
    draw = random.Random(f"{seed} {name}")
    return [_question(world, draw, f"{name}-{number}") for number in range(count)]


def one_answer(examples: Sequence[FusionExample], *, seed: int) -> list[FusionExample]:
    """The questions with one answer each, drawn by how many passages state it."""
    draw = random.Random(f"{seed} one answer")
    return [replace(one, answers=(_drawn(one, draw),)) for one in examples]


def _drawn(example: FusionExample, draw: random.Random) -> tuple[str, ...]:
    asked = example.question.split()[0]
    stated = [
        aliases
        for aliases in example.answers
        for passage in example.passages
        if aliases[0] in passage.split() and asked in passage.split()
    ]
    return draw.choice(stated)


def _question(world: World, draw: random.Random, name: str) -> FusionExample:
    subject, relation = draw.randrange(world.subjects), draw.randrange(world.relations)
    people = draw.sample(range(world.answers), world.answers)
    several = draw.choices(range(1, 1 + len(world.several)), world.several)[0]
    right, others = people[:several], people[several:]
    supports = [draw.choices(range(1, 1 + len(world.support)), world.support)[0] for _ in right]
    facts = [
        (subject, relation, person)
        for person, support in zip(right, sorted(supports, reverse=True), strict=True)
        for _ in range(support)
    ][: world.passages]
    facts += [
        (*_near(world, subject, relation, draw), others[at])
        for at in range(world.passages - len(facts))
    ]
    draw.shuffle(facts)
    return FusionExample(
        id=name,
        question=f"subject{subject} {world.relation(relation, draw)}",
        passages=tuple(_stated(world, *fact, draw) for fact in facts),
        answers=tuple((f"answer{person}",) for person in right),
    )


def _near(world: World, subject: int, relation: int, draw: random.Random) -> tuple[int, int]:
    """What a search finds too: the same subject, or the same relation, never both."""
    if draw.random() < 0.5:
        return subject, (relation + draw.randrange(1, world.relations)) % world.relations
    return (subject + draw.randrange(1, world.subjects)) % world.subjects, relation


def _stated(world: World, subject: int, relation: int, person: int, draw: random.Random) -> str:
    return draw.choice(TEMPLATES).format(
        subject=f"subject{subject}",
        relation=world.relation(relation, draw),
        year=f"year{draw.randrange(world.years)}",
        answer=f"answer{person}",
    )


# Many questions have one answer labelled and few have all, as Natural Questions and AmbigQA do.
SYNTHETIC: Mapping[str, Callable[[], list[FusionExample]]] = {
    "synthetic/one": lambda: one_answer(questions(World(), 20_000, seed=0, name="one"), seed=0),
    "synthetic/several": lambda: questions(World(), 600, seed=0, name="several"),
    "synthetic/held-out": lambda: questions(World(), 300, seed=0, name="held-out"),
}
