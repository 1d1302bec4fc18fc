"""What a runner of tests gives to tests: values of fixtures and parameters, and objects that were set up."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial, reduce
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.calls.function_calls import call_function
from shapecheck.dataflow.interpreter.test_cases import REQUEST, TestCases, last_name
from shapecheck.dataflow.objects import modules
from shapecheck.dataflow.objects.attributes import find_attribute, set_attribute
from shapecheck.dataflow.objects.mro import class_attribute, mro
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.frame import Definition, Frame
from shapecheck.dataflow.state.path import PathEnds
from shapecheck.domain.join import generalise
from shapecheck.domain.values import PARAMETER, Class, Function, HomogeneousSeq, Lost, ModuleValue, Ref, Value
from shapecheck.ir.walk import nodes_in
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

CONFTEST = "conftest.py"
SETTING_UP_CLASSES = ("setUpClass", "setup_class")
SETTING_UP = ("setUp", "setup_method")
"""Methods that unittest and pytest call before each test of a class."""
MAX_CASES = 16
"""How many cases of a test are traced one by one."""
SHARE_OF_CASES = 4
"""The part of the budget of a test after which one case stands for all."""
AUTOMATIC = re.compile("autouse")
MAX_FIXTURES = 3
"""How many fixtures are followed that depend on each other."""


def is_test(definition: Definition) -> bool:
    """Return whether a test runner calls a function."""
    node = definition.node
    return isinstance(node, ir.FunctionDef) and (node.name.startswith("test") or node.name == "runTest")


# --- parameters ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Case:
    """The values of the parameters of a test in one case, and those that its fixtures are made for, by their names."""

    values: Mapping[str, Value] = field(default_factory=dict)
    requests: Mapping[str, Value] = field(default_factory=dict)


def cases(t: Tracer, definition: Definition, cls: Class | None) -> Iterator[Case]:
    """Yield the cases of a test of a class, by `pytest.mark.parametrize` and by the parameters of its fixtures.

    If there are too many for its budget, the last one stands for all.
    """
    columns, fuel = _columns(t, definition, cls), t.budget.fuel
    for number, row in enumerate(product(*columns)):
        is_much = t.budget.fuel < fuel - fuel // SHARE_OF_CASES or t.budget.is_stuck
        if number == MAX_CASES or is_much:
            together = [reduce(_joined, map(partial(_frozen, t), column)) for column in columns]
            t.budget.news = t.budget.fuel  # none of the cases before had these values
            yield reduce(_both, together, Case())
            return
        yield reduce(_both, row, Case())


def _columns(t: Tracer, definition: Definition, cls: Class | None) -> list[list[Case]]:
    """Return the cases that each decorator of a test, of its class and of its fixtures gives."""
    node, known = definition.node, t.component(TestCases)
    owners = dict.fromkeys((definition.owner or 0, 0 if cls is None else cls.address))
    of_classes = (table for owner in owners for table in known.of_classes.get(owner, ()))
    own = (*of_classes, *known.of_functions.get(id(node), ()))
    given = {name for table in own for name in table[0]}
    asked = [
        (name, table)
        for name, fixture_node in _fixtures_of(t, definition, cls, given).items()
        for table in known.of_functions.get(id(fixture_node), ())
        if REQUEST in table[0]  # tables of parameters do nothing to a fixture
    ]
    columns = [[Case(row) for row in table] for table in own]
    return [*columns, *([Case({}, {name: row[REQUEST]}) for row in table] for name, table in asked)]


def _frozen(t: Tracer, case: Case) -> Case:
    """Return a case with the contents of its lists and dicts in their place, which can be joined."""
    return Case(*({name: t.freeze(value) for name, value in row.items()} for row in (case.values, case.requests)))


def _fixtures_of(t: Tracer, test: Definition, cls: Class | None, given: Container[str]) -> dict[str, ir.FunctionDef]:
    """Return the fixtures that a test asks for, and those that they ask for, by their names."""
    found: dict[str, ir.FunctionDef] = {}
    asking = [test.node]
    for node in asking:  # extended within the loop
        names = [param.name for param in node.params if param.name not in found and param.name not in given]
        for name in names:
            key = _key_of(t, test, cls, name)
            made = None if key is None or len(asking) > MAX_FIXTURES * MAX_CASES else t.functions[key].node
            if isinstance(made, ir.FunctionDef):
                found[name] = made
                asking.append(made)
    return found


def _joined(case: Case, other: Case) -> Case:
    """Return a case that stands for two."""
    return Case(_of_both(case.values, other.values), _of_both(case.requests, other.requests))


def _of_both(row: Mapping[str, Value], other: Mapping[str, Value]) -> dict[str, Value]:
    return {name: generalise(value, other[name]) if name in other else value for name, value in row.items()}


def _both(case: Case, other: Case) -> Case:
    """Return a case with the values of two tables."""
    return Case({**case.values, **other.values}, {**case.requests, **other.requests})


# --- fixtures --------------------------------------------------------------------------------------------------------


def fixture(t: Tracer, test: Definition, name: str, receiver: Value | None, case: Case, depth: int = 0) -> Value | None:
    """Return what a fixture of pytest gives for a parameter of a test; None without one.

    It is in the class of the test, in its file, or in the `conftest.py` of a folder around it.
    """
    key = _key_of(t, test, class_of(t, receiver), name)
    return None if key is None or depth > MAX_FIXTURES else _made(t, key, test, receiver, case, depth)


def use_automatic_fixtures(t: Tracer, test: Definition, receiver: Value, case: Case) -> None:
    """Call the fixtures of the class of an object for tests which each test uses, for what they do to the object."""
    cls = class_of(t, receiver)
    frames = [] if cls is None else [frame for frame in _frames_of_class(t, cls) if frame.source.mentions(AUTOMATIC)]
    for key in (key for frame in reversed(frames) for key in _keys(t, frame)):
        node = t.functions[key].node
        if isinstance(node, ir.FunctionDef) and _is_automatic(node) and _key_of(t, test, cls, node.name) == key:
            _made(t, key, test, receiver, case)


def _is_automatic(node: ir.FunctionDef) -> bool:
    """Return whether a definition is that of a fixture which no test has to name."""
    decorator = _fixture_decorator(node)
    options = decorator.args if isinstance(decorator, ir.Call) else ()
    given = [option.value for option in options if option.keyword == "autouse"]
    return any(isinstance(value, ir.Const) and value.value is True for value in given)


def _made(t: Tracer, key: int, test: Definition, receiver: Value | None, case: Case, depth: int = 0) -> Value | None:
    """Return what a fixture gives; None if it fails."""
    if t.place is None:
        return None
    definition = t.functions[key]
    node = definition.node
    assert isinstance(node, ir.FunctionDef)
    is_method = definition.owner is not None and definition.kind != "static"
    given = [receiver] if is_method and receiver is not None else []
    for param in node.params[is_method:]:
        if param.name == REQUEST:
            asked = case.requests.get(node.name)
            lost = Lost("request of a fixture")
            given.append(lost if asked is None else t.new_object("pytest.FixtureRequest", param=asked))
        else:
            made = case.values.get(param.name) or fixture(t, test, param.name, receiver, case, depth + 1)
            given.append(made or Lost(f"{PARAMETER} {param.name}"))
    function = Function(key, definition.frame.address, node.name, ())
    try:
        made = call_function(t, function, Arguments(t.place, given, {}, True))
    except PathEnds:
        return None
    return made.element if isinstance(made, HomogeneousSeq) and made.kind == "generator" else made


def class_of(t: Tracer, receiver: Value | None) -> Class | None:
    """Return the class of an object for tests, which may inherit a test; None without an object."""
    cls = t.heap.get((receiver.address, "__class__")) if isinstance(receiver, Ref) else receiver
    return cls if isinstance(cls, Class) else None


def _key_of(t: Tracer, test: Definition, cls: Class | None, name: str) -> int | None:
    """Return the nearest fixture of a name for a test of a class; None if there is none."""
    found = (key for frame in _frames_of_fixtures(t, test, cls) for key in _keys(t, frame))
    return next((key for key in found if _is_fixture(t.functions[key], name)), None)


def _keys(t: Tracer, frame: Frame) -> Iterable[int]:
    return [key for key in range(len(t.functions)) if t.functions[key].frame is frame]


def _frames_of_class(t: Tracer, cls: Class) -> Iterator[Frame]:
    """Yield the scopes of a class and of those that it is derived from."""
    addresses = [base.address for base in mro(t, cls) if isinstance(base, Class)]
    yield from (t.frames[address] for address in addresses if address in t.frames)


def _frames_of_fixtures(t: Tracer, test: Definition, cls: Class | None) -> Iterator[Frame]:
    """Yield the scopes in which fixtures for a test of a class are, from the inside out."""
    if cls is not None:
        yield from _frames_of_class(t, cls)
    own = test.frame if cls is None else t.frames.get(cls.address, test.frame)
    for frame in dict.fromkeys((own, test.frame)):
        scope: Frame | None = frame
        while scope is not None:
            yield scope
            scope = scope.parent
    folder = Path(own.source.filename).parent
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
        if last_name(decorator.func if isinstance(decorator, ir.Call) else decorator) == "fixture":
            return decorator
    return None


# --- objects of tests ------------------------------------------------------------------------------------------------


def set_up(t: Tracer, definition: Definition, receiver: Value, place: Place) -> None:
    """Prepare an object for a test, so that it has nothing of what other tests have left."""
    cls = t.heap.get((receiver.address, "__class__")) if isinstance(receiver, Ref) else None
    if not isinstance(cls, Class) or definition.kind in ("static", "class"):
        return
    fuel = t.budget.fuel
    for name in (*SETTING_UP_CLASSES, *SETTING_UP):
        if name == SETTING_UP[0]:
            _change_shared(t, cls, place)
        method = class_attribute(t, cls, name)
        function = method if isinstance(method, Function) else getattr(method, "function", None)
        if isinstance(function, Function):
            first = receiver if name in SETTING_UP else cls
            others = [Lost("argument of a test runner") for _ in t.functions[function.key].node.params[1:]]
            call_function(t, function, Arguments(place, [first, *others], {}, True))
            t.call_stack.frames = []
            t.budget.renew(fuel)


def _change_shared(t: Tracer, cls: Class, place: Place) -> None:
    """Make unknown what tests of a class change of the objects that they share: another test may run before."""
    for name, changed in _changes_of_shared(t, cls):
        shared = t.heap.get((cls.address, name))
        if isinstance(shared, Ref) and find_attribute(t, shared, changed) is not None:
            t.place = place
            set_attribute(t, shared, changed, Lost("what another test may have changed"))


def _changes_of_shared(t: Tracer, cls: Class) -> Iterator[tuple[str, str]]:
    """Yield the `name` and `changed` of each assignment to `self.name.changed` in the tests of a class."""
    members = (value for base in mro(t, cls) if isinstance(base, Class) for _, value in t.heap.at(base.address))
    tests = [t.functions[value.key] for value in members if isinstance(value, Function)]
    for node in (test.node for test in tests if is_test(test) and test.node.params):
        for part in nodes_in(node.body):
            for target in part.targets if isinstance(part, ir.Assign) else ():
                match target:
                    case ir.Attribute(value=ir.Attribute(value=ir.Name(id=first), name=name), name=changed):
                        if first == node.params[0].name:
                            yield name, changed
