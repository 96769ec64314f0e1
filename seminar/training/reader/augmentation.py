"""Augmentation of the reader's examples: windows, histories, pronouns, headings, found answers."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from seminar.training.reader.config import ReaderConfig
from seminar.training.reader.examples import ReaderExample, Target, crop, target_of, with_pronoun

Pieces = tuple[int, ...]

QUESTION_MARK = 1029  # its word piece
WHAT_IS = (2054, 2003)
OPENING = 24  # word pieces of a passage that say what it is about
PRONOUNS = ((2009,), (2009,), (2002,), (2016,), (2027,))  # it, twice as often as he, she, they
FROM_SQUAD = ("squad", "unanswerable", "negative", "yes no")


class Augmentation:
    """Varies each example at random, with the probabilities of the configuration's shares.

    Histories are made of SQuAD's questions about one passage. An example derived from such a
    question, a negative or a yes-or-no question, has its id, by itself or before a space.
    """

    def __init__(
        self,
        config: ReaderConfig,
        examples: Iterable[ReaderExample],
        pseudo: Mapping[str, tuple[Pieces, ...]],
    ) -> None:
        self._config, self._pseudo = config, pseudo
        self._by_passage: dict[str, list[ReaderExample]] = defaultdict(list)
        self._by_id: dict[str, ReaderExample] = {}
        for example in examples:
            if example.span and example.source == "squad":
                self._by_passage[example.passage.text].append(example)
                self._by_id[example.id] = example
        self._passages = list(self._by_passage)

    def sample(self, example: ReaderExample, window: int, draw: random.Random) -> Target:
        """One variant of an example, through a window of the given size."""
        found: tuple[Pieces, ...] = ()
        if example.source == "negative" and self._ends(example, draw):
            found = (_answer(self._by_id[example.id]),)
            example = replace(example, type="end")
        elif example.source in FROM_SQUAD:
            example, found = self._varied(example, draw)
        elif example.source == "boolq":
            example = self._introduced(example, draw)
        marked = example.question[-1:] == (QUESTION_MARK,)
        if marked and draw.random() < self._config.no_question_mark_share:
            example = replace(example, question=example.question[:-1])
        where = crop(example, window, draw)
        if example.source == "quac" and draw.random() < self._config.any_window_share:
            where = crop(replace(example, span=None), window, draw)
        heading = draw.random() >= self._config.no_heading_share or example.source == "quac"
        return target_of(example, where, heading=heading, found=found)

    def _ends(self, example: ReaderExample, draw: random.Random) -> bool:
        return example.id in self._by_id and draw.random() < self._config.end_negative_share

    def _introduced(self, example: ReaderExample, draw: random.Random) -> ReaderExample:
        """A yes-or-no question, sometimes after one about the passage's subject."""
        passage, chance = example.passage, draw.random()
        if not passage.heading or chance >= self._config.introduction_share:
            chance = draw.random()
            other = chance < self._other_passage_share
            return self._after_other_passage(example, draw) if other else example
        opening = (0, min(OPENING, len(passage.ids)))
        turn = ((*WHAT_IS, *passage.heading, QUESTION_MARK), passage.ids[slice(*opening)])
        known = replace(example, history=(turn,), given=(opening,), names=(passage.heading,))
        return with_pronoun(known, turn, draw.choice(PRONOUNS))

    @property
    def _other_passage_share(self) -> float:
        return self._config.other_passage_share if self._passages else 0.0

    def _varied(
        self, example: ReaderExample, draw: random.Random
    ) -> tuple[ReaderExample, tuple[Pieces, ...]]:
        """The example with a history or with answers that are found already, or neither."""
        chance, config = draw.random(), self._config
        if chance < config.history_share:
            if draw.random() < self._other_passage_share:
                return self._after_other_passage(example, draw), ()
            return self._after_same_passage(example, draw), ()
        if example.source in ("negative", "yes no"):
            return example, ()
        chance -= config.history_share
        answers = [_answer(other) for other in self._others(example, draw)]
        if chance < config.found_share:
            pseudo = self._pseudo.get(example.id)
            if pseudo:
                answers = draw.sample(pseudo, draw.randint(1, len(pseudo)))
            return example, tuple(answers)
        chance -= config.found_share
        if chance < config.end_share and example.span:
            found = [*answers[:1], _answer(example)]
            draw.shuffle(found)
            return replace(example, type="end", span=None), tuple(found)
        return example, ()

    def _after_same_passage(self, example: ReaderExample, draw: random.Random) -> ReaderExample:
        """The example after other questions about the passage that it was asked of."""
        earlier = self._others(example, draw)
        turns = _turns(earlier)
        here = bool(earlier) and earlier[0].passage.text == example.passage.text
        given = tuple(one.span for one in reversed(earlier)) if here else ()
        if draw.random() < self._config.pronoun_share:
            texts = (text for turn in turns for text in turn)
            example = with_pronoun(example, texts, draw.choice(PRONOUNS))
        return replace(example, history=turns, given=given)

    def _after_other_passage(self, example: ReaderExample, draw: random.Random) -> ReaderExample:
        """The example after questions about another passage, which it doesn't depend on."""
        others = self._by_passage[draw.choice(self._passages)]
        earlier = draw.sample(others, min(len(others), draw.randint(1, 3)))
        return replace(example, history=_turns(earlier), given=())

    def _others(self, example: ReaderExample, draw: random.Random) -> list[ReaderExample]:
        """Some other questions about the passage that this one was asked of."""
        original = self._by_id.get(example.id.partition(" ")[0], example)
        same_passage = self._by_passage.get(original.passage.text, ())
        others = [one for one in same_passage if one is not original]
        draw.shuffle(others)
        return [one for one in others[: draw.randint(1, 3)] if one.span != original.span]


def _turns(examples: Iterable[ReaderExample]) -> tuple[tuple[Pieces, Pieces], ...]:
    return tuple((one.question, _answer(one)) for one in examples)


def _answer(example: ReaderExample) -> Pieces:
    return example.passage.ids[slice(*(example.span or (0, 0)))]
