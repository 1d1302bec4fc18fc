"""Variables whose shape a function takes apart: `b, n, d = x.shape` tells how many axes an unknown array has, and
`x.size(0)` that it has one at least. A method that only the arrays of a library have tells of which library it is.

In methods of classes whose methods take arrays, as those of layers do, what has a shape is such an array.
Elsewhere it may be a table, or a sparse matrix, unless its shape is asked for by a method that only one library has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.objects.mro import mro
from shapecheck.dataflow.state.frame import Definition, Frame
from shapecheck.domain.values import Class, Library, Lost, Tensor, Value
from shapecheck.ir.liveness import assigned_in
from shapecheck.ir.walk import nodes_in
from shapecheck.models.lang.packs import arrays, classes_of_arrays, made_by
from shapecheck.models.lang.traits import has
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Kind, Size, fresh, is_lost
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

UNPACKED = "unpacked shape"
"""The name of a step that stands for such an array."""
_LEAVING = (ir.Return, ir.Raise, ir.Try)
_UNCERTAIN = (ir.Conditional, ir.Logical, ir.Lambda, ir.Comprehension)


@dataclass(frozen=True, slots=True)
class _Sizes:
    """The names of the first sizes of a variable, how it is asked for them, by an attribute or by a method, and whether
    these are all. One that is not asked for its sizes has a `method` that tells its library.
    """

    names: tuple[str, ...]
    is_called: bool
    are_all: bool = True
    method: str = ""


class UnpackedShapes:
    """The variables whose shape is taken apart, by the nodes of functions and statements."""

    def __init__(self) -> None:
        self._by_node: dict[int, Mapping[str, _Sizes]] = {}

    def of(self, node: ir.FunctionDef | ir.Assign | ir.Return) -> Mapping[str, _Sizes]:
        """Return the sizes by the names of the parameters, or of the variables that a statement reads."""
        if id(node) not in self._by_node:
            self._by_node[id(node)] = _unpacked(node) if isinstance(node, ir.FunctionDef) else _asked(node)
        return self._by_node[id(node)]


def give_ranks(t: Tracer, key: int, frame: Frame) -> None:
    """Give unknown arguments of a function that begins the number of axes that it takes apart."""
    definition = t.functions[key]
    node = definition.node
    if isinstance(node, ir.Lambda):
        return
    for name, sizes in t.component(UnpackedShapes).of(node).items():
        _give_rank(t, definition, frame, name, sizes)


def give_rank(t: Tracer, node: ir.Assign | ir.Return, frame: Frame) -> None:
    """Give unknown values the axes whose sizes a statement asks for, and unknown sizes of arrays names."""
    if frame.kind != "function":
        return
    for name, sizes in t.component(UnpackedShapes).of(node).items():
        _give_rank(t, t.functions[t.call_stack.functions[-1]], frame, name, sizes)


def _give_rank(t: Tracer, definition: Definition, frame: Frame, name: str, sizes: _Sizes) -> None:
    node = definition.node
    given = t.heap.get((frame.address, name))
    if isinstance(given, Tensor) and sizes.names and t.place is not None:
        _name_sizes(t, t.select(given), name, sizes, t.place)
    library = _library(t, definition, sizes) if isinstance(given, Lost) else None
    if library is None or isinstance(node, ir.Lambda):
        return
    place = Place(frame.source, node.name_start, node.name_start + len(node.name))
    step = t.add_step("input", UNPACKED, (), {}, place)
    head = tuple(_named(each, place) for each in sizes.names)
    step.result = Tensor(Shape(head, None if sizes.are_all else ()), None, library, step.id)
    t.heap.set((frame.address, name), step.result)


def _named(name: str, place: Place) -> Size:
    return fresh(name, Kind.FREE, origin=place, why="a size that is asked for")


def _name_sizes(t: Tracer, array: Value, name: str, sizes: _Sizes, place: Place) -> None:
    """Give the unknown sizes of an array that the program asks for some of them names of their own."""
    if not isinstance(array, Tensor) or array.content is not None or not _gives_shapes(array.library):
        return
    missing = 0 if array.shape.is_ranked else len(sizes.names) - array.shape.min_rank
    if missing < 0 or not (array.shape.is_ranked or sizes.are_all):
        return
    known: list[Size | None] = [*array.shape.head, *missing * [None], *(array.shape.tail or ())]
    names = sizes.names if sizes.are_all else tuple(f"{name}.{axis}" for axis in range(len(known)))
    pairs = zip(known, names, strict=False)
    head = tuple(_named(each, place) if size is None or is_lost(size) else size for size, each in pairs)
    if len(head) == len(known) and head != array.shape.head:
        t.refine(array, array.with_shape(Shape(head)))


def _library(t: Tracer, definition: Definition, sizes: _Sizes) -> str | None:
    """Return the library whose arrays a function takes; None if that is not known."""
    cls = None if definition.owner is None else t.heap.get((definition.owner, "__self__"))
    bases = [base.name for base in (mro(t, cls) if isinstance(cls, Class) else ()) if isinstance(base, Library)]
    if any(has(base, "its methods take arrays") for base in bases):
        kind = made_by(next(base for base in bases if has(base, "its methods take arrays")))
        return kind if kind is None or not sizes.method or _has_alone(kind, sizes.method) else None
    used = (value.name for _, value in t.heap.at(definition.frame.module) if isinstance(value, Library))
    kinds = dict.fromkeys(kind for kind in map(made_by, used) if kind is not None) if sizes.is_called else ()
    is_meant = partial(_has_alone, method=sizes.method) if sizes.method else _gives_shapes
    return next(filter(is_meant, kinds), None)


@cache
def _tells_library(method: str) -> bool:
    """Return whether only the arrays of one library have a method of this name."""
    return any(has(f"{cls}.{method}", "arrays alone have it") for cls in classes_of_arrays())


def _has_alone(library: str, method: str) -> bool:
    """Return whether no arrays but those of a library have a method of this name."""
    return has(f"{arrays(library).cls}.{method}", "arrays alone have it")


def _gives_shapes(library: str) -> bool:
    """Return whether arrays of a library tell all their sizes, always as numbers, by a method of their own."""
    return has(f"{arrays(library).cls}.size", "gives the shape")


def _unpacked(node: ir.FunctionDef) -> dict[str, _Sizes]:
    """Return the parameters whose shape is taken apart before the function can end or bind their name."""
    left = {param.name for param in node.params if param.kind in ("plain", "positional", "keyword")}
    asked: dict[str, _Sizes] = {}
    for statement in node.body:
        _add(asked, ((name, sizes) for name, sizes in _asked(statement).items() if name in left))
        if any(isinstance(inner, _LEAVING) for inner in nodes_in(statement)):
            break
        left -= assigned_in(statement)
    return asked


def _add(asked: dict[str, _Sizes], more: Iterable[tuple[str, _Sizes]]) -> None:
    """Keep for each variable what tells most of it."""
    for name, sizes in more:
        known = asked.get(name)
        if known is None or (sizes.are_all, len(sizes.names)) > (known.are_all, len(known.names)):
            asked[name] = sizes


def _asked(statement: ir.Stmt) -> dict[str, _Sizes]:
    """Return the variables whose sizes a statement asks for, with these sizes."""
    asked: dict[str, _Sizes] = {}
    if not isinstance(statement, ir.Assign | ir.Return):
        return asked
    found = _taken_apart(statement)
    if found is not None:
        _add(asked, [found])
    inside = tuple(nodes_in(statement.value))
    if not any(isinstance(inner, _UNCERTAIN) for inner in inside):
        _add(asked, filter(None, map(_first_sizes, inside)))
    return asked


def _taken_apart(statement: ir.Stmt) -> tuple[str, _Sizes] | None:
    """Return the variable whose shape a statement takes apart, and its sizes."""
    match statement:
        case ir.Assign(targets=(ir.Display(items=items),), value=value):
            value, items = _starred_part(value, items)
            names = tuple(item.id for item in items if isinstance(item, ir.Name))
            if (name := _owner(value)) and len(names) == len(items):
                return name, _Sizes(names, isinstance(value, ir.Call))
    return None


def _starred_part(value: ir.Expr, targets: tuple[ir.Expr, ...]) -> tuple[ir.Expr, tuple[ir.Expr, ...]]:
    """Return what is unpacked in `b, n, d, heads = *x.shape, 8` and the targets that it goes to; otherwise both."""
    items = value.items if isinstance(value, ir.Display) else ()
    stars = [at for at, item in enumerate(items) if isinstance(item, ir.Starred)]
    if len(stars) != 1 or not isinstance(star := items[stars[0]], ir.Starred):
        return value, targets
    return star.value, targets[stars[0] : len(targets) - (len(items) - 1 - stars[0])]


def _first_sizes(node: ir.Node) -> tuple[str, _Sizes] | None:
    """Return the variable and the axes that it must have for `x.shape[1]` and `x.size(1)`, or a method that is called
    with numbers."""
    match node:
        case ir.Subscript(value=ir.Attribute(value=ir.Name(id=name), name="shape"), index=ir.Const(value=int(axis))):
            is_called = False
        case ir.Call(
            func=ir.Attribute(value=ir.Name(id=name), name="size"),
            args=(ir.Arg(value=ir.Const(value=int(axis)), keyword=None),),
        ):
            is_called = True
        case ir.Call(func=ir.Attribute(value=ir.Name(id=name), name=method), args=args) if _tells_library(
            method
        ) and _have_number(args):
            return name, _Sizes((), is_called=True, are_all=False, method=method)
        case _:
            return None
    return name, _Sizes(tuple(f"{name}.{place}" for place in range(axis + 1)), is_called, are_all=False)


def _have_number(args: Sequence[ir.Arg]) -> bool:
    """Return whether some argument is written as a number, maybe with a sign."""
    values = [arg.value.operand if isinstance(arg.value, ir.Unary) else arg.value for arg in args]
    return any(isinstance(value, ir.Const) and isinstance(value.value, int) for value in values)


def _owner(value: ir.Expr) -> str:
    """Return the variable in `x.shape` and `x.size()`; an empty text for other expressions."""
    match value:
        case ir.Attribute(value=ir.Name(id=name), name="shape"):
            return name
        case ir.Call(func=ir.Attribute(value=ir.Name(id=name), name="size"), args=()):
            return name
    return ""
