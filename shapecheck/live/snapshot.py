"""Snapshots: live objects written as a small program that makes values of the same shapes and dtypes."""

from __future__ import annotations

import keyword
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from shapecheck.live import known_types as known

UNKNOWN = "_live.unknown()"
PREFIX = "_live_"
"""How the names begin that a snapshot makes up."""
_MOST_ITEMS = 64
_MOST_ALIKE = 5_000
_MOST_CONTENTS = 16
_LONGEST_TEXT = 200
_DEEPEST = 6
_PLAIN = (bool, int, float, complex, str, bytes)
_EXACT = ("bool", "int", "uint")


@dataclass(slots=True)
class Snapshot:
    """The lines of a program; `made` are the names of the objects that they make, and `kept` are these objects, so that
    none of them is replaced by another with the same identity. `functions` are the names of functions by identity."""

    lines: list[str] = field(default_factory=list)
    made: dict[int, str] = field(default_factory=dict)
    kept: list[object] = field(default_factory=list)
    functions: dict[int, str] = field(default_factory=dict)

    def text(self) -> str:
        return "".join(
            line + "\n" for line in ["import shapecheck.live as _live", "import keras as _keras", *self.lines]
        )

    def bind(self, name: str, value: object) -> None:
        """Add the lines that give a name a value like a live one."""
        self.lines.append(f"{name} = {self.expression(value)}")

    def expression(self, value: object, depth: int = 0) -> str:
        """Return the expression that makes a value like a live one."""
        if id(value) in self.made:
            return self.made[id(value)]
        if value is None or value is Ellipsis or value is NotImplemented or type(value) in _PLAIN:
            return _constant(value)
        if id(value) in self.functions:
            return self.functions[id(value)]
        if depth > _DEEPEST:
            return UNKNOWN
        if type(value) in (list, tuple, dict, set, frozenset):
            return self._container(value, depth)
        if type(value) in (range, slice):
            return repr(value)
        return self._object(value, depth)

    def named(self, value: object, expression: str) -> str:
        """Add a line that makes an object, and return its name, which is the same wherever the object is held."""
        name = f"{PREFIX}{len(self.kept)}"
        self.kept.append(value)
        self.made[id(value)] = name
        self.lines.append(f"{name} = {expression}")
        return name

    def _object(self, value: object, depth: int) -> str:
        from shapecheck.live import keras_objects

        name = known.type_name(value)
        if name in known.ARRAYS:
            return self.named(value, array(value, known.ARRAYS[name]))
        if name.startswith("numpy.") and known.is_a(value, "numpy.generic"):
            return _number(value)
        if name in (known.FRAME, known.SERIES):
            return self.named(value, _table(value, name))
        if known.is_a(value, known.DATASET) and name:
            return self.named(value, self._dataset(value))
        if name == known.SPEC:
            return spec(value)
        if known.is_a(value, known.LAYER):
            return keras_objects.layer(self, value, depth)
        return self._instance(value, depth)

    def _dataset(self, value: object) -> str:
        signature = self.expression(value.element_spec)  # type: ignore[attr-defined]
        return f"_live.dataset({signature})"

    def _instance(self, value: object, depth: int) -> str:
        """Return an object of a class of the program, with what it holds."""
        cls = self.functions.get(id(type(value)))
        return UNKNOWN if cls is None else self.instance(value, cls, depth)

    def instance(self, value: object, cls: str, depth: int) -> str:
        """Add an object of a class of the program, made without its constructor, and its attributes."""
        name = self.named(value, f"_live.instance({cls})")
        for attribute, held in known.own_attributes(value).items():
            if not attribute.startswith("_") and attribute.isidentifier() and not keyword.iskeyword(attribute):
                self.lines.append(f"{name}.{attribute} = {self.expression(held, depth + 1)}")
        return name

    def _container(self, value: object, depth: int) -> str:
        """Return a list, tuple, dict or set; a long one only if its items are alike."""
        assert isinstance(value, (list, tuple, dict, set, frozenset))
        self.made[id(value)] = UNKNOWN  # of one that holds itself
        self.kept.append(value)
        made = self._contents(value, depth)
        del self.made[id(value)]
        return made if isinstance(value, (tuple, frozenset)) else self.named(value, made)

    def _contents(self, value: Any, depth: int) -> str:
        if len(value) > _MOST_ITEMS:
            return self._alike(value, depth) if type(value) in (list, tuple) else UNKNOWN
        if isinstance(value, dict):
            if not all(key is None or type(key) in _PLAIN for key in value):
                return UNKNOWN
            pairs = (f"{_constant(key)}: {self.expression(held, depth + 1)}" for key, held in value.items())
            return f"{{{', '.join(pairs)}}}"
        items = [self.expression(item, depth + 1) for item in value]
        if type(value) is list:
            return f"[{', '.join(items)}]"
        if type(value) is tuple:
            return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
        return f"{{{', '.join(items)}}}" if items else "set()"

    def _alike(self, value: Iterable[object], depth: int) -> str:
        """Return a long list of equal shapes; of numbers, those are not known."""
        items = list(value)
        types = {type(item) for item in items[:_MOST_ALIKE]}
        if len(items) > _MOST_ALIKE or len(types) != 1:
            return UNKNOWN
        kind = types.pop()
        if kind in (int, float, bool, str):
            item = "_live.number()" if kind is not str else "_live.word()"
        elif known.name_of(kind) in known.ARRAYS:
            shapes = {array(item, known.ARRAYS[known.name_of(kind)]) for item in items}
            if len(shapes) != 1:
                return UNKNOWN
            item = shapes.pop()
        else:
            return UNKNOWN
        brackets = "[{}] * {}" if isinstance(value, list) else "({},) * {}"
        return brackets.format(item, len(items))


def array(value: object, kind: str) -> str:
    """Return the expression of an array of a library."""
    sizes, dtype = shape_of(value), dtype_of(value)
    if kind == "symbolic":
        return f"_live.symbolic({sizes!r}, {dtype!r})"
    contents = _small_contents(value, sizes, dtype) if kind == "array" else ""
    return f"_live.{kind}({sizes!r}, {dtype!r}{contents})"


def shape_of(value: object) -> tuple[int | None, ...] | None:
    """Return the sizes of an array of a library; None if their number is not known."""
    shape = value.shape  # type: ignore[attr-defined]
    try:
        return tuple(None if size is None else int(size) for size in shape)
    except (TypeError, ValueError):
        return None


def dtype_of(value: object) -> str:
    """Return the name of the dtype of an array of a library."""
    dtype = value.dtype  # type: ignore[attr-defined]
    name = dtype if isinstance(dtype, str) else getattr(dtype, "name", "")
    return str(name).removesuffix("_ref") if not str(name).startswith(("str", "bytes")) else "string"


def _small_contents(value: object, sizes: tuple[int | None, ...] | None, dtype: str) -> str:
    """Return the elements of a small array of integers, which may be a shape or an axis."""
    if sizes is None or len(sizes) > 1 or not dtype.startswith(_EXACT) or (sizes and (sizes[0] or 0) > _MOST_CONTENTS):
        return ""
    return f", {value.tolist()!r}"  # type: ignore[attr-defined]


def _number(value: object) -> str:
    sizes, dtype = shape_of(value), dtype_of(value)
    if dtype.startswith(_EXACT):
        return f"_live.array({sizes!r}, {dtype!r}, {value.item()!r})"  # type: ignore[attr-defined]
    return f"_live.array({sizes!r}, {dtype!r})"


def _table(value: object, name: str) -> str:
    """Return a table of pandas with its columns."""
    sizes = shape_of(value)
    if name == known.SERIES:
        return f"_live.series({sizes!r}, {dtype_of(value)!r})"
    columns = list(value.columns)[:_MOST_ITEMS]  # type: ignore[attr-defined]
    dtypes = {str(dtype) for dtype in value.dtypes}  # type: ignore[attr-defined]
    is_plain = sizes is not None and len(columns) == sizes[1] and all(type(each) in (str, int) for each in columns)
    dtype = dtypes.pop() if len(dtypes) == 1 else None
    named = f", {columns!r}" if is_plain else ""
    return f"_live.frame({sizes!r}, {dtype!r}{named})"


def spec(value: object) -> str:
    """Return a `tf.TensorSpec`."""
    return f"_live.spec({shape_of(value)!r}, {dtype_of(value)!r})"


def _constant(value: object) -> str:
    if isinstance(value, (str, bytes)) and len(value) > _LONGEST_TEXT:
        return "_live.word()"
    text = repr(value)
    return text if text not in ("inf", "-inf", "nan") else f"float({text!r})"
