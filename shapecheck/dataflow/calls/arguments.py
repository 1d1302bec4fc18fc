"""Arguments of calls, and how they are bound to parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.calls.library_parameters import is_method, parameters_of
from shapecheck.dataflow.calls.refusal import refusal
from shapecheck.dataflow.containers import iteration
from shapecheck.dataflow.containers.mappings import mapping
from shapecheck.dataflow.objects.aliases import among
from shapecheck.dataflow.objects.attributes import instance_attribute
from shapecheck.dataflow.objects.library_methods import find_method
from shapecheck.dataflow.objects.metaclasses import DECORATED, METACLASS
from shapecheck.dataflow.objects.mro import class_attribute, mro
from shapecheck.dataflow.paths.case_split import of_none, without
from shapecheck.dataflow.paths.constraints import require
from shapecheck.dataflow.paths.feasibility import NOT_GIVEN, may_choose
from shapecheck.dataflow.stages.checks import require_iterable
from shapecheck.dataflow.stages.signatures import has_signature
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.endings import Endings
from shapecheck.dataflow.state.frame import Frame
from shapecheck.dataflow.state.path import PathEnds
from shapecheck.domain.values import (
    CONTAINERS,
    BoundLibraryMethod,
    Class,
    Const,
    Dict,
    Function,
    HomogeneousSeq,
    Int,
    Library,
    Method,
    Partial,
    Ref,
    Seq,
    Value,
    as_str,
)
from shapecheck.ir.walk import nodes_in
from shapecheck.models.lang.packs import imports_of
from shapecheck.models.lang.surplus_operands import may_be_surplus
from shapecheck.models.lang.traits import has
from shapecheck.project.heirs import files_with_heirs
from shapecheck.project.import_paths import find_module
from shapecheck.shapes.facts import FALSE
from shapecheck.shapes.size import Kind, fresh
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

_PLAIN = "is made by its __init__"
_GIVEN_ON = (
    ("gives its arguments to forward", "forward", ()),
    ("gives its arguments to call", "call", ("training", "mask")),
)


def evaluate_arguments(t: Tracer, node: ir.Call, frame: Frame) -> Arguments:
    """Return the arguments of a call, in the order in which they are evaluated.

    The position of an argument after starred ones of unknown number is not known.
    """
    args: list[Value] = []
    keywords: dict[str, Value] = {}
    is_complete = is_placed = True
    for argument in node.args:
        value = t.evaluate(argument.value, frame)
        if argument.star == "*":
            value = without(t, value, of_none)
            require_iterable(t, [value], Place(frame.source, argument.value.start, argument.value.end), "*")
            items = iteration.elements(t, value)
            args.extend(_placed(t, item, is_placed) for item in items or ())
            is_placed = is_placed and items is not None
        elif argument.star == "**":
            is_complete = _add_keywords(t, value, keywords) and is_complete
        elif argument.keyword is not None:
            keywords[argument.keyword] = value
        else:
            args.append(_placed(t, value, is_placed))
    is_spread = any(argument.star for argument in node.args)
    return Arguments(Place(frame.source, node.start, node.end), args, keywords, is_complete and is_placed, is_spread)


def _placed(t: Tracer, value: Value, is_placed: bool) -> Value:
    """Return an argument, which may be another one if its position is not known."""
    return value if is_placed else among(t, t.lost("argument at an unknown position"), [value])


def _add_keywords(t: Tracer, value: Value, keywords: dict[str, Value]) -> bool:
    """Add the entries of `**value`; return whether all its keys are known."""
    entries = mapping(t, value)
    if not isinstance(entries, Dict):
        return False
    names = [(as_str(key), item) for key, item in entries.items]
    keywords.update({name: item for name, item in names if name is not None})
    return entries.rest is None and all(name is not None for name, _ in names)


def check_arguments(t: Tracer, callee: Value, given: Arguments, *, is_chosen: bool) -> None:
    """Report a call with arguments that a function of the program or a library does not accept, or of a tuple or a
    number, and end the path.

    Where a test that is not known may tell what is passed on to a function, or which function it is, it is tolerated.
    """
    kind = _uncallable(callee)
    if not given.is_complete and not kind:
        return
    told = ("()", f"a {kind} cannot be called") if kind else None
    name, said = told or _said_of_library(t, callee, given) or _said_of_program(t, callee, given)
    if said:
        endings = t.component(Endings)
        is_open = (is_chosen or given.is_spread) and may_choose(t)
        t.tolerance += is_open
        with t.during(t.add_step("op", name, given.args, given.keywords, given.place)):
            require(t, ClashKind.CALL, FALSE, said)
        t.tolerance -= is_open
        endings.note("a call does not fit its function", given.place)
        endings.has_unfit_call = True
        raise PathEnds


def _uncallable(callee: Value) -> str:
    """Return what a value is that cannot be called; "" for others."""
    match callee:
        case Seq(kind="tuple" | "shape"):
            return "tuple"
        case Const(value=bool()):
            return ""
        case Int() | Const(value=int() | float()):
            return "number"
    return ""


def _said_of_library(t: Tracer, callee: Value, given: Arguments) -> tuple[str, str] | None:
    """Return the name of what is called, and why it refuses the arguments, if it is of a library."""
    name = _library_name(t, callee)
    if len(given.args) > 1 and not given.keywords and may_be_surplus(name, given.args):
        return None  # its model tells
    known = parameters_of(name) if name else None
    said = "" if known is None else refusal(*known, len(given.args), 0, given.keywords)
    return (name, said) if known is not None and not (said and _is_fork(t, name, given)) else None


def _is_fork(t: Tracer, name: str, given: Arguments) -> bool:
    """Return whether the project has a library of its own, which may have other parameters than any release: from a
    repository, or as a package beside the program."""
    folder = Path(given.place.source.filename).parent
    modules = imports_of(name)
    copies = (find_module(t.program.files, module, folder) for module in modules)
    return not set(t.target.forks).isdisjoint(modules) or any(
        path is not None and path.name == "__init__.py" for path in copies
    )


def _library_name(t: Tracer, callee: Value) -> str:
    """Return the canonical name of a function, class or method of a library, or of the call of its object; "" else."""
    match callee:
        case Library(name=name):
            return "" if is_method(name) else name
        case Partial(function=Library(name=name), args=(_, Const(value=str(method)))) if name.startswith("method "):
            return "" if method == "__call__" else f"{name[7:]}.{method}"  # by `super()`; a call leads to other methods
        case BoundLibraryMethod(owner=owner, name=method) if not (isinstance(owner, Ref) and owner.cls == "user"):
            return find_method(t, owner, method)[1]
        case Ref(cls=cls) if cls != "user" and cls not in CONTAINERS:
            return find_method(t, callee, "__call__")[1]
    return ""


def _said_of_program(t: Tracer, callee: Value, given: Arguments) -> tuple[str, str]:
    """Return the name of what is called, and why it refuses the arguments, if it is a function of the program."""
    function, before, kept = _called(t, callee, given)
    if not isinstance(function, Function):
        return "", ""
    changed = t.heap.get((-1 - function.key, "__complete__")) is not None
    if changed or has_signature(t, function):
        return "", ""
    code = t.functions[function.key].node
    if before and _is_left_open(code):
        return "", ""  # the object is one of a derived class
    own = {param.name for param in code.params}
    keywords = {name: value for name, value in given.keywords.items() if name in own or name not in kept}
    defaults = dict(function.defaults)
    said = refusal(code.params, defaults, len(given.args), before, keywords)
    if said and t.target.keras != 3 and not own.isdisjoint(kept):
        t.program.is_version_decisive |= t.target.is_unmarked
        said = refusal(code.params, {*defaults, *kept}, len(given.args), before, keywords)
    if said and kept and t.target.keras != 3 and not given.args and "inputs" in keywords:
        # a layer of Keras 2 takes the first argument by this name
        t.program.is_version_decisive |= t.target.is_unmarked
        said = refusal(code.params, {*defaults, *kept}, 1, before, keywords.keys() - {"inputs"})
    return function.name, "" if said and before and _may_be_of_heir(t, callee, function, given) else said


def _may_be_of_heir(t: Tracer, callee: Value, function: Function, given: Arguments) -> bool:
    """Return whether a method that is traced on its own calls its class, by another name, or a method of its object,
    which may be of a class in another file with a function of its own of this name that accepts the arguments."""
    receiver = callee.owner if isinstance(callee, Method) else None
    cls = t.heap.get((receiver.address, "__class__")) if isinstance(receiver, Ref) else callee
    if not (t.is_standalone and t.call_stack.functions and isinstance(cls, Class)):
        return False
    entry = t.functions[t.call_stack.functions[0]]
    if entry.owner not in [base.address for base in mro(t, cls) if isinstance(base, Class)]:
        return False
    own, is_class = Path(entry.frame.source.filename), cls is callee
    if is_class and given.place.source.text.startswith(cls.name, given.place.start):
        return False
    found = files_with_heirs(t.program.files, own, cls.name, with_own=is_class)
    modules = filter(None, map(t.program.parsed.lowered, found))
    methods = (node for each in modules for node in nodes_in(each.body) if isinstance(node, ir.FunctionDef))
    named = (node for node in methods if node.name == function.name)
    return any(not refusal(node.params, (), len(given.args), 1, given.keywords) for node in named)


def _called(t: Tracer, callee: Value, given: Arguments) -> tuple[Value, int, Sequence[str]]:
    """Return the function that a call runs, the number of arguments before the given ones, and what it may do
    without."""
    extra: Sequence[str] = ()
    if isinstance(callee, Class):
        made = class_attribute(t, callee, "__init__")
        is_plain = class_attribute(t, callee, "__new__") is None and all(_is_plain(t, base) for base in mro(t, callee))
        callee = Method(callee, made) if isinstance(made, Function) and is_plain else callee
    elif isinstance(callee, Ref) and callee.cls == "user":
        called = instance_attribute(t, callee, "__call__", given.place) or callee
        if isinstance(called, BoundLibraryMethod):
            called, extra = _given_on(t, callee, given)
        callee = called
    return (callee.function, 1, extra) if isinstance(callee, Method) else (callee, 0, extra)


def _is_left_open(code: ir.FunctionDef | ir.Lambda) -> bool:
    """Return whether a method is left to derived classes."""
    if isinstance(code, ir.Lambda):
        return False
    return all(
        isinstance(each, (ir.Raise, ir.Jump)) or (isinstance(each, ir.Evaluate) and isinstance(each.value, ir.Const))
        for each in code.body
    )


def _is_plain(t: Tracer, base: Value) -> bool:
    """Return whether instances of a class take what `__init__` takes."""
    if isinstance(base, Class):
        metaclass = t.heap.get((base.address, METACLASS))
        is_plain = metaclass is None or (isinstance(metaclass, Library) and has(metaclass.name, _PLAIN))
        return is_plain and t.heap.get((base.address, DECORATED)) is None
    return isinstance(base, Library) and has(base.name, _PLAIN)


def _given_on(t: Tracer, module: Ref, given: Arguments) -> tuple[Value, Sequence[str]]:
    """Return the method that a library calls with the arguments of a call, and keywords that it may keep or add."""
    cls = t.heap.get((module.address, "__class__"))
    for base in mro(t, cls) if isinstance(cls, Class) else ():
        for trait, method, kept in _GIVEN_ON:
            if isinstance(base, Library) and has(base.name, trait):
                return instance_attribute(t, module, method, given.place) or module, kept
    return module, ()


def bind_parameters(
    t: Tracer, params: Sequence[ir.Param], defaults: Mapping[str, Value], given: Arguments, frame: Frame
) -> None:
    """Set the parameters of a function in its frame; a missing argument is lost."""
    positional = list(given.args)
    named = dict(given.keywords)
    complete = given.is_complete
    for param in params:
        if param.kind == "*":
            value: Value = _star_parameter(t, positional, complete)
            positional = []
        elif param.kind == "**":
            value = t.new_container("dict", Dict(_entries(named), None if complete else t.lost("keyword arguments")))
            named = {}
        elif param.kind != "keyword" and positional:
            value = positional.pop(0)
            if param.kind != "positional":
                named.pop(param.name, None)
        elif param.name in named and param.kind != "positional":
            value = named.pop(param.name)
        elif param.name in defaults and complete:
            value = defaults[param.name]
        else:
            value = t.lost(NOT_GIVEN if param.name in defaults else "unknown argument")
        t.heap.set((frame.address, param.name), value)


def _entries(named: Mapping[str, Value]) -> tuple[tuple[Value, Value], ...]:
    """Return keyword arguments as the entries of a dict."""
    return tuple((Const(name), value) for name, value in named.items())


def _star_parameter(t: Tracer, positional: list[Value], complete: bool) -> Value:
    """Return the value of a parameter `*args`."""
    if complete:
        return Seq("tuple", tuple(positional))
    element: Value = t.lost("unknown number of arguments")
    return HomogeneousSeq("tuple", element, fresh("n", Kind.LOST, why="number of arguments"))
