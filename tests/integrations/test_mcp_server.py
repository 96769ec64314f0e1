"""The server as assistants use it: a client of the official SDK over standard input and output."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

from mcp import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client


async def talk(folder: Path, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
    """The tools of a server over a folder, and the results of some calls."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "seminar", "mcp", str(folder), "--encoder", "static"],
        env=dict(os.environ),
    )
    async with stdio_client(server) as streams, ClientSession(*streams) as client:
        greeting = await client.initialize()
        listed = await client.list_tools()
        return [greeting, listed.tools, *[await client.call_tool(*call) for call in calls]]


def test_assistant_asks_files_and_cites_them(folder: Path):
    (folder / "odd.txt").write_text("The late boat sails at nine.\n\nIt is\x1b[2J\u202e red.\n")
    greeting, tools, *results = asyncio.run(
        talk(
            folder,
            ("ask", {"question": "How long is the crossing?"}),
            ("ask", {"question": "Do dogs travel free?", "follow_up": True}),
            ("ask", {"question": "What is the capital of Mongolia?"}),
            ("search", {"question": "the tower", "count": 1}),
            ("show", {"place": "odd.txt:1"}),
            ("show", {"place": "nowhere.md:3"}),
            ("list_files", {}),
            ("ask", {"question": "?!"}),
        )
    )
    assert greeting.server_info.name == "seminar"
    assert {tool.name for tool in tools} == {"ask", "search", "show", "list_files"}
    assert all(tool.annotations.read_only_hint for tool in tools)
    crossing, dogs, mongolia, tower, odd, nowhere, files, empty = results

    answer = crossing.structured_content
    [quotation] = answer["quotations"]
    assert (answer["answer"], answer["answerable"]) == ("55 minutes", True)
    assert quotation["citation"] == "ferry.md:5:20"
    assert quotation["sentence"] == "The crossing takes 55 minutes."
    assert 0 < answer["probability"] <= 1
    assert "Dogs travel free." in dogs.structured_content["answer"]
    assert mongolia.structured_content["answerable"] is False
    assert mongolia.structured_content["quotations"] == []
    [passage] = tower.structured_content["passages"]
    assert passage["citation"] == "tower.txt:1:1"

    shown = odd.structured_content
    assert shown["text"] == "The late boat sails at nine."
    assert "red." in shown["after"]
    assert not {"\x1b", "\u202e"} & set(shown["after"])
    assert nowhere.is_error
    assert "'nowhere.md:3' is not in these files" in nowhere.content[0].text
    assert files.structured_content["files"] == ["ferry.md", "odd.txt", "tower.txt"]
    assert empty.is_error
