"""Repairs of code that runs while a graph is built."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import zip_longest

from shapecheck.domain.values import Choice, Const, HomogeneousSeq, Int, Ref, Scalar, Seq, Tensor, Value
from shapecheck.findings import Edit
from shapecheck.models.lang.packs import FUNCTIONAL
from shapecheck.repairs.situation import Candidate, Situation, callee

_OF_NUMPY = {
    **{name: f"reduce_{name}" for name in ("mean", "sum", "max", "min", "prod", "any", "all")},
    **{name: f"math.reduce_{name}" for name in ("std",)},
    **{name: f"math.{name}" for name in ("log", "log1p", "mod", "cumsum")},
    **dict.fromkeys(("array", "asarray"), "convert_to_tensor"),
    "concatenate": "concat",
    "power": "pow",
    "var": "math.reduce_variance",
    "arange": "range",
    "dot": "tensordot",
    "clip": "clip_by_value",
    "absolute": "abs",
    "linalg.norm": "norm",
}
_OF_PYTHON = {"min": "minimum", "max": "maximum", "sum": "reduce_sum", "abs": "abs"}
_DTYPES = ("float32", "int32", "int64", "float64")
_DECLARATIONS = {"map_fn": "fn_output_signature", "py_function": "Tout", "numpy_function": "Tout"}


def in_tensorflow(s: Situation) -> Iterator[Candidate]:
    """Yield programs that call functions of TensorFlow instead of NumPy's and Python's: one, or all of a statement."""
    if s.node is None or not s.tensorflow:
        return
    here = [_translated(s, node) for node in s.text.parts(s.node) if isinstance(node, ast.Call)]
    yield from (found for found in here if found is not None)
    around = s.text.statement_around(s.node)
    calls = [node for node in s.text.parts(around) if isinstance(node, ast.Call)] if around is not None else []
    found = [candidate for node in calls if (candidate := _translated(s, node)) is not None]
    if len(found) > 1:
        yield Candidate(1, tuple(edit for candidate in found for edit in candidate.edits))


def taped_in_tensorflow(s: Situation) -> Iterator[Candidate]:
    """Yield programs that call functions of TensorFlow inside the block of a tape."""
    for block in s.text.nodes if s.tensorflow else ():
        if isinstance(block, ast.With) and any(callee(item.context_expr) == "GradientTape" for item in block.items):
            calls = [node for node in s.text.parts(block) if isinstance(node, ast.Call)]
            yield from (found for node in calls if (found := _translated(s, node)) is not None)


def _translated(s: Situation, call: ast.Call) -> Candidate | None:
    """Return the call of the same function of TensorFlow."""
    name = s.text.text(call.func)
    match name.split("."):
        case [module, *rest] if rest and module == s.text.numpy:
            return s.candidate(0, call.func, f"{s.tensorflow}.{_OF_NUMPY.get('.'.join(rest), '.'.join(rest))}")
        case ["math", function]:
            return s.candidate(0, call.func, f"{s.tensorflow}.math.{function}")
        case [function] if function in _OF_PYTHON:
            return s.candidate(0, call.func, f"{s.tensorflow}.{_OF_PYTHON[function]}")
    return None


def option_of_function(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a tape lasts, or a function is traced or compiled in another way."""
    for node in s.text.nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr="GradientTape"), args=[], keywords=[]):
                yield s.inserted(0, s.text.span(node)[1] - 1, "persistent=True")
            case ast.Call(keywords=options):
                yield from (made for each in options if (made := _without_option(s, node, each)) is not None)


def _without_option(s: Situation, call: ast.Call, option: ast.keyword) -> Candidate | None:
    """Return a call without an option about staging; a model may be compiled by default, too."""
    match option:
        case ast.keyword(arg="jit_compile", value=ast.Constant(value=True) as value) if callee(call) == "compile":
            return s.candidate(4, value, "False")
        case ast.keyword(arg="jit_compile" as name, value=ast.Constant(value=True)):
            return s.without_keyword(4, call, name)
        case ast.keyword(arg="autograph" as name, value=ast.Constant(value=False)):
            return s.without_keyword(4, call, name)
    return None


def values_of_tensors(s: Situation) -> Iterator[Candidate]:
    """Yield programs that use a tensor itself instead of its value, or a model instead of its predictions."""
    for node in s.text.nodes if s.tensorflow else ():
        match node:
            case ast.Call(func=ast.Attribute(attr="numpy", value=owner), args=[]):
                yield s.candidate(2, node, s.text.text(owner))
            case ast.Call(func=ast.Attribute(attr="predict", value=owner), args=[data, *_]):
                yield s.candidate(3, node, f"{s.text.text(owner)}({s.text.text(data)})")
            case ast.Call(func=ast.Name(id="int" | "float" as kind), args=[inner]):
                dtype = "int32" if kind == "int" else "float32"
                yield s.candidate(2, node, f"{s.tensorflow}.cast({s.text.text(inner)}, {s.tensorflow}.{dtype})")


def loop_in_graph(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a loop is one of the graph."""
    for node in s.text.nodes if s.tensorflow else ():
        match node:
            case ast.For(iter=ast.Call(func=ast.Name(id="range") as function)):
                yield s.candidate(0, function, f"{s.tensorflow}.range")


def list_gathered(s: Situation) -> Iterator[Candidate]:
    """Yield programs that take an item of a list of tensors by an index that is a tensor."""
    match s.node:
        case ast.Subscript(value=owner, slice=index, ctx=ast.Load()) if s.tensorflow and _is_list(s, owner):
            yield s.candidate(0, s.node, f"{s.tensorflow}.gather({s.text.text(owner)}, {s.text.text(index)})")


def _is_list(s: Situation, owner: ast.expr) -> bool:
    value = s.text.value(owner)
    return isinstance(value, (Seq, HomogeneousSeq)) or (isinstance(value, Ref) and value.cls == "list")


def rows_unstacked(s: Situation) -> Iterator[Candidate]:
    """Yield programs that iterate over the list of the rows of a tensor."""
    if s.node is None or not s.tensorflow:
        return
    around = s.text.statement_around(s.node)
    parts = [s.node, *s.text.parts(s.node)]
    if isinstance(around, ast.Assign):
        parts.append(around.value)
    for node in dict.fromkeys(parts):
        is_read = isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
        if is_read and isinstance(node, ast.expr) and isinstance(s.text.value(node), Tensor):
            yield s.candidate(0, node, f"{s.tensorflow}.unstack({s.text.text(node)})")


def truth_reduced(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a condition is one truth value."""
    match s.node:
        case ast.Compare(left=left, ops=[ast.In()], comparators=[right]) if s.tensorflow:
            text = f"{s.tensorflow}.reduce_any({s.text.text(left)} == {s.text.text(right)})"
            yield s.candidate(0, s.node, text)
        case ast.Compare() if s.tensorflow:
            yield s.candidate(1, s.node, f"{s.tensorflow}.reduce_all({s.text.text(s.node)})")


def where_chosen(s: Situation) -> Iterator[Candidate]:
    """Yield programs that compute both of two results and choose one of them."""
    for node in s.text.nodes if _chooser(s) and s.node is not None else ():
        match node:
            case ast.IfExp(test=test, body=first, orelse=second) if _is_part(s, test):
                yield s.candidate(2, node, _where(s, test, first, second))
            case ast.FunctionDef(body=statements):
                for at, statement in enumerate(statements):
                    match statement, statements[at + 1 : at + 2]:
                        case (
                            ast.If(test=test, body=[ast.Return(value=ast.expr() as first)], orelse=[]),
                            [ast.Return(value=ast.expr() as second)],
                        ) if _is_part(s, test):
                            end = s.text.span(second)[1]
                            place = s.text.place(s.text.span(statement)[0], end)
                            yield Candidate(2, (Edit(place, f"return {_where(s, test, first, second)}"),))


def _is_part(s: Situation, whole: ast.expr) -> bool:
    return any(each is s.node for each in s.text.parts(whole))


def _where(s: Situation, test: ast.expr, first: ast.expr, second: ast.expr) -> str:
    return f"{_chooser(s)}.where({', '.join(map(s.text.text, (test, first, second)))})"


def _chooser(s: Situation) -> str:
    """Return the name of the module whose `where` takes arrays that are traced; "" if none is imported."""
    return s.tensorflow or s.module_of(FUNCTIONAL)


def asserted_in_graph(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which an assertion about a tensor is an operation."""
    for node in s.text.nodes if s.tensorflow and s.node is not None else ():
        if isinstance(node, ast.Assert) and _is_part(s, node.test):
            told = '""' if node.msg is None else s.text.text(node.msg)
            call = f"{s.tensorflow}.debugging.Assert({s.text.text(node.test)}, [{told}])"
            yield Candidate(0, (Edit(s.text.place(*s.text.span(node)), call),))


def dynamic_size(s: Situation) -> Iterator[Candidate]:
    """Yield programs that read a size when they run instead of while the graph is built."""
    tf = s.tensorflow
    for node in s.text.nodes if tf else ():
        match node:
            case ast.Subscript(value=ast.Attribute(attr="shape", value=owner), slice=index, ctx=ast.Load()):
                yield from _read_at_run_time(s, 0, node, f"{tf}.shape({s.text.text(owner)})[{s.text.text(index)}]")
            case ast.Call(args=[ast.Attribute(attr="shape", value=owner) as shape]):
                yield s.candidate(1, shape, f"{tf}.shape({s.text.text(owner)})")
            case ast.Call(func=ast.Name(id="len"), args=[owner]):
                yield s.candidate(2, node, f"{tf}.shape({s.text.text(owner)})[0]")


def _read_at_run_time(s: Situation, weight: int, node: ast.expr, text: str) -> Iterator[Candidate]:
    """Yield the size as a tensor, of the dtype of what it is divided by or multiplied with."""
    for other in s.text.nodes:
        if isinstance(other, ast.BinOp) and node in (other.left, other.right):
            value = s.text.value(other.left if other.right is node else other.right)
            if isinstance(value, Tensor) and value.dtype and value.dtype.startswith("float"):
                text = f"{s.tensorflow}.cast({text}, {s.tensorflow}.{value.dtype})"
    yield s.candidate(weight, node, text)


def variable_assigned(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which an update changes the variables, and does not bind their names to tensors."""
    edits = []
    for node in s.text.nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name) as target], value=ast.BinOp(left=ast.Name(id=same), right=step)):
                method = {ast.Sub: "assign_sub", ast.Add: "assign_add"}.get(type(node.value.op))  # type: ignore[attr-defined]
                if name == same and method and callee(s.text.first_value(target)) == "Variable":
                    start, end = s.text.span(node)
                    edits.append(Edit(s.text.place(start, end), f"{name}.{method}({s.text.text(step)})"))
    if edits:
        yield Candidate(0, tuple(edits))


def variable_watched(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a tape watches what it differentiates by."""
    if not isinstance(s.node, ast.Call) or len(s.node.args) < 2 or not isinstance(s.node.func, ast.Attribute):
        return
    if not isinstance(s.node.args[1], (ast.Name, ast.List, ast.Tuple)):
        return
    tape, by = s.text.text(s.node.func.value), s.text.text(s.node.args[1])
    for node in s.text.nodes:
        match node:
            case ast.With(items=[ast.withitem(optional_vars=ast.Name(id=name))], body=[first, *_]) if name == tape:
                start = s.text.span(first)[0]
                indent = s.text.indentation(start)
                if indent is not None:
                    yield s.inserted(0, start, f"{tape}.watch({by})\n{indent}")


def literal_made_float(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a name or variable starts as a float, or a function returns one, instead of an
    integer."""
    for node in s.text.nodes:
        match node:
            case ast.Assign(value=value) | ast.Lambda(body=value) | ast.Return(value=ast.expr() as value):
                numbers = [each for each in _literals(value) if type(each.value) is int]
                if numbers:
                    yield Candidate(0, tuple(s.text.replaced(each, f"{each.value!r}.0") for each in numbers))


def state_made_float(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a loop or reduction starts with a float instead of an integer."""
    for given in s.node.args if isinstance(s.node, ast.Call) else ():
        numbers = [each for each in _literals(given) if type(each.value) is int]
        if numbers:
            yield Candidate(0, tuple(s.text.replaced(each, f"{each.value!r}.0") for each in numbers))


def _literals(value: ast.expr) -> Iterator[ast.Constant]:
    """Yield the numbers of a literal, or of the literal that a variable starts with."""
    match value:
        case ast.Constant():
            yield value
        case ast.UnaryOp(operand=inner):
            yield from _literals(inner)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            for item in items:
                yield from _literals(item)
        case ast.Call(args=[first, *_]) if callee(value) in ("Variable", "constant"):
            yield from _literals(first)


def literal_made_tensor(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a flag starts as a tensor, as it goes on."""
    for node in s.text.nodes if s.tensorflow else ():
        match node:
            case ast.Assign(value=ast.Constant(value=bool()) as value):
                yield s.candidate(0, value, f"{s.tensorflow}.constant({s.text.text(value)})")


def quotient_made_integer(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a division of integers gives an integer."""
    for node in s.text.nodes:
        match node:
            case ast.BinOp(op=ast.Div(), left=left, right=right):
                yield s.candidate(0, node, f"{s.text.text(left)} // {s.text.text(right)}")


def positions_made_int32(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which positions have the dtype of other integers."""
    for node in s.text.nodes if s.tensorflow else ():
        if isinstance(node, ast.Call) and callee(node) in ("argmax", "argmin"):
            yield s.with_keyword(0, node, "output_type", f"{s.tensorflow}.int32")


def values_made_tensors(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a function gets a tensor instead of a Python number."""
    if not isinstance(s.node, ast.Call) or not s.tensorflow:
        return
    function = s.text.functions.get(callee(s.node))
    names = [each.arg for each in function.args.args] if function is not None else []
    given = [
        *zip_longest(s.node.args, names[: len(s.node.args)]),
        *((each.value, each.arg) for each in s.node.keywords),
    ]
    for argument, name in given:
        if argument is not None and _is_plain(s.text.value(argument)):
            dtype = f", {s.tensorflow}.float32" if function is not None and _is_divided(function, name) else ""
            yield s.candidate(0, argument, f"{s.tensorflow}.constant({s.text.text(argument)}{dtype})")


def _is_divided(function: ast.FunctionDef, name: str | None) -> bool:
    """Return whether a function divides a parameter, which makes a float64 of an integer tensor."""
    quotients = (node for node in ast.walk(function) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div))
    return any(isinstance(side, ast.Name) and side.id == name for node in quotients for side in (node.left, node.right))


def _is_plain(value: Value | None) -> bool:
    """Return whether a value is a number or text of Python, in each iteration."""
    if isinstance(value, Choice):
        return all(_is_plain(option) for _, option in value.options)
    return isinstance(value, (Const, Int, Scalar))


def arguments_cast(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which an argument has another dtype."""
    wanted = [dtype for dtype in _DTYPES if s.call.clash.message.endswith(f" takes {dtype}")]
    for argument in s.node.args if isinstance(s.node, ast.Call) and s.tensorflow else ():
        for weight, dtype in enumerate(wanted):
            text = f"{s.tensorflow}.cast({s.text.text(argument)}, {s.tensorflow}.{dtype})"
            yield s.candidate(weight, argument, text)


def result_declared(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the dtype of the results of a function is declared, as another one."""
    keyword = _DECLARATIONS.get(callee(s.node))
    if keyword and isinstance(s.node, ast.Call) and s.tensorflow:
        for weight, dtype in enumerate(_DTYPES):
            if keyword == "Tout" and len(s.node.args) > 2:
                yield s.candidate(weight, s.node.args[2], f"{s.tensorflow}.{dtype}")
            else:
                yield s.with_keyword(weight, s.node, keyword, f"{s.tensorflow}.{dtype}")


def rest_dropped(s: Situation) -> Iterator[Candidate]:
    """Yield programs whose batches all have the same size."""
    for node in s.text.nodes:
        if isinstance(node, ast.Call) and callee(node) == "batch" and len(node.args) == 1 and not node.keywords:
            yield s.with_keyword(0, node, "drop_remainder", "True")


def list_yielded_as_tuple(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a generator, or an item of a `Sequence`, gives tuples of values instead of lists."""
    for node in s.text.nodes:
        match node:
            case ast.Yield(value=ast.List(elts=items) as value) if len(items) > 1:
                yield s.candidate(0, value, ", ".join(map(s.text.text, items)))
            case ast.Yield(value=ast.Tuple(elts=parts)) | ast.Return(value=ast.Tuple(elts=parts)):
                lists = [part for part in parts if isinstance(part, ast.List) and len(part.elts) > 1]
                edits = [s.text.replaced(one, f"({', '.join(map(s.text.text, one.elts))})") for one in lists]
                if edits:
                    yield Candidate(0, tuple(edits))


def printed_when_run(s: Situation) -> Iterator[Candidate]:
    """Yield programs that print when a function runs, not when it is traced."""
    match s.node:
        case ast.Call(func=ast.Name(id="print") as function) if s.tensorflow:
            yield s.candidate(0, function, f"{s.tensorflow}.print")


def signature_widened(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a signature leaves the size of an axis open."""
    for node in s.text.nodes:
        if isinstance(node, ast.Call) and callee(node) == "TensorSpec":
            for shape in (*node.args[:1], *(each.value for each in node.keywords if each.arg == "shape")):
                for size in shape.elts if isinstance(shape, (ast.Tuple, ast.List)) else ():
                    if s.text.number(size) is not None:
                        yield s.candidate(0, size, "None")
