"""Functions called for their side effects, and initialisers: nothing that affects shapes."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain import values
from shapecheck.domain.values import NONE, Value
from shapecheck.models.lang import Context, attribute, behaviour, row_order
from shapecheck.models.lang.arguments import as_tensor, dtype_name
from shapecheck.shapes.claims import FALSE
from shapecheck.shapes.dtype import canonical, kind
from shapecheck.shapes.shape import SCALAR


@behaviour(
    "tf.{print,set_random_seed,add_check_numerics_ops}",
    "tf.{enable_eager_execution,disable_eager_execution,disable_v2_behavior,enable_v2_behavior,Assert}",
    "tf.compat.v1.{disable_v2_behavior,disable_eager_execution,enable_eager_execution}",
    "tf.random.set_seed",
    "tf.debugging.{Assert,assert_less,assert_greater,assert_non_negative,assert_positive}",
    "tf.debugging.{enable_check_numerics,assert_type,assert_less_equal}",
    "tf.{assert_less,assert_greater,assert_non_negative,assert_positive,assert_type}",
    "tf.{assert_less_equal,assert_greater_equal,assert_none_equal}",
    "tf.assert_{integer,near,negative,non_positive,proper_iterable,same_float_dtype,variables_initialized}",
    "tf.nest.assert_same_structure",
    "tf.data.Dataset.save",
    "tf.summary.{trace_on,trace_export,flush}",
    "np.{set_printoptions,seterr,save,savez,savez_compressed,copyto}",
    "np.testing.{assert_array_less,assert_approx_equal,assert_array_max_ulp,assert_raises,assert_warns}",
    "np.testing.{assert_array_equal,assert_allclose,assert_equal,assert_almost_equal,assert_array_almost_equal}",
    "tf.logging.{info,warning,warn,error,fatal,debug,set_verbosity}",
    "tf.config.set_visible_devices",
    "keras.utils.{save_img,clear_session,enable_interactive_logging,disable_interactive_logging}",
    "keras.preprocessing.image.save_img",
    "keras.backend.{clear_session,set_session,set_learning_phase,manual_variable_initialization}",
)
def effect(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return NONE


@behaviour("np.random.{seed,set_state,set_bit_generator}", "keras.utils.set_random_seed")
def seed(ctx: Context, *args: Value, **keywords: Value) -> Value:
    row_order.seed(ctx, row_order.NUMBERS)
    return NONE


@behaviour("np.random.{RandomState,Generator}.seed", "np.random.RandomState.set_state")
def seed_generator(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    row_order.seed(ctx, self)
    return NONE


@attribute("np.random.Generator.bit_generator")
def bit_generator(ctx: Context, self: Value) -> Value:
    """Its state may be set by what is done with it."""
    row_order.seed(ctx, self)
    return ctx.lost("a bit generator")


@behaviour("np.random.shuffle")
def shuffle(ctx: Context, x: Value) -> Value:
    row_order.shuffle(ctx, row_order.NUMBERS, x)
    return NONE


@behaviour("np.random.{RandomState,Generator}.shuffle")
def shuffle_by(ctx: Context, self: Value, x: Value, axis: Value = NONE) -> Value:
    row_order.shuffle(ctx, self, x)
    return NONE


@behaviour("np.savetxt")
def save_text(ctx: Context, fname: Value = NONE, X: Value = NONE, *args: Value, **keywords: Value) -> Value:  # noqa: N803
    """The text has rows and columns, or one number in each row."""
    rank = as_tensor(X, ctx).shape.rank if X != NONE else None
    if rank not in (None, 1, 2):
        ctx.require(ClashKind.RANK, FALSE, f"X has rank {rank}, not 1 or 2", X)
    return NONE


@behaviour("np.ndarray.{sort,fill,setflags}")
def in_place(ctx: Context, self: Value, *args: Value, **keywords: Value) -> Value:
    return NONE


@behaviour("np.{allclose,array_equal,array_equiv,can_cast,iscomplexobj,isrealobj,isfortran,isdtype}")
@behaviour("tf.is_numeric_tensor", "np.{may_share_memory,shares_memory}", "keras.ops.allclose")
def answered(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return values.Scalar("bool")


FAMILIES = {
    "int": ("integer", "number"),
    "float": ("floating", "inexact", "number"),
    "complex": ("complexfloating", "inexact", "number"),
    "bool": (),
    "string": (),
}


@behaviour("np.issubdtype")
def is_sub_dtype(ctx: Context, arg1: Value, arg2: Value) -> Value:
    """Return whether a dtype belongs to a family, such as `np.integer`."""
    name = canonical(dtype_name(arg1) or "")
    family = arg2.name.rpartition(".")[2] if isinstance(arg2, values.Library) else ""
    if name is None or all(family not in families for families in FAMILIES.values()):
        return values.Scalar("bool")
    return values.Const(family in FAMILIES[kind(name)])


@behaviour("tf.executing_eagerly")
def executing_eagerly(ctx: Context) -> Value:
    """Nothing runs at once where a graph is traced; outside, a program may build graphs as well."""
    return values.FALSE if ctx.is_in_graph else values.Scalar("bool")


@behaviour("tf.test.{is_gpu_available,is_built_with_cuda}")
def asked(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return values.Scalar("bool")


@behaviour("tf.{as_dtype,dtypes.as_dtype}", "np.dtype")
def as_dtype(ctx: Context, type_value: Value) -> Value:
    return type_value


@behaviour("np.random.RandomState")
def random_state(ctx: Context, seed: Value = NONE) -> Value:
    return ctx.new("np.random.RandomState")


@behaviour("np.random.default_rng")
def generator(ctx: Context, seed: Value = NONE) -> Value:
    return ctx.new("np.random.Generator")


@behaviour("keras.backend.learning_phase")
def learning_phase(ctx: Context) -> Value:
    return values.Tensor(SCALAR, "bool", "tf")
