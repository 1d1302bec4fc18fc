"""Arrays that a call writes to: the `out` argument, which is returned, or an array that is changed in place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain import values
from shapecheck.domain.values import NONE, Seq, Value
from shapecheck.models.lang.answer import Result
from shapecheck.models.lang.apply import stretches_to, together
from shapecheck.models.lang.bind import Bound
from shapecheck.models.lang.constraints import Need, never
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.parameter_kinds import Tensor
from shapecheck.shapes.shape import UNRANKED, Shape

# functions that write to their first argument
_WRITERS = frozenset(
    [
        *(f"np.{name}" for name in "copyto put place putmask fill_diagonal put_along_axis random.shuffle".split()),
        *(f"np.ndarray.{name}" for name in "sort fill put partition itemset byteswap".split()),
        *(f"tf.Variable.{name}" for name in "assign assign_add assign_sub scatter_update scatter_add".split()),
        *(f"tf.{name}" for name in "assign assign_add assign_sub scatter_update scatter_add".split()),
    ]
)

# methods of another object that write to their first argument
_WRITING_METHODS = frozenset(("np.random.RandomState.shuffle", "np.random.Generator.shuffle"))

# functions that take part of the elements only, with an argument that selects them; all others that do so are ufuncs
_REDUCTIONS = frozenset(
    f"np.{root}{name}"
    for root in ("", "ndarray.")
    for name in "sum prod mean std var max min amax amin any all nansum nanmean nanstd nanvar nanmax nanmin".split()
)

# functions that fill the array given for the result; ufuncs may broadcast to theirs
_FILLERS = _REDUCTIONS | frozenset(
    f"np.{root}{name}"
    for root in ("", "ndarray.")
    for name in "argmax argmin cumsum cumprod take concatenate stack dot median trace choose compress".split()
)

# functions that reorder the items of a list
SHUFFLES = frozenset(
    ["random.shuffle", "np.random.shuffle", "np.random.RandomState.shuffle", "np.random.Generator.shuffle"]
)

_VIEWS = frozenset(
    """[] T reshape ravel transpose squeeze expand_dims swapaxes moveaxis rollaxis view diagonal flat asarray asanyarray
    ascontiguousarray atleast_1d atleast_2d atleast_3d broadcast_to""".split()
)


def may_be_view(name: str) -> bool:
    """Return whether the result of a library call may share memory with its first argument."""
    root, _, rest = name.partition(".")
    return root == "np" and rest.rpartition(".")[2] in _VIEWS


def note(ctx: Context, name: str, args: Sequence[Value]) -> None:
    """Record which array a call has changed."""
    written = args[:1] if name in _WRITERS else args[1:2] if name in _WRITING_METHODS else ()
    for array in written:
        if isinstance(array, values.Tensor):
            ctx.overwrite(array)


def target(name: str, bound: Bound) -> Value | None:
    """Return the argument that a call writes its result to, if there is one."""
    given = bound.given.get("out", bound.others.get("out", NONE))
    if isinstance(given, Seq) and len(given.items) == 1:
        given = given.items[0]
    return given if name.startswith(("np.", "scipy.special.")) and given != NONE else None


def is_list(name: str, bound: Bound) -> bool:
    """Return whether a call is given a list to write its result to, where NumPy requires an array."""
    given = bound.given.get("out", bound.others.get("out", NONE))
    return name.startswith("np.") and isinstance(given, Seq) and given.kind == "list"


def over(worked: Result, out: Value | None, name: str) -> Result:
    """Return the answer with the array as the result, to which the result must broadcast or be equal in shape."""
    if out is None or len(worked.outputs) != 1 or not isinstance(worked.outputs[0], Shape):
        return worked
    if not isinstance(out, values.Tensor):
        return replace(worked, outputs=(UNRANKED,), content=None)
    made = Tensor("the result", worked.outputs[0])
    needs = (*worked.needs, *_fits(made, out, name not in _FILLERS))
    return replace(worked, outputs=(out.shape,), needs=needs, dtype=out.dtype, content=None)


def _fits(made: Tensor, out: values.Tensor, may_stretch: bool) -> list[Need]:
    if may_stretch or made.rank is None or out.shape.rank in (None, made.rank):
        return stretches_to(made, out.shape)
    return [never(ClashKind.BROADCAST, f"out has shape {out.shape}, {made.name} {made.shape}")]


def chosen(worked: Result, name: str, bound: Bound, operands: Sequence[Tensor]) -> Result:
    """Return the answer where only some elements take part: `where` broadcasts with the operands of a ufunc, and to
    what is reduced.
    """
    mask, output = bound.others.get("where", NONE), worked.outputs[0] if len(worked.outputs) == 1 else None
    if not isinstance(mask, values.Tensor) or not name.startswith("np.") or not isinstance(output, Shape):
        return worked
    if name not in _REDUCTIONS:
        shape, needs = together([output, mask.shape], f"where {mask.shape} and {output} do not broadcast")
        return replace(worked, outputs=(shape,), needs=(*worked.needs, *needs), content=None)
    return replace(worked, needs=(*worked.needs, *stretches_to(Tensor("where", mask.shape), operands[0].shape)))
