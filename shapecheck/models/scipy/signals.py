"""Waveforms, peaks and linear systems of SciPy."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Seq, Value
from shapecheck.domain.values import Tensor as TensorValue
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Axis,
    Blind,
    Context,
    Flag,
    Shape,
    ShapeArg,
    Size,
    Tensor,
    at,
    behaviour,
    lost,
    of_rank,
    op,
    result,
)
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.axis_positions import instead
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.shape import UNRANKED

SYSTEM = "none: a system in one of several forms"
STEPS = 100

# Waveforms -----------------------------------------------------------------------------------------------------------


@op("scipy.signal.{sawtooth,square}", dtype="?")
def wave(t: Tensor, width: Tensor | None = None) -> Answer:
    return "~B -> ~B" if width is None else "~B, ~B -> ~B"


@op("scipy.signal.chirp", dtype="?", oracle="none: legal frequencies only")
def chirp(t: Tensor) -> Answer:
    return t.shape


@op("scipy.signal.sweep_poly", dtype="?", oracle="none: a polynomial")
def sweep_poly(t: Tensor) -> Answer:
    return t.shape


@op("scipy.signal.gausspulse", dtype="?", oracle="none: legal frequencies only")
def gausspulse(t: Tensor, retquad: Flag = False, retenv: Flag = False) -> Answer:
    """The quadrature and the envelope are also returned, if they are wanted."""
    return result(*(t.shape,) * (1 + retquad + retenv)) if retquad or retenv else t.shape


@op("scipy.signal.gauss_spline", dtype="?", oracle="none: legal orders only")
def gauss_spline(x: Tensor) -> Answer:
    return x.shape


@op("scipy.signal.unit_impulse", dtype="?", oracle="none: a place inside")
def unit_impulse(shape: ShapeArg) -> Answer:
    return shape


@op("scipy.signal.max_len_seq", dtype="int8", oracle="none: small numbers only")
def max_len_seq(nbits: Size, length: Size | None = None) -> Answer:
    """Return a sequence that repeats itself after all states but one, and the last state."""
    period = 2**nbits - 1 if isinstance(nbits, int) and 0 <= nbits < 32 else lost()
    return result(Shape((period if length is None else length,)), Shape((nbits,)))


@op("scipy.signal.lombscargle", dtype="?", oracle="none: frequencies that are not 0")
def lombscargle(x: Tensor, y: Tensor, freqs: Tensor) -> Answer:
    return "n, n, k -> k"


@op("scipy.signal.upfirdn", dtype="?", oracle="none: legal factors only")
def upfirdn(h: Tensor, x: Tensor, up: Size = 1, down: Size = 1, axis: Axis = -1) -> Answer:
    """Zeros are put between the values, the filter is applied, and some of the results are kept."""
    if h.rank != 1 or not x.rank or not -x.rank <= axis < x.rank:
        return UNRANKED
    last = (x.shape.sizes[axis] - 1) * up + h.shape.sizes[0] - 1
    return instead(x.shape, axis, Shape((last // down + 1 if isinstance(down, int) and down > 0 else lost(),)))


@op("scipy.signal.zoom_fft", dtype="complex128", oracle="none: legal ranges only")
def zoom_fft(x: Tensor, fn: AnyValue, m: Size | None = None, axis: Axis = -1) -> Answer:
    return czt(x, m, axis)


@op("scipy.signal.czt", dtype="complex128", oracle="none: legal ranges only")
def czt(x: Tensor, m: Size | None = None, axis: Axis = -1) -> Answer:
    if not x.rank:
        return UNRANKED
    return at(axis, "d -> d") if m is None else (at(axis, "d -> k"), {"k": m})


# Peaks ---------------------------------------------------------------------------------------------------------------


@behaviour("scipy.signal.find_peaks")
def find_peaks(ctx: Context, x: Value, *args: Value, **keywords: Value) -> Value:
    """Return the places of the peaks of one signal, and a dict of their properties."""
    signal = as_tensor(ctx.freeze(x), ctx)
    if signal.shape.rank is not None:
        ctx.require(ClashKind.RANK, Equal(signal.shape.rank, 1), f"x has rank {signal.shape.rank}, not 1", signal)
    return Seq("tuple", (TensorValue(Shape((lost("peaks"),)), "int64", "np"), ctx.lost("properties of peaks")))


@op("scipy.signal.find_peaks_cwt", dtype="int64", oracle="none: a number of peaks")
def find_peaks_cwt(vector: Tensor, widths: AnyValue) -> Answer:
    of_rank(vector, 1)
    return Shape((lost("peaks"),))


@op("scipy.signal.peak_prominences", returns="tuple", dtype="float64,int64,int64", oracle="none: places of peaks")
def peak_prominences(x: Tensor, peaks: Tensor) -> Answer:
    return "_, n -> n, n, n"


@op("scipy.signal.peak_widths", returns="tuple", dtype="float64", oracle="none: places of peaks")
def peak_widths(x: Tensor, peaks: Tensor) -> Answer:
    return "_, n -> n, n, n, n"


@behaviour("scipy.signal.{argrelextrema,argrelmax,argrelmin}")
def extrema(ctx: Context, data: Value, *args: Value, **keywords: Value) -> Value:
    """Return the places of the extrema, one array for each axis."""
    rank = as_tensor(ctx.freeze(data), ctx).shape.rank
    if rank is None:
        return ctx.lost("places of extrema")
    return Seq("tuple", (TensorValue(Shape((lost("extrema"),)), "int64", "np"),) * rank)


# Systems -------------------------------------------------------------------------------------------------------------


@op("scipy.signal.{step,impulse}", returns="tuple", dtype="float64", oracle=SYSTEM)
def response(system: AnyValue, T: Tensor | None = None, N: Size | None = None) -> Answer:  # noqa: N803
    """Return the times, which may be given, and the output at each."""
    return result(*(Shape((STEPS if N is None else N,)) if T is None else T.shape,) * 2)


@op("scipy.signal.bode", returns="tuple", dtype="float64", oracle=SYSTEM)
def bode(system: AnyValue, w: Tensor | None = None, n: Size = STEPS) -> Answer:
    """Return the frequencies, the magnitude and the phase."""
    return result(*(Shape((n,)) if w is None else w.shape,) * 3)


@op("scipy.signal.tf2ss", returns="tuple", dtype="?", oracle=SYSTEM)
def tf2ss(num: Tensor, den: Tensor) -> Answer:
    """Return the matrices of a system with as many states as the denominator has coefficients but one."""
    if num.rank != 1 or den.rank != 1:
        return result(*(UNRANKED,) * 4)
    return "_, d -> k k, k 1, 1 k, 1 1", {"k": lost()}


@op("scipy.signal.{buttord,cheb1ord,cheb2ord,ellipord}", dtype="?", oracle="none: legal bands only")
def filter_order(wp: Tensor, ws: Tensor) -> Answer:
    raise Blind("the order")
