"""Import hook that instruments the modules of a project, and no others."""

from __future__ import annotations

import ast
import importlib.util
import linecache
import os
import sys
import tokenize
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final

from shapecheck.frontend import notebook
from shapecheck.frontend.lower import UnparsableSource, lower
from shapecheck.runtime.recording.instrument import Instrumented, instrument
from shapecheck.runtime.recording.recorder import Recorder
from shapecheck.runtime.recording.switches import put_in
from shapecheck.source import Source, UnreadableSource, read

_FOREIGN: Final = frozenset(("site-packages", "dist-packages"))

Change = Callable[[str], str]


class Instrumentation:
    """Compiles files of a project with recorder calls."""

    def __init__(self, recorder: Recorder, root: Path, *, loops: bool, change: Change | None = None) -> None:
        self.recorder = recorder
        self.root = root.resolve()
        self.loops = loops
        self.change = change or (lambda text: text)
        self.texts: dict[str, str] = {}
        self.cell_texts: dict[str, str] = {}
        self.offsets: dict[str, Callable[[int, int], int]] = {}
        self._update = linecache.updatecache

    def begin(self) -> None:
        """Install the import hook. From then on, requests for the source of a function return the instrumented text if
        TensorFlow is imported, since AutoGraph transforms and runs it."""
        sys.meta_path.insert(0, _Finder(self))
        linecache.updatecache = self._updated

    def end(self) -> None:
        """Restore the original lines, for tracebacks."""
        linecache.updatecache = self._update
        linecache.clearcache()
        for name, text in self.cell_texts.items():
            _cached(name, text)

    @contextmanager
    def ended(self) -> Iterator[None]:
        """Restore the original lines for a while."""
        self.end()
        yield
        linecache.updatecache = self._updated
        for name in self.texts:
            self._updated(name)

    def _updated(self, filename: str, module_globals: dict[str, Any] | None = None) -> list[str]:
        is_read = filename in self.cell_texts or "tensorflow" in sys.modules
        text = self.texts.get(filename) if is_read else None
        return self._update(filename, module_globals) if text is None else _cached(filename, text)

    def covers(self, filename: str) -> bool:
        path = Path(filename).resolve()
        return path.is_relative_to(self.root) and _FOREIGN.isdisjoint(path.parts)

    def code(self, filename: str) -> CodeType:
        """Return the code of a file, instrumented if possible; raises what Python raises for an invalid program."""
        text = self._instrumented(filename)
        if text is not None:
            try:
                code = self._compiled(text, filename)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                self.recorder.write("problem", filename, "the instrumented text does not compile")
            else:
                self.texts[filename] = text
                return code
        with tokenize.open(filename) as file:
            return compile(self.change(file.read()), filename, "exec", dont_inherit=True)

    def cells(self, filename: str) -> Iterator[tuple[CodeType, bool]]:
        """Return the code of each cell of a notebook, and whether the cell is marked as one that may raise; raises
        UnreadableSource."""
        source = notebook.read(Path(filename))
        written, lines = source.text.split("\n"), (self._rewritten(source, filename) or source.code).split("\n")
        above = 0
        for cell in source.cells:
            name, text = f"{filename}:cell {cell.number}", "\n".join((*lines[above : cell.last_row], ""))
            self.cell_texts[name] = "\n".join((*written[above : cell.last_row], ""))
            self.texts[name] = text
            _cached(name, text)
            yield self._compiled(text, name), cell.may_raise
            above = cell.last_row

    def _compiled(self, text: str, filename: str) -> CodeType:
        """Return the code of an instrumented text, with switches."""
        tree = ast.parse(text, filename)
        self.recorder.paths.own[filename] = (os.path.abspath(filename), self.offsets.get(filename))
        try:
            switches = put_in(tree, len(self.recorder.switches))
            code = compile(tree, filename, "exec", dont_inherit=True)
        except RecursionError:
            return compile(text, filename, "exec", dont_inherit=True)
        self.recorder.add_switches(switches)
        return code

    def _instrumented(self, filename: str) -> str | None:
        try:
            source = read(Path(filename))
        except UnreadableSource as error:
            self.recorder.write("problem", filename, str(error))
            return None
        return self._rewritten(source, filename)

    def _rewritten(self, source: Source, filename: str) -> str | None:
        try:
            module = lower(source)
        except UnparsableSource as error:
            self.recorder.write("problem", filename, str(error))
            return None
        if module.python2 or (module.faults and not source.cells):
            self.recorder.write("problem", filename, "Python 2 source" if module.python2 else module.faults[0].message)
            return None
        made = instrument(source.code, module, len(self.recorder.seen), loops=self.loops)
        self.recorder.add_places(os.path.abspath(filename), made.places)
        changed = self.change(made.text)
        if changed == made.text:
            self.offsets[filename] = partial(_offset, made, made.text.split("\n"))
        return changed


def _offset(made: Instrumented, lines: list[str], row: int, column: int) -> int:
    """Return the offset in the original text of a row, from 1, and a column, in bytes, of the instrumented one."""
    before = len(lines[row - 1].encode()[:column].decode(errors="ignore"))
    return made.original(sum(len(line) + 1 for line in lines[: row - 1]) + before)


def _cached(filename: str, text: str) -> list[str]:
    """Put the lines of a file into the line cache."""
    lines = text.splitlines(keepends=True)
    linecache.cache[filename] = (len(text), None, lines, filename)
    return lines


class _Loader(SourceFileLoader):
    """Loads a file instrumented; compiled files are neither read nor written."""

    def __init__(self, name: str, path: str, instrumentation: Instrumentation) -> None:
        super().__init__(name, path)
        self.instrumentation = instrumentation

    def get_code(self, fullname: str) -> CodeType:
        return self.instrumentation.code(self.get_filename(fullname))


class _Finder(MetaPathFinder):
    """Finds modules as Python does, and gives those of the project an instrumenting loader."""

    def __init__(self, instrumentation: Instrumentation) -> None:
        self.instrumentation = instrumentation

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin is None or type(spec.loader) is not SourceFileLoader:
            return None
        if not self.instrumentation.covers(spec.origin):
            return None
        loader = _Loader(fullname, spec.origin, self.instrumentation)
        return importlib.util.spec_from_file_location(
            fullname, spec.origin, loader=loader, submodule_search_locations=spec.submodule_search_locations
        )
