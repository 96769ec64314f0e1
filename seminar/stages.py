"""Build the stages of an assistant (rewriter, retriever, reader, responder) from settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from seminar.answering.composing import Composer
from seminar.answering.followups import Followups
from seminar.answering.llm_composer import EXTRAS, PromptingComposer
from seminar.answering.meta_replies import ConversationResponder, Sources
from seminar.answering.pragmatic import Pragmatics
from seminar.assistant import Assistant
from seminar.models.encoders.registry import load_encoder
from seminar.models.llm.endpoint import Endpoint, open_endpoint
from seminar.protocols import (
    Encoder,
    Generator,
    PassageStore,
    Reader,
    Responder,
    Retriever,
    Rewriter,
)
from seminar.questions.auto import Auto
from seminar.questions.history import Original
from seminar.questions.llm_rewriter import REWRITING, PromptingRewriter
from seminar.questions.registry import HISTORIES
from seminar.reading.iterative import IterativeReader, OnePassReader
from seminar.reading.llm_reader import QUOTATION_SCHEMA, PromptingReader
from seminar.reading.readers import load_reader
from seminar.reading.speakers import SpeakerReader
from seminar.retrieval.dense import Dense
from seminar.retrieval.hybrid import hybrid
from seminar.retrieval.lexical import Lexical
from seminar.retrieval.representations import FusedRepresentations
from seminar.retrieval.scopes import Scoped
from seminar.settings import Settings

RETRIEVERS: dict[str, Callable[[PassageStore, Encoder], Retriever]] = {
    "lexical": lambda store, encoder: Lexical(store),
    "dense": Dense,
    "fusion": hybrid,
}


def build_retriever(
    store: PassageStore, encoder: Encoder, name: str = "fusion", *, scope: str = ""
) -> Retriever:
    """A retriever by name that searches every representation of a query, within a scope if any."""
    retriever = FusedRepresentations(RETRIEVERS[name](store, encoder))
    return Scoped(retriever, scope) if scope else retriever


def build_reader(name: str) -> Reader:
    """An embedded reader by name, which also answers questions about speakers."""
    return SpeakerReader(load_reader(name), load_encoder("static"))


def build_composer(settings: Settings, *, several: bool, pragmatic: bool) -> Composer:
    """The responder with the settings' threshold, with further answers and additions if wanted."""
    pragmatics = Pragmatics(load_encoder("static")) if pragmatic else None
    return Composer(settings.threshold, several=several, pragmatics=pragmatics)


def open_language_model(settings: Settings) -> Endpoint:
    """The endpoint of the language model that the settings name."""
    return open_endpoint(
        settings.llm, settings.model, seconds=settings.patience, tokens=settings.tokens
    )


def build_assistant(
    retriever: Retriever, settings: Settings, *, sources: Sources = tuple
) -> Assistant:
    """The stages that the settings name, over any retriever; `sources` lists its files."""
    # Suggested questions are tried without a language model: it would be asked thirty times a turn.
    embedded = Assistant(
        HISTORIES[settings.history](),
        retriever,
        reader=build_reader(settings.reader),
        responder=Composer(settings.threshold),
        k=settings.hits,
    )
    stages = _with_language_model(embedded, settings) if settings.llm else _own(embedded, settings)
    return Assistant(
        stages.rewriter,
        retriever,
        reader=stages.reader,
        responder=stages.responder,
        suggester=Followups(embedded.ask) if settings.followups else None,
        meta=ConversationResponder(retriever, stages.responder, sources=sources),
        k=settings.hits,
    )


@dataclass(frozen=True, slots=True)
class _Stages:
    """The stages that a language model may take part in."""

    rewriter: Rewriter
    reader: Reader
    responder: Responder


def _own(embedded: Assistant, settings: Settings) -> _Stages:
    """The embedded stages, reading again for further answers where several are wanted."""
    several = _wants_several(settings)
    composer = build_composer(settings, several=several, pragmatic=settings.pragmatic)
    stages = _Stages(embedded.rewriter, embedded.reader, composer)
    if not several:
        return stages
    return replace(stages, reader=IterativeReader(stages.reader, diversity=settings.diversity))


def _with_language_model(embedded: Assistant, settings: Settings) -> _Stages:
    """The embedded stages with a language model in front of each."""
    model = open_language_model(settings)
    several = _wants_several(settings)
    quoting = PromptingReader(model.shaped(QUOTATION_SCHEMA), load_reader(settings.reader))
    reader: Reader = SpeakerReader(quoting, load_encoder("static"))
    if several:  # the model quotes every answer at once: asking it again costs too much
        reader = OnePassReader(reader, diversity=settings.diversity)
    composer = build_composer(settings, several=several, pragmatic=settings.pragmatic)
    return _Stages(
        _prompted(model.shaped(REWRITING), embedded.rewriter),
        reader,
        PromptingComposer(model.shaped(EXTRAS), composer) if settings.pragmatic else composer,
    )


def _wants_several(settings: Settings) -> bool:
    """Whether to look for further answers; a sentence reader's other candidates are only rivals."""
    return settings.answers == "several" and settings.reader != "sentence"


def _prompted(model: Generator, rewriter: Rewriter) -> Rewriter:
    """The rewriter with a language model before it, or inside it where it weighs several.

    A user who chose the original question has chosen against rewriting it.
    """
    if isinstance(rewriter, Auto):
        within = PromptingRewriter(model, rewriter.rewriter)
        return Auto(topics=rewriter.topics, alone=rewriter.alone, rewriter=within)
    return rewriter if isinstance(rewriter, Original) else PromptingRewriter(model, rewriter)
