"""Filters of SciPy: how they are applied, and how they respond."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Seq, as_size
from shapecheck.domain.values import Tensor as TensorValue
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Axis,
    Need,
    Shape,
    Size,
    Tensor,
    at,
    equal,
    lost,
    of_rank,
    op,
    result,
)
from shapecheck.models.scipy.filter_design import DESIGNED
from shapecheck.shapes.shape import UNRANKED
from shapecheck.shapes.size import Size as AnySize
from shapecheck.shapes.size import ceildiv

# Sections of second order --------------------------------------------------------------------------------------------


@op("scipy.signal.sosfilt_zi", dtype="?", oracle="none: sections of filters")
def first_states(sos: Tensor) -> Answer:
    return "s 6 -> s 2"


@op("scipy.signal.sosfiltfilt", dtype="?", oracle="none: sections of filters")
def both_ways(sos: Tensor, x: Tensor) -> Answer:
    return x.shape, *_are_sections(sos)


@op("scipy.signal.sosfilt", dtype="?", oracle="none: sections of filters")
def by_sections(sos: Tensor, x: Tensor, axis: Axis = -1, zi: AnyValue = NONE) -> Answer:
    """The final state is also returned, where the initial one is given: two numbers for each section and signal."""
    state = zi if isinstance(zi, TensorValue) else TensorValue()
    needs = [*_are_sections(sos), *_is_state(state, sos.shape.size(0) if sos.rank == 2 else None, x, axis)]
    made = TensorValue(x.shape, None, "np")
    return (x.shape if zi == NONE else Seq("tuple", (made, state.with_shape(state.shape)))), *needs


def _are_sections(sos: Tensor) -> list[Need]:
    """Return the constraint that each section has six numbers; a vector is a single section."""
    if sos.rank != 1:
        of_rank(sos, 2)
    columns = sos.shape.size(sos.rank - 1) if sos.rank in (1, 2) else None
    return (
        [] if columns is None else [equal(ClashKind.AXIS, columns, 6, f"sections have {columns} coefficients, not 6")]
    )


def _is_state(state: TensorValue, sections: AnySize | None, x: Tensor, axis: int) -> list[Need]:
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


# Application ---------------------------------------------------------------------------------------------------------


@op("scipy.signal.lfilter_zi", dtype="?", oracle=DESIGNED)
def lfilter_zi(b: Tensor, a: Tensor) -> Answer:
    """Return a value for each coefficient of the longer part but one."""
    return ("n, m -> k", {"k": "max(n, m) - 1"}) if b.rank == a.rank == 1 else UNRANKED


@op("scipy.signal.lfiltic", dtype="?", oracle=DESIGNED)
def lfiltic(b: Tensor, a: Tensor) -> Answer:
    return ("n, m -> k", {"k": "max(n, m) - 1"}) if b.rank == a.rank == 1 else UNRANKED


@op("scipy.signal.resample_poly", dtype="?", oracle="none: filters of many forms")
def resample_poly(x: Tensor, up: Size, down: Size, axis: Axis = 0) -> Answer:
    """Common factors do not matter; the last part of a step counts."""
    length = x.shape.sizes[axis] if x.rank and -x.rank <= axis < x.rank else None
    if not x.rank or length is None:
        return UNRANKED
    return at(axis, "d -> r"), {"r": ceildiv(length * up, down) if isinstance(down, int) and down > 0 else lost()}


@op("scipy.signal.decimate", dtype="?", oracle="none: signals that are long enough")
def decimate(x: Tensor, q: Size, axis: Axis = -1) -> Answer:
    length = x.shape.sizes[axis] if x.rank and -x.rank <= axis < x.rank else None
    if not x.rank or length is None:
        return UNRANKED
    return at(axis, "d -> r"), {"r": ceildiv(length, q) if isinstance(q, int) and q > 0 else lost()}


@op("scipy.signal.{medfilt2d,hilbert2}", dtype="?", oracle="none: tables only")
def of_table(input: Tensor) -> Answer:
    return input.shape


@op("scipy.signal.sepfir2d", dtype="?", oracle="none: tables only")
def sepfir2d(input: Tensor, hrow: Tensor, hcol: Tensor) -> Answer:
    return "m n, _, _ -> m n"


@op("scipy.signal.order_filter", dtype="?", oracle="none: windows of odd sizes")
def order_filter(a: Tensor, domain: Tensor, rank: AnyValue) -> Answer:
    return a.shape


@op("scipy.signal.{cspline1d,qspline1d}", dtype="?", oracle=DESIGNED)
def spline(signal: Tensor) -> Answer:
    return signal.shape


@op("scipy.signal.deconvolve", dtype="?", oracle=DESIGNED)
def deconvolve(signal: Tensor, divisor: Tensor) -> Answer:
    """Return the quotient and the remainder; that of a longer divisor is none."""
    lengths = [each.shape.sizes[0] if each.rank == 1 else None for each in (signal, divisor)]
    n, m = lengths
    is_known = isinstance(n, int) and isinstance(m, int) and 0 < m <= n
    return "n, m -> (n - m + 1), n" if is_known else result(Shape((lost(),)), Shape((lost(),)))


# Responses -----------------------------------------------------------------------------------------------------------


@op("scipy.signal.freqs", returns="tuple", dtype="float64,complex128", oracle=DESIGNED)
def freqs(b: Tensor, a: Tensor, worN: Tensor | None = None) -> Answer:  # noqa: N803
    return result(*(_points(worN, 200),) * 2)


@op("scipy.signal.{sosfreqz,freqz_sos}", returns="tuple", dtype="float64,complex128", oracle=DESIGNED)
def sosfreqz(sos: Tensor, worN: Tensor | None = None) -> Answer:  # noqa: N803
    return result(*(_points(worN, 512),) * 2)


@op("scipy.signal.freqz", returns="tuple", dtype="float64,complex128", oracle="none: filters of many forms")
def freqz(b: Tensor, a: Tensor | None = None, worN: Tensor | None = None) -> Answer:  # noqa: N803
    """Return the frequencies, which may be given, and the response to each."""
    return result(*(_points(worN, 512),) * 2)


@op("scipy.signal.group_delay", returns="tuple", dtype="float64,float64", oracle=DESIGNED)
def group_delay(system: AnyValue, w: Tensor | None = None) -> Answer:
    return result(*(_points(w, 512),) * 2)


def _points(given: Tensor | None, usual: int) -> Shape:
    """Return the shape of the frequencies: as many as are told, or those that are given."""
    if given is None or given.rank:
        return Shape((usual,)) if given is None else given.shape
    count = as_size(given.given) if given.rank == 0 else None
    return UNRANKED if count is None else Shape((count,))
