"""Build the stages of an assistant (rewriter, retriever, reader, responder) from settings."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from seminar.answering.composing import Composer
from seminar.answering.excerpts import NOTHING
from seminar.answering.followups import Followups
from seminar.answering.meta_replies import ConversationResponder
from seminar.answering.pragmatic import Pragmatics
from seminar.assistant import Assistant
from seminar.models.encoders.registry import load_encoder
from seminar.models.llm.context import context_of
from seminar.models.llm.endpoint import Endpoint, open_endpoint
from seminar.models.llm.local import is_model_file, open_model_file
from seminar.models.llm.metering import Meter, Metered
from seminar.protocols import Contents, Encoder, PassageStore, Reader, Responder, Retriever
from seminar.questions.llm_planner import PLAN, Planner
from seminar.questions.registry import HISTORIES
from seminar.reading.iterative import IterativeReader
from seminar.reading.readers import load_reader, load_span_model
from seminar.reading.speakers import SpeakerReader
from seminar.retrieval.dense import Dense
from seminar.retrieval.hybrid import hybrid
from seminar.retrieval.lexical import Lexical
from seminar.retrieval.representations import FusedRepresentations
from seminar.retrieval.scopes import Scoped
from seminar.settings import Settings, home
from seminar.writing.budget import Budget
from seminar.writing.grounding import Grounder
from seminar.writing.requests import Requests
from seminar.writing.writer import Embedded, Manner, ProseWriter

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
    """The endpoint of the language model that the settings name, in a file or at an address."""
    seconds, tokens = settings.patience, settings.tokens
    if is_model_file(settings.llm):
        return open_model_file(
            settings.llm, seconds=seconds, tokens=tokens, context=settings.context
        )
    return open_endpoint(settings.llm, settings.model, seconds=seconds, tokens=tokens)


def build_assistant(
    retriever: Retriever,
    settings: Settings,
    *,
    contents: Contents = NOTHING,
) -> Assistant:
    """The stages that the settings name, over any retriever and the files that it searches."""
    # Suggested questions are tried by these alone: others would take too long.
    embedded = Assistant(
        HISTORIES[settings.history](),
        retriever,
        reader=build_reader(settings.reader),
        responder=Composer(settings.threshold),
        k=settings.hits,
    )
    several = _wants_several(settings)
    reader, diversity = embedded.reader, settings.diversity
    composer = build_composer(settings, several=several, pragmatic=settings.pragmatic)
    return Assistant(
        embedded.rewriter,
        retriever,
        reader=IterativeReader(reader, diversity=diversity) if several else reader,
        responder=composer,
        suggester=Followups(embedded.ask) if settings.followups else None,
        meta=ConversationResponder(retriever, composer, contents=contents),
        writer=_writer(embedded, composer, settings, contents) if settings.llm else None,
        k=settings.hits,
    )


def _writer(
    embedded: Assistant,
    composer: Responder,
    settings: Settings,
    contents: Contents,
) -> ProseWriter:
    """The writer with the language model that the settings name."""
    endpoint, meter = open_language_model(settings), _meter(settings)
    model = Metered(endpoint, settings.llm_budget, meter)
    retriever, grounder = embedded.retriever, Grounder(load_span_model(settings.reader))

    def budget() -> Budget:
        context = context_of(endpoint) or settings.context
        return Budget(context, min(settings.tokens, context // 4))

    return ProseWriter(
        model,
        Embedded(retriever, embedded.reader, composer, settings.hits),
        grounder,
        planner=Planner(Metered(endpoint.shaped(PLAN), settings.llm_budget, meter)),
        budget=budget,
        requests=Requests(
            model,
            retriever,
            grounder,
            budget=budget,
            contents=contents,
            folder=home() / "summaries",
        ),
        manner=Manner(
            settings.threshold,
            quoted=settings.answers == "quote",
            marked=settings.grounding == "mark",
        ),
    )


@cache
def _meter(settings: Settings) -> Meter:
    """The tokens that a process has spent with some settings, whatever scope is asked."""
    return Meter()


def _wants_several(settings: Settings) -> bool:
    """Whether to look for further answers; a sentence reader's other candidates are only rivals."""
    return settings.answers != "one" and settings.reader != "sentence"
