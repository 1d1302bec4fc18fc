"""The recorder that instrumented programs call: it notes each new shape and stage of each place and call path, and
returns every value unchanged.

An observation is written as soon as it is first made, so that nothing is lost if the program crashes. No reference to a
value is kept, and no attribute of a value is read that might compute.
"""

from __future__ import annotations

import builtins
import json
import os
import sys
from collections import Counter
from collections.abc import Callable
from operator import attrgetter, methodcaller
from typing import Any, Final

from shapecheck.runtime.recording.call_paths import CallPaths
from shapecheck.runtime.recording.instrument import RECORD
from shapecheck.runtime.recording.switches import ON

Shape = tuple[int | None, ...] | None
Reader = Callable[[Any], Shape]

_PLAIN: Final = (int, float, bool, str, bytes, type(None), list, tuple, dict, set, range, slice, type)
ENOUGH: Final = 1000  # values of a place that are no tensors, when there never was one
MOST_SHAPES: Final = 32  # of one place on one path: there are loops in which every trip has its own
MOST_SEEN: Final = 256  # of one place on all paths
MOST_WALKS: Final = 2000  # values of a place whose call paths are looked at


def _static(value: Any) -> Shape:
    """Return a static shape as a tuple, with None for an unknown axis; None for an unknown rank."""
    shape = value.shape
    if getattr(shape, "rank", 0) is None:
        return None
    return tuple(None if size is None else int(size) for size in getattr(shape, "as_list", lambda: shape)())


def _symbolic(value: Any) -> Shape:
    """Return the static shape of a tensor of a graph; a function of its own tells it from one with a value."""
    return _static(value)


def _traced(value: Any) -> Shape:
    """Return the shape of a tracer of JAX, without symbolic sizes."""
    return tuple(size if isinstance(size, int) else None for size in value.shape)


# The kind of a class or of its nearest known base; the module identifies the classes of a library.
_KINDS: Final[dict[tuple[str, str], tuple[str, Reader]]] = {
    ("numpy", "ndarray"): ("np", attrgetter("shape")),
    ("numpy", "generic"): ("np", attrgetter("shape")),
    ("tensorflow", "_EagerTensorBase"): ("tf", methodcaller("_shape_tuple")),
    ("tensorflow", "EagerTensor"): ("tf", methodcaller("_shape_tuple")),
    ("tensorflow", "Tensor"): ("graph", _symbolic),
    ("tensorflow", "SymbolicTensor"): ("graph", _symbolic),
    ("tensorflow", "BaseResourceVariable"): ("variable", _static),
    ("tensorflow", "Variable"): ("variable", _static),
    ("tensorflow", "RefVariable"): ("variable", _static),
    ("tensorflow", "RaggedTensor"): ("ragged", _static),
    ("tensorflow", "SparseTensor"): ("sparse", _static),
    ("keras", "KerasTensor"): ("keras", _static),
    ("tf_keras", "KerasTensor"): ("keras", _static),
    ("keras", "Variable"): ("variable", _static),
    ("cupy", "ndarray"): ("np", attrgetter("shape")),
    ("jax", "Tracer"): ("tf", _traced),
    ("jaxlib", "ArrayImpl"): ("tf", attrgetter("shape")),
    ("torch", "Tensor"): ("tf", _static),
}


def known_as(cls: type) -> tuple[str, Reader] | None:
    """Return the kind of tensor of a class, and the function that reads its shape."""
    for base in cls.__mro__:
        found = _KINDS.get((base.__module__.partition(".")[0], base.__name__))
        if found is not None:
            return found
    return None


class Recorder:
    """Writes places and their observations, one JSON list per line."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.files: list[str] = []
        self.paths = CallPaths(self.write)
        self.seen: list[set[tuple[Shape, Reader]]] = []
        self.met: list[set[tuple[Shape, Reader, int]]] = []
        self.counts: Counter[tuple[int, int]] = Counter()
        self.walks: list[int] = []
        self.left: list[int] = []
        self.behind: list[list[int]] = []
        self.switches: list[bool] = []
        self.waiting: list[int] = []
        self.readers: dict[type, Reader | None] = dict.fromkeys(_PLAIN)

    def begin(self) -> None:
        """Make the recorder available to the instrumented text."""
        setattr(builtins, RECORD, self.function())
        setattr(builtins, ON, self.switches)

    def add_places(self, filename: str, places: list[tuple[int, int]]) -> None:
        """Add places, numbered after those already added."""
        self.files.append(filename)
        self.write("places", filename, len(self.seen), places)
        self.seen.extend(set() for _ in places)
        self.met.extend(set() for _ in places)
        self.walks.extend(MOST_WALKS for _ in places)
        self.left.extend(ENOUGH for _ in places)
        self.behind.extend([] for _ in places)

    def add_switches(self, switches: list[list[int]]) -> None:
        """Add switches, each with the places behind it, numbered after those already added."""
        for places in switches:
            for place in places:
                self.behind[place].append(len(self.switches))
            self.switches.append(True)
            self.waiting.append(len(places))

    def enough(self, place: int) -> None:
        """Note that a place has had plain values only: the switches before it need not wait for it."""
        for switch in self.behind[place] if not self.seen[place] else ():
            self.waiting[switch] -= 1
            self.switches[switch] = self.waiting[switch] > 0

    def write(self, *line: object) -> None:
        os.write(self.descriptor, (json.dumps(line, default=str) + "\n").encode())

    def function(self) -> Callable[[int, Any], Any]:
        """Return the function that recorder calls invoke; written for speed."""
        seen, readers, learn, tell, left = self.seen, self.readers, self.learn, self.tell, self.left
        walks, met, number, frame_of = self.walks, self.met, self.paths.number, sys._getframe

        def record(place: int, value: Any) -> Any:
            kind = type(value)
            try:
                reader = readers[kind]
            except KeyError:
                reader = learn(kind)
            if reader is None:
                left[place] -= 1
                if not left[place]:
                    self.enough(place)
                return value
            try:
                shape = reader(value)
                if walks[place]:
                    walks[place] -= 1
                    path = number(frame_of(1))
                    if (shape, reader, path) not in met[place]:
                        tell(place, value, shape, reader, path)
                elif len(seen[place]) < MOST_SHAPES and (shape, reader) not in seen[place]:
                    tell(place, value, shape, reader, number(frame_of(1)))
            except Exception:  # an object in the making: it is none of the program's business
                pass
            return value

        record.autograph_info__ = None  # type: ignore[attr-defined]  # AutoGraph calls it as it is
        return record

    def learn(self, cls: type) -> Reader | None:
        known = known_as(cls)
        reader = self.readers[cls] = None if known is None else known[1]
        return reader

    def tell(self, place: int, value: Any, shape: Shape, reader: Reader, path: int) -> None:
        """Note a shape that is new for a place on a call path."""
        met, known = self.met[place], known_as(type(value))
        self.counts[place, path] += 1
        if known is None or self.counts[place, path] > MOST_SHAPES or len(met) > MOST_SEEN:
            return
        self.seen[place].add((shape, reader))
        met.add((shape, reader, path))
        self.write("seen", place, known[0], shape, getattr(value.dtype, "name", str(value.dtype)), path)
