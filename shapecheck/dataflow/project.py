"""The files of a project and how they import one another."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.frame import Frame
from shapecheck.dataflow.known import Known, common_target
from shapecheck.dataflow.places import below, located
from shapecheck.frontend.unparsable import UnparsableSource
from shapecheck.models.lang.context import Target
from shapecheck.models.lang.loading import namespaces
from shapecheck.models.lang.names import canonical, is_library
from shapecheck.models.lang.op import constant, lookup
from shapecheck.shapes.facts import EMPTY
from shapecheck.source import Place, Source
from shapecheck.values import NONE, Class, Const, Library, Lost, ModuleValue, Seq, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

LIBRARIES = ("tf", "keras", "np")
# Parts of Python that the tracer itself understands.
DECLARING = ("__future__", "abc", "bisect", "copy", "dataclasses", "enum", "heapq", "numbers")
CONVENTIONAL = {"tf": "tf", "np": "np", "numpy": "np", "keras": "keras", "tensorflow": "tf", "K": "keras.backend"}


class Project:
    """Knows the project's files, lowers each once, and resolves imports between them."""

    def __init__(self, sources: list[Source], target: Target | None = None, known: Known | None = None) -> None:
        self.checked = frozenset(source.filename for source in sources)
        self.known = known or Known(sources, common_target([source.text for source in sources], target or Target()))
        self.files = self.known.files
        self.loaded: dict[str, ModuleValue] = {}
        self.classes: list[tuple[ir.ClassDef, Class, Frame]] = []
        self.mains: deque[tuple[ir.If, Frame]] = deque()
        self.stars: dict[int, list[str]] = {}
        self.paths: dict[int, Path] = {}
        self.pending: dict[int, Frame] = {}
        self.unresolved_imports = 0
        self.root: Path | None = None  # a folder to look in besides, where the user names one
        self.main = 0  # address of the module that runs as `__main__`; 0 where a function is traced on its own

    # --- files -----------------------------------------------------------------------------------------------------

    @property
    def modules(self) -> dict[str, ir.Module]:
        return self.known.modules

    @property
    def unparsable(self) -> list[tuple[Source, UnparsableSource]]:
        return list(self.known.unparsable.values())

    @property
    def sources(self) -> dict[str, Source]:
        return {path: source for path, source in self.files.sources.items() if source is not None}

    def target_of(self, source: Source) -> Target:
        return self.known.target_of(source)

    # --- modules ---------------------------------------------------------------------------------------------------

    def load(self, t: Tracer, path: Path, name: str) -> Value:
        """The module of a file, executed on first use."""
        key = self.files.real(path)
        found = self.loaded.get(key)
        if found is not None:
            return found
        source = self.files.source(path)
        if source is None:
            return t.lost("import of a file that cannot be read")
        address = t.store.address()
        value = ModuleValue(address, name)
        self.loaded[key] = value
        self.paths[address] = path
        self.pending[address] = Frame(address, source, address, name, kind="module")
        return value

    def ensure(self, t: Tracer, address: int) -> None:
        """Executes a module if that has not happened yet."""
        frame = self.pending.pop(address, None)
        if frame is None or not self._worth_reading(frame.source):
            return
        module = self.known.lowered(frame.source)
        if module is not None:
            with t.store.apart():
                self._execute(t, module, frame)

    def _execute(self, t: Tracer, module: ir.Module, frame: Frame) -> None:
        from shapecheck.dataflow.statements import execute

        t.frames[frame.address] = frame
        t.store.set((frame.address, "__name__"), Const(frame.name))
        t.store.set((frame.address, "__file__"), Const(frame.source.filename))
        t.store.set((frame.address, "__doc__"), NONE if module.docstring is None else Const(module.docstring))
        before = t.target, t.tolerance, t.calls, t.stack, t.facts, t.guards, t.place, t.step
        t.target, t.tolerance, t.calls, t.stack = self.target_of(frame.source), 0, [], []
        t.facts, t.guards = EMPTY, {}
        try:
            execute(t, module.body, frame)
        finally:
            t.target, t.tolerance, t.calls, t.stack, t.facts, t.guards, t.place, t.step = before

    def defers(self, t: Tracer, node: ir.If, frame: Frame) -> bool:
        """`if __name__ == "__main__":` runs when the file itself is checked, not when it is imported."""
        test = node.test
        if frame.kind != "module" or not isinstance(test, ir.Compare) or not isinstance(test.left, ir.Name):
            return False
        if test.left.id != "__name__" or test.ops != ("==",):
            return False
        self.mains.append((node, frame))
        return True

    # --- imports ---------------------------------------------------------------------------------------------------

    def import_module(self, t: Tracer, dotted: str, frame: Frame) -> Value:
        """`import dotted`."""
        root = dotted.split(".")[0]
        if is_library(root) and canonical(root).split(".")[0] in LIBRARIES:
            return Library(canonical(dotted))
        found = self._module(t, dotted, located(self.files, dotted, self._folder(frame), self.root))
        if found is not None:
            return found
        if is_library(root) or root in DECLARING:
            return Library(canonical(dotted))
        self.unresolved_imports += 1
        return Lost(f"import of {root}")

    def import_from(self, t: Tracer, dotted: str, level: int, frame: Frame) -> Value:
        """The module that `from …dotted import` names."""
        if level == 0:
            return self.import_module(t, dotted, frame)
        folder = self._folder(frame)
        for _ in range(level - 1):
            folder = folder.parent
        if not dotted:
            package = folder / "__init__.py"
            return self.load(t, package, folder.name) if self.files.is_there(package) else self._namespace(t, folder)
        found = self._module(t, dotted, below(self.files, dotted, folder))
        if found is None:
            self.unresolved_imports += 1
            return Lost("relative import that is not there")
        return found

    def _namespace(self, t: Tracer, folder: Path) -> Value:
        """A folder without `__init__.py` as a package."""
        key = self.files.real(folder)
        found = self.loaded.get(key)
        if found is None:
            found = ModuleValue(t.store.address(), folder.name)
            self.loaded[key] = found
            self.paths[found.address] = folder / "__init__.py"
        return found

    def _folder(self, frame: Frame) -> Path:
        return self.paths.get(frame.module, Path(frame.source.filename)).parent

    def _module(self, t: Tracer, dotted: str, path: Path | None) -> Value | None:
        """The module that a file is, or a folder."""
        if path is None:
            return None
        return self.load(t, path, dotted.split(".")[-1]) if path.suffix else self._namespace(t, path)

    def submodule(self, t: Tracer, address: int, name: str) -> Value | None:
        """A module of a package that is read as its attribute."""
        path = self.paths.get(address)
        if path is None or path.name != "__init__.py":
            return self._starred(address, name)
        return self._module(t, name, below(self.files, name, path.parent)) or self._starred(address, name)

    def import_star(self, t: Tracer, module: Value, frame: Frame) -> None:
        """`from module import *`."""
        if isinstance(module, Library):
            self.stars.setdefault(frame.module, []).append(module.name)
        elif isinstance(module, ModuleValue):
            self.ensure(t, module.address)
            exported = t.store.get((module.address, "__all__"))
            frozen = None if exported is None else t.context.freeze(exported)
            names = {i.value for i in frozen.items if isinstance(i, Const)} if isinstance(frozen, Seq) else None
            for name, value in t.store.at(module.address):
                if isinstance(name, str) and (name in names if names is not None else not name.startswith("_")):
                    t.store.set((frame.address, name), value)
            self.stars.setdefault(frame.module, []).extend(self.stars.get(module.address, []))
        else:
            self.unresolved_imports += 1

    def _starred(self, module: int, name: str) -> Value | None:
        for library in self.stars.get(module, ()):
            full = canonical(f"{library}.{name}")
            value = constant(full)
            if value is not None:
                return value
            if lookup(full) is not None or full in namespaces():
                return Library(full)
        return None

    def conventional(self, t: Tracer, name: str, frame: Frame) -> Value | None:
        """A name that nothing binds: from a star import, or what everyone means by it."""
        found = self._starred(frame.module, name)
        if found is not None:
            return found
        return Library(CONVENTIONAL[name]) if name in CONVENTIONAL else None

    def is_python2(self, place: Place) -> bool:
        """Whether a place is in a program of Python 2, where integers divide to integers."""
        module = self.modules.get(place.filename)
        return module is not None and module.python2

    def _worth_reading(self, source: Source) -> bool:
        """Whether an imported module is followed: a long one that is not checked itself and names no modelled library
        has little to say about shapes."""
        return source.filename in self.checked or self.known.is_telling(source)

    def reaches_libraries(self, source: Source) -> bool:
        return self.known.reaches_libraries(source)


def place_of(frame: Frame, node: ir.Node) -> Place:
    return Place(frame.source, node.start, node.end)
