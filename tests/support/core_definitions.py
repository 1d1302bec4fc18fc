"""The functions and classes that a version of TensorFlow, Keras, NumPy or SciPy defines in its files.

What a name meant in a version is told by the decorators that export it; where there are none, it is all that has its
last name in the part of the library, so that too much is accepted rather than too little. Where further keywords are
passed on, those are accepted that are looked for, and what takes any other is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tests.support.parameter_lists import KEYWORD, NAMED, PLAIN, List, Listed, is_open

KERAS = re.compile(r"(^|/)(tf_)?keras/")
PARTS = {  # where the files are that define what is below a name; the longest such name
    "tf": r"^tensorflow/python/(?!keras/|distribute/|platform/)|^tensorflow_estimator/",
    "tf.distribute": r"^tensorflow/python/distribute/",
    "tf.nn.rnn_cell": r"^tensorflow/(python/(?!keras/|platform/)|contrib/(rnn|grid_rnn|legacy))",
    "tf.data": r"^tensorflow/(python/(data|ops)/|contrib/data)",
    "keras": r"(^|/)(tf_)?keras/|^tensorflow/python/(layers|training|ops|framework)/",
    "keras.backend": r"(^|/)(tf_)?keras/.*backend",
    "keras.applications": r"(^|/)(tf_)?keras/|^keras_applications/",
    "keras.preprocessing": r"(^|/)(tf_)?keras/|^keras_preprocessing/",
    "keras.utils": r"(^|/)(tf_)?keras/|^keras_preprocessing/",
    "keras.ops": r"^keras/",
    "np": r"^numpy/(_?core/(?!defch|rec)|lib|matrixlib|matlib|__init__)|^tensorflow/python/ops/numpy_ops/",
    "np.linalg": r"^numpy/linalg",
    "np.fft": r"^numpy/fft",
    "np.random": r"^numpy/random",
    "np.ma": r"^numpy/ma",
    "np.ndarray": r"^numpy/",
    "scipy.signal": r"^scipy/signal|^scipy/misc",
    **{
        f"scipy.{part}": f"^scipy/{part}"
        for part in "linalg ndimage spatial optimize fft fftpack interpolate integrate cluster io".split()
    },
}
ONLY_EXPORTED = ("keras.ops.", "keras.random.")
PLACEHOLDERS = ("LegacyOptimizerWarning",)
"""Classes in place of those that a version has no more."""
ROOTS = {"object", "Object", "ABC"}
ELSEWHERE = {"BackendLayer", "BackendOptimizer", "BackendTrainer", "AutoTrackable", "Module"}
"""Bases in other files, which take no keywords of their own."""
DEEPEST = 8


@dataclass
class Made:
    """A function: its parameters, the further keywords that it looks for, and where it passes on the others."""

    name: str
    told: List
    path: str
    more: frozenset[str] = frozenset()
    is_closed: bool = False
    passes: bool = False
    is_strange: bool = False
    takes_object: bool = True
    is_wrapper: bool = False  # of a function of another library

    @property
    def tells_nothing(self) -> bool:
        """Return whether it is a declaration without a list, or the wrapper of a function that has one."""
        return is_open(self.told) and (self.is_wrapper or self.path.endswith(".pyi"))


@dataclass
class Kind:
    """A class: its bases by their last names, and its methods."""

    name: str
    path: str
    bases: tuple[str, ...]
    methods: dict[str, list[Made]]
    is_strange: bool = False


@dataclass
class Definitions:
    """The definitions of a version, by their last names and by the names that they are exported under.

    `words` are those that the making of a decorator mentions, and `heirs` the classes that are derived from one.
    """

    found: dict[str, list[Made | Kind]] = field(default_factory=dict)
    exported: dict[str, list[Made | Kind]] = field(default_factory=dict)
    words: dict[str, frozenset[str]] = field(default_factory=dict)
    heirs: dict[str, set[str]] = field(default_factory=dict)

    def lists(self, name: str) -> list[List] | None:
        """Return the lists that a canonical name had in this version; None if it took anything."""
        found: list[List | None] = []
        for each in self._named(name):
            if isinstance(each, Kind):
                found += self._of_class(each) if each.name not in PLACEHOLDERS else []
            elif not each.tells_nothing:
                found.append(self._whole(each, None))
        return _all(found)

    def of_method(self, name: str) -> list[List] | None:
        """Return the lists of a method of a class, of its bases or of the classes derived from it."""
        owner, _, method = name.rpartition(".")
        last = owner.rpartition(".")[2]
        kinds = [each for each in self._named(owner) if isinstance(each, Kind)]
        names = {last, f"{last}V1", f"{last}V2", f"Base{last}", *(each.name for each in kinds)} if kinds else set()
        below = [each for heir in sorted(self._below(names)) for each in self._classes(heir)]
        kinds += [each for each in below if re.search(_part(owner), each.path)]
        made = [each for kind in kinds for each in self._methods(kind, method) if not each[0].tells_nothing]
        return _all([self._whole(each, cls) for each, cls in made])

    def _named(self, name: str) -> list[Made | Kind]:
        if (name in self.exported and name != "np.ndarray") or name.startswith(ONLY_EXPORTED):
            return self.exported.get(name, [])
        place = _part(name)
        return [each for each in self.found.get(name.rpartition(".")[2], ()) if re.search(place, each.path)]

    def _below(self, names: Iterable[str]) -> set[str]:
        found: set[str] = set()
        left = list(names)
        while left:
            name = left.pop()
            left += self.heirs.get(name, ()) if name not in found else ()
            found.add(name)
        return found

    def _classes(self, name: str) -> Iterator[Kind]:
        return (each for each in self.found.get(name, ()) if isinstance(each, Kind))

    def _bases(self, kind: Kind) -> list[Kind]:
        found = []
        for name in kind.bases:
            there = [each for each in self._classes(name) if each is not kind]
            near = [each for each in there if KERAS.search(each.path)] if KERAS.search(kind.path) else []
            found += near or there
        return found

    def _methods(self, kind: Kind, name: str, depth: int = DEEPEST) -> list[tuple[Made, Kind]]:
        if name in kind.methods:
            return [(each, kind) for each in kind.methods[name]]
        bases = self._bases(kind) if depth else []
        return [each for base in bases for each in self._methods(base, name, depth - 1)]

    def _whole(self, made: Made, cls: Kind | None, depth: int = DEEPEST) -> List | None:
        """Return the list of a function without its object, with the keywords that it passes on; None if it is open."""
        if made.is_strange or (any(each.kind == NAMED for each in made.told) and not (made.is_closed or made.passes)):
            return None
        has_object = cls is not None and made.takes_object and made.told[:1] and made.told[0].kind == PLAIN
        own = tuple(each for each in made.told[bool(has_object) :] if each.kind != NAMED)
        more = dict.fromkeys(sorted(made.more))
        if made.passes:
            inherited = self._inherited(made, cls, depth - 1) if cls is not None and depth else None
            if inherited is None:
                return None
            more |= dict.fromkeys(inherited)
        names = {each.name for each in own}
        return (*own, *(Listed(name, KEYWORD, False) for name in more if name not in names))

    def _inherited(self, made: Made, cls: Kind, depth: int) -> list[str] | None:
        """Return the names of the parameters of the same method in the bases of a class; None if it takes anything."""
        methods = (each for base in self._bases(cls) for each in self._methods(base, made.name))
        lists = [self._whole(other, owner, depth) for other, owner in methods]
        if not set(cls.bases) <= self.found.keys() | ROOTS | ELSEWHERE or (found := _all(lists)) is None:
            return None
        return [each.name for one in found for each in one if each.kind in (PLAIN, KEYWORD)]

    def _of_class(self, kind: Kind) -> list[List | None]:
        if kind.is_strange:
            return [None]
        made = self._methods(kind, "__init__")
        made += [each for each in self._methods(kind, "__new__") if not is_open(each[0].told)]
        if not made:
            return [()] if self._is_known(kind) else [None]
        return [self._whole(each, cls) for each, cls in made]

    def _is_known(self, kind: Kind, depth: int = DEEPEST) -> bool:
        """Return whether all bases of a class are among the definitions."""
        bases = self._bases(kind)
        has_all = set(kind.bases) - ROOTS <= {each.name for each in bases}
        return depth > 0 and has_all and all(self._is_known(each, depth - 1) for each in bases)


def is_method_name(name: str) -> bool:
    """Return whether a canonical name is that of a method."""
    owner = name.rpartition(".")[0].rpartition(".")[2]
    return owner[:1].isupper() or owner == "ndarray"


def _all(lists: list[List | None]) -> list[List] | None:
    """Return lists; None if one of them is open."""
    return None if None in lists else [each for each in lists if each is not None]


def _part(name: str) -> str:
    return PARTS.get(max((part for part in PARTS if f"{name}.".startswith(f"{part}.")), key=len, default=""), "^$")
