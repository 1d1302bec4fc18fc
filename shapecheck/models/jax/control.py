"""Control flow that JAX traces: `scan`, `cond`, `switch`, `while_loop`, `fori_loop` and `map`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Dict, Int, Lost, Partial, Seq, Tensor, Value, as_size, of_size
from shapecheck.models.jax.promotion import common
from shapecheck.models.jax.transforms import CALLABLE, TRACED, batched
from shapecheck.models.jax.tree_objects import closed, opened
from shapecheck.models.jax.trees import each_leaf
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.evaluate import joined
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.facts import FALSE as NEVER
from shapecheck.shapes.facts import Verdict
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Size


@behaviour("jax.lax.scan")
def scan(ctx: Context, f: Value, init: Value, xs: Value = NONE, length: Value = NONE, **options: Value) -> Value:
    """Return the last state, which is like the first one, and the results of all steps along a new first axis."""
    start, steps = _arrays(ctx, init), opened(ctx, xs)
    if steps == NONE and length == NONE:
        ctx.require(ClashKind.NOTHING, NEVER, "neither xs nor length tells how many steps there are")
        return ctx.lost("a number of steps")
    takes(ctx, f, 2)
    counts = list(_lengths(steps))
    if not _agree(ctx, counts):
        return ctx.lost("steps of several numbers")
    size = counts[0][1] if counts else as_size(length)
    row = each_leaf(ctx, steps, lambda leaf: _row(as_tensor(leaf, ctx)))
    made = ctx.freeze(ctx.call_traced("jax", f, [start, row], is_total=True))
    if not isinstance(made, Seq) or len(made.items) != 2:
        _refuse_single(ctx, made)
        return Seq("tuple", (start, ctx.lost("results of a loop")))
    state, result = made.items
    _keeps(ctx, opened(ctx, start), opened(ctx, state))
    return Seq("tuple", (start, each_leaf(ctx, result, lambda leaf: _stacked(as_tensor(leaf, ctx), size))))


def _refuse_single(ctx: Context, made: Value) -> None:
    """State that the function of a scan returns two values."""
    if isinstance(made, Tensor) or (isinstance(made, Seq) and made.kind in ("list", "tuple")):
        what = f"{len(made.items)} values" if isinstance(made, Seq) else f"one array of shape {made.shape}"
        said = f"the function returns {what}, not a pair of the state and a result"
        ctx.require(ClashKind.LOOP_SHAPE, NEVER, said, made)


def takes(ctx: Context, function: Value, count: int) -> None:
    """State that a function of the program can be called with a number of arguments."""
    listed = ctx.parameters(function)
    if listed is not None and not sum(listed.values()) <= count <= len(listed):
        said = f"the function takes {counted(len(listed), 'argument')}, it is given {count or 'none'}"
        ctx.require(ClashKind.SIGNATURE, NEVER, said)


def counted(count: int, what: str) -> str:
    return f"{count or 'no'} {what}{'' if count == 1 else 's'}"


def _decides(ctx: Context, condition: Value, name: str) -> None:
    """State that a condition is one truth value."""
    if isinstance(condition, Tensor) and condition.shape.known:
        said = f"{name} is an array of shape {condition.shape}, not one truth value"
        ctx.require(ClashKind.RANK, NEVER, said, condition)


def _arrays(ctx: Context, value: Value) -> Value:
    """Return a state as the function of a loop is given it: arrays, whose elements are not known."""
    return each_leaf(ctx, value, lambda leaf: _array(as_tensor(leaf, ctx)))


def _array(tensor: Tensor) -> Tensor:
    return Tensor(tensor.shape, tensor.dtype if tensor.library == "jax" else None, "jax", tensor.step, tensor.output)


def _lengths(steps: Value) -> list[tuple[Tensor, Size]]:
    """Return the arrays of which a loop takes the rows, with the number of rows."""
    match steps:
        case Tensor(shape=Shape(head=(size, *_))):
            return [(steps, size)]
        case Seq(items=items):
            return [pair for item in items for pair in _lengths(item)]
        case Dict(items=pairs):
            return [pair for _, item in pairs for pair in _lengths(item)]
    return []


def _agree(ctx: Context, counts: Sequence[tuple[Tensor, Size]]) -> bool:
    for tensor, size in counts[1:]:
        said = f"the loop is over {counts[0][1]} rows and over {size} rows"
        if ctx.require(ClashKind.AXIS, Equal(counts[0][1], size), said, counts[0][0], tensor) is Verdict.NEVER:
            return False
    return True


def _row(tensor: Tensor) -> Tensor:
    head, tail = tensor.shape.head, tensor.shape.tail
    return Tensor(Shape(head[1:], tail) if head else UNRANKED, tensor.dtype, "jax")


def _stacked(tensor: Tensor, size: Size | None) -> Tensor:
    shape = UNRANKED if size is None else Shape((size, *tensor.shape.head), tensor.shape.tail)
    return Tensor(shape, tensor.dtype, "jax")


def _keeps(ctx: Context, before: Value, after: Value, what: str = "the state of the loop") -> None:
    """State that a function of a loop returns a state like the one that it is given."""
    match before, after:
        case Seq(items=first), Seq(items=last):
            if len(first) != len(last):
                ctx.require(
                    ClashKind.LOOP_SHAPE, NEVER, f"{what} has {len(first)} parts, {len(last)} are returned", after
                )
            else:
                for one, other in zip(first, last, strict=True):
                    _keeps(ctx, one, other, what)
        case Dict(rest=None), Dict(rest=None):
            for key, one in before.items:
                if (found := after.get(key)) is not None:
                    _keeps(ctx, one, found, what)
        case Tensor(), Tensor():
            _keeps_shape(ctx, before, after, what)
            _keeps_dtype(ctx, before, after, what)


def _keeps_shape(ctx: Context, before: Tensor, after: Tensor, what: str) -> None:
    first, last = before.shape, after.shape
    if first.tail is not None or last.tail is not None:
        return
    said = f"{what} has shape {first}, and shape {last} is returned"
    if len(first.head) != len(last.head):
        ctx.require(ClashKind.LOOP_SHAPE, NEVER, said, after)
        return
    for one, other in zip(first.head, last.head, strict=True):
        if ctx.require(ClashKind.LOOP_SHAPE, Equal(one, other), said, after) is Verdict.NEVER:
            return


def _keeps_dtype(ctx: Context, before: Tensor, after: Tensor, what: str) -> None:
    """State that a dtype stays; that of a number of Python, which may change, is not known."""
    one, other = common([before.dtype]), common([after.dtype])
    if one is not None and other is not None and one != other:
        ctx.require(ClashKind.LOOP_TYPE, NEVER, f"{what} is {one}, and {other} is returned", after)


@behaviour("jax.lax.while_loop")
def while_loop(ctx: Context, cond_fun: Value, body_fun: Value, init_val: Value) -> Value:
    start = _arrays(ctx, init_val)
    takes(ctx, cond_fun, 1)
    takes(ctx, body_fun, 1)
    _decides(ctx, ctx.freeze(ctx.call_traced("jax", cond_fun, [start], is_total=True)), "the condition")
    _keeps(ctx, opened(ctx, start), opened(ctx, ctx.call_traced("jax", body_fun, [start], is_total=True)))
    return start


@behaviour("jax.lax.fori_loop")
def fori_loop(ctx: Context, lower: Value, upper: Value, body_fun: Value, init_val: Value, **options: Value) -> Value:
    start = _arrays(ctx, init_val)
    takes(ctx, body_fun, 2)
    turn = Tensor(Shape(()), "int32", "jax")
    _keeps(ctx, opened(ctx, start), opened(ctx, ctx.call_traced("jax", body_fun, [turn, start], is_total=True)))
    return start


@behaviour("jax.lax.map")
def mapped(ctx: Context, f: Value, xs: Value, **options: Value) -> Value:
    return batched(ctx, f, of_size(0), of_size(0), NONE, xs)


@behaviour("jax.lax.cond")
def cond(ctx: Context, pred: Value, true_fun: Value, false_fun: Value, *operands: Value, **options: Value) -> Value:
    """The functions have the same operands; an older form has one beside each function."""
    _decides(ctx, pred, "pred")
    if len(operands) == 2 and isinstance(operands[1], CALLABLE) and not isinstance(true_fun, CALLABLE):
        return _either(ctx, [(false_fun, (true_fun,)), (operands[1], operands[:1])])
    given = _operands(operands, options)
    return _either(ctx, [(true_fun, given), (false_fun, given)])


@behaviour("jax.lax.switch")
def switch(ctx: Context, index: Value, branches: Value, *operands: Value, **options: Value) -> Value:
    found, given = ctx.elements(branches), _operands(operands, options)
    return _either(ctx, [(each, given) for each in found]) if found else ctx.lost("one of several functions")


def _operands(operands: tuple[Value, ...], options: Mapping[str, Value]) -> tuple[Value, ...]:
    return (*operands, options["operand"]) if "operand" in options else operands


def _either(ctx: Context, calls: Sequence[tuple[Value, Sequence[Value]]]) -> Value:
    """Return what calls have in common of which one is made: all return arrays of the same shapes."""
    for function, given in calls:
        takes(ctx, function, len(given))
    arrays = [tuple(_arrays(ctx, operand) for operand in given) for _, given in calls]
    traced = [Partial(TRACED, (function, *given), ()) for (function, _), given in zip(calls, arrays, strict=True)]
    results = [opened(ctx, each) for each in ctx.call_independently(traced)]
    if len(results) < len(calls) or any(isinstance(each, Lost) for each in results):
        return ctx.lost("the result of one of several functions")
    for other in results[1:]:
        _alike(ctx, results[0], other)
    return closed(ctx, joined([opened(ctx, _arrays(ctx, each)) for each in results], ctx))


def _alike(ctx: Context, first: Value, second: Value) -> None:
    match first, second:
        case Tensor(), Tensor() if first.shape.is_ranked and second.shape.is_ranked:
            sizes = zip(first.shape.head, second.shape.head, strict=False)
            is_other = len(first.shape.head) != len(second.shape.head)
            if is_other or any(ctx.known(Equal(*pair)) is Verdict.NEVER for pair in sizes):
                said = f"one function returns an array of shape {first.shape}, another one of shape {second.shape}"
                ctx.require(ClashKind.BRANCHES, NEVER, said, first, second)
            else:
                _of_one_dtype(ctx, first, second)
        case Tensor() | Const() | Int(), Tensor() | Const() | Int():
            _of_one_dtype(ctx, first, second)
        case Seq(items=one), Seq(items=other) if len(one) == len(other):
            for pair in zip(one, other, strict=True):
                _alike(ctx, *pair)


def _of_one_dtype(ctx: Context, first: Value, second: Value) -> None:
    one, other = _dtype(first), _dtype(second)
    if one is not None and other is not None and one != other:
        ctx.require(ClashKind.BRANCHES, NEVER, f"one function returns {one}, another one {other}", first, second)


def _dtype(value: Value) -> str | None:
    """Return the dtype of an array, or of the one that a number becomes."""
    match value:
        case Tensor():
            return common([value.dtype])
        case Int():
            return "int32"
        case Const(value=bool() | int() | float()):
            return _OF_NUMBERS[type(value.value)]
    return None


_OF_NUMBERS: dict[type, str] = {bool: "bool", int: "int32", float: "float32"}


@behaviour("jax.lax.associative_scan")
def associative_scan(ctx: Context, fn: Value, elems: Value, **options: Value) -> Value:
    return _arrays(ctx, elems)
