"""Functions of Python that are operations of a graph: their results are declared beforehand."""

from __future__ import annotations

from dataclasses import replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.agreement import dtype_difference, is_converted, is_known, is_nest
from shapecheck.domain.values import NONE, Const, Library, Lost, Partial, Seq, Tensor, Value
from shapecheck.models.lang import Context, behaviour
from shapecheck.models.lang.arguments import dtype_name
from shapecheck.shapes.claims import FALSE
from shapecheck.shapes.dtype import canonical

DECLARATIONS = (Const, Library, Seq)
"""What tells how many results there are: dtypes, and lists of known items."""
IN_NUMPY = {bool: "bool", int: "int64", float: "float64", str: "string", bytes: "string"}
"""The dtypes that NumPy gives to values of Python."""


@behaviour("tf.py_function")
def py_function(ctx: Context, func: Value = NONE, inp: Value = NONE, Tout: Value = NONE, **options: Value) -> Value:  # noqa: N803
    """The function is given eager tensors; TensorFlow converts its results, except for tensors of another dtype."""
    if inp == NONE:
        return _decorator("tf.py_function", func, Tout)
    results = _results(ctx, func, inp)
    given = results if isinstance(Tout, DECLARATIONS) else None
    wanted = [dtype_name(dtype) for dtype in _declared(Tout)]
    if given is not None and len(given) < len(wanted):
        _refuse(ctx, func, f"the function returns {_count(given)}, Tout declares {len(wanted)}")
    for dtype, value in zip(wanted, given or (), strict=False):
        differ = dtype_difference(Tensor(dtype=dtype), value)
        if differ is not None and not is_converted(value, differ[0]):
            _refuse(ctx, func, f"the function returns {differ[1]}, Tout declares {differ[0]}")
            break
    return _outputs(Tout, is_in_graph=ctx.is_in_graph)


@behaviour("tf.{py_func,numpy_function}")
def numpy_function(ctx: Context, func: Value = NONE, inp: Value = NONE, Tout: Value = NONE, **options: Value) -> Value:  # noqa: N803
    """The function is given arrays. A graph takes its results as they are; eagerly, they need not be as declared."""
    if inp == NONE:
        return _decorator("tf.numpy_function", func, Tout)
    results = _results(ctx, func, inp, is_numpy=True)
    given = results if isinstance(Tout, DECLARATIONS) else None
    if not ctx.is_in_graph:
        return _outputs(Tout, is_in_graph=False, is_certain=ctx.target.classic_variables)
    wanted = [canonical(dtype_name(dtype) or "") for dtype in _declared(Tout)]
    if given is not None and len(given) != len(wanted):
        _refuse(ctx, func, f"the function returns {_count(given)}, Tout declares {len(wanted)}")
        return _outputs(Tout, is_in_graph=True)
    for dtype, value in zip(wanted, given or (), strict=bool(given)):
        made = _dtype_in_numpy(value)
        if dtype is not None and made is not None and made != dtype:
            _refuse(ctx, func, f"the function returns {made}, Tout declares {dtype}")
            break
    return _outputs(Tout, is_in_graph=True)


def _decorator(name: str, func: Value, declaration: Value) -> Value:
    """Return the decorator that a call without inputs makes, or the function that it gives."""
    options = (("Tout", declaration),)
    return Partial(Library(name), (), options) if func == NONE else Partial(Library(f"{name}.call"), (func,), options)


@behaviour("tf.py_function.call")
def decorated(ctx: Context, func: Value, *inp: Value, Tout: Value = NONE) -> Value:  # noqa: N803
    return py_function(ctx, func, Seq("list", inp), Tout)


@behaviour("tf.numpy_function.call")
def decorated_with_arrays(ctx: Context, func: Value, *inp: Value, Tout: Value = NONE) -> Value:  # noqa: N803
    return numpy_function(ctx, func, Seq("list", inp), Tout)


def _results(ctx: Context, func: Value, inp: Value, *, is_numpy: bool = False) -> tuple[Value, ...] | None:
    """Return the values that a function returns each time that the graph runs; None if they are not known."""
    args = inp.items if isinstance(inp, Seq) else None
    if args is None:
        ctx.call(ctx.lost("a function that runs outside the graph"), [func])
        return None
    result = ctx.freeze(ctx.call_eagerly(func, [with_value(arg, is_numpy) for arg in args]))
    ctx.call(ctx.lost("a function that runs again and again"), [func])
    if isinstance(result, Seq) and is_nest(result):
        return result.items
    if result == NONE:
        return ()
    return (result,) if is_known(result) else None


def with_value(arg: Value, is_numpy: bool) -> Value:
    """Return an argument as the function gets it."""
    if not isinstance(arg, Tensor):
        return arg
    made = replace(arg, content=None, role="tensor", static=True)
    return replace(made, library="np", step=0, output=0, trace=0) if is_numpy else made


def _dtype_in_numpy(value: Value) -> str | None:
    """Return the dtype of the array that NumPy makes of a value; None if it is not known."""
    match value:
        case Tensor(dtype=str(name)) if name != "object":  # of elements that are not known
            return canonical(name)
        case Const():
            return IN_NUMPY.get(type(value.value))
    return None


def _declared(declaration: Value) -> tuple[Value, ...]:
    """Return the declared dtypes."""
    return declaration.items if isinstance(declaration, Seq) else (declaration,)


def _outputs(declaration: Value, *, is_in_graph: bool, is_certain: bool = True) -> Value:
    """Return tensors of the declared dtypes, whose shapes are not known."""
    if not isinstance(declaration, DECLARATIONS):
        return Lost("as many results as are declared")
    dtypes = [dtype_name(dtype) if is_certain else None for dtype in _declared(declaration)]
    outputs = [Tensor(dtype=dtype, is_rank_open=is_in_graph) for dtype in dtypes]
    return Seq("list", tuple(outputs)) if isinstance(declaration, Seq) else outputs[0]


def _count(given: tuple[Value, ...]) -> str:
    return f"{len(given)} value{'' if len(given) == 1 else 's'}"


def _refuse(ctx: Context, func: Value, said: str) -> None:
    ctx.require(ClashKind.DECLARED, FALSE, said, func)
