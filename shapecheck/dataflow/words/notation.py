"""The meaning of annotations: what the notations of jaxtyping, nptyping, NumPy and TensorFlow say of an array."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from shapecheck.domain.values import NONE, Const, Library, Partial, Ref, Seq, Value, as_sizes, as_str
from shapecheck.shapes import written
from shapecheck.shapes.dtype import DtypeKind, canonical, kind
from shapecheck.shapes.written import ANY, Axes, Axis, Unreadable

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


@dataclass(frozen=True, slots=True)
class Spec:
    """What an annotation says of an array: its axes, the kinds of its elements (empty for any), its dtype and library
    ("" where they are open), and the text of the shape."""

    axes: Axes
    text: str
    kinds: frozenset[DtypeKind] = frozenset()
    dtype: str = ""
    library: str = ""


Specs = tuple[Spec, ...]
"""Alternatives; an array has to meet one of them."""

CHECKED_SHAPE = "check_shapes.shape"
"""The name of what `check_shapes` says of an argument or result: a shape without an array."""
_INEXACT: tuple[DtypeKind, ...] = ("float", "complex")
_FAMILIES: dict[str, tuple[DtypeKind, ...]] = {
    "Float": ("float",),
    "Int": ("int",),
    "UInt": ("int",),
    "Integer": ("int",),
    "Bool": ("bool",),
    "Complex": ("complex",),
    "Inexact": _INEXACT,
    "Real": ("float", "int"),
    "Num": ("int", *_INEXACT),
}
_ARRAYS = {"np.ndarray": "np", "tf.Tensor": "tf", "tf.Variable": "tf"}
_NO_ARRAYS = frozenset(f"builtins.{name}" for name in "int float bool str bytes complex list tuple dict set".split())
_AXIS_WORD = re.compile(
    r"[A-Z][A-Z0-9_]*|[a-z]\d?|\d+|\.\.\.|\*\w+|None|\?|-1|batch(_size)?|time|height|width|channels?|seq(_len)?"
    r"|features?|classes|steps|heads|tokens|hidden|units|samples"
)
"""A word that is an axis wherever several of them stand together."""


def specs(t: Tracer, meaning: Value) -> Specs | None:
    """Return what an annotation says of an array, () if it admits none, None if it says nothing that is read."""
    try:
        return _specs(t, meaning)
    except Unreadable:
        return None


def _specs(t: Tracer, meaning: Value) -> Specs | None:
    match meaning:
        case Const(value=None):
            return ()
        case Library(name=name) if name in _NO_ARRAYS:
            return ()
        case Partial(function=Library(name=name), args=args):
            return _subscripted(t, name, args)
        case Ref(cls="tf.TensorSpec"):
            return _tensor_spec(t, meaning)
    return None


def _subscripted(t: Tracer, name: str, args: tuple[Value, ...]) -> Specs | None:
    """Return what `name[args]` says."""
    if name == "typing.Union":
        return _union(t, args)
    if name == "typing.Optional":
        return _union(t, (*args, NONE))
    if name in ("typing.Final", "typing.ClassVar") and len(args) == 1:
        return _specs(t, args[0])
    if name == "typing.Annotated":
        return _annotated(t, args)
    if name == CHECKED_SHAPE:
        text = as_str(args[0]) or ""
        return (Spec(written.of_check_shapes(text), text),)
    if name == "np.ndarray":
        return _numpy(args)
    if name == "nptyping.NDArray":
        return _nptyping(args)
    if name == "jaxtyping.PyTree":  # whose second part names its structure
        return None
    if name.startswith("jaxtyping.") and len(args) == 2:
        return _jaxtyping(t, name.removeprefix("jaxtyping."), *args)
    return None


def _union(t: Tracer, members: Iterable[Value]) -> Specs | None:
    found = [_specs(t, member) for member in members]
    return None if None in found else tuple(spec for each in found for spec in each or ())


def _jaxtyping(t: Tracer, family: str, array: Value, shape: Value) -> Specs | None:
    text = as_str(shape)
    if text is None:
        return None
    axes = written.of_jaxtyping(text)
    inner = _specs(t, array) if isinstance(array, Partial) and array.function != Library("typing.Union") else None
    if inner:  # an annotation of an annotation has the axes of both
        return tuple(replace(spec, axes=(*axes, *spec.axes), text=f"{text} {spec.text}") for spec in inner)
    general = _FAMILIES.get(family)
    exact = None if general else canonical(family.lower())
    kinds = general or (() if exact is None else (kind(exact),))
    if not kinds and family != "Shaped":
        return None
    return (Spec(axes, text, frozenset(kinds), exact or "", _library(array)),)


def _library(array: Value) -> str:
    return _ARRAYS.get(array.name, "") if isinstance(array, Library) else ""


def _nptyping(args: tuple[Value, ...]) -> Specs | None:
    match args:
        case (Partial(function=Library(name="nptyping.Shape"), args=(Const(value=str(text)),)), *dtypes):
            kinds, exact = _dtype(dtypes[0]) if dtypes else (frozenset[DtypeKind](), "")
            return (Spec(written.of_nptyping(text), text, kinds, exact, "np"),)
    return None


def _numpy(args: tuple[Value, ...]) -> Specs | None:
    """Return what `np.ndarray[tuple[Literal[2], int], np.dtype[np.float64]]` says."""
    match args:
        case (Partial(function=Library(name="builtins.tuple" | "typing.Tuple"), args=sizes), *dtypes):
            if Const(...) in sizes:
                return None
            axes = tuple(_literal_axis(size) for size in sizes)
            kinds, exact = _dtype(dtypes[0]) if dtypes else (frozenset[DtypeKind](), "")
            text = ", ".join("int" if axis == ANY else str(axis.size) for axis in axes)
            return (Spec(axes, text, kinds, exact, "np"),)
    return None


def _literal_axis(size: Value) -> Axis:
    match size:
        case Partial(function=Library(name="typing.Literal"), args=(Const(value=int(number)),)):
            return Axis(size=number)
    return ANY


def _dtype(value: Value) -> tuple[frozenset[DtypeKind], str]:
    """Return the kinds of elements that a dtype in an annotation allows, and its name."""
    match value:
        case Partial(function=Library(name="np.dtype"), args=(inner,)):
            return _dtype(inner)
        case Library(name=name):
            family = _FAMILIES.get(name.removeprefix("nptyping."))
            exact = None if family else canonical(name)
            return frozenset(family or (() if exact is None else (kind(exact),))), exact or ""
    return frozenset(), ""


def _tensor_spec(t: Tracer, spec: Ref) -> Specs | None:
    shape = t.heap.get((spec.address, "shape"))
    sizes = None if shape in (None, NONE) else as_sizes_or_open(t.freeze(shape))
    if sizes is None:
        return None
    text = ", ".join("None" if axis == ANY else str(axis.size) for axis in sizes)
    return (Spec(sizes, text, *_dtype(t.heap.get((spec.address, "dtype")) or NONE), "tf"),)


def as_sizes_or_open(shape: Value) -> Axes | None:
    """Return the axes of a sequence of numbers and None; None for anything else."""
    if not isinstance(shape, Seq):
        return None
    axes: list[Axis] = []
    for item in shape.items:
        sizes = as_sizes(Seq("tuple", (item,)))
        if item == NONE:
            axes.append(ANY)
        elif sizes is not None and isinstance(sizes[0], int):
            axes.append(Axis(size=sizes[0]))
        else:
            return None
    return tuple(axes)


def _annotated(t: Tracer, args: tuple[Value, ...]) -> Specs | None:
    """Return what `Annotated[array, "B T C"]` says: words of which each is clearly an axis."""
    if not args:
        return None
    base = args[0].function if isinstance(args[0], Partial) else args[0]
    texts = [text for more in args[1:] if (text := as_str(more)) is not None]
    if isinstance(base, Library) and _is_array(base.name) and len(texts) == 1 and is_list_of_axes(texts[0]):
        return (Spec(written.of_list(texts[0]), texts[0], library=_library(base)),)
    return _specs(t, args[0])


def _is_array(name: str) -> bool:
    return name in _ARRAYS or name in ("np.typing.NDArray", "np.typing.ArrayLike", "jaxtyping.Array")


def is_list_of_axes(text: str) -> bool:
    """Return whether a text is unmistakably the shape of an array."""
    inside = text.strip().strip("()[]").replace(",", " ").split()
    return bool(inside) and all(map(_AXIS_WORD.fullmatch, inside))
