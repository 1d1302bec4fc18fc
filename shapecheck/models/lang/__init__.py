"""The language of library models.

A model is a function with the parameters of the library's function. Their annotations say how arguments are read: a
`Flag` that is not known is tried both ways, a `Ranked` operand is one whose rank is known (`parameter_kinds`). It
returns

    "~B m k, ~B k n -> ~B m n"      a signature of axes: `*S` is any number of them, `~B` broadcasts (`signature`)
    at(axis, "d -> 1")              the change of one axis; `reduced(axis, keepdims)` is that of reductions (`axes`)
    maps("n h.. c -> n H.. c")      a signature with spatial axes, in either data format (`maps`)
    Shape(...), result(...)         shapes or values that it computed itself, with the helpers of `axis_positions`

and, in a tuple after that, derived sizes, `{"k": "min(m, n)"}`, constraints, `"n >= 1"` or a `Need` (`equal`,
`at_least`, `one_of`, `same`, `together` …), and what else is known: `also(dtype=…, content=…)`. It raises `Refused` for
a call that fails whatever the sizes are, and `Blind` for one of which nothing is known.
"""

from shapecheck.models.lang.answer import Answer, Result, also, result
from shapecheck.models.lang.axes import at, reduced
from shapecheck.models.lang.constraints import Need, Refused, at_least, equal, never, of_rank, one_of
from shapecheck.models.lang.context import Context, Target
from shapecheck.models.lang.maps import ONE, Maps
from shapecheck.models.lang.parameter_kinds import (
    AnyValue,
    Axes,
    Axis,
    Blind,
    Dimensions,
    DtypeArg,
    Flag,
    Ranked,
    ShapeArg,
    Size,
    Sizes,
    Tensor,
    Tensors,
    Text,
    entries,
    everywhere,
)
from shapecheck.models.lang.registry import attribute, base, behaviour, layer, op
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.models.lang.window import window
from shapecheck.shapes.shape import Shape

__all__ = [
    "ONE",
    "Answer",
    "AnyValue",
    "Axes",
    "Axis",
    "Blind",
    "Context",
    "Dimensions",
    "DtypeArg",
    "Flag",
    "Maps",
    "Need",
    "Ranked",
    "Refused",
    "Result",
    "Shape",
    "ShapeArg",
    "Size",
    "Sizes",
    "Target",
    "Tensor",
    "Tensors",
    "Text",
    "also",
    "at",
    "at_least",
    "attribute",
    "base",
    "behaviour",
    "entries",
    "equal",
    "everywhere",
    "layer",
    "lost",
    "never",
    "of_rank",
    "one_of",
    "op",
    "reduced",
    "result",
    "window",
]
