"""Loading the models at the start, in the background, so that the first question doesn't wait."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sqlalchemy import select
from sqlalchemy.orm import Session, sessionmaker

from seminar.models.encoders.registry import AUTO, load_encoder
from seminar.serving.storage.engines import UNREACHABLE
from seminar.serving.storage.schema import Collection
from seminar.settings import Settings
from seminar.stages import build_assistant
from seminar.types import Dialogue, Hit, Passage, Query, Turn

AGAIN = 1.0  # seconds after which a database that did not answer is asked again
PATIENCE = 10.0  # seconds that the end of the process waits for a model that is being loaded
TEXT = "The lighthouse was built in 1874. Its keeper was Ada Brennan."
QUESTIONS = ("When was the lighthouse built?", "And who was its keeper?")  # the second is rewritten

log = logging.getLogger("seminar.models")


@dataclass(eq=False)
class Warming:
    """Asks the embedded stages two questions about a passage, which loads all that they need."""

    settings: Settings
    reads: sessionmaker[Session]
    problem: str = "The models are being loaded."  # empty when they are there
    _stopping: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="warming", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Load nothing more."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(PATIENCE)

    def _run(self) -> None:
        while not self._loaded():
            if self._stopping.wait(AGAIN):
                return

    def _loaded(self) -> bool:
        """Whether there is nothing more to load; False while the database doesn't answer."""
        try:
            for name in self._encoders():
                if self._stopping.is_set():
                    return True
                load_encoder(name).encode([TEXT])
            self._ask()
        except UNREACHABLE:
            self.problem = "The database doesn't answer."
            return False
        except Exception:
            log.exception("the models were not loaded")
            self.problem = "The models could not be loaded; the service's log says why."
        else:
            self.problem = ""
        return True

    def _encoders(self) -> list[str]:
        """The encoders of the collections that are there, or the one that the settings name."""
        with self.reads() as session:
            made = session.scalars(
                select(Collection.encoder).where(Collection.version > 0).distinct()
            ).all()
        named = self.settings.encoder
        return [one for one in made if one] or ([] if named == AUTO else [named])

    def _ask(self) -> None:
        # A language model is at an endpoint: there is nothing of it to load.
        assistant = build_assistant(_OnePassage(), replace(self.settings, llm=""))
        dialogue = Dialogue()
        for question in QUESTIONS:
            if self._stopping.is_set():
                return
            dialogue = dialogue.add(Turn(question, assistant.reply(dialogue, question)))


class _OnePassage:
    """A retriever that always finds the same passage."""

    def search(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        return [[Hit(Passage("warming.md", 0, len(TEXT), TEXT), 1.0)] for _ in queries]
