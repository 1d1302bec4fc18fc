"""Entry points: every file as a script, then every function and method that no script has called."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.calls.assumed_batches import AssumedBatches
from shapecheck.dataflow.calls.base_classes import hide_class_attributes, is_only_derived_from
from shapecheck.dataflow.calls.function_calls import call_function
from shapecheck.dataflow.calls.instantiation import instantiate
from shapecheck.dataflow.calls.summaries import Summaries
from shapecheck.dataflow.containers.allocation import allocated
from shapecheck.dataflow.fixtures import Case, cases, fixture, is_test, set_up, use_automatic_fixtures
from shapecheck.dataflow.graph.clash import Assumption, Clash
from shapecheck.dataflow.havoc.escape import hand_over_grown
from shapecheck.dataflow.havoc.uninitialized import (
    assigned_by_functions,
    havoc_global_placeholders,
    havoc_placeholders,
    havoc_uninitialized,
    is_empty_vector,
    is_uninitialized,
)
from shapecheck.dataflow.objects import modules
from shapecheck.dataflow.objects.container_classes import forget_items, new_instance
from shapecheck.dataflow.objects.mro import class_attribute, mro
from shapecheck.dataflow.objects.reassigned import (
    certain_changes,
    forget_constructor,
    havoc_reassigned_attributes,
    havoc_reassigned_variables,
    undo_uncertain_changes,
)
from shapecheck.dataflow.paths.feasibility import Feasibility, is_certain, is_conditional, tolerate_occasional_clashes
from shapecheck.dataflow.paths.truncated_slices import TruncatedSlices
from shapecheck.dataflow.paths.unreached_methods import UnreachedMethods
from shapecheck.dataflow.stages.array_tracing import traced_stage
from shapecheck.dataflow.stages.unrun_graphs import suppose_runs
from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.budget import OutOfFuel
from shapecheck.dataflow.state.call_stack import CallStack
from shapecheck.dataflow.state.frame import Definition
from shapecheck.dataflow.state.heap import AMBIENT, SETTING
from shapecheck.dataflow.state.path import PathEnds, PathState
from shapecheck.dataflow.state.stage import EAGER
from shapecheck.domain.values import (
    ANNOTATED,
    MINUS_ONE,
    PARAMETER,
    Class,
    Const,
    Function,
    Int,
    Library,
    Lost,
    ModuleValue,
    Ref,
    Scalar,
    Seq,
    Value,
)
from shapecheck.shapes.size import Kind, fresh
from shapecheck.source import Place, Source

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

UNITTEST = Library("unittest.TestCase")
CONSTRUCTORS = ("__init__", "__new__")
SCRIPT_FUEL = 150_000
STRIDE = 1_000
"""The characters of a text that count together, so that a letter more or less is no other budget."""
LATER = 4
"""The part of its budget that a script has in another trace, with other assumptions."""
BRIEF = 5
"""The part of its budget that is spent on a first answer for an editor."""
FUNCTION_FUEL = 20_000
"""The budget of a function that no script calls.

Once those of a file have used up as much as a script has, the later ones have a quarter: they usually lead to the same
code.
"""
TEST_FUEL = 75_000
"""The budget of a test, as long as the functions of its file have not used up theirs."""
TEST_SHARE = 2
"""The part of what is left for a file that one test may use, so that something is left for the others."""
CELL_FUEL = 100_000
"""The budget of a cell that is about to run: its check must not be felt."""
OF_RANKS = frozenset({ClashKind.RANK, ClashKind.AXIS_RANGE, ClashKind.INDEX_RANGE, ClashKind.UNPACK})
"""What refuses a rank; of a batch that was taken for granted, it tells that there is none."""
ANNOTATIONS: dict[str, Callable[[], Value]] = {
    "str": lambda: Scalar("str"),
    "float": lambda: Scalar("number", why=ANNOTATED),  # an integer is allowed, too
    "bool": lambda: Scalar("bool", why=ANNOTATED),
}


Progress = Callable[[int, int], None]
"""Called with the number of entry points that are done, and of those known so far."""


class Hidden(Enum):
    """Which informative defaults of parameters are not taken for the values that a caller gives."""

    NONE = "none"
    OF_CONSTRUCTOR = "those of the constructor of the object that a method is for"
    ALL = "all"


def trace(t: Tracer, sources: list[Source], progress: Progress | None = None) -> None:
    """Trace all files of a project, in order."""
    report = progress or (lambda done, total: None)
    reached = [source for source in sources if t.program.parsed.reaches_libraries(source)]
    for number, source in enumerate(reached):
        report(number, len(reached) + len(t.functions))
        fuel = fuel_of(source) // (BRIEF if t.options.is_brief else LATER if t.options.is_later else 1)
        _run_entry_point(t, fuel, source.filename, lambda source=source: _run_script(t, source))  # type: ignore[misc]
        while t.program.guarded and t.options.is_main:
            node, frame = t.program.guarded.popleft()
            if frame.source.filename != source.filename:  # no program runs what a module that it imports has for itself
                continue
            _set_target(t, frame.source)
            t.program.main = frame.address
            run = partial(modules.execute_top_level, t, node.body, frame)
            _run_entry_point(t, fuel, source.filename, run)
    t.program.main = 0
    if not (t.options.use_defaults or t.options.is_brief):
        _trace_functions(t, reached, report)


def fuel_of(source: Source) -> int:
    """Return the budget of a file: straight-line code is traced at any length, loops and recursion are limited."""
    return CELL_FUEL if source.begin else SCRIPT_FUEL + len(source.text) // STRIDE * STRIDE


def trace_unread(t: Tracer, files: Container[str]) -> None:
    """Execute the modules among these files of which the program imported nothing that it reads."""
    while found := {at for at, frame in t.program.pending.items() if frame.source.filename in files}:
        _execute_pending(t, found)


def _execute_pending(t: Tracer, addresses: Container[int]) -> None:
    """Execute those of these modules that the program has imported and read nothing of."""
    for address, frame in [pair for pair in t.program.pending.items() if pair[0] in addresses]:
        run = partial(modules.ensure_executed, t, address)
        _run_entry_point(t, SCRIPT_FUEL, frame.source.filename, run)


def trace_apart(t: Tracer, files: Sequence[str]) -> None:
    """Execute files as modules that the program imported by themselves, as a package imports those it offers."""
    for path in map(Path, files):
        modules.load(t, path, path.parent.name if path.stem == "__init__" else path.stem)
    trace_unread(t, files)


def _trace_functions(t: Tracer, reached: list[Source], report: Progress) -> None:
    """Trace the functions that no script has called."""
    for frame in [frame for frame in t.frames.values() if frame.kind == "module"]:
        havoc_uninitialized(t, frame.address)
    _execute_pending(t, {address for address, _ in assigned_by_functions(t)})  # or their own values would come later
    havoc_global_placeholders(t)
    instances: dict[int, Value] = {}
    failing: dict[int, tuple[list[Clash], int]] = {}
    files = {source.filename for source in reached}
    left = {source.filename: fuel_of(source) for source in reached}
    position = 0
    while position < len(t.functions):  # tracing may add definitions
        report(len(reached) + position, len(reached) + len(t.functions))
        definition = t.functions[position]
        if _is_entry(t, definition, files):
            _set_target(t, definition.frame.source)
            filename = definition.frame.source.filename
            fuel = FUNCTION_FUEL if left[filename] > 0 else FUNCTION_FUEL // 4
            if is_test(definition):
                fuel = max(fuel, min(TEST_FUEL, left[filename] // TEST_SHARE))
            run = partial(_trace_standalone, t, position, instances)
            begin = len(t.clashes)
            _run_entry_point(t, fuel, filename, run, is_standalone=True)
            left[filename] -= fuel - t.budget.fuel
            if found := t.clashes[begin:]:
                failing[position] = (found, _reassignments(t, position, instances))
        position += 1
    for filename, cls, key in _inherited_tests(t, files):
        if left[filename] > 0:
            fuel = max(FUNCTION_FUEL, min(TEST_FUEL, left[filename] // TEST_SHARE))
            run = partial(_trace_standalone, t, key, instances, cls)
            _run_entry_point(t, fuel, filename, run, is_standalone=True)
            left[filename] -= fuel - t.budget.fuel
    for key, (found, reassignments) in failing.items():
        if _reassignments(t, key, instances) > reassignments:
            _set_target(t, t.functions[key].frame.source)
            run = partial(_tolerate_before_reassignments, t, key, instances, found)
            _run_entry_point(t, FUNCTION_FUEL, t.functions[key].frame.source.filename, run, is_standalone=True)


def _inherited_tests(t: Tracer, files: set[str]) -> Iterator[tuple[str, Class, int]]:
    """Yield the tests that classes of tests have from other classes of the program, with the file and the class."""
    for frame in [frame for frame in t.frames.values() if frame.kind == "class" and frame.source.filename in files]:
        cls = t.heap.get((frame.address, "__self__"))
        bases = mro(t, cls)[1:] if isinstance(cls, Class) else []
        if not isinstance(cls, Class) or not (cls.name.startswith("Test") or UNITTEST in bases):
            continue
        met = {name for name, _ in t.heap.at(cls.address)}
        for base in (base for base in bases if isinstance(base, Class)):
            for name, value in t.heap.at(base.address):
                if isinstance(value, Function) and name not in met and is_test(t.functions[value.key]):
                    yield frame.source.filename, cls, value.key
                met.add(name)


def _reassignments(t: Tracer, key: int, instances: Mapping[int, Value]) -> int:
    """Return how many attributes of the receiver of a method certainly have several values."""
    made = instances.get(t.functions[key].owner or 0)
    return certain_changes(t, made) if isinstance(made, Ref) else 0


def _tolerate_before_reassignments(t: Tracer, key: int, instances: dict[int, Value], clashes: Sequence[Clash]) -> None:
    """Tolerate clashes of a method that depend on attributes to which a method traced after it gives other values."""
    made = instances[t.functions[key].owner or 0]
    assert isinstance(made, Ref)
    undo_uncertain_changes(t, made)
    found = _failing(t, key, instances)
    for at, clash in enumerate(t.clashes):
        if any(clash is each for each in clashes) and _where(clash) not in found:
            t.clashes[at] = replace(clash, tolerated=True)


def _run_entry_point(
    t: Tracer, fuel: int, filename: str, run: Callable[[], object], *, is_standalone: bool = False
) -> None:
    """Trace one entry point.

    An exhausted budget or an internal error ends only this entry point. A standalone one has free parameters.
    """
    t.budget.renew(fuel)
    t.path, t.call_stack, t.stage, t.tolerance = PathState(), CallStack(), EAGER, 0
    t.component(TruncatedSlices).symbols.clear()
    t.step = t.place = None
    t.heap.delete(AMBIENT)
    t.is_standalone, t.is_closed = is_standalone, False
    before = t.heap.get(SETTING)
    try:
        run()
    except OutOfFuel:
        t.budget.exhausted += 1
    except RecursionError:
        t.budget.exhausted += 1
    except PathEnds:
        pass
    except Exception as error:
        t.internal_error(f"tracing {filename}", error)
    if t.is_standalone and before is not None:
        t.heap.set(SETTING, before)
    elif t.is_standalone:
        t.heap.delete(SETTING)
    if t.is_standalone:
        hand_over_grown(t)
    t.heap.forget()
    if t.at_rest is not None:
        t.at_rest()


def _set_target(t: Tracer, source: Source) -> None:
    """Trace for the versions that a file targets."""
    t.target = t.program.target_of(source)
    t.has_graphs |= t.target.deferred


def _run_script(t: Tracer, source: Source) -> None:
    """Execute a file as `__main__`."""
    path = Path(source.filename)
    _set_target(t, source)
    module = modules.load(t, path, path.stem)
    if isinstance(module, ModuleValue):
        t.program.main = module.address
        modules.ensure_executed(t, module.address)


def _is_entry(t: Tracer, definition: Definition, files: set[str]) -> bool:
    """Return whether a function is an entry point of its own."""
    node = definition.node
    return (
        isinstance(node, ir.FunctionDef)
        and not any(map(_replaces_names, node.decorators))
        and definition.frame.kind in ("module", "class")
        and not t.functions.is_traced(node)
        and definition.frame.source.filename in files
        and node.start >= definition.frame.source.begin
    )


def _replaces_names(decorator: ir.Expr) -> bool:
    """Return whether a decorator is `mock.patch`, under which names have other values than the program gives them."""
    while isinstance(decorator, ir.Call | ir.Attribute):
        if isinstance(decorator, ir.Attribute) and decorator.name == "patch":
            return True
        decorator = decorator.func if isinstance(decorator, ir.Call) else decorator.value
    return isinstance(decorator, ir.Name) and decorator.id == "patch"


def _trace_standalone(t: Tracer, key: int, instances: dict[int, Value], heir: Class | None = None) -> None:
    """Trace a function that no script has called; tolerate failures in branches that depend on its defaults."""
    begin, first = len(t.clashes), len(t.graph.steps)
    try:
        _trace_function(t, key, instances, heir=heir)
    finally:
        if is_test(t.functions[key]):
            suppose_runs(t, begin, first)
        certain = [at for at in range(begin, len(t.clashes)) if is_certain(t.clashes[at])]
        conditional = [at for at in certain if is_conditional(t, t.clashes[at])]
        if conditional:
            found = _failing(t, key, {}, Hidden.ALL)
            for at in conditional:
                clash = t.clashes[at]
                if _where(clash) not in found:
                    t.clashes[at] = replace(clash, tolerated=True)
        _confirm_without_batches(t, key, heir, [at for at in certain if t.clashes[at].assumed is Assumption.BATCHES])
        _suppose_defaults(t, key, heir, [at for at in certain if t.clashes[at].assumed is None])


def _confirm_without_batches(t: Tracer, key: int, heir: Class | None, supposed: list[int]) -> None:
    """Keep the assumption of batches only for clashes that depend on the rank of one. Where that rank is refused, it is
    the assumption that is wrong."""
    if not supposed:
        return
    t.component(AssumedBatches).are_allowed = False
    try:
        found = _failing(t, key, {}, heir=heir)
    finally:
        t.component(AssumedBatches).are_allowed = True
    for at in supposed:
        clash = t.clashes[at]
        if _where(clash) in found:
            t.clashes[at] = replace(clash, assumed=None)
        else:
            t.clashes[at] = replace(clash, tolerated=clash.kind in OF_RANKS)


def _suppose_defaults(t: Tracer, key: int, heir: Class | None, certain: list[int]) -> None:
    """Note which clashes only the defaults of a constructor decide: the program makes no such object there."""
    if not certain or not _has_informative_defaults(t, t.functions[key], heir):
        return
    found = _failing(t, key, {}, Hidden.OF_CONSTRUCTOR, heir)
    missed = {at for at in certain if _where(t.clashes[at]) not in found}
    decided = _failing(t, key, {}, Hidden.NONE, heir) if missed else set()
    for at in missed:
        if _where(t.clashes[at]) in decided:
            t.clashes[at] = replace(t.clashes[at], assumed=Assumption.DEFAULTS)


def _where(clash: Clash) -> tuple[Place, ClashKind]:
    """Return where an operation fails, and of which kind the fault is."""
    return clash.step.place, clash.kind


def _has_informative_defaults(t: Tracer, definition: Definition, heir: Class | None) -> bool:
    """Return whether a method that is no test is for objects whose constructor has a default that says something."""
    owner = definition.owner if heir is None else heir.address
    cls = None if owner is None or is_test(definition) else t.heap.get((owner, "__self__"))
    made = _constructor(t, cls) if isinstance(cls, Class) else None
    return made is not None and any(not _is_placeholder(t, value) for _, value in made.defaults)


def _constructor(t: Tracer, cls: Class) -> Function | None:
    """Return the method of the program that takes the arguments of a class; None if the program has none."""
    methods = (class_attribute(t, cls, name) for name in CONSTRUCTORS)
    return next((method for method in methods if isinstance(method, Function)), None)


def _failing(
    t: Tracer, key: int, instances: dict[int, Value], hidden: Hidden = Hidden.NONE, heir: Class | None = None
) -> set[tuple[Place, ClashKind]]:
    """Return where a function fails for other values of the attributes of its class, or of its parameters, too.

    Those values may depend on the arguments, and defaults are the values of some calls only.
    """
    kept, mark, steps, observed = t.clashes, t.heap.mark(), len(t.graph.steps), t.observed
    t.clashes, t.observed, t.tolerance = [], None, 0
    t.path, t.call_stack, t.stage = PathState(), CallStack(), EAGER
    t.budget.renew(FUNCTION_FUEL)
    try:
        _trace_function(t, key, instances, hidden, is_again=True, heir=heir)
    except (PathEnds, OutOfFuel, RecursionError):
        pass
    finally:
        found = {*map(_where, t.clashes)}
        t.clashes, t.observed = kept, observed
        t.heap.rollback(mark)
        t.graph.truncate(steps)
        t.component(Summaries).remove_steps(steps)
    return found


def _trace_function(
    t: Tracer,
    key: int,
    instances: dict[int, Value],
    hidden: Hidden = Hidden.NONE,
    *,
    is_again: bool = False,
    heir: Class | None = None,
) -> None:
    """Trace a function with free parameters, or a test for each of its cases, maybe in a class that inherits it."""
    definition = t.functions[key]
    node = definition.node
    assert isinstance(node, ir.FunctionDef)
    place = Place(definition.frame.source, node.name_start, node.name_start + len(node.name))
    t.place = place
    defaults = {p.name: t.evaluate(p.default, definition.frame) for p in node.params if p.default is not None}
    if not is_test(definition):
        given = _free_arguments(t, definition, defaults, Case(), instances, hidden, heir)
        if is_again or not t.functions.is_traced(node):  # otherwise it ran when the receiver was made
            _trace_with(t, key, defaults, given)
        return
    with tolerate_occasional_clashes(t, Lost("cases of a test")) as starts:
        for case in cases(t, definition, heir):
            starts.append(len(t.clashes))
            try:
                given = _free_arguments(t, definition, defaults, case, instances, hidden, heir)
                _trace_with(t, key, defaults, given)
            except PathEnds:
                t.path, t.call_stack, t.stage = PathState(), CallStack(), EAGER


def _free_arguments(
    t: Tracer,
    definition: Definition,
    defaults: Mapping[str, Value],
    case: Case,
    instances: dict[int, Value],
    hidden: Hidden,
    heir: Class | None,
) -> Arguments:
    """Return arguments for a function: those of a case of a test, of fixtures, and free ones for the others."""
    node = definition.node
    assert isinstance(node, ir.FunctionDef) and t.place is not None
    args: list[Value] = []
    keywords: dict[str, Value] = {}
    is_decorated = any(isinstance(decorator, ir.Call) for decorator in node.decorators)
    hides = Hidden.NONE if hidden is Hidden.OF_CONSTRUCTOR and node.name not in CONSTRUCTORS else hidden
    hides = Hidden.ALL if is_decorated else hides
    is_method = definition.owner is not None and (definition.kind != "static" or node.name == "__new__")
    t.is_closed = is_test(definition)
    for position, param in enumerate(node.params):
        if position == 0 and is_method:
            args.append(_receiver(t, definition, instances, t.place, hidden, heir))
            if is_test(definition):
                set_up(t, definition, args[0], t.place)
                use_automatic_fixtures(t, definition, args[0], case)
        elif param.kind in ("plain", "positional", "keyword"):
            known = None if param.name not in case.values else allocated(t, case.values[param.name])
            if known is None and is_test(definition):
                known = fixture(t, definition, param.name, args[0] if is_method else None, case)
            t.is_closed &= known is not None
            value = known or _free_parameter(t, param, defaults.get(param.name), hides)
            if param.kind == "keyword":
                keywords[param.name] = value
            else:
                args.append(value)
    if len(args) + len(keywords) > (definition.owner is not None):
        t.heap.set(AMBIENT, Lost("state set by the caller"))
    complete = not any(param.kind in ("*", "**") for param in node.params)
    t.is_closed &= complete
    return Arguments(t.place, args, keywords, complete)


def _trace_with(t: Tracer, key: int, defaults: Mapping[str, Value], given: Arguments) -> None:
    """Trace a function with arguments that no script has given it."""
    definition = t.functions[key]
    name = definition.node.name if isinstance(definition.node, ir.FunctionDef) else ""
    bound = t.heap.get((definition.frame.address, name))
    graph = bound.graph if isinstance(bound, Function) and bound.key == key else 0
    function = Function(key, definition.frame.address, name, tuple(defaults.items()), graph)
    if traced_stage(t, function) is not None:
        given = _without_options(t, definition, defaults, given)
    t.tolerance += t.component(UnreachedMethods).is_unreached(definition)
    with havoc_reassigned_variables(t, key):
        call_function(t, function, given)
    t.call_stack.frames = []


def _without_options(t: Tracer, definition: Definition, defaults: Mapping[str, Value], given: Arguments) -> Arguments:
    """Return arguments without those that have a default: a call may leave them out, and they are not traced then."""
    node = definition.node
    assert isinstance(node, ir.FunctionDef)
    listed = [param for param in node.params if param.kind in ("plain", "positional")]
    kept = next((at for at, param in enumerate(listed) if param.name in defaults), len(listed))
    later = dict(zip((param.name for param in listed[kept:]), given.args[kept:], strict=False))
    keywords = {**later, **given.keywords}
    free = {name: value for name, value in keywords.items() if _is_free(t, defaults.get(name))}
    return replace(given, args=given.args[:kept], keywords=free)


def _is_free(t: Tracer, default: Value | None) -> bool:
    return default is None or _is_placeholder(t, default)


def _receiver(
    t: Tracer,
    definition: Definition,
    instances: dict[int, Value],
    place: Place,
    hidden: Hidden,
    heir: Class | None,
) -> Value:
    """Return the first argument of a method: one free instance per class for `self`, or the class for `cls`."""
    owner = definition.owner if heir is None else heir.address
    assert owner is not None
    cls = t.heap.get((owner, "__self__"))
    if not isinstance(cls, Class):
        return Lost("instance of a lost class")
    if definition.kind in ("class", "static"):
        return cls
    found = instances.get(owner)
    if found is None:
        hides = hidden is Hidden.ALL or is_only_derived_from(t, cls)
        unmade = instances[owner] = new_instance(t, cls)  # what is left of one whose constructor fails,
        hide_class_attributes(t, unmade, cls)  # so that the values of its class are not those that a program uses
        guards = t.path.guards
        found = instances[owner] = _made(t, cls, place, Hidden.ALL if hides else hidden)
        t.component(Feasibility).of_instances[owner] = {
            condition: side for condition, side in t.path.guards.items() if condition not in guards
        }
        if hides and isinstance(found, Ref):
            hide_class_attributes(t, found, cls)
        if isinstance(found, Ref):
            forget_constructor(t, found)
            forget_items(t, found)
            havoc_placeholders(t, found, cls)
    elif isinstance(found, Ref):
        t.path = PathState(t.path.facts, {**t.path.guards, **t.component(Feasibility).of_instances.get(owner, {})})
        havoc_reassigned_attributes(t, found)
    for address in (owner, found.address if isinstance(found, Ref) else owner):
        havoc_uninitialized(t, address)
    return found


def _made(t: Tracer, cls: Class, place: Place, hidden: Hidden) -> Value:
    """Return an instance of a class that is made with free arguments; if its constructor refuses its own defaults, such
    as a mode without a name, with others."""
    try:
        return _instance(t, cls, place, hidden)
    except PathEnds:
        if hidden is Hidden.ALL:
            raise
        t.path, t.call_stack, t.stage = PathState(), CallStack(), EAGER
        return _instance(t, cls, place, Hidden.ALL)


def _instance(t: Tracer, cls: Class, place: Place, hidden: Hidden) -> Value:
    """Return a new instance of a class, made with free arguments."""
    init = _constructor(t, cls)
    args: list[Value] = []
    keywords: dict[str, Value] = {}
    complete = True
    if init is not None:
        defaults = dict(init.defaults)
        for param in t.functions[init.key].node.params[1:]:
            if param.kind in ("plain", "positional"):
                args.append(_free_parameter(t, param, defaults.get(param.name), hidden))
            elif param.kind == "keyword":
                keywords[param.name] = _free_parameter(t, param, defaults.get(param.name), hidden)
            complete = complete and param.kind not in ("*", "**")
    return instantiate(t, cls, Arguments(place, args, keywords, complete))


def _free_parameter(t: Tracer, param: ir.Param, default: Value | None, hidden: Hidden = Hidden.NONE) -> Value:
    """Return the value of a free parameter: its default if that is informative, a value by its annotation, or unknown.

    Where all defaults are `hidden`, another value may be passed, as decorators do to test cases.
    """
    annotation = param.annotation
    name = annotation.id if isinstance(annotation, ir.Name) else ""
    if isinstance(default, Const) and isinstance(default.value, bool):
        return Scalar("bool")
    if default == Const(-1) and hidden is Hidden.NONE:
        return Lost(MINUS_ONE)
    if hidden is Hidden.OF_CONSTRUCTOR and isinstance(default, Const) and isinstance(default.value, int):
        return Int(fresh(param.name, Kind.FREE, low=min(default.value, 1)))
    if default is not None and hidden is Hidden.NONE and not _is_placeholder(t, default):
        if isinstance(default, Ref) and default.cls == "user":
            havoc_uninitialized(t, default.address)
        return default
    if name == "int" and default is None:
        return Int(fresh(param.name, Kind.FREE, why=ANNOTATED, low=None))
    if name in ANNOTATIONS and default is None:
        return ANNOTATIONS[name]()
    return Lost(f"{PARAMETER} {param.name}")


def _is_placeholder(t: Tracer, default: Value) -> bool:
    """Return whether a default is only a placeholder for an argument."""
    return default in (Const(None), Seq("tuple", ())) or is_empty_vector(default) or is_uninitialized(t, default)
