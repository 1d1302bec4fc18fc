"""A program as text: its expressions by their places, with their values, and what its names are bound to."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property, reduce

from shapecheck.dataflow.state.observations import Observations
from shapecheck.domain.join import generalise
from shapecheck.domain.values import Choice, Const, Int, Lost, Scalar, Tensor, Value
from shapecheck.findings import Edit
from shapecheck.python_syntax import module_of
from shapecheck.shapes.shape import Shape
from shapecheck.source import Place, Source

_NOISE = ("randn", "rand", "random", "normal", "uniform", "standard_normal")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class ProgramText:
    """A source with its syntax tree and the values of its expressions, by file name and offsets in characters."""

    def __init__(self, source: Source, tree: ast.Module, observed: Observations) -> None:
        self.source, self.tree, self._observed = source, tree, observed
        self.nodes = list(ast.walk(tree))
        self._parts: dict[int, list[ast.AST]] = {}

    @classmethod
    def of(cls, source: Source, observed: Observations) -> ProgramText | None:
        """Return the program of a source, if this Python parses it; without the inside of f-strings, of which older
        versions of Python tell other places."""
        tree = module_of(source.code)
        for node in ast.walk(tree) if tree is not None else ():
            if isinstance(node, ast.JoinedStr):
                node.values = []
        return None if tree is None else cls(source, tree, observed)

    def parts(self, node: ast.AST) -> list[ast.AST]:
        """Return a node and all nodes in it."""
        found = self._parts.get(id(node))
        if found is None:
            found = self._parts[id(node)] = list(ast.walk(node))
        return found

    # --- places ------------------------------------------------------------------------------------------------------

    def span(self, node: ast.expr | ast.stmt | ast.alias) -> tuple[int, int]:
        """Return the offsets of the start and end of an expression, a statement, or a name that is imported."""
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self._offset(node.lineno, node.col_offset), self._offset(node.end_lineno, node.end_col_offset)

    def _offset(self, row: int, column: int) -> int:
        start = self.source.line_starts[row - 1]
        line = self.source.code[start : start + column]
        return start + (column if line.isascii() else len(self.source.line(row).encode()[:column].decode()))

    def text(self, node: ast.expr) -> str:
        start, end = self.span(node)
        return self.source.code[start:end]

    def at(self, place: Place) -> ast.expr | ast.AugAssign | None:
        """Return the expression or augmented assignment in a place, if it is one of this source."""
        return self._by_span.get((place.start, place.end)) if place.filename == self.source.filename else None

    @cached_property
    def _by_span(self) -> dict[tuple[int, int], ast.expr | ast.AugAssign]:
        found: dict[tuple[int, int], ast.expr | ast.AugAssign] = {}
        for node in self.nodes:
            if isinstance(node, (ast.expr, ast.AugAssign)):
                found.setdefault(self.span(node), node)
        return found

    @cached_property
    def _expressions(self) -> list[ast.expr]:
        return [node for node in self.nodes if isinstance(node, ast.expr)]

    def place(self, start: int, end: int) -> Place:
        return Place(self.source, start, end)

    def replaced(self, node: ast.expr, text: str) -> Edit:
        """Return the edit that replaces an expression."""
        return Edit(Place(self.source, *self.span(node)), text)

    def inserted(self, at: int, text: str) -> Edit:
        return Edit(Place(self.source, at, at), text)

    # --- lines -------------------------------------------------------------------------------------------------------

    def indentation(self, at: int) -> str | None:
        """Return what stands before an offset in its line, if that is only white space."""
        before = self.source.code[self.source.code.rfind("\n", 0, at) + 1 : at]
        return None if before.strip() else before

    def line_after_binding(self, name: ast.Name) -> tuple[int, str] | None:
        """Return the end of the line in which a name gets the value that it has here, and its indentation, if every
        path comes from there, and if the name is read more than once after it."""
        statement, bound = self._last_assignment(name), self.line_of_binding(name)
        end = self.span(statement)[1] if statement is not None else 0
        reads = [node for node in self._same(name) if isinstance(node.ctx, ast.Load) and self.span(node)[0] > end]
        return bound if len(reads) > 1 else None

    def line_of_binding(self, name: ast.Name) -> tuple[int, str] | None:
        """Return the end of the line in which a name gets the value that it has here, and its indentation, if every
        path comes from there."""
        statement = self._last_assignment(name)
        if statement is None:
            return None
        start, end = self.span(statement)
        indent, line_end = self.indentation(start), self.source.code.find("\n", end)
        rest = self.source.code[end:line_end].strip()
        is_whole = indent is not None and line_end >= 0 and (not rest or rest.startswith("#"))
        return (line_end, indent) if is_whole and indent is not None else None

    def start_of_function(self, name: ast.Name) -> tuple[int, str] | None:
        """Return the start of the first statement of a function, and its indentation, if a name is a parameter of it
        that it reads more than once and never binds anew."""
        function, same = self._function[name], self._same(name)
        if not isinstance(function, ast.FunctionDef) or name.id not in self._parameters(name):
            return None
        start = self.span(function.body[ast.get_docstring(function) is not None and len(function.body) > 1])[0]
        indent = self.indentation(start)
        is_read = len(same) > 1 and all(isinstance(each.ctx, ast.Load) for each in same)
        return (start, indent) if is_read and indent is not None else None

    def _last_assignment(self, name: ast.Name) -> ast.Assign | None:
        """Return the last assignment to a name before a use of it, if it is a statement of a block around the use."""
        stores = [node for node in self._same(name) if isinstance(node.ctx, ast.Store)]
        before = [node for node in stores if self.span(node)[0] < self.span(name)[0]]
        last = max(before, key=self.span, default=None)
        statement = None if last is None else self._assignments.get(last)
        if statement is None or self.span(statement)[1] > self.span(name)[0]:
            return None
        return statement if any(statement in block for block in self._blocks_around(name)) else None

    def _same(self, name: ast.Name) -> list[ast.Name]:
        """Return all occurrences of a name in its function."""
        return self._names[self._function[name], name.id]

    @cached_property
    def _names(self) -> dict[tuple[ast.AST | None, str], list[ast.Name]]:
        """Return the occurrences of names, by function and name."""
        found: defaultdict[tuple[ast.AST | None, str], list[ast.Name]] = defaultdict(list)
        for node in self._expressions:
            if isinstance(node, ast.Name):
                found[self._function[node], node.id].append(node)
        return found

    def _blocks_around(self, node: ast.expr) -> Iterator[list[ast.stmt]]:
        """Yield the lists of statements, within its function, that an expression lies in."""
        scope = self._function[node] or self.tree
        start, end = self.span(node)
        for outer in self.parts(scope):
            for block in (getattr(outer, name, None) for name in ("body", "orelse", "finalbody")):
                if isinstance(block, list) and any(self._covers(statement, start, end) for statement in block):
                    yield block

    def _covers(self, statement: ast.stmt, start: int, end: int) -> bool:
        first, last = self.span(statement)
        return first <= start and end <= last

    @cached_property
    def _assignments(self) -> dict[ast.expr, ast.Assign]:
        """Return the assignment that each of its targets belongs to."""
        found: dict[ast.expr, ast.Assign] = {}
        for statement in self.nodes:
            if isinstance(statement, ast.Assign):
                parts = (part for target in statement.targets for part in self.parts(target))
                found.update((part, statement) for part in parts if isinstance(part, ast.expr))
        return found

    def line_that_only_binds(self, value: ast.expr, other: ast.expr) -> tuple[int, int] | None:
        """Return the extent of the lines of an assignment of a value to a name, if another value in its place is what
        the name already stands for."""
        for target, statement in self._assignments.items():
            if statement.value is value and isinstance(target, ast.Name) and isinstance(other, ast.Name):
                start, end = self.span(statement)
                if target.id == other.id and self.indentation(start) is not None:
                    after = self.source.code.find("\n", end)
                    return self.source.code.rfind("\n", 0, start) + 1, len(self.source.code) if after < 0 else after + 1
        return None

    def assignment_to(self, target: ast.AST | None) -> ast.Assign | None:
        """Return the assignment that an expression is a target, or the value, of."""
        for statement in self._assignments.values():
            if target in statement.targets or statement.value is target:
                return statement
        return None

    def first_value(self, name: ast.expr) -> ast.expr | None:
        """Return what the first assignment to a name or attribute binds it to."""
        texts = ((self.text(target), statement) for target, statement in self._assignments.items())
        found = [statement for text, statement in texts if text == self.text(name)]
        return min(found, key=self.span).value if found else None

    @cached_property
    def functions(self) -> dict[str, ast.FunctionDef]:
        """Return the functions of the module by their names."""
        return {node.name: node for node in self.tree.body if isinstance(node, ast.FunctionDef)}

    def parameters_of(self, name: str) -> dict[str, ast.expr | None] | None:
        """Return the parameters of a function, or of the constructor of a class, with their defaults; without `self`.
        None if there is no such function."""
        function = self._definitions.get(name)
        if function is None:
            return None
        given: list[ast.expr | None] = [None] * (len(function.args.args) - len(function.args.defaults))
        pairs = zip(function.args.args, [*given, *function.args.defaults], strict=True)
        return {each.arg: default for each, default in pairs if each.arg != "self"}

    def functions_around(self, node: ast.AST) -> Iterator[ast.FunctionDef]:
        """Yield the function around a node, and those around that one."""
        around = self._function.get(node)
        while around is not None:
            if isinstance(around, ast.FunctionDef):
                yield around
            around = self._function.get(around)

    @cached_property
    def _definitions(self) -> dict[str, ast.FunctionDef]:
        """Return the first function, or constructor of a class, of each name."""
        found: dict[str, ast.FunctionDef] = {}
        for node in self.nodes:
            function: ast.AST | None = node if isinstance(node, ast.FunctionDef) else None
            if isinstance(node, ast.ClassDef):
                made = (each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__init__")
                function = next(made, None)
            if isinstance(function, ast.FunctionDef) and isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                found.setdefault(node.name, function)
        return found

    def bound_anywhere(self) -> Iterator[ast.Name]:
        """Yield the names that the module binds, where they are bound."""
        for (function, _), names in self._names.items():
            if function is None:
                yield from (name for name in names if isinstance(name.ctx, ast.Store))

    def statement_around(self, node: ast.expr | ast.AugAssign) -> ast.stmt | None:
        """Return the innermost statement that an expression lies in, without the statements in that."""
        start, end = self.span(node)
        found = [each for each in self.nodes if isinstance(each, ast.stmt) and self._covers(each, start, end)]
        innermost = max(found, key=self.span, default=None)
        return None if innermost is None or getattr(innermost, "body", None) else innermost

    def option_of(self, node: ast.expr) -> str:
        """Return the keyword that an expression is given for; "" if it is none."""
        return self._options.get(node, "")

    @cached_property
    def _options(self) -> dict[ast.expr, str]:
        return {node.value: node.arg for node in self.nodes if isinstance(node, ast.keyword) and node.arg}

    @cached_property
    def options(self) -> set[tuple[str, str]]:
        """Return the keywords of calls with the names that are given for them."""
        return {
            (name, self.text(node))
            for node, name in self._options.items()
            if isinstance(node, ast.Name | ast.Attribute)
        }

    def items_beside(self, node: ast.expr) -> list[ast.expr]:
        """Return the items of the tuple or list that an expression is one of."""
        return self._rows.get(node, [])

    @cached_property
    def _rows(self) -> dict[ast.expr, list[ast.expr]]:
        rows = [node.elts for node in self.nodes if isinstance(node, ast.Tuple | ast.List)]
        return {item: row for row in rows for item in row}

    def are_counted(self, first: ast.Name, second: ast.Name) -> bool:
        """Return whether a comprehension or loop binds both names, and both are integers in each turn."""
        for node in self.nodes:
            match node:
                case ast.comprehension(target=ast.Tuple(elts=names)) | ast.For(target=ast.Tuple(elts=names)):
                    bound = {name.id for name in names if isinstance(name, ast.Name)}
                    if {first.id, second.id} <= bound:
                        return not any(isinstance(self.value(each), Tensor) for each in (first, second))
        return False

    def are_numbers_given(self, first: ast.Name, second: ast.Name) -> bool:
        """Return whether both names are parameters of the function around them, and no tensors."""
        parameters = self._parameters(first)
        return {first.id, second.id} <= parameters and not any(self.shape(each) for each in (first, second))

    @cached_property
    def names_of_data(self) -> set[str]:
        """Return the names of sizes that noise is made with, in the place of data."""
        made = (node for node in self.nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute))
        noise = [node for node in made if node.func.attr in _NOISE]  # type: ignore[attr-defined]
        shapes = [shape for node in noise for shape in (node, *node.args) if not isinstance(shape, ast.Name)]
        items = [item for shape in shapes for item in getattr(shape, "args", getattr(shape, "elts", []))[-1:]]
        return {item.id for item in items if isinstance(item, ast.Name)}

    def is_given_to_own(self, node: ast.expr) -> bool:
        """Return whether an expression is an argument of a call of a function or class of the program."""
        calls = (call for call in self.nodes if isinstance(call, ast.Call) and isinstance(call.func, ast.Name))
        given = ((call, [*call.args, *(each.value for each in call.keywords)]) for call in calls)
        return any(node in values and _name(call.func) in self._definitions for call, values in given)

    def mentions(self, statement: ast.stmt, words: tuple[str, ...]) -> bool:
        """Return whether the text of a statement has one of these words."""
        start, end = self.span(statement)
        return any(word in self.source.code[start:end].lower() for word in words)

    def is_part_of_object(self, node: ast.expr | ast.AugAssign) -> bool:
        """Return whether a value is kept as an attribute or an item, as the weights of a model are."""
        start, end = self.span(node)
        around = (target for target, each in self._assignments.items() if self._covers(each, start, end))
        return any(isinstance(target, (ast.Attribute, ast.Subscript)) for target in around)

    # --- values ------------------------------------------------------------------------------------------------------

    def value(self, node: ast.expr) -> Value | None:
        """Return the value that the analysis has for an expression."""
        return self._values.get(self.span(node))

    @cached_property
    def _values(self) -> Mapping[tuple[int, int], Value]:
        return self._observed.in_file(self.source.filename)

    def seen(self, node: ast.expr) -> list[Value]:
        """Return the values that an expression has had, one after another."""
        return self._observed.values(self.source.filename, self.span(node))

    def number(self, node: ast.expr) -> int | None:
        """Return the integer that an expression always is."""
        match self.value(node):
            case Const(value=int(number)) if not isinstance(number, bool):
                return number
        return None

    def is_number(self, node: ast.expr) -> bool:
        """Return whether an expression always is a number of Python."""
        value = self.value(node)
        values = [option for _, option in value.options] if isinstance(value, Choice) else [value]
        return all(
            isinstance(each, Int | Scalar) or (isinstance(each, Const) and isinstance(each.value, int | float))
            for each in values
        )

    def numbers(self, node: ast.expr) -> list[int]:
        """Return the integers that an expression is in one call after another."""
        return [each.value for each in self.seen(node) if isinstance(each, Const) and type(each.value) is int]

    def stored_items(self, tensor: Tensor) -> Iterator[ast.expr]:
        """Yield the expressions of this tensor that are put into a dict or list."""
        for target, statement in self._assignments.items():
            if isinstance(target, ast.Subscript) and target in statement.targets:
                value = self.value(statement.value)
                if isinstance(value, Tensor) and (value.step, value.output) == (tensor.step, tensor.output):
                    yield statement.value

    def shape(self, node: ast.expr) -> Shape | None:
        """Return the shape of the tensor that an expression is, in one call after another; of one that is lost after a
        fault in a loop, the shape that it had before."""
        value = self.value(node)
        if isinstance(value, Choice) and all(isinstance(option, Tensor) for _, option in value.options):
            value = reduce(generalise, [option for _, option in value.options])
        if isinstance(value, Lost) or (isinstance(value, Tensor) and not value.shape.is_ranked):
            before = {each.shape for each in self.seen(node) if isinstance(each, Tensor) and each.shape.is_ranked}
            if len(before) == 1:
                return before.pop()
        return value.shape if isinstance(value, Tensor) else None

    # --- names -------------------------------------------------------------------------------------------------------

    def definition(self, node: ast.expr) -> ast.expr | None:
        """Return the expression that a name, attribute or item of a dict display is bound to, if there is only one."""
        bound = self._bindings.get(_name(node), [])
        return bound[0] if len(bound) == 1 else None

    def uses(self, node: ast.expr) -> int:
        """Return how often a name, attribute or item is read in the whole program."""
        return self._reads[_name(node)]

    @cached_property
    def _reads(self) -> Counter[str]:
        return Counter(_name(node) for node in self._expressions if isinstance(getattr(node, "ctx", None), ast.Load))

    @cached_property
    def _bindings(self) -> dict[str, list[ast.expr | None]]:
        """Return what each name, attribute of a name, and item is bound to; None if that is no written expression."""
        found: defaultdict[str, list[ast.expr | None]] = defaultdict(list)
        written: set[ast.expr] = set()
        for node in self.nodes:
            for target, value in _bound(node):
                found[_name(target)].append(value)
                written.add(target)
                for key, item in _items(value):
                    found[f"{_name(target)}[{key!r}]"].append(item)
        for node in self._expressions:
            if isinstance(getattr(node, "ctx", None), ast.Store) and node not in written and _name(node):
                found[_name(node)].append(None)
        return found

    def visible_from(self, node: ast.expr) -> Iterator[ast.expr]:
        """Yield the names, attributes and items of the program that can be written in the place of an expression, one
        of each, the shortest first."""
        found: dict[str, ast.expr] = {}
        for other in self._expressions:
            if isinstance(getattr(other, "ctx", None), ast.Load) and self.is_visible(other, node):
                found.setdefault(_name(other), other)
        for unused in self.bound_before(node):
            found.setdefault(unused.id, unused)
        for name in sorted(found.keys() - {"", _name(node)}, key=lambda name: (len(name), name)):
            if name.strip("_"):  # what is not meant to be used
                yield found[name]

    def bound_before(self, node: ast.expr) -> Iterator[ast.Name]:
        """Yield the names that the function around an expression binds before it, where they are bound."""
        here = (names for (function, _), names in self._names.items() if function is self._function[node])
        for other in (name for names in here for name in names if isinstance(name.ctx, ast.Store)):
            if self._is_before(other, node) and other.id.strip("_"):
                yield other

    def is_visible(self, other: ast.expr, node: ast.expr) -> bool:
        """Return whether a name, attribute or item can be written in the place of another expression."""
        root = other
        while isinstance(root, (ast.Attribute, ast.Subscript)):
            root = root.value
        if not isinstance(root, ast.Name):
            return False
        if self._function[node] is not self._function[other]:
            return root.id in self._of_module and self._is_bound_above(root.id, node)
        stores = [name for name in self._same(root) if isinstance(name.ctx, ast.Store)]
        if root.id in self._parameters(node):
            return True
        return not stores or any(self._is_before(store, node) for store in stores)

    def _parameters(self, node: ast.expr) -> set[str]:
        """Return the names of the parameters of the function around an expression."""
        function = self._function[node]
        parameters = getattr(function, "args", None)
        return {each.arg for each in self.parts(parameters) if isinstance(each, ast.arg)} if parameters else set()

    def _is_bound_above(self, name: str, node: ast.expr) -> bool:
        """Return whether the module binds a name above an expression; a function may be called before a later line."""
        stores = [each for each in self._names[None, name] if isinstance(each.ctx, ast.Store)]
        return not stores or any(self._is_before(each, node) for each in stores)

    def _is_before(self, store: ast.Name, node: ast.expr) -> bool:
        """Return whether a name is bound before an expression is reached, as far as the order of the text tells."""
        statement: ast.expr | ast.stmt = self._assignments.get(store, store)
        return self.span(statement)[1] <= self.span(node)[0]

    @cached_property
    def _of_module(self) -> set[str]:
        """Return the names that the module itself binds."""
        stored = (n for n in self._expressions if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        return {node.id for node in stored if self._function[node] is None}

    @cached_property
    def _function(self) -> dict[ast.AST, ast.AST | None]:
        """Return the function around each node; None at the level of the module."""
        found: dict[ast.AST, ast.AST | None] = {}
        todo: list[tuple[ast.AST, ast.AST | None]] = [(self.tree, None)]
        while todo:
            node, function = todo.pop()
            found[node] = function
            inner = node if isinstance(node, _FUNCTIONS) else function
            todo += [(child, inner) for child in ast.iter_child_nodes(node)]
        return found

    def is_module(self, node: ast.expr) -> bool:
        """Return whether an expression is an imported module, or a member of one."""
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self.aliases.values()

    @property
    def numpy(self) -> str:
        """Return the name of NumPy in the program; "" if it is not imported."""
        return self.aliases.get("numpy", "")

    @cached_property
    def aliases(self) -> dict[str, str]:
        """Return the names under which modules and their members are imported, by their full names."""
        found: dict[str, str] = {}
        for node in self.nodes:
            if isinstance(node, ast.Import):
                for name in node.names:
                    if name.asname or "." not in name.name:
                        found.setdefault(name.name, name.asname or name.name)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                for name in node.names:
                    found.setdefault(f"{node.module}.{name.name}", name.asname or name.name)
        return found


def _bound(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """Yield the names that a statement or function binds, each with its value or default."""
    match node:
        case ast.Assign(targets=[ast.Name() | ast.Attribute() as target], value=value):
            yield target, value
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)) if len(targets) == len(values):
            yield from zip(targets, values, strict=True)
        case ast.AnnAssign(target=target, value=value):
            yield target, value
        case ast.arguments(args=arguments, defaults=defaults):
            given: list[ast.expr | None] = [None] * (len(arguments) - len(defaults))
            for argument, default in zip(arguments, [*given, *defaults], strict=True):
                yield ast.Name(argument.arg, ast.Store()), default


def _items(value: ast.expr | None) -> Iterator[tuple[object, ast.expr]]:
    if isinstance(value, ast.Dict):
        for key, item in zip(value.keys, value.values, strict=True):
            if isinstance(key, ast.Constant):
                yield key.value, item


def _name(node: ast.expr) -> str:
    """Return the text of a name, attribute or constant item; "" for any other expression."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=owner, attr=name):
            return f"{_name(owner)}.{name}" if _name(owner) else ""
        case ast.Subscript(value=owner, slice=ast.Constant(value=key)):
            return f"{_name(owner)}[{key!r}]" if _name(owner) else ""
    return ""
