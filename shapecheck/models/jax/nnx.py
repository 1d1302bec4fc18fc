"""`flax.nnx`: keys of random numbers, variables, and what modules become without their classes."""

from __future__ import annotations

from shapecheck.domain.values import NONE, Const, Library, Partial, Ref, Seq, Value
from shapecheck.models.lang import Context, base, behaviour

RNGS, VARIABLE = "flax.nnx.Rngs", "flax.nnx.Variable"
_KINDS = "Param Variable BatchStat Cache Intermediate LoRAParam Perturbation RngState RngKey RngCount"
_STREAMS = "params dropout default carry noise sample gumbel latent reparam permute augment"
_FOLLOWED_NOWHERE = """
state pop clone to_flat_state from_flat_state to_pure_dict replace_by_pure_dict split_rngs
reseed variables iter_graph iter_modules iter_children flatten unflatten eval_shape filter_state map_state merge_state
split_state get_partition_spec get_named_sharding display tabulate find_duplicates graph_pop restore_rngs fork_rngs
with_vars with_rngs vars_as iter_module_children call update_context combine_masks pool view
recursive_map as_pure pure to_tree from_tree make_jaxpr check_pytree is_data has_data var_defaults
"""
_DRAWS = """
ball bernoulli beta binomial bits categorical cauchy chisquare choice dirichlet double_sided_maxwell exponential f gamma
generalized_normal geometric laplace loggamma logistic lognormal maxwell multinomial multivariate_normal normal
orthogonal pareto permutation poisson rademacher randint rayleigh t triangular truncated_normal uniform wald weibull_min
"""
METRIC = "flax.nnx.Metric"
STRUCTURE, MODULE, OPTIMIZER = "flax.nnx.GraphDef", "_module", "flax.nnx.Optimizer"
base(METRIC, "builtins.object")
base(RNGS, "builtins.object")
base(STRUCTURE, "builtins.object")
base(OPTIMIZER, "builtins.object")
base(VARIABLE, "builtins.object")


@behaviour(RNGS)
def rngs(ctx: Context, *args: Value, **options: Value) -> Value:
    """Return streams of keys, whatever they are called."""
    return ctx.new(RNGS)


@behaviour(f"{RNGS}.{{__call__,{','.join(_STREAMS.split())}}}")
def next_key(ctx: Context, self: Value) -> Value:
    return ctx.apply("jax.random.key", Const(0))


def _draws(name: str) -> None:
    def draw(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
        return ctx.apply(f"jax.random.{name}", next_key(ctx, self), *args, **options)

    draw.__module__ = __name__
    behaviour(f"{RNGS}.{name}")(draw)


for _name in _DRAWS.split():
    _draws(_name)


@behaviour(f"flax.nnx.{{{','.join(_KINDS.split())}}}")
def variable(ctx: Context, value: Value = NONE, *rest: Value, **options: Value) -> Value:
    """Return an object that holds an array, and can be used as one."""
    return ctx.new(VARIABLE, value=value)


@behaviour(f"{VARIABLE}.get_value")
def held(ctx: Context, self: Ref) -> Value:
    return ctx.get(self, "value") or ctx.lost("the value of a variable")


@behaviour(f"{VARIABLE}.set_value")
def hold(ctx: Context, self: Ref, value: Value) -> Value:
    ctx.set(self, "value", value)
    return NONE


@behaviour(f"flax.nnx.{{{','.join(_FOLLOWED_NOWHERE.split())}}}")
def of_graph(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.lost("the state of a module")


@behaviour("flax.nnx.split")
def split(ctx: Context, node: Value, *filters: Value) -> Value:
    """Return what makes the module again, and its state, in one part or as many as there are filters."""
    parts = [ctx.lost("the state of a module") for _ in filters or (NONE,)]
    return Seq("tuple", (graphdef(ctx, node), *parts))


@behaviour("flax.nnx.graphdef")
def graphdef(ctx: Context, node: Value, *rest: Value) -> Value:
    return ctx.new(STRUCTURE, **{MODULE: node})


@behaviour("flax.nnx.merge")
def merged(ctx: Context, structure: Value, *states: Value, **options: Value) -> Value:
    """Return the module, which has arrays of the same shapes."""
    is_known = isinstance(structure, Ref) and structure.cls == STRUCTURE
    return (ctx.get(structure, MODULE) if is_known else None) or ctx.lost("a module")


@behaviour("flax.nnx.update")
def updated(ctx: Context, node: Value, *states: Value, **options: Value) -> Value:
    return NONE


@behaviour("flax.nnx.{Optimizer,ModelAndOptimizer}")
def optimizer(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.new(OPTIMIZER)


@behaviour(f"{OPTIMIZER}.update")
def step(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    return NONE


@behaviour("flax.nnx.cached_partial")
def bound(ctx: Context, function: Value, *args: Value) -> Value:
    return Partial(function, args, ())


@behaviour("flax.nnx.capture")
def capture(ctx: Context, fn: Value, *kinds: Value, **options: Value) -> Value:
    """Return a function that returns what variables have kept beside its result."""
    return Partial(Library("flax.nnx.captured"), (fn,), ())


@behaviour("flax.nnx.captured")
def captured(ctx: Context, fn: Value, *args: Value, **keywords: Value) -> Value:
    return Seq("tuple", (ctx.call(fn, list(args), keywords), ctx.lost("what variables keep")))


@behaviour("flax.nnx.make_attention_mask")
def attention_mask(ctx: Context, query_input: Value, key_input: Value, *rest: Value, **options: Value) -> Value:
    return ctx.apply("flax.linen.make_attention_mask", query_input, key_input)


@behaviour("flax.nnx.make_causal_mask")
def causal_mask(ctx: Context, x: Value, *rest: Value, **options: Value) -> Value:
    return ctx.lost("a mask") if rest or options else ctx.apply("flax.linen.make_causal_mask", x)


@behaviour("flax.nnx.{data,static,List,Dict}")
def marked(ctx: Context, value: Value = NONE, *rest: Value, **options: Value) -> Value:
    return value if not rest and not options else ctx.lost("a container")


@behaviour(METRIC, "flax.nnx.{MultiMetric,metrics.Average,metrics.Accuracy,metrics.Welford,metrics.MultiMetric}")
@behaviour("flax.nnx.{Average,Accuracy}")
def metric(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.new(METRIC)


@behaviour(f"{METRIC}.{{update,reset}}")
def counted(ctx: Context, self: Value, *args: Value, **options: Value) -> Value:
    return NONE


@behaviour(f"{METRIC}.compute")
def measured(ctx: Context, self: Value) -> Value:
    return ctx.lost("a measure")


@behaviour("flax.nnx.{LoRA,EMA,Bidirectional}")
def not_followed(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.lost("a module that is not followed")
