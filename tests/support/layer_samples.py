"""Random layers and inputs for the agreement test: arguments from the models' own parameter kinds."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import Random
from typing import Any

from shapecheck.models.lang.parameter_kinds import Parameter, Reading
from shapecheck.models.lang.registry import Definition

PRIMES = (2, 3, 5, 7, 11, 13)
MERGES = ("Add", "Multiply", "Average", "Maximum", "Minimum", "Subtract", "Concatenate", "Dot")
FIXED: dict[str, tuple[Any, ...]] = {
    "data_format": (None, None, None, "channels_last", "channels_first"),
    "groups": (1, 1, 2, 3),
    "depth_multiplier": (1, 2),
    "dilation_rate": (1,),
    "output_padding": (None, None, 0),
    "axes": (1, -1, (1, 2), (2, 1), (1, 1), 2),
    "output_mode": (None,),
    "output_shape": (None, None, 3, (3,)),
    "attention_axes": (None,),
    "shared_axes": (None, (1,), (1, 2)),
    "input_dim": (20,),
    "num_tokens": (7,),
    "rate": (0.5,),
}
EXTRA: dict[str, dict[str, Any]] = {
    "Activation": {"activation": "relu"},
    "Dropout": {"rate": 0.5},
    "AlphaDropout": {"rate": 0.5},
    "GaussianDropout": {"rate": 0.5},
    "GaussianNoise": {"stddev": 0.5},
    "SpatialDropout1D": {"rate": 0.5},
    "SpatialDropout2D": {"rate": 0.5},
    "SpatialDropout3D": {"rate": 0.5},
    **{f"AveragePooling{axes}D": {"pool_size": 2} for axes in (1, 2, 3)},
    "Rescaling": {"scale": 0.5},
    "Normalization": {"mean": 0.0, "variance": 1.0},
}
RANKS = {"Embedding": 2, "RepeatVector": 2, "LSTM": 3, "GRU": 3, "SimpleRNN": 3, "MultiHeadAttention": 3}
RANKS |= {"Resizing": 4, "CenterCrop": 4, "RandomCrop": 4, "Attention": 3, "AdditiveAttention": 3, "PReLU": 3}
WRAPPED = ("Bidirectional", "TimeDistributed")


@dataclass
class Sample:
    """A layer and the shapes of its calls, one list for each; `keywords` are tensors by name."""

    layer: dict[str, Any]
    calls: list[list[list[int | None]]]
    listed: bool = False
    symbolic: bool = False
    keywords: dict[str, list[int | None]] = field(default_factory=dict)

    def request(self) -> dict[str, Any]:
        return vars(self)


def sample(name: str, definition: Definition, random: Random) -> Sample:
    """Return a random layer of that name, called once or twice; half of the calls are damaged in some way."""
    plain = name.rsplit(".", 1)[-1]
    arguments = dict(EXTRA.get(plain, {}))
    rank = natural_rank(plain, random)
    for parameter in definition.parameters:
        if (
            parameter.reading not in (Reading.TENSOR, Reading.TENSORS, Reading.TARGET)
            and parameter.name not in arguments
        ):
            value = argument(parameter, plain, rank, random)
            if value is not None or parameter.required:
                arguments[parameter.name] = value
    if _strides_differ(arguments) or (random.random() < 0.3 and "dilation_rate" in arguments):
        arguments["strides"], arguments["dilation_rate"] = 1, random.choice((1, 2))
    symbolic = random.random() < 0.6 or arguments.get("data_format") == "channels_first"
    shapes = inputs(plain, definition, rank, arguments, random)
    calls = [shapes]
    if random.random() < 0.3:
        calls.append([damaged(shape, random) for shape in shapes] if random.random() < 0.6 else shapes)
    if symbolic:
        hidden = random.random() < 0.6
        calls = [[hide(shape, hidden, random) for shape in call] for call in calls]
    listed = any(parameter.reading is Reading.TENSORS for parameter in definition.parameters) and plain not in RANKS
    return Sample(
        {"name": plain, "arguments": arguments},
        calls,
        listed or ("Attention" in plain[-9:] and plain != "MultiHeadAttention"),
        symbolic,
    )


def _strides_differ(arguments: dict[str, Any]) -> bool:
    strides = arguments.get("strides")
    return arguments.get("dilation_rate", 1) != 1 and strides not in (None, 1)


def natural_rank(name: str, random: Random) -> int:
    found = re.search(r"(\d)D", name)
    rank = int(found[1]) + 2 if found else RANKS.get(name) or random.choice((2, 2, 3, 4, 5))
    return rank + ("ConvLSTM" in name)


def argument(parameter: Parameter, layer: str, rank: int, random: Random) -> Any:
    """Return a plausible argument; None leaves it out."""
    if parameter.name in FIXED and not (layer == "GroupNormalization" and parameter.name == "axis"):
        return random.choice(FIXED[parameter.name])
    if parameter.name == "projected" or parameter.name.startswith("_"):
        return None
    if not parameter.required and random.random() < 0.4:
        return None
    match parameter.reading:
        case Reading.SIZE:
            return random.choice((1, 2, 3, 4, 6))
        case Reading.SIZES:
            return sizes(parameter, layer, random)
        case Reading.FLAG:
            return random.random() < 0.5
        case Reading.CHOICE:
            return random.choice(parameter.options)
        case Reading.AXIS:
            return random.randint(-rank, rank - 1) if random.random() < 0.9 else rank
        case Reading.AXES:
            return random.randint(-rank + 1, rank - 1) if random.random() < 0.9 else rank
        case Reading.SHAPE:
            return random.choice(((6,), (-1,), (2, 3), (-1, 2), (3, -1), (2, -1, 3), (30,), (5, 6)))
    return amounts(layer, rank, random)


def sizes(parameter: Parameter, layer: str, random: Random) -> Any:
    found = re.search(r"(\d)D", layer)
    axes = int(found[1]) if found else 1
    choices = (1, 1, 2) if parameter.name == "strides" else (1, 2, 3)
    if (parameter.name == "strides" and ("Depthwise" in layer or "Separable" in layer)) or random.random() < 0.5:
        return random.choice(choices)
    return tuple(random.choice(choices) for _ in range(axes))


def amounts(layer: str, rank: int, random: Random) -> Any:
    """Return paddings, croppings and permutations."""
    if layer == "Permute":
        count = random.choice((rank - 1, rank - 1, rank))
        return tuple(random.sample(range(1, count + 1), count))
    axes = rank - 2
    form = random.randrange(3)
    if form == 0:
        return random.choice((0, 1, 2))
    if axes == 1:
        return (random.choice((0, 1, 2)), random.choice((0, 1, 3)))
    if form == 1:
        return tuple(random.choice((0, 1, 2)) for _ in range(axes))
    return tuple((random.choice((0, 1, 2)), random.choice((0, 1, 3))) for _ in range(axes))


def shape_of(rank: int, random: Random) -> list[int | None]:
    return [random.choice(PRIMES if random.random() < 0.8 else (1, 4, 6)) for _ in range(rank)]


def inputs(
    name: str, definition: Definition, rank: int, arguments: dict[str, Any], random: Random
) -> list[list[int | None]]:
    if random.random() < 0.15:
        rank = max(1, rank + random.choice((-1, 1)))
    first = shape_of(rank, random)
    if name == "Reshape" and random.random() < 0.8:
        first = [3, *random.choice(([2, 3], [30], [5, 6], [6], [10, 3]))]
    if name == "GroupNormalization" or arguments.get("groups", 1) != 1:
        first[-1] = random.choice((4, 6, 12))
    if name in MERGES:
        return [
            first,
            *(
                merged(name, first, arguments, random)
                for _ in range(1 if name in ("Dot", "Subtract") else random.choice((1, 1, 2)))
            ),
        ]
    if name in ("Attention", "AdditiveAttention", "MultiHeadAttention"):
        return queried(name, first, random)
    return [first]


def merged(name: str, first: list[int | None], arguments: dict[str, Any], random: Random) -> list[int | None]:
    other = list(first)
    if name == "Concatenate":
        axis = arguments.get("axis", -1)
        if -len(other) <= axis < len(other):
            other[axis] = random.choice(PRIMES)
    elif name == "Dot":
        other = [first[0], *(random.choice([*first[1:], 3]) for _ in first[1:])]
    elif random.random() < 0.4:
        other[random.randrange(len(other))] = 1
    return damaged(other, random) if random.random() < 0.35 else other


def queried(name: str, first: list[int | None], random: Random) -> list[list[int | None]]:
    steps, width = random.choice(PRIMES), random.choice(PRIMES)
    if name == "MultiHeadAttention":
        value = [*first[:-2], steps, width] if len(first) > 2 else first
        return [first, damaged(value, random) if random.random() < 0.2 else value]
    value = [*first[:-2], steps, first[-1]]
    shapes = [first, value] if random.random() < 0.5 else [first, [*value[:-1], width], value]
    return [damaged(shape, random) if random.random() < 0.15 else shape for shape in shapes]


def damaged(shape: list[int | None], random: Random) -> list[int | None]:
    """Return the shape with one axis changed, added or dropped."""
    form = random.randrange(4)
    if form == 0 and len(shape) > 1:
        return shape[1:]
    if form == 1:
        return [*shape, random.choice(PRIMES)]
    at = random.randrange(len(shape))
    return [*shape[:at], random.choice(PRIMES), *shape[at + 1 :]]


def hide(shape: list[int | None], hidden: bool, random: Random) -> list[int | None]:
    """Return the declared shape: its batch, and now and then another axis, is open."""
    if not hidden or not shape:
        return shape
    opened = [None, *shape[1:]]
    if len(shape) > 2 and random.random() < 0.25:
        opened[random.randrange(1, len(shape))] = None
    return opened
