"""The meaning of simple statements and definitions; `execute` runs a block and says whether control reaches its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from shapecheck import ir
from shapecheck.dataflow import arithmetic, control, loops, matching, metaclasses, objects, subscripts
from shapecheck.dataflow.assignment import assign, assign_name
from shapecheck.dataflow.builtins import declared
from shapecheck.dataflow.calls import call_method
from shapecheck.dataflow.doubt import tolerate_unused
from shapecheck.dataflow.expressions import make_code
from shapecheck.dataflow.frame import Frame, PathEnds
from shapecheck.dataflow.overwriting import overwrite
from shapecheck.shapes.shape import SCALAR
from shapecheck.source import Place
from shapecheck.values import (
    NONE,
    Bound,
    Class,
    Code,
    Const,
    Library,
    Lost,
    ModuleValue,
    Partial,
    Ref,
    Seq,
    Tensor,
    Value,
)

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MAX_DECORATING = 20_000
"""The steps that an entry may spend on decorators: a package can have thousands of functions with one that is long."""


def execute(t: Tracer, body: Sequence[ir.Stmt], frame: Frame) -> bool:
    """Runs statements in order; False when control never reaches the end of the block."""
    try:
        for statement in body:
            t.burn()
            t.place = Place(frame.source, statement.start, statement.end)
            if not STATEMENTS[type(statement)](t, statement, frame):
                return False
    except PathEnds:
        return False
    return True


def assign_statement(t: Tracer, node: ir.Assign, frame: Frame) -> bool:
    value = t.evaluate(node.value, frame)
    for target in node.targets:
        assign(t, target, value, frame)
    return True


def annotated(t: Tracer, node: ir.Annotated, frame: Frame) -> bool:
    if node.value is not None:
        assign(t, node.target, t.evaluate(node.value, frame), frame)
    if frame.kind == "class" and isinstance(node.target, ir.Name) and not _is_class_variable(node.annotation):
        fields = t.store.get((frame.address, "__annotated__"))
        names = fields.items if isinstance(fields, Seq) else ()
        t.store.set((frame.address, "__annotated__"), Seq("tuple", (*names, Const(node.target.id))))
    return True


def _is_class_variable(annotation: ir.Expr) -> bool:
    """Whether an annotation is `ClassVar` or `ClassVar[…]`, which declares no field."""
    node = annotation.value if isinstance(annotation, ir.Subscript) else annotation
    return (node.id if isinstance(node, ir.Name) else node.name if isinstance(node, ir.Attribute) else "") == "ClassVar"


def augmented(t: Tracer, node: ir.Augmented, frame: Frame) -> bool:
    before = t.evaluate(node.target, frame)
    operand = t.evaluate(node.value, frame)
    place = Place(frame.source, node.start, node.end)

    def run(values: Sequence[Value]) -> Value:
        return _in_place(t, node.op, values[0], values[1], place)

    assign(t, node.target, t.spread([before, operand], run), frame)
    return True


def _in_place(t: Tracer, op: str, left: Value, right: Value, place: Place) -> Value:
    if op == "+" and isinstance(left, Ref) and left.cls == "list":
        call_method(t, left, "extend", [right], {}, place)
        return left
    if isinstance(left, Tensor) and arithmetic.library_of(left, right) == left.library:
        model = arithmetic.operator_model(left.library, f"{op}=", [left, right])
        if model is not None:
            changed = t.context.run(model, f"{left.library}.{op}=", [left, right], {}, place)
            if left.shape != SCALAR:
                overwrite(t, left)
            return changed
    return arithmetic.binary(t, op, left, right, place)


def evaluate_statement(t: Tracer, node: ir.Evaluate, frame: Frame) -> bool:
    begin = len(t.clashes)
    t.evaluate(node.value, frame)
    if len(t.clashes) > begin:
        tolerate_unused(t, begin, Place(frame.source, node.value.start, node.value.end))
    return not (isinstance(node.value, ir.Call) and _never_returns(node.value))


def _never_returns(node: ir.Call) -> bool:
    func = node.func
    if isinstance(func, ir.Name):
        return func.id in ("exit", "quit")
    return isinstance(func, ir.Attribute) and func.name in ("exit", "_exit") and isinstance(func.value, ir.Name)


def return_(t: Tracer, node: ir.Return, frame: Frame) -> bool:
    value = NONE if node.value is None else t.evaluate(node.value, frame)
    frame.returns.append(t.exit(frame.mark, value))
    return False


def raise_(t: Tracer, node: ir.Raise, frame: Frame) -> bool:
    if node.value is not None:
        t.evaluate(node.value, frame)
        made = node.value.func if isinstance(node.value, ir.Call) else node.value
        frame.is_abstract |= isinstance(made, ir.Name) and made.id == "NotImplementedError"
    return False


def assert_(t: Tracer, node: ir.Assert, frame: Frame) -> bool:
    test = t.evaluate(node.test, frame)
    known = t.truth(test)
    if known is None:
        t.assume(test, True)
    return True


def delete(t: Tracer, node: ir.Delete, frame: Frame) -> bool:
    for target in node.targets:
        _delete(t, target, frame)
    return True


def _delete(t: Tracer, target: ir.Expr, frame: Frame) -> None:
    match target:
        case ir.Name():
            t.store.delete((frame.address, target.id))
        case ir.Attribute():
            owner = t.evaluate(target.value, frame)
            if isinstance(owner, (Ref, Class, ModuleValue)):
                t.store.delete((owner.address, target.name))
        case ir.Subscript():
            operands = [t.evaluate(target.value, frame), t.evaluate(target.index, frame)]
            t.spread(operands, lambda values: subscripts.delete_item(t, values[0], values[1]))
        case ir.Display():
            for item in target.items:
                _delete(t, item, frame)


def jump(t: Tracer, node: ir.Jump, frame: Frame) -> bool:
    if node.kind == "pass" or not frame.loops:
        return node.kind == "pass"
    loop = frame.loops[-1]
    ways = loop.breaks if node.kind == "break" else loop.continues
    ways.append(t.exit(loop.mark, NONE))
    return False


def scope(t: Tracer, node: ir.Scope, frame: Frame) -> bool:
    if node.kind == "global":
        frame.globals.update(node.names)
    return True


def function(t: Tracer, node: ir.FunctionDef, frame: Frame) -> bool:
    """A `def`: the function is made, then its decorators are applied from the innermost out."""
    before = t.fuel
    decorators = [t.evaluate(decorator, frame) for decorator in reversed(node.decorators)]
    kind, name = _binding(node)
    value: Value = make_code(t, node, frame, node.name, kind)
    for decorator in decorators:
        value = _decorated(t, decorator, value, Place(frame.source, node.name_start, node.name_start + len(node.name)))
    t.decorating += before - t.fuel
    assign_name(t, name, value, frame)
    return True


def _binding(node: ir.FunctionDef) -> tuple[str, str]:
    """How a function of a class is bound (static, class, property) and the name it is kept under."""
    for decorator in node.decorators:
        match decorator:
            case ir.Name(id="staticmethod"):
                return "static", node.name
            case ir.Name(id="classmethod"):
                return "class", node.name
            case ir.Name(id="property" | "cached_property") | ir.Attribute(name="cached_property"):
                return "property", node.name
            case ir.Attribute(name="setter" | "deleter", value=ir.Name()):
                return "", f"{node.name}.{decorator.name}"
    return "", node.name


def _decorated(t: Tracer, decorator: Value, value: Value, place: Place) -> Value:
    """A decorator of the program is called; one that we do not know leaves a lost value behind, except that the
    function is still traced on its own."""
    if isinstance(decorator, Library):
        if decorator.name in ("builtins.staticmethod", "builtins.classmethod", "builtins.property"):
            return value
        if decorator.name in ("abc.abstractmethod", "functools.cached_property", "typing.overload"):
            return value
    if isinstance(decorator, Bound) and decorator.name in ("setter", "deleter", "getter"):
        return value
    if isinstance(decorator, (Lost, Const)) or (t.decorating > MAX_DECORATING and not isinstance(decorator, Library)):
        return t.lost("decorated by something unknown")
    from shapecheck.dataflow.calls import call

    return call(t, decorator, [value], {}, place)


def class_(t: Tracer, node: ir.ClassDef, frame: Frame) -> bool:
    address = t.store.address()
    bases = tuple(t.evaluate(base.value, frame) for base in node.bases if base.keyword is None and not base.star)
    cls = Class(address, node.name)
    inner = Frame(address, frame.source, frame.module, node.name, frame, kind="class")
    inner.mark = t.store.mark()
    frame.captured = True
    t.frames[address] = inner
    t.store.set((address, "__bases__"), Seq("tuple", bases))
    t.store.set((address, "__self__"), cls)
    execute(t, node.body, inner)
    metaclasses.heed(t, cls, node, frame, t.store.since(inner.mark))
    value: Value = cls
    for decorator in node.decorators:
        value = _decorated_class(t, decorator, t.evaluate(decorator, frame), cls)
    declared.declare(t, cls, node)
    assign_name(t, node.name, value, frame)
    t.project.classes.append((node, cls, frame))
    return True


def _decorated_class(t: Tracer, node: ir.Expr, decorator: Value, cls: Class) -> Value:
    known = decorator.function if isinstance(decorator, Partial) else decorator
    if known == declared.DATACLASS:
        declared.make_fields(t, cls, declared.FIELDS)
    elif isinstance(decorator, Code):
        from shapecheck.dataflow.calls import call_code

        value = call_code(t, decorator, [cls], {}, Place(t.frames[cls.address].source, node.start, node.end))
        return value if isinstance(value, (Class, Code)) else cls
    return cls


def import_(t: Tracer, node: ir.Import, frame: Frame) -> bool:
    for path, alias in node.names:
        value = t.project.import_module(t, path, frame)
        if alias is None:
            root = path.split(".")[0]
            value = t.project.import_module(t, root, frame) if root != path else value
            assign_name(t, root, value, frame)
        else:
            assign_name(t, alias, value, frame)
    return True


def import_from(t: Tracer, node: ir.ImportFrom, frame: Frame) -> bool:
    module = t.project.import_from(t, node.module, node.level, frame)
    if node.names is None:
        t.project.import_star(t, module, frame)
        return True
    place = Place(frame.source, node.start, node.end)
    for name, alias in node.names:
        if isinstance(module, ModuleValue):
            value: Value = Bound(module, name)
        elif isinstance(module, Library):
            value = objects.get_attribute(t, module, name, place)
        else:
            value = t.lost("import of an unknown package")
        assign_name(t, alias or name, value, frame)
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
    ir.If: control.if_,
    ir.While: loops.while_,
    ir.For: loops.for_,
    ir.Try: control.try_,
    ir.With: control.with_,
    ir.Match: matching.match,
    ir.FunctionDef: function,
    ir.ClassDef: class_,
    ir.Import: import_,
    ir.ImportFrom: import_from,
}

__all__ = ["STATEMENTS", "execute", "subscripts"]
