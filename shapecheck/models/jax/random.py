"""`jax.random`: keys, and arrays drawn with them.

A key has no axes, or, of the old kind, one of two numbers. A function takes one key, not an array of keys.
"""

from __future__ import annotations

from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Int, Seq, Value, as_size
from shapecheck.models.jax.promotion import common
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Axis,
    Blind,
    Context,
    DtypeArg,
    Flag,
    Need,
    Refused,
    ShapeArg,
    Size,
    Sizes,
    Tensor,
    also,
    at,
    at_least,
    behaviour,
    equal,
    everywhere,
    never,
)
from shapecheck.models.lang import op as register
from shapecheck.models.lang.apply import stretches_to, together
from shapecheck.models.lang.axis_positions import place_of
from shapecheck.models.lang.dtypes import is_python_number
from shapecheck.models.lang.refused_dtypes import kind
from shapecheck.shapes.claims import AnyOf, Equal
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape

TWO = everywhere(2)
TYPED = "key<fry>"
"""The dtype of keys that are no arrays of numbers."""


@register("jax.random.PRNGKey", dtype="uint32", oracle="none: a number")
def raw_key(seed: Tensor, impl: AnyValue = NONE) -> Answer:
    """Return a key of the usual kind, which has two numbers."""
    return (Shape((2,)) if impl == NONE else UNRANKED), *_one_seed(seed)


@register("jax.random.key", dtype="?", oracle="none: a number")
def key(seed: Tensor, impl: AnyValue = NONE) -> Answer:
    return SCALAR, *_one_seed(seed), also(dtype=TYPED)


def _one_seed(seed: Tensor) -> list[Need]:
    said = f"{seed.name} is an array of shape {seed.shape}, a key is made of one number"
    return [never(ClashKind.RANK, said)] if seed.shape.known else []


@register("jax.random.split")
def split(key: Tensor, num: Sizes = TWO) -> Answer:
    if num.known is None:
        raise Blind("how many keys there are")
    return Shape((*num.known, *key.shape.head), key.shape.tail), *_one(key)


@register("jax.random.fold_in")
def fold_in(key: Tensor, data: AnyValue = NONE) -> Answer:
    return "*S -> *S", *_one(key)


@register("jax.random.clone")
def clone(key: Tensor) -> Answer:
    return "*S -> *S"


def _one(key: Tensor) -> list[Need]:
    """Return the constraint for an operand to be one key."""
    if isinstance(key.given, Seq):
        return [never(ClashKind.RANK, f"{key.name} is a {key.given.kind}, and PRNGKey makes arrays")]
    if isinstance(key.given, (Const, Int)) and key.rank == 0:
        return [never(ClashKind.RANK, f"{key.name} is a number, and PRNGKey makes arrays")]
    if key.rank == 0 and key.dtype == "uint32":
        return [never(ClashKind.RANK, f"a key has two numbers, {key.name} is only one of them")]
    rank = key.rank or 0
    is_several = rank >= 2 or (rank == 1 and key.dtype == TYPED)
    said = f"{key.name} is an array of keys, of shape {key.shape}, and one is taken"
    return [never(ClashKind.RANK, said)] if is_several else []


@register(
    "jax.random.{normal,gumbel,laplace,logistic,cauchy,exponential,maxwell,double_sided_maxwell}",
    dtype="float32",
)
@register("jax.random.rademacher", dtype="int32")
@register("jax.random.bits", dtype="uint32")
def drawn(key: Tensor, shape: ShapeArg = SCALAR, dtype: DtypeArg = None) -> Answer:
    return shape, *_one(key), *_legal(shape)


@register("jax.random.uniform", dtype="float32")
def uniform(
    key: Tensor,
    shape: ShapeArg = SCALAR,
    dtype: DtypeArg = None,
    minval: Tensor | None = None,
    maxval: Tensor | None = None,
) -> Answer:
    """The bounds broadcast to the result; what those with more axes do depends on whether they are traced."""
    bounds = [each for each in (minval, maxval) if each is not None]
    if any(each.rank != 0 and (each.rank is None or each.rank > len(shape.known)) for each in bounds):
        return UNRANKED, *_one(key)
    return _shaped(key, shape, *bounds)


def _shaped(key: Tensor, shape: Shape, *parameters: Tensor | None) -> Answer:
    """Return a shape to which the parameters must broadcast."""
    given = [each for each in parameters if each is not None]
    return shape, *_one(key), *_legal(shape), *(need for each in given for need in stretches_to(each, shape))


def _legal(shape: Shape) -> list[Need]:
    """Return the constraint for sizes not to be negative."""
    said = f"the shape is {shape}"
    return [
        at_least(ClashKind.NEGATIVE_SIZE, size, 0, said) for size in shape.known if isinstance(size, int) and size < 0
    ]


@register("jax.random.randint", dtype="int32")
def randint(key: Tensor, shape: ShapeArg, minval: Tensor, maxval: Tensor, dtype: DtypeArg = None) -> Answer:
    return _shaped(key, shape, minval, maxval)


@register("jax.random.orthogonal", dtype="float32")
def orthogonal(key: Tensor, n: Size, shape: ShapeArg = SCALAR, m: Size | None = None) -> Answer:
    if shape.tail is not None:
        return UNRANKED
    return Shape((*shape.head, n, n if m is None else m)), *_one(key)


@register("jax.random.bernoulli", dtype="bool")
def bernoulli(key: Tensor, p: Tensor | None = None, shape: ShapeArg | None = None) -> Answer:
    return _shaped(key, shape if shape is not None else SCALAR if p is None else p.shape, p)


@register("jax.random.{poisson,geometric}", dtype="int32")
@register("jax.random.{gamma,loggamma,t,chisquare,pareto,rayleigh}", dtype="float32")
def of_one(key: Tensor, parameter: Tensor, shape: ShapeArg | None = None, dtype: DtypeArg = None) -> Answer:
    return _shaped(key, parameter.shape if shape is None else shape, parameter)


@register("jax.random.weibull_min", dtype="?")
def weibull_min(
    key: Tensor, scale: Tensor, concentration: Tensor, shape: ShapeArg = SCALAR, dtype: DtypeArg = None
) -> Answer:
    """What is drawn is scaled by the parameters, whose axes and dtypes count."""
    made, needs = together([shape, scale.shape, concentration.shape])
    return made, also(dtype=_scaled(dtype, scale, concentration)), *_one(key), *_legal(shape), *needs


def _scaled(dtype: str | None, *parameters: Tensor) -> str | None:
    """Return the dtype of what is drawn with a dtype and then scaled."""
    return common([dtype or "float32", *(each.dtype for each in parameters if not is_python_number(each))])


@register("jax.random.{beta,wald}", dtype="float32")
def of_two(key: Tensor, a: Tensor, b: Tensor, shape: ShapeArg | None = None, dtype: DtypeArg = None) -> Answer:
    return _of_several(key, a, b, shape)


@register("jax.random.f", dtype="float32")
def f(key: Tensor, a: Tensor, b: Tensor, shape: ShapeArg | None = None, dtype: DtypeArg = None) -> Answer:
    """Arrays, and the result, must have equal ranks."""
    ranks = {rank for rank in (a.rank, b.rank, None if shape is None else shape.rank) if rank}
    if len(ranks) > 1:
        raise Refused(ClashKind.RANK, f"{a.name} has rank {a.rank}, {b.name} has rank {b.rank}")
    return _of_several(key, a, b, shape)


def _of_several(key: Tensor, a: Tensor, b: Tensor, shape: Shape | None) -> Answer:
    if shape is not None:
        return _shaped(key, shape, a, b)
    made, needs = together([a.shape, b.shape])
    return *_shaped(key, made, a, b), *needs  # type: ignore[misc]


@register("jax.random.truncated_normal", dtype="float32")
def truncated_normal(
    key: Tensor, lower: Tensor, upper: Tensor, shape: ShapeArg | None = None, dtype: DtypeArg = None
) -> Answer:
    return _of_several(key, lower, upper, shape)


@register("jax.random.dirichlet", dtype="float32")
def dirichlet(key: Tensor, alpha: Tensor, shape: ShapeArg | None = None, dtype: DtypeArg = None) -> Answer:
    batch = _without_last(alpha, 1)
    if shape is None or batch is None:
        return (alpha.shape if shape is None else UNRANKED), *_one(key)
    made = Shape((*shape.head, alpha.shape.head[-1])) if shape.tail is None else UNRANKED
    return made, *_one(key), *_legal(shape), *stretches_to(batch, shape)


def _without_last(operand: Tensor, axes: int) -> Tensor | None:
    """Return an operand without its last axes; None if its rank is not known."""
    if operand.rank is None:
        return None
    if operand.rank < axes:
        raise Refused(ClashKind.RANK, f"{operand.name} has rank {operand.rank}, not {axes} or more")
    return replace(operand, shape=Shape(operand.shape.head[: operand.rank - axes]))


@register("jax.random.multivariate_normal", dtype="?")
def multivariate_normal(
    key: Tensor, mean: Tensor, cov: Tensor, shape: ShapeArg | None = None, dtype: DtypeArg = None
) -> Answer:
    """Draw with the factor of a covariance, which is computed in float32 if that is of whole numbers."""
    factor = ["float32"] if kind(cov.dtype or "") in ("int", "bool") else []
    return *_of_moments(key, mean, cov, shape), also(dtype=common([_scaled(dtype, mean, cov), *factor]))


def _of_moments(key: Tensor, mean: Tensor, cov: Tensor, shape: Shape | None) -> tuple[Shape | Need, ...]:
    means, covs = _without_last(mean, 1), _without_last(cov, 2)
    if means is None or covs is None:
        return UNRANKED, *_one(key)
    events, sizes = mean.shape.head[-1], cov.shape.head[-2:]
    said = f"{mean.name} has {events} numbers, {cov.name} has shape {cov.shape}"
    needs = [*_one(key), *(equal(ClashKind.AXIS, events, size, said) for size in sizes if size != events)]
    batch, more = together([means.shape, covs.shape])
    if shape is not None:
        batch, more = shape, [*stretches_to(means, shape), *stretches_to(covs, shape)]
    made = UNRANKED if batch.tail is not None else Shape((*batch.head, events))
    return made, *needs, *_legal(batch), *more


@register("jax.random.categorical", dtype="int32")
def categorical(key: Tensor, logits: Tensor, axis: Axis = -1, shape: ShapeArg | None = None) -> Answer:
    if shape is None:
        return at(axis, "d ->", of=logits), *_one(key)
    return shape, *_one(key), *_legal(shape), *_ends_with(shape, logits, axis)


def _ends_with(shape: Shape, logits: Tensor, axis: int) -> list[Need]:
    """Return the constraint for a shape to end with the axes of the scores other than that of the classes."""
    if logits.rank is None or shape.tail is not None or not -logits.rank <= axis < logits.rank:
        return []
    place = axis % logits.rank
    batch = (*logits.shape.head[:place], *logits.shape.head[place + 1 :])
    said = f"{logits.name} has shape {logits.shape}, the results of shape {shape} do not end with {Shape(batch)}"
    if len(shape.head) < len(batch):
        return [never(ClashKind.BROADCAST, said)]
    ends = shape.head[len(shape.head) - len(batch) :]
    pairs = [pair for pair in zip(ends, batch, strict=True) if pair[0] != pair[1]]
    return [Need(ClashKind.BROADCAST, AnyOf((Equal(wanted, 1), Equal(have, wanted))), said) for have, wanted in pairs]


@register("jax.random.permutation", dtype="?")
def permutation(key: Tensor, x: Tensor, axis: AnyValue = NONE, independent: Flag = False) -> Answer:
    """A number stands for as many indices."""
    return *((x.shape, also(dtype=x.dtype)) if x.rank else (_counted(x),)), *_one(key)


def _counted(x: Tensor) -> Shape:
    count = as_size(x.given) if x.rank == 0 else None
    return UNRANKED if count is None else Shape((count,))


@register("jax.random.choice", dtype="?")
def choice(
    key: Tensor,
    a: Tensor,
    shape: ShapeArg = SCALAR,
    replace: AnyValue = NONE,
    p: Tensor | None = None,
    axis: Axis = 0,
) -> Answer:
    """Items along an axis take the places of a shape, which is all if they are none; a number stands for indices."""
    if a.rank is None or shape.tail is not None or (p is not None and p.rank != 1):
        return UNRANKED
    place = place_of(a, axis) if a.rank else 0
    others = ((), ()) if 0 in shape.head else (a.shape.head[:place], a.shape.head[place + 1 :])
    made = Shape((*others[0], *shape.head, *others[1]))
    return made, also(dtype=a.dtype if a.rank else None), *_one(key), *_legal(shape), *_chances(a, place, p)


def _chances(a: Tensor, place: int, p: Tensor | None) -> list[Need]:
    """Return the constraint for there to be a probability for each item."""
    count = a.shape.size(place) if a.rank else as_size(a.given)
    have = None if p is None else p.shape.size(0)
    said = f"{count} items have {have} probabilities"
    return [] if count is None or have is None else [equal(ClashKind.AXIS, have, count, said)]


@register("jax.random.{lognormal,generalized_normal,triangular,binomial}", dtype="?", oracle="none: parameters")
def of_parameters(key: Tensor, first: AnyValue = NONE, second: AnyValue = NONE, third: AnyValue = NONE) -> Answer:
    raise Blind("parameters that broadcast")


@behaviour("jax.random.{key_data,wrap_key_data,key_impl,multinomial,ball}")
def data_of_key(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.lost("the numbers of a key")
