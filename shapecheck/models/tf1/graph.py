"""Parts of a TensorFlow 1 graph other than operations on tensors: placeholders, collections, initialisers."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    NONE,
    TRUE,
    Const,
    Dict,
    HomogeneousSeq,
    Lost,
    Partial,
    Ref,
    Scalar,
    Seq,
    Tensor,
    Value,
    as_str,
    items_of,
    walk,
)
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.arguments import as_tensor, dtype_name, shape_arg
from shapecheck.shapes.claims import FALSE, AtLeast
from shapecheck.shapes.shape import SCALAR, UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size, symbols

OPERATION = "tf.Operation"


def is_dynamic(size: Size) -> bool:
    """Return whether the library does not know a size while it builds its graph."""
    return any(symbol.kind is Kind.DYNAMIC for symbol in symbols(size))


def declared_shape(ctx: Context, value: Value) -> Shape:
    """Return a shape as the library keeps it: sizes that it does not know yet are new dynamic symbols."""
    if value == NONE or isinstance(value, Lost):
        return UNRANKED

    def declare(size: Size) -> Size:
        if isinstance(size, int) and size < 0:
            ctx.require(
                ClashKind.NEGATIVE_SIZE, AtLeast(size, 0), f"the shape has a size of {size}; None stands for any size"
            )
        return ctx.fresh("None", Kind.DYNAMIC, "declared as None") if is_dynamic(size) else size

    return shape_arg(value, ctx).map(declare)


@behaviour("tf.placeholder")
def placeholder(ctx: Context, dtype: Value = NONE, shape: Value = NONE, name: Value = NONE) -> Value:
    return Tensor(declared_shape(ctx, shape), dtype_name(dtype), role="placeholder")


@behaviour("tf.placeholder_with_default")
def placeholder_with_default(ctx: Context, input: Value, shape: Value, name: Value = NONE) -> Value:
    return Tensor(declared_shape(ctx, shape), as_tensor(input, ctx).dtype, role="placeholder")


@behaviour("tf.sparse_placeholder")
def sparse_placeholder(ctx: Context, dtype: Value, shape: Value = NONE, name: Value = NONE) -> Value:
    return Tensor(declared_shape(ctx, shape), dtype_name(dtype), role="sparse")


# Operations and their inputs ----------------------------------------------------------------------------------------


def inputs_of(ctx: Context, value: Value) -> tuple[Tensor, ...]:
    """Return the tensors that a value (a tensor, an operation, or a structure of them) depends on."""
    found: dict[Tensor, None] = {}
    for part in walk(value):
        if isinstance(part, Tensor) and part.library != "np":
            found[part] = None
        elif isinstance(part, Ref) and part.cls == OPERATION:
            inner = ctx.get(part, "_inputs")
            found |= dict.fromkeys(tensor for tensor in walk(inner or NONE) if isinstance(tensor, Tensor))
    return tuple(found)


def operation(ctx: Context, *needs: Value) -> Ref:
    """Return an operation without result; running it computes the tensors that it needs."""
    return ctx.new(OPERATION, _inputs=Seq("tuple", inputs_of(ctx, Seq("tuple", needs))))


@behaviour(
    "tf.global_variables_initializer",
    "tf.initialize_all_tables",
    "tf.initialize_all_variables",
    "tf.initialize_local_variables",
    "tf.initialize_variables",
    "tf.initializers.global_variables",
    "tf.initializers.local_variables",
    "tf.initializers.tables_initializer",
    "tf.initializers.variables",
    "tf.local_variables_initializer",
    "tf.no_op",
    "tf.report_uninitialized_variables",
    "tf.tables_initializer",
    "tf.variables_initializer",
)
def initializer(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return operation(ctx)


@behaviour("tf.group")
def group(ctx: Context, *inputs: Value, **keywords: Value) -> Value:
    return operation(ctx, *inputs)


@behaviour("tf.python.ops.control_flow_ops.with_dependencies", "tf.with_dependencies")
def with_dependencies(ctx: Context, dependencies: Value, output_tensor: Value, name: Value = NONE) -> Value:
    return output_tensor


@behaviour("tf.tuple")
def together(ctx: Context, tensors: Value, name: Value = NONE, control_inputs: Value = NONE) -> Value:
    return tensors


@behaviour("tf.summary.merge", "tf.merge_summary")
def merge_summaries(ctx: Context, inputs: Value, *args: Value, **keywords: Value) -> Value:
    return Tensor(SCALAR, "string")


@behaviour("tf.summary.merge_all", "tf.merge_all_summaries")
def merge_all_summaries(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return Tensor(SCALAR, "string")


@behaviour(
    *(f"tf.summary.{name}" for name in ("audio", "histogram", "image", "tensor_summary", "text", "write")),
    *(f"tf.{name}_summary" for name in ("audio", "histogram", "image")),
    *(f"tf.contrib.deprecated.{name}_summary" for name in ("audio", "histogram", "image")),
)
def summary(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return Tensor(SCALAR, "string")


@behaviour("tf.summary.scalar", "tf.scalar_summary", "tf.contrib.deprecated.scalar_summary")
def scalar_summary(ctx: Context, *args: Value, **keywords: Value) -> Value:
    """A name belongs to one number; several names may be given with as many numbers."""
    named = {**dict(zip(("name", "tensor"), args, strict=False)), **keywords}
    name = named.get("name", named.get("tags", NONE))
    number = next((named[key] for key in ("tensor", "data", "values") if key in named), NONE)
    if isinstance(number, Tensor) and number.shape.rank and as_str(name) is not None:
        ctx.require(ClashKind.RANK, FALSE, f"the value has shape {number.shape}, it must be a scalar", number)
    return Tensor(SCALAR, "string")


# Collections --------------------------------------------------------------------------------------------------------


def variables(ctx: Context) -> Value:
    """Return a list of variables of unknown length."""
    return HomogeneousSeq(
        "list", Tensor(UNRANKED, role="variable"), ctx.fresh("variables", Kind.LOST, "the variables so far")
    )


@behaviour(
    "tf.contrib.framework.get_model_variables",
    "tf.contrib.framework.get_trainable_variables",
    "tf.contrib.framework.get_variables",
    "tf.contrib.slim.get_model_variables",
    "tf.contrib.slim.get_trainable_variables",
    "tf.contrib.slim.get_variables",
    "tf.contrib.slim.get_variables_to_restore",
    "tf.local_variables",
    "tf.model_variables",
    "tf.moving_average_variables",
)
def list_variables(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return variables(ctx)


def unknown_items(ctx: Context, name: str) -> Value:
    """Return a list of the unknown items of a collection."""
    name = name.upper()
    if name.endswith("VARIABLES"):
        return variables(ctx)
    if name == "REGULARIZATION_LOSSES":
        return HomogeneousSeq("list", Tensor(SCALAR, "float32"), ctx.fresh("losses", Kind.LOST, "the losses so far"))
    items = ctx.fresh("items", Kind.LOST, "what a collection holds")
    return HomogeneousSeq("list", ctx.lost("an item of a collection"), items)


@behaviour("tf.losses.get_losses", "tf.losses.get_regularization_losses")
def get_losses(ctx: Context, scope: Value = NONE, loss_collection: Value = NONE) -> Value:
    return HomogeneousSeq("list", Tensor(SCALAR, "float32"), ctx.fresh("losses", Kind.LOST, "the losses so far"))


@behaviour(
    "tf.losses.get_total_loss",
    "tf.losses.get_regularization_loss",
    "tf.contrib.losses.get_total_loss",
    "tf.contrib.slim.losses.get_total_loss",
)
def total_loss(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return Tensor(SCALAR, "float32")


@behaviour(
    "tf.contrib.framework.create_global_step",
    "tf.contrib.framework.get_global_step",
    "tf.contrib.framework.get_or_create_global_step",
    "tf.contrib.slim.create_global_step",
    "tf.contrib.slim.get_or_create_global_step",
    "tf.train.create_global_step",
    "tf.train.get_global_step",
    "tf.train.get_or_create_global_step",
)
def global_step(ctx: Context, graph: Value = NONE) -> Value:
    return Tensor(SCALAR, "int64", role="variable")


@behaviour("tf.train.global_step")
def global_step_value(ctx: Context, sess: Value, global_step_tensor: Value) -> Value:
    return Scalar("int")


@behaviour("tf.make_template")
def make_template(
    ctx: Context,
    name_: Value,
    func_: Value,
    create_scope_now_: Value = NONE,
    unique_name_: Value = NONE,
    custom_getter_: Value = NONE,
    **keywords: Value,
) -> Value:
    return Partial(func_, (), tuple(keywords.items()))


@behaviour("tf.contrib.framework.with_shape", "tf.contrib.framework.with_same_shape")
def with_shape(ctx: Context, expected: Value, tensor: Value) -> Value:
    return replace(tensor, step=0) if isinstance(tensor, Tensor) else tensor


@behaviour("tf.contrib.slim.utils.convert_collection_to_dict")
def collection_to_dict(ctx: Context, collection: Value, clear_collection: Value = TRUE) -> Value:
    return Dict((), ctx.lost("what a collection holds"))


@behaviour("tf.contrib.slim.utils.last_dimension", "tf.contrib.layers.utils.last_dimension")
def last_dimension(ctx: Context, shape: Value, min_rank: Value = Const(1)) -> Value:
    items = items_of(shape)
    return items[-1] if items else ctx.lost("the last size of a shape")
