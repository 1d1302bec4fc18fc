"""Initializers that need a matrix, where a layer has a vector or more axes to initialise."""

from __future__ import annotations

from collections.abc import Mapping

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import FALSE, Ref, Value, as_str
from shapecheck.models.lang.context import Context
from shapecheck.shapes.facts import FALSE as IMPOSSIBLE

OF_MATRICES = {"orthogonal": range(2, 65), "identity": range(2, 3)}  # the number of axes that an initializer requires
_VECTORS = ("bias", "gamma", "beta", "moving_mean", "moving_variance")


def axes_for(initializer: Value | None) -> range | None:
    """Return the numbers of axes for which an initializer makes numbers; None for one that takes any."""
    if isinstance(initializer, Ref):
        return OF_MATRICES.get(initializer.cls.rsplit(".", 1)[-1].lower())
    name = as_str(initializer) if initializer is not None else None
    return None if name is None else OF_MATRICES.get(name.lower())


def require_fitting(ctx: Context, layer: str, options: Mapping[str, Value]) -> None:
    """State that the initializers of a layer can make its weights."""
    for weight in _VECTORS:
        initializer = options.get(f"{weight}_initializer")
        if axes_for(initializer) is not None and options.get("use_bias") != FALSE and initializer is not None:
            said = f"{weight}_initializer makes matrices, the {weight.replace('_', ' ')} is a vector"
            ctx.require(ClashKind.RANK, IMPOSSIBLE, said, initializer)
    kernel, is_convolution = options.get("kernel_initializer"), ".Conv" in layer or "Separable" in layer
    needed = axes_for(kernel)
    if kernel is not None and needed is not None and is_convolution and 3 not in needed:
        ctx.require(ClashKind.RANK, IMPOSSIBLE, "kernel_initializer makes matrices only, the kernel is none", kernel)
