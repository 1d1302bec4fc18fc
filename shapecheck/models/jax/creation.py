"""Arrays of JAX from values of other kinds, and dtypes that are called."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.domain.values import FALSE, NONE, Const, Library, Tensor, Value
from shapecheck.models.jax.trees import each_leaf
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.dtypes import as_made
from shapecheck.models.ops.create import counted

DTYPES = """
bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 complex128
""".split()


@behaviour("jax.numpy.arange")
def arange(ctx: Context, start: Value = NONE, stop: Value = NONE, step: Value = NONE, dtype: Value = NONE) -> Value:
    made = counted(ctx, "jax", start, stop, step, dtype)
    name = as_made("jax.numpy.arange", made.dtype, ctx.target) if isinstance(made, Tensor) else None
    return replace(made, dtype=name) if isinstance(made, Tensor) else made


def _register(name: str) -> None:
    def number(ctx: Context, x: Value = NONE) -> Value:
        """Return an array of a dtype, which is called like a function."""
        return ctx.apply("jax.numpy.asarray", x, dtype=Library(name))

    number.__module__ = __name__
    behaviour(name)(number)


for _dtype in DTYPES:
    _register(f"jax.numpy.{_dtype}")


@behaviour("jax.{ShapeDtypeStruct,core.ShapedArray}")
def described(ctx: Context, shape: Value, dtype: Value, *rest: Value, **options: Value) -> Value:
    """Return what tells the shape and the dtype of an array, as one does."""
    made = ctx.apply("jax.numpy.zeros", shape, dtype)
    return replace(made, content=None) if isinstance(made, Tensor) else made


@behaviour("jax.make_array_from_callback")
def from_pieces(ctx: Context, shape: Value, *rest: Value, dtype: Value = NONE, **options: Value) -> Value:
    """Return an array of which each device computes a piece; unless a dtype is given, that of the pieces."""
    made = ctx.apply("jax.numpy.zeros", shape, *([] if dtype == NONE else [dtype]))
    kind = made.dtype if isinstance(made, Tensor) and dtype != NONE else None
    return replace(made, content=None, dtype=kind) if isinstance(made, Tensor) else made


@behaviour("jax.numpy.{iscomplexobj,isrealobj,isscalar,allclose,array_equal}")
def tested(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.lost("a test")


@behaviour("jax.dtypes.issubdtype", "jax.numpy.issubdtype")
def is_dtype_of(ctx: Context, a: Value, b: Value) -> Value:
    """Return whether a dtype belongs to a family; that of keys belongs to none of numbers."""
    if not isinstance(a, Library) or "key<" not in a.name:
        return FALSE if b in _OF_KEYS and isinstance(a, Library) else ctx.apply("np.issubdtype", a, b)
    return Const(b in _OF_KEYS)


_OF_KEYS = (Library("jax.dtypes.prng_key"), Library("jax.dtypes.extended"))


@behaviour("jax.device_put", "jax.block_until_ready", "jax.lax.stop_gradient", "jax.lax.optimization_barrier")
def same_values(ctx: Context, x: Value, *args: Value, **options: Value) -> Value:
    return ctx.freeze(x) if not isinstance(x, Tensor) or x.library == "jax" else as_array(ctx, x)


@behaviour("jax.device_get")
def fetched(ctx: Context, x: Value) -> Value:
    """Return a tree of arrays of NumPy; those that are traced are returned as they are."""
    return each_leaf(ctx, ctx.freeze(x), lambda leaf: _fetched(ctx, leaf))


def _fetched(ctx: Context, leaf: Value) -> Value:
    return ctx.apply("np.asarray", leaf) if isinstance(leaf, Tensor) and not leaf.trace else leaf


def as_array(ctx: Context, value: Value) -> Value:
    """Return a number or an array as an array of JAX."""
    return ctx.apply("jax.numpy.asarray", value)
