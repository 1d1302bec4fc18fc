"""The semantics of expressions: one small function per IR node, collected in `EXPRESSIONS`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from shapecheck import ir
from shapecheck.dataflow.builtins import BUILTINS
from shapecheck.dataflow.calls.call_expression import call_expression
from shapecheck.dataflow.containers import iteration
from shapecheck.dataflow.containers.dict_update import EMPTY, merged, updated
from shapecheck.dataflow.containers.mappings import mapping
from shapecheck.dataflow.interpreter import comprehensions
from shapecheck.dataflow.objects import modules
from shapecheck.dataflow.objects.attributes import get_attribute
from shapecheck.dataflow.operators import arithmetic, comparison, subscripts
from shapecheck.dataflow.operators.sets import as_container
from shapecheck.dataflow.operators.undefined import refuse_attribute
from shapecheck.dataflow.paths.case_split import for_each_alternative, of_none
from shapecheck.dataflow.paths.conditions import Conditions, condition
from shapecheck.dataflow.paths.feasibility import note_rank, of_rank
from shapecheck.dataflow.paths.joins import join_exits
from shapecheck.dataflow.paths.narrowing import assume
from shapecheck.dataflow.paths.truth import negate, truth
from shapecheck.dataflow.stages.autograph import check_values
from shapecheck.dataflow.stages.checks import require_python, require_value
from shapecheck.dataflow.stages.conversion import can_convert
from shapecheck.dataflow.stages.graph_state import is_graph_test
from shapecheck.dataflow.stages.missing_results import refuse_missing
from shapecheck.dataflow.stages.static_sizes import as_number, open_size, refuse_open_rank
from shapecheck.dataflow.state.frame import Definition, Frame, Iteration
from shapecheck.dataflow.state.path import Exit, PathEnds
from shapecheck.dataflow.state.running_loops import RunningLoops
from shapecheck.dataflow.words.list_masks import check_masks
from shapecheck.domain.join import alike
from shapecheck.domain.values import (
    FALSE,
    NONE,
    TRUE,
    BoundLibraryMethod,
    Choice,
    Const,
    Dict,
    Function,
    Int,
    Library,
    Lost,
    OpenRank,
    Scalar,
    SliceValue,
    Tensor,
    Value,
    as_size,
)
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer


def place(frame: Frame, node: ir.Node) -> Place:
    """Return the place of a node."""
    return Place(frame.source, node.start, node.end)


def const(t: Tracer, node: ir.Const, frame: Frame) -> Value:
    return Const(node.value)


def name(t: Tracer, node: ir.Name, frame: Frame) -> Value:
    return lookup(t, node.id, frame)


def lookup(t: Tracer, name_: str, frame: Frame) -> Value:
    """Return the value of a name in a scope: local, enclosing, module, builtin, or by convention."""
    read = t.heap.get
    scope: Frame | None = frame
    while scope is not None:
        if (scope.kind != "class" or scope is frame) and (name_ in scope.bound or scope.kind in ("module", "class")):
            value = read((scope.address, name_))
            if value is not None:
                is_open = isinstance(value, (BoundLibraryMethod, Choice))
                return modules.imported(t, (scope.address, name_), value) if is_open else value
            if scope.kind == "function" and name_ in scope.bound:
                return t.lost("variable that may be unset")
        scope = scope.parent
    if name_ in BUILTINS:
        return Library("builtins." + name_)
    value = modules.unbound_name(t, name_, frame)
    return t.lost("undefined name") if value is None else value


def attribute(t: Tracer, node: ir.Attribute, frame: Frame) -> Value:
    owner = t.evaluate(node.value, frame)
    node_place = place(frame, node)
    if t.has_missing and not node.name.startswith("__"):
        refuse_missing(t, [owner], node.name, node_place)
        if node.name == "as_list":
            refuse_open_rank(t, [owner], "as_list", node_place)
    if node.name == "value" and t.target.deferred and isinstance(owner, (Const, Int)):
        return as_number(t, owner)
    raises = None if node.name.startswith("__") else of_none
    found = for_each_alternative(t, [owner], lambda values: _attribute(t, values[0], node.name, node_place), raises)
    if isinstance(owner, Lost) and node.name in ("shape", "ndim"):
        note_rank(t, found)
    return found


def _attribute(t: Tracer, owner: Value, name: str, place: Place) -> Value:
    refused = refuse_attribute(t, owner, name, place)
    return get_attribute(t, owner, name, place) if refused is None else refused


def subscript(t: Tracer, node: ir.Subscript, frame: Frame) -> Value:
    owner = t.evaluate(node.value, frame)
    index = t.evaluate(node.index, frame)
    if isinstance(owner, Tensor):
        check_masks(t, [node.index], frame)
    node_place = place(frame, node)
    if t.has_missing:
        refuse_missing(t, [owner], "[]", node_place)
        if isinstance(owner, OpenRank) and as_size(index) is not None:
            return open_size(t)
    return for_each_alternative(
        t, [owner, index], lambda values: subscripts.get_item(t, values[0], values[1], node_place), of_none
    )


def slice_(t: Tracer, node: ir.Slice, frame: Frame) -> Value:
    lower, upper, step = (
        NONE if part is None else t.evaluate(part, frame) for part in (node.lower, node.upper, node.step)
    )
    return SliceValue(lower, upper, step)


def call(t: Tracer, node: ir.Call, frame: Frame) -> Value:
    return call_expression(t, node, frame)


def unary(t: Tracer, node: ir.Unary, frame: Frame) -> Value:
    operand = t.evaluate(node.operand, frame)
    if node.op == "not":
        require_value(t, operand, place(frame, node.operand), "not", is_converted=True)
        return condition(t, "not", operand, operand) if is_graph_test(t, operand) else negate(t, operand)
    node_place = place(frame, node)
    return for_each_alternative(
        t, [operand], lambda values: arithmetic.unary(t, node.op, values[0], node_place), of_none
    )


def binary(t: Tracer, node: ir.Binary, frame: Frame) -> Value:
    # Left-deep chains (a + b + c + …) are traversed in a loop, since programs have sums of hundreds of terms.
    chain = [node]
    while isinstance(chain[-1].left, ir.Binary):
        chain.append(chain[-1].left)
    value = t.evaluate(chain[-1].left, frame)
    for link in reversed(chain):
        right = t.evaluate(link.right, frame)
        node_place = place(frame, link)
        op = link.op

        def run(values: Any, op: str = op, node_place: Place = node_place) -> Value:
            return arithmetic.binary(t, op, values[0], values[1], node_place)

        result = for_each_alternative(t, [value, right], run, partial(arithmetic.raises_for_none, op))
        derived = t.component(RunningLoops).derive if type(result) is Scalar else partial(of_rank, t)
        value = derived(result, (value, right))
        if t.observed is not None and link is not node:
            t.observe(link, frame, value)
    return value


def compare(t: Tracer, node: ir.Compare, frame: Frame) -> Value:
    left = t.evaluate(node.left, frame)
    result: Value = TRUE
    node_place = place(frame, node)
    for op, right_node in zip(node.ops, node.rights, strict=True):
        right = t.evaluate(right_node, frame)

        def run(values: Any, op: str = op) -> Value:
            return comparison.compare(t, op, values[0], values[1], node_place)

        outcome = for_each_alternative(t, [left, right], run)
        if truth(t, outcome) is False:
            return outcome if isinstance(outcome, Tensor) else FALSE
        known = truth(t, result)
        result = outcome if known is True else condition(t, "and", result, outcome)
        left = right
    return result


def logical(t: Tracer, node: ir.Logical, frame: Frame) -> Value:
    """Evaluate `and` / `or` with short circuit: later operands are evaluated under the assumption of earlier ones."""
    return _from_operand(t, node, t.evaluate(node.values[0], frame), 1, frame)


def _from_operand(t: Tracer, node: ir.Logical, value: Value, position: int, frame: Frame) -> Value:
    """Return the result, given that of the operands before the position."""
    stopping = node.op == "or"
    if position < len(node.values):
        require_value(t, value, place(frame, node.values[position - 1]), node.op, is_converted=True)
    known = truth(t, value)
    if position == len(node.values) or known is stopping:
        return value
    if known is not None:
        return _from_operand(t, node, t.evaluate(node.values[position], frame), position + 1, frame)
    path = t.path
    mark = t.heap.mark()
    exits: list[Exit] = []
    assume(t, value, stopping)
    exits.append(t.exit(mark, value))
    t.path = path
    assume(t, value, not stopping)
    try:
        following = _from_operand(t, node, t.evaluate(node.values[position], frame), position + 1, frame)
        exits.append(t.exit(mark, following))
    except PathEnds:
        pass
    finally:
        t.heap.rollback(mark)
        t.path = path
    joined = _join(t, exits)
    return joined if len(exits) == 1 else _logical_result(t, node.op, value, exits[1].value)


def _logical_result(t: Tracer, op: str, left: Value, right: Value) -> Value:
    """Return the result of two operands, the first of which is not certain."""
    if isinstance(left, Scalar) and left.kind == "bool":
        known = truth(t, right)
        if known is (op == "and"):
            return left
        return condition(t, op, left, right)
    taken = op == "or"
    stopped = (TRUE if taken else FALSE) if _is_bool(left) else left
    joined = t.join([(((left, taken),), stopped), (((left, not taken),), right)])
    if isinstance(joined, (Lost, Scalar)) and joined not in (left, right):
        t.component(Conditions).meanings.setdefault(joined, (op, left, right))
    return joined


def _is_bool(value: Value) -> bool:
    """Return whether a value is certainly a bool."""
    match value:
        case Const(value=constant):
            return isinstance(constant, bool)
        case Scalar(kind=kind):
            return kind == "bool"
        case Choice(options=options):
            return all(_is_bool(option) for _, option in options)
    return False


def conditional(t: Tracer, node: ir.Conditional, frame: Frame) -> Value:
    test = t.evaluate(node.test, frame)
    require_value(t, test, place(frame, node.test), "if", is_converted=True)
    known = None if is_graph_test(t, test) else truth(t, test)
    if known is not None:
        return t.evaluate(node.then if known else node.orelse, frame)
    exits: list[Exit] = []
    path = t.path
    for side, arm in ((True, node.then), (False, node.orelse)):
        assume(t, test, side)
        _evaluate_path(t, arm, frame, exits)
        t.path = path
    check_values(t, test, exits, place(frame, node.test))
    return _join(t, exits)


def _evaluate_path(t: Tracer, node: ir.Expr, frame: Frame, exits: list[Exit]) -> None:
    """Evaluate an operand on its own path, and undo its changes."""
    mark = t.heap.mark()
    try:
        value = t.evaluate(node, frame)
        exits.append(t.exit(mark, value))
    except PathEnds:
        pass
    finally:
        t.heap.rollback(mark)


def _join(t: Tracer, exits: Sequence[Exit]) -> Value:
    """Continue after one of several exits."""
    if not exits:
        raise PathEnds
    return join_exits(t, exits, t.path.guards)


def display(t: Tracer, node: ir.Display, frame: Frame) -> Value:
    items = comprehensions.expand(t, node.items, frame)
    if node.kind == "tuple":
        return as_container(items, "tuple")
    return t.new_container(node.kind, as_container(items, node.kind))


def dict_display(t: Tracer, node: ir.DictDisplay, frame: Frame) -> Value:
    whole, entries = EMPTY, []
    for key_node, value_node in node.items:
        value = t.evaluate(value_node, frame)
        if key_node is not None:
            entries.append((t.evaluate(key_node, frame), value))
            continue
        more = mapping(t, value)
        unknown = Dict((), Lost("dict of unknown keys"))
        whole = merged(t, updated(t, entries, whole), more if isinstance(more, Dict) else unknown)
        entries = []
    return t.new_container("dict", updated(t, entries, whole))


def lambda_(t: Tracer, node: ir.Lambda, frame: Frame) -> Value:
    return make_function(t, node, frame, "<lambda>")


def make_function(t: Tracer, node: ir.FunctionDef | ir.Lambda, frame: Frame, label: str, kind: str = "") -> Function:
    """Return a function value for a definition, with its default values evaluated now."""
    frame.captured = True
    scope: Frame | None = frame.parent
    while scope is not None and not scope.captured:
        scope.captured = True
        scope = scope.parent
    owner = frame.address if frame.kind == "class" else None
    key = t.functions.key_of(Definition(node, frame, owner, kind))
    defaults = tuple((p.name, t.evaluate(p.default, frame)) for p in node.params if p.default is not None)
    return Function(key, frame.address, label, defaults, is_convertible=can_convert(t, node))


def format_(t: Tracer, node: ir.Format, frame: Frame) -> Value:
    texts: list[str] = []
    values: list[Value] = []
    known = node.plain
    for position, part in enumerate(node.parts):
        value = part if isinstance(part, str) else t.evaluate(part, frame)
        if isinstance(value, str):
            texts.append(value)
            continue
        if t.has_graphs and position in node.specified and not isinstance(part, str):
            require_python(t, value, place(frame, part), "a format specification")
        values.append(value)
        if isinstance(value, Const) and isinstance(value.value, (str, int, float)):
            texts.append(str(value.value))
        else:
            known = False
    return Const("".join(texts)) if known else t.component(RunningLoops).derive(Scalar("str"), values)


def starred(t: Tracer, node: ir.Starred, frame: Frame) -> Value:
    return t.evaluate(node.value, frame)


def walrus(t: Tracer, node: ir.Walrus, frame: Frame) -> Value:
    value = t.evaluate(node.value, frame)
    scope = frame
    while scope.kind == "comprehension" and scope.parent is not None:
        scope = scope.parent
    t.heap.set((scope.address, node.name), value)
    return value


def await_(t: Tracer, node: ir.Await, frame: Frame) -> Value:
    return t.evaluate(node.value, frame)


def yield_(t: Tracer, node: ir.Yield, frame: Frame) -> Value:
    """Add a value to those that a generator yields."""
    value = NONE if node.value is None else t.evaluate(node.value, frame)
    value = value if node.delegate else t.freeze(value)  # its present contents
    scope = frame
    while scope.kind == "comprehension" and scope.parent is not None:
        scope = scope.parent
    certain = not node.delegate and t.path.guards == t.call_stack.guards_at_call
    if certain and all(loop.iteration is not Iteration.ANY for loop in scope.loops):
        scope.distinct_item = value if scope.yields and not alike(scope.yields[0], value) else scope.distinct_item
    if any(loop.iteration is Iteration.LAST for loop in scope.loops):
        return t.lost("value sent into a generator")
    sure = certain and all(loop.iteration is Iteration.KNOWN for loop in scope.loops)
    scope.yields_all = scope.yields_all and sure
    scope.yields.append(iteration.element(t, value) if node.delegate else value)
    return t.lost("value sent into a generator")


def opaque(t: Tracer, node: ir.Opaque, frame: Frame) -> Value:
    return t.lost(node.reason)


EXPRESSIONS: dict[type[Any], Callable[[Tracer, Any, Frame], Value]] = {
    ir.Const: const,
    ir.Name: name,
    ir.Attribute: attribute,
    ir.Subscript: subscript,
    ir.Slice: slice_,
    ir.Call: call,
    ir.Unary: unary,
    ir.Binary: binary,
    ir.Compare: compare,
    ir.Logical: logical,
    ir.Conditional: conditional,
    ir.Display: display,
    ir.DictDisplay: dict_display,
    ir.Comprehension: comprehensions.comprehension,
    ir.Lambda: lambda_,
    ir.Format: format_,
    ir.Starred: starred,
    ir.Walrus: walrus,
    ir.Await: await_,
    ir.Yield: yield_,
    ir.Opaque: opaque,
}
