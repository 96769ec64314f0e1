"""Whether a question stays with the topic, returns to an old one or goes on to a new one.

The topic of a turn is the document of its answer (TopiOCQA, section 4.1). The three are predicted
from the question and the dialogue, before an answer is found.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Protocol
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from seminar.errors import ConfigurationError
from seminar.logistic import softmax
from seminar.protocols import Encoder
from seminar.questions.cues import Cues, cues
from seminar.questions.history import turns_of
from seminar.text import terms
from seminar.types import Dialogue, Switch

Floats = NDArray[np.float64]

SWITCHES: tuple[Switch, ...] = ("no-switch", "switch-to-old", "switch-to-new")


class TopicPredictor(Protocol):
    """Dialogues and questions to the probability of each of the three switches."""

    def predict(
        self, dialogues: Sequence[Dialogue], questions: Sequence[str]
    ) -> list[dict[Switch, float]]: ...


@dataclass(frozen=True, slots=True)
class Trail:
    """Facts about the topics of a dialogue so far."""

    run: int = 0  # answers in a row from the present topic
    topics: int = 0
    title: frozenset[str] = frozenset()
    old_titles: frozenset[str] = frozenset()
    lost: bool = False  # the last question got no answer


def trail_of(dialogue: Dialogue) -> Trail:
    """The trail of a dialogue, newest topic last."""
    trail = dialogue.trail
    if not trail:
        return Trail(lost=True)
    source = trail[-1].source
    old = {passage.title for passage in trail if passage.source != source}
    return Trail(
        run=len(list(takewhile(lambda passage: passage.source == source, reversed(trail)))),
        topics=len({passage.source for passage in trail}),
        title=frozenset(terms(trail[-1].title)),
        old_titles=frozenset().union(*map(terms, old)),
        lost=not dialogue.turns[-1].reply.literal,
    )


def features(cue: Cues, trail: Trail) -> dict[str, float]:
    """The features of a question for and against a switch, by name."""
    fresh = cue.pronouns - cue.last_pronouns
    person = bool(cue.pronouns & {"he", "she"})
    new_person = person and not cue.last_pronouns & {"he", "she"}
    new_thing = "it" in fresh
    only_earlier = cue.terms & cue.earlier_terms - cue.last_question_terms - cue.last_answer_terms
    several = trail.topics > 1
    found: dict[str, float] = {
        "bias": 1.0,
        "person": person,
        "it": "it" in cue.pronouns,
        "they": "they" in cue.pronouns,
        "demonstrative": cue.demonstrates,
        "same pronoun": bool(cue.pronouns & cue.last_pronouns),
        "new pronoun": bool(fresh - cue.earlier_pronouns),
        "earlier pronoun": bool(fresh & cue.earlier_pronouns),
        "dropped pronoun": bool(cue.last_pronouns) and not cue.pronouns,
        "no pronoun": not cue.stands_in and not cue.demonstrates,
        "echoes answer": cue.share(cue.last_answer_terms),
        "echoes question": cue.share(cue.last_question_terms - cue.last_answer_terms),
        "echoes earlier": cue.share(only_earlier),
        "new words": cue.share(
            cue.terms - cue.last_answer_terms - cue.last_question_terms - cue.earlier_terms
        ),
        "names answer": bool(cue.terms & cue.last_answer_terms - cue.last_question_terms),
        "content words": math.log1p(len(cue.terms)),
        "words": math.log1p(cue.words),
        "points back": cue.points_back,
        "asks more": cue.asks_more,
        "asks identity": cue.asks_identity,
        "opens short": cue.opens_short,
        "answer names": math.log1p(cue.answer_names),
        "answer polar": cue.answer_is_polar,
        "answer number": cue.answer_has_number,
        "answer words": math.log1p(len(cue.answer.split())),
        "no answer": not cue.answer,
        "answer is name": cue.answer_is_name,
        "name and new person": cue.answer_is_name and new_person,
        "name and new thing": cue.answer_is_name and new_thing,
        "who and new person": bool(cue.history) and _asks_who(cue) and new_person,
        "turn": math.log1p(len(cue.history)),
        "run": math.log1p(trail.run),
        "topics": math.log1p(trail.topics),
        "one topic": not several,
        "title": cue.share(trail.title),
        "old titles": cue.share(trail.old_titles - trail.title),
        "lost": trail.lost,
        "several, no pronoun": several and not cue.stands_in and not cue.demonstrates,
        "several, earlier pronoun": several and bool(fresh & cue.earlier_pronouns),
        "several, points back": several and cue.points_back,
        "several, echoes earlier": several and bool(only_earlier),
    }
    return {name: float(value) for name, value in found.items()}


def _asks_who(cue: Cues) -> bool:
    return cue.history[-1][0].lower().startswith("who")


FEATURES = tuple(features(cues("", ()), Trail()))

# Log odds of a return and of a move on against staying. Set by hand, as the only dataset that
# has these labels may not be built on: what names the answer, or asks after somebody new when the
# answer was a name, moves on; what names an old topic returns; the same pronoun stays.
PLAIN_WEIGHTS: dict[str, tuple[float, float]] = {
    "bias": (-3.0, -2.0),
    "same pronoun": (-0.5, -1.0),
    "no pronoun": (0.5, 0.5),
    "names answer": (0.0, 1.5),
    "points back": (0.5, 1.5),
    "asks identity": (0.0, 1.5),
    "answer names": (0.0, 0.5),
    "name and new person": (0.0, 1.5),
    "name and new thing": (0.0, 0.5),
    "lost": (0.5, 0.5),
    "one topic": (-4.0, 0.0),
    "title": (-3.0, -4.0),
    "old titles": (5.0, 0.0),
    "several, earlier pronoun": (1.0, 0.0),
    "several, echoes earlier": (1.0, 0.0),
}


class PlainTopics:
    """Weighs a dozen features by hand; ships with Seminar."""

    def __init__(self, weights: Mapping[str, tuple[float, float]] | None = None) -> None:
        table = PLAIN_WEIGHTS if weights is None else weights
        self._weights = np.array([(0.0, *table.get(name, (0.0, 0.0))) for name in FEATURES])

    def predict(
        self, dialogues: Sequence[Dialogue], questions: Sequence[str]
    ) -> list[dict[Switch, float]]:
        rows = plain_features(dialogues, questions)
        return [_named(row) for row in softmax(rows @ self._weights)]


class TrainedTopics:
    """A linear model over all features and the vectors of question and last answer.

    The weights are the user's own (`python -m seminar.training.fitting.topics`): TopiOCQA's licence
    doesn't allow them to be shipped.
    """

    def __init__(self, weights: Floats, encoder: Encoder) -> None:
        self._weights, self._encoder = weights, encoder
        wanted = len(FEATURES) + meaning_width(encoder)
        if weights.shape != (wanted, len(SWITCHES)):
            raise ConfigurationError(
                f"topic weights of shape {weights.shape} don't fit encoder '{encoder.name}', which "
                f"needs ({wanted}, {len(SWITCHES)}). Train them anew with this version of Seminar"
            )

    @classmethod
    def load(cls, file: Path, encoder: Encoder) -> TrainedTopics:
        """Load weights that a training wrote."""
        try:
            with file.open("rb") as source, np.load(source, allow_pickle=False) as saved:
                made_with, weights = str(saved["encoder"]), saved["weights"]
        except (OSError, EOFError, BadZipFile, KeyError, ValueError) as error:
            raise ConfigurationError(
                f"{file}: no topic predictor ({error}). "
                f"Train one: python -m seminar.training.fitting.topics --out {file}"
            ) from error
        if made_with != encoder.name:
            raise ConfigurationError(
                f"{file}: made with encoder '{made_with}', opened with '{encoder.name}'"
            )
        return cls(weights, encoder)

    def save(self, file: Path) -> None:
        with file.open("wb") as sink:
            np.savez(sink, encoder=self._encoder.name, weights=self._weights)

    def predict(
        self, dialogues: Sequence[Dialogue], questions: Sequence[str]
    ) -> list[dict[Switch, float]]:
        if not questions:
            return []
        rows = all_features(dialogues, questions, self._encoder)
        return [_named(row) for row in softmax(rows @ self._weights)]


def plain_features(dialogues: Sequence[Dialogue], questions: Sequence[str]) -> Floats:
    """One row of `FEATURES` for each question."""
    found = [
        features(cues(question, turns_of(dialogue)), trail_of(dialogue))
        for dialogue, question in zip(dialogues, questions, strict=True)
    ]
    rows = [[one[name] for name in FEATURES] for one in found]
    return np.array(rows).reshape(len(rows), len(FEATURES))


MEANING_SCALE = 3.0  # a unit vector's entries are small beside features of 0 and 1
SIMILARITIES = 4


def meaning_width(encoder: Encoder) -> int:
    return 2 * encoder.dimensions + SIMILARITIES


def all_features(
    dialogues: Sequence[Dialogue], questions: Sequence[str], encoder: Encoder
) -> Floats:
    """The features, the similarities of the question to earlier turns, and two vectors.

    (questions, features + similarities + 2 dimensions)
    """
    histories = [turns_of(dialogue) or (("", ""),) for dialogue in dialogues]
    asked = encoder.encode(list(questions))
    answered = encoder.encode([history[-1][1] for history in histories])
    near = [
        encoder.encode([history[-1][0] for history in histories]),
        answered,
        encoder.encode([history[0][0] for history in histories]),
        encoder.encode([" ".join(q for q, _ in history[:-1]) for history in histories]),
    ]
    similar = np.stack([(asked * other).sum(axis=1) for other in near], axis=1)
    plain = plain_features(dialogues, questions)
    return np.hstack([plain, similar, MEANING_SCALE * asked, MEANING_SCALE * answered])


def likeliest(predicted: Mapping[Switch, float]) -> Switch:
    """The switch of highest probability; the first of equals."""
    return max(SWITCHES, key=lambda switch: predicted[switch])


def _named(row: Floats) -> dict[Switch, float]:
    return dict(zip(SWITCHES, map(float, row), strict=True))
