"""Sizes that a graph does not know while it is built: `x.shape[0]` is None then, `tf.shape(x)[0]` is a tensor."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.paths.constraints import require
from shapecheck.dataflow.stages.checks import is_keras_tensor, is_symbolic
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.path import PathEnds
from shapecheck.domain.values import (
    NONE,
    Const,
    Int,
    Library,
    OpenRank,
    OpenSize,
    Ref,
    Seq,
    Tensor,
    Value,
    of_size,
    sizes_of,
    walk,
)
from shapecheck.models.lang.registry import Model
from shapecheck.models.lang.traits import has
from shapecheck.shapes.facts import FALSE
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size, symbols
from shapecheck.shapes.symbol import Symbol
from shapecheck.shapes.text import show
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


class OpenSizes:
    """Sizes that only the elements of symbolic tensors tell, such as the number of rows that a mask leaves."""

    def __init__(self) -> None:
        self.symbols: set[Symbol] = set()


def symbols_in(values: Iterable[Value]) -> frozenset[Symbol]:
    """Return the symbols in the shapes of all tensors in values."""
    tensors = (part for value in values for part in walk(value) if isinstance(part, Tensor))
    return frozenset(symbol for tensor in tensors for symbol in tensor.shape.symbols())


def as_made(t: Tracer, result: Value, given: Arguments) -> Value:
    """Return the result of an operation of a graph, after noting the sizes that depend on elements of its operands.

    Its rank is open if it follows from that of an operand whose rank is open; eagerly, all are known.
    """
    if t.stage.is_eager:
        return replace(result, is_rank_open=False) if isinstance(result, Tensor) and result.is_rank_open else result
    parts = [part for value in given.values for part in walk(value)]
    is_followed = all(isinstance(part, FOLLOWED) for part in parts)
    if not is_followed or not any(is_symbolic(t, part) for part in parts):
        return result
    made = symbols_in([result])
    if made:
        before = symbols_in(given.values) | _in_contents(parts)
        t.component(OpenSizes).symbols.update(symbol for symbol in made - before if symbol.kind is not Kind.LOST)
    if isinstance(result, Tensor) and result.shape == UNRANKED:
        unranked = [part for part in parts if isinstance(part, Tensor) and not part.shape.is_ranked]
        if unranked and all(part.is_rank_open for part in unranked):
            return replace(result, is_rank_open=True)
    return result


def _in_contents(values: Iterable[Value]) -> frozenset[Symbol]:
    """Return the symbols in the contents of tensors, such as those of `tf.shape`."""
    contents = (part.content for part in values if isinstance(part, Tensor) and part.content is not None)
    sizes = (part.size for content in contents for part in walk(content) if isinstance(part, Int))
    return frozenset(symbol for size in sizes for symbol in size.symbols())


FOLLOWED = (Const, Library, Seq, Tensor)
"""Arguments of which the graph knows what the analysis knows."""


def static_shape(t: Tracer, tensor: Value, shape: Shape, kind: Literal["shape", "tuple"]) -> Value:
    """Return a shape as the attribute `shape` of a tensor has it; its sizes are those when the graph runs."""
    is_in_graph = isinstance(tensor, Tensor) and t.target.tensorflow != 1 and _has_graph(t, tensor)
    if shape.tail is not None:
        is_open = is_in_graph and isinstance(tensor, Tensor) and tensor.is_rank_open
        t.has_missing |= is_open
        return OpenRank(OPEN_RANK) if is_open else sizes_of(UNRANKED if is_in_graph else shape, kind)
    if not is_in_graph or not isinstance(tensor, Tensor) or tensor.shape.tail is not None:
        return sizes_of(shape, kind)
    found = enumerate(zip(tensor.shape.sizes, shape.head, strict=True))
    return Seq(kind, tuple(_static_size(t, tensor, axis, *sizes) for axis, sizes in found))


def as_number(t: Tracer, size: Value) -> Value:
    """Return a dimension of TensorFlow 1 as a number of Python: None if it is open."""
    if not t.target.deferred or not t.stage.is_eager or not isinstance(size, Int):
        return size
    return open_size(t) if _is_dimension(t, size) else of_size(t.path.facts.resolve(size.size))


def _is_dimension(t: Tracer, size: Int) -> bool:
    """Return whether a size of TensorFlow 1 is open, a `Dimension(None)`: it was declared so, and no fact tells it. One
    that an option tells is known to the graph, although it must be equal to an open one."""
    both = (size.size, t.path.facts.resolve(size.size))
    return all(any(symbol.kind is Kind.DYNAMIC for symbol in symbols(each)) for each in both)


def open_size(t: Tracer) -> Value:
    """Return None in place of a size of which nothing is known, such as one of an open rank."""
    t.has_missing = True
    return OpenSize(None)


OPEN_SIZE = "the graph does not know the size, which is None"
OPEN_RANK = "the graph does not know the rank"


def _static_size(t: Tracer, tensor: Tensor, axis: int, declared: Size, size: Size) -> Value:
    """Return a size as Python has it while a graph is built: None if it is open."""
    if not _is_open(t, declared):
        return of_size(size)
    t.has_missing = True
    return OpenSize(None, axis, tensor.shape)


def _has_graph(t: Tracer, tensor: Tensor) -> bool:
    """Return whether a tensor is one of a graph that is being built."""
    return is_keras_tensor(tensor) or is_symbolic(t, tensor)


def _is_open(t: Tracer, size: Size) -> bool:
    """Return whether a size depends on one that is declared as open, or that only elements tell."""
    found = t.component(OpenSizes).symbols
    known = t.stage.known_sizes
    return any(s not in known and (s.kind is Kind.DYNAMIC or s in found) for s in symbols(size))


def refuse_open(t: Tracer, values: Iterable[Value], operation: str, place: Place) -> None:
    """Record that an operation of Python raises if one of the values is open, and end the path."""
    absent = next((value for value in values if isinstance(value, OPEN)), None)
    if absent is not None:
        step = t.add_step("op", operation, [absent], {}, place)
        with t.during(step):
            _refuse(t, absent)


OPEN = (OpenSize, OpenRank)
NUMERIC = frozenset("abs bin chr divmod float hex int oct pow range round".split())
ORDERED = frozenset("max min sorted sum".split())
ITERATING = frozenset("enumerate iter len list reversed set tuple zip".split())


def check_builtin(t: Tracer, name: str, given: Arguments) -> None:
    """Refuse open sizes in builtins that need numbers, and shapes of open rank in those that need items."""
    if name in NUMERIC:
        refuse_open(t, given.args, name, given.place)
    elif name in ORDERED:
        frozen = [t.freeze(value, deep=False) for value in given.args]
        items = frozen[0].items if len(frozen) == 1 and isinstance(frozen[0], Seq) else frozen
        refuse_open(t, items if len(items) > 1 or name == "sum" else (), name, given.place)
    elif name in ITERATING:
        refuse_open_rank(t, given.args, name, given.place)


def refuse_open_rank(t: Tracer, values: Iterable[Value], operation: str, place: Place) -> None:
    """Refuse shapes of open rank where their items are needed."""
    refuse_open(t, (value for value in values if isinstance(value, OpenRank)), operation, place)


def check_operands(t: Tracer, model: Model, name: str, given: Arguments) -> None:
    """Refuse what is open in what an operation reads, unless None is what it takes by default."""
    ranked = _ranked_operand(t, model, name, given)
    if ranked is not None and _has_open_rank(t, ranked):
        require(t, ClashKind.STATIC_SIZE, FALSE, OPEN_RANK, ranked)
        raise PathEnds
    if name in SIZED and t.target.deferred and t.stage.is_eager:
        _refuse_dimensions(t, given)
    if model.definition.form != "op" or has(name, "takes sizes that are None") or not t.has_missing:
        return
    if t.stage.is_eager and name.startswith("keras.ops.") and any(map(is_keras_tensor, given.values)):
        return
    needed = {parameter.name for parameter in model.definition.parameters if not parameter.optional}
    positional = zip(model.definition.parameters, given.args, strict=False)
    named = [*((parameter.name, value) for parameter, value in positional), *given.keywords.items()]
    parts = (part for key, value in named if key in needed for part in walk(value))
    absent = next((part for part in parts if isinstance(part, OPEN)), None)
    if absent is not None:
        _refuse(t, absent)


def _ranked_operand(t: Tracer, model: Model, name: str, given: Arguments) -> Value | None:
    """Return the operand of an operation whose rank must be known while a graph is built."""
    if has(name, "needs the rank") or (has(name, "needs the rank or a number") and not _has_number(model, given)):
        return next(iter(given.args), None)
    is_layer = name.endswith(".__call__") and has(name, "needs the rank when called")
    if has(name, "needs the rank of its mask") or (is_layer and not has(name, "takes tensors of any rank")):
        operand = given.args[1] if len(given.args) > 1 else None
        if is_layer and t.target.keras != 3:  # Keras 2 needs it where it builds the layer
            t.program.is_version_decisive |= t.target.is_unmarked and _has_open_rank(t, operand)
            return None
        return operand
    return None


def _has_number(model: Model, given: Arguments) -> bool:
    """Return whether an operation is given a number of parts, its second parameter."""
    number = given.args[1] if len(given.args) > 1 else given.keywords.get(model.definition.parameters[1].name, NONE)
    return number != NONE


SIZED = frozenset(
    "tf.broadcast_to tf.fill tf.ones tf.random.normal tf.random.truncated_normal tf.random.uniform tf.random_normal "
    "tf.random_uniform tf.range tf.reshape tf.tile tf.truncated_normal tf.zeros".split()
)
"""Operations of TensorFlow 1 that convert the sizes they are given to tensors."""


def _refuse_dimensions(t: Tracer, given: Arguments) -> None:
    """Refuse a `Dimension(None)` of TensorFlow 1, alone, in a list or in a whole shape."""
    for value in given.values:
        value = t.freeze(value, deep=False) if isinstance(value, Ref) else value
        for size in value.items if isinstance(value, Seq) else (value,):
            if isinstance(size, Int) and _is_dimension(t, size):
                require(t, ClashKind.STATIC_SIZE, FALSE, OPEN_SIZE)
                raise PathEnds


def _has_open_rank(t: Tracer, value: Value | None) -> bool:
    return isinstance(value, Tensor) and not value.shape.is_ranked and value.is_rank_open and _has_graph(t, value)


def _refuse(t: Tracer, absent: Value) -> None:
    said = OPEN_RANK
    if isinstance(absent, OpenSize):
        is_known = absent.shape.is_ranked
        said = f"axis {absent.axis} of {show(absent.shape)} has no static size" if is_known else OPEN_SIZE
    require(t, ClashKind.STATIC_SIZE, FALSE, said)
    raise PathEnds
