"""What causes a finding: the same constraint on the same value or object has one cause wherever it fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.steps import DECLARED_BY, Graph, Step
from shapecheck.domain.values import Failed, Ref, Tensor, walk
from shapecheck.rules.call import Call
from shapecheck.shapes.claims import claim_sizes
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.text import show, show_size
from shapecheck.source import Place

_OF_LOSSES = (ClashKind.TARGETS_STRETCHED, ClashKind.CROSS_ENTROPY)
_DEEPEST = 12  # steps back to what a value is computed from element by element


def causes(call: Call) -> tuple[str, ...]:
    """Return a key for each value and object that the clash may be due to, none for what is no fault."""
    if call.clash.kind is ClashKind.REVEALED:
        return ()
    demand = _demand(call)
    shared = dict.fromkeys((*_values(call), *_objects(call)))
    keys = (f"{call.clash.kind.value} {demand} {each}" for each in shared)
    return (f"{call.step.name} {_at(call.step.place)}", *keys)


def result_of(step: Step) -> str:
    """Return the key of what follows from the failure of a step."""
    return f"result {_at(step.place)}"


def failures_before(step: Step, failing: Mapping[int, str], graph: Graph) -> Iterator[str]:
    """Yield the keys of the failing steps on whose results a step depends."""
    results = {graph[number].result: number for number in failing if isinstance(graph[number].result, Failed)}
    seen, todo = {step.id}, [step]
    while todo:
        now = todo.pop()
        values = (part for value in (*now.args, *(value for _, value in now.keywords)) for part in walk(value))
        before = {*now.sources, *(results[value] for value in values if isinstance(value, Failed) and value in results)}
        yield from (failing[number] for number in sorted(before - seen) if number in failing)
        todo += [graph[number] for number in before - seen]
        seen |= before


def _demand(call: Call) -> str:
    """Return the sizes that do not agree, whichever comes first; an index is wrong because of what it is used on.

    Where there are no sizes, as for a rank, the words tell what is demanded.
    """
    clash = call.clash
    if clash.kind in _OF_LOSSES:  # batches of any number of samples have the same fault
        return " ".join(show(Shape(argument.shape.head[1:], argument.shape.tail)) for argument in call.arguments)
    if clash.kind is ClashKind.ROWS_SHUFFLED:
        return ""
    if clash.claim is None:
        return " ".join(show(argument.shape) for argument in call.arguments)
    if clash.kind in (ClashKind.INDEX_RANGE, ClashKind.COLUMN):
        return ""
    sizes = {show_size(call.facts.resolve(size)) for size in claim_sizes(clash.claim)}
    return " ".join(sorted(sizes)) if sizes else clash.message


def _values(call: Call) -> Iterator[str]:
    """Yield the places where the operands were made, and where that was made which they have their elements from."""
    for argument in call.arguments:
        tensor: Tensor | None = argument.tensor
        for _ in range(_DEEPEST):
            step = None if tensor is None else call.maker(tensor)
            if step is None:
                break
            if not _lies_in(step.place, call.step.place):
                yield _at(step.place)
            tensor = _same_elements(step)


def _same_elements(step: Step) -> Tensor | None:
    """Return the operand that a result has its shape from, as it is or transposed."""
    operands = [operand for _, operand in step.operands() if operand.step]
    if len(operands) != 1 or not isinstance(step.result, Tensor):
        return None
    sizes = [sorted(map(str, tensor.shape.head)) for tensor in (operands[0], step.result)]
    return operands[0] if sizes[0] == sizes[1] and operands[0].shape.tail is None else None


def _objects(call: Call) -> Iterator[str]:
    """Yield the object of the library that is called, such as a layer or a fitted estimator, and the function whose
    annotation does not fit."""
    yield from (f"annotation {value}" for name, value in call.step.keywords if name == DECLARED_BY)
    for value in call.step.args[:1]:
        if isinstance(value, Ref):
            yield f"{value.cls} {value.address}"


def _lies_in(inner: Place, outer: Place) -> bool:
    return inner.filename == outer.filename and outer.start <= inner.start and inner.end <= outer.end


def _at(place: Place) -> str:
    return f"{place.filename}:{place.start}-{place.end}"
