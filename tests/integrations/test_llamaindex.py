"""The retriever in LlamaIndex itself: retrieved, asynchronously, and as a model sees it."""

import asyncio
from pathlib import Path

from llama_index.core.schema import MetadataMode

from seminar.integrations.llamaindex import SeminarRetriever


def test_nodes_have_the_text_and_citation_of_their_passages(folder: Path):
    retriever = SeminarRetriever.open(folder, k=2, encoder="static")
    first, second = retriever.retrieve("How long is the crossing?")
    assert first.text.endswith("The crossing takes 55 minutes. Dogs travel free.")
    assert first.node.metadata["citation"] == "ferry.md:1:3"
    assert (first.score or 0) > (second.score or 0)
    assert retriever.session.find(first.node.node_id).text == first.text

    shown = first.node.get_content(MetadataMode.LLM)
    assert "citation: ferry.md:1:3" in shown
    assert str(folder) not in shown
    [one, _] = asyncio.run(retriever.aretrieve("Who finished the tower?"))
    assert one.node.metadata["source"] == "tower.txt"
