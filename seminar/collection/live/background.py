"""The titles of background tests: popular ones of a topic, and of others of its genre."""

from __future__ import annotations

from functools import lru_cache

from seminar.collection.assignment.background import BackgroundTest, background_test
from seminar.collection.corpus.link_graph import popular_titles
from seminar.collection.study.loading import Study
from seminar.errors import ConfigurationError


def background_titles(study: Study, worker: str, topic: str) -> BackgroundTest:
    """The test of a topic, the same for a worker each time."""
    own = study.index.topics[topic]
    topics = [one for one in study.index.topics.values() if one.id != topic]
    others = [one for one in topics if one.genre == own.genre] or topics
    return background_test(
        own.title,
        _popular(study, topic),
        {one.title: _popular(study, one.id) for one in others},
        seed=int.from_bytes(f"{study.table.seed}/{worker}/{topic}".encode()),
    )


def can_be_tested(study: Study, topic: str) -> bool:
    """Whether a topic has enough pages, and others too, for a test."""
    try:
        background_titles(study, "", topic)
    except ConfigurationError:
        return False
    return True


@lru_cache(maxsize=10_000)
def _popular(study: Study, topic: str) -> list[str]:
    return popular_titles(study.index.corpus, study.index.topics[topic])
