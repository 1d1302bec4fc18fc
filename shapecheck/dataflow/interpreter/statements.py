"""The semantics of simple statements and definitions; `execute` returns whether control reaches the end of a block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from shapecheck import ir
from shapecheck.dataflow.calls.library_calls import call_method
from shapecheck.dataflow.flow import loops, match_pattern
from shapecheck.dataflow.flow.branches import if_
from shapecheck.dataflow.flow.exceptions import try_
from shapecheck.dataflow.flow.with_statement import with_
from shapecheck.dataflow.interpreter.assignment import assign
from shapecheck.dataflow.interpreter.expressions import lookup, make_function
from shapecheck.dataflow.interpreter.test_cases import TestCases, lists_cases, tables_of
from shapecheck.dataflow.objects import metaclasses, modules
from shapecheck.dataflow.objects.aliases import havoc_aliases
from shapecheck.dataflow.objects.array_mutation import overwrite
from shapecheck.dataflow.objects.attributes import MEMBER_KINDS, as_member, get_attribute
from shapecheck.dataflow.objects.declared_classes import DATACLASS, FIELDS, declare, make_fields
from shapecheck.dataflow.objects.mro import derive
from shapecheck.dataflow.objects.variables import bind_name
from shapecheck.dataflow.operators import subscripts
from shapecheck.dataflow.operators.arithmetic import DUNDERS, binary, method_result, raises_for_none
from shapecheck.dataflow.operators.library_operators import library_of, operator_model
from shapecheck.dataflow.paths.case_split import for_each_alternative
from shapecheck.dataflow.paths.feasibility import expect_guards, tolerate_unused
from shapecheck.dataflow.paths.narrowing import assume
from shapecheck.dataflow.paths.truth import truth
from shapecheck.dataflow.stages.autograph import check_break, check_raise, check_return
from shapecheck.dataflow.stages.checks import require_value
from shapecheck.dataflow.stages.loop_state import check_result, note_dropped_array
from shapecheck.dataflow.stages.missing_results import expect_missing
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.endings import Endings
from shapecheck.dataflow.state.frame import Frame
from shapecheck.dataflow.state.path import PathEnds
from shapecheck.dataflow.words import declarations as words
from shapecheck.dataflow.words.assertions import check_assertion
from shapecheck.dataflow.words.comments import check_comment
from shapecheck.dataflow.words.discarded_results import check_discarded
from shapecheck.dataflow.words.unpacked_shapes import give_rank
from shapecheck.domain.values import (
    NONE,
    TRUE,
    BoundLibraryMethod,
    Choice,
    Class,
    Const,
    Function,
    Library,
    Lost,
    ModuleValue,
    Partial,
    Ref,
    Seq,
    Tensor,
    Value,
)
from shapecheck.models.lang.traits import has
from shapecheck.shapes.shape import SCALAR
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

OWN = (Class, Function, ModuleValue, Ref, Choice)
"""The values whose methods the program itself may define."""
OF_CLASSES = {"__new__": "static", "__init_subclass__": "class", "__class_getitem__": "class"}
"""How Python binds methods without being told by a decorator."""
MAX_DECORATING = 40_000
"""The evaluation steps that an entry point may spend on decorators.

A package can have thousands of functions with an expensive decorator.
"""


def execute(t: Tracer, body: Sequence[ir.Stmt], frame: Frame) -> bool:
    """Run statements in order; return whether control reaches the end of the block."""
    reached = t.budget.reached
    try:
        for statement in body:
            t.budget.consume()
            if id(statement) not in reached:
                reached[id(statement)] = statement
                t.budget.news = t.budget.fuel
            t.place = Place(frame.source, statement.start, statement.end)
            if not STATEMENTS[type(statement)](t, statement, frame):
                return False
    except PathEnds:
        return False
    return True


def assign_statement(t: Tracer, node: ir.Assign, frame: Frame) -> bool:
    """Assign a value to one or more targets."""
    give_rank(t, node, frame)
    value = t.evaluate(node.value, frame)
    if isinstance(node.targets[0], ir.Name):
        check_comment(t, node, value, frame)
    for target in node.targets:
        assign(t, target, value, frame)
    if t.watch is not None:
        t.watch.assigned(node.targets, node.value, frame)
    return True


def annotated(t: Tracer, node: ir.Annotated, frame: Frame) -> bool:
    """Assign to an annotated name; in a class body, note it as a field."""
    if node.value is not None:
        assign(t, node.target, words.assigned(t, node, t.evaluate(node.value, frame), frame), frame)
    if frame.kind == "class" and isinstance(node.target, ir.Name) and not _is_class_variable(node.annotation):
        fields = t.heap.get((frame.address, "__annotated__"))
        names = fields.items if isinstance(fields, Seq) else ()
        t.heap.set((frame.address, "__annotated__"), Seq("tuple", (*names, Const(node.target.id))))
    return True


def _is_class_variable(annotation: ir.Expr) -> bool:
    """Return whether an annotation is `ClassVar` or `ClassVar[…]`, which declares no field."""
    node = annotation.value if isinstance(annotation, ir.Subscript) else annotation
    return (node.id if isinstance(node, ir.Name) else node.name if isinstance(node, ir.Attribute) else "") == "ClassVar"


def augmented(t: Tracer, node: ir.Augmented, frame: Frame) -> bool:
    """Assign the result of `target op value`."""
    before = t.evaluate(node.target, frame)
    operand = t.evaluate(node.value, frame)
    place = Place(frame.source, node.start, node.end)

    def run(values: Sequence[Value]) -> Value:
        return _in_place(t, node.op, values[0], values[1], place)

    result = for_each_alternative(t, [before, operand], run, partial(raises_for_none, node.op))
    assign(t, node.target, result, frame)
    if t.watch is not None:
        t.watch.augmented(node, frame, before, result)
    return True


def _in_place(t: Tracer, op: str, left: Value, right: Value, place: Place) -> Value:
    """Return the result of an augmented operator, which changes lists and arrays in place."""
    if op == "+" and isinstance(left, Ref) and left.cls == "list":
        call_method(t, left, "extend", Arguments(place, [right]))
        return left
    if isinstance(left, Tensor) and library_of(left, right) == left.library:
        model = operator_model(left.library, f"{op}=", [left, right])
        if model is not None:
            changed = t.run_model(model, f"{left.library}.{op}=", Arguments(place, [left, right]))
            if left.shape != SCALAR:
                overwrite(t, left)
            return changed
    of_object = method_result(t, left, f"__i{DUNDERS[op]}__", right)
    if of_object is not None:
        return of_object
    havoc_aliases(t, left)
    return binary(t, op, left, right, place)


def evaluate_statement(t: Tracer, node: ir.Evaluate, frame: Frame) -> bool:
    """Evaluate an expression; return whether it returns."""
    begin = len(t.clashes)
    value = t.evaluate(node.value, frame)
    check_comment(t, node, value, frame)
    if len(t.clashes) == begin:
        check_discarded(t, node, value, frame)
    if not t.stage.is_eager and isinstance(node.value, ir.Call):
        note_dropped_array(t, node.value, value, Place(frame.source, node.value.start, node.value.end))
    if len(t.clashes) > begin:
        tolerate_unused(t, begin, Place(frame.source, node.value.start, node.value.end))
    if isinstance(node.value, ir.Call) and _never_returns(t, node.value, frame):
        t.component(Endings).note("left by exit", Place(frame.source, node.start, node.end))
        return False
    return True


def _never_returns(t: Tracer, node: ir.Call, frame: Frame) -> bool:
    """Return whether a call ends the program or a test: `exit` of Python or a module, not of the program itself."""
    func = node.func
    if isinstance(func, ir.Name):
        return func.id in ("exit", "quit") and lookup(t, func.id, frame) == Library(f"builtins.{func.id}")
    if not isinstance(func, ir.Attribute) or not isinstance(func.value, ir.Name):
        return False
    ends_test = func.value.id == "pytest" and func.name in ("skip", "xfail", "fail")
    return (ends_test or func.name in ("exit", "_exit")) and not isinstance(lookup(t, func.value.id, frame), OWN)


def return_(t: Tracer, node: ir.Return, frame: Frame) -> bool:
    give_rank(t, node, frame)
    value = NONE if node.value is None else t.evaluate(node.value, frame)
    if node.value is not None:
        check_comment(t, node, value, frame)
        value = words.leave(t, frame, value, Place(frame.source, node.value.start, node.value.end))
    if not t.stage.is_eager:
        check_result(t, value, Place(frame.source, node.start, node.end))
        if t.watch is not None:
            t.watch.returned(node.value)
    frame.returns.append(t.exit(frame.mark, value))
    check_return(t, frame, Place(frame.source, node.start, node.end))
    return False


def raise_(t: Tracer, node: ir.Raise, frame: Frame) -> bool:
    """Evaluate the exception; the path ends, also where its message cannot be made."""
    if node.value is not None:
        t.tolerance += 1
        try:
            t.evaluate(node.value, frame)
        finally:
            t.tolerance -= 1
        made = node.value.func if isinstance(node.value, ir.Call) else node.value
        frame.is_abstract |= isinstance(made, ir.Name) and made.id == "NotImplementedError"
    place = Place(frame.source, node.start, node.end)
    check_raise(t, place)
    t.component(Endings).note("raised", place)
    return False


def assert_(t: Tracer, node: ir.Assert, frame: Frame) -> bool:
    """Assume the test."""
    test = t.evaluate(node.test, frame)
    if t.has_missing and isinstance(node.test, ir.Compare):
        expect_missing(t, [t.evaluate(node.test.left, frame)])
    require_value(
        t, test, Place(frame.source, node.test.start, node.test.end), "assert", is_converted=t.stage.converts_more
    )
    known = truth(t, test)
    if known is None:
        guards = t.path.guards
        assume(t, test, True)
        expect_guards(t, guards)
    if known is False:
        if isinstance(node.test, ir.Compare):
            check_assertion(t, node.test, frame)
        t.component(Endings).note("an assertion fails", Place(frame.source, node.start, node.end))
    return known is not False


def delete(t: Tracer, node: ir.Delete, frame: Frame) -> bool:
    for target in node.targets:
        _delete(t, target, frame)
    return True


def _delete(t: Tracer, target: ir.Expr, frame: Frame) -> None:
    """Delete one target."""
    match target:
        case ir.Name():
            t.heap.delete((frame.address, target.id))
        case ir.Attribute():
            owner = t.evaluate(target.value, frame)
            if isinstance(owner, (Ref, Class, ModuleValue)):
                t.heap.delete((owner.address, target.name))
        case ir.Subscript():
            operands = [t.evaluate(target.value, frame), t.evaluate(target.index, frame)]
            for_each_alternative(t, operands, lambda values: subscripts.delete_item(t, values[0], values[1]))
        case ir.Display():
            for item in target.items:
                _delete(t, item, frame)


def jump(t: Tracer, node: ir.Jump, frame: Frame) -> bool:
    """Leave the path at `break` or `continue`."""
    if node.kind == "pass" or not frame.loops:
        return node.kind == "pass"
    loop = frame.loops[-1]
    if node.kind == "break":
        check_break(t, loop, Place(frame.source, node.start, node.end))
    exits = loop.breaks if node.kind == "break" else loop.continues
    exits.append(t.exit(loop.mark, NONE))
    return False


def scope(t: Tracer, node: ir.Scope, frame: Frame) -> bool:
    """Note the names of a `global` statement."""
    if node.kind == "global":
        frame.globals.update(node.names)
    return True


def function(t: Tracer, node: ir.FunctionDef, frame: Frame) -> bool:
    """Make the function of a `def`, then apply its decorators from the innermost outwards."""
    before = t.budget.fuel
    if tables := tables_of(t, node.decorators, frame):
        t.component(TestCases).of_functions[id(node)] = tables
    written_ones = [written for written in reversed(node.decorators) if not lists_cases(written)]
    decorators = [(written, t.evaluate(written, frame)) for written in written_ones]
    kind, name = _binding(node, frame)
    value: Value = make_function(t, node, frame, node.name, kind)
    for written, decorator in decorators:
        value = _apply_decorator(t, decorator, value, Place(frame.source, written.start, written.end))
    t.budget.decorating += before - t.budget.fuel
    bind_name(t, name, value, frame)
    return True


def _binding(node: ir.FunctionDef, frame: Frame) -> tuple[str, str]:
    """Return how a function is bound in a class (static, class, property, cached), and the name that it is stored
    under."""
    if frame.kind == "class" and node.name in OF_CLASSES:
        return OF_CLASSES[node.name], node.name
    for decorator in node.decorators:
        match decorator:
            case ir.Name(id="staticmethod"):
                return "static", node.name
            case ir.Name(id="classmethod"):
                return "class", node.name
            case ir.Name(id="property"):
                return "property", node.name
            case ir.Name(id="cached_property") | ir.Attribute(name="cached_property"):
                return "cached", node.name
            case ir.Attribute(name="setter" | "deleter", value=ir.Name()):
                return "", f"{node.name}.{decorator.name}"
    return "", node.name


def _apply_decorator(t: Tracer, decorator: Value, value: Value, place: Place) -> Value:
    """Return the result of a decorator; it is lost if the decorator is unknown.

    The function itself is still traced as an entry point.
    """
    if isinstance(decorator, Library):
        if decorator in MEMBER_KINDS:
            return as_member(t, decorator, value)
        if decorator.name in ("abc.abstractmethod", "typing.overload"):
            return value
    if isinstance(decorator, BoundLibraryMethod) and decorator.name in ("setter", "deleter", "getter"):
        return value
    if isinstance(decorator, (Lost, Const)) or (
        t.budget.decorating > MAX_DECORATING and not isinstance(decorator, Library)
    ):
        return t.lost("result of an unknown decorator")

    return t.call(decorator, Arguments(place, [value]))


def class_(t: Tracer, node: ir.ClassDef, frame: Frame) -> bool:
    """Make the class of a `class` statement."""
    address = t.heap.address()
    bases = tuple(t.evaluate(base.value, frame) for base in node.bases if base.keyword is None and not base.star)
    cls = Class(address, node.name)
    inner = Frame(address, frame.source, frame.module, node.name, frame, kind="class")
    inner.mark = t.heap.mark()
    frame.captured = True
    t.frames[address] = inner
    t.heap.set((address, "__bases__"), Seq("tuple", bases))
    t.heap.set((address, "__self__"), cls)
    execute(t, node.body, inner)
    metaclasses.apply_metaclass(t, cls, node, frame, t.heap.since(inner.mark))
    value: Value = cls
    if tables := tables_of(t, node.decorators, frame):
        t.component(TestCases).of_classes[address] = tables
    for decorator in (each for each in node.decorators if not lists_cases(each)):
        value = _apply_class_decorator(t, decorator, t.evaluate(decorator, frame), cls)
    declare(t, cls, node)
    bind_name(t, node.name, value, frame)
    return True


def _apply_class_decorator(t: Tracer, node: ir.Expr, decorator: Value, cls: Class) -> Value:
    """Return the result of a class decorator; an unknown one may change what the constructor takes."""
    known = decorator.function if isinstance(decorator, Partial) else decorator
    if isinstance(known, Library) and has(known.name, "makes data classes"):
        derive(t, cls, known)
        make_fields(t, cls, FIELDS)
    elif known == DATACLASS:
        make_fields(t, cls, FIELDS)
    elif isinstance(decorator, Function):
        place = Place(t.frames[cls.address].source, node.start, node.end)
        value = t.call(decorator, Arguments(place, [cls]))
        return value if isinstance(value, (Class, Function)) else cls
    else:
        t.heap.set((cls.address, metaclasses.DECORATED), TRUE)
    return cls


def import_(t: Tracer, node: ir.Import, frame: Frame) -> bool:
    """Bind the modules of an `import` statement."""
    for path, alias in node.names:
        value = modules.import_module(t, path, frame)
        if alias is None:
            root = path.split(".")[0]
            value = modules.import_module(t, root, frame) if root != path else value
            bind_name(t, root, value, frame)
        else:
            bind_name(t, alias, value, frame)
    return True


def import_from(t: Tracer, node: ir.ImportFrom, frame: Frame) -> bool:
    """Bind the names of a `from … import` statement."""
    module = modules.import_from(t, node.module, node.level, frame)
    if node.names is None:
        modules.import_star(t, module, frame)
        return True
    place = Place(frame.source, node.start, node.end)
    for name, alias in node.names:
        if isinstance(module, ModuleValue):
            value: Value = modules.import_name(t, module, name)
        elif isinstance(module, Library):
            value = get_attribute(t, module, name, place)
        else:
            value = t.lost("import of an unknown package")
        bind_name(t, alias or name, value, frame)
    return True


STATEMENTS: dict[type[Any], Callable[[Tracer, Any, Frame], bool]] = {
    ir.Assign: assign_statement,
    ir.Annotated: annotated,
    ir.Augmented: augmented,
    ir.Evaluate: evaluate_statement,
    ir.Return: return_,
    ir.Raise: raise_,
    ir.Assert: assert_,
    ir.Delete: delete,
    ir.Jump: jump,
    ir.Scope: scope,
    ir.If: if_,
    ir.While: loops.while_,
    ir.For: loops.for_,
    ir.Try: try_,
    ir.With: with_,
    ir.Match: match_pattern.match,
    ir.FunctionDef: function,
    ir.ClassDef: class_,
    ir.Import: import_,
    ir.ImportFrom: import_from,
}

__all__ = ["STATEMENTS", "execute", "subscripts"]
