"""An append, insert or delete without an axis, which flattens the array."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Tensor, Value
from shapecheck.findings import Frame, Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rewriting import with_argument
from shapecheck.rules.rule import rule


@rule("SHP212", Severity.WARNING, on={ClashKind.APPEND_FLATTENED})
def append_flattens(call: Call) -> Words | None:
    """An array that grows in a loop is a vector after the first iteration, so the first visit from each caller
    counts."""
    if _reshaped(call) or _is_shown(call):
        return None
    first: dict[tuple[Frame, ...], Value] = {}
    for step in call.graph.steps:
        if step.place == call.step.place and step.name == call.step.name and step.args:
            first.setdefault(step.frames, step.args[0])
    if any(not isinstance(array, Tensor) or array.shape.min_rank < 2 for array in first.values()):
        return None
    if call.name.endswith(".append") and not _grows(call):
        return None
    fix = None if call.name.endswith(".insert") else with_argument(call, ("axis",), 2, "0")
    return call.says("axis=0 keeps the rows", fix=fix)


def _reshaped(call: Call) -> bool:
    """Return whether a reshape gives rows back to the vector, or to a vector made of it: `np.append(table,
    row)[1:]`."""
    flat = {call.step.id}
    for step in call.graph.steps[call.step.id :]:
        if all(arg.step not in flat for _, arg in step.operands()):
            continue
        if step.name.endswith("reshape"):
            return True
        if isinstance(step.result, Tensor) and step.result.shape.rank == 1:
            flat.add(step.id)
    return False


def _is_shown(call: Call) -> bool:
    """Return whether the result is kept under no name, and the same call with an axis stands beside it, as in a
    lesson."""
    mine = call.step
    others = (step for step in call.graph.steps if step.name == mine.name and step.args[:2] == mine.args[:2])
    return "=" not in _before(call) and any("axis" in dict(other.keywords) for other in others)


def _grows(call: Call) -> bool:
    """Return whether the result replaces the table: `table = np.append(table, row)`."""
    return bool(call.sources) and _before(call).partition("=")[0].strip() == call.sources[0][0]


def _before(call: Call) -> str:
    """Return the text of the line before the call."""
    place = call.step.place
    return place.source.text[: place.start].rpartition("\n")[2]
