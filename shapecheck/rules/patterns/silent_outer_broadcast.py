"""A vector and a column with as many rows, or maps without and with a channel, which broadcast to all pairs."""

from __future__ import annotations

import re

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.steps import Step
from shapecheck.domain.values import NONE, TRUE, Tensor
from shapecheck.findings import Severity
from shapecheck.rules.call import Argument, Call, Words
from shapecheck.rules.operand_names import LONGEST_NAME
from shapecheck.rules.rewriting import with_operand
from shapecheck.rules.rule import rule
from shapecheck.shapes.broadcast import broadcast
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import is_open, product

_MEANT = re.compile(r"\b(None|newaxis|expand_dims|unsqueeze|reshape|view|keepdims?|keep_dims|Reshape|meshgrid)\b")
_MAKERS = re.compile(
    r".*\b(expand_dims|unsqueeze|reshape|view|Reshape|meshgrid|ix_|ogrid|mgrid|atleast_2d|outer)(\.__call__)?"
)
_NEUTRAL = {"*": "ones", "multiply": "ones", "+": "zeros", "add": "zeros"}
LINEAR = ("neg", "+", "-", "add", "sub", "subtract", "__neg__")
"""What keeps a sum over all pairs a sum of terms that need none."""
_PICKING = ("gather", "take_along_dim", "take_along_axis")
_DEEPEST = 12
_NEAR = 100  # how many steps on what uses a result is looked for


@rule("SHP201", Severity.WARNING, on={ClashKind.STRETCH_BOTH})
def silent_outer_broadcast(call: Call) -> Words | None:
    if len(call.arguments) != 2:
        return None
    if all(argument.tensor.content is not None for argument in call.arguments):  # written out to be broadcast
        return None
    vector, column = sorted(call.arguments, key=lambda argument: argument.shape.min_rank)
    if _is_meant(call, vector, column) and not _falls_apart(call):
        return None
    if not _has_its_rows(call, vector, column) and not _is_flattened(call, vector, column):
        return None
    both = f"{_said(vector, 'a vector' if vector.rank == 1 else 'maps')} and {_said(column, 'a column')}"
    result: Shape = broadcast([vector.shape, column.shape])[0]
    library = {"keras": "keras.ops"}.get(column.tensor.library, column.tensor.library)
    is_plain = column.text.isidentifier() and len(column.shape.head) == len(vector.shape.head) + 1
    squeezed = f"{library}.squeeze({column.text}, 1) has shape {vector.shape}" if is_plain else ""
    fix = with_operand(call, column.text, f"{library}.squeeze({column.text}, 1)") if squeezed else None
    return call.says(squeezed, f"{both} give {result}", fix)


def _has_its_rows(call: Call, vector: Argument, column: Argument) -> bool:
    """Return whether a column has a row for each element of a vector, or the same for maps."""
    if not vector.rank or column.rank != vector.rank + 1:
        return False
    (size, *others), (rows, width, *rest) = vector.shape.sizes, column.shape.sizes
    return width == 1 and others == rest and (call.always(size, rows) or (is_open(size) and is_open(rows)))


def _is_flattened(call: Call, vector: Argument, column: Argument) -> bool:
    """Return whether a vector has all elements of maps with one channel."""
    if vector.rank != 1 or not column.rank or column.shape.sizes[-1] != 1:
        return False
    (size,), rest = vector.shape.sizes, column.shape.sizes
    return size != 1 and call.always(size, product(rest))


def _said(argument: Argument, instead: str) -> str:
    return f"{argument.text if 0 < len(argument.text) <= LONGEST_NAME else instead} {argument.shape}"


def _falls_apart(call: Call) -> bool:
    """Return whether a loss sums over all pairs: their sums or products need no pairs, so this is not intended."""
    is_plain = not call.name.startswith("np.") and _last(call.name) in ("+", "*", "add", "multiply")
    return is_plain and _is_summed_up(call, call.step)


def _is_summed_up(call: Call, step: Step) -> bool:
    later = call.graph.steps[step.id : step.id + _NEAR]
    users = [user for user in later if any(tensor.step == step.id for _, tensor in user.operands())]
    return bool(users) and all(_sums_up(call, user) for user in users)


def _sums_up(call: Call, step: Step) -> bool:
    if _last(step.name) in LINEAR:
        return _is_summed_up(call, step)
    is_single = isinstance(step.result, Tensor) and step.result.shape.rank == 0
    return is_single and _last(step.name) in ("reduce_sum", "reduce_mean", "sum", "mean")


def _last(name: str) -> str:
    return name.rsplit(".", 1)[-1]


def _is_meant(call: Call, vector: Argument, column: Argument) -> bool:
    """Return whether one of the operands was made to be broadcast. A vector is not, unless it is made of the column."""
    if _only_repeats(call, vector) or _only_repeats(call, column):
        return True
    step = call.maker(vector.tensor)
    if step is not None and any(operand == column.tensor for _, operand in step.operands()):
        return True
    return any(
        _MEANT.search(argument.text) or _is_made_for_it(call, argument.tensor, _DEEPEST)
        for argument in (vector, column)
        if argument.rank != 1
    )


def _only_repeats(call: Call, argument: Argument) -> bool:
    """Return whether an operand has no effect but that the other one is repeated."""
    step = call.maker(argument.tensor)
    return step is not None and _last(step.name) == _NEUTRAL.get(_last(call.name))


def _is_made_for_it(call: Call, tensor: Tensor, depth: int) -> bool:
    """Return whether a tensor, or what it is computed from element by element, got its axis of size 1 on purpose."""
    step = call.maker(tensor)
    if step is not None and step.like:
        step = call.graph[step.like]
        tensor = step.result if isinstance(step.result, Tensor) else tensor
    if step is None or not depth or _last(step.name) in _PICKING:  # their index must have as many axes
        return False
    keeps = any(name in ("keepdims", "keepdim", "keep_dims") and value == TRUE for name, value in step.keywords)
    new_axis = step.name.endswith("[]") and any(NONE in _entries(arg) for arg in step.args[1:])
    if keeps or new_axis or _MAKERS.fullmatch(step.name):
        return True
    same = [operand for _, operand in step.operands() if operand.step and operand.shape == tensor.shape]
    return any(_is_made_for_it(call, operand, depth - 1) for operand in same)


def _entries(index: object) -> tuple[object, ...]:
    """Return the entries of a subscript, apart from the bounds of slices."""
    return getattr(index, "items", (index,))
