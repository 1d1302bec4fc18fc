"""`jax.numpy`: the functions of NumPy that agree with it."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Value, items_of
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Blind,
    Context,
    Flag,
    Need,
    Refused,
    ShapeArg,
    Size,
    Tensor,
    behaviour,
    equal,
    lost,
    never,
    op,
    result,
)
from shapecheck.models.lang.registry import same
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size as AnySize

_FUNCTIONS = """
abs absolute acos acosh add all amax amin any arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin
argpartition argsort around array array_split asarray asin asinh atan atan2 atanh atleast_1d atleast_2d atleast_3d
average bartlett bitwise_and bitwise_count bitwise_invert bitwise_left_shift bitwise_not bitwise_or
bitwise_right_shift bitwise_xor blackman broadcast_arrays broadcast_shapes broadcast_to cbrt ceil clip compress concat
concatenate copy copysign cos cosh count_nonzero cross deg2rad degrees diag diagflat diagonal digitize divide divmod
dsplit ediff1d einsum empty empty_like equal exp exp2 expand_dims expm1 eye fabs flip fliplr flipud floor floor_divide
fmax fmin fmod full_like gcd gradient greater greater_equal hamming hanning heaviside hsplit hypot i0 identity
imag invert isclose isfinite isin isinf isnan isneginf isposinf kaiser lcm ldexp left_shift less less_equal linspace
log log10 log1p log2 logaddexp logaddexp2 logical_and logical_not logical_or logical_xor logspace matmul
matrix_transpose max maximum mean median meshgrid min minimum mod modf moveaxis multiply nan_to_num nanargmax
nanargmin nanmax nanmean nanmedian nanmin nanprod nanstd nansum nanvar ndim negative nextafter not_equal ones
ones_like pad permute_dims positive pow power prod ptp rad2deg radians ravel real remainder repeat reshape right_shift
rint roll rollaxis rot90 round searchsorted shape sign signbit sin sinc sinh size sort split sqrt square squeeze std
subtract sum swapaxes take take_along_axis tan tanh tile trace transpose trapezoid tri tril_indices triu_indices
true_divide trunc unstack vander vecdot vecmat matvec where zeros zeros_like
"""
_LINALG = """
cholesky cond cross det diagonal eig eigh eigvals eigvalsh inv matmul matrix_norm matrix_power matrix_rank
matrix_transpose multi_dot norm outer pinv qr slogdet svd svdvals tensordot trace vecdot
"""
_FFT = """
fft ifft ihfft rfft
"""
_OTHER_DTYPES = {
    "int32": "nonzero flatnonzero lexsort tril_indices_from triu_indices_from diag_indices_from",
    "bool": "iscomplex isreal",
    "uint8": "packbits unpackbits",
    "?,?": "frexp",
    "?": "choose cumulative_prod cumulative_sum extract indices interp ix_ mask_indices poly polyadd "
    "polyder polyfit polyint polymul polysub roots select sort_complex spacing unwrap linalg.tensorinv "
    "linalg.tensorsolve fft.hfft argwhere geomspace linalg.lstsq linalg.vector_norm reciprocal angle float_power "
    "unravel_index ravel_multi_index fft.fft2 fft.ifft2 fft.rfft2 fft.irfft2 fft.fftn fft.ifftn fft.rfftn fft.irfftn",
    "float32": "fft.fftfreq fft.rfftfreq",
    "first": "conj conjugate delete insert partition resize trim_zeros",
    "first -bool": "cumsum cumprod nancumsum nancumprod",
    "promote": "append column_stack dot dstack hstack inner kron outer polyval stack tensordot vdot vstack",
    "promote float": "convolve correlate",
}
for _module, _names in (("", _FUNCTIONS), ("linalg.", _LINALG), ("fft.", _FFT)):
    same(_names.split(), f"np.{_module}", f"jax.numpy.{_module}", __name__)
for _dtype, _names in _OTHER_DTYPES.items():
    same(_names.split(), "np.", "jax.numpy.", __name__, dtype=_dtype)

same(["full"], "keras.ops.", "jax.numpy.", __name__, dtype="first")  # NumPy's takes values with more axes

_OF_SCIPY = "block_diag cho_factor cholesky det eigh expm inv lu_factor solve sqrtm toeplitz"
same(_OF_SCIPY.split(), "scipy.linalg.", "jax.scipy.linalg.", __name__, dtype="?")


_OF_BOTH = (
    "companion convolution_matrix eigh_tridiagonal fiedler fiedler_companion funm hadamard hankel helmert hessenberg"
)
_OF_BOTH += " hilbert invhilbert invpascal leslie lu pascal polar qr rsf2csf schur solve_sylvester svd circulant dft"
_SPECIAL = """
bernoulli beta betainc betaln boxcox dawsn entr erfcx exp1 expi expn factorial fresnel gamma gammainc gammaincc
gammasgn hyp1f1 kl_div log_softmax loggamma logit multigammaln poch polygamma rel_entr sici softmax spence xlog1py
xlogy zeta
"""
_FILTERED = "convolve convolve2d correlate correlate2d csd detrend fftconvolve welch"
for _module, _names in (("linalg.", _OF_BOTH), ("special.", _SPECIAL), ("signal.", _FILTERED)):
    same(_names.split(), f"scipy.{_module}", f"jax.scipy.{_module}", __name__, dtype="?")
same(("rankdata", "sem"), "scipy.stats.", "jax.scipy.stats.", __name__, dtype="?")


@op("jax.numpy.linalg.solve", dtype="promote float")
def solve(a: Tensor, b: Tensor) -> Answer:
    """Right sides with an axis less than the matrices are rows of vectors before JAX 0.5, and one matrix since then."""
    if a.rank is None or b.rank is None or 1 < b.rank == a.rank - 1:
        return UNRANKED
    return "~B n n, n -> ~B n" if b.rank == 1 else "~B n n, ~B n k -> ~B n k"


@op("jax.scipy.linalg.solve_triangular", dtype="?")
def solve_triangular(a: Tensor, b: Tensor) -> Answer:
    """Batches of right sides with an axis less than the matrices may be vectors or one matrix."""
    if a.rank is None or b.rank is None or 1 < b.rank == a.rank - 1:
        return UNRANKED
    return "~B n n, n -> ~B n" if b.rank == 1 else "~B n n, ~B n k -> ~B n k"


@behaviour("jax.scipy.linalg.{cho_solve,lu_solve}")
def solve_factored(ctx: Context, factor: Value, b: Value, *rest: Value, **options: Value) -> Value:
    """The first part of the factor is a matrix."""
    parts = items_of(ctx.freeze(factor))
    return ctx.lost("a factor") if not parts else ctx.apply("jax.scipy.linalg.solve_triangular", parts[0], b)


@op("jax.numpy.unique", dtype="first,int32")
def unique(
    ar: Tensor,
    return_index: Flag = False,
    return_inverse: Flag = False,
    return_counts: Flag = False,
    axis: AnyValue = NONE,
    size: Size | None = None,
) -> Answer:
    """The values say how many different ones there are, unless a size does."""
    count = lost("as many as there are different ones") if size is None else size
    one = Shape((count,)) if axis == NONE else UNRANKED
    inverse = ar.shape if axis == NONE else UNRANKED
    return result(one, *[one] * return_index, *[inverse] * return_inverse, *[one] * return_counts)


@op("jax.numpy.{union1d,intersect1d,setdiff1d,setxor1d}", dtype="promote", oracle="none: the values tell the size")
def of_sets(ar1: Tensor, ar2: Tensor, size: Size | None = None) -> Answer:
    return Shape((lost("as many as there are different ones") if size is None else size,))


@op("jax.image.{resize,scale_and_translate}", dtype="first float", oracle="none: more arguments")
def resize(image: Tensor, shape: ShapeArg) -> Answer:
    """The new shape has as many axes as the old one, those that stay as they are included."""
    return shape, *_of_equal_rank(image, shape)


def _of_equal_rank(image: Tensor, shape: Shape) -> list[Need]:
    if image.rank is None or shape.rank in (None, image.rank):
        return []
    return [
        never(ClashKind.RANK, f"{image.name} has rank {image.rank}, the new shape {shape} has {shape.rank} entries")
    ]


@op("jax.ops.segment_{sum,prod,max,min}", dtype="first", oracle="none: needs segments")
def segments(data: Tensor, segment_ids: Tensor, num_segments: Size | None = None) -> Answer:
    """Rows with the same number of a segment become one row."""
    count = lost("as many as the numbers of segments say") if num_segments is None else num_segments
    return _by_segment(data, segment_ids, count)


def _by_segment(data: Tensor, ids: Tensor, count: AnySize) -> Answer:
    if data.rank is None or ids.rank != 1:
        return UNRANKED
    if data.rank == 0:
        raise Refused(ClashKind.RANK, f"{data.name} is a number, which has no rows")
    rows, numbers = data.shape.head[0], ids.shape.head[0]
    said = f"{data.name} has {rows} rows, {ids.name} has {numbers} entries"
    needs = [] if rows in (1, numbers) else [equal(ClashKind.AXIS, rows, numbers, said)]
    return Shape((count, *data.shape.head[1:])), *needs


@op("jax.numpy.vsplit", dtype="first", oracle="none: as split along the first axis", returns="list")
def vsplit(ary: Tensor, indices_or_sections: AnyValue) -> Answer:
    raise Blind("how many parts")


@op("jax.numpy.{tril,triu}")
def triangle(m: Tensor, k: Size = 0) -> Answer:
    return "*B m n -> *B m n"
