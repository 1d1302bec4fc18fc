"""The files of a project and how they import one another."""

from __future__ import annotations

import itertools
import os
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.frame import Frame
from shapecheck.frontend.lower import lower
from shapecheck.frontend.parse import UnparsableSource
from shapecheck.models.lang.context import Target
from shapecheck.models.lang.names import canonical, is_library
from shapecheck.models.lang.op import constant, lookup
from shapecheck.shapes.facts import EMPTY
from shapecheck.source import Place, Source, UnreadableSource, read
from shapecheck.values import NONE, Class, Const, Library, Lost, ModuleValue, Seq, Value

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MAX_FOREIGN_LINES = 400
LIBRARIES = ("tf", "keras", "np")
DECLARING = ("__future__", "abc", "copy", "dataclasses", "enum")  # parts of Python that the tracer itself understands
CONVENTIONAL = {"tf": "tf", "np": "np", "numpy": "np", "keras": "keras", "tensorflow": "tf", "K": "keras.backend"}
OLD_TENSORFLOW = re.compile(
    r"tf\.(?:placeholder|Session|InteractiveSession|get_variable|global_variables_initializer|app\.flags|contrib)\b"
    r"|tensorflow\.contrib|tf\.__version__ *== *[\"']1\."
)
COMPAT = re.compile(
    r"tensorflow\.compat\.v1|tf\.compat\.v1|compat import v1|disable_v2_behavior|disable_eager_execution"
)
CLASSIC = re.compile(r"\bdisable_(?:v2_behavior|resource_variables)\(")
NUMPY_BEHAVIOR = "enable_numpy_behavior"
EAGER = "enable_eager_execution"  # variables of TensorFlow 1 are made while the program runs
BEFORE_1_0 = re.compile(
    r"\btf\.(?:mul|sub|neg|inv|pack|unpack|select|batch_matmul|complex_abs|listdiff|initialize_(?:all_)?variables"
    r"|concat_v2|merge_(?:all_)?summar\w+|\w+_summary|train\.SummaryWriter|nn\.(?:rnn|bidirectional_rnn|seq2seq))\b"
    r"|\btensorflow\.models\.rnn\b|\bconcat_dim=|\bsplit_dim=|\b(?:tf|tensorflow)\.(?:__version__|VERSION)(?! *==)"
)
SINCE_1_0 = re.compile(
    r"\btf\.(?:compat|keras|layers|data|losses|estimator|function|GradientTape|Module|random|math|linalg|io)\."
    r"|\btf\.(?:function|GradientTape|Module)\b|\btf\.__version__ *== *[\"'][12]\.|\btensorflow\.(?:compat|keras)\b"
    r"|^\s*(?:import|from) +keras\b|\btf\.(?:reduce|arg)_?\w+\([^()]*\bkeepdims=|_with_logits_v2\b",
    re.MULTILINE,
)
ROOT_MARKS = ("setup.py", "pyproject.toml", "setup.cfg", ".git")
USES = re.compile(r"^[ \t]*(?:import|from)[ \t]+(?:tensorflow|keras|tf_keras|numpy)\b", re.MULTILINE)
IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<dots>\.*)(?P<module>[\w.]*)[ \t]+import[ \t]+(?P<names>[\w, \t]*)"
    r"|import[ \t]+(?P<modules>[\w., \t]+))",
    re.MULTILINE,
)
IMPORTS = re.compile(r"^\s*(?:import|from) +(?:tensorflow|keras|numpy|tf_keras)\b", re.MULTILINE)
REACHES = re.compile(r"tensorflow|keras|numpy|\btf\.|\bnp\.")


class Project:
    """Knows the project's files, lowers each once, and resolves imports between them."""

    def __init__(self, sources: list[Source], target: Target | None = None) -> None:
        self.sources = {str(Path(source.filename)): source for source in sources}
        self.checked = frozenset(self.sources)
        self.modules: dict[str, ir.Module] = {}
        self.unparsable: list[tuple[Source, UnparsableSource]] = []
        self.target = target or Target()
        self.targets: dict[str, Target] = {}
        self._common: Target | None = None
        self.loaded: dict[Path, ModuleValue] = {}
        self.classes: list[tuple[ir.ClassDef, Class, Frame]] = []
        self.mains: deque[tuple[ir.If, Frame]] = deque()
        self.stars: dict[int, list[str]] = {}
        self.paths: dict[int, Path] = {}
        self.pending: dict[int, Frame] = {}
        self.unresolved_imports = 0
        self._reaching: dict[str, bool] = {}
        self._places_of: dict[tuple[Path, str], list[Path]] = {}

    # --- files -----------------------------------------------------------------------------------------------------

    def lowered(self, source: Source) -> ir.Module | None:
        """The IR of a source; None (and remembered) if it does not parse."""
        found = self.modules.get(source.filename)
        if found is None:
            try:
                found = lower(source)
            except UnparsableSource as error:
                self.unparsable.append((source, error))
                return None
            self.modules[source.filename] = found
        return found

    def target_of(self, source: Source) -> Target:
        """The versions a file is written for, as far as the names it uses tell."""
        target = self.targets.get(source.filename)
        if target is None:
            target = self._common_target()
            if target.tensorflow is None and not COMPAT.search(source.text) and OLD_TENSORFLOW.search(source.text):
                target = replace(target, tensorflow=1, keras=target.keras or 2)
            if EAGER not in source.text and (target.tensorflow == 1 or CLASSIC.search(source.text)):
                target = replace(target, classic_variables=True)
            self.targets[source.filename] = target
        return target

    def _common_target(self) -> Target:
        """What is true of all files: one of them may change how tensors behave in the others."""
        if self._common is None:
            texts = [source.text for source in self.sources.values() if source.filename in self.checked]
            self._common = replace(
                self.target,
                before_1_0=any(map(BEFORE_1_0.search, texts)),
                since_1_0=any(map(SINCE_1_0.search, texts)),
                numpy_behavior=any(NUMPY_BEHAVIOR in text for text in texts),
            )
        return self._common

    def _source_at(self, path: Path) -> Source | None:
        known = self.sources.get(str(path))
        if known is None:
            try:
                known = read(path)
            except UnreadableSource:
                return None
            self.sources[str(path)] = known
        return known

    # --- modules ---------------------------------------------------------------------------------------------------

    def load(self, t: Tracer, path: Path, name: str) -> Value:
        """The module of a file, executed on first use."""
        key = path.resolve()
        found = self.loaded.get(key)
        if found is not None:
            return found
        source = self._source_at(path)
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
        module = self.lowered(frame.source)
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
        found = self._find(t, dotted, self._places(self._folder(frame), root))
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
            return self.load(t, package, folder.name) if package.exists() else self._namespace(t, folder)
        found = self._find(t, dotted, [folder])
        if found is None:
            self.unresolved_imports += 1
            return Lost("relative import that is not there")
        return found

    def _namespace(self, t: Tracer, folder: Path) -> Value:
        """A folder without `__init__.py` as a package."""
        key = folder.resolve()
        found = self.loaded.get(key)
        if found is None:
            found = ModuleValue(t.store.address(), folder.name)
            self.loaded[key] = found
            self.paths[found.address] = folder / "__init__.py"
        return found

    def _folder(self, frame: Frame) -> Path:
        return self.paths.get(frame.module, Path(frame.source.filename)).parent

    def _places(self, folder: Path, package: str) -> list[Path]:
        """Where an absolute import from a file in the folder is looked for: beside the file, around the package if
        that is the one that the file is in, at the root of its own package or in the folder above, and where the
        project begins."""
        places = self._places_of.get((folder, package))
        if places is None:
            top = _package_root(folder)
            above = [*_around(folder, package), _above(folder, 1) if top == folder else top, *_project_root(folder)]
            places = self._places_of[folder, package] = list(dict.fromkeys([folder, *above]))
        return places

    def _find(self, t: Tracer, dotted: str, places: list[Path]) -> Value | None:
        parts = dotted.split(".")
        for place in places:
            stem = place.joinpath(*parts)
            for path in (stem.with_suffix(".py"), stem / "__init__.py"):
                if os.path.isfile(path):
                    return self.load(t, path, parts[-1])
            inside = _holds(place / parts[0], places[0])
            if os.path.isdir(stem) and (inside or (place == places[0] and any(stem.glob("*.py")))):
                return self._namespace(t, stem)
        return None

    def submodule(self, t: Tracer, address: int, name: str) -> Value | None:
        """A module of a package that is read as its attribute."""
        path = self.paths.get(address)
        if path is None or path.name != "__init__.py":
            return self._starred(address, name)
        return self._find(t, name, [path.parent]) or self._starred(address, name)

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
            if lookup(full) is not None:
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
        if str(Path(source.filename)) in self.checked or IMPORTS.search(source.text):
            return True
        return source.text.count("\n") <= MAX_FOREIGN_LINES

    def reaches_libraries(self, source: Source) -> bool:
        """Whether a file can use a modelled library, by itself or through the files that it imports."""
        if REACHES.search(source.text) is not None:
            return True
        seen = {source.filename}
        todo = [source]
        while todo:
            following = todo.pop()
            if USES.search(following.text) is not None or self._reaching.get(following.filename):
                self._reaching[source.filename] = True
                return True
            if following.filename in self._reaching:
                continue
            for path in self._imported_files(following):
                found = None if str(path) in seen else self._source_at(path)
                if found is not None:
                    seen.add(found.filename)
                    todo.append(found)
        self._reaching.update(dict.fromkeys(seen, False))
        return False

    def _imported_files(self, source: Source) -> Iterator[Path]:
        """The files that the import statements of a source may mean."""
        folder = Path(source.filename).parent
        for found in IMPORT.finditer(source.text):
            dots, module, names = found["dots"] or "", found["module"], found["names"] or ""
            stems = [module, *(f"{module}.{name.split()[0]}" for name in names.split(",") if name.strip())]
            if found["modules"]:
                stems = [name.split()[0] for name in found["modules"].split(",") if name.strip()]
            beside = [[folder, *folder.parents][: len(dots)][-1]] if dots else None
            for stem, place in ((s, p) for s in stems for p in beside or self._places(folder, s.split(".")[0])):
                path = place.joinpath(*filter(None, stem.split(".")))
                yield from (file for file in (path.with_suffix(".py"), path / "__init__.py") if os.path.isfile(file))


def _around(folder: Path, package: str) -> Iterator[Path]:
    """The folder that holds a package in which the folder lies."""
    names = reversed(Path(os.path.abspath(folder)).parts)
    yield from itertools.islice((_above(folder, up) for up, name in enumerate(names, 1) if name == package), 1)


def _holds(package: Path, folder: Path) -> bool:
    """Whether a folder lies in a package."""
    return Path(os.path.abspath(folder)).is_relative_to(os.path.abspath(package))


def _package_root(folder: Path) -> Path:
    """The folder that the outermost package around a folder lies in."""
    return next((around for around in _upwards(folder) if not (around / "__init__.py").exists()), folder)


def _project_root(folder: Path) -> Iterator[Path]:
    """The nearest folder around a file that has what a project's root has."""
    marked = (around for around in _upwards(folder) if any((around / mark).exists() for mark in ROOT_MARKS))
    yield from itertools.islice(marked, 1)


def _upwards(folder: Path) -> Iterator[Path]:
    """A folder and those around it, written as the folder is."""
    yield from (_above(folder, levels) for levels in range(len(Path(os.path.abspath(folder)).parts)))


def _above(folder: Path, levels: int) -> Path:
    """The folder so many levels up."""
    return Path(os.path.normpath(folder.joinpath(*[".."] * levels)))


def place_of(frame: Frame, node: ir.Node) -> Place:
    return Place(frame.source, node.start, node.end)
