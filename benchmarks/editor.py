"""How long an editor waits for what is found, through the language server: `python -m benchmarks.editor FOLDER ...`.

In each project, a scripted session edits scripts that are chosen by chance: comments, numbers, new lines, calls that
are typed letter by letter, and text that does not parse for a while. Measured is the time from the last change of an
edit until the findings of that version are told, and the seconds of a processor that the server takes (on Linux), which
other work on a machine does not change. Printed are the median and the longest time, of each project and of all edits.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from lsprotocol import types as lsp
from pygls.lsp.client import BaseLanguageClient

from shapecheck.config import Config
from shapecheck.project import discovery
from shapecheck.source import UnreadableSource, read

LINES = range(60, 800)
"""How long a script is that is edited."""
SCRIPTS = 4
"""The scripts of a project that are edited."""
LIMIT = 120.0
"""Seconds after which a server that says nothing is given up."""
_NUMBER = re.compile(r"(?<![\w.])[1-9]\d*(?![\w.])")


class Cost(NamedTuple):
    """The seconds that an editor waits, and those of a processor."""

    waited: float
    spent: float


class Editor:
    """One document in an editor, and when the findings of its versions were told."""

    def __init__(self, client: BaseLanguageClient, uri: str, text: str) -> None:
        self.client, self.uri, self.text, self.version = client, uri, text, 1
        self.told = asyncio.Event()
        self.last = 0

    def notice(self, params: lsp.PublishDiagnosticsParams) -> None:
        if params.uri == self.uri:
            self.last = params.version or 0
            self.told.set()

    def open(self) -> None:
        item = lsp.TextDocumentItem(self.uri, "python", self.version, self.text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def close(self) -> None:
        here = lsp.TextDocumentIdentifier(self.uri)
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(here))

    def change(self, text: str) -> None:
        self.version, self.text = self.version + 1, text
        here = lsp.VersionedTextDocumentIdentifier(self.version, self.uri)
        change = lsp.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(here, [change]))

    async def waited(self) -> Cost:
        """Return the cost until the findings of the present version are told."""
        start, spent = time.perf_counter(), self._spent()
        while self.last != self.version:
            self.told.clear()
            await asyncio.wait_for(self.told.wait(), LIMIT)
        return Cost(time.perf_counter() - start, self._spent() - spent)

    def _spent(self) -> float:
        """Return the seconds of a processor that the server has taken; 0 where the system does not tell."""
        server = self.client._server
        status = Path(f"/proc/{server.pid}/stat") if server is not None else Path()
        if not status.is_file():
            return 0.0
        after_name = status.read_text().rpartition(")")[2].split()
        return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


def edits(text: str, chosen: random.Random) -> Iterator[Sequence[str]]:
    """Yield edits of a text for ever: the texts that follow each other without a pause."""
    while True:
        lines = text.split("\n")
        rows = [row for row, line in enumerate(lines) if line.strip() and not line.rstrip().endswith(("\\", ",", "("))]
        row = chosen.choice(rows)
        line = lines[row]
        kind = chosen.choice(("comment", "number", "line", "call", "broken"))
        found = _NUMBER.search(line)
        indentation = line[: len(line) - len(line.lstrip())]
        if kind == "comment":
            after = [f"{line}  # note"]
        elif kind == "number" and found is not None:
            after = [f"{line[: found.start()]}{int(found[0]) + 1}{line[found.end() :]}"]
        elif kind == "broken":
            after = [line[:-1]]
        elif kind == "call":
            typed = "print(len(str(1)))"
            after = [f"{indentation}{typed[:end]}\n{line}" for end in range(1, len(typed) + 1)]
        else:
            after = [f"{indentation}unused = {chosen.randrange(9)}\n{line}"]
        states = ["\n".join([*lines[:row], each, *lines[row + 1 :]]) for each in after]
        yield states
        text = states[-1]
        if kind == "broken":
            text = "\n".join(lines)
            yield [text]


async def session(folder: Path, count: int, seed: int) -> list[Cost]:
    """Return the cost of each edit of a session in a project."""
    chosen, found = random.Random(seed), []
    scripts = list(_scripts(folder))
    scripts = chosen.sample(scripts, min(SCRIPTS, len(scripts)))
    if not scripts:
        return []
    client = BaseLanguageClient("benchmark", "1")
    editors: dict[str, Editor] = {}

    @client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def told(params: lsp.PublishDiagnosticsParams) -> None:
        if params.uri in editors:
            editors[params.uri].notice(params)

    await client.start_io(sys.executable, "-m", "shapecheck", "server")
    roots = [lsp.WorkspaceFolder(folder.resolve().as_uri(), folder.name)]
    await client.initialize_async(lsp.InitializeParams(lsp.ClientCapabilities(), workspace_folders=roots))
    client.initialized(lsp.InitializedParams())
    for script, text in scripts:
        editor = editors[script.as_uri()] = Editor(client, script.as_uri(), text)
        editor.open()
        await editor.waited()
        following = edits(text, chosen)
        for _ in range(count // len(scripts)):
            for state in next(following):
                editor.change(state)
            found.append(await editor.waited())
        editor.close()
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()
    return found


def _scripts(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield the scripts of a project that may be edited, in the order of their names."""
    for path in sorted(discovery.find([folder], Config()).files):
        try:
            text = read(path).text
        except UnreadableSource:
            continue
        if path.suffix == ".py" and text.count("\n") in LINES and re.search(r"tensorflow|keras|numpy", text):
            yield path.resolve(), text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--edits", type=int, default=20, help="edits in each project")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    every: list[Cost] = []
    for folder in given.folders:
        costs = asyncio.run(session(folder, given.edits, given.seed))
        if costs:
            print(_line(costs), folder.name, flush=True)
        every += costs
    print(_line(every), f"{len(every)} edits: waited and spent, each the median and the longest, in seconds")
    for bound in (0.15, 0.5, 1.0):
        within = [sum(each[kind] <= bound for each in every) / len(every) for kind in (0, 1)]
        print(f"within {bound} s: {within[0]:.0%} waited, {within[1]:.0%} spent")


def _line(costs: Sequence[Cost]) -> str:
    columns = ([each.waited for each in costs], [each.spent for each in costs])
    return "  ".join(f"{statistics.median(column):6.3f} {max(column):6.3f}" for column in columns)


if __name__ == "__main__":
    main()
