"""Re-executing part of the dataflow graph with other values fed in: a session's run, a functional model's call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.alternatives import varies
from shapecheck.dataflow.frame import Frame, PathEnds
from shapecheck.dataflow.graph import Step
from shapecheck.dataflow.traces import inside
from shapecheck.findings import Frame as CallFrame
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size, Symbol, substitute
from shapecheck.values import (
    Choice,
    Code,
    Dict,
    Int,
    Lost,
    Many,
    Range,
    Ref,
    Seq,
    SliceValue,
    Tensor,
    Value,
    of_size,
    walk,
)

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

MAX_STEPS = 4000


class Replay:
    """One re-execution: which tensors were replaced, and by what; which symbols the feeds give a value."""

    def __init__(self, feeds: Mapping[Value, Value], objects_here: bool) -> None:
        self.objects_here = objects_here
        self.tensors: dict[tuple[int, int], Value] = {}
        self.symbols: dict[Symbol, Size] = {}
        self.dead: set[int] = set()  # steps that fail on the path that they are on
        for old, new in feeds.items():
            if isinstance(old, Tensor) and old.step:
                self.tensors[(old.step, old.output)] = new
                if isinstance(new, Tensor):
                    self._learn(old.shape, new.shape)

    def _learn(self, old: Shape, new: Shape) -> None:
        if not (old.is_ranked and new.is_ranked and old.rank == new.rank):
            return
        for before, after in zip(old.sizes, new.sizes, strict=True):
            if not isinstance(before, int) and before != after:
                symbols = before.symbols()
                if len(symbols) == 1 and str(before) == next(iter(symbols)).name:
                    self.symbols.setdefault(next(iter(symbols)), after)

    def touches(self, step: Step) -> bool:
        """Whether a step reads anything that was replaced."""
        return any((tensor.step, tensor.output) in self.tensors for _, tensor in step.operands())

    def alive(self, step: Step) -> Sequence[Value]:
        """The arguments of a step; of one that joins paths, those of paths that were not found to fail."""
        living = [arg for arg in step.args if not (isinstance(arg, Tensor) and arg.step in self.dead)]
        if step.kind == "phi" and living:
            return living
        if len(living) < len(step.args):
            self.dead.add(step.id)
        return step.args

    def value(self, value: Value) -> Value:
        """The value with replaced tensors and fed symbols in place."""
        match value:
            case Tensor():
                new = self.tensors.get((value.step, value.output))
                if new is not None:
                    return new
                return value
            case Int(size=size):
                return of_size(substitute(size, self.symbols)) if self.symbols else value
            case Seq(kind=kind, items=items):
                return Seq(kind, tuple(map(self.value, items)))
            case Many(kind=kind, element=element, length=length):
                return Many(kind, self.value(element), substitute(length, self.symbols))
            case Dict(items=pairs, rest=rest):
                return Dict(tuple((k, self.value(v)) for k, v in pairs), rest)
            case SliceValue(lower=a, upper=b, step=c):
                return SliceValue(self.value(a), self.value(b), self.value(c))
            case Range(start=start, stop=stop, step=step):
                return Range(*(substitute(size, self.symbols) for size in (start, stop, step)))
        return value

    def as_traced(self, value: Value) -> Value:
        """What a step gave when it was made, with fed symbols in place."""
        match value:
            case Tensor(shape=shape, content=content):
                known = None if content is None else self.value(content)
                return replace(value, shape=shape.map(lambda size: substitute(size, self.symbols)), content=known)
            case Seq(kind=kind, items=items):
                return Seq(kind, tuple(map(self.as_traced, items)))
        return self.value(value)

    def record(self, old: Value | None, new: Value) -> None:
        """Remembers what the outputs of a re-executed step became."""
        if old is None:
            return
        before = [v for v in walk(old) if isinstance(v, Tensor)]
        after = [v for v in walk(new) if isinstance(v, Tensor)]
        for position, tensor in enumerate(before):
            if tensor.step:
                fresh = after[position] if len(after) == len(before) else Lost("replayed output")
                self.tensors[(tensor.step, tensor.output)] = fresh


def replay(
    t: Tracer, outputs: Sequence[Value], feeds: Mapping[Value, Value], objects_here: bool = False
) -> tuple[Value, ...]:
    """The outputs as they are with the feeds in place; constraints on the way are stated again, those of objects that
    were called at this call where `objects_here` says so.  What was made on different paths is made on those again."""
    frozen = [t.context.freeze(output) for output in outputs]
    if not any(map(varies, frozen)):
        return _replay(t, frozen, Replay(feeds, objects_here))
    made = t.context.freeze(
        t.spread(frozen, lambda values: Seq("tuple", _replay(t, values, Replay(feeds, objects_here))))
    )
    options = made.options if isinstance(made, Choice) else (((), made),)
    rows = [(guard, option.items) for guard, option in options if isinstance(option, Seq)]
    if len(rows) < len(options):
        return tuple(t.lost("replay on several paths") for _ in outputs)
    return tuple(t.join([(guard, items[at]) for guard, items in rows]) for at in range(len(outputs)))


def _replay(t: Tracer, frozen: Sequence[Value], run: Replay) -> tuple[Value, ...]:
    roots = [v.step for output in frozen for v in walk(output) if isinstance(v, Tensor) and v.step]
    steps = t.graph.ancestors(roots)
    if len(steps) > MAX_STEPS:
        t.budgets += 1
        return tuple(t.lost("replay of a very large graph") for _ in frozen)
    fed = {number for number, _ in run.tensors}
    facts, guards = t.facts, t.guards
    here = t.step, t.place
    if t.place is not None:
        t.calls.append(CallFrame(t.place, _runner(t)))
    try:
        for step in steps:
            if step.id not in fed and run.touches(step):
                run.record(step.result, t.context.freeze(_again(t, step, run)))
    finally:
        t.step, t.place = here
        t.facts, t.guards = facts, guards
        if t.place is not None:
            t.calls.pop()
    return tuple(run.value(output) for output in frozen)


def _runner(t: Tracer) -> str:
    return t.step.name if t.step is not None else "run"


def _again(t: Tracer, step: Step, run: Replay) -> Value:
    args = [run.value(arg) for arg in run.alive(step)]
    if step.kind in ("phi", "loop"):
        result = args[0]
        for other in args[1:]:
            result = t.generalise(result, other)
        return replace(result, step=0) if isinstance(result, Tensor) else result
    if step.model is None:
        return t.lost("step that cannot be replayed")
    if not t.consistent(tuple(step.guards.items())):
        return t.lost("step of another path")
    if step.result is not None and any(_reads_tensors(t, code) for code in _functions(step)):
        return run.as_traced(step.result)
    t.burn()
    keywords = {name: run.value(value) for name, value in step.keywords}
    before, guards = len(t.graph.steps), t.guards
    # What fails on one of several paths tells only that the program takes another.
    elsewhere = any(condition not in guards and condition not in t.settled for condition in step.guards)
    clashes = len(t.clashes)
    t.guards = {**guards, **step.guards}
    t.tolerance += elsewhere
    try:
        result = _run_where(t, step, run, args, keywords)
    except PathEnds:
        if not elsewhere:
            raise
        run.dead.add(step.id)
        result = t.lost("step of another path")
    finally:
        t.guards = guards
        t.tolerance -= elsewhere
        if elsewhere:
            del t.clashes[clashes:]
    for new in t.graph.steps[before:]:
        new.replayed = True
    return result


def _functions(step: Step) -> Iterator[Code]:
    """The functions of the program that a step is given."""
    for arg in (*step.args, *(value for _, value in step.keywords)):
        yield from (part for part in walk(arg) if isinstance(part, Code))


def _reads_tensors(t: Tracer, code: Code) -> bool:
    """Whether a function reads tensors of the scopes around it: a graph holds those that its names stood for when it
    was made, the scopes those of now."""
    definition = t.definitions[code.key]
    bound = definition.node.bound
    names = {node.id for node in inside(definition.node.body) if isinstance(node, ir.Name) and node.id not in bound}
    scope: Frame | None = definition.frame
    while scope is not None and names:
        for name in tuple(names):
            value = t.store.get((scope.address, name))
            if value is not None:
                names.discard(name)
                if any(isinstance(part, Tensor) and part.step for part in walk(value)):
                    return True
        scope = scope.parent
    return False


def _run_where(t: Tracer, step: Step, run: Replay, args: list[Value], keywords: dict[str, Value]) -> Value:
    """The step again, at its place; that of a called object at this call, which is all that a user sees of it."""
    assert step.model is not None
    is_object = step.name.endswith(".__call__") and isinstance(args[0] if args else None, Ref)
    if not run.objects_here or t.place is None or not is_object or _is_inside(step):
        return t.context.run(step.model, step.name, args, keywords, step.place)
    frame = t.calls.pop()
    try:
        return t.context.run(step.model, step.name, args, keywords, frame.place)
    finally:
        t.calls.append(frame)


def _is_inside(step: Step) -> bool:
    """Whether a step was made by the program's own `call`, which is gone through again."""
    return any(frame.function.rsplit(".", 1)[-1] in ("call", "<lambda>") for frame in step.frames)
