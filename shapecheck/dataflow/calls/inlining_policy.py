"""The decision which calls are traced if a function is traced on its own, with free parameters.

A call whose arguments carry no information gives nothing that the trace of the callee alone does not: following it from
every caller would trace the same body again and again. Scripts and functions without parameters, such as tests, follow
every call: all values in them are the program's own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.objects.mro import mro
from shapecheck.domain.values import (
    ANNOTATED,
    CONTAINERS,
    Choice,
    Class,
    Const,
    Dict,
    Function,
    HomogeneousSeq,
    Int,
    Library,
    Partial,
    Ref,
    Scalar,
    Seq,
    Tensor,
    Value,
)
from shapecheck.models.lang.traits import has
from shapecheck.shapes.shape import UNRANKED
from shapecheck.shapes.size import is_lost

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MAX_NESTING = 4
MAX_ATTRIBUTES = 64
MAX_INSTANCES = 8


def is_worth_inlining(t: Tracer, args: Iterable[Value], receiver: Value | None = None) -> bool:
    """Return whether a call with these arguments is traced; `receiver` is that of a method which was traced before."""
    if not t.is_standalone or t.is_closed or not t.call_stack.functions:
        return True
    values = tuple(args)
    is_near = len(t.call_stack.functions) <= 2
    if is_near and (
        not values or any(map(_is_declared, values)) or (receiver is not None and _makes_arrays(t, receiver))
    ):
        return True
    return any(carries_shape(t, value) for value in values)


def _is_declared(value: Value) -> bool:
    """Return whether a value is an input that the program declares: what it leads to is known but for open sizes."""
    return isinstance(value, Tensor) and value.role == "placeholder" and value.shape.is_ranked


def _makes_arrays(t: Tracer, receiver: Value) -> bool:
    """Return whether the methods of an object give arrays of known sizes for unknown ones, as those of networks do."""
    cls = t.heap.get((receiver.address, "__class__")) if isinstance(receiver, Ref) else None
    bases = mro(t, cls) if isinstance(cls, Class) else ()
    return any(isinstance(base, Library) and has(base.name, "its methods take arrays") for base in bases)


def is_accessor(node: ir.FunctionDef | ir.Lambda) -> bool:
    """Return whether a function only returns a variable or an attribute, which costs less to trace than to lose."""
    match node.body:
        case (ir.Return(value=ir.Attribute() | ir.Name()),):
            return True
    return False


def carries_shape(t: Tracer, value: Value, nesting: int = 0) -> bool:
    """Return whether a value carries information that a shape may depend on."""
    if nesting > MAX_NESTING:
        return False
    match value:
        case Tensor(shape=shape):
            return shape.rank == 0 or not all(map(is_lost, (*shape.head, *(shape.tail or ()))))
        case Int():
            return True
        case Const(value=constant):
            return type(constant) in (int, float)
        case Seq(items=items):
            plain = (Const, Scalar, Library, Function)
            return any(isinstance(item, plain) or carries_shape(t, item, nesting + 1) for item in items[:8])
        case HomogeneousSeq(element=element):
            return carries_shape(t, element, nesting + 1)
        case Dict(items=pairs):
            return any(carries_shape(t, item, nesting + 1) for _, item in pairs[:8])
        case Choice(options=options):
            return any(carries_shape(t, option, nesting + 1) for _, option in options)
        case Partial(args=args):  # such as the array in an instance of a class of arrays
            return any(carries_shape(t, arg, nesting + 1) for arg in args)
        case Ref(cls=cls):
            if cls in CONTAINERS:
                contents = t.contents(value)
                return contents is not None and carries_shape(t, contents, nesting + 1)
            return cls != "user" or _instance_carries_shape(t, value, nesting)
    return False


def _instance_carries_shape(t: Tracer, owner: Ref, nesting: int) -> bool:
    """Return whether an instance holds a tensor or a library object, directly or in instances that it holds."""
    owners, deeper = {owner.address: None}, max(nesting + 1, MAX_NESTING - 2)
    for address in (queue := list(owners)):
        for _, value in t.heap.at(address)[:MAX_ATTRIBUTES]:
            if isinstance(value, Ref) and value.cls == "user":
                if value.address not in owners and len(owners) < MAX_INSTANCES:
                    owners[value.address] = None
                    queue.append(value.address)
            elif isinstance(value, (Tensor, Ref, Partial)) and carries_shape(t, value, deeper):
                return True
    return False


def has_rank(t: Tracer, value: Value) -> bool:
    """Return whether a value is useful for a model, as the rank of an array or a number is, or a shape."""
    if isinstance(value, Tensor):
        return value.shape != UNRANKED
    if isinstance(value, Scalar):
        return value.why != ANNOTATED
    return carries_shape(t, value) or isinstance(value, Seq)


def is_unranked(value: Value) -> bool:
    """Return whether a value is a tensor of unknown rank."""
    return isinstance(value, Tensor) and not value.shape.is_ranked
