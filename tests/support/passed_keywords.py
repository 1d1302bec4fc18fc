"""What a function does with the further keywords that it takes: those that it looks for, and where the others go."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

Functions = Mapping[str, ast.FunctionDef]
CLOSERS = {"validate_kwargs": (), "get_submodules_from_kwargs": ("backend", "layers", "models", "utils")}
"""Functions that refuse keywords, and those that they take themselves."""
LOOKS = ("keys", "pop", "get", "update", "items", "setdefault", "copy")
COUNTS = ("update", "set", "len", "sorted", "list", "str", "bool", "any", "format", *CLOSERS)
OF_WORDS = (ast.Set, ast.List, ast.Tuple, ast.Dict)
WORD = re.compile(r"[A-Za-z_][\w.]*")


@dataclass
class Rest:
    """The keywords that are looked for, and whether the others are refused, given to a base, or to anything else."""

    words: set[object] = field(default_factory=set)
    closes: bool = False
    passes: bool = False
    is_loose: bool = False

    def add(self, other: Rest) -> None:
        """Add what a function does that the keywords are given to."""
        self.words |= other.words
        self.closes = self.closes or other.closes
        self.passes = self.passes or other.passes
        self.is_loose = self.is_loose or other.is_loose or not (other.closes or other.passes)


def rest_of(function: ast.FunctionDef, rest: str, method: str, others: Functions) -> Rest:
    """Return what becomes of the keywords in `rest`: a function may give them to others beside it."""
    above = {id(child): parent for parent in ast.walk(function) for child in ast.iter_child_nodes(parent)}
    others = {name: each for name, each in others.items() if each is not function}
    found = Rest()
    for each in ast.walk(function):
        if isinstance(each, ast.Name) and each.id == rest:
            parent = above[id(each)]
            upper = above.get(id(parent))
            if isinstance(parent, ast.keyword) and parent.arg is not None:
                found.is_loose = True
            elif isinstance(parent, ast.keyword):
                _given_on(found, upper, method, others)
            elif isinstance(parent, ast.Call):
                _given(found, parent, each, method, others)
            else:
                _looked_at(found, parent, upper)
    found.words |= {word for each in ast.walk(function) if isinstance(each, OF_WORDS) for word in words(each)}
    found.closes = found.closes or (not found.passes and _refuses(function, rest, above))
    return found


def _given_on(found: Rest, call: ast.AST | None, method: str, others: Functions) -> None:
    """Note that the keywords are given on as such."""
    function = call.func if isinstance(call, ast.Call) else None
    if isinstance(function, ast.Name) and (helper := others.get(function.id)) is not None:
        inner = Rest(closes=True)
        if helper.args.kwarg:
            inner = rest_of(helper, helper.args.kwarg.arg, method, others)
        inner.words |= {each.arg for each in (*helper.args.args, *helper.args.kwonlyargs)}
        found.add(inner)
    elif isinstance(function, ast.Attribute) and function.attr == method:
        found.passes = True
    else:
        found.is_loose = True


def _given(found: Rest, call: ast.Call, at: ast.expr, method: str, others: Functions) -> None:
    """Note that the dict with the keywords is given to a function."""
    name = last(call.func)
    if name in COUNTS:
        found.closes = found.closes or name in CLOSERS
        found.words |= {*CLOSERS.get(name, ()), *words(call)}
        return
    helper = others.get(name)
    place = call.args.index(at) + isinstance(call.func, ast.Attribute) if at in call.args else None
    if helper is None or place is None or place >= len(helper.args.args):
        found.is_loose = True
    else:
        found.add(rest_of(helper, helper.args.args[place].arg, method, {}))


def _looked_at(found: Rest, parent: ast.AST, upper: ast.AST | None) -> None:
    """Note how the dict with the keywords is used."""
    if isinstance(parent, ast.Attribute):
        if parent.attr in ("pop", "get") and isinstance(upper, ast.Call) and upper.args:
            found.words |= {getattr(upper.args[0], "value", "")}
        found.is_loose = found.is_loose or parent.attr not in LOOKS
    elif isinstance(parent, ast.Compare):
        found.words |= {getattr(parent.left, "value", "")}
    elif isinstance(parent, ast.Subscript):
        found.words |= {getattr(parent.slice, "value", "")}
    elif isinstance(parent, (ast.Assign, ast.Return, ast.AnnAssign)):
        found.is_loose = True


def _refuses(function: ast.FunctionDef, rest: str, above: Mapping[int, ast.AST]) -> bool:
    """Return whether an error is raised where a test or a loop is about the keywords."""
    about = {rest, *_made_of(function, rest)}
    for each in ast.walk(function):
        inside: ast.AST | None = each if isinstance(each, (ast.Raise, ast.Assert)) else None
        while inside is not None and inside is not function:
            tested = inside.test if isinstance(inside, ast.If) else inside.iter if isinstance(inside, ast.For) else None
            nodes = list(ast.walk(tested)) if tested is not None else []
            is_of_one = any(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in nodes)
            if not is_of_one and any(isinstance(one, ast.Name) and one.id in about for one in nodes):
                return True
            inside = above.get(id(inside))
    return False


def _made_of(function: ast.FunctionDef, rest: str) -> Iterator[str]:
    """Return the variables that are made of the keywords as a whole."""
    for each in ast.walk(function):
        value = each.value if isinstance(each, ast.Assign) else None
        if value is None or (isinstance(value, ast.Call) and last(value) in ("pop", "get")):
            continue
        if isinstance(each, ast.Assign) and any(
            isinstance(one, ast.Name) and one.id == rest for one in ast.walk(value)
        ):
            yield from (target.id for target in each.targets if isinstance(target, ast.Name))


def words(node: ast.AST) -> Iterator[str]:
    """Return the names that are written as texts."""
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and WORD.fullmatch(each.value):
            yield each.value


def last(node: ast.AST) -> str:
    """Return the last name of what is called or named."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=inner) | ast.Subscript(value=inner):
            return last(inner)
    return ""
