"""Every command and every option is documented in docs/cli.md."""

from pathlib import Path

import click
import pytest

from seminar.cli.main import COMMANDS, main

PAGE = (Path(__file__).parent.parent.parent / "docs" / "cli.md").read_text(encoding="utf-8")
CONTEXT = click.Context(main)


@pytest.mark.parametrize("name", COMMANDS)
def test_command_is_documented_with_its_options(name: str):
    command = main.get_command(CONTEXT, name)
    assert command is not None
    assert command.help
    assert f"seminar {name} " in PAGE
    several = command.commands if isinstance(command, click.Group) else {"": command}
    for part, one in several.items():
        assert one.help
        assert f"seminar {name} {part}".strip() in PAGE
        for option in one.params:
            if isinstance(option, click.Option):
                longest = max(option.opts, key=len)
                assert f"`{longest}" in PAGE or f", `{longest}" in PAGE, f"{name} {longest}"
