"""Draws the arguments that are no tensors, and sizes of those that are."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from shapecheck.models.lang.kinds import Parameter, Reading
from shapecheck.models.lang.op import Definition

PRIMES = (2, 3, 5, 7)
SKIP = object()
EQUATIONS = (
    "ij,jk->ik",
    "bij,bjk->bik",
    "ij->ji",
    "ij,ij->",
    "...ij,jk->...ik",
    "bij,bj->bi",
    "i,j->ij",
    "ij,jk",
    "bhd,bkd->bhk",
)


def sizes(rank: int, rng: random.Random) -> tuple[int, ...]:
    """Distinct primes, with a share of ones, equal sizes and a few zeros."""
    drawn = list(rng.sample(PRIMES, min(rank, 4)))
    for axis in range(len(drawn)):
        if rng.random() < 0.2:
            drawn[axis] = 1
        elif rng.random() < 0.15:
            drawn[axis] = drawn[rng.randrange(len(drawn))]
        elif rng.random() < 0.02:
            drawn[axis] = 0
    return tuple(drawn)


def argument(parameter: Parameter, first: tuple[int, ...], rng: random.Random, made: Definition) -> Any:
    rank = len(first)
    match parameter.reading:
        case Reading.FLAG:
            return rng.random() < 0.5
        case Reading.CHOICE:
            return rng.choice(parameter.options)
        case Reading.SIZE if parameter.name.startswith("target_"):
            return rng.choice([1, 3, 9, 12])
        case Reading.SIZE if parameter.name == "block_size":
            return rng.choice([1, 2, 2, 3])
        case Reading.SIZE:
            return rng.choice([0, 1, 1, 2, 3])
        case Reading.SIZES:
            return sizes_argument(made.names[0].lower(), parameter.name, rng)
        case Reading.AXIS:
            return rng.randint(-rank - 1, rank) if rng.random() < 0.25 else rng.randint(-rank, max(rank - 1, 0))
        case Reading.AXES:
            return axes_argument(parameter, rank, rng, made.function.__name__)
        case Reading.SHAPE:
            return shape_argument(first if made.family not in ("ops.image", "ops.keras_image") else (), rng)
        case Reading.ANY:
            return any_argument(parameter.name, first, rng)
    return rng.choice(EQUATIONS) if parameter.name == "equation" else SKIP


def sizes_argument(function: str, name: str, rng: random.Random) -> Any:
    """One number, or one per axis where the function insists."""
    number = rng.choice([1, 2, 3])
    if function.startswith("keras.ops."):
        return number
    if name == "window_shape":
        return [number] * rng.choice([1, 2])
    if function == "tf.nn.pool":
        return SKIP
    if "dilation2d" in function or "erosion2d" in function:
        return [1, number, number, 1]
    if "3d" in function:
        return [1, number, number, number, 1]
    if "depthwise" in function or "separable" in function:
        return [1, number, number, 1] if name == "strides" else [number, number]
    return rng.choice([number, [1, number, number, 1]]) if "2d" in function else number


def axes_argument(parameter: Parameter, rank: int, rng: random.Random, function: str) -> Any:
    if function == "reverse":
        return [rng.randint(-rank - 1, rank)]
    if function in ("fft2", "fftn"):
        return rng.sample(range(-rank, rank), min(rank, 2))
    if function in ("norm", "normalize_by_norm"):
        return rng.randint(-rank - 1, rank)
    if parameter.name in ("axes", "pattern") and (rng.random() < 0.8 or function == "transpose"):
        order = list(range(rank))
        rng.shuffle(order)
        return order
    if rng.random() < 0.6 or not rank:
        return rng.randint(-rank - 1, rank)
    return tuple(rng.randint(-rank, rank - 1) for _ in range(rng.choice([1, 2])))


def shape_argument(first: tuple[int, ...], rng: random.Random) -> Any:
    kind = rng.random()
    shape = list(first)
    if kind < 0.3 or not shape:
        return list(sizes(rng.choice([1, 2, 2, 3]), rng))
    if kind < 0.5:
        rng.shuffle(shape)
        return shape
    at = rng.randrange(len(shape))
    if kind < 0.8:
        shape[at] = -1
        if len(shape) > 1 and rng.random() < 0.5:
            del shape[at - 1]
        return shape
    return [rng.choice([1, 2, 3]), *shape]


def index_entry(size: int, rng: random.Random) -> Any:
    kind = rng.random()
    if kind < 0.35:
        return rng.randint(-size - 1, size) if kind < 0.05 else rng.randint(-size, max(size - 1, 0))
    if kind < 0.45:
        return [rng.randint(0, max(size - 1, 0)) for _ in range(rng.choice([1, 2]))]
    bounds = [rng.choice([None, rng.randint(-size - 1, size + 1)]) for _ in range(2)]
    return slice(*bounds, rng.choice([None, None, 1, 2, -1]))


def any_argument(name: str, first: tuple[int, ...], rng: random.Random) -> Any:
    rank = len(first)
    if name == "dtype":
        return "float32"
    if name == "seed":
        return [1, 2]
    if name == "indexing":
        return rng.choice(["xy", "ij"])
    if name == "axes":
        return rng.choice([0, 1, 2, [[rank - 1], [0]], [[0], [max(rank - 1, 0)]], [0, 0]])
    if name == "index":
        entries = [index_entry(size, rng) for size in first[: rng.randint(0, rank)]]
        for extra, chance in ((None, 0.3), (..., 0.2), (0, 0.1)):
            if rng.random() < chance:
                entries.insert(rng.randint(0, len(entries)), extra)
        return entries[0] if len(entries) == 1 and rng.random() < 0.7 else tuple(entries)
    if name in ("paddings", "pad_width"):
        return [[rng.randint(0, 2), rng.randint(0, 2)] for _ in range(rank if rng.random() < 0.85 else rank + 1)]
    if name in ("num_or_size_splits", "indices_or_sections"):
        return rng.choice([1, 2, 3, 5, [1, 2], [1, -1], [2, 1]])
    return SKIP


# Arguments that only fit together -----------------------------------------------------------------------------------


def transposed(axes: int, rng: random.Random) -> dict[str, Any]:
    """A convolution whose result has the shape of the input; lists are arguments, tuples shapes of tensors."""
    step, batch, inside, outside = rng.choice([1, 2, 3]), *rng.sample(PRIMES, 3)
    spots = [rng.choice([2, 3, 5]) for _ in range(axes)]
    output = [batch, *(spot * step for spot in spots), outside]
    kernel = (*[rng.choice([1, 2]) for _ in spots], outside, inside)
    shapes = {"value": (batch, *spots, inside), "filters": kernel, "padding": "SAME"}
    return {**shapes, "output_shape": output, "strides": [1, *[step] * axes, 1]}


def scattered(rng: random.Random) -> dict[str, Any]:
    """Each row of the indices names a place in the result."""
    target, rows = list(sizes(rng.choice([1, 2, 3]), rng)), rng.choice(PRIMES)
    depth = rng.randint(1, len(target))
    return {"indices": (rows, depth), "updates": (rows, *target[depth:]), "shape": target}


def tensor_scattered(rng: random.Random) -> dict[str, Any]:
    drawn = scattered(rng)
    return {"tensor": tuple(drawn.pop("shape")), **drawn}


def sliced(rng: random.Random) -> dict[str, Any]:
    shape = sizes(rng.choice([1, 2, 3]), rng)
    begin = [rng.randint(0, size) for size in shape]
    return {
        "input_": shape,
        "begin": begin,
        "size": [rng.choice([-1, rng.randint(0, size - low)]) for size, low in zip(shape, begin, strict=True)],
    }


def chosen_boxes(rng: random.Random) -> dict[str, Any]:
    batch, count, classes = rng.sample(PRIMES, 3)
    shapes = {"boxes": (batch, count, rng.choice([1, classes]), 4), "scores": (batch, count, classes)}
    return {**shapes, "max_output_size_per_class": rng.choice([1, 2]), "max_total_size": rng.choice([1, 3])}


COUPLED: dict[str, Callable[[random.Random], dict[str, Any]]] = {
    "conv2d_transpose": lambda rng: transposed(2, rng),
    "conv3d_transpose": lambda rng: transposed(3, rng),
    "combined_non_max_suppression": chosen_boxes,
    "scatter_nd": scattered,
    "slice_": sliced,
    "tensor_scatter": tensor_scattered,
}
