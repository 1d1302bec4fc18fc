"""The design of filters by SciPy, and their forms."""

from __future__ import annotations

from shapecheck.models.lang import Answer, AnyValue, Blind, Flag, Shape, Size, Tensor, Text, lost, op, result
from shapecheck.shapes.shape import UNRANKED
from shapecheck.shapes.size import Size as AnySize
from shapecheck.shapes.size import ceildiv

ONE_EDGE = ("lowpass", "low", "lp", "l", "highpass", "high", "hp", "h")
TWO_EDGES = ("bandpass", "band", "pass", "bp", "bandstop", "bands", "stop", "bs")
DESIGNED = "none: legal bands only"

# Design --------------------------------------------------------------------------------------------------------------


@op("scipy.signal.{firwin,firwin2,firls,remez}", dtype="float64", oracle=DESIGNED)
def finite_response(numtaps: Size) -> Answer:
    return Shape((numtaps,))


@op("scipy.signal.{butter,bessel}", dtype="?", oracle=DESIGNED)
def butter(N: Size, btype: Text = "low", analog: Flag = False, output: Text = "ba") -> Answer:  # noqa: N803
    return _designed(N, btype, analog, output)


@op("scipy.signal.{cheby1,cheby2,ellip}", dtype="?", oracle=DESIGNED)
def ripple(N: Size, btype: Text = "low", analog: Flag = False, output: Text = "ba") -> Answer:  # noqa: N803
    return _designed(N, btype, analog, output)


@op("scipy.signal.iirfilter", dtype="?", oracle=DESIGNED)
def iirfilter(N: Size, btype: Text = "band", analog: Flag = False, output: Text = "ba") -> Answer:  # noqa: N803
    return _designed(N, btype, analog, output)


def _designed(order: AnySize, btype: str, analog: bool, output: str) -> Answer:
    """Return coefficients, zeros and poles with a gain, or sections of second order; bands double the order."""
    if btype not in (*ONE_EDGE, *TWO_EDGES):
        raise Blind("btype")
    poles = 2 * order if btype in TWO_EDGES else order
    numerator, zeros = (lost(), lost()) if analog else (poles + 1, poles)
    if output == "ba":
        return result(Shape((numerator,)), Shape((poles + 1,)))
    if output == "zpk":
        return result(Shape((zeros,)), Shape((poles,)), Shape(()))
    return Shape((lost() if analog else ceildiv(poles, 2), 6))


@op("scipy.signal.{iirnotch,iirpeak}", dtype="float64", oracle=DESIGNED)
def notch(w0: AnyValue, Q: AnyValue) -> Answer:  # noqa: N803
    return result(Shape((3,)), Shape((3,)))


@op("scipy.signal.savgol_coeffs", dtype="float64", oracle=DESIGNED)
def savgol_coeffs(window_length: Size) -> Answer:
    return Shape((window_length,))


@op("scipy.signal.minimum_phase", dtype="?", oracle=DESIGNED)
def minimum_phase(h: Tensor, half: Flag = True) -> Answer:
    return "n -> n" if not half else ("n -> k", {"k": "(n + 1) // 2"})


@op("scipy.signal.get_window", dtype="float64", oracle="none: names of windows")
def get_window(window: AnyValue, Nx: Size) -> Answer:  # noqa: N803
    return Shape((Nx,))


@op("scipy.signal.windows.{triang,parzen,bohman,nuttall,blackmanharris,flattop,barthann,cosine}", dtype="float64")
@op("scipy.signal.windows.{tukey,taylor,lanczos,exponential}", dtype="float64", oracle="none: legal options only")
@op("scipy.signal.windows.{kaiser,gaussian,general_gaussian,general_cosine}", dtype="float64", oracle=DESIGNED)
@op("scipy.signal.windows.{general_hamming,chebwin,kaiser_bessel_derived}", dtype="float64", oracle=DESIGNED)
def window(M: Size) -> Answer:  # noqa: N803
    return Shape((M,))


@op("scipy.signal.windows.dpss", dtype="float64", oracle=DESIGNED)
def dpss(M: Size, Kmax: Size | None = None, return_ratios: Flag = False) -> Answer:  # noqa: N803
    """Return one window, or the first few, and how concentrated each is."""
    made = Shape((M,) if Kmax is None else (Kmax, M))
    return result(made, Shape(() if Kmax is None else (Kmax,))) if return_ratios else made


# Forms of filters ----------------------------------------------------------------------------------------------------


@op("scipy.signal.tf2sos", dtype="float64", oracle=DESIGNED)
def tf2sos(b: Tensor, a: Tensor) -> Answer:
    return Shape((lost(), 6))


@op("scipy.signal.zpk2sos", dtype="float64", oracle=DESIGNED)
def zpk2sos(z: Tensor, p: Tensor, k: AnyValue) -> Answer:
    return Shape((lost(), 6))


@op("scipy.signal.tf2zpk", dtype="?", oracle=DESIGNED)
def tf2zpk(b: Tensor, a: Tensor) -> Answer:
    return result(Shape((lost(),)), Shape((lost(),)), Shape(()))


@op("scipy.signal.zpk2tf", dtype="?", oracle=DESIGNED)
def zpk2tf(z: Tensor, p: Tensor, k: AnyValue) -> Answer:
    return "n, m -> (n + 1), (m + 1)" if z.rank == p.rank == 1 else result(UNRANKED, UNRANKED)


@op("scipy.signal.sos2zpk", dtype="?", oracle=DESIGNED)
def sos2zpk(sos: Tensor) -> Answer:
    return "n 6 -> k, k,", {"k": "2 * n"}


@op("scipy.signal.sos2tf", dtype="?", oracle=DESIGNED)
def sos2tf(sos: Tensor) -> Answer:
    return "n 6 -> k, k", {"k": "2 * n + 1"}
