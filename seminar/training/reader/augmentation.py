"""How an example is shown this time: through a window, with or without history and heading."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from seminar.training.reader.config import ReaderConfig
from seminar.training.reader.examples import ReaderExample, Target, crop, target_of, unnamed

Pieces = tuple[int, ...]

QUERY = 1029  # the question mark's word piece
WHAT_IS = (2054, 2003)
OPENING = 24  # word pieces of a passage that tell what it is about
PRONOUNS = ((2009,), (2009,), (2002,), (2016,), (2027,))  # it, twice as often as he, she, they
OF_SQUAD = ("squad", "unanswerable", "negative", "polar")


class Showing:
    """Shows examples in turn in the ways that the shares tell.

    Histories are made of SQuAD's questions about one passage. What was made of one of them, a
    negative or a question for yes or no, has its id, alone or before a space.
    """

    def __init__(
        self,
        config: ReaderConfig,
        examples: Iterable[ReaderExample],
        pseudo: Mapping[str, tuple[Pieces, ...]],
    ) -> None:
        self._config, self._pseudo = config, pseudo
        self._beside: dict[str, list[ReaderExample]] = defaultdict(list)
        self._asked: dict[str, ReaderExample] = {}
        for example in examples:
            if example.span and example.source == "squad":
                self._beside[example.passage.text].append(example)
                self._asked[example.id] = example
        self._passages = list(self._beside)

    def shown(self, example: ReaderExample, window: int, draw: random.Random) -> Target:
        """An example as it is shown this time."""
        found: tuple[Pieces, ...] = ()
        if example.source == "negative" and self._ends(example, draw):
            found = (_answer(self._asked[example.id]),)
            example = replace(example, type="end")
        elif example.source in OF_SQUAD:
            example, found = self._varied(example, draw)
        elif example.source == "boolq":
            example = self._introduced(example, draw)
        if example.question[-1:] == (QUERY,) and draw.random() < self._config.unmarked_share:
            example = replace(example, question=example.question[:-1])
        where = crop(example, window, draw)
        if example.source == "quac" and draw.random() < self._config.away_share:
            where = crop(replace(example, span=None), window, draw)
        heading = draw.random() >= self._config.bare_share or example.source == "quac"
        return target_of(example, where, heading=heading, found=found)

    def _ends(self, example: ReaderExample, draw: random.Random) -> bool:
        return example.id in self._asked and draw.random() < self._config.end_elsewhere_share

    def _introduced(self, example: ReaderExample, draw: random.Random) -> ReaderExample:
        """A question for yes or no, sometimes after one of what the passage is about."""
        passage, chance = example.passage, draw.random()
        if not passage.heading or chance >= self._config.introduced_share:
            chance = draw.random()
            return self._after_others(example, draw) if chance < self._away else example
        opening = (0, min(OPENING, len(passage.ids)))
        turn = ((*WHAT_IS, *passage.heading, QUERY), passage.ids[slice(*opening)])
        known = replace(example, history=(turn,), given=(opening,), names=(passage.heading,))
        return unnamed(known, turn, draw.choice(PRONOUNS))

    @property
    def _away(self) -> float:
        return self._config.elsewhere_share if self._passages else 0.0

    def _varied(
        self, example: ReaderExample, draw: random.Random
    ) -> tuple[ReaderExample, tuple[Pieces, ...]]:
        """With a made-up history, or with answers said to be found already, as the shares say."""
        chance, config = draw.random(), self._config
        if chance < config.history_share:
            if draw.random() < self._away:
                return self._after_others(example, draw), ()
            return self._continued(example, draw), ()
        if example.source in ("negative", "polar"):
            return example, ()
        chance -= config.history_share
        answers = [_answer(one) for one in self._others(example, draw)]
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

    def _continued(self, example: ReaderExample, draw: random.Random) -> ReaderExample:
        """After other questions about the passage that the question was asked of."""
        told = self._others(example, draw)
        turns = _turns(told)
        here = bool(told) and told[0].passage.text == example.passage.text
        given = tuple(one.span for one in reversed(told)) if here else ()
        if draw.random() < self._config.pronoun_share:
            said = (text for turn in turns for text in turn)
            example = unnamed(example, said, draw.choice(PRONOUNS))
        return replace(example, history=turns, given=given)

    def _after_others(self, example: ReaderExample, draw: random.Random) -> ReaderExample:
        """After talk about something else, which the question must not be read by."""
        others = self._beside[draw.choice(self._passages)]
        told = draw.sample(others, min(len(others), draw.randint(1, 3)))
        turns = _turns(told)
        return replace(example, history=turns, given=())

    def _others(self, example: ReaderExample, draw: random.Random) -> list[ReaderExample]:
        """Some other questions about the passage that this one was asked of."""
        asked = self._asked.get(example.id.partition(" ")[0], example)
        others = [one for one in self._beside.get(asked.passage.text, ()) if one is not asked]
        draw.shuffle(others)
        return [one for one in others[: draw.randint(1, 3)] if one.span != asked.span]


def _turns(told: Iterable[ReaderExample]) -> tuple[tuple[Pieces, Pieces], ...]:
    return tuple((one.question, _answer(one)) for one in told)


def _answer(example: ReaderExample) -> Pieces:
    return example.passage.ids[slice(*(example.span or (0, 0)))]
