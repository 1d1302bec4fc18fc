"""Distributions of TensorFlow 1 and of TensorFlow Probability: objects with a shape of a batch and one of an event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import FALSE, NONE, Const, Ref, Tensor, Value, as_size
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.lang.arguments import as_tensor, dtype_name, shape_arg
from shapecheck.models.lang.parameter_kinds import Tensor as Operand
from shapecheck.models.lang.suspicious import stretched
from shapecheck.shapes.broadcast import broadcast
from shapecheck.shapes.claims import FALSE as NEVER
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.facts import Verdict
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape
from shapecheck.shapes.size import Size

LIBRARY = "tfp.distributions"
BASE = f"{LIBRARY}.Distribution"


@dataclass(frozen=True, slots=True)
class Family:
    """The parameters of a kind of distributions, by position, each with the number of its own last axes; and how many
    of the axes of the first one that is given are those of an event."""

    parameters: Mapping[str, int]
    event: int = 0
    dtype: str = ""


def _plain(*names: str, dtype: str = "") -> Family:
    return Family(dict.fromkeys(names, 0), dtype=dtype)


SPREAD = _plain("loc", "scale")
FAMILIES = {
    **dict.fromkeys(("Normal", "Laplace", "Logistic", "Cauchy", "Gumbel", "LogNormal", "HalfNormal"), SPREAD),
    "HalfNormal": _plain("scale"),
    "Uniform": _plain("low", "high"),
    "StudentT": _plain("df", "loc", "scale"),
    "TruncatedNormal": _plain("loc", "scale", "low", "high"),
    "Beta": _plain("concentration1", "concentration0"),
    **dict.fromkeys(("Gamma", "InverseGamma"), _plain("concentration", "rate")),
    "Exponential": _plain("rate"),
    "Poisson": _plain("rate", "log_rate"),
    "Bernoulli": _plain("logits", "probs", dtype="int32"),
    "Categorical": Family({"logits": 1, "probs": 1}, dtype="int32"),
    "OneHotCategorical": Family({"logits": 1, "probs": 1}, 1, "int32"),
    "Dirichlet": Family({"concentration": 1}, 1),
    "Multinomial": Family({"total_count": 0, "logits": 1, "probs": 1}, 1),
    "MultivariateNormalDiag": Family({"loc": 1, "scale_diag": 1}, 1),
    "MultivariateNormalTriL": Family({"loc": 1, "scale_tril": 2}, 1),
    "MultivariateNormalFullCovariance": Family({"loc": 1, "covariance_matrix": 2}, 1),
}


# Making -------------------------------------------------------------------------------------------------------------


def _make(cls: str, family: Family, ctx: Context, /, *args: Value, **keywords: Value) -> Value:
    """Return a distribution with its parameters, which are broadcast only where it is used."""
    named = dict(zip(family.parameters, args, strict=False)) | keywords
    given = {at: as_tensor(named[at], ctx) for at in family.parameters if named.get(at, NONE) != NONE}
    dtype = dtype_name(keywords.get("dtype", NONE)) or family.dtype
    return ctx.new(cls, _of=Tensor(UNRANKED, dtype or next((each.dtype for each in given.values()), None)), **given)


for _name, _family in FAMILIES.items():
    _making = partial(_make, f"{LIBRARY}.{_name}", _family)
    _making.__module__ = __name__
    behaviour(f"{LIBRARY}.{_name}")(_making)
    base(f"{LIBRARY}.{_name}", BASE)

base(f"{LIBRARY}.Independent", BASE)


@behaviour(f"{LIBRARY}.Independent")
def independent(
    ctx: Context, distribution: Value, reinterpreted_batch_ndims: Value = NONE, *args: Value, **keywords: Value
) -> Value:
    """Return a distribution in whose events the last axes of the batch are."""
    of = Tensor(UNRANKED, _dtype(ctx, distribution))
    return ctx.new(f"{LIBRARY}.Independent", _of=of, _inner=distribution, _axes=reinterpreted_batch_ndims)


# Shapes -------------------------------------------------------------------------------------------------------------


def _dtype(ctx: Context, distribution: Value) -> str | None:
    of = ctx.get(distribution, "_of")
    return of.dtype if isinstance(of, Tensor) else None


def _shapes(ctx: Context, distribution: Value) -> tuple[Shape, Shape] | None:
    """Return the shapes of the batch and of an event, if they are known, after stating that the parameters fit."""
    if not isinstance(distribution, Ref) or ctx.get(distribution, "_failed") is not None:
        return None
    inner = ctx.get(distribution, "_inner")
    if inner is not None:
        return _reinterpreted(_shapes(ctx, inner), as_size(ctx.get(distribution, "_axes") or NONE))
    family = FAMILIES.get(distribution.cls.removeprefix(f"{LIBRARY}."))
    found = None if family is None else _broadcast(ctx, distribution, family)
    if found is None:
        ctx.set(distribution, "_failed", NONE)
    return found


def _reinterpreted(shapes: tuple[Shape, Shape] | None, count: Size | None) -> tuple[Shape, Shape] | None:
    """Return the shapes of a distribution that takes the last axes of a batch into its events."""
    if shapes is None or not all(shape.is_ranked for shape in shapes):
        return None
    batch, event = shapes
    kept = min(1, len(batch.head)) if count is None else len(batch.head) - count if isinstance(count, int) else -1
    return None if kept < 0 else (Shape(batch.head[:kept]), Shape((*batch.head[kept:], *event.head)))


def _broadcast(ctx: Context, distribution: Ref, family: Family) -> tuple[Shape, Shape] | None:
    found = {at: ctx.get(distribution, at) for at in family.parameters}
    given = {at: tensor for at, tensor in found.items() if isinstance(tensor, Tensor)}
    parts = {at: _split(tensor.shape, family.parameters[at]) for at, tensor in given.items()}
    if not parts or any(part is None for part in parts.values()):
        _refuse(ctx, given, family)
        return None
    batches = [Operand(at, part[0], value=given[at]) for at, part in parts.items() if part is not None]
    events = [part[1] for at, part in parts.items() if part is not None and family.parameters[at]]
    event = Shape(events[0].head[:1], events[0].tail) if events and family.event else SCALAR
    if not _agree(ctx, [event, *events[1:]], given, family):
        return None
    batch = _together(ctx, batches)
    return None if batch is None else (batch, event)


def _split(shape: Shape, own: int) -> tuple[Shape, Shape] | None:
    """Return the axes of the batch and a parameter's own axes; None if it has too few."""
    if not own:
        return shape, SCALAR
    if not shape.is_ranked:
        return UNRANKED, UNRANKED
    return (Shape(shape.head[:-own]), Shape(shape.head[-own:])) if len(shape.head) >= own else None


def _refuse(ctx: Context, given: Mapping[str, Tensor], family: Family) -> None:
    """State that a parameter has its own axes, which it does not."""
    for name, tensor in given.items():
        rank = tensor.shape.rank
        if rank is not None and rank < family.parameters[name]:
            said = f"{name} has rank {rank}, at least {family.parameters[name]} is needed"
            ctx.require(ClashKind.RANK, NEVER, said, tensor)


def _agree(ctx: Context, events: Sequence[Shape], given: Mapping[str, Tensor], family: Family) -> bool:
    """Return whether the parameters of an event may have the same size, after stating that."""
    sizes = [shape.size(-1) for shape in events if shape.is_ranked and shape.head]
    if not family.event or len(sizes) < 2 or sizes[0] is None or sizes[1] is None or 1 in sizes:
        return True
    said = f"an event has {sizes[0]} elements in one parameter, {sizes[1]} in another"
    return ctx.require(ClashKind.AXIS, Equal(sizes[0], sizes[1]), said, *given.values()) is not Verdict.NEVER


def _together(ctx: Context, operands: Sequence[Operand]) -> Shape | None:
    """Return the shape that shapes are broadcast to, after stating that they can be; None if they cannot."""
    shape, claims = broadcast([operand.shape for operand in operands])
    values = [operand.value for operand in operands]
    if len(operands) == 2:
        for kind, message in stretched(*operands):
            ctx.notice(kind, message, *values)
    said = " and ".join(f"{operand.name} {operand.shape}" for operand in operands)
    for claim in claims:
        if ctx.require(ClashKind.BROADCAST, claim, f"{said} cannot be broadcast", *values) is Verdict.NEVER:
            return None
    return shape


# Methods ------------------------------------------------------------------------------------------------------------


@behaviour(f"{BASE}.sample")
def sample(ctx: Context, self: Value, sample_shape: Value = Const(()), *args: Value, **keywords: Value) -> Value:
    shapes = _shapes(ctx, self)
    leading = SCALAR if sample_shape == Const(()) else shape_arg(ctx.freeze(sample_shape), ctx)
    if shapes is None or not all(shape.is_ranked for shape in (leading, *shapes)):
        return Tensor(UNRANKED)
    return Tensor(Shape((*leading.head, *shapes[0].head, *shapes[1].head)), _dtype(ctx, self))


@behaviour(f"{BASE}.{{log_prob,prob,cdf,log_cdf,survival_function,log_survival_function}}")
def density(ctx: Context, self: Value, value: Value, *args: Value, **keywords: Value) -> Value:
    """Return a number for each event; the value is broadcast with the batch."""
    shapes, given = _shapes(ctx, self), as_tensor(value, ctx)
    if shapes is None or not shapes[1].is_ranked or not given.shape.is_ranked:
        return Tensor(UNRANKED)
    batch, event = shapes
    own = len(event.head)
    if len(given.shape.head) < own:
        ctx.require(ClashKind.RANK, NEVER, f"value has rank {given.shape.rank}, an event has rank {own}", given)
        return Tensor(UNRANKED)
    rest = given.shape.head[len(given.shape.head) - own :]
    for size, wanted in zip(rest, event.head, strict=True):
        if size != wanted and 1 not in (size, wanted):
            said = f"value has shape {given.shape}, an event has shape {event}"
            ctx.require(ClashKind.AXIS, Equal(size, wanted), said, given)
    outer = Operand("value", Shape(given.shape.head[: len(given.shape.head) - own]), value=given)
    shape = _together(ctx, [outer, Operand("the distribution", batch, value=_parameter_of(ctx, self, batch))])
    return Tensor(shape or UNRANKED, None if given.dtype is None or "int" in given.dtype else given.dtype)


def _parameter_of(ctx: Context, distribution: Value, batch: Shape) -> Value:
    """Return the first parameter that has the shape of the batch."""
    held = ctx.held(distribution) if isinstance(distribution, Ref) else ()
    return next((each for each in held if isinstance(each, Tensor) and each.shape == batch), Tensor(batch))


@behaviour(f"{BASE}.entropy")
def entropy(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    shapes = _shapes(ctx, self)
    return Tensor(UNRANKED if shapes is None else shapes[0])


@behaviour(f"{BASE}.{{mean,mode,stddev,variance}}")
def moment(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    shapes = _shapes(ctx, self)
    if shapes is None or not all(shape.is_ranked for shape in shapes):
        return Tensor(UNRANKED)
    return Tensor(Shape((*shapes[0].head, *shapes[1].head)))


@behaviour(f"{LIBRARY}.kl_divergence", f"{BASE}.kl_divergence")
def kl_divergence(
    ctx: Context, distribution_a: Value, distribution_b: Value, allow_nan_stats: Value = FALSE, **keywords: Value
) -> Value:
    first, second = _shapes(ctx, distribution_a), _shapes(ctx, distribution_b)
    if first is None or second is None:
        return Tensor(UNRANKED)
    batches = [Operand("the first batch", first[0]), Operand("the second batch", second[0])]
    return Tensor(_together(ctx, batches) or UNRANKED)
