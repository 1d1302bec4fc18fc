"""Repairs of code that runs while a graph is built."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.domain.values import Const, Int, Scalar, Tensor
from shapecheck.repairs.situation import Candidate, Situation, callee

_IN_TENSORFLOW = {
    "mean": "reduce_mean",
    "sum": "reduce_sum",
    "max": "reduce_max",
    "min": "reduce_min",
    "std": "math.reduce_std",
    "concatenate": "concat",
    "array": "convert_to_tensor",
    "asarray": "convert_to_tensor",
    "prod": "reduce_prod",
    "any": "reduce_any",
    "all": "reduce_all",
    "power": "pow",
    "log": "math.log",
    "var": "math.reduce_variance",
    "arange": "range",
    "dot": "tensordot",
    "clip": "clip_by_value",
    "absolute": "abs",
    "mod": "math.mod",
    "log1p": "math.log1p",
}


def in_tensorflow(s: Situation) -> Iterator[Candidate]:
    """Yield programs that call the function of TensorFlow instead of NumPy's."""
    tf, np = s.text.aliases.get("tensorflow"), s.text.aliases.get("numpy")
    if isinstance(s.node, ast.Call) and tf and np:
        for node in ast.walk(s.node):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=name) as function) if module == np:
                    yield s.candidate(0, function, f"{tf}.{_IN_TENSORFLOW.get(name, name)}")


def option_of_function(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a tape lasts, or a function is not compiled by XLA."""
    for node in ast.walk(s.text.tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="GradientTape"), args=[], keywords=[]):
                yield s.inserted(0, s.text.span(node)[1] - 1, "persistent=True")
            case ast.keyword(arg="jit_compile", value=ast.Constant(value=True) as value):
                yield s.candidate(4, value, "False")
            case ast.keyword(arg="autograph", value=ast.Constant(value=False) as value):
                yield s.candidate(4, value, "True")
            case ast.Call(func=ast.Attribute(attr="numpy", value=owner), args=[]):
                yield s.candidate(2, node, s.text.text(owner))
            case ast.Call(func=ast.Name(id="range") as function):
                if tf := s.text.aliases.get("tensorflow"):
                    yield s.candidate(3, function, f"{tf}.range")
            case ast.Call(func=ast.Name(id="int" | "float" as kind), args=[inner]):
                if tf := s.text.aliases.get("tensorflow"):
                    yield s.candidate(
                        2, node, f"{tf}.cast({s.text.text(inner)}, {tf}.{'int32' if kind == 'int' else 'float32'})"
                    )


def dynamic_size(s: Situation) -> Iterator[Candidate]:
    """Yield programs that read a size when they run instead of while the graph is built."""
    tf = s.text.aliases.get("tensorflow")
    for node in ast.walk(s.text.tree) if tf else ():
        match node:
            case ast.Subscript(value=ast.Attribute(attr="shape", value=owner), slice=index, ctx=ast.Load()):
                yield from _read_at_run_time(s, 0, node, f"{tf}.shape({s.text.text(owner)})[{s.text.text(index)}]")
            case ast.Call(func=ast.Name(id="len"), args=[owner]):
                yield from _read_at_run_time(s, 2, node, f"{tf}.shape({s.text.text(owner)})[0]")


def _read_at_run_time(s: Situation, weight: int, node: ast.expr, text: str) -> Iterator[Candidate]:
    """Yield the size as a tensor, of the dtype of what it is divided by or multiplied with."""
    tf = s.text.aliases["tensorflow"]
    for other in ast.walk(s.text.tree):
        if isinstance(other, ast.BinOp) and node in (other.left, other.right):
            value = s.text.value(other.left if other.right is node else other.right)
            if isinstance(value, Tensor) and value.dtype and value.dtype.startswith("float"):
                text = f"{tf}.cast({text}, {tf}.{value.dtype})"
    yield s.candidate(weight, node, text)


def variable_watched(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a tape watches what it differentiates by."""
    if not isinstance(s.node, ast.Call) or len(s.node.args) < 2 or not isinstance(s.node.func, ast.Attribute):
        return
    if not isinstance(s.node.args[1], (ast.Name, ast.List, ast.Tuple)):
        return
    tape, by = s.text.text(s.node.func.value), s.text.text(s.node.args[1])
    for node in ast.walk(s.text.tree):
        match node:
            case ast.With(items=[ast.withitem(optional_vars=ast.Name(id=name))], body=[first, *_]) if name == tape:
                start = s.text.span(first)[0]
                indent = s.text.indentation(start)
                if indent is not None:
                    yield s.inserted(0, start, f"{tape}.watch({by})\n{indent}")


def literal_made_float(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a name starts as a float, or a function returns one, instead of an integer."""
    for node in ast.walk(s.text.tree):
        match node:
            case ast.Assign(value=value) | ast.Lambda(body=value) | ast.Return(value=value) if value is not None:
                number = value.operand if isinstance(value, ast.UnaryOp) else value
                if isinstance(number, ast.Constant) and type(number.value) is int:
                    yield s.candidate(0, number, f"{number.value}.0")


def values_made_tensors(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a function gets a tensor instead of a Python number."""
    tf = s.text.aliases.get("tensorflow")
    for argument in s.node.args if isinstance(s.node, ast.Call) and tf else ():
        if isinstance(s.text.value(argument), (Const, Int, Scalar)):
            yield s.candidate(0, argument, f"{tf}.constant({s.text.text(argument)})")


def printed_when_run(s: Situation) -> Iterator[Candidate]:
    """Yield programs that print when a function runs, not when it is traced."""
    tf = s.text.aliases.get("tensorflow")
    match s.node:
        case ast.Call(func=ast.Name(id="print") as function) if tf:
            yield s.candidate(0, function, f"{tf}.print")


def signature_widened(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a signature leaves the size of an axis open."""
    for node in ast.walk(s.text.tree):
        if isinstance(node, ast.Call) and callee(node) == "TensorSpec":
            for shape in (*node.args[:1], *(each.value for each in node.keywords if each.arg == "shape")):
                for size in shape.elts if isinstance(shape, (ast.Tuple, ast.List)) else ():
                    if s.text.number(size) is not None:
                        yield s.candidate(0, size, "None")
