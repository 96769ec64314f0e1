"""The retriever in LangChain itself: invoked, asynchronously, and in a chain."""

import asyncio
from pathlib import Path

from langchain_core.runnables import RunnableLambda

from seminar.integrations.langchain import SeminarRetriever


def test_documents_have_the_text_and_citation_of_their_passages(folder: Path):
    retriever = SeminarRetriever.open(folder, k=2, encoder="static")
    first, second = retriever.invoke("How long is the crossing?")
    assert first.page_content.endswith("The crossing takes 55 minutes. Dogs travel free.")
    assert first.metadata["citation"] == "ferry.md:1:3"
    assert first.metadata["file"] == str(folder / "ferry.md")
    assert first.id == first.metadata["id"]
    assert first.metadata["score"] > second.metadata["score"]
    assert retriever.session.find(first.metadata["id"]).text == first.page_content

    chain = retriever | RunnableLambda(lambda found: found[0].metadata["source"])
    assert chain.invoke("Who finished the tower?") == "tower.txt"
    [one, _] = asyncio.run(retriever.ainvoke("Who finished the tower?"))
    assert one.metadata["source"] == "tower.txt"
