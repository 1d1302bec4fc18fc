"""Repairs of functions that are given to others: mapped over batches, differentiated, compiled, or run in loops."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Tensor, Value
from shapecheck.findings import Edit
from shapecheck.models.lang.packs import FUNCTIONAL
from shapecheck.repairs.situation import Candidate, Situation, callee

_DERIVATIVES = ("grad", "value_and_grad", "filter_grad", "filter_value_and_grad")
_MAPS = 4  # axes of a batch of pictures
_KEYS = ("key", "rng", "subkey", "rng_key", "prng_key")
_IN_PLACE = {ast.Add: "add", ast.Mult: "multiply", ast.Sub: "subtract", ast.Div: "divide"}
_OF_NUMPY = {
    "mul": "multiply",
    "sub": "subtract",
    "div": "divide",
    "rem": "remainder",
    "max": "maximum",
    "min": "minimum",
}


def mapped_over_batch(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a network of one sample is mapped over the samples of a batch."""
    library = s.text.aliases.get(FUNCTIONAL, "")
    if library and "which vmap made" in s.call.clash.message and isinstance(s.node, ast.Call):
        axes = ", ".join(["0", *["None"] * (len(s.node.args) - 1)])
        yield s.candidate(0, s.node.func, f"{library}.vmap({s.text.text(s.node.func)}, in_axes=({axes}))")
    if library and _takes_vector(s):
        yield from _mapped_along(s, library)
    if not library or "one sample" not in s.call.clash.message:
        return
    calls = [s.node, *s.calls_on_the_way()]
    for weight, node in enumerate(reversed([each for each in calls if isinstance(each, ast.Call)])):
        if callee(node) not in ("vmap", *_DERIVATIVES) and len(node.args) == 1 and not isinstance(node.func, ast.Call):
            yield s.candidate(weight, node.func, f"{library}.vmap({s.text.text(node.func)})")


def _takes_vector(s: Situation) -> bool:
    """Return whether a matrix is multiplied by a table whose rows are vectors that it can be multiplied by."""
    shapes = [argument.shape for argument in s.call.arguments]
    is_operator = isinstance(s.node, ast.BinOp) and isinstance(s.node.op, ast.MatMult)
    is_product = is_operator or callee(s.node) in ("dot", "matmul")
    return is_product and [shape.rank for shape in shapes] == [2, 2] and shapes[0].sizes[1] == shapes[1].sizes[1]


def _mapped_along(s: Situation, library: str) -> Iterator[Candidate]:
    """Yield programs in which a function is mapped along the argument that is the failing operand."""
    rows = s.call.arguments[1].shape
    for node in s.calls_on_the_way():
        mapped = [s.text.shape(each) == rows for each in node.args]
        if sum(mapped) == 1 and isinstance(node.func, ast.Name) and not node.keywords:
            axes = ", ".join("0" if each else "None" for each in mapped)
            yield s.candidate(
                0, node.func, f"{library}.vmap({node.func.id}, in_axes=({axes}{',' * (len(mapped) == 1)}))"
            )


def axes_mapped_as_given(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which `in_axes` has an entry for each argument, and for each part of one."""
    told = re.search(r"in_axes has (\d+) entries, the function is given (\d+)", s.call.clash.message)
    missing = re.search(r"in_axes has no entry for (.+)", s.call.clash.message)
    for node in s.text.nodes if told or missing else ():
        match node:
            case ast.keyword(arg="in_axes", value=ast.Tuple(elts=[_, *_] as items)) if told:
                more = int(told[2]) - int(told[1])
                if len(items) == int(told[1]) and more > 0:
                    end = s.text.span(items[-1])[1]
                    yield from (s.inserted(at, end, f", {axis}" * more) for at, axis in enumerate(("None", "0")))
                elif len(items) == int(told[1]):
                    end = s.text.span(items[more - 1])[1]
                    yield s.removed(0, end, s.text.span(items[-1])[1])
            case ast.keyword(arg="in_axes", value=axes) if missing:
                for part in s.text.parts(axes):
                    if isinstance(part, ast.Dict) and part.values:
                        names = "".join(f', "{name}": None' for name in missing[1].split(", "))
                        yield s.inserted(0, s.text.span(part.values[-1])[1], names)


def argument_shared(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which `vmap` maps an argument along its first axis, or gives it whole to each call, if it has
    fewer axes than another one."""
    made = s.node.func if isinstance(s.node, ast.Call) and "mapped together" in s.call.clash.message else None
    built = s.text.first_value(made) if isinstance(made, ast.Name) else made
    if not isinstance(s.node, ast.Call) or not isinstance(built, ast.Call) or callee(built) != "vmap":
        return
    given = next((each.value for each in built.keywords if each.arg == "in_axes"), None)
    items = [s.text.text(each) for each in given.elts] if isinstance(given, ast.Tuple) else ["0"] * len(s.node.args)
    ranks = [argument.rank or 0 for argument in s.call.arguments]
    for at, argument in enumerate(s.node.args if len(items) == len(s.node.args) == len(ranks) else ()):
        other = "0" if items[at] != "0" else "None" if ranks[at] < max(ranks) else ""
        if other and not isinstance(argument, ast.Starred):
            yield s.with_keyword(-9, built, "in_axes", f"({', '.join([*items[:at], other, *items[at + 1 :]])})")


def result_reduced(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a function whose derivatives are taken returns a number, and a condition one truth
    value."""
    is_condition = "not one truth value" in s.call.clash.message
    module = s.module_of(FUNCTIONAL)
    if not module or not (is_condition or "gives an array of shape" in s.call.clash.message):
        return
    for argument in s.call.arguments:
        for node in _results(s, argument.tensor):
            for weight, name in enumerate(("any", "all") if is_condition else ("mean", "sum")):
                yield s.candidate(weight, node, f"{module}.{name}({s.text.text(node)})")


def values_added(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a function that is minimised returns the sum of its values."""
    numbers = "values, not one number" in s.call.clash.message and s.text.numpy
    for argument in s.call.arguments if numbers else ():
        for node in _results(s, argument.tensor):
            yield s.candidate(0, node, f"{numbers}.sum({s.text.text(node)})")


def _results(s: Situation, tensor: Tensor) -> Iterator[ast.expr]:
    """Yield the expressions that functions return which are a tensor, or one of its shape in another call of a
    function that the failing expression names."""
    named = [node.id for node in s.text.parts(s.node) if isinstance(node, ast.Name)] if s.node is not None else []
    called = [part for name in named if name in s.text.functions for part in s.text.parts(s.text.functions[name])]
    for node in s.text.nodes:
        match node:
            case ast.Return(value=ast.expr() as value) | ast.Lambda(body=value):
                found = next((each for each in s.text.seen(value) if _is_result(each, tensor)), s.text.value(value))
                if not isinstance(found, Tensor):
                    continue
                is_itself = (found.step, found.output) == (tensor.step, tensor.output)
                may_be_it = not found.shape.is_ranked or found.shape == tensor.shape
                if is_itself or (may_be_it and any(node is each for each in called)):
                    yield value


def _is_result(value: Value, tensor: Tensor) -> bool:
    return isinstance(value, Tensor) and (value.step, value.output) == (tensor.step, tensor.output)


def auxiliary_declared(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a function returns something beside the number whose derivatives are taken."""
    for node in s.text.nodes if "this one gives 2 values" in s.call.clash.message else ():
        if isinstance(node, ast.Call) and callee(node) in _DERIVATIVES:
            yield s.with_keyword(0, node, "has_aux", "True")


def state_given(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which an optimizer is given its state beside the gradients."""
    match s.node:
        case ast.Call(func=ast.Attribute(attr="update", value=owner), args=[_, *rest]):
            for name in s.text.bound_anywhere() if "the state of the optimizer" in s.call.clash.message else ():
                made = s.text.first_value(name)
                if isinstance(made, ast.Call) and s.text.text(made.func) == f"{s.text.text(owner)}.init":
                    at = s.text.span(s.node.args[0])[1]
                    yield s.inserted(0 if rest else 1, at, f", {name.id}")


def updated_elsewhere(s: Situation) -> Iterator[Candidate]:
    """Yield programs that bind a name to an array with other elements instead of assigning these."""
    if s.kind is not ClashKind.IMMUTABLE or (not s.text.aliases.get(FUNCTIONAL) and not s.module_of(FUNCTIONAL)):
        return
    for node in s.text.nodes:
        match node:
            case ast.Assign(targets=[ast.Subscript(value=owner, slice=index)], value=value):
                method = "set"
            case ast.AugAssign(target=ast.Subscript(value=owner, slice=index), value=value):
                method = _IN_PLACE.get(type(node.op), "")
            case _:
                continue
        if method and s.call.step.place.start in range(*_around(s, node)):
            name, place = s.text.text(owner), s.text.place(*s.text.span(node))
            made = f"{name} = {name}.at[{s.text.text(index)}].{method}({s.text.text(value)})"
            yield Candidate(0, (Edit(place, made),))


def _around(s: Situation, node: ast.stmt) -> tuple[int, int]:
    start, end = s.text.span(node)
    return start, end + 1


def in_traced_numpy(s: Situation) -> Iterator[Candidate]:
    """Yield programs that call the functions of NumPy that take traced arrays."""
    module, numpy = s.module_of(FUNCTIONAL), s.text.numpy
    around = None if s.node is None or not module or not numpy else s.text.statement_around(s.node)
    found = [
        s.text.replaced(node.func.value, module)
        for node in (s.text.parts(around) if around is not None else ())
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and s.text.text(node.func.value) == numpy
    ]
    if found:
        yield Candidate(0, tuple(found))


def broadcast_as_numpy(s: Situation) -> Iterator[Candidate]:
    """Yield programs that call the function of NumPy that broadcasts, and converts dtypes."""
    match s.node:
        case ast.Call(func=ast.Attribute(attr=name, value=owner) as function):
            module = s.module_of(FUNCTIONAL)
            if module and s.text.text(owner).rpartition(".")[2] == "lax":
                yield s.candidate(0, function, f"{module}.{_OF_NUMPY.get(name, name)}")


def argument_static(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which an argument that must be a number or an object of Python is static."""
    library = s.text.aliases.get(FUNCTIONAL, "")
    for node in s.text.nodes if library else ():
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                if s.text.text(decorator) == f"{library}.jit":
                    yield from _static(s, node, decorator, library)


def _static(s: Situation, function: ast.FunctionDef, decorator: ast.expr, library: str) -> Iterator[Candidate]:
    """Yield a compiled function with static arguments: those that the failing expression or the message names."""
    told = s.call.clash.message.partition(" is ")[0]
    used = {node.id for node in s.text.parts(s.node) if isinstance(node, ast.Name)} if s.node is not None else set()
    names = [each.arg for each in function.args.args if each.arg in used or each.arg == told]
    for name in names:
        option = "static_argnums=0" if name == "self" else f'static_argnames="{name}"'
        partial = s.text.aliases.get("functools.partial", "")
        made = partial or (f"{s.text.aliases['functools']}.partial" if "functools" in s.text.aliases else "partial")
        edits = [s.text.replaced(decorator, f"{made}({library}.jit, {option})")]
        if made == "partial" and not partial:
            edits.insert(0, s.text.inserted(s.text.span(s.text.tree.body[0])[0], "from functools import partial\n\n"))
        yield Candidate(0 if name == told else 1, tuple(edits))


def list_made_hashable(s: Situation) -> Iterator[Candidate]:
    """Yield programs that give a tuple for a static argument instead of a list."""
    given = (*s.node.args, *(each.value for each in s.node.keywords)) if isinstance(s.node, ast.Call) else ()
    for node in given if "must be hashable" in s.call.clash.message else ():
        if isinstance(node, ast.List):
            items = s.text.text(node)[1:-1].strip().rstrip(",")
            yield s.candidate(0, node, f"({items},)" if len(node.elts) == 1 else f"({items})")


def pair_returned(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the function of a scan returns its state and a result."""
    if "not a pair of the state and a result" not in s.call.clash.message:
        return
    for argument in s.call.arguments:
        for node in _results(s, argument.tensor):
            text = s.text.text(node)
            yield s.candidate(0, node, f"{text}, {text if isinstance(node, ast.Name) else None}")


def keys_counted(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a key is split into as many as there are names for."""
    told = re.search(r"unpacked into (\d+) names", s.call.clash.message)
    for node in s.text.nodes if told else ():
        match node:
            case ast.Assign(targets=[ast.Tuple()], value=ast.Call(args=[_]) as call) if callee(call) == "split":
                if (told and call is s.node) or _covers(s, node):
                    yield s.inserted(0, s.text.span(call.args[0])[1], f", {told[1] if told else ''}")


def _covers(s: Situation, node: ast.stmt) -> bool:
    start, end = s.text.span(node)
    return start <= s.call.step.place.start and s.call.step.place.end <= end


def key_given(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a function that draws numbers is given a key first."""
    if not s.call.step.name.startswith(f"{FUNCTIONAL}.random.") or not isinstance(s.node, ast.Call) or not s.node.args:
        return
    names = {node.id for node in s.text.nodes if isinstance(node, ast.Name)}
    names |= {node.arg for node in s.text.nodes if isinstance(node, ast.arg)}
    for name in _KEYS:
        if name in names:
            yield s.inserted(0, s.text.span(s.node.args[0])[0], f"{name}, ")


def state_cast(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the state of a loop starts with the dtype that it gets."""
    told = re.search(r" is (\w+), and (\w+) is returned", s.call.clash.message)
    module = s.module_of(FUNCTIONAL)
    for node in s.text.nodes if told and module else ():
        if isinstance(node, ast.keyword) and node.arg == "dtype" and told and _dtype(s, node.value) == told[1]:
            yield s.candidate(0, node.value, f"{module}.{told[2]}")
        if isinstance(node, ast.Call) and node.args and told and _dtype(s, node.args[-1]) == told[1]:
            yield s.candidate(0, node.args[-1], f"{module}.{told[2]}")
    for argument in s.call.arguments if told and module else ():
        for node in _results(s, argument.tensor):
            text = s.text.text(node)
            yield s.candidate(2, node, f"({text}).astype({module}.{told[1] if told else ''})")


def _dtype(s: Situation, node: ast.expr) -> str:
    """Return the dtype that an expression names."""
    plain = s.text.text(node).rpartition(".")[2].strip("'\"")
    return {"int": "int32", "float": "float32"}.get(plain, plain)


def floats_differentiated(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which derivatives are taken of floats."""
    module = s.module_of(FUNCTIONAL)
    if "gradient is taken of floats" not in s.call.clash.message or not module or not isinstance(s.node, ast.Call):
        return
    for node in s.node.args:
        found = s.text.value(node)
        if isinstance(found, Tensor) and (found.dtype or "").startswith(("int", "uint", "bool")):
            if isinstance(node, ast.Call) and callee(node) in ("array", "asarray", "arange", "zeros", "ones"):
                yield s.with_keyword(0, node, "dtype", f"{module}.float32")
            else:
                yield s.candidate(0, node, f"{s.text.text(node)}.astype({module}.float32)")


def operand_of_branches(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the functions of a condition are given what they take."""
    match s.node:
        case ast.Call(args=[_, ast.Lambda(args=ast.arguments(args=[ast.arg(arg=name)])), last]) if (
            callee(s.node) == "cond"
        ):
            yield s.inserted(0, s.text.span(last)[1], f", {name}")


def offered_to_apply(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a network is given the keys that it draws with."""
    names = [node.id for node in s.text.nodes if isinstance(node, ast.Name) and node.id in _KEYS]
    is_keyless = "rngs={" in s.call.clash.message
    for node in s.calls_on_the_way() if is_keyless else ():
        if callee(node) in ("apply", "apply_fn"):
            library = s.text.aliases.get(FUNCTIONAL, FUNCTIONAL)
            key = names[0] if names else f"{library}.random.PRNGKey(0)"
            yield s.with_keyword(0, node, "rngs", f'{{"dropout": {key}}}')


def key_before_arguments(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a transformed function is given no key, or its state, before its arguments."""
    match s.node:
        case ast.Call(func=ast.Attribute(attr="apply"), args=[first, *_]):
            if "a key comes before the arguments" in s.call.clash.message:
                yield s.inserted(0, s.text.span(first)[1], ", None")
                yield s.inserted(1, s.text.span(first)[1], ", state")


def starts_completed(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a slice has a start for each axis."""
    told = re.search(r"has rank (\d+), start_indices has (\d+) entr", s.call.clash.message)
    for node in s.node.args if told and isinstance(s.node, ast.Call) else ():
        if isinstance(node, (ast.Tuple, ast.List)) and told and len(node.elts) == int(told[2]) < int(told[1]):
            more = ", 0" * (int(told[1]) - int(told[2]))
            yield s.inserted(0, s.text.span(node.elts[-1])[1], more)


def segments_counted(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the rows of an array tell the number of segments."""
    if callee(s.node).startswith("segment_") and isinstance(s.node, ast.Call):
        names = [node for node in s.text.nodes if isinstance(node, ast.arg)]
        for node in names:
            yield s.with_keyword(0, s.node, "num_segments", f"{node.arg}.shape[0]")


def maps_flattened(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which each sample of the maps of a convolution is a row before it goes into a dense layer."""
    for node in s.text.nodes:
        match node:
            case ast.Call(func=ast.Call() | ast.Attribute(), args=[ast.Name() as given]) if _is_dense(s, node.func):
                shape = s.text.shape(given)
                if shape is not None and shape.rank == _MAPS:
                    yield s.candidate(0, given, f"{given.id}.reshape(({given.id}.shape[0], -1))")


def _is_dense(s: Situation, made: ast.expr) -> bool:
    layer = s.text.first_value(made) if isinstance(made, ast.Attribute) else made
    return callee(layer) in ("Dense", "Linear") and bool(s.module_of(FUNCTIONAL))
