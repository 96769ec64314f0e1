"""Files or an index to an assistant that answers from them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from seminar.answering.composing import Composer
from seminar.answering.followups import Followups
from seminar.answering.llm_composer import EXTRAS, PromptingComposer
from seminar.answering.pragmatic import Pragmatics
from seminar.assistant import Assistant
from seminar.errors import ConfigurationError
from seminar.indexing import Outcome, Watch, update
from seminar.ingestion.discover import Problem
from seminar.models.encoders.registry import load_encoder
from seminar.models.llm.endpoint import open_endpoint
from seminar.protocols import Encoder, Generator, Reader, Responder, Retriever, Rewriter
from seminar.questions.auto import Auto
from seminar.questions.history import Original
from seminar.questions.llm_rewriter import REWRITING, PromptingRewriter
from seminar.questions.registry import HISTORIES
from seminar.reading.iterative import IterativeReader, OnePassReader
from seminar.reading.llm_reader import QUOTATIONS, PromptingReader
from seminar.reading.readers import load_reader
from seminar.reading.speakers import Speakers
from seminar.retrieval.engines.lance.catalog import FORMAT
from seminar.retrieval.engines.lance.store import LanceStore, describe, is_index
from seminar.retrieval.hybrid import hybrid
from seminar.retrieval.representations import FusedRepresentations
from seminar.retrieval.scopes import Scoped, find_scope
from seminar.settings import Settings, home


@dataclass(frozen=True, slots=True)
class Stages:
    """Those stages of the line that a language model may take part in."""

    rewriter: Rewriter
    reader: Reader
    responder: Responder


@dataclass(frozen=True, slots=True)
class Opened:
    """An assistant, the index it answers from, and what the index could not read."""

    assistant: Assistant
    store: LanceStore
    encoder: Encoder
    settings: Settings
    problems: tuple[Problem, ...] = ()

    @property
    def sources(self) -> list[str]:
        """The input files that answer here."""
        return sorted(file.path for file in self.store.files().values() if file.passages)

    def within(self, scope: str) -> Opened:
        """The same, asked only within a scope; an empty one means everything."""
        settings = replace(self.settings, scope=scope)
        return _opened(self.store, self.encoder, settings, self.problems)


def open_files(
    paths: Sequence[Path], settings: Settings | None = None, *, watch: Watch = lambda _: None
) -> Opened:
    """An assistant over files and folders, indexed now or brought up to date; or over an index."""
    settings = settings or Settings()
    indexes = [path for path in paths if is_index(path)]
    if indexes and len(paths) > 1:
        raise ConfigurationError(
            f"{indexes[0]} is an index, which is asked by itself: name it alone, "
            "or name the files that it was made of beside the other paths"
        )
    if indexes:
        return open_index(indexes[0], settings)
    encoder = load_encoder(settings.encoder)
    folder = index_folder(paths, settings.encoder)
    store, outcome = index_files(paths, folder, encoder, threads=settings.threads, watch=watch)
    return _opened(store, encoder, settings, outcome.problems)


def open_index(folder: Path, settings: Settings) -> Opened:
    """An assistant over an index as it is, with the encoder that made it."""
    encoder = load_encoder(describe(folder).encoder)
    store = LanceStore(folder, encoder=encoder.name, dimensions=encoder.dimensions)
    return _opened(store, encoder, settings)


def _opened(
    store: LanceStore, encoder: Encoder, settings: Settings, problems: tuple[Problem, ...] = ()
) -> Opened:
    if settings.scope:
        settings = replace(settings, scope=find_scope(settings.scope, store.scopes()))
    return Opened(assemble(store, encoder, settings), store, encoder, settings, problems)


def index_files(
    paths: Sequence[Path],
    folder: Path,
    encoder: Encoder,
    *,
    threads: bool = True,
    watch: Watch = lambda _: None,
) -> tuple[LanceStore, Outcome]:
    """Build or update the index in a folder."""
    store = LanceStore.create(folder, encoder=encoder.name, dimensions=encoder.dimensions)
    return store, update(store, paths, encoder, threads=threads, watch=watch)


def assemble(store: LanceStore, encoder: Encoder, settings: Settings) -> Assistant:
    """The stages that the settings name, in line."""
    retriever: Retriever = FusedRepresentations(hybrid(store, encoder))
    if settings.scope:
        retriever = Scoped(retriever, settings.scope)
    # Suggested questions are tried without a language model: it would be asked thirty times a turn.
    embedded = Assistant(
        HISTORIES[settings.history](),
        retriever,
        reader=Speakers(load_reader(settings.reader), load_encoder("static")),
        responder=Composer(settings.threshold),
        k=settings.hits,
    )
    composer = Composer(
        settings.threshold,
        several=_several(settings),
        pragmatics=Pragmatics(load_encoder("static")) if settings.pragmatic else None,
    )
    stages = Stages(embedded.rewriter, embedded.reader, composer)
    if settings.llm:
        stages = _with_language_model(embedded, composer, settings)
    elif _several(settings):
        reader = IterativeReader(embedded.reader, diversity=settings.diversity)
        stages = replace(stages, reader=reader)
    return Assistant(
        stages.rewriter,
        retriever,
        reader=stages.reader,
        responder=stages.responder,
        suggester=Followups(embedded.ask) if settings.followups else None,
        k=settings.hits,
    )


def _several(settings: Settings) -> bool:
    """Whether further answers are looked for; a sentence reader's others are but rivals."""
    return settings.answers == "several" and settings.reader != "sentence"


def _with_language_model(embedded: Assistant, composer: Composer, settings: Settings) -> Stages:
    """The stages with a language model in front of each."""
    model = open_endpoint(
        settings.llm, settings.model, seconds=settings.patience, tokens=settings.tokens
    )
    quoting = PromptingReader(model.shaped(QUOTATIONS), load_reader(settings.reader))
    reader: Reader = Speakers(quoting, load_encoder("static"))
    if _several(settings):  # the model quotes every answer at once: asking it again costs too much
        reader = OnePassReader(reader, diversity=settings.diversity)
    return Stages(
        _prompted(model.shaped(REWRITING), embedded.rewriter),
        reader,
        PromptingComposer(model.shaped(EXTRAS), composer) if settings.pragmatic else composer,
    )


def _prompted(model: Generator, rewriter: Rewriter) -> Rewriter:
    """The rewriter with a language model before it, or within it where it weighs several.

    Who chose to search the question as typed has chosen against rewriting it.
    """
    if isinstance(rewriter, Auto):
        within = PromptingRewriter(model, rewriter.rewriter)
        return Auto(topics=rewriter.topics, alone=rewriter.alone, rewriter=within)
    return rewriter if isinstance(rewriter, Original) else PromptingRewriter(model, rewriter)


def index_folder(paths: Sequence[Path], encoder: str) -> Path:
    """Where the index of these paths is kept: the same for the same paths, whatever their order."""
    places = sorted(str(path.resolve()) for path in paths)
    identity = "\0".join([str(FORMAT), encoder, *places])
    digest = hashlib.blake2b(identity.encode(errors="surrogateescape"), digest_size=8).hexdigest()
    name = "".join(c if c.isalnum() else "-" for c in Path(places[0]).name)[:40]
    return home() / "indexes" / f"{name}-{digest}"
