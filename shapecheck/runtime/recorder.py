"""What the instrumented program calls: notes each new shape of each place, and hands every value on as it is.

An observation is written the moment it is first made, so that nothing is lost when the program dies.  Nothing holds on
to a value, and nothing about a value is asked that could compute.
"""

from __future__ import annotations

import builtins
import json
import os
from collections.abc import Callable
from typing import Any, Final

from shapecheck.runtime.instrument import RECORD

Key = tuple[Any, ...]
Reader = Callable[[Any], Key]

_PLAIN: Final = (int, float, bool, str, bytes, type(None), list, tuple, dict, set, range, slice, type)
MOST_SHAPES: Final = 32  # of one place: there are loops in which every trip has its own


def _array(value: Any) -> Key:
    return ("np", value.shape, value.dtype.num)


def _eager(value: Any) -> Key:
    return ("tf", value._shape_tuple(), value._datatype_enum())


def _static(value: Any) -> tuple[int | None, ...] | None:
    """A static shape as a tuple, None for an axis that is not known, None for a rank that is not."""
    shape = value.shape
    if getattr(shape, "rank", 0) is None:
        return None
    return tuple(None if size is None else int(size) for size in getattr(shape, "as_list", lambda: shape)())


def _symbolic(kind: str) -> Reader:
    return lambda value: (kind, _static(value), getattr(value.dtype, "name", str(value.dtype)))


# What a class, or the nearest of those that it derives from, is: the module tells a library's class from others.
_KINDS: Final[dict[tuple[str, str], Reader]] = {
    ("numpy", "ndarray"): _array,
    ("numpy", "generic"): _array,
    ("tensorflow", "_EagerTensorBase"): _eager,
    ("tensorflow", "EagerTensor"): _eager,
    ("tensorflow", "Tensor"): _symbolic("graph"),
    ("tensorflow", "SymbolicTensor"): _symbolic("graph"),
    ("tensorflow", "BaseResourceVariable"): _symbolic("variable"),
    ("tensorflow", "Variable"): _symbolic("variable"),
    ("tensorflow", "RefVariable"): _symbolic("variable"),
    ("tensorflow", "RaggedTensor"): _symbolic("ragged"),
    ("tensorflow", "SparseTensor"): _symbolic("sparse"),
    ("keras", "KerasTensor"): _symbolic("keras"),
    ("tf_keras", "KerasTensor"): _symbolic("keras"),
    ("keras", "Variable"): _symbolic("variable"),
}


def _reader_of(cls: type) -> Reader | None:
    for base in cls.__mro__:
        reader = _KINDS.get((base.__module__.partition(".")[0], base.__name__))
        if reader is not None:
            return reader
    return None


class Recorder:
    """Writes places and what was seen at them, one JSON list per line."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.seen: list[set[Key]] = []
        self.readers: dict[type, Reader | None] = dict.fromkeys(_PLAIN)

    def begin(self) -> None:
        """From here on the instrumented text finds its recorder."""
        setattr(builtins, RECORD, self.function())

    def add_places(self, filename: str, places: list[tuple[int, int]]) -> None:
        """Places get the numbers that follow those already given."""
        self.write("places", filename, len(self.seen), places)
        self.seen.extend(set() for _ in places)

    def write(self, *line: object) -> None:
        os.write(self.descriptor, (json.dumps(line, default=str) + "\n").encode())

    def function(self) -> Callable[[int, Any], Any]:
        """The call that stands around expressions; made for speed."""
        seen, readers, learn, tell = self.seen, self.readers, self.learn, self.tell

        def record(place: int, value: Any) -> Any:
            kind = type(value)
            reader = readers[kind] if kind in readers else learn(kind)
            if reader is not None:
                try:
                    key = reader(value)
                    if key not in seen[place]:
                        tell(place, key)
                except Exception:  # an object in the making: it is none of the program's business
                    pass
            return value

        record.autograph_info__ = None  # type: ignore[attr-defined]  # AutoGraph calls it as it is
        return record

    def learn(self, cls: type) -> Reader | None:
        reader = self.readers[cls] = _reader_of(cls)
        return reader

    def tell(self, place: int, key: Key) -> None:
        seen = self.seen[place]
        if len(seen) < MOST_SHAPES:
            seen.add(key)
            kind, shape, dtype = key
            self.write("seen", place, kind, shape, dtype)
