"""A small closed world with ambiguous questions: several true answers over many passages.

A question names a subject and the kind of thing that is asked for ("subject3 what2"), and every
passage is about the subject and names things of some kinds. All things of the asked kind are true
answers. Like real retrieval, the passages of a question repeat some answers more often than others,
and most of what they name doesn't answer it. Which things are of which kind is for the reader to
learn: names don't tell.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from seminar.networks.papers.fusion.texts import ANSWER_SEPARATOR, MARKS
from seminar.training.papers.fusion.examples import FusionExample

PAD, END, UNKNOWN = "[PAD]", "</s>", "[UNK]"  # ids 0, 1 and 2, as in T5


@dataclass(frozen=True, slots=True)
class World:
    """How many of each thing there are, and how many passages a question has.

    `names` is how many things a passage names; `several` are the chances of one, two, ... answers,
    `support` those of one, two, ... passages that name one.
    """

    subjects: int = 12
    kinds: int = 5
    things: int = 8  # of each kind
    passages: int = 10
    names: int = 2
    several: tuple[float, ...] = (0.4, 0.3, 0.2, 0.1)
    support: tuple[float, ...] = (0.5, 0.3, 0.2)

    def named(self, kind: int, number: int) -> str:
        """The name of a thing; things of a kind are spread over the names."""
        return f"thing{number * self.kinds + kind}"


def vocabulary(world: World) -> PreTrainedTokenizerFast:
    """A tokenizer with one token for each word of the world."""
    words = [
        *(f"subject{number}" for number in range(world.subjects)),
        *(f"what{kind}" for kind in range(world.kinds)),
        *(f"thing{number}" for number in range(world.kinds * world.things)),
    ]
    entries = [PAD, END, UNKNOWN, ANSWER_SEPARATOR.strip(), *MARKS, *words]
    model = models.WordLevel({word: at for at, word in enumerate(entries)}, unk_token=UNKNOWN)
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Split(";", "isolated")]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token=PAD, eos_token=END, unk_token=UNKNOWN
    )


def questions(world: World, count: int, *, seed: int, name: str) -> list[FusionExample]:
    """So many questions with all their answers, the best supported first."""
    draw = random.Random(f"{seed} {name}")
    return [_question(world, draw, f"{name}-{number}") for number in range(count)]


def one_answer(examples: Sequence[FusionExample], *, seed: int) -> list[FusionExample]:
    """The questions with one answer each, drawn by how many passages name it."""
    draw = random.Random(f"{seed} one answer")
    return [replace(one, answers=(_drawn(one, draw),)) for one in examples]


def _drawn(example: FusionExample, draw: random.Random) -> tuple[str, ...]:
    words = [passage.split() for passage in example.passages]
    named = [one for one in example.answers for passage in words if one[0] in passage]
    return draw.choice(named)


def _question(world: World, draw: random.Random, name: str) -> FusionExample:
    kind = draw.randrange(world.kinds)
    several = draw.choices(range(1, 1 + len(world.several)), world.several)[0]
    right = [world.named(kind, number) for number in draw.sample(range(world.things), several)]
    supports = draw.choices(range(1, 1 + len(world.support)), world.support, k=several)
    named = [
        [thing]
        for thing, support in zip(right, sorted(supports, reverse=True), strict=True)
        for _ in range(support)
    ][: world.passages]
    named += [[] for _ in range(world.passages - len(named))]
    draw.shuffle(named)
    subject = f"subject{draw.randrange(world.subjects)}"
    return FusionExample(
        id=name,
        question=f"{subject} what{kind}",
        passages=tuple(f"{subject} {_filled(world, things, kind, draw)}" for things in named),
        answers=tuple((thing,) for thing in right),
    )


def _filled(world: World, things: Sequence[str], kind: int, draw: random.Random) -> str:
    """The things with others of other kinds, in random order."""
    others = [one for one in range(world.kinds) if one != kind]
    filler = [
        world.named(draw.choice(others), draw.randrange(world.things))
        for _ in range(world.names - len(things))
    ]
    return " ".join(draw.sample([*things, *filler], world.names))


# Many questions have one answer labelled and few have all, as Natural Questions and AmbigQA do.
SYNTHETIC: Mapping[str, Callable[[], list[FusionExample]]] = {
    "synthetic/one": lambda: one_answer(questions(World(), 20_000, seed=0, name="one"), seed=0),
    "synthetic/several": lambda: questions(World(), 600, seed=0, name="several"),
    "synthetic/held-out": lambda: questions(World(), 300, seed=0, name="held-out"),
}
