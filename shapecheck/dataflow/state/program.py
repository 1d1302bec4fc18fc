"""The files of the analysed program, and the state of its modules during tracing."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shapecheck.dataflow.state.data_files import DataFiles
from shapecheck.dataflow.state.frame import Frame
from shapecheck.domain.values import ModuleValue
from shapecheck.project.parsed_files import ParsedFiles
from shapecheck.project.recorded_files import RecordedFiles
from shapecheck.source import Place, Source
from shapecheck.target import Target

if TYPE_CHECKING:
    from shapecheck import ir


@dataclass
class Program:
    """The modules of a program, by the real paths of their files and by their heap addresses.

    `checked` are the files that the user asked for. `pending` are imported modules that are not executed yet. `guarded`
    are the blocks under `if __name__ == "__main__"`, which run last. `stars` are the libraries from which a module
    imports all names, `open_modules` those that import all names of other modules. `root` is an additional folder for
    imports, if the user gives one. `main` is the address of the module that runs as `__main__`, 0 if a function is
    traced on its own. If `is_for_keras_3`, so is a program that does not tell its version of Keras;
    `is_version_decisive` says that this version decides whether something of it fails.
    """

    parsed: ParsedFiles
    checked: frozenset[str]
    root: Path | None = None
    main: int = 0
    is_for_keras_3: bool = False
    is_version_decisive: bool = False
    unresolved_imports: int = 0
    data: DataFiles = field(default_factory=DataFiles)
    loaded: dict[str, ModuleValue] = field(default_factory=dict)
    paths: dict[int, Path] = field(default_factory=dict)
    pending: dict[int, Frame] = field(default_factory=dict)
    stars: dict[int, list[str]] = field(default_factory=dict)
    open_modules: set[int] = field(default_factory=set)
    guarded: deque[tuple[ir.If, Frame]] = field(default_factory=deque)
    importing: list[tuple[int, str]] = field(default_factory=list)

    @property
    def files(self) -> RecordedFiles:
        return self.parsed.files

    @property
    def sources(self) -> dict[str, Source]:
        """All files that were read."""
        return {path: source for path, source in self.files.sources.items() if source is not None}

    def target_of(self, source: Source) -> Target:
        """Return the versions that a file is written for."""
        target = self.parsed.target_of(source)
        if self.is_for_keras_3 and target.is_unmarked:
            return replace(target, keras=3)
        return target

    def folder_of(self, frame: Frame) -> Path:
        """Return the folder of the file that a frame is in."""
        return self.paths.get(frame.module, Path(frame.source.filename)).parent

    def head_of(self, name: str) -> bytes | None:
        """Return the beginning of a file with data that the running script names; None if it is not known."""
        script = self.paths.get(self.main)
        return None if script is None else self.data.head(self.files, name, script.parent, self._texts(script))

    def facts_of(self, name: str) -> Mapping[str, Any] | None:
        """Return what the header of a file with data says that the running script names; None if it is not known."""
        script = self.paths.get(self.main)
        return None if script is None else self.data.facts(self.files, name, script.parent, self._texts(script))

    def _texts(self, script: Path) -> Iterator[str]:
        """Yield the texts of the script and of the modules that it imports."""
        for path in (str(script), *self.loaded):
            source = self.files.source(Path(path))
            if source is not None:
                yield source.text

    def is_python2(self, place: Place) -> bool:
        """Return whether a place is in a Python 2 program, where the quotient of integers is an integer."""
        module = self.parsed.modules.get(place.filename)
        return module is not None and module.python2

    def is_worth_executing(self, source: Source) -> bool:
        """Return whether an imported module is executed.

        A long one that is not checked itself and names no modelled library has little influence on shapes.
        """
        return source.filename in self.checked or self.parsed.is_relevant(source)
