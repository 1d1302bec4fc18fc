"""`jax.random`: keys, and arrays drawn with them."""

from __future__ import annotations

from shapecheck.domain.values import NONE
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Axis,
    Blind,
    DtypeArg,
    Flag,
    ShapeArg,
    Sizes,
    Tensor,
    also,
    at,
    everywhere,
)
from shapecheck.models.lang import op as register
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape

TWO = everywhere(2)
NEEDS_KEY = "none: the first argument is a key"


@register("jax.random.PRNGKey", dtype="uint32", oracle=NEEDS_KEY)
def raw_key(seed: Tensor, impl: AnyValue = NONE) -> Answer:
    """Return a key of the usual kind, which has two numbers."""
    return Shape((2,)) if impl == NONE else UNRANKED


@register("jax.random.key", dtype="?", oracle=NEEDS_KEY)
def key(seed: Tensor, impl: AnyValue = NONE) -> Answer:
    return SCALAR


@register("jax.random.split", oracle=NEEDS_KEY)
def split(key: Tensor, num: Sizes = TWO) -> Answer:
    if num.known is None:
        raise Blind("how many keys there are")
    return Shape((*num.known, *key.shape.head), key.shape.tail)


@register("jax.random.{fold_in,clone}", oracle=NEEDS_KEY)
def other_key(key: Tensor) -> Answer:
    return "*S -> *S"


@register(
    "jax.random.{normal,uniform,gumbel,laplace,logistic,cauchy,exponential,maxwell,double_sided_maxwell}",
    dtype="float32",
    oracle=NEEDS_KEY,
)
@register("jax.random.rademacher", dtype="int32", oracle=NEEDS_KEY)
@register("jax.random.bits", dtype="uint32", oracle=NEEDS_KEY)
def drawn(key: Tensor, shape: ShapeArg = SCALAR, dtype: DtypeArg = None) -> Answer:
    return shape


@register("jax.random.randint", dtype="int32", oracle=NEEDS_KEY)
def randint(key: Tensor, shape: ShapeArg, minval: Tensor, maxval: Tensor, dtype: DtypeArg = None) -> Answer:
    return shape


@register("jax.random.orthogonal", dtype="float32", oracle=NEEDS_KEY)
def orthogonal(key: Tensor, n: AnyValue, shape: ShapeArg = SCALAR, dtype: DtypeArg = None) -> Answer:
    return UNRANKED


@register("jax.random.bernoulli", dtype="bool", oracle=NEEDS_KEY)
def bernoulli(key: Tensor, p: Tensor | None = None, shape: ShapeArg | None = None) -> Answer:
    return shape if shape is not None else SCALAR if p is None else p.shape


@register("jax.random.{poisson,geometric}", dtype="int32", oracle=NEEDS_KEY)
@register("jax.random.{gamma,loggamma,t,chisquare,pareto,rayleigh}", dtype="float32", oracle=NEEDS_KEY)
def of_one(key: Tensor, parameter: Tensor, shape: ShapeArg | None = None, dtype: DtypeArg = None) -> Answer:
    return parameter.shape if shape is None else shape


@register("jax.random.{beta,f,wald,weibull_min}", dtype="float32", oracle=NEEDS_KEY)
def of_two(key: Tensor, a: Tensor, b: Tensor, shape: ShapeArg | None = None, dtype: DtypeArg = None) -> Answer:
    return UNRANKED if shape is None else shape


@register("jax.random.truncated_normal", dtype="float32", oracle=NEEDS_KEY)
def truncated_normal(
    key: Tensor, lower: Tensor, upper: Tensor, shape: ShapeArg | None = None, dtype: DtypeArg = None
) -> Answer:
    return UNRANKED if shape is None else shape


@register("jax.random.dirichlet", dtype="float32", oracle=NEEDS_KEY)
def dirichlet(key: Tensor, alpha: Tensor, shape: ShapeArg | None = None, dtype: DtypeArg = None) -> Answer:
    if shape is None:
        return alpha.shape
    events = alpha.shape.size(-1)
    return UNRANKED if events is None or shape.tail is not None else Shape((*shape.head, events))


@register("jax.random.multivariate_normal", dtype="float32", oracle=NEEDS_KEY)
def multivariate_normal(
    key: Tensor, mean: Tensor, cov: Tensor, shape: ShapeArg | None = None, dtype: DtypeArg = None
) -> Answer:
    events = mean.shape.size(-1)
    if shape is None or shape.tail is not None or events is None:
        return UNRANKED
    return Shape((*shape.head, events))


@register("jax.random.categorical", dtype="int32", oracle=NEEDS_KEY)
def categorical(key: Tensor, logits: Tensor, axis: Axis = -1, shape: ShapeArg | None = None) -> Answer:
    return at(axis, "d ->", of=logits) if shape is None else shape


@register("jax.random.permutation", dtype="?", oracle=NEEDS_KEY)
def permutation(key: Tensor, x: Tensor, axis: AnyValue = NONE, independent: Flag = False) -> Answer:
    """A number stands for as many indices."""
    return (x.shape, also(dtype=x.dtype)) if x.rank else UNRANKED


@register("jax.random.choice", dtype="?", oracle=NEEDS_KEY)
def choice(key: Tensor, a: Tensor, shape: ShapeArg = SCALAR, axis: AnyValue = NONE) -> Answer:
    """Items along the first axis take the places of a shape; a number stands for as many indices."""
    if a.rank is None or shape.tail is not None or axis != NONE:
        return UNRANKED
    return Shape((*shape.head, *a.shape.head[1:])), also(dtype=a.dtype if a.rank else None)
