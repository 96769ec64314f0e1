"""A LlamaIndex retriever over files, with the citation of every passage."""

from __future__ import annotations

from pathlib import Path

from seminar.errors import MissingExtraError
from seminar.integrations.passages import passage_metadata
from seminar.session import Session, open_session

try:
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
except ModuleNotFoundError as error:
    raise MissingExtraError("the LlamaIndex retriever", "llamaindex") from error

# What a language model need not read beside the text: offsets, ids and scores.
HIDDEN = ["id", "document", "source", "start", "end", "column", "file", "score"]


class SeminarRetriever(BaseRetriever):
    """Finds passages as `Session.search` does, `k` of them.

    A node's metadata has the passage's `citation`, as in `choir.md:13`, its `id`, `source`,
    `start`, `end` and `score`, and line, page, section or speaker where there are any.
    """

    def __init__(self, session: Session, k: int = 5) -> None:
        super().__init__()
        self.session = session
        self.k = k

    @classmethod
    def open(cls, *paths: str | Path, k: int = 5, **settings: object) -> SeminarRetriever:
        """A retriever over files and folders, or over an index."""
        return cls(open_session(*paths, **settings), k)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [
            NodeWithScore(
                node=TextNode(
                    id_=hit.passage.id,
                    text=hit.passage.text,
                    metadata=passage_metadata(self.session, hit),
                    excluded_llm_metadata_keys=HIDDEN,
                    excluded_embed_metadata_keys=HIDDEN,
                ),
                score=hit.score,
            )
            for hit in self.session.search(query_bundle.query_str, self.k)
        ]
