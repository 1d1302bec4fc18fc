"""The arithmetic of sliding windows: convolution and pooling with SAME, VALID and causal padding, strides and
dilations, and transposed convolution.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from shapecheck.clash_kind import ClashKind
from shapecheck.models.lang.apply import IN_GRAPHS
from shapecheck.models.lang.constraints import LateNeed, Need
from shapecheck.models.lang.expression import Bindings, Unknown, size_of
from shapecheck.models.lang.parameter_kinds import Sizes
from shapecheck.shapes.claims import AtLeast
from shapecheck.shapes.size import Size, ceildiv, maximum

Extras: TypeAlias = "tuple[dict[str, Callable[[Bindings], Size]] | LateNeed, ...]"


def window(
    axes: str,
    kernels: str | Sequence[Size],
    strides: Sizes,
    padding: str,
    dilations: Sizes | None = None,
    may_be_empty: bool = False,
    added: Sequence[Size] = (),
) -> Extras:
    """Return the derived sizes (axes h, w become H, W) and the need that the window fits, for a signature's extras.

    `kernels` names axes of the signature, or gives the sizes. Run eagerly, an operation may give an empty result where
    the window does not fit by less than two strides (`may_be_empty`); in graphs of TensorFlow 1 it must fit. The
    padding `added` to each axis comes before anything else.
    """
    names = axes.split()
    sizes = kernels.split() if isinstance(kernels, str) else list(kernels)
    steps = strides.spread(len(names))
    gaps = dilations.spread(len(names)) if dilations is not None else (1,) * len(names)
    derived: dict[str, Callable[[Bindings], Size]] = {}
    needs: list[LateNeed] = []
    more = added or (0,) * len(names)
    for name, kernel, step, gap, wider in zip(names, sizes, steps, gaps, more, strict=True):
        derived[name.upper()] = _derived(name, wider, kernel, step, gap, padding.upper(), may_be_empty)
        if padding.upper() == "VALID":
            needs.append(_fits(name, wider, kernel, gap, 2 * step - 1 if may_be_empty else 0))
    return derived, *needs


def unwindow(
    axes: str,
    kernels: Sizes,
    strides: Sizes,
    padding: str,
    dilations: Sizes | None = None,
    added: Sizes | None = None,
) -> dict[str, Callable[[Bindings], Size]]:
    """Return the derived sizes (axes h, w become H, W) of a transposed convolution; `added` is the output padding of
    each axis, which otherwise has its largest length.
    """
    names = axes.split()
    wide, steps = kernels.spread(len(names)), strides.spread(len(names))
    gaps = dilations.spread(len(names)) if dilations is not None else (1,) * len(names)
    more = added.spread(len(names)) if added is not None else (None,) * len(names)
    spans = [spanned(kernel, gap) for kernel, gap in zip(wide, gaps, strict=True)]
    each = zip(names, spans, steps, more, strict=True)
    return {name.upper(): _widened(name, span, step, padding, extra) for name, span, step, extra in each}


def spanned(kernel: Size, dilation: Size) -> Size:
    """Return how many positions a window covers."""
    return (kernel - 1) * dilation + 1


def slid(size: Size, kernel: Size, stride: Size, padding: str, dilation: Size = 1) -> Size:
    """Return how many windows fit."""
    if stride == 0:
        raise Unknown("a stride of 0")
    if padding.upper() == "VALID":
        return ceildiv(size - spanned(kernel, dilation) + 1, stride)
    return ceildiv(size, stride)


def unslid(size: Size, kernel: Size, stride: Size, padding: str) -> Size:
    """Return the size that a transposed convolution gives."""
    if padding.upper() != "VALID":
        return size * stride
    excess = kernel - stride
    return size * stride + (max(excess, 0) if isinstance(excess, int) else excess)


def _one(size: Size | str, bindings: Bindings) -> Size:
    return size_of(size, bindings) if isinstance(size, str) else size


def _widened(name: str, span: Size, step: Size, padding: str, added: Size | None) -> Callable[[Bindings], Size]:
    def widened(bindings: Bindings) -> Size:
        size = size_of(name, bindings)
        if added is None:
            return unslid(size, span, step, padding)
        trim = span // 2 if padding == "same" else 0
        return (size - 1) * step + span - 2 * trim + added

    return widened


def _derived(
    name: str, wider: Size, kernel: Size | str, step: Size, gap: Size, padding: str, may_be_empty: bool
) -> Callable[[Bindings], Size]:
    def derived(bindings: Bindings) -> Size:
        size = slid(_one(name, bindings) + wider, _one(kernel, bindings), step, padding, gap)
        return maximum(size, 0) if may_be_empty and IN_GRAPHS not in bindings and isinstance(size, int) else size

    return derived


def _fits(name: str, wider: Size, kernel: Size | str, gap: Size, slack: Size) -> LateNeed:
    def fits(bindings: Bindings) -> Need:
        size, wide = _one(name, bindings) + wider, spanned(_one(kernel, bindings), gap)
        allowed = 0 if IN_GRAPHS in bindings else slack
        said = f"a window of {wide} does not fit" + (f" into {size}, with its padding" if wider else "")
        return Need(ClashKind.NEGATIVE_SIZE, AtLeast(size + allowed, wide), said, axis=name)

    return fits
