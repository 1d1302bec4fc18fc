"""Variables: creation and assignment."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain import values
from shapecheck.domain.values import FALSE, NONE, Const, Value
from shapecheck.models.lang import Context, attribute, behaviour
from shapecheck.models.lang.apply import same
from shapecheck.models.lang.arguments import as_tensor, dtype_name, shape_arg
from shapecheck.models.lang.constraints import Need, Refused, never
from shapecheck.models.lang.parameter_kinds import Tensor
from shapecheck.models.lang.scopes import CREATED, has_creator
from shapecheck.models.ops.gather import scattered
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size, symbols


def _initial(ctx: Context, value: Value) -> Value:
    """Return the initial value, which may be given by a function without arguments."""
    callables = (values.Function, values.Method, values.Partial, values.Library, values.BoundLibraryMethod)
    return ctx.freeze(ctx.call(value, [])) if isinstance(value, callables) else value


@behaviour("{tf,keras}.Variable")
def variable(
    ctx: Context,
    initial_value: Value = NONE,
    trainable: Value = NONE,
    collections: Value = NONE,
    validate_shape: Value = Const(True),
    caching_device: Value = NONE,
    name: Value = NONE,
    variable_def: Value = NONE,
    dtype: Value = NONE,
    shape: Value = NONE,
) -> Value:
    tensor = as_tensor(_initial(ctx, initial_value), ctx)
    if has_creator(ctx):
        return ctx.lost(CREATED)
    if validate_shape != FALSE:
        needs_classic_shape(ctx, "initial_value", tensor)
    known = _with_own_axes(ctx, shape_arg(shape, ctx)) if shape != NONE else tensor.shape
    wanted = _with_open_axes_of(known, tensor.shape)
    for need in _fits(wanted, tensor.shape) if shape != NONE and tensor.shape.is_ranked else ():
        ctx.require(ClashKind.SET_SHAPE, need.claim, need.message, tensor)
    return values.Tensor(known, tensor.dtype if dtype == NONE else dtype_name(dtype), "tf", role="variable")


def needs_classic_shape(ctx: Context, name: str, tensor: values.Tensor) -> None:
    """State that a variable of TensorFlow 1 has a shape that is known while the graph is built."""
    is_open = any(symbol.kind is Kind.DYNAMIC for symbol in tensor.shape.map(ctx.resolve).symbols())
    is_open = is_open or _is_of_any_shape(ctx, tensor)
    if ctx.target.classic_variables and (is_open or not tensor.static):
        need = never(ClashKind.UNBUILT, f"{name} has the run-time shape {tensor.shape}")
        ctx.require(need.kind, need.claim, need.message, tensor)


def _is_of_any_shape(ctx: Context, tensor: values.Tensor) -> bool:
    """Return whether a tensor is a placeholder that was made without a shape."""
    if tensor.role != "placeholder" or tensor.shape != UNRANKED:
        return False
    name, args = ctx.operation(tensor)
    return name == "tf.placeholder" and len(args) < 2 and ctx.keyword(tensor, "shape") in (None, NONE)


@behaviour("keras.backend.variable")
def backend_variable(ctx: Context, value: Value, dtype: Value = NONE) -> Value:
    made = variable(ctx, value, dtype=dtype)
    if dtype == NONE and isinstance(made, values.Tensor):
        made = replace(made, dtype=None)  # a setting, which is not known here
    return _of_any_size(ctx, made) if ctx.target.theano and isinstance(made, values.Tensor) else made


def _of_any_size(ctx: Context, made: values.Tensor) -> values.Tensor:
    """Return a variable of Theano, which may be set to arrays of all sizes."""
    return replace(made, shape=made.shape.map(lambda _: ctx.fresh("?", Kind.LOST, "what a variable is set to")))


def assigned(ctx: Context, target: Value, value: Value, validate: Value = NONE) -> Value:
    """Return the variable after an assignment; the value has its shape."""
    if not isinstance(target, values.Tensor):
        return ctx.lost("which variable is assigned")
    new = as_tensor(value, ctx)
    if validate == FALSE:
        return replace(target, shape=new.shape)
    for need in _fits(target.shape, new.shape):
        ctx.require(ClashKind.SET_SHAPE, need.claim, need.message, target, new)
    return target


def _fits(shape: Shape, new: Shape) -> list[Need]:
    return same(Tensor("the variable", shape), shape, Tensor("the value", new), new)


def _with_open_axes_of(declared: Shape, initial: Shape) -> Shape:
    """Return a declared shape with the sizes of the initial value where it is open: they hold until the first
    assignment alone, and a layer may be traced before that."""
    if declared.rank is None or declared.rank != initial.rank:
        return declared
    pairs = zip(declared.sizes, initial.sizes, strict=True)
    return Shape(tuple(size if _is_open(mine) else mine for mine, size in pairs))


def assigned_anew(ctx: Context, target: Value, value: Value) -> Value:
    """Return the variable after an assignment, with the axes open again that were declared open."""
    if not isinstance(target, values.Tensor) or not any(map(_is_open, target.shape.known)):
        return assigned(ctx, target, value)
    renewed = target.with_shape(_with_own_axes(ctx, target.shape))
    ctx.refine(target, renewed)
    return assigned(ctx, renewed, value)


def _with_own_axes(ctx: Context, shape: Shape) -> Shape:
    """Return a shape whose open axes are nobody else's, as others may be given the same shape."""
    return shape.map(lambda size: ctx.fresh("None", Kind.DYNAMIC, "given as None") if _is_open(size) else size)


def _is_open(size: Size) -> bool:
    return any(symbol.kind is Kind.DYNAMIC for symbol in symbols(size))


@behaviour("tf.{assign,assign_add,assign_sub}", "keras.backend.{update,update_add,update_sub}")
def assign(ctx: Context, ref: Value, value: Value, validate_shape: Value = NONE) -> Value:
    return assigned(ctx, ref, value, validate_shape)


@behaviour("tf.Variable.assign")
def assign_method(ctx: Context, self: Value, value: Value) -> Value:
    return _result(ctx, self, assigned_anew(ctx, self, value))


@behaviour("tf.Variable.{assign_add,assign_sub}")
def assign_more(ctx: Context, self: Value, value: Value) -> Value:
    return _result(ctx, self, assigned(ctx, self, value))


def _result(ctx: Context, variable: Value, after: Value) -> Value:
    """Return what a method that assigns returns: of a variable of Keras 3 the value alone."""
    if not isinstance(variable, values.Tensor) or not isinstance(after, values.Tensor) or ctx.target.keras != 3:
        return after
    is_of_keras = ctx.operation(variable)[0].startswith("keras.")
    return replace(after, role="tensor", step=0, output=0) if is_of_keras else after


@behaviour("tf.Variable.load")
def load(ctx: Context, self: Value, value: Value, session: Value = NONE) -> Value:
    assigned(ctx, self, value)
    return NONE


@behaviour("tf.Variable.set_value")
def set_value(ctx: Context, self: Value, new_value: Value = NONE, borrow: Value = NONE) -> Value:
    """Set a variable of Keras on Theano, which accepts arrays of all sizes."""
    if isinstance(self, values.Tensor):
        new = as_tensor(new_value, ctx).shape
        open_ = _of_any_size(ctx, self)
        ctx.refine(self, replace(open_, shape=new if new.is_ranked else open_.shape, content=None))
    return NONE


@attribute("tf.Variable.{initial_value,initializer}")
def initial_value(ctx: Context, self: Value) -> Value:
    return replace(self, role="tensor") if isinstance(self, values.Tensor) else self


@behaviour("tf.scatter_{update,add,sub,max,min,mul,div}")
def scatter(
    ctx: Context, ref: Value, indices: Value, updates: Value, use_locking: Value = NONE, name: Value = NONE
) -> Value:
    """There is a number for all rows, or a row for each index."""
    target, places, new = (as_tensor(value, ctx) for value in (ref, indices, updates))
    if target.shape.head and places.shape.is_ranked and new.shape.rank != 0:
        rows = Shape((*places.shape.sizes, *target.shape.head[1:]), target.shape.tail)
        _written(ctx, target, places, new, same(_part("updates", new), new.shape, _part("indices", places), rows))
    return ref


@behaviour("tf.scatter_nd_{update,add,sub}")
def scatter_nd(
    ctx: Context, ref: Value, indices: Value, updates: Value, use_locking: Value = NONE, name: Value = NONE
) -> Value:
    target, places, new = (as_tensor(value, ctx) for value in (ref, indices, updates))
    try:
        needs = scattered(target.shape, _part("indices", places), _part("updates", new))
    except Refused as why:
        needs = [why.need]
    _written(ctx, target, places, new, needs)
    return ref


def _part(name: str, tensor: values.Tensor) -> Tensor:
    return Tensor(name, tensor.shape)


def _written(
    ctx: Context, target: values.Tensor, places: values.Tensor, new: values.Tensor, needs: Iterable[Need]
) -> None:
    for need in needs:
        ctx.require(need.kind, need.claim, need.message, target, places, new)


@behaviour("tf.batch_scatter_update")
def batch_scatter(ctx: Context, ref: Value, *args: Value, **keywords: Value) -> Value:
    return ref
