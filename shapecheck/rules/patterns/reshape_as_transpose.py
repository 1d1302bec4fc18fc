"""A reshape to the sizes of a transposition, which moves no axis."""

from __future__ import annotations

import itertools
import re
from collections.abc import Container

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.steps import Step
from shapecheck.domain.values import Tensor
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule
from shapecheck.shapes.facts import Divides

_AXIS = r"(?!\d)[\w.]+(?:\[-?\d+\])?"
_AXES = re.compile(rf"[(\[]?{_AXIS}(?: *\* *{_AXIS})+, *{_AXIS}[)\]]?")
_ASSIGNED = re.compile(r"([^\W\d]\w*) *= *")
_PADDING = ("pad", "cat", "concat", "concat_parts", "concatenate", "ZeroPadding1D", "ZeroPadding2D")


_COPIES = ("repeat", "repeat_interleave", "repeat_elements")
_PRODUCTS = ("matmul", "einsum", "@")
_TRANSPOSITIONS = ("transpose", "T", "Permute")
_SLICES = ("slice", "strided_slice", "narrow")
_RESHAPES = ("reshape", "Reshape")


@rule("SHP210", Severity.WARNING, on={ClashKind.AXES_REORDERED, ClashKind.HEADS_MERGED, ClashKind.AXES_GATHERED})
def reshape_as_transpose(call: Call) -> Words | None:
    """A tensor that was just padded is skewed on purpose: each row is shifted by one more than the row above it. Rows
    that were repeated may be joined. A tensor that was tiled along its last axis is cut into the copies of its rows;
    one that was tiled along another, and transposed, repeats each element.

    A product with a reshaped tensor has the axes that were merged there. Where a part is cut off between two reshapes,
    rows are shifted, as relative positions are.

    Heads that might be pieces of the axis after them count only if they come from a product of matrices.
    """
    if (call.clash.kind == ClashKind.AXES_GATHERED and not _names_all_axes(call)) or call.is_tried:
        return None
    given = next((argument.tensor for argument in call.arguments), None)
    maker = None if given is None else call.maker(given)
    made_by = "" if maker is None else _op(maker)
    is_meant = (
        made_by not in _PRODUCTS if call.clash.kind == ClashKind.HEADS_MERGED else made_by in (*_PADDING, *_COPIES)
    )
    is_meant = is_meant or (maker is not None and made_by == "tile" and _cuts_copies(call, maker))
    is_meant = is_meant or (maker is not None and made_by in _TRANSPOSITIONS and _gathers_copies(call, maker))
    is_meant = is_meant or (maker is not None and made_by in (*_PRODUCTS, "dot") and _has_merged_axes(call, maker))
    is_meant = is_meant or _is_shifted(call, maker) or _is_only_shown(call)
    return call.says("") if call.is_everywhere and not is_meant else None


def _is_only_shown(call: Call) -> bool:
    """Return whether a lesson shows what the reshape gives: it is a statement of its own, or a variable of the script
    that is only printed.
    """
    place = call.step.place
    before = place.source.text[: place.start].rpartition("\n")[2]
    after, _, rest = place.source.text[place.end :].partition("\n")
    if after.partition("#")[0].strip():
        return False
    name = _ASSIGNED.fullmatch(before)
    return not before.strip() or (name is not None and _is_only_printed(name[1], rest))


def _is_only_printed(name: str, rest: str) -> bool:
    """Return whether the lines that name a variable, up to the next assignment to it, print something."""
    word = re.compile(rf"(?<![\w.]){name}\b")
    using = [line for line in rest.split("\n") if word.search(line.partition("#")[0])]
    ends = re.compile(rf"{name} *=(?!=)(?!.*\b{name}\b)")
    using = list(itertools.takewhile(lambda line: not ends.match(line), using))
    return bool(using) and all(line.startswith("print") for line in using)


def _op(step: Step) -> str:
    return step.name.rpartition(".")[2]


def _is_shifted(call: Call, maker: Step | None) -> bool:
    """Return whether a part is cut off between this reshape and one before or after it."""
    before = None if maker is None or not _is_slice(maker) else next((one for _, one in maker.operands()), None)
    reshaped = None if before is None else call.maker(before)
    if reshaped is not None and _op(reshaped) in _RESHAPES:
        return True
    later = call.graph.steps[call.step.id :]
    cuts = {step.id for step in later if _is_slice(step) and _takes(step, {call.step.id})}
    return any(_op(step) in _RESHAPES and _takes(step, cuts) for step in later)


def _is_slice(step: Step) -> bool:
    return _op(step).endswith("[]") or _op(step) in _SLICES


def _takes(step: Step, makers: Container[int]) -> bool:
    """Return whether a step has a result of one of these."""
    return any(tensor.step in makers for _, tensor in step.operands())


def _has_merged_axes(call: Call, product: Step) -> bool:
    """Return whether a factor was reshaped."""
    makers = (call.maker(factor) for _, factor in product.operands())
    return any(step is not None and _op(step) in _RESHAPES for step in makers)


def _cuts_copies(call: Call, tiled: Step) -> bool:
    """Return whether the pieces have the size of the tiled rows, so that each row is repeated."""
    result, row = call.step.result, next((tensor for _, tensor in tiled.operands()), None)
    if not isinstance(result, Tensor) or row is None:
        return False
    return bool(row.shape.rank and result.shape.rank) and call.shape(row).sizes[-1] == call.shape(result).sizes[-1]


def _gathers_copies(call: Call, transposed: Step) -> bool:
    """Return whether the last axis has the copies of tiled elements, and all copies of an element stay together."""
    given, result = transposed.result, call.step.result
    source = next((tensor for _, tensor in transposed.operands()), None)
    tiled = None if source is None else call.maker(source)
    before = next((tensor for _, tensor in tiled.operands()), None) if tiled and _op(tiled) == "tile" else None
    if before is None or not (isinstance(given, Tensor) and isinstance(result, Tensor)):
        return False
    single = call.shape(before).sizes
    if not (given.shape.rank and result.shape.rank) or not single or single[0] != 1:
        return False
    copies, together = call.shape(given).sizes[-1], call.shape(result).sizes[-1]
    return call.surely(Divides(copies, together))


def _names_all_axes(call: Call) -> bool:
    """Return whether the shape is written as the product of all axes but one, and that one: `(n * h * w, c)`."""
    given = call.arguments[0].rank if call.arguments else None
    texts = call.written.arguments[-2:]
    together = texts[-1] if texts and texts[-1][:1] in ("(", "[") else ", ".join(texts)
    return given is not None and bool(_AXES.fullmatch(together)) and together.count("*") == given - 2
