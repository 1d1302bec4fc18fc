"""Instruments the modules of a project as they are imported, and no others."""

from __future__ import annotations

import importlib.util
import linecache
import os
import sys
import tokenize
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final

from shapecheck.frontend.lower import UnparsableSource, lower
from shapecheck.runtime.instrument import instrument
from shapecheck.runtime.recorder import Recorder
from shapecheck.source import UnreadableSource, read

_FOREIGN: Final = frozenset(("site-packages", "dist-packages"))

Change = Callable[[str], str]


class Instrumentation:
    """Compiles files of a project so that they tell the recorder what they compute."""

    def __init__(self, recorder: Recorder, root: Path, *, loops: bool, change: Change | None = None) -> None:
        self.recorder = recorder
        self.root = root.resolve()
        self.loops = loops
        self.change = change or (lambda text: text)
        self.texts: dict[str, str] = {}
        self._update = linecache.updatecache

    def begin(self) -> None:
        """From here on imports are seen, and whoever asks for the source of a function gets what is run: AutoGraph
        asks, and runs what it makes of that."""
        sys.meta_path.insert(0, _Finder(self))
        linecache.updatecache = self._updated

    def end(self) -> None:
        """Gives the original lines back, for tracebacks."""
        linecache.updatecache = self._update
        self.texts.clear()
        linecache.clearcache()

    def _updated(self, filename: str, module_globals: dict[str, Any] | None = None) -> list[str]:
        text = self.texts.get(filename)
        if text is None:
            return self._update(filename, module_globals)
        lines = text.splitlines(keepends=True)
        linecache.cache[filename] = (len(text), None, lines, filename)
        return lines

    def covers(self, filename: str) -> bool:
        path = Path(filename).resolve()
        return path.is_relative_to(self.root) and _FOREIGN.isdisjoint(path.parts)

    def code(self, filename: str) -> CodeType:
        """The code of a file, instrumented if that is possible; raises what Python raises where it is no program."""
        text = self._instrumented(filename)
        if text is not None:
            try:
                code = compile(text, filename, "exec", dont_inherit=True)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                self.recorder.write("problem", filename, "the instrumented text does not compile")
            else:
                self.texts[filename] = text
                self._updated(filename)
                return code
        with tokenize.open(filename) as file:
            return compile(self.change(file.read()), filename, "exec", dont_inherit=True)

    def _instrumented(self, filename: str) -> str | None:
        try:
            source = read(Path(filename))
            module = lower(source)
        except (UnreadableSource, UnparsableSource) as error:
            self.recorder.write("problem", filename, str(error))
            return None
        if module.python2:
            self.recorder.write("problem", filename, "a program of Python 2")
            return None
        made = instrument(source.text, module, len(self.recorder.seen), loops=self.loops)
        self.recorder.add_places(os.path.abspath(filename), made.places)
        return self.change(made.text)


class _Loader(SourceFileLoader):
    """Loads a file instrumented; compiled files are neither read nor written."""

    def __init__(self, name: str, path: str, instrumentation: Instrumentation) -> None:
        super().__init__(name, path)
        self.instrumentation = instrumentation

    def get_code(self, fullname: str) -> CodeType:
        return self.instrumentation.code(self.get_filename(fullname))


class _Finder(MetaPathFinder):
    """Finds modules where Python would, and gives those of the project a loader of ours."""

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
