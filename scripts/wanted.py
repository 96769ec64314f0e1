"""Prints the packages that extras of pyproject.toml ask for:  wanted.py [EXTRA...]

PyTorch is left out: scripts/setup installs it apart.
"""

import re
import sys
import tomllib
from pathlib import Path

OWN = re.compile(r"^seminar\[([\w,-]+)\]$")


def wanted(project: dict, extras: list[str]) -> list[str]:
    """The requirements of the project and of extras, those that name other extras included."""
    known, seen, lines = project["optional-dependencies"], set(), list(project["dependencies"])
    pending = list(extras)
    while pending:
        extra = pending.pop()
        if extra in seen:
            continue
        seen.add(extra)
        if extra not in known:
            raise SystemExit(f"there is no extra '{extra}'. Known: {', '.join(sorted(known))}")
        for requirement in known[extra]:
            if named := OWN.match(requirement):
                pending += named[1].split(",")
            else:
                lines.append(requirement)
    return sorted({line for line in lines if not re.match(r"torch\b", line)})


if __name__ == "__main__":
    content = (Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8")
    sys.stdout.write("\n".join(wanted(tomllib.loads(content)["project"], sys.argv[1:])) + "\n")
