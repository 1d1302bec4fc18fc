"""Call expressions: evaluation of the function and its arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.calls.arguments import check_arguments, evaluate_arguments
from shapecheck.dataflow.calls.dispatch import call
from shapecheck.dataflow.calls.executed_text import EXEC, havoc_named
from shapecheck.dataflow.calls.zip_transpose import is_transposition, transposed_rows
from shapecheck.dataflow.objects.attributes import SUPER
from shapecheck.dataflow.objects.modules import import_module
from shapecheck.dataflow.paths.case_split import for_each_alternative
from shapecheck.dataflow.stages.missing_results import expect_missing
from shapecheck.dataflow.state.frame import Frame
from shapecheck.dataflow.words.list_masks import check_masks
from shapecheck.domain.values import Class, Const, Dict, Function, Library, Lost, Method, Partial, Value
from shapecheck.models.lang.traits import has

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


LOCALS = (Library("builtins.locals"), Library("builtins.vars"))


def call_expression(t: Tracer, node: ir.Call, frame: Frame) -> Value:
    """Return the result of a call."""
    function = t.evaluate(node.func, frame)
    if function == SUPER and not node.args:
        return _super(t, frame)
    if function in LOCALS and not node.args and frame.kind == "function":
        pairs = [(Const(name), value) for name, value in t.heap.at(frame.address) if isinstance(name, str)]
        return t.new_container("dict", Dict(tuple(pairs)))
    if is_transposition(function, node):
        return transposed_rows(t, node, frame)
    if isinstance(function, Lost) and (module := _optional_module(node)):
        return import_module(t, module, frame)
    given = evaluate_arguments(t, node, frame)
    if function == EXEC:
        havoc_named(t, given, frame)
    if isinstance(function, Library) and has(function.name, "takes a mask"):
        check_masks(t, [arg.value for arg in node.args], frame)
    operands = [function, *given.values]
    if t.has_missing and isinstance(node.func, ir.Attribute) and node.func.name.startswith("assert"):
        expect_missing(t, given.values)

    def run(values: Sequence[Value]) -> Value:
        concrete = given if values is operands else given.with_values(values[1:])
        check_arguments(t, values[0], concrete, is_chosen=_is_chosen(t, node.func, values[0], frame))
        return call(t, values[0], concrete)

    return for_each_alternative(t, operands, run)


def _is_chosen(t: Tracer, node: ir.Expr, function: Value, frame: Frame) -> bool:
    """Return whether a function is called that a variable or an attribute happens to hold."""
    plain = function.function if isinstance(function, Method) else function
    if not isinstance(plain, (Function, Library)):
        return False
    if isinstance(node, ir.Attribute):
        if not isinstance(plain, Function):
            return False
        return plain.name != node.name or t.functions[plain.key].frame.kind == "function"
    is_local = isinstance(node, ir.Name) and node.id in frame.bound and frame.kind == "function"
    return is_local and not (isinstance(plain, Function) and t.functions[plain.key].frame is frame)


def _optional_module(node: ir.Call) -> str:
    """Return the name in `pytest.importorskip("name")`: a test that goes on has the module."""
    match node:
        case ir.Call(
            func=ir.Attribute(name=called) | ir.Name(id=called), args=(ir.Arg(value=ir.Const(value=name)), *_)
        ):
            return name if called == "importorskip" and isinstance(name, str) else ""
    return ""


def _super(t: Tracer, frame: Frame) -> Value:
    """Return the value of `super()` without arguments."""
    scope: Frame | None = frame
    while scope is not None and scope.owner is None:
        scope = scope.parent
    if scope is None or scope.first_argument is None or scope.owner is None:
        return t.lost("super outside a method")
    cls = t.heap.get((scope.owner, "__self__"))
    return (
        Partial(SUPER, (cls, scope.first_argument))
        if isinstance(cls, Class)
        else t.lost("super with unsupported arguments")
    )
