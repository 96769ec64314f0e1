"""A LangChain retriever over files, with the citation of every passage."""

from __future__ import annotations

from pathlib import Path

from seminar.errors import MissingExtraError
from seminar.integrations.passages import passage_metadata
from seminar.session import Session, open_session

try:
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
    from pydantic import ConfigDict
except ModuleNotFoundError as error:
    raise MissingExtraError("the LangChain retriever", "langchain") from error


class SeminarRetriever(BaseRetriever):
    """Finds passages as `Session.search` does, `k` of them.

    A document's metadata has the passage's `citation`, as in `choir.md:13`, its `id`, `source`,
    `start`, `end` and `score`, and line, page, section or speaker where there are any.

    >>> retriever = SeminarRetriever.open("examples/collection", k=3)  # doctest: +SKIP
    >>> retriever.invoke("When was the Tide Choir founded?")[0].metadata["citation"]
    ... # doctest: +SKIP
    'choir.md:13:1'
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    session: Session
    k: int = 5

    @classmethod
    def open(cls, *paths: str | Path, k: int = 5, **settings: object) -> SeminarRetriever:
        """A retriever over files and folders, or over an index."""
        return cls(session=open_session(*paths, **settings), k=k)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        return [
            Document(
                id=hit.passage.id,
                page_content=hit.passage.text,
                metadata=passage_metadata(self.session, hit),
            )
            for hit in self.session.search(query, self.k)
        ]
