"""Functions whose shapes are those of NumPy."""

from __future__ import annotations

from shapecheck.domain.values import NONE
from shapecheck.models.lang import Answer, AnyValue, Axes, Flag, ShapeArg, Size, Tensor, op
from shapecheck.models.lang.registry import same
from shapecheck.models.ops import spectrum
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size as AnySize

Sizes = tuple[AnySize, ...]

_FUNCTIONS = {
    "promote": "kron gcd lcm heaviside",
    "?": "ldexp vander nextafter",
}
_FFT, _FFT_OF_AXES = "fft ifft hfft ihfft rfft irfft", "fft2 ifft2 rfft2 rfftn"
_LINALG = "eigvals slogdet svdvals matrix_power matrix_rank cond multi_dot"
for _dtype, _names in _FUNCTIONS.items():
    same(_names.split(), "np.", "torch.", __name__, dtype=_dtype)
    same(set(_names.split()) - {"vander"}, "np.", "torch.Tensor.", __name__, dtype=_dtype)
_TURNED = {"dims": "axes"}
_DIAGONAL = {"dim1": "axis1", "dim2": "axis2"}
for _of in ("torch.", "torch.Tensor."):
    same(("rot90",), "np.", _of, __name__, dtype="first", was=_TURNED)
    same(("diagonal",), "np.", _of, __name__, dtype="first", was=_DIAGONAL)
same(("diagflat",), "np.", "torch.", __name__, dtype="first", was={"offset": "k"})
same(_FFT.split(), "np.fft.", "torch.fft.", __name__, dtype="?", was={"dim": "axis"})
same(_FFT_OF_AXES.split(), "np.fft.", "torch.fft.", __name__, dtype="?", was={"dim": "axes"})
same(("fftshift", "ifftshift"), "np.fft.", "torch.fft.", __name__, was={"dim": "axes"})
same(_LINALG.split(), "np.linalg.", "torch.linalg.", __name__, dtype="?")


@op("torch.fft.irfft2", dtype="?")
def irfft2(input: Tensor, s: ShapeArg | None = None, dim: Axes = (-2, -1)) -> Answer:
    """The size -1 stands for all that the spectrum gives, not for as many numbers as it has."""
    return UNRANKED if s is not None and -1 in s.known else spectrum.np_irfft2(input, s, dim)


@op("torch.fft.irfftn", dtype="?")
def irfftn(input: Tensor, s: ShapeArg | None = None, dim: Axes = None) -> Answer:
    return UNRANKED if s is not None and -1 in s.known else spectrum.np_irfftn(input, s, dim)


@op("torch.fft.fftfreq", dtype="float32")
def frequencies(n: Size, d: AnyValue = NONE) -> Answer:
    return Shape((n,))


@op("torch.fft.rfftfreq", dtype="float32")
def real_frequencies(n: Size, d: AnyValue = NONE) -> Answer:
    return Shape((n // 2 + 1,))


@op("torch.fft.{fftn,ifftn}", dtype="?")
def of_all_axes(input: Tensor, s: AnyValue = NONE) -> Answer:
    return "*S -> *S" if s == NONE else UNRANKED


@op("torch.stft", "torch.Tensor.stft", dtype="?", oracle="none: options that depend on each other")
def stft(
    input: Tensor,
    n_fft: Size,
    hop_length: Size | None = None,
    center: Flag = True,
    onesided: Flag = True,
    return_complex: Flag = False,
) -> Answer:
    """A spectrum for each window of the signal, with its frequencies first."""
    ends = () if return_complex else (2,)
    return _spectra(input, n_fft, n_fft // 4 if hop_length is None else hop_length, center, onesided, ends)


def _spectra(input: Tensor, window: AnySize, hop: AnySize, center: bool, onesided: bool, ends: Sizes) -> Shape:
    if input.rank not in (1, 2) or hop == 0:
        return UNRANKED
    length = input.shape.head[-1] + (2 * (window // 2) if center else 0)
    sizes = (window // 2 + 1 if onesided else window, (length - window) // hop + 1)
    return Shape((*input.shape.head[:-1], *sizes, *ends))
