"""Weights, biases and options of modules, as attributes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from shapecheck.domain.values import (
    FALSE,
    NONE,
    TRUE,
    Const,
    Library,
    Ref,
    Seq,
    Tensor,
    Value,
    as_size,
    as_sizes,
    of_size,
)
from shapecheck.models.lang import Context, attribute, behaviour
from shapecheck.models.lang.layers import kept_apart
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size

NAMED: dict[str, dict[str, tuple[str, ...]]] = {  # by attribute of the module: the arguments that are its sizes
    "Linear": {"weight": ("out_features", "in_features"), "bias": ("out_features",)},
    "Bilinear": {"weight": ("out_features", "in1_features", "in2_features"), "bias": ("out_features",)},
    "Embedding": {"weight": ("num_embeddings", "embedding_dim")},
    "EmbeddingBag": {"weight": ("num_embeddings", "embedding_dim")},
    "GroupNorm": {"weight": ("num_channels",), "bias": ("num_channels",)},
    "BatchNorm{}d": dict.fromkeys(("weight", "bias", "running_mean", "running_var"), ("num_features",)),
    "Conv{}d": {"bias": ("out_channels",)},
    "ConvTranspose{}d": {"bias": ("out_channels",)},
}
AXES = (1, 2, 3)
OPTIONS = {"kernel_size": None, "stride": 1, "padding": 0, "dilation": 1, "output_padding": 0}
"""The options of a convolution that are kept as tuples, with what they are unless given."""
SCALED = ("affine", "elementwise_affine")
SWITCHES = {"bias": ("@bias", *SCALED), "weight": SCALED}
SWITCHES |= dict.fromkeys(("running_mean", "running_var"), ("track_running_stats",))
"""By attribute, the arguments that say whether there is one."""


def _shown(cls: str, name: str, tell: Callable[[Context, Ref], Value]) -> None:
    """Register an attribute of a module; an argument of that name is kept apart."""
    tell.__module__ = __name__
    kept_apart(cls, name)
    attribute(f"{cls}.{name}")(tell)


def _argument(ctx: Context, self: Value, name: str) -> Value:
    """Return an argument that a module was made with, None if it was not given."""
    return ctx.freeze(ctx.get(self, f"@{name}") or NONE)


def _tensor(ctx: Context, sizes: Sequence[Size | None]) -> Value:
    known = [size for size in sizes if size is not None]
    return Tensor(Shape(tuple(known)), "float32", "torch") if len(known) == len(sizes) else ctx.lost("a weight")


def _unless_switched_off(ctx: Context, self: Value, name: str, sizes: Sequence[Size | None]) -> Value:
    """Return a weight that arguments may say is not there."""
    said = [ctx.get(self, each) or TRUE for each in SWITCHES.get(name, ())]
    if FALSE in said:
        return NONE
    return _tensor(ctx, sizes) if all(each == TRUE for each in said) else ctx.lost("a weight that may be there")


def _replaceable(cls: str, sizes_of: Callable[[Context, Ref, Tensor], Mapping[str, Value]]) -> None:
    """Register what a program does that gives a module another weight: its sizes hold from there on."""

    def replaced(ctx: Context, self: Ref, value: Value) -> Value:
        ctx.set(self, "weight", value)
        for name, size in sizes_of(ctx, self, value).items() if isinstance(value, Tensor) else ():
            ctx.set(self, name, size)
        return NONE

    behaviour(f"{cls}.__set_weight__")(replaced)


def _replaceable_named(cls: str, arguments: Sequence[str]) -> None:
    def sizes_of(ctx: Context, self: Ref, given: Tensor) -> Mapping[str, Value]:
        sizes = map(of_size, given.shape.head)
        return dict(zip(arguments, sizes, strict=True)) if given.shape.rank == len(arguments) else {}

    _replaceable(cls, sizes_of)


def _register_named(cls: str, name: str, arguments: Sequence[str]) -> None:
    def weight(ctx: Context, self: Ref) -> Value:
        sizes = [as_size(ctx.get(self, each) or NONE) for each in arguments]
        return _unless_switched_off(ctx, self, name, sizes)

    _shown(cls, name, weight)


def _register_layer_norm(name: str) -> None:
    def weight(ctx: Context, self: Ref) -> Value:
        said = ctx.freeze(ctx.get(self, "normalized_shape") or NONE)
        sizes = (as_size(said),) if as_size(said) is not None else as_sizes(said)
        return _unless_switched_off(ctx, self, name, (None,) if sizes is None else sizes)

    _shown("torch.nn.LayerNorm", name, weight)


def _register_convolution(axes: int, is_transposed: bool) -> None:
    cls = f"torch.nn.Conv{'Transpose' if is_transposed else ''}{axes}d"

    def kernel(ctx: Context, self: Ref) -> Value:
        """A group of the channels of one side meets all of the other."""
        window = as_sizes(ctx.get(self, "kernel_size") or NONE)
        inside, out = (as_size(ctx.get(self, name) or NONE) for name in ("in_channels", "out_channels"))
        groups = as_size(ctx.get(self, "groups") or Const(1))
        if window is None or inside is None or out is None or not isinstance(groups, int) or groups < 1:
            return ctx.lost("a kernel")
        ends = (inside, out // groups) if is_transposed else (out, inside // groups)
        return _tensor(ctx, (*ends, *window))

    def sizes_of(ctx: Context, self: Ref, given: Tensor) -> Mapping[str, Value]:
        groups = as_size(ctx.get(self, "groups") or Const(1))
        if given.shape.rank != axes + 2 or not isinstance(groups, int):
            return {}
        first, second, *window = given.shape.head
        inside, out = (first, second * groups) if is_transposed else (second * groups, first)
        size = Seq("tuple", tuple(map(of_size, window)))
        return {"in_channels": of_size(inside), "out_channels": of_size(out), "@kernel_size": size}

    _shown(cls, "weight", kernel)
    _replaceable(cls, sizes_of)
    for name, usual in OPTIONS.items():
        _register_option(cls, name, axes, NONE if usual is None else Const(usual))


def _register_option(cls: str, name: str, axes: int, usual: Value) -> None:
    def option(ctx: Context, self: Ref) -> Value:
        """A number stands for all axes."""
        given = _argument(ctx, self, name)
        said = usual if given == NONE else given
        return Seq("tuple", (said,) * axes) if as_size(said) is not None else said

    _shown(cls, name, option)


@behaviour("torch.nn.Embedding.from_pretrained")
def from_weights(ctx: Context, embeddings: Value, *rest: Value, **options: Value) -> Value:
    """Return the module with the sizes of its weights."""
    given = ctx.freeze(embeddings)
    if not isinstance(given, Tensor) or given.shape.rank != 2:
        return ctx.lost("a module with other weights")
    return ctx.call(Library("torch.nn.Embedding"), [of_size(size) for size in given.shape.head])


for _name, _attributes in NAMED.items():
    for _cls in {f"torch.nn.{_name.format(axes)}" for axes in AXES}:
        for _attribute, _sizes in _attributes.items():
            _register_named(_cls, _attribute, _sizes)
        if "weight" in _attributes:
            _replaceable_named(_cls, _attributes["weight"])
for _axes in AXES:
    _register_convolution(_axes, False)
    _register_convolution(_axes, True)
for _name in ("weight", "bias"):
    _register_layer_norm(_name)
