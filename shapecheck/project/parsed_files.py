"""Per-run cache of parsed files, their target versions, and the libraries they reach."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from shapecheck import ir
from shapecheck.project.declared_versions import declared_in, declared_near, forks_in, forks_near
from shapecheck.project.import_paths import search_folders
from shapecheck.project.recorded_files import RecordedFiles
from shapecheck.project.versions import (
    BACKEND,
    CHANNELS_FIRST,
    CLASSIC,
    COMPAT,
    DEFERRED,
    EAGER,
    EAGER_TOO,
    NUMPY_BEHAVIOR,
    ORDER_OF_AXES,
    OTHER_ARRAYS,
    PLAIN_KERAS,
    SINCE_1_2,
    THEANO,
    is_tensorflow_1,
    keras_of,
    with_declared,
)
from shapecheck.source import Source
from shapecheck.target import Target

if TYPE_CHECKING:
    from shapecheck.frontend.unparsable import UnparsableSource

USES = re.compile(
    r"^[ \t]*(?:import|from)[ \t]+(?:tensorflow|keras|tf_keras|numpy|torch|jax|flax|optax|haiku|equinox)\b",
    re.MULTILINE,
)
REACHES = re.compile(
    r"tensorflow|keras|numpy|scipy|matplotlib|sklearn|pandas|torch|jax|flax|optax|haiku|equinox|\btf\.|\bnp\."
    r"|(?<![\w.])(?:layers\.|models\.)?(?:Sequential|Dense|Input|Conv[123]D|LSTM|GRU|Embedding|train_test_split|StandardScaler)\("
)
IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<dots>\.*)(?P<module>[\w.]*)[ \t]+import[ \t]+(?P<names>[\w, \t]*)"
    r"|import[ \t]+(?P<modules>[\w., \t]+))",
    re.MULTILINE,
)

MAX_FOREIGN_LINES = 4000
MOST_KEPT = 12_000_000
"""The characters of the texts whose IR a process keeps: about 300,000 lines, which take some 250 MB."""


class Lowered(Protocol):
    """A store for IR that lasts from run to run."""

    def get(self, source: Source) -> ir.Module | None: ...
    def put(self, source: Source, module: ir.Module) -> None: ...


class ParsedFiles:
    """The files of one run; `checked` are those that the user named, `common` is the target that holds for all;
    `data_folders` are the real paths of folders with the data that they read; `is_wanted` is asked whether an analysis
    is to go on."""

    def __init__(
        self,
        checked: Sequence[Source],
        common: Target,
        store: Lowered | None = None,
        files: RecordedFiles | None = None,
    ) -> None:
        self.checked = frozenset(source.filename for source in checked)
        self.files = RecordedFiles(checked) if files is None else files
        self.modules: dict[str, ir.Module] = {}
        self.unparsable: dict[str, tuple[Source, UnparsableSource]] = {}
        self.common = common
        self.data_folders: tuple[str, ...] = ()
        self.is_wanted: Callable[[], bool] | None = None
        self._store = store
        self._targets: dict[str, Target] = {}
        self._reaching: dict[str, bool] = {}
        self._channels_first: dict[str, bool] = {}
        self._imported: dict[str, list[Source]] = {}
        self._telling: dict[str, bool] = {}

    def with_changed(self, source: Source) -> ParsedFiles:
        """Return these files with another text of one of them, which is not stored."""
        changed = copy(self)
        changed.files = self.files.with_changed(source)
        changed.modules = {name: module for name, module in self.modules.items() if name != source.filename}
        changed.unparsable = dict(self.unparsable)
        changed._store = None
        changed._channels_first, changed._imported = {}, {}
        return changed

    def is_python(self, source: Source) -> bool:
        """Return whether this Python accepts a text, whose IR is kept then."""
        from shapecheck.frontend.lower import lower_python

        module = lower_python(source)
        if module is not None:
            self.modules[source.filename] = module
        return module is not None

    def lowered(self, source: Source) -> ir.Module | None:
        """Return the IR of a source; None (and remembered) if it does not parse."""
        found = self.modules.get(source.filename)
        if found is not None or source.filename in self.unparsable:
            return found
        found = self._store.get(source) if self._store is not None else None
        if found is None:
            from shapecheck.frontend.lower import UnparsableSource, lower

            try:
                found = lower(source)
            except UnparsableSource as error:
                self.unparsable[source.filename] = source, error
                return None
            if self._store is not None:
                self._store.put(source, found)
        self.modules[source.filename] = found
        return found

    def release(self) -> None:
        """Forget the IR of the files that were read first, if there is much of it; it is made again where it is
        needed."""
        kept = 0
        for name in reversed(list(self.modules)):
            source = self.files.sources.get(str(Path(name)))
            kept += 0 if source is None else len(source.text)
            if kept > MOST_KEPT:
                del self.modules[name]

    def target_of(self, source: Source) -> Target:
        """Return the versions that a file targets: as the names in it reveal them, or else as they are declared."""
        target = self._targets.get(source.filename)
        if target is None:
            target = self._targets[source.filename] = self._with_habits(self._with_versions(source), source)
        return target

    def _with_versions(self, source: Source) -> Target:
        """What is common to all files, and the versions that this one tells."""
        target = self.common
        if target.tensorflow is None and (is_tensorflow_1(source) or self._imports_old(source)):
            target = replace(target, tensorflow=1, keras=target.keras or 2)
        if target.keras is None:
            target = replace(target, keras=keras_of(source.text))
        target = with_declared(target, declared_in(source), source.text)
        folder = Path(source.filename).parent
        target = with_declared(target, declared_near(self.files, folder), source.text)
        target = replace(target, forks=tuple(sorted(forks_in(source) | forks_near(self.files, folder))))
        module = self.lowered(source)
        if target.numpy is None and module is not None and module.python2:
            target = replace(target, numpy=1)  # its last versions for Python 2
        return target

    def _with_habits(self, target: Target, source: Source) -> Target:
        """The target with what the file does in its own way."""
        if "keras" in source.text and self._is_or_imports(THEANO, source):
            target = replace(target, theano=True)
        if target.dated and any(map(self._has_channels_first, self._reached(source))):
            target = replace(target, order_of_axes_told=True)
        if self._is_or_imports(OTHER_ARRAYS, source):
            target = replace(target, other_arrays=True)
        if not target.numpy_behavior and USES.search(source.text) and self._is_or_imports(NUMPY_BEHAVIOR, source):
            target = replace(target, numpy_behavior=True)
        if "KERAS_BACKEND" in source.text and self._is_or_imports(BACKEND, source):
            target = replace(target, other_backend=True)
        if target.order_of_axes_set and ORDER_OF_AXES.search(source.text):
            target = replace(target, order_of_axes_set=False)  # by the file itself, which is followed
        is_deferred = target.tensorflow == 1 or DEFERRED.search(source.text) or CLASSIC.search(source.text)
        return self._with_graphs(target, source) if is_deferred else target

    def _with_graphs(self, target: Target, source: Source) -> Target:
        """The target of a file that makes graphs, unless it or a file that it imports, or by others, runs eagerly."""
        if any(EAGER in each.text for each in self._reached(source)):
            return target
        if target.tensorflow == 1 or CLASSIC.search(source.text):
            target = replace(target, classic_variables=True)
        is_deferred = target.tensorflow == 1 or DEFERRED.search(source.text)
        return replace(target, deferred=True) if is_deferred and not EAGER_TOO.search(source.text) else target

    def _imports_old(self, source: Source) -> bool:
        """Return whether a file with no evidence of its own imports a file of the program for TensorFlow 1."""
        if COMPAT.search(source.text) or SINCE_1_2.search(source.text) or not USES.search(source.text):
            return False
        found = (self.files.source(path) for path in self.imported_files(source))
        return any(is_tensorflow_1(each) for each in found if each is not None)

    def _is_or_imports(self, wanted: re.Pattern[str], source: Source) -> bool:
        """Return whether a pattern matches a file or a file of the program that it imports."""
        if wanted.search(source.text):
            return True
        found = (self.files.source(path) for path in self.imported_files(source))
        return any(wanted.search(each.text) for each in found if each is not None)

    def _has_channels_first(self, source: Source) -> bool:
        """Return whether a file uses Keras by its own name, for images whose channels are written first."""
        known = self._channels_first.get(source.filename)
        if known is None:
            known = PLAIN_KERAS.search(source.text) is not None and CHANNELS_FIRST.search(source.text) is not None
            self._channels_first[source.filename] = known
        return known

    def _reached(self, source: Source) -> Iterator[Source]:
        """Yield a file and the files of the program that it imports, directly or by others."""
        seen = {source.filename}
        todo = [source]
        while todo:
            following = todo.pop()
            yield following
            if following.filename not in self._imported:
                found = (self.files.source(path) for path in self.imported_files(following))
                self._imported[following.filename] = [each for each in found if each is not None]
            unseen = [each for each in self._imported[following.filename] if each.filename not in seen]
            seen.update(each.filename for each in unseen)
            todo += unseen

    def is_relevant(self, source: Source) -> bool:
        """Return whether an imported file may contribute shapes: it is short, or imports a modelled library."""
        known = self._telling.get(source.filename)
        if known is None:
            known = USES.search(source.text) is not None or source.text.count("\n") <= MAX_FOREIGN_LINES
            self._telling[source.filename] = known
        return known

    def reaches_libraries(self, source: Source) -> bool:
        """Return whether a file can use a modelled library, by itself or through the files that it imports."""
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
            for path in self.imported_files(following):
                found = None if str(path) in seen else self.files.source(path)
                if found is not None:
                    seen.add(found.filename)
                    todo.append(found)
        self._reaching.update(dict.fromkeys(seen, False))
        return False

    def imported_files(self, source: Source) -> Iterator[Path]:
        """Yield the files that the import statements of a source may refer to."""
        folder = Path(source.filename).parent
        for found in IMPORT.finditer(source.text):
            dots = found["dots"] or ""
            beside = [[folder, *folder.parents][: len(dots)][-1]] if dots else None
            for stem in _stems(found):
                for place in beside or search_folders(self.files, folder, stem.split(".")[0]):
                    path = place.joinpath(*filter(None, stem.split(".")))
                    module = [path.with_suffix(".py")] if path.name else []  # `from . import` names the folder itself
                    yield from filter(self.files.is_file, (*module, path / "__init__.py"))


def _stems(found: re.Match[str]) -> list[str]:
    """The dotted names of modules that an import statement may mean."""
    if found["modules"]:
        return [name.split()[0] for name in found["modules"].split(",") if name.strip()]
    names = [name.split()[0] for name in (found["names"] or "").split(",") if name.strip()]
    return [found["module"], *(f"{found['module']}.{name}" for name in names)]
