"""Pages whose commands are run, to check that their output is the one shown.

A `console` block holds commands after `$ ` and their output; `…` stands for any text, a line of it for any lines. A
line `` `name`: `` before another block makes that block a file.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_FENCE = re.compile(r"(?P<indent>[ ]*)(?P<fence>`{3,})(?P<kind>\w*)[^\n]*")
_FILE = re.compile(r"`(?P<name>[\w./-]+)`[^`]*:\s*$")
SLOW = re.compile(r"--confirm|shapecheck run\b|pip install|pre-commit|make ")


@dataclass(frozen=True, slots=True)
class Command:
    """A command, its expected output, and its row."""

    text: str
    expected: str
    row: int

    @property
    def is_slow(self) -> bool:
        """Return whether it loads the real libraries, or needs more than the package."""
        return bool(SLOW.search(self.text))


@dataclass(slots=True)
class Part:
    """A block of a page: a file that is written, or commands that are run."""

    row: int
    file: str = ""
    text: str = ""
    commands: list[Command] = field(default_factory=list)


def parts(page: str) -> Iterator[Part]:
    lines = page.splitlines()
    index = 0
    while index < len(lines):
        opened = _FENCE.fullmatch(lines[index])
        if opened is None:
            index += 1
            continue
        end = next(at for at in range(index + 1, len(lines)) if lines[at].strip() == opened["fence"])
        body = [line.removeprefix(opened["indent"]) for line in lines[index + 1 : end]]
        named = _FILE.search(next((line for line in reversed(lines[:index]) if line.strip()), ""))
        if opened["kind"] == "console":
            yield Part(index + 1, commands=list(_commands(body, index + 2)))
        elif named:
            yield Part(index + 1, named["name"], "\n".join(body) + "\n")
        index = end + 1


def _commands(body: list[str], first_row: int) -> Iterator[Command]:
    starts = [at for at, line in enumerate(body) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(body)], strict=True):
        expected = "".join(f"{line}\n" for line in body[start + 1 : end])
        yield Command(body[start][2:], expected, first_row + start)


def disagreements(page: str, folder: Path, slow: bool) -> Iterator[str]:
    """Run a page's commands in a folder; yield each different output with its row."""
    for part in parts(page):
        if part.file:
            path = folder / part.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(part.text, encoding="utf-8")
        for command in part.commands:
            if command.is_slow and not slow:
                continue
            told = _printed(command.text, folder)
            if not agrees(command.expected, told):
                yield f"row {command.row}: $ {command.text}\n{told}"


def _printed(command: str, folder: Path) -> str:
    """Return the output of a command as a terminal shows it."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    env = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "NO_COLOR")}
    ran = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**env, "PATH": path, "COLUMNS": "100", "PYTEST_ADDOPTS": "-p no:asyncio"},  # whose plugin warns
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return ran.stdout


def agrees(expected: str, told: str) -> bool:
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "…\n".strip() else re.escape(line).replace("…", ".*")
        for line in expected.splitlines(keepends=True)
    )
    return re.fullmatch(pattern, "".join(f"{line.rstrip()}\n" for line in told.splitlines())) is not None
