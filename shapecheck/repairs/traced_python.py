"""Repairs of what Python does with a tensor of a graph: formats it, splits it, branches on it, or keeps it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from shapecheck.domain.values import Tensor
from shapecheck.findings import Edit
from shapecheck.repairs.situation import Candidate, Situation, callee

_CHANGED = re.compile(r"is of shape \((.*?),?\), and of shape \((.*?),?\) after one iteration")
_STARTS = ("constant", "zeros", "ones", "eye", "zeros_like")


def formatted_when_run(s: Situation) -> Iterator[Candidate]:
    """Yield programs that print a tensor beside a text instead of formatting it."""
    for node in s.text.nodes if s.tensorflow and s.node is not None else ():
        if not isinstance(node, ast.Call) or callee(node) != "print" or len(node.args) != 1:
            continue
        (start, end), (first, last) = s.text.span(node), (s.call.step.place.start, s.call.step.place.end)
        parts = _parts(s, node.args[0]) if start <= first and last <= end else []
        if parts:
            yield s.candidate(0, node, f"{s.tensorflow}.print({', '.join(parts)})")


def _parts(s: Situation, text: ast.expr) -> list[str]:
    """Return the pieces of a formatted text: quoted texts and expressions."""
    match text:
        case ast.BinOp(left=ast.Constant(value=str(form)), op=ast.Mod(), right=right):
            values = right.elts if isinstance(right, ast.Tuple) else [right]
            pieces = _split(form)
            if pieces.count(None) == len(values):
                rest = iter(values)
                return [
                    f'"{piece}"' if piece is not None else s.text.text(next(rest)) for piece in pieces if piece != ""
                ]
        case ast.JoinedStr():
            return _of_fstring(s, text)
    return []


def _split(form: str) -> list[str | None]:
    """Return the texts around the places of a format, which are None."""
    import re

    found: list[str | None] = []
    for at, piece in enumerate(re.split(r"(%[\d.]*[dfgsei])", form)):
        found.append(None if at % 2 else piece.strip())
    return found


def _of_fstring(s: Situation, text: ast.JoinedStr) -> list[str]:
    """Return the pieces of an f-string, which is parsed again, since its places differ between versions of Python."""
    tree = ast.parse(s.text.text(text), mode="eval").body
    pieces = []
    for part in tree.values if isinstance(tree, ast.JoinedStr) else ():
        match part:
            case ast.Constant(value=str(words)) if words.strip() and '"' not in words:
                pieces.append(f'"{words.strip()}"')
            case ast.FormattedValue(value=value):
                pieces.append(ast.unparse(value))
    return pieces


def number_drawn_in_graph(s: Situation) -> Iterator[Candidate]:
    """Yield programs that draw a whole number while the graph runs."""
    match s.node:
        case ast.Call(func=ast.Attribute(attr="randint", value=ast.Name(id="random")), args=[low, high]) if (
            s.tensorflow
        ):
            tf = s.tensorflow
            text = f"{tf}.random.uniform([], {s.text.text(low)}, {s.text.text(high)} + 1, {tf}.int32)"
            yield s.candidate(0, s.node, text)


def text_split_in_graph(s: Situation) -> Iterator[Candidate]:
    """Yield programs that use TensorFlow's functions of texts instead of Python's methods, and read files with it."""
    tf = s.tensorflow
    match s.node:
        case ast.Call(func=ast.Attribute(attr="split", value=owner), args=args) if tf:
            given = ", ".join(map(s.text.text, (owner, *args)))
            yield s.candidate(0, s.node, f"{tf}.strings.split({given})")
        case ast.Call(func=ast.Attribute(attr="lower" | "upper" | "strip" as name, value=owner), args=[]) if tf:
            yield s.candidate(0, s.node, f"{tf}.strings.{name}({s.text.text(owner)})")
    for node in s.text.nodes if tf else ():
        match node:
            case ast.With(
                items=[
                    ast.withitem(
                        context_expr=ast.Call(func=ast.Name(id="open"), args=[path, *_]) as opened,
                        optional_vars=ast.Name(id=file),
                    )
                ],
                body=[
                    ast.Assign(
                        targets=[target], value=ast.Call(func=ast.Attribute(attr="read", value=ast.Name(id=read)))
                    )
                ],
            ) if opened is s.node and read == file:
                text = f"{s.text.text(target)} = {tf}.io.read_file({s.text.text(path)})"
                yield Candidate(0, (Edit(s.text.place(*s.text.span(node)), text),))


def table_gathered(s: Situation) -> Iterator[Candidate]:
    """Yield programs that look up rows, or the values of a dict from 0 on, by numbers that are tensors."""
    match s.node:
        case ast.Subscript(value=ast.Name() as owner, slice=index, ctx=ast.Load()) if s.tensorflow:
            if isinstance(s.text.value(index), Tensor):
                given = s.text.text(index)
                for name in _tables(s, owner):
                    yield s.candidate(0, s.node, f"{s.tensorflow}.gather({name}, {given})")


def _tables(s: Situation, owner: ast.Name) -> Iterator[str]:
    """Yield the name of an array, or, for a dict of consecutive numbers, the list of the same values that there is, or
    the list of its values."""
    made = s.text.definition(owner)
    if not isinstance(made, ast.Dict):
        if isinstance(s.text.value(owner), Tensor):
            yield owner.id
        return
    keys = [s.text.number(key) if key is not None else None for key in made.keys]
    if keys != list(range(len(keys))):
        return
    values = [s.text.text(value) for value in made.values]
    for other in s.text.bound_anywhere():
        match s.text.definition(other):
            case ast.List(elts=items) | ast.Call(args=[ast.List(elts=items), *_]) if [
                *map(s.text.text, items)
            ] == values:
                yield other.id
    yield f"list({owner.id}.values())"


def conditional_value(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which both values of a name are computed in a graph, and a condition chooses one."""
    for node in s.text.nodes if s.tensorflow and s.node is not None else ():
        match node:
            case ast.If(test=test, body=[ast.Assign(targets=[ast.Name(id=name)], value=value)], orelse=orelse):
                if not (test is s.node or any(part is s.node for part in s.text.parts(test))):
                    continue
                match orelse:
                    case []:
                        other = name
                    case [ast.Assign(targets=[ast.Name(id=second)], value=rest)] if second == name:
                        other = s.text.text(rest)
                    case _:
                        continue
                arms = f"lambda: {s.text.text(value)}, lambda: {other}"
                text = f"{name} = {s.tensorflow}.cond({s.text.text(test)}, {arms})"
                yield Candidate(3, (Edit(s.text.place(*s.text.span(node)), text),))
                chosen = f"{s.tensorflow}.where({s.text.text(test)}, {s.text.text(value)}, {other})"
                yield Candidate(4, (Edit(s.text.place(*s.text.span(node)), f"{name} = {chosen}"),))


def state_made_variable(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the state that a traced function changes is in variables."""
    tf = s.tensorflow
    for cls in s.text.nodes if tf else ():
        if not isinstance(cls, ast.ClassDef):
            continue
        edits: list[Edit] = []
        made = {name: value for name, value in _starts(s, cls) if callee(value) in _STARTS}
        changed: set[str] = set()
        for function in (each for each in cls.body if isinstance(each, ast.FunctionDef) and each.name != "__init__"):
            for node in s.text.parts(function):
                match node:
                    case ast.Assign(
                        targets=[ast.Attribute(value=ast.Name(id="self"), attr=name) as target], value=value
                    ) if name in made:
                        changed.add(name)
                        edits.append(Edit(s.text.place(*s.text.span(node)), _assigned(s, target, value)))
        for name in (name for name in made if name in changed):
            value = made[name]
            start = value.args[0] if callee(value) == "constant" and len(value.args) == 1 else value
            edits.append(s.text.replaced(value, f"{tf}.Variable({s.text.text(start)})"))
        if edits:
            yield Candidate(0, tuple(edits))


def _starts(s: Situation, cls: ast.ClassDef) -> Iterator[tuple[str, ast.Call]]:
    """Yield the attributes that a constructor sets to the result of a call."""
    for function in cls.body:
        for node in (
            s.text.parts(function) if isinstance(function, ast.FunctionDef) and function.name == "__init__" else ()
        ):
            match node:
                case ast.Assign(
                    targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)], value=ast.Call() as value
                ):
                    yield name, value


def _assigned(s: Situation, target: ast.Attribute, value: ast.expr) -> str:
    """Return the assignment to a variable: of a sum, what is added."""
    match value:
        case ast.BinOp(op=ast.Add(), left=left, right=right) if s.text.text(left) == s.text.text(target):
            return f"{s.text.text(target)}.assign_add({s.text.text(right)})"
    return f"{s.text.text(target)}.assign({s.text.text(value)})"


def invariants_given(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which a loop is told which of its variables change their sizes."""
    node = s.node
    if not isinstance(node, ast.Call) or callee(node) != "while_loop" or len(node.args) != 3 or node.keywords:
        return
    given = node.args[2]
    start = given if isinstance(given, (ast.List, ast.Tuple)) else s.text.definition(given)
    if not isinstance(start, (ast.List, ast.Tuple)):
        return
    found = _CHANGED.search(s.call.clash.message)
    before, after = (_sizes(found[1]), _sizes(found[2])) if found else ([], [])
    changed = [a if a == b and a.isdigit() else "None" for a, b in zip(before, after, strict=False)]
    shapes = []
    for item in start.elts:
        sizes = _shape_of(s, item)
        if len(before) == len(after) and sizes == before != []:
            sizes = changed
        elif len(sizes) == 1 and not found:
            sizes = ["None"]
        shapes.append(f"{s.tensorflow}.TensorShape([{', '.join(sizes)}])")
    if s.tensorflow:
        yield s.with_keyword(0, node, "shape_invariants", f"[{', '.join(shapes)}]")


def _shape_of(s: Situation, item: ast.expr) -> list[str]:
    shape = s.text.shape(item)
    sizes = shape.sizes if shape is not None and shape.is_ranked else ()
    return [str(size) if isinstance(size, int) else "None" for size in sizes]


def _sizes(text: str) -> list[str]:
    return [size for size in text.split(", ") if size]


def result_unpacked(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which the state that a cell gives beside its output is what is carried on."""
    for node in s.text.nodes:
        match node:
            case ast.Assign(targets=[ast.Name() as name], value=ast.Call(args=args)) if any(
                isinstance(each, ast.Name) and each.id == name.id for each in args
            ):
                yield s.candidate(0, name, f"_, {name.id}")


def branch_cast(s: Situation) -> Iterator[Candidate]:
    """Yield programs in which both branches give a name the same dtype."""
    import re

    found = re.search(r"(\w+) is (\w+) in the main branch, and (\w+) in the else branch", s.call.clash.message)
    for node in s.text.nodes if found and s.tensorflow else ():
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if found and name == found[1]:
                mine = s.text.value(value)
                dtypes = {found[2], found[3]}
                if isinstance(mine, Tensor) and mine.dtype in dtypes and "float" not in (mine.dtype or ""):
                    other = (dtypes - {mine.dtype}).pop()
                    yield s.candidate(0, value, f"{s.tensorflow}.cast({s.text.text(value)}, {s.tensorflow}.{other})")
