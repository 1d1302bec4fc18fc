"""Parts of torchvision's networks: attributes that programs call one by one, or join to a network of their own."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, Const, Library, Lost, Ref, Seq, Tensor, Value, as_size, as_str, items_of
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.torch.layer import derivable
from shapecheck.models.torch.module import hooked
from shapecheck.shapes.claims import FALSE as IMPOSSIBLE
from shapecheck.shapes.claims import Equal
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Kind, Size, ceildiv

NETWORK = "torchvision.models.Network"
STAGE = "torchvision.models.Stage"
NAMES, MADE = "_names", "_made"
BODY = ("features", "avgpool", "maxpool", "layer1", "layer2", "layer3", "layer4", "bn1", "relu")
"""Parts of networks; one that the program has replaced may change the width of the features."""
base(STAGE, "torch.nn.Module")


def furnish(ctx: Context, network: Ref, name: str, head: str, width: int) -> None:
    """Give a network its parts, as far as they are known, in the order in which they are called."""
    parts: list[tuple[str, Value]] = []
    if name.startswith(("resnet", "resnext", "wide")):
        parts = _residual(ctx, width)
    elif name.startswith("vgg"):
        parts = [("features", _stage(ctx, 3, 512, down=5)), ("avgpool", _call(ctx, "AdaptiveAvgPool2d", 7))]
    elif name.startswith("densenet"):
        parts = [("features", _stage(ctx, 3, width, up=2, down=3))]
    elif name.startswith(("mobilenet", "efficientnet")):
        parts = [("features", _stage(ctx, 3, width, up=5))]
    for part, value in parts:
        ctx.set(network, part, value)
    names = [part for part, _ in parts]
    ctx.set(network, NAMES, Seq("tuple", tuple(Const(part) for part in (*names, head) if names)))
    ctx.set(network, MADE, Seq("tuple", tuple(value for _, value in parts)))


def _residual(ctx: Context, width: int) -> list[tuple[str, Value]]:
    stem = _call(ctx, "Conv2d", 3, 64, 7, 2, 3)
    first = [("conv1", stem), ("bn1", _call(ctx, "BatchNorm2d", 64)), ("relu", _call(ctx, "ReLU"))]
    widths = [width // 8, width // 4, width // 2, width]
    second = [("maxpool", _call(ctx, "MaxPool2d", 3, 2, 1)), ("layer1", _stage(ctx, 64, widths[0]))]
    others = [(f"layer{place}", _stage(ctx, widths[place - 2], widths[place - 1], up=1)) for place in (2, 3, 4)]
    return [*first, *second, *others, ("avgpool", _call(ctx, "AdaptiveAvgPool2d", 1))]


def _call(ctx: Context, layer: str, *sizes: int) -> Value:
    return ctx.call(Library(f"torch.nn.{layer}"), [Const(size) for size in sizes])


def _stage(ctx: Context, inside: int, outside: int, up: int = 0, down: int = 0) -> Ref:
    """Return layers that halve the maps, rounded up so many times, and then down."""
    known = {"inside": inside, "outside": outside, "up": up, "down": down}
    return ctx.new(STAGE, **{f"_{name}": Const(value) for name, value in known.items()})


def is_changed(ctx: Context, network: Ref) -> bool:
    """Return whether the program has replaced a part that may change the features."""
    names, made = items_of(ctx.get(network, NAMES) or NONE) or (), items_of(ctx.get(network, MADE) or NONE) or ()
    before = dict(zip((as_str(name) for name in names), made, strict=False))
    return any(ctx.get(network, part) != before.get(part) for part in BODY)


def hooked_parts(ctx: Context, network: Ref) -> None:
    """Run the hooks of the parts of a network that is called."""
    for part in items_of(ctx.get(network, MADE) or NONE) or ():
        hooked(ctx, part, [ctx.lost("maps")], ctx.lost("maps"))


def run(ctx: Context, self: Ref, input: Value = NONE) -> Value:
    """Return the maps of a stage."""
    given = ctx.freeze(input)
    known = [as_size(ctx.get(self, f"_{name}") or NONE) for name in ("inside", "outside", "up", "down")]
    inside, outside, up, down = (size if isinstance(size, int) else 0 for size in known)
    if not isinstance(given, Tensor | Lost) or not outside:
        return ctx.lost("maps")
    if isinstance(given, Lost) or given.shape.rank is None:
        sides = ctx.fresh("height", Kind.LOST), ctx.fresh("width", Kind.LOST)
        return Tensor(Shape((), (outside, *sides)), None, "torch")
    if given.shape.rank not in (3, 4):
        ctx.require(ClashKind.RANK, IMPOSSIBLE, f"the input has rank {given.shape.rank}, not 3 or 4", given)
        return ctx.lost("a call that fails")
    *batch, channels, height, width = given.shape.head
    said = f"the input has {channels} channels, not {inside}"
    if channels != inside:
        ctx.require(ClashKind.AXIS, Equal(channels, inside), said, given)
    sizes = (_halved(ctx.resolve(size), up, down) for size in (height, width))
    return Tensor(Shape((*batch, outside, *sizes)), given.dtype, "torch")


def _halved(size: Size, up: int, down: int) -> Size:
    for _ in range(up):
        size = ceildiv(size, 2)
    for _ in range(down):
        size = size // 2
    return size


@behaviour(STAGE)
def stage(ctx: Context, *args: Value, **options: Value) -> Value:
    return ctx.lost("layers that no program makes")


derivable(STAGE, run, __name__, ("_inside", "_outside", "_up", "_down"))


@behaviour(f"{STAGE}.{{__getitem__,__setitem__,__getattr__,__setattr__,__iter__,children,modules,named_modules}}")
def opened(ctx: Context, self: Ref, *args: Value, **options: Value) -> Value:
    """The layers in a stage may be changed from here on."""
    ctx.set(self, "_outside", NONE)
    return ctx.lost("layers of a stage")


@behaviour(f"{NETWORK}.{{modules,named_modules}}")
def modules(ctx: Context, self: Ref, *args: Value, **options: Value) -> Value:
    for part in items_of(ctx.get(self, MADE) or NONE) or ():
        if isinstance(part, Ref) and part.cls == STAGE:
            opened(ctx, part)
    return ctx.lost("modules of a network")


@behaviour(f"{NETWORK}.children")
def children(ctx: Context, self: Ref) -> Value:
    """Return the parts in order."""
    names = items_of(ctx.get(self, NAMES) or NONE) or ()
    parts = [ctx.get(self, as_str(name) or "") for name in names]
    known = [part for part in parts if part is not None]
    if not known or len(known) < len(parts):
        return ctx.lost("parts of a network")
    return ctx.apply("builtins.list", Seq("tuple", tuple(known)))
