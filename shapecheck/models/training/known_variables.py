"""The variables that an optimizer of Keras 3 is built for, by its first use or its `build`; it takes no others."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Ref, Seq, Tensor, Value
from shapecheck.models.lang import Context
from shapecheck.models.layers.missing_gradients import CREATIONS, Part, owners_of
from shapecheck.shapes.claims import FALSE

VARIABLES = "@variables"


def note_variables(ctx: Context, optimizer: Value, variables: Sequence[Value]) -> bool:
    """Note the variables that build an optimizer; return whether it was not built before."""
    if not variables or not _is_of_library(optimizer) or ctx.get(optimizer, VARIABLES) is not None:
        return False
    ctx.set(optimizer, VARIABLES, Seq("tuple", tuple(variables)))
    return True


def check_variables(ctx: Context, optimizer: Value, variables: Sequence[Value]) -> None:
    """State that an optimizer was built for the given variables, or note that these build it."""
    if ctx.target.keras == 2 or ctx.target.tensorflow == 1 or not _is_of_library(optimizer):
        return
    if note_variables(ctx, optimizer, variables):
        return
    first = ctx.get(optimizer, VARIABLES)
    known = [_parts(ctx, variable) for variable in first.items] if isinstance(first, Seq) else [None]
    if None in known:
        return
    held = set().union(*(parts for parts in known if parts))
    is_other = any(parts and not parts & held for parts in (_parts(ctx, variable) for variable in variables))
    if is_other and ctx.target.keras == 3:
        ctx.require(ClashKind.STATE, FALSE, "the optimizer was built for other variables, and takes no others")
    elif is_other:
        ctx.note_version()


def _parts(ctx: Context, variable: Value) -> set[Part] | None:
    """Return the variable that a value is, or the objects and variables that it may be of; None if not known."""
    if isinstance(variable, Tensor) and not variable.is_ambiguous and ctx.operation(variable)[0] in CREATIONS:
        return {(variable.step, variable.output)}
    return owners_of(ctx, variable)


def _is_of_library(optimizer: Value) -> bool:
    """Return whether a value is an optimizer of Keras that keeps its variables itself."""
    if not isinstance(optimizer, Ref) or not optimizer.cls.startswith("keras.optimizers."):
        return False
    return not any(part in optimizer.cls for part in ("LossScale", ".legacy.", ".schedules."))
