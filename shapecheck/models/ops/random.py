"""Random tensors of TensorFlow and NumPy."""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Seq, as_size
from shapecheck.domain.values import Tensor as TensorValue
from shapecheck.models.lang import (
    Answer,
    Axis,
    Blind,
    DtypeArg,
    Flag,
    Need,
    Ranked,
    Refused,
    ShapeArg,
    Size,
    Tensor,
    also,
    at_least,
    equal,
    never,
    of_rank,
    op,
)
from shapecheck.models.lang.apply import stretches_to, together
from shapecheck.models.lang.axis_positions import instead, place_of
from shapecheck.models.lang.dtypes import is_float
from shapecheck.models.lang.unknown_sizes import lost
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape
from shapecheck.shapes.size import is_lost

BETWEEN = {"minval": "low", "maxval": "high", "mean": "low", "stddev": "high"}


@op("tf.random.{uniform,normal,truncated_normal}", dtype="float32", was=BETWEEN)
@op("tf.{random_uniform,random_normal,truncated_normal}", dtype="float32", was=BETWEEN)
@op("keras.random.{uniform,normal,truncated_normal}", dtype="float32", was=BETWEEN)
@op("keras.backend.{random_uniform,random_normal,truncated_normal}", dtype="float32", was=BETWEEN)
@op("tf.random.stateless_{uniform,normal,truncated_normal}", dtype="float32", was=BETWEEN)
@op("tf.random.Generator.{uniform,normal,truncated_normal}", dtype="float32", was=BETWEEN, oracle="none: a method")
def drawn(shape: ShapeArg, low: Tensor | None = None, high: Tensor | None = None, dtype: DtypeArg = None) -> Answer:
    """The parameters broadcast with the shape of the result; the bounds of integers are numbers."""
    around = [each for each in (low, high) if each is not None and _is_array(each)]
    of_numbers(around if dtype is not None and "int" in dtype else ())
    whole, needs = together([shape, *(each.shape for each in around)])
    return whole, *_sizes_needed(shape), *needs


def of_numbers(bounds: Sequence[Tensor]) -> None:
    """Refuse bounds with axes."""
    for bound in bounds:
        of_rank(bound, 0)


def _is_array(parameter: Tensor) -> bool:
    """Return whether a parameter has axes; parameters that are not followed are taken for numbers."""
    return parameter.rank != 0 and isinstance(parameter.given, TensorValue | Seq)


@op("keras.random.randint", dtype="int32")
@op("keras.backend.random_binomial", dtype="float32")
def drawn_alike(shape: ShapeArg) -> Answer:
    return shape, *_sizes_needed(shape)


@op("np.random.{rand,randn}", varargs="dims", dtype="float64", returns="number")
@op("np.random.RandomState.{rand,randn}", varargs="dims", dtype="float64", returns="number", oracle="none: a method")
def rand(dims: ShapeArg = SCALAR) -> Answer:
    return dims, *_sizes_needed(dims)


NUMBER = Tensor("a parameter", SCALAR)
_METHODS = "random,random_sample,sample,ranf,standard_normal,standard_exponential,standard_cauchy"


METHOD = "none: a method"


@op(f"np.random.{{{_METHODS}}}", dtype="float64", returns="number")
@op(
    f"np.random.RandomState.{{{_METHODS}}}",
    "np.random.Generator.{random,standard_normal,standard_exponential,standard_cauchy}",
    dtype="float64",
    returns="number",
    oracle=METHOD,
)
def sample(size: ShapeArg | None = None) -> Answer:
    return _many(size)


def _many(size: Shape | None) -> tuple[Shape | Need, ...]:
    """Return the shape that is requested; a single number without a size."""
    return (SCALAR,) if size is None else (size, *_sizes_needed(size))


def _sizes_needed(shape: Shape) -> list[Need]:
    return [never(ClashKind.NEGATIVE_SIZE, f"a size is {size}") for size in shape.head if size == -1]


def _drawn(parameters: Sequence[Tensor], size: Shape | None) -> Answer:
    """Return the shape of the sample: without a size, that to which the parameters broadcast."""
    shape, needs = together([parameter.shape for parameter in parameters])
    if size is None:
        return shape, *needs
    return size, *needs, *_sizes_needed(size), *stretches_to(Tensor("the parameters", shape), size)


@op("np.random.{binomial,negative_binomial}", dtype="int64", returns="number")
@op("np.random.{normal,uniform,laplace,logistic,gumbel,beta,gamma}", dtype="float64", returns="number")
@op("np.random.{f,lognormal,noncentral_chisquare,vonmises,wald}", dtype="float64", returns="number")
@op("np.random.{RandomState,Generator}.{binomial,negative_binomial}", dtype="int64", returns="number", oracle=METHOD)
@op(
    "np.random.{RandomState,Generator}.{normal,uniform,laplace,beta,gamma}",
    dtype="float64",
    returns="number",
    oracle=METHOD,
)
@op(
    "np.random.{RandomState,Generator}.{logistic,gumbel,lognormal,f,vonmises,wald}",
    dtype="float64",
    returns="number",
    oracle=METHOD,
)
def two_parameters(low: Tensor = NUMBER, high: Tensor = NUMBER, size: ShapeArg | None = None) -> Answer:
    return _drawn([low, high], size)


@op("np.random.{poisson,geometric,logseries,zipf}", dtype="int64", returns="number")
@op("np.random.{exponential,chisquare,rayleigh,standard_gamma,standard_t}", dtype="float64", returns="number")
@op("np.random.{pareto,power,weibull}", dtype="float64", returns="number")
@op(
    "np.random.{RandomState,Generator}.{poisson,geometric,logseries,zipf}",
    dtype="int64",
    returns="number",
    oracle=METHOD,
)
@op("np.random.{RandomState,Generator}.{exponential,chisquare}", dtype="float64", returns="number", oracle=METHOD)
@op(
    "np.random.{RandomState,Generator}.{rayleigh,standard_gamma,standard_t}",
    dtype="float64",
    returns="number",
    oracle=METHOD,
)
@op("np.random.{RandomState,Generator}.{pareto,power,weibull}", dtype="float64", returns="number", oracle=METHOD)
def one_parameter(lam: Tensor = NUMBER, size: ShapeArg | None = None) -> Answer:
    return _drawn([lam], size)


@op("np.random.randint", dtype="int64", returns="number")
@op("np.random.RandomState.randint", dtype="int64", returns="number", oracle=METHOD)
@op("np.random.Generator.integers", dtype="int64", oracle=METHOD)
@op("np.random.random_integers", dtype="int64", returns="number", oracle="none: an old name")
def randint(low: Tensor, high: Tensor | None = None, size: ShapeArg | None = None) -> Answer:
    """The bounds broadcast with each other, but need not fit the size."""
    bounds = [low] if high is None else [low, high]
    if size is None:
        return _drawn(bounds, None)
    return *_many(size), *together([bound.shape for bound in bounds], "low and high do not broadcast")[1]


@op("np.random.choice")
@op("np.random.RandomState.choice", oracle=METHOD)
def choice(a: Ranked, size: ShapeArg | None = None, replace: Flag = True, p: Tensor | None = None) -> Answer:
    _check_population(a)
    return *_many(size), *_enough(a, 0, size, replace, p), also(dtype=a.dtype if a.rank else "int64")


def _check_population(a: Ranked) -> None:
    """Refuse tables, and a number with a fraction, which does not say how many there are."""
    if _rank(a) > 1:
        raise Refused(ClashKind.RANK, f"a has rank {a.rank}, not 1")
    if a.rank == 0 and is_float(a.dtype):
        raise Refused(ClashKind.RANK, "a is a number with a fraction, where an array or an integer is taken")


def _enough(a: Ranked, axis: int, size: Shape | None, replace: bool, p: Tensor | None) -> list[Need]:
    """Return the constraints that there is one probability for each element, and that there are enough elements
    without replacement.
    """
    if p is not None:
        of_rank(p, 1)
    count = a.shape.size(axis) if a.rank else as_size(a.value)
    if count is None:
        return []
    told = p.shape.size(0) if p is not None and p.rank == 1 else None
    needs = [] if told is None else [equal(ClashKind.AXIS, told, count, f"p has {told} elements, a has {count}")]
    wanted = None if size is None else size.elements()
    if not replace and wanted is not None:
        needs.append(
            at_least(ClashKind.NEGATIVE_SIZE, count, wanted, f"{wanted} are drawn from {count} without replacement")
        )
    return needs


def _rank(a: Ranked) -> int:
    """Return the number of axes, which is not known for lists of several lengths: they are an array of lists."""
    if any(is_lost(size) for size in a.shape.head[1:]):
        raise Blind("lists of several lengths")
    return a.rank


@op("np.random.Generator.choice", oracle=METHOD)
def choose(
    a: Ranked, size: ShapeArg | None = None, replace: Flag = True, p: Tensor | None = None, axis: Axis = 0
) -> Answer:
    """For an array with several axes, parts along one of them are chosen."""
    enough = _enough(a, axis, size, replace, p)
    if not _rank(a):
        return *_many(size), *enough
    return instead(a.shape, place_of(a, axis), size or SCALAR), *_sizes_needed(size or SCALAR), *enough


@op("np.random.permutation")
@op("np.random.{RandomState,Generator}.permutation", oracle=METHOD)
def permutation(x: Tensor) -> Answer:
    """For a number, the numbers below it are permuted."""
    if x.rank != 0:
        return x.shape
    count = as_size(x.value)
    return Shape((lost() if count is None else count,)), also(dtype="int64")


@op("tf.random.shuffle", "tf.random_shuffle")
def shuffle(value: Tensor) -> Answer:
    return "*S -> *S"


@op("keras.random.shuffle")
def keras_shuffle(x: Tensor) -> Answer:
    return "n *S -> n *S"


@op("np.random.multivariate_normal", dtype="float64")
@op("np.random.{RandomState,Generator}.multivariate_normal", dtype="float64", oracle=METHOD)
def multivariate_normal(mean: Tensor, cov: Tensor, size: ShapeArg | None = None) -> Answer:
    size = SCALAR if size is None else size
    return "d, d d -> *K d", {"K": size}, *_sizes_needed(size)


@op("tf.random.{categorical,stateless_categorical}", "tf.multinomial", dtype="int64")
def categorical(logits: Tensor, num_samples: Size) -> Answer:
    return "b c -> b n", {"n": num_samples}


@op("keras.random.categorical", dtype="int32")
def keras_categorical(logits: Tensor, num_samples: Size) -> Answer:
    return "b c -> b n", {"n": num_samples}


@op("keras.random.{gamma,beta,binomial}", dtype="float32", oracle="none: parameters broadcast")
@op("tf.random.stateless_{gamma,poisson,binomial}", dtype="float32", oracle="none: parameters broadcast")
@op("tf.random.stateless_parameterized_truncated_normal", oracle="none: parameters broadcast")
def told(shape: ShapeArg) -> Answer:
    return shape, *_sizes_needed(shape)


@op("np.random.multinomial", dtype="int64")
@op("np.random.{RandomState,Generator}.multinomial", dtype="int64", oracle=METHOD)
def multinomial(n: Tensor, pvals: Tensor, size: ShapeArg | None = None) -> Answer:
    if n.rank != 0 or pvals.rank != 1:
        return UNRANKED
    return ", d -> *K d", {"K": SCALAR if size is None else size}


@op("np.random.dirichlet", dtype="float64")
@op("np.random.{RandomState,Generator}.dirichlet", dtype="float64", oracle=METHOD)
def dirichlet(alpha: Tensor, size: ShapeArg | None = None) -> Answer:
    size = SCALAR if size is None else size
    return "d -> *K d", {"K": size}, *_sizes_needed(size)


@op(
    "np.random.{hypergeometric,noncentral_f,triangular}",
    dtype="float64",
    returns="number",
    oracle="none: numbers in order",
)
@op("np.random.{RandomState,Generator}.{hypergeometric,triangular}", dtype="float64", returns="number", oracle=METHOD)
def three_parameters(left: Tensor, mode: Tensor, right: Tensor, size: ShapeArg | None = None) -> Answer:
    return _drawn([left, mode, right], size)


@op(
    "tf.random.{gamma,poisson}",
    "tf.{random_gamma,random_poisson,random_poisson_v2}",
    dtype="float32",
    was={"lam": "alpha"},
)
def random_gamma(shape: ShapeArg, alpha: Tensor) -> Answer:
    return "*S -> *K *S", {"K": shape}, *_sizes_needed(shape)


@op("tf.{random_crop,image.random_crop,image.stateless_random_crop}")
def random_crop(value: Tensor, size: ShapeArg) -> Answer:
    if -1 in size.head:
        return UNRANKED
    return size, *_holds(value, size)


def _holds(value: Tensor, size: Shape) -> list[Need]:
    """Return the constraint for a crop of this size to fit."""
    if value.rank is None or size.tail is not None:
        return []
    if value.rank != len(size.head):
        return [never(ClashKind.RANK, f"size has {len(size.head)} entries, value has rank {value.rank}")]
    pairs = zip(value.shape.head, size.head, strict=True)
    return [
        at_least(ClashKind.AXIS, have, want, f"value has {have}, too few for a crop of {want}") for have, want in pairs
    ]
