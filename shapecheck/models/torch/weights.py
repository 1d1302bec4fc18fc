"""Weights and biases of modules, as attributes."""

from __future__ import annotations

from shapecheck.domain.values import FALSE, NONE, Ref, Tensor, Value, as_size, as_sizes
from shapecheck.models.lang import Context, attribute
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size

WEIGHTS = {"Linear": ("out_features", "in_features"), "Embedding": ("num_embeddings", "embedding_dim")}
BIASES = {"Linear": "out_features", **{f"Conv{axes}d": "out_channels" for axes in (1, 2, 3)}}


def _of(ctx: Context, self: Value, *names: str) -> Value:
    """Return a weight whose sizes are arguments of the module."""
    sizes = [as_size(ctx.get(self, name) or NONE) for name in names]
    known = [size for size in sizes if size is not None]
    return Tensor(Shape(tuple(known)), "float32", "torch") if len(known) == len(sizes) else ctx.lost("a weight")


def _weight(name: str, *sizes: str) -> None:
    def weight(ctx: Context, self: Ref) -> Value:
        return _of(ctx, self, *sizes)

    weight.__module__ = __name__
    attribute(f"torch.nn.{name}.weight")(weight)


def _bias(name: str, size: str) -> None:
    def bias(ctx: Context, self: Ref) -> Value:
        """There is none if the module was made without."""
        return NONE if ctx.get(self, "bias") == FALSE else _of(ctx, self, size)

    bias.__module__ = __name__
    attribute(f"torch.nn.{name}.bias")(bias)


def _kernel(axes: int) -> None:
    def kernel(ctx: Context, self: Ref) -> Value:
        said = ctx.get(self, "kernel_size") or NONE
        one, several = as_size(said), as_sizes(said)
        window: tuple[Size, ...] | None = (one,) * axes if one is not None else several
        ends = _of(ctx, self, "out_channels", "in_channels")
        if window is None or len(window) != axes or not isinstance(ends, Tensor) or ctx.get(self, "groups") is not None:
            return ctx.lost("a kernel")
        return ends.with_shape(Shape((*ends.shape.head, *window)))

    kernel.__module__ = __name__
    attribute(f"torch.nn.Conv{axes}d.weight")(kernel)


for _name, _sizes in WEIGHTS.items():
    _weight(_name, *_sizes)
for _name, _size in BIASES.items():
    _bias(_name, _size)
for _axes in (1, 2, 3):
    _kernel(_axes)
