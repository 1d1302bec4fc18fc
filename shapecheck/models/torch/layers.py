"""Modules and functions that act on the last axis, on the channels, or on each element."""

from __future__ import annotations

from collections.abc import Mapping

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import NONE, TRUE, Value, as_size
from shapecheck.models.lang import (
    Answer,
    AnyValue,
    Axis,
    Blind,
    Context,
    Dimensions,
    Need,
    Refused,
    ShapeArg,
    Size,
    Tensor,
    also,
    at,
    equal,
    op,
    result,
)
from shapecheck.models.lang.axis_positions import instead, place_of
from shapecheck.models.lang.constraints import each_equal, never
from shapecheck.models.lang.layers import configured
from shapecheck.models.ops import reshape as of_numpy
from shapecheck.models.torch.layer import derivable, layer
from shapecheck.models.torch.maps import divided
from shapecheck.models.torch.reshape import flattened
from shapecheck.models.torch.softmax import over_samples
from shapecheck.shapes.shape import UNRANKED, Shape

FUNCTIONS = "torch.nn.functional"


@layer("torch.nn.Linear", dtype="float32")
def linear(input: Tensor, in_features: Size, out_features: Size) -> Answer:
    return _projected(input, in_features)


def _projected(input: Tensor, in_features: Size) -> Answer:
    if input.rank == 0:
        raise Refused(ClashKind.RANK, f"{input.name} has no axes")
    size = input.shape.size(-1)
    said = f"{input.name} has {size} columns, not {in_features}"
    needs = [] if size is None or size == in_features else [equal(ClashKind.AXIS, size, in_features, said)]
    return "*S _ -> *S {out_features}", *needs, also(nature="linear")


@layer("torch.nn.LazyLinear", dtype="float32")
def lazy_linear(input: Tensor, out_features: Size) -> Answer:
    """As many columns are taken as the first input has."""
    return _projected(input, input.shape.size(-1) or out_features)


@layer("torch.nn.Bilinear", dtype="float32")
def bilinear(input1: Tensor, input2: Tensor, in1_features: Size, in2_features: Size, out_features: Size) -> Answer:
    return "*S i, *S j -> *S {out_features}", "i == in1_features", "j == in2_features"


@layer("torch.nn.{ReLU6,LeakyReLU,ELU,SELU,CELU,GELU,SiLU,Mish,Hardswish,Hardsigmoid,Hardtanh}")
@layer("torch.nn.{Softplus,Softsign,Tanhshrink,Softshrink,Hardshrink,Threshold,LogSigmoid,RReLU,ReLU,Tanh}")
@layer("torch.nn.{Dropout,Dropout1d,Dropout2d,Dropout3d,AlphaDropout,FeatureAlphaDropout,PReLU}")
def elementwise(input: Tensor) -> Answer:
    return "*S -> *S"


@layer("torch.nn.Identity")
def identity(input: Tensor) -> Answer:
    return "*S -> *S", also(nature=input.nature)


def given_back(ctx: Context, self: Value, input: Value = NONE, **options: Value) -> Value:
    return input


derivable("torch.nn.Identity", given_back, __name__)  # lists and None as well


@layer("torch.nn.Sigmoid")
def sigmoid(input: Tensor) -> Answer:
    return "*S -> *S", also(nature="sigmoid")


@op(f"{FUNCTIONS}.{{relu,relu_,relu6,leaky_relu,leaky_relu_,elu,elu_,selu,celu,gelu,silu,mish,hardswish,hardsigmoid}}")
@op(f"{FUNCTIONS}.{{hardtanh,softplus,softshrink,hardshrink,logsigmoid,threshold,rrelu}}")
@op(f"{FUNCTIONS}.{{celu_,hardtanh_,rrelu_,selu_,threshold_}}")
@op("torch.{selu,celu,rrelu,hardshrink,threshold}")
def activation(input: Tensor) -> Answer:
    return "*S -> *S"


@op(
    f"{FUNCTIONS}.{{dropout,alpha_dropout,feature_alpha_dropout}}",
    "torch.{dropout,alpha_dropout,feature_alpha_dropout,alpha_dropout_}",
)
@op("torch.{dropout_,feature_alpha_dropout_,feature_dropout,feature_dropout_}", oracle="none: as in nn.functional")
def dropped(input: Tensor, p: AnyValue = NONE, training: AnyValue = NONE, inplace: AnyValue = NONE) -> Answer:
    return "*S -> *S"


@op(f"{FUNCTIONS}.{{tanh,softsign,tanhshrink}}", dtype="first float")
def floating_activation(input: Tensor) -> Answer:
    return "*S -> *S"


@op(f"{FUNCTIONS}.dropout2d")
def channels_dropped(input: Tensor, p: AnyValue = NONE, training: AnyValue = NONE, inplace: AnyValue = NONE) -> Answer:
    return "n c *S -> n c *S"


@op(f"{FUNCTIONS}.dropout3d")
def volumes_dropped(input: Tensor, p: AnyValue = NONE, training: AnyValue = NONE, inplace: AnyValue = NONE) -> Answer:
    return "n *S -> n *S"


@op(f"{FUNCTIONS}.dropout1d")
def channels_dropped_1d(
    input: Tensor, p: AnyValue = NONE, training: AnyValue = NONE, inplace: AnyValue = NONE
) -> Answer:
    return "n? c l -> n? c l"


@layer("torch.nn.Softmax", "torch.nn.Softmin")
def softmax(input: Tensor, dim: Axis | None = None) -> Answer:
    if dim is None:
        return "*S -> *S", also(nature="softmax")
    notices = over_samples(input, dim) if input.rank else []
    return at(dim, "d -> d"), also(nature="softmax", notices=notices)


@layer("torch.nn.LogSoftmax")
def log_softmax(input: Tensor, dim: Axis | None = None) -> Answer:
    if dim is None:
        return "*S -> *S"
    return at(dim, "d -> d"), also(notices=over_samples(input, dim) if input.rank else [])


@layer("torch.nn.Softmax2d")
def softmax_2d(input: Tensor) -> Answer:
    return "*S h w -> *S h w"


@layer("torch.nn.GLU")
@op(f"{FUNCTIONS}.glu")
def glu(input: Tensor, dim: Axis = -1) -> Answer:
    place_of(input, dim)
    return at(dim, "d -> (d // 2)"), "d % 2 == 0"


# Normalisation -------------------------------------------------------------------------------------------------------

_RANKS = {1: (2, 3), 2: (4,), 3: (5,)}


@layer("torch.nn.{BatchNorm1d,BatchNorm2d,BatchNorm3d}")
def batch_norm(axes: Dimensions, input: Tensor, num_features: Size) -> Answer:
    return _by_channels(input, num_features, _RANKS[axes])


@layer("torch.nn.LazyBatchNorm{1,2,3}d")
def lazy_batch_norm(axes: Dimensions, input: Tensor) -> Answer:
    return _by_channels(input, input.shape.size(1), _RANKS[axes])


@layer("torch.nn.LazyInstanceNorm{1,2,3}d")
def lazy_instance_norm(axes: Dimensions, input: Tensor) -> Answer:
    return instance_norm(axes, input, 1)


@layer("torch.nn.SyncBatchNorm")
def sync_batch_norm(input: Tensor, num_features: Size) -> Answer:
    return _by_channels(input, num_features, (2, 3, 4, 5))


def _by_channels(input: Tensor, channels: object, ranks: tuple[int, ...]) -> Answer:
    """The channels are the second axis."""
    if input.rank is not None and input.rank not in ranks:
        said = " or ".join(map(str, ranks))
        raise Refused(ClashKind.RANK, f"{input.name} has rank {input.rank}, not {said}")
    size = input.shape.size(1)
    said = f"{input.name} has {size} channels, not {channels}"
    if input.rank is None and size is None and len(ranks) == 1:
        axes = " ".join(f"a{axis}" for axis in range(*ranks))
        return f"{axes} -> {axes}"
    if size is None or size == channels:
        return "*S -> *S"
    return "*S -> *S", equal(ClashKind.AXIS, size, channels, said)  # type: ignore[arg-type]


@layer("torch.nn.InstanceNorm{1,2,3}d")
def instance_norm(axes: Dimensions, input: Tensor, num_features: Size) -> Answer:
    """Channels that do not fit are only warned of, unless there are weights."""
    if input.rank is not None and input.rank not in (axes + 1, axes + 2):
        raise Refused(ClashKind.RANK, f"{input.name} has rank {input.rank}, not {axes + 1} or {axes + 2}")
    return "*S -> *S"


@configured("torch.nn.GroupNorm")
def groups_divide(given: Mapping[str, Value]) -> Need | None:
    """The groups divide the channels."""
    groups, channels = (as_size(given.get(name, NONE)) for name in ("num_groups", "num_channels"))
    if isinstance(channels, int) and isinstance(groups, int) and groups > 0 and channels % groups:
        return never(ClashKind.AXIS, f"num_channels {channels} cannot be divided into {groups} groups")
    return None


@layer("torch.nn.GroupNorm")
def group_norm(input: Tensor, num_groups: Size, num_channels: Size) -> Answer:
    return _grouped(input, num_groups, num_channels)


def _grouped(input: Tensor, num_groups: Size, num_channels: Size) -> Answer:
    size = input.shape.size(1)
    needs = divided(num_channels, num_groups, "channels")
    if size is not None and size != num_channels:
        needs.append(equal(ClashKind.AXIS, size, num_channels, f"{input.name} has {size} channels, not {num_channels}"))
    return "*S -> *S", *needs


@layer("torch.nn.{LayerNorm,RMSNorm}")
@op(f"{FUNCTIONS}.{{layer_norm,rms_norm}}")
def layer_norm(input: Tensor, normalized_shape: ShapeArg) -> Answer:
    """The last axes have the normalized shape."""
    return "*S -> *S", *_ends_with(input, normalized_shape)


def _ends_with(input: Tensor, wanted: Shape) -> list[Need]:
    if wanted.tail is not None or input.rank is None:
        return []
    count = len(wanted.head)
    if count > input.rank:
        raise Refused(ClashKind.RANK, f"{input.name} has rank {input.rank}, the normalized shape is {wanted}")
    said = f"the last axes of {input.name} have {{}}, the normalized shape has {{}}"
    pairs = [(x, y) for x, y in zip(input.shape.head[input.rank - count :], wanted.head, strict=True) if x != y]
    return each_equal(ClashKind.AXIS, [x for x, _ in pairs], [y for _, y in pairs], said)


@op(f"{FUNCTIONS}.{{batch_norm,group_norm}}", "torch.batch_norm")
def normalised(input: Tensor) -> Answer:
    return "n c *S -> n c *S"


@op(f"{FUNCTIONS}.local_response_norm", dtype="first float")
def response_normalised(input: Tensor) -> Answer:
    return "n c l *S -> n c l *S"


@op(f"{FUNCTIONS}.instance_norm", dtype="first float")
def instance_normalised(input: Tensor, use_input_stats: AnyValue = TRUE) -> Answer:
    """One value has no variance."""
    sizes = input.shape.head[2:] if input.rank is not None else ()
    if use_input_stats == TRUE and sizes and all(size == 1 for size in sizes):
        raise Refused(ClashKind.ELEMENTS, f"each channel of {input.shape} has one value, which has no variance")
    return "n c l *S -> n c l *S"


@op("torch.{layer_norm,rms_norm}", oracle="none: as in nn.functional")
def layer_normalised(input: Tensor, normalized_shape: ShapeArg) -> Answer:
    return "*S -> *S", *_ends_with(input, normalized_shape)


@op("torch.{group_norm,instance_norm}", oracle="none: as in nn.functional")
def grouped(input: Tensor) -> Answer:
    return "n c *S -> n c *S"


@layer("torch.nn.{LocalResponseNorm,CrossMapLRN2d}")
def local_response_norm(input: Tensor) -> Answer:
    return "*S -> *S"


# Shapes and words ----------------------------------------------------------------------------------------------------


@layer("torch.nn.Flatten")
def flatten(input: Tensor, start_dim: Axis = 1, end_dim: Axis = -1) -> Answer:
    return flattened(input, start_dim, end_dim)


@layer("torch.nn.Unflatten")
def unflatten(input: Tensor, dim: AnyValue, unflattened_size: ShapeArg) -> Answer:
    return _unflattened(input, dim, unflattened_size)


def _unflattened(input: Tensor, dim: AnyValue, unflattened_size: ShapeArg) -> Answer:
    place, known = as_size(dim), unflattened_size.tail is None
    if not isinstance(place, int) or input.rank is None or not known:
        raise Blind("the axis")
    one = Tensor(input.name, Shape((input.shape.head[place_of(input, place)],)), input.dtype)
    shape, hole = of_numpy.with_hole(one, unflattened_size)
    full, needs = of_numpy.filled(one, shape, hole)
    return result(instead(input.shape, place_of(input, place), full), needs=needs)


@layer("torch.nn.Embedding", dtype="float32")
def embedding(input: Tensor, num_embeddings: Size, embedding_dim: Size) -> Answer:
    return "*S -> *S {embedding_dim}"


@op(f"{FUNCTIONS}.embedding_bag", dtype="last", oracle="none: offsets")
def embedded_bags(input: Tensor, weight: Tensor) -> Answer:
    """Rows are bags; those of a vector begin where the offsets say."""
    return "b n, m d -> b d" if input.rank == 2 else UNRANKED


@layer("torch.nn.ChannelShuffle")
@op(f"{{{FUNCTIONS},torch}}.{{channel_shuffle,native_channel_shuffle}}")
def channel_shuffle(input: Tensor, groups: Size) -> Answer:
    return "b c s *S -> b c s *S", *divided(input.shape.size(1) or groups, groups, "channels")


@layer("torch.nn.EmbeddingBag", dtype="float32")
def embedding_bag(input: Tensor, num_embeddings: Size, embedding_dim: Size) -> Answer:
    if input.rank != 2:
        return UNRANKED
    return "b n -> b {embedding_dim}"
