"""Repairs of functions that TensorFlow traces: signatures, arrays of a graph, and shapes of results of Python."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from shapecheck.domain.values import Choice, Tensor
from shapecheck.findings import Edit
from shapecheck.repairs.situation import Candidate, Situation, callee

_CALLS_OF_PYTHON = ("py_function", "numpy_function")


def signature_inferred(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a traced function has a signature of what its calls give it, or relaxes its shapes.

    Sizes that differ from call to call are open.
    """
    name = callee(s.node)
    decorator = _decorator(s, name)
    if decorator is None:
        return
    calls = [node for node in s.text.nodes if isinstance(node, ast.Call) and callee(node) == name]
    if len({len(call.args) for call in calls}) == 1 and not any(call.keywords for call in calls):
        specs = [_spec(s, nodes) for nodes in zip(*(call.args for call in calls), strict=True)]
        if specs and None not in specs:
            text = f"[{', '.join(spec for spec in specs if spec)}]"
            yield _with_option(s, 0, decorator, "input_signature", text)
    yield _with_option(s, 1, decorator, "reduce_retracing", "True")


def _decorator(s: Situation, name: str) -> ast.expr | None:
    """Return the decorator of the function of a name, if it is `tf.function` without a signature."""
    for node in s.text.nodes:
        if isinstance(node, ast.FunctionDef) and node.name == name and len(node.decorator_list) == 1:
            decorator = node.decorator_list[0]
            options = [each.arg for each in decorator.keywords] if isinstance(decorator, ast.Call) else []
            maker = decorator.func if isinstance(decorator, ast.Call) else decorator
            if s.text.text(maker) == f"{s.tensorflow}.function" and "input_signature" not in options:
                return decorator
    return None


def _spec(s: Situation, nodes: Sequence[ast.expr]) -> str | None:
    """Return the specification of a parameter that takes the values of some expressions; None if it may be another."""
    tensors = [tensor for node in nodes for tensor in _tensors(s, node)]
    dtypes = {tensor.dtype for tensor in tensors}
    ranks = {tensor.shape.rank for tensor in tensors}
    if len(dtypes) != 1 or len(ranks) != 1 or None in dtypes | ranks:
        return None
    sizes = [str(each[0]) if len(set(each)) == 1 and isinstance(each[0], int) else "None" for each in _columns(tensors)]
    return f"{s.tensorflow}.TensorSpec([{', '.join(sizes)}], {s.tensorflow}.{dtypes.pop()})"


def _columns(tensors: Sequence[Tensor]) -> list[tuple[object, ...]]:
    """Return the sizes of each axis."""
    return list(zip(*(tensor.shape.sizes for tensor in tensors), strict=True))


def _tensors(s: Situation, node: ast.expr) -> list[Tensor]:
    """Return the tensors that an expression gives, once or in each iteration; one of unknown shape if it may give
    something else."""
    value = s.text.value(node)
    options = [option for _, option in value.options] if isinstance(value, Choice) else [value]
    return [option if isinstance(option, Tensor) else Tensor() for option in options]


def _with_option(s: Situation, weight: int, decorator: ast.expr, option: str, value: str) -> Candidate:
    if isinstance(decorator, ast.Call):
        return s.with_keyword(weight, decorator, option, value)
    return s.candidate(weight, decorator, f"{s.text.text(decorator)}({option}={value})")


def list_made_array(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a loop of the graph fills a `TensorArray` instead of a list."""
    if not isinstance(s.node, ast.Call) or callee(s.node) != "stack" or len(s.node.args) != 1 or s.node.keywords:
        return
    match s.node.args[0]:
        case ast.Name(id=name):
            edits = list(_as_array(s, name))
            if len(edits) == 2:
                yield Candidate(0, (*edits, s.text.replaced(s.node, f"{name}.stack()")))


def _as_array(s: Situation, name: str) -> Iterator[Edit]:
    """Yield the edits that make an array of a list: where it is made, and where something is appended."""
    dtype = None
    for node in s.text.nodes:
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr="append"), args=[item]) if owner == name:
                dtypes = {tensor.dtype for tensor in _tensors(s, item)}
                dtype = dtypes.pop() if len(dtypes) == 1 else None
                yield s.text.replaced(node, f"{name} = {name}.write({name}.size(), {s.text.text(item)})")
    for node in s.text.nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=owner)], value=ast.List(elts=items) as made) if (
                owner == name and dtype
            ):
                tf, first = s.tensorflow, "".join(f".write(0, {s.text.text(item)})" for item in items)
                if len(items) < 2:
                    array = f"{tf}.TensorArray({tf}.{dtype}, size={len(items)}, dynamic_size=True)"
                    yield s.text.replaced(made, f"{array}{first}")


def result_shaped(s: Situation) -> Iterator[Candidate]:
    """Yield programs that tell the shapes of what a function of Python has returned to the graph."""
    for node in s.text.nodes:
        match node:
            case ast.Assign(targets=[target], value=ast.Call(args=[function, *_]) as call):
                shapes = _returned(s, s.text.text(function)) if callee(call) in _CALLS_OF_PYTHON else []
                names = target.elts if isinstance(target, ast.Tuple) else [target]
                indent = s.text.indentation(s.text.span(node)[0])
                told = [
                    f"\n{indent}{name.id}.set_shape([{', '.join(shape)}])"
                    for name, shape in zip(names, shapes, strict=False)
                    if isinstance(name, ast.Name) and shape is not None
                ]
                if told and indent is not None and len(names) == len(shapes):
                    yield s.inserted(0, s.text.span(node)[1], "".join(told))


def _returned(s: Situation, name: str) -> list[list[str] | None]:
    """Return the shapes of the arrays that a function returns, if it has one `return`; None for an unknown one."""
    for node in s.text.nodes:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            found = [
                each.value for each in s.text.parts(node) if isinstance(each, ast.Return) and each.value is not None
            ]
            if len(found) == 1:
                return [_sizes(s, part) for part in (found[0].elts if isinstance(found[0], ast.Tuple) else found)]
    return []


def _sizes(s: Situation, node: ast.expr) -> list[str] | None:
    """Return the sizes of an array, with None for those that are not known; None if its rank is not known."""
    shape = s.text.shape(node)
    if shape is None or not shape.is_ranked:
        return None
    return [str(size) if isinstance(size, int) else "None" for size in shape.sizes]
