"""torchvision: networks whose heads can be replaced, transforms of images, and data sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    NONE,
    Const,
    Int,
    Library,
    Lost,
    Ref,
    Seq,
    Tensor,
    Value,
    as_size,
    as_sizes,
    items_of,
)
from shapecheck.models.lang import Context, base, behaviour
from shapecheck.models.lang.arguments import dtype_name
from shapecheck.models.torch.backbones import NETWORK, furnish, hooked_parts, is_changed
from shapecheck.models.torch.data import ELEMENT, ROWS
from shapecheck.shapes.claims import FALSE as IMPOSSIBLE
from shapecheck.shapes.claims import AnyOf, Equal
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size

# Networks ------------------------------------------------------------------------------------------------------------

base(NETWORK, "torch.nn.Module")
_FC = {
    "resnet18": 512,
    "resnet34": 512,
    "resnet50": 2048,
    "resnet101": 2048,
    "resnet152": 2048,
    "resnext50_32x4d": 2048,
    "resnext101_32x8d": 2048,
    "resnext101_64x4d": 2048,
    "wide_resnet50_2": 2048,
    "wide_resnet101_2": 2048,
    "shufflenet_v2_x0_5": 1024,
    "shufflenet_v2_x1_0": 1024,
}
_CLASSIFIER: dict[
    str, tuple[int, tuple[int | str, ...]]
] = {  # the width of the features, and the layers: a number is the width of a linear one
    "alexnet": (9216, ("", 4096, "ReLU", "", 4096, "ReLU", 0)),
    **{
        f"vgg{layers}{norm}": (25088, (4096, "ReLU", "", 4096, "ReLU", "", 0))
        for layers in (11, 13, 16, 19)
        for norm in ("", "_bn")
    },
    "mobilenet_v2": (1280, ("", 0)),
    "mobilenet_v3_large": (960, (1280, "Hardswish", "", 0)),
    "mobilenet_v3_small": (576, (1024, "Hardswish", "", 0)),
    "efficientnet_b0": (1280, ("", 0)),
    "efficientnet_b1": (1280, ("", 0)),
    "efficientnet_b2": (1408, ("", 0)),
    "efficientnet_b3": (1536, ("", 0)),
    "efficientnet_b4": (1792, ("", 0)),
}
_OTHER = {  # the name of a head that is one linear layer, and the width of the features
    "densenet121": ("classifier", 1024),
    "densenet161": ("classifier", 2208),
    "densenet169": ("classifier", 1664),
    "densenet201": ("classifier", 1920),
    "swin_t": ("head", 768),
    "swin_s": ("head", 768),
    "swin_b": ("head", 1024),
}
HEAD, WIDTH = "_head", "_width"


def _linear(ctx: Context, width: Size, out: Value) -> Value:
    from_size = Const(width) if isinstance(width, int) else Int(width)
    return ctx.call(Library("torch.nn.Linear"), [from_size, out])


def _register(name: str, head: str, width: int, layers: Sequence[int | str]) -> None:
    def network(ctx: Context, *args: Value, num_classes: Value = Const(1000), **options: Value) -> Value:
        made = ctx.new(NETWORK, **{HEAD: Const(head), WIDTH: Const(width)})
        parts, inside = [], width
        for layer in layers:
            if isinstance(layer, str):
                parts.append(ctx.call(Library(f"torch.nn.{layer or 'Dropout'}"), []))
            else:
                parts.append(_linear(ctx, inside, Const(layer) if layer else num_classes))
                inside = layer
        ctx.set(made, head, parts[0] if len(layers) == 1 else ctx.call(Library("torch.nn.Sequential"), parts))
        if "replace_stride_with_dilation" not in options:
            furnish(ctx, made, name, head, width)
        return made

    network.__module__ = __name__
    module = name.rstrip("0123456789_xd").split("_")[0]
    behaviour(f"torchvision.models.{name}", f"torchvision.models.{module}.{name}")(network)


for _name, _width in _FC.items():
    _register(_name, "fc", _width, (0,))
for _name, (_width, _layers) in _CLASSIFIER.items():
    _register(_name, "classifier", _width, _layers)
for _name, (_head, _width) in _OTHER.items():
    _register(_name, _head, _width, (0,))


@behaviour(f"{NETWORK}.__call__")
def call(ctx: Context, self: Ref, x: Value = NONE) -> Value:
    """The features of each image go through the head; what is not followed must be a batch of images."""
    images, head, width = ctx.freeze(x), ctx.get(self, HEAD), as_size(ctx.get(self, WIDTH) or NONE)
    if not isinstance(images, Tensor | Lost) or width is None or not isinstance(head, Const):
        return ctx.lost("outputs of a network")
    shape = images.shape if isinstance(images, Tensor) else UNRANKED
    if shape.rank not in (None, 4):
        ctx.require(ClashKind.RANK, IMPOSSIBLE, f"the images have rank {shape.rank}, not 4", images)
        return ctx.lost("a call that fails")
    if is_changed(ctx, self):
        return ctx.lost("outputs of a network with other parts")
    stem = ctx.get(self, "conv1")
    if stem is not None and shape.rank and isinstance(ctx.call(stem, [images]), Lost):
        return ctx.lost("a call that fails")
    hooked_parts(ctx, self)
    batch = shape.size(0)
    features = Shape((ctx.fresh("batch", Kind.LOST) if batch is None else batch, width))
    return ctx.call(ctx.get(self, str(head.value)) or NONE, [Tensor(features, "float32", "torch")])


# Transforms ----------------------------------------------------------------------------------------------------------

TRANSFORMS = "torchvision.transforms"
KEEPING = """
ToTensor ToPILImage PILToTensor ConvertImageDtype RandomHorizontalFlip RandomVerticalFlip ColorJitter
RandomErasing RandomAffine GaussianBlur RandomInvert RandomAutocontrast RandomEqualize RandomAdjustSharpness
RandomPerspective AutoAugment RandAugment TrivialAugmentWide ToDtype ToImage RandomSolarize RandomPosterize
"""
TO_TENSOR = {"ToTensor": None, "PILToTensor": "uint8", "ToImage": "uint8"}
"""Transforms that make tensors of pictures, with their dtype where it is another."""
CASTING = ("ConvertImageDtype", "ToDtype")
NORMALIZE, NEWER_NORMALIZE = "Normalize", "Normalize of v2"
SIZED = "CenterCrop RandomCrop RandomResizedCrop RandomSizedCrop"
STEPS, STEP = "_steps", "_step"


@behaviour(f"{TRANSFORMS}.Compose", f"{TRANSFORMS}.v2.Compose", "torchvision.transforms.transforms.Compose")
def compose(ctx: Context, transforms: Value = NONE) -> Value:
    return ctx.new(f"{TRANSFORMS}.Compose", **{STEPS: ctx.freeze(transforms)})


def _register_step(name: str, *spellings: str) -> None:
    def step(ctx: Context, *args: Value, **options: Value) -> Value:
        size = next((given for given in (*args[:1], *options.values())), NONE)
        named = options.get("size", options.get("num_output_channels", size))
        return ctx.new(f"{TRANSFORMS}.Step", **{STEP: Const(name), "size": ctx.freeze(named)})

    step.__module__ = __name__
    behaviour(*(f"{TRANSFORMS}.{each}" for each in spellings or (name, f"v2.{name}", f"transforms.{name}")))(step)


_register_step(NORMALIZE, "Normalize", "transforms.Normalize")
_register_step(NEWER_NORMALIZE, "v2.Normalize")
for _name in (*KEEPING.split(), *SIZED.split(), "Resize", "Scale", "Grayscale", "RandomRotation", "Pad"):
    _register_step(_name)


@behaviour(f"{TRANSFORMS}.Lambda", f"{TRANSFORMS}.v2.Lambda", "torchvision.transforms.transforms.Lambda")
def by_function(ctx: Context, lambd: Value = NONE, *rest: Value) -> Value:
    return lambd


@dataclass(frozen=True)
class _Picture:
    """An image that is no tensor, but an object of another library: `image` is the tensor that it may become."""

    image: Tensor


@behaviour(f"{TRANSFORMS}.{{Compose,Step}}.__call__")
def transformed(ctx: Context, self: Ref, img: Value = NONE) -> Value:
    """Transform an image, or all images of a batch; what is no tensor is a picture of another library."""
    given = ctx.freeze(img)
    if not isinstance(given, Tensor) or given.library != "torch":
        picture = _of_array(given) if isinstance(given, Tensor) else None
        return _value(ctx, _through(ctx, self, picture or _Picture(_an_image(ctx))))
    if given.shape.tail is not None or len(given.shape.head) < 3:
        return ctx.lost("images of unknown rank")
    batch, image = given.shape.head[:-3], Shape(given.shape.head[-3:])
    made = _value(ctx, _through(ctx, self, given.with_shape(image)))
    if not isinstance(made, Tensor) or not batch:
        return made
    return made.with_shape(Shape((*batch, *made.shape.head), made.shape.tail))


def _of_array(array: Tensor) -> _Picture | None:
    """Return the picture in an array, whose channels come last."""
    dtype = "float32" if array.dtype == "uint8" else array.dtype
    match array.shape:
        case Shape(head=(height, width), tail=None):
            return _Picture(Tensor(Shape((1, height, width)), dtype, "torch"))
        case Shape(head=(height, width, channels), tail=None):
            return _Picture(Tensor(Shape((channels, height, width)), dtype, "torch"))
    return None


def _value(ctx: Context, made: Value | _Picture) -> Value:
    return ctx.lost("a picture") if isinstance(made, _Picture) else made


def _an_image(ctx: Context, channels: Size | None = None) -> Tensor:
    """Return an image of unknown size."""
    sizes = [ctx.fresh(name, Kind.LOST, "the size of an image", low=1) for name in ("h", "w")]
    first = ctx.fresh("c", Kind.LOST, "the channels of an image", low=1) if channels is None else channels
    return Tensor(Shape((first, *sizes)), None, "torch")


def _through(ctx: Context, transform: Value, given: Tensor | _Picture) -> Value | _Picture:
    """Return what a transform makes of an image, whose channels come first."""
    if not isinstance(transform, Ref) or transform.cls == "user":
        return given if transform == NONE else ctx.freeze(ctx.call(transform, [_value(ctx, given)]))
    steps = items_of(ctx.get(transform, STEPS) or NONE)
    if steps is None:
        return _after(ctx, transform, given)
    current: Value | _Picture = given
    for step in steps:
        if not isinstance(current, (Tensor, _Picture)):
            return current
        current = _through(ctx, step, current)
    return current


def _after(ctx: Context, step: Ref, given: Tensor | _Picture) -> Value | _Picture:
    """Return what one step makes of an image."""
    name = ctx.get(step, STEP)
    if not isinstance(name, Const):
        return ctx.lost("a transform of the program")
    image = given.image if isinstance(given, _Picture) else given
    if not image.shape.is_ranked or len(image.shape.head) < 3:
        return ctx.lost("an image of other axes")
    made = _with_size(ctx, step, str(name.value), image)
    if name.value == "ToPILImage" or (isinstance(given, _Picture) and name.value not in TO_TENSOR):
        return _Picture(made)
    if name.value in CASTING:
        return replace(made, dtype=dtype_name(ctx.get(step, "size") or NONE))
    return replace(made, dtype=TO_TENSOR.get(str(name.value)) or made.dtype)


def _with_size(ctx: Context, step: Ref, name: str, image: Tensor) -> Tensor:
    said = ctx.get(step, "size") or NONE
    one, several = as_size(said), as_sizes(said)
    if name in KEEPING.split():
        return image
    if name in (NORMALIZE, NEWER_NORMALIZE):
        return _normalized(ctx, said, image, is_in_place=name == NORMALIZE)
    if name == "Grayscale":
        return image.with_shape(Shape((1 if one is None else one, *image.shape.head[1:])))
    if several is not None and len(several) == 1:
        one = several[0]
    if name in SIZED.split() and one is not None:
        return image.with_shape(Shape((image.shape.head[0], one, one)))
    if name in ("Resize", "Scale", *SIZED.split()) and several is not None and len(several) == 2:
        return image.with_shape(Shape((image.shape.head[0], *several)))
    if name in ("Resize", "Scale") and one is not None and image.shape.head[1] == image.shape.head[2]:
        return image.with_shape(Shape((image.shape.head[0], one, one)))  # the shorter side has this size
    unknown = _an_image(ctx, image.shape.head[0])
    return replace(unknown, dtype=image.dtype)


def _normalized(ctx: Context, means: Value, image: Tensor, *, is_in_place: bool) -> Tensor:
    """Return an image from which the mean of each channel is subtracted."""
    channels, count = image.shape.head[0], len(items_of(means) or ())
    if count > 1:
        claim = Equal(channels, count) if is_in_place else AnyOf((Equal(channels, count), Equal(channels, 1)))
        ctx.require(ClashKind.BROADCAST, claim, f"Normalize has {count} means, an image has {channels} channels", image)
        return image.with_shape(Shape((count, *image.shape.head[1:])))
    return image


# Data sets -----------------------------------------------------------------------------------------------------------

DATASET = "torchvision.datasets.VisionDataset"
base(DATASET, "torch.utils.data.Dataset")
KNOWN = {  # channels, height and width, and the images for training and for the test
    "MNIST": (1, 28, 28, 60000, 10000),
    "FashionMNIST": (1, 28, 28, 60000, 10000),
    "KMNIST": (1, 28, 28, 60000, 10000),
    "CIFAR10": (3, 32, 32, 50000, 10000),
    "CIFAR100": (3, 32, 32, 50000, 10000),
}


def _register_dataset(name: str, *facts: int) -> None:
    channels, height, width, count, tested = facts

    def dataset(
        ctx: Context,
        root: Value = NONE,
        train: Value = Const(True),
        transform: Value = NONE,
        target_transform: Value = NONE,
        download: Value = NONE,
    ) -> Value:
        image = Tensor(Shape((channels, height, width)), "float32", "torch")
        rows = {True: count, False: tested}.get(train.value) if isinstance(train, Const) else None  # type: ignore[call-overload]
        known: dict[str, Value] = {}
        if rows is not None:
            known = {ROWS: Const(rows), "data": _pictures(rows, channels, height, width)}
        return ctx.new(DATASET, **{ELEMENT: _sample(ctx, image, transform, target_transform)}, **known)

    dataset.__module__ = __name__
    behaviour(f"torchvision.datasets.{name}")(dataset)


def _pictures(rows: int, channels: int, height: int, width: int) -> Tensor:
    """Return all images as they are stored: grey ones in a tensor, colours in an array with channels last."""
    if channels == 1:
        return Tensor(Shape((rows, height, width)), "uint8", "torch")
    return Tensor(Shape((rows, height, width, channels)), "uint8", "np")


def _sample(ctx: Context, image: Tensor, transform: Value, target_transform: Value) -> Value:
    """Return an image and the number of its class; an image that is no tensor is not followed."""
    made = _value(ctx, _through(ctx, transform, _Picture(image)))
    label: Value = Int(ctx.fresh("label", Kind.FREE, "the number of a class"))
    return Seq("tuple", (made, label if target_transform == NONE else ctx.lost("a transformed label")))


for _name, _facts in KNOWN.items():
    _register_dataset(_name, *_facts)


@behaviour("torchvision.datasets.{ImageFolder,DatasetFolder}")
def folder(
    ctx: Context, root: Value = NONE, transform: Value = NONE, target_transform: Value = NONE, **options: Value
) -> Value:
    """A folder of colour pictures."""
    if "loader" in options:
        return ctx.new(DATASET)
    image = replace(_an_image(ctx, 3), dtype="float32")
    return ctx.new(DATASET, **{ELEMENT: _sample(ctx, image, transform, target_transform)})


@behaviour(f"{DATASET}.__getitem__")
def sample(ctx: Context, self: Ref, index: Value) -> Value:
    return ctx.get(self, ELEMENT) or ctx.lost("a sample of a data set")


@behaviour(f"{DATASET}.__len__")
def rows_of(ctx: Context, self: Ref) -> Value:
    return ctx.get(self, ROWS) or ctx.lost("the number of samples")
