"""Comparison of two mended programs by the operations that they consist of.

Two programs are equivalent if they have the same operations, with the same options and the same shapes of operands and
results, by whatever name a library offers an operation. Operations that only give the same elements another shape do
not count: reshapes, and axes of size 1 that are added or removed. They keep the order of the elements, so what a later
operation gets is told by its shape; operators work element by element, so for them axes of size 1 do not count either.
Questions about shapes and dtypes compute nothing, and any seed is as good as another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from shapecheck.checker.inspect import traced
from shapecheck.config import Config
from shapecheck.dataflow.graph.steps import Step
from shapecheck.domain.values import Const, Dict, Ref, Seq, SliceValue, Tensor, Value, walk
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.text import show
from shapecheck.source import Source, UnreadableSource

_RESHAPES = frozenset(
    (
        *("reshape", "ravel", "flatten", "squeeze", "expand_dims", "[]", "newaxis", "Flatten", "Reshape", "atleast_2d"),
        *("unsqueeze", "view"),
    )
)
_QUESTIONS = frozenset({"shape", "size", "get_shape", "ndim", "dim", "numel", "dtype"})
_TRANSPOSITIONS = frozenset({"T", "t", "mT", "transpose", "permute", "swapaxes", "moveaxis", "matrix_transpose"})
_BY_ELEMENT = frozenset({"astype", "cast", "exp", "log", "maximum", "minimum", "sqrt", "square", "where"})
_SEEDS = frozenset({"PRNGKey", "key", "manual_seed", "seed", "set_seed"})
_TRANSPOSED = "transposed "


def are_equivalent(first: Source, second: Source, config: Config) -> bool:
    """Return whether two programs have the same operations, apart from reshapes."""
    try:
        return _operations(first, config) == _operations(second, config)
    except UnreadableSource:
        return False


def _operations(source: Source, config: Config) -> Counter[str]:
    steps = traced(source, config).graph.steps
    read = {source for step in steps for source in step.sources}
    told = Counter(_told(step, step.id in read) for step in steps if _counts(step))
    for text in told:
        if text.startswith(_TRANSPOSED):
            told[text] = 1  # some attributes call a function, which is a step, too
    return told


def _counts(step: Step) -> bool:
    """Return whether a step computes something, or is an option of what does."""
    if step.kind != "op" or step.replayed or not (step.args or step.keywords or step.result is not None):
        return False
    name = _last(step)
    if name in _QUESTIONS and not isinstance(step.result, Tensor):
        return False
    if name not in _RESHAPES:
        return True
    if not step.name.endswith("]"):
        return False
    before = next((operand.shape.elements() for _, operand in step.operands()), None)
    after = step.result.shape.elements() if isinstance(step.result, Tensor) else None
    return before is None or before != after


def _last(step: Step) -> str:
    return step.name.removesuffix(".__call__").rpartition(".")[2]


def _told(step: Step, is_read: bool) -> str:
    """Return a step as text: its name, its arguments, and the shapes of its results, which are whole if no other step
    reads them."""
    root, last = step.name.partition(".")[0], _last(step)
    if last in _SEEDS:
        return step.name
    is_operator = not last.isidentifier() and last not in ("[]", "@")
    text = _Text(is_read and (is_operator or last in _BY_ELEMENT))
    results = [part for part in walk(step.result) if isinstance(part, Tensor)] if step.result is not None else []
    first = next((operand for _, operand in step.operands()), None)
    if last == "[]":
        text = _Text(is_squeezed=True)
    end = f"-> {', '.join(map(text.of, results))}"
    if last in _TRANSPOSITIONS and first is not None and _tells_order(first.shape):
        return f"{_TRANSPOSED}{root} {text.of(first)} {end}"
    own = {result.dtype for result in results}
    given = [text.of(argument) for argument in step.args if not (isinstance(argument, Const) and argument.value in own)]
    given += _options(step, text, first.shape.rank if first is not None else None)
    name = f"{root}.{last}" if last[:1].islower() or is_operator else step.name
    return f"{name}({', '.join(given)}) {end}"


def _tells_order(shape: Shape) -> bool:
    """Return whether the shape after a transposition tells which one it was."""
    sizes = [size for size in shape.sizes if size != 1] if shape.is_ranked else None
    return sizes is not None and (shape.rank == 2 or len(set(sizes)) == len(sizes))


def _options(step: Step, text: _Text, rank: int | None) -> Iterator[str]:
    for name, value in sorted(step.keywords):
        match name, value:
            case _, Const(value=None | False):  # most often what it is without being given
                continue
            case "axis" | "dim", Const(value=int(axis)) if axis < 0 and rank is not None:
                yield f"{name}={axis + rank}"
            case _:
                yield f"{name}={text.of(value)}"


def _is_open(value: Value) -> bool:
    """Return whether a value is a slice of more than one position."""
    match value:
        case SliceValue(lower=Const(value=int(lower)), upper=Const(value=int(upper))):
            return upper != lower + 1
    return isinstance(value, SliceValue)


@dataclass(frozen=True, slots=True)
class _Text:
    """Values as text; `is_squeezed` leaves out axes of size 1."""

    is_squeezed: bool

    def of(self, value: Value) -> str:
        match value:
            case Tensor(shape=Shape(tail=None) as shape) if self.is_squeezed:
                return f"{value.dtype}{show(Shape(tuple(size for size in shape.sizes if size != 1)))}"
            case Tensor():
                return f"{value.dtype}{show(value.shape)}"
            case Const():
                return repr(value.value)
            case SliceValue(lower=Const(value=int(lower)), upper=Const(value=int(upper))) if upper == lower + 1:
                return str(lower)  # one row, as a table
            case Seq(items=items):
                kept = [item for item in items if not _is_open(item) and item != Const(...)]
                return f"[{', '.join(map(self.of, kept))}]"
            case Dict(items=items):
                return f"{{{', '.join(f'{self.of(key)}: {self.of(item)}' for key, item in items)}}}"
            case Ref(cls=cls):
                return cls
        return type(value).__name__
