"""What a runner of tests gives to tests: values of fixtures and parameters, and objects that were set up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.calls.function_calls import call_function
from shapecheck.dataflow.containers.iteration import elements
from shapecheck.dataflow.objects import modules
from shapecheck.dataflow.objects.mro import class_attribute
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.frame import Definition, Frame
from shapecheck.dataflow.state.path import PathEnds
from shapecheck.domain.join import generalise
from shapecheck.domain.values import Class, Function, HomogeneousSeq, Lost, ModuleValue, Seq, Value, as_str
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

CONFTEST = "conftest.py"
SETTING_UP_CLASSES = ("setUpClass", "setup_class")
SETTING_UP = ("setUp", "setup_method")
"""Methods that unittest and pytest call before each test of a class."""
MAX_CASES = 8
"""How many cases of a test are traced one by one; of more, one is that stands for all."""
MAX_FIXTURES = 3
"""How many fixtures are followed that depend on each other."""


def is_test(definition: Definition) -> bool:
    """Return whether a test runner calls a function."""
    node = definition.node
    return isinstance(node, ir.FunctionDef) and (node.name.startswith("test") or node.name == "runTest")


# --- parameters ------------------------------------------------------------------------------------------------------


def cases(t: Tracer, definition: Definition) -> list[dict[str, Value]]:
    """Return the values of the parameters of a test in each of its cases, by `pytest.mark.parametrize`."""
    node = definition.node
    assert isinstance(node, ir.FunctionDef)
    tables = []
    for decorator in node.decorators:
        if isinstance(decorator, ir.Call) and _last_name(decorator.func) == "parametrize" and len(decorator.args) >= 2:
            table = _table(t, decorator, definition.frame)
            if table:
                tables.append(table)
    count = reduce(lambda a, b: a * b, map(len, tables), 1)
    if count > MAX_CASES:
        tables = [[reduce(_joined, table)] for table in tables]
    return [{name: value for row in rows for name, value in row.items()} for rows in product(*tables)]


def _table(t: Tracer, decorator: ir.Call, frame: Frame) -> list[dict[str, Value]]:
    """Return the rows that a decorator gives, by names; none if they are not known."""
    names = _names(t.freeze(t.evaluate(decorator.args[0].value, frame)))
    given = decorator.args[1].value
    if isinstance(given, ir.Display):
        rows = [_row(t, item, frame, len(names)) for item in given.items]
    else:
        found = elements(t, t.freeze(t.evaluate(given, frame), deep=False))
        rows = [_parts(t, item, len(names)) for item in found or ()]
    return [dict(zip(names, row, strict=True)) for row in rows if len(row) == len(names)] if names else []


def _names(value: Value) -> list[str]:
    text = as_str(value)
    if text is not None:
        return [name.strip() for name in text.split(",") if name.strip()]
    parts = [as_str(item) for item in value.items] if isinstance(value, Seq) else []
    return [name for name in parts if name is not None]


def _row(t: Tracer, node: ir.Expr, frame: Frame, width: int) -> tuple[Value, ...]:
    """Return the values of one row of a table, which `pytest.param` may hold."""
    if isinstance(node, ir.Call) and _last_name(node.func) == "param":
        return tuple(t.evaluate(arg.value, frame) for arg in node.args if arg.keyword is None)
    return _parts(t, t.evaluate(node, frame), width)


def _parts(t: Tracer, value: Value, width: int) -> tuple[Value, ...]:
    """Return the values for several names, or the one for a single name."""
    if width == 1:
        return (value,)
    items = t.freeze(value, deep=False)
    return items.items if isinstance(items, Seq) and len(items.items) == width else (_unknown(),) * width


def _unknown() -> Value:
    return Lost("parameter of a test")


def _joined(row: Mapping[str, Value], other: Mapping[str, Value]) -> dict[str, Value]:
    return {name: generalise(value, other[name]) if name in other else value for name, value in row.items()}


def _last_name(node: ir.Expr) -> str:
    return node.name if isinstance(node, ir.Attribute) else node.id if isinstance(node, ir.Name) else ""


# --- fixtures --------------------------------------------------------------------------------------------------------


def fixture(t: Tracer, test: Definition, name: str, receiver: Value | None, depth: int = 0) -> Value | None:
    """Return what a fixture of pytest gives for a parameter of a test; None without one.

    It is in the class of the test, in its file, or in the `conftest.py` of a folder around it.
    """
    frames = list(_frames_of_fixtures(t, test))
    found = (key for frame in frames for key in _keys(t, frame) if _is_fixture(t.functions[key], name))
    key = next(found, None)
    if key is None or t.place is None or depth > MAX_FIXTURES:
        return None
    definition = t.functions[key]
    node = definition.node
    assert isinstance(node, ir.FunctionDef)
    is_method = definition.owner is not None and definition.kind != "static"
    given = [receiver] if is_method and receiver is not None else []
    for param in node.params[is_method:]:
        if param.name == "request":
            given.append(_request(t, node, definition.frame))
        else:
            given.append(fixture(t, test, param.name, receiver, depth + 1) or Lost(f"parameter {param.name}"))
    function = Function(key, definition.frame.address, name, ())
    try:
        made = call_function(t, function, Arguments(t.place, given, {}, True))
    except PathEnds:
        return None
    return made.element if isinstance(made, HomogeneousSeq) and made.kind == "generator" else made


def _keys(t: Tracer, frame: Frame) -> Iterable[int]:
    return [key for key in range(len(t.functions)) if t.functions[key].frame is frame]


def _frames_of_fixtures(t: Tracer, test: Definition) -> Iterator[Frame]:
    """Yield the scopes in which fixtures for a test are, from the inside out."""
    scope: Frame | None = test.frame
    while scope is not None:
        yield scope
        scope = scope.parent
    folder = Path(test.frame.source.filename).parent
    for _ in range(MAX_FIXTURES):
        path = folder / CONFTEST
        if t.program.files.is_file(path):
            module = modules.load(t, path, path.stem)
            if isinstance(module, ModuleValue):
                modules.ensure_executed(t, module.address)
                if module.address in t.frames:
                    yield t.frames[module.address]
        if folder == folder.parent:
            return
        folder = folder.parent


def _is_fixture(definition: Definition, name: str) -> bool:
    """Return whether a definition is that of a fixture with this name."""
    node = definition.node
    return isinstance(node, ir.FunctionDef) and node.name == name and _fixture_decorator(node) is not None


def _fixture_decorator(node: ir.FunctionDef) -> ir.Expr | None:
    for decorator in node.decorators:
        if _last_name(decorator.func if isinstance(decorator, ir.Call) else decorator) == "fixture":
            return decorator
    return None


def _request(t: Tracer, node: ir.FunctionDef, frame: Frame) -> Value:
    """Return the request that a fixture is given, whose parameter stands for all that it has."""
    decorator = _fixture_decorator(node)
    given = decorator.args if isinstance(decorator, ir.Call) else ()
    values = next((arg.value for arg in given if arg.keyword == "params"), None)
    if not isinstance(values, ir.Display) or not values.items:
        return Lost("request of a fixture")
    params = [_row(t, item, frame, 1) for item in values.items]
    return t.new_object("pytest.FixtureRequest", param=reduce(generalise, [row[0] for row in params if row]))


# --- objects of tests ------------------------------------------------------------------------------------------------


def set_up(t: Tracer, definition: Definition, receiver: Value, place: Place) -> None:
    """Prepare an object for a test, so that it has nothing of what other tests have left."""
    cls = None if definition.owner is None else t.heap.get((definition.owner, "__self__"))
    if not isinstance(cls, Class) or definition.kind in ("static", "class"):
        return
    fuel = t.budget.fuel
    for name in (*SETTING_UP_CLASSES, *SETTING_UP):
        method = class_attribute(t, cls, name)
        function = method if isinstance(method, Function) else getattr(method, "function", None)
        if isinstance(function, Function):
            first = receiver if name in SETTING_UP else cls
            others = [Lost("argument of a test runner") for _ in t.functions[function.key].node.params[1:]]
            call_function(t, function, Arguments(place, [first, *others], {}, True))
            t.call_stack.frames = []
            t.budget.renew(fuel)
