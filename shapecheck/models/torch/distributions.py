"""`torch.distributions`: the shapes of samples and of logarithms of probabilities."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.domain.values import NONE, Const, Ref, Seq, Tensor, Value, as_size, as_sizes
from shapecheck.models.lang import Context, attribute, base, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.shapes.shape import Shape

ROOT = "torch.distributions"
BASE = f"{ROOT}.Distribution"
BATCH, EVENT = "_batch", "_event"
"""A tensor with the shape of the parameters, and the number of axes of one event."""
OF_TWO = """
Normal LogNormal Uniform Beta Gamma Laplace Cauchy Gumbel FisherSnedecor Pareto Weibull VonMises Kumaraswamy
InverseGamma GeneralizedPareto
""".split()
OF_ONE = "Exponential Poisson Chi2 HalfNormal HalfCauchy StudentT".split()
OF_CHANCES = """
Bernoulli Categorical OneHotCategorical OneHotCategoricalStraightThrough Geometric ContinuousBernoulli
""".split()
AFTER_ONE = "Binomial NegativeBinomial Multinomial RelaxedBernoulli RelaxedOneHotCategorical".split()
"""Distributions with chances, or their logits, after another parameter."""
OF_CLASSES = ("OneHotCategorical", "OneHotCategoricalStraightThrough", "Multinomial", "RelaxedOneHotCategorical")
DISCRETE = ("Categorical", *OF_CLASSES)
NOT_FOLLOWED = "LogisticNormal MixtureSameFamily TransformedDistribution Wishart LKJCholesky".split()

_VECTORS = ("Independent", "MultivariateNormal", "LowRankMultivariateNormal", "Dirichlet")
for _name in (*OF_TWO, *OF_ONE, *OF_CHANCES, *AFTER_ONE, *NOT_FOLLOWED, *_VECTORS):
    base(f"{ROOT}.{_name}", BASE)


def _new(ctx: Context, name: str, batch: Value, event: int = 0) -> Value:
    if not isinstance(batch, Tensor):
        return ctx.new(f"{ROOT}.{name}")
    known: dict[str, Value] = {BATCH: replace(batch, content=None, nature=""), EVENT: Const(event)}
    return ctx.new(f"{ROOT}.{name}", **known)


def _together(ctx: Context, values: list[Value]) -> Value:
    """Return a tensor with the common shape of parameters; numbers count as scalars."""
    found: Value = NONE
    for value in values:
        given = ctx.freeze(value)
        if not isinstance(given, Tensor):
            given = as_tensor(given, ctx)
            if given.shape != Shape(()):
                return NONE
            given = Tensor(Shape(()), "float32", "torch")
        found = given if found == NONE else ctx.apply("torch.add", found, given)
    return found


def _register(name: str, parameters: int) -> None:
    def make(ctx: Context, *args: Value, validate_args: Value = NONE, **options: Value) -> Value:
        given = [*args[:parameters], *options.values()][:parameters]
        return _new(ctx, name, _together(ctx, given))

    make.__module__ = __name__
    behaviour(f"{ROOT}.{name}", f"{ROOT}.{name.lower()}.{name}")(make)


def _register_chances(name: str) -> None:
    def make(ctx: Context, probs: Value = NONE, logits: Value = NONE, **options: Value) -> Value:
        return _of_chances(ctx, name, ctx.freeze(probs if probs != NONE else logits))

    make.__module__ = __name__
    behaviour(f"{ROOT}.{name}", f"{ROOT}.{name.lower()}.{name}")(make)


def _of_chances(ctx: Context, name: str, given: Value) -> Value:
    if name not in DISCRETE or not isinstance(given, Tensor):
        return _new(ctx, name, given)
    head, tail = given.shape.head, given.shape.tail
    if tail is not None or not head:
        return _new(ctx, name, NONE)
    whole = given.shape if name in OF_CLASSES else Shape(head[:-1])
    return _new(ctx, name, given.with_shape(whole), int(name in OF_CLASSES))


ONE = Const(1)


def _register_after_one(name: str) -> None:
    def make(ctx: Context, first: Value = ONE, probs: Value = NONE, logits: Value = NONE, **options: Value) -> Value:
        """The number of trials, or the temperature, is the same for all; tables of them are not followed."""
        one = first if first != ONE else next((options[key] for key in FIRST if key in options), first)
        is_number = not isinstance(one, Tensor) or one.shape == Shape(())
        return _of_chances(ctx, name, ctx.freeze(probs if probs != NONE else logits) if is_number else NONE)

    make.__module__ = __name__
    behaviour(f"{ROOT}.{name}")(make)


FIRST = ("total_count", "temperature")
for _name in AFTER_ONE:
    _register_after_one(_name)
for _name in OF_TWO:
    _register(_name, 2)
for _name in OF_ONE:
    _register(_name, 1)
for _name in OF_CHANCES:
    _register_chances(_name)


@behaviour(f"{ROOT}.Dirichlet")
def dirichlet(ctx: Context, concentration: Value, **options: Value) -> Value:
    return _new(ctx, "Dirichlet", ctx.freeze(concentration), 1)


@behaviour(f"{ROOT}.{{{','.join(NOT_FOLLOWED)}}}")
def not_followed(ctx: Context, *args: Value, **options: Value) -> Value:
    """The shapes of a sample and of a batch are not followed."""
    return ctx.new(BASE)


@behaviour(f"{ROOT}.{{MultivariateNormal,LowRankMultivariateNormal}}", f"{ROOT}.multivariate_normal.MultivariateNormal")
def multivariate(ctx: Context, loc: Value, *rest: Value, **options: Value) -> Value:
    """The batch of the means; that of the covariances may be larger."""
    return _new(ctx, "MultivariateNormal", ctx.freeze(loc), 1)


@behaviour(f"{ROOT}.Independent", f"{ROOT}.independent.Independent")
def independent(ctx: Context, base_distribution: Value, reinterpreted_batch_ndims: Value, **options: Value) -> Value:
    """The last axes of the batch become those of an event."""
    batch, more = ctx.get(base_distribution, BATCH), as_size(reinterpreted_batch_ndims)
    event = as_size(ctx.get(base_distribution, EVENT) or NONE)
    if batch is None or not isinstance(more, int) or not isinstance(event, int):
        return _new(ctx, "Independent", NONE)
    return _new(ctx, "Independent", batch, more + event)


def _parts(ctx: Context, self: Value) -> tuple[Tensor, int] | None:
    """Return the tensor with the shape of a sample, and the number of axes of an event."""
    batch, event = ctx.get(self, BATCH), as_size(ctx.get(self, EVENT) or NONE)
    return (batch, event) if isinstance(batch, Tensor) and isinstance(event, int) else None


@behaviour(f"{BASE}.{{sample,rsample}}")
def sample(ctx: Context, self: Ref, sample_shape: Value = Seq("tuple", ())) -> Value:
    parts, more = _parts(ctx, self), as_sizes(ctx.freeze(sample_shape))
    if parts is None or more is None:
        return ctx.lost("a sample")
    shape = parts[0].shape
    dtype = "int64" if self.cls.endswith(".Categorical") else parts[0].dtype
    return Tensor(Shape((*more, *shape.head), shape.tail), dtype, "torch")


@behaviour(f"{BASE}.log_prob")
def log_prob(ctx: Context, self: Ref, value: Value) -> Value:
    """Values and parameters broadcast; the axes of an event are summed."""
    parts, given = _parts(ctx, self), ctx.freeze(value)
    if parts is None or not isinstance(given, Tensor):
        return ctx.lost("logarithms of probabilities")
    both = ctx.apply("torch.add", replace(given, dtype="float32"), parts[0])
    if not isinstance(both, Tensor) or both.shape.tail is not None or len(both.shape.head) < parts[1]:
        return ctx.lost("logarithms of probabilities")
    return Tensor(Shape(both.shape.head[: len(both.shape.head) - parts[1]]), parts[0].dtype, "torch")


@behaviour(f"{BASE}.entropy")
def entropy(ctx: Context, self: Ref) -> Value:
    parts = _parts(ctx, self)
    if parts is None or parts[0].shape.tail is not None:
        return ctx.lost("the entropy")
    head = parts[0].shape.head
    return Tensor(Shape(head[: len(head) - parts[1]]), parts[0].dtype, "torch")


@attribute(f"{BASE}.{{mean,stddev,variance,mode,loc,scale}}")
def moment(ctx: Context, self: Ref) -> Value:
    parts = _parts(ctx, self)
    if parts is None or self.cls.endswith(".Categorical"):
        return ctx.lost("a property of a distribution")
    return Tensor(parts[0].shape, parts[0].dtype, "torch")


@behaviour(f"{ROOT}.{{kl_divergence,kl.kl_divergence}}")
def divergence(ctx: Context, p: Value, q: Value) -> Value:
    """Return the divergences of two batches of distributions, which broadcast."""
    both = [entropy(ctx, each) if isinstance(each, Ref) else NONE for each in (p, q)]
    return ctx.apply("torch.add", *both) if all(isinstance(each, Tensor) for each in both) else ctx.lost("divergences")


# Transforms ----------------------------------------------------------------------------------------------------------

TRANSFORM = f"{ROOT}.Transform"
KEEPS = f"{ROOT}._ElementwiseTransform"
_ELEMENTWISE = "Abs Affine Exp Power Sigmoid Softmax Softplus Tanh CumulativeDistribution"
_OTHERS = "Cat Compose CorrCholesky Independent LowerCholesky PositiveDefinite Reshape Stack StickBreaking"
base(TRANSFORM, "builtins.object")
base(KEEPS, TRANSFORM)


@behaviour(f"{ROOT}.{{,transforms.}}{{{','.join(_ELEMENTWISE.split())}}}Transform")
def of_each_element(ctx: Context, *args: Value, **options: Value) -> Value:
    """Parameters that are arrays broadcast with what is transformed."""
    values = [ctx.freeze(value) for value in (*args, *options.values())]
    is_plain = not any(isinstance(value, Tensor) and value.shape != Shape(()) for value in values)
    return ctx.new(KEEPS if is_plain else TRANSFORM)


@behaviour(TRANSFORM, f"{ROOT}.{{,transforms.}}{{{','.join(_OTHERS.split())}}}Transform")
@behaviour(f"{ROOT}.{{biject_to,transform_to,identity_transform}}")
def transform(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.new(TRANSFORM)


@behaviour(f"{TRANSFORM}.{{__call__,inv,log_abs_det_jacobian}}")
def transformed(ctx: Context, self: Value, *args: Value) -> Value:
    return ctx.lost("what a transform makes")


@behaviour(f"{KEEPS}.__call__")
def kept(ctx: Context, self: Value, x: Value) -> Value:
    given = ctx.freeze(x)
    return replace(given, content=None, nature="") if isinstance(given, Tensor) else ctx.lost("what a transform makes")
