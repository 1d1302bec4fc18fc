"""Annotated functions: arguments and results are checked, and unknown ones get the shapes that are declared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.steps import ANNOTATED_SIZE, ANNOTATION, DECLARED_BY
from shapecheck.dataflow.paths.constraints import notice, require
from shapecheck.dataflow.state.frame import Definition, Frame
from shapecheck.dataflow.words.notation import CHECKED_SHAPE, Spec, Specs, specs
from shapecheck.dataflow.words.reading import meaning
from shapecheck.domain.values import TRUE, Const, Library, Lost, Partial, Seq, Tensor, Value, as_str
from shapecheck.models.lang.settings import CHECKED, NAMED, SHAPES
from shapecheck.models.lang.written_shapes import Bindings, declared_shape, demands
from shapecheck.shapes import solve
from shapecheck.shapes.claims import Claim
from shapecheck.shapes.dtype import canonical, kind
from shapecheck.shapes.facts import FALSE, Verdict, claim_symbols
from shapecheck.shapes.size import Kind, fresh
from shapecheck.source import Place

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

_TUPLES = (Library("builtins.tuple"), Library("typing.Tuple"))


@dataclass(frozen=True, slots=True)
class _Running:
    """A function that runs: its definition, the sizes of its names, whether its annotations are checked then, what a
    decorator states of its parameters and its result, by name, and the guards of the path on which it began."""

    definition: Definition
    bound: Bindings
    is_enforced: bool
    stated: Mapping[str, Value] = field(default_factory=dict)
    guards: Mapping[Value, bool] = field(default_factory=dict)

    def aside(self) -> _Running:
        """Return the same, whose names may be bound without effect on other paths."""
        return replace(self, bound=self.bound.copy())


@dataclass(slots=True)
class Declarations:
    """The annotations of functions by their nodes, as far as they were read, and the functions that run, by frame."""

    read: dict[int, Value] = field(default_factory=dict)
    running: dict[int, _Running] = field(default_factory=dict)

    def meaning(self, t: Tracer, node: ir.Expr, frame: Frame) -> Value:
        """Return the meaning of an annotation, which is read once."""
        found = self.read.get(id(node))
        if found is None:
            found = self.read[id(node)] = meaning(t, node, frame)
        return found


def _stated(t: Tracer, key: int) -> dict[str, Value]:
    """Return what the decorator `check_shapes` says of the parameters of a function, and of its result."""
    texts = t.heap.get((-1 - key, SHAPES))
    found: dict[str, Value] = {}
    for text in texts.items if isinstance(texts, Seq) else ():
        name, _, shape = (as_str(text) or "").partition(":")
        found[name.strip()] = Partial(Library(CHECKED_SHAPE), (Const(shape.strip()),))
    return found


def may_describe(node: ir.Expr | None) -> bool:
    """Return whether an annotation may describe an array."""
    match node:
        case ir.Name(id=text) | ir.Const(value=str(text)):
            return not text.islower()  # `int`, `str`; an alias of a type has a capital
    return node is not None and not isinstance(node, ir.Const)


def enter(t: Tracer, key: int, frame: Frame, place: Place) -> None:
    """Check the arguments of a function that begins, and give unknown ones the declared shapes."""
    definition = t.functions[key]
    node = definition.node
    if isinstance(node, ir.Lambda):
        return
    stated = _stated(t, key)
    annotated = [param for param in node.params if param.kind[0] != "*" and may_describe(param.annotation)]
    if not annotated and not stated and not may_describe(node.returns):
        return
    declarations = t.component(Declarations)
    is_enforced = all(t.heap.get((-1 - key, mark)) is not None for mark in (CHECKED, NAMED))
    running = _Running(definition, Bindings(), is_enforced, stated, t.path.guards)
    declarations.running[frame.address] = running
    for name, said in stated.items():
        value = t.heap.get((frame.address, name))
        if value is not None:
            _check(t, value, said, name, replace(running, is_enforced=True), place)
    unknown: list[tuple[ir.Param, Value]] = []
    for param in annotated:
        assert param.annotation is not None
        said = declarations.meaning(t, param.annotation, definition.frame)
        value = t.heap.get((frame.address, param.name))
        if value is None:
            continue
        if isinstance(value, Lost):
            unknown.append((param, said))
        else:
            _check(t, value, said, f"{param.name}", running, place)
    for param, said in unknown:
        made = _declared(t, said, running, param.annotation, definition.frame)
        if made is not None:
            t.heap.set((frame.address, param.name), made)


def leave(t: Tracer, frame: Frame, value: Value, place: Place) -> Value:
    """Check what a function returns; return that, or what is declared where it is unknown."""
    running = t.component(Declarations).running.get(frame.address)
    if running is None:
        return value
    node, running = running.definition.node, running.aside()
    if "return" in running.stated:
        _check(t, value, running.stated["return"], "the result", replace(running, is_enforced=True), place)
    if isinstance(node, ir.Lambda) or node.returns is None or node.is_generator or node.is_async:
        return value
    if not may_describe(node.returns):
        return value
    said = t.component(Declarations).meaning(t, node.returns, running.definition.frame)
    if isinstance(value, Lost):
        return _declared(t, said, running, node.returns, running.definition.frame) or value
    _check(t, value, said, "the result", running, place)
    return value


def assigned(t: Tracer, node: ir.Annotated, value: Value, frame: Frame) -> Value:
    """Check what is assigned to an annotated name; return that, or what is declared where it is unknown."""
    if not may_describe(node.annotation) or frame.kind == "class":
        return value
    declarations = t.component(Declarations)
    said = declarations.meaning(t, node.annotation, frame)
    running = declarations.running.get(frame.address)
    if running is None:
        nameless = Definition(ir.Lambda(0, 0, (), ir.Const(0, 0, None)), frame)
        running = _Running(nameless, Bindings(), False, guards=t.path.guards)
        declarations.running[frame.address] = running
    if t.path.guards != running.guards:
        running = running.aside()
    if isinstance(value, Lost):
        return _declared(t, said, running, node.annotation, frame) or value
    name = node.target.id if isinstance(node.target, ir.Name) else "the value"
    assert node.value is not None
    place = Place(frame.source, node.value.start, node.value.end)
    _check(t, value, said, name, replace(running, is_enforced=False), place)
    return value


def declared_result(t: Tracer, key: int) -> Value | None:
    """Return what the annotations say of the result of a function that is not followed; None if they do not."""
    definition = t.functions[key]
    node = definition.node
    if isinstance(node, ir.Lambda) or node.is_generator or node.is_async or not may_describe(node.returns):
        return None
    assert node.returns is not None
    said = t.component(Declarations).meaning(t, node.returns, definition.frame)
    return _declared(t, said, _Running(definition, Bindings(), False), node.returns, definition.frame)


# --- checking --------------------------------------------------------------------------------------------------------


def _check(t: Tracer, value: Value, said: Value, name: str, running: _Running, place: Place) -> None:
    """Check a value beside the meaning of its annotation."""
    for part, meant, label in _pairs(value, said, name):
        found = specs(t, meant)
        if found:
            _check_tensor(t, part, found, label, running, place)


def _pairs(value: Value, said: Value, name: str) -> Iterator[tuple[Tensor, Value, str]]:
    """Yield the arrays in a value, each with its annotation and its name."""
    match value, said:
        case Tensor(), _:
            yield value, said, name
        case Seq(items=items), Partial(function=function, args=args) if function in _TUPLES and len(items) == len(args):
            for at, (item, inner) in enumerate(zip(items, args, strict=True)):
                yield from _pairs(item, inner, f"{name}[{at}]")


def _check_tensor(t: Tracer, tensor: Tensor, found: Specs, name: str, running: _Running, place: Place) -> None:
    """Check an array beside its alternatives, and bind the names of the first one that it may meet."""
    faults: list[tuple[Claim, str]] = []
    for spec in found:
        bound = running.bound.copy()
        fault = _fault(t, tensor, spec, name, bound, learns=running.is_enforced and len(found) == 1)
        if fault is None:
            running.bound.sizes, running.bound.many = bound.sizes, bound.many
            return
        faults.append(fault)
    claim, said = faults[0]
    definition = running.definition
    declared_by = Const(f"{definition.frame.source.filename}:{definition.node.start}")
    step = t.add_step("op", ANNOTATION, [tensor], {DECLARED_BY: declared_by}, place)
    with t.during(step):
        if running.is_enforced:
            require(t, ClashKind.ANNOTATION, claim, said, tensor)
        else:
            notice(t, ClashKind.ANNOTATION, said, tensor)


def _fault(
    t: Tracer, tensor: Tensor, spec: Spec, name: str, bound: Bindings, *, learns: bool
) -> tuple[Claim, str] | None:
    """Return what cannot hold of an array, and what is said of it; None if it may be as it is declared."""
    dtype = canonical(tensor.dtype) if tensor.dtype is not None else None
    if spec.kinds and dtype is not None and kind(dtype) not in spec.kinds:
        return FALSE, f"{name} is {dtype}, its annotation says {' or '.join(sorted(spec.kinds))}"
    for demand in demands(spec.axes, tensor.shape.map(t.path.facts.resolve), spec.text, name, bound):
        verdict = solve.refute(t.path.facts, demand.claim)
        if verdict is Verdict.NEVER or (verdict is Verdict.MAYBE and _is_arbitrary(t, demand.claim)):
            return (demand.claim if verdict is Verdict.NEVER else FALSE), demand.said
        if verdict is Verdict.MAYBE and learns:
            t.learn(demand.claim)
    return None


def _is_arbitrary(t: Tracer, claim: Claim) -> bool:
    """Return whether a claim compares sizes that only annotations name, and need not hold for such sizes."""
    named = claim_symbols(claim)
    is_open = bool(named) and all(symbol.why == ANNOTATED_SIZE for symbol in named)
    return is_open and solve.decide(t.path.facts, claim) is Verdict.MAYBE


# --- declaring -------------------------------------------------------------------------------------------------------


def _declared(t: Tracer, said: Value, running: _Running, node: ir.Expr | None, frame: Frame) -> Value | None:
    """Return a value as its annotation describes it; None if that describes none, or several."""
    assert node is not None
    place = Place(frame.source, node.start, node.end)
    if isinstance(said, Partial) and said.function in _TUPLES:
        inside: Callable[[Value], Value | None] = lambda part: _declared(t, part, running, node, frame)  # noqa: E731
        items = [inside(part) for part in said.args]
        return None if None in items or not items else Seq("tuple", tuple(item for item in items if item is not None))
    found = specs(t, said)
    admits_more = isinstance(said, Partial) and said.function in (Library("typing.Union"), Library("typing.Optional"))
    if found is None or len(found) != 1 or admits_more:
        return None
    spec = found[0]
    if spec.library not in ("np", "tf"):
        return None
    step = t.add_step("input", ANNOTATION, (), {"enforced": TRUE} if running.is_enforced else {}, place)
    t.graph.has_annotations |= not running.is_enforced
    shape = declared_shape(
        spec.axes, running.bound, lambda name: fresh(name or "n", Kind.FREE, origin=place, why=ANNOTATED_SIZE)
    )
    tensor = Tensor(shape, spec.dtype or None, "np" if spec.library == "np" else "tf", step.id)
    step.result = tensor
    return tensor
