"""Penalties of gradients whose norms are not those of samples."""

from __future__ import annotations

import re

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.steps import Step
from shapecheck.domain.values import Tensor
from shapecheck.findings import Severity
from shapecheck.models.lang.gradient_norms import GRADIENT
from shapecheck.models.lang.traits import has
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule
from shapecheck.shapes.size import is_open

_REDUCTION = re.compile(r".*\b(reduce_)?(sum|norm|euclidean_norm)")
_DEEPEST = 12


@rule("SHP244", Severity.WARNING, on={ClashKind.GRADIENT_NORM})
def gradient_norm(call: Call) -> Words | None:
    """The gradient is that of one number for each sample: where there are several, each may have a norm of its own."""
    norm = next(each.tensor for each in call.arguments if each.tensor.nature == GRADIENT)
    found = _gradient_behind(call, norm) if call.is_everywhere and norm.shape.is_ranked else None
    if found is None:
        return None
    step, gradient = found
    target = next((operand for _, operand in step.operands()), None)
    advice = f"a norm along the axes {', '.join(map(str, range(1, len(gradient.shape.sizes))))} is that of a sample"
    if not norm.shape.sizes:
        is_of_batch = is_open(gradient.shape.sizes[0]) or _has_its_rows(target, gradient)
        return call.says(advice, f"the whole batch of gradients {gradient.shape} has one norm") if is_of_batch else None
    others = norm.shape.sizes[1:]
    is_partial = any(isinstance(size, int) and size > 1 for size in others) and _is_one_for_each(target)
    if not is_partial or not (_has_its_rows(target, gradient) or _are_maps(gradient, norm)):
        return None
    return call.says(advice, f"each sample of the gradients {gradient.shape} has {' by '.join(map(str, others))} norms")


def _gradient_behind(call: Call, norm: Tensor) -> tuple[Step, Tensor] | None:
    """Return the step that gives the gradients of which some norms are, and what of them is reduced."""
    tensor, reduced = norm, None
    for _ in range(_DEEPEST):
        step = call.maker(tensor)
        if step is None:
            return None
        if has(step.name, "gives gradients"):
            return (step, reduced) if reduced is not None and (reduced.shape.rank or 0) > 1 else None
        operand = next((each for _, each in step.operands() if each.nature == GRADIENT), None)
        if operand is None:
            return None
        reduced = operand if _REDUCTION.fullmatch(step.name) else reduced
        tensor = operand
    return None


def _is_one_for_each(target: Tensor | None) -> bool:
    return target is not None and bool(target.shape.rank) and all(size == 1 for size in target.shape.sizes[1:])


def _has_its_rows(target: Tensor | None, gradient: Tensor) -> bool:
    return target is not None and target.shape.size(0) == gradient.shape.sizes[0] != 1


def _are_maps(gradient: Tensor, norm: Tensor) -> bool:
    """Return whether the last axis is kept, which is that of the coordinates where gradients are those of points."""
    return len(gradient.shape.sizes) > 3 and norm.shape.sizes[-1] == gradient.shape.sizes[-1]
