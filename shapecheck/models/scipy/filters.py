"""Digital filters of SciPy: their coefficients, sections of second order, and peaks."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Seq, Value, as_size, as_str
from shapecheck.domain.values import Tensor as TensorValue
from shapecheck.models.lang import Answer, AnyValue, Axis, Context, Need, Tensor, behaviour, op
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.constraints import equal, of_rank
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size

TYPE = {"butter": 2, "cheby1": 3, "cheby2": 3, "ellip": 4, "bessel": 2}
"""The place of the argument that tells the type of a filter."""
BOTH = "bandpass band pass bp bandstop bs bands stop".split()
"""Types that have an upper and a lower end, and so twice as many coefficients."""


def _design(name: str, place: int) -> None:
    @behaviour(f"scipy.signal.{name}")
    def designed(ctx: Context, N: Value, *args: Value, **keywords: Value) -> Value:  # noqa: N803
        kind = keywords.get("btype", args[place - 1] if len(args) >= place else Const("low"))
        output = keywords.get("output", args[place + 1] if len(args) > place + 1 else Const("ba"))
        order = as_size(N)
        twice = None if as_str(kind) is None or order is None else as_str(kind) in BOTH
        if output == Const("sos"):
            count = lost() if twice is None or not isinstance(order, int) else order if twice else (order + 1) // 2
            return TensorValue(Shape((count, 6)), "float64", "np")
        if output != Const("ba"):
            return ctx.lost("a filter in another form")
        size = lost() if twice is None or order is None else (2 * order if twice else order) + 1
        return Seq("tuple", (TensorValue(Shape((size,)), "float64", "np"),) * 2)


for _name, _place in TYPE.items():
    _design(_name, _place)


@op("scipy.signal.sosfilt_zi", oracle="none: sections of filters")
def first_states(sos: Tensor) -> Answer:
    return "s 6 -> s 2"


@op("scipy.signal.sosfiltfilt", oracle="none: sections of filters")
def both_ways(sos: Tensor, x: Tensor) -> Answer:
    return x.shape, *_are_sections(sos)


@op("scipy.signal.sosfilt", oracle="none: sections of filters")
def by_sections(sos: Tensor, x: Tensor, axis: Axis = -1, zi: AnyValue = NONE) -> Answer:
    """The final state is also returned, where the initial one is given: two numbers for each section and signal."""
    state = zi if isinstance(zi, TensorValue) else TensorValue()
    needs = [*_are_sections(sos), *_is_state(state, sos.shape.size(0), x, axis)]
    made = TensorValue(x.shape, None, "np")
    return (x.shape if zi == NONE else Seq("tuple", (made, state.with_shape(state.shape)))), *needs


def _are_sections(sos: Tensor) -> list[Need]:
    of_rank(sos, 2)
    columns = sos.shape.size(1) if sos.rank == 2 else None
    return (
        [] if columns is None else [equal(ClashKind.AXIS, columns, 6, f"sections have {columns} coefficients, not 6")]
    )


def _is_state(state: TensorValue, sections: Size | None, x: Tensor, axis: int) -> list[Need]:
    """Return the constraint that there are two numbers for each section instead of the samples along an axis."""
    if not x.rank or not state.shape.is_ranked:
        return []
    place, sizes, given = axis % x.rank, x.shape.sizes, state.shape.sizes
    wanted = (*sizes[:place], 2, *sizes[place + 1 :])
    said = f"the state has shape {state.shape}, not (sections, {', '.join(map(str, wanted))})"
    if len(given) != len(wanted) + 1:
        return [equal(ClashKind.RANK, len(given), len(wanted) + 1, said)]
    first = [] if sections is None else [equal(ClashKind.AXIS, given[0], sections, said)]
    return [*first, *(equal(ClashKind.AXIS, a, b, said) for a, b in zip(given[1:], wanted, strict=True))]


@behaviour("scipy.signal.{find_peaks,find_peaks_cwt,peak_widths,peak_prominences}")
def peaks(ctx: Context, x: Value, *args: Value, **keywords: Value) -> Value:
    """Peaks are looked for in one signal."""
    tensor = as_tensor(ctx.freeze(x), ctx)
    rank = tensor.shape.rank
    if rank not in (None, 1):
        ctx.require(ClashKind.RANK, Equal(rank or 0, 1), f"x has rank {rank}, not 1", tensor)
    return ctx.lost("peaks, which the values determine")
