"""Draws arguments other than tensors, and sizes of tensors."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from shapecheck.models.lang.parameter_kinds import Parameter, Reading
from shapecheck.models.lang.registry import Definition

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
    """Return distinct primes, with a share of ones, equal sizes and a few zeros."""
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
            return rng.choice([option for option in parameter.options if option is not ...])
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
            return any_argument(parameter.name, first, rng, made.names[0])
        case Reading.TEXT if parameter.name == "data_format" and made.names[0].startswith("keras."):
            return rng.choice(["channels_first", "channels_last"])
    return rng.choice(EQUATIONS) if parameter.name == "equation" else SKIP


def sizes_argument(function: str, name: str, rng: random.Random) -> Any:
    """Return one number, or one per axis if the function requires it."""
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


def any_argument(name: str, first: tuple[int, ...], rng: random.Random, function: str) -> Any:
    rank = len(first)
    if name == "dtype":
        return "float32"
    if name == "seed":
        return [1, 2]
    if name == "central_fraction":
        return rng.choice([0.3, 0.5, 0.75, 1.0])
    if name == "ord":
        return rng.choice(["fro", 1, 2]) if function.startswith(("np.", "keras.")) else rng.choice(["euclidean", 1, 2])
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


def convolved(rng: random.Random, name: str) -> dict[str, Any]:
    """Return a convolution, with channels first or last; lists are arguments, tuples shapes of tensors."""
    axes = spatial_axes(name, rng)
    groups, taken, made, batch = rng.choice([1, 1, 1, 2, 3]), *rng.sample(PRIMES, 3)
    spots, kernel = [rng.choice([6, 7, 9, 11]) for _ in range(axes)], [rng.choice([1, 2, 3]) for _ in range(axes)]
    layout, shape = laid_out(name, batch, spots, groups * taken, rng)
    filters = (*kernel, taken, groups * made)
    if "depthwise" in name or "separable" in name:
        filters = (*kernel, groups * taken, made)
    mixed = (*[1] * axes, groups * taken * made, rng.choice(PRIMES))
    shapes = {"input": shape, "inputs": shape, "value": shape, "filters": filters, "filter": filters, "kernel": filters}
    shapes |= {"depthwise_filter": filters, "pointwise_filter": mixed}
    shapes |= {"depthwise_kernel": filters, "pointwise_kernel": mixed}
    return {**shapes, **layout, **steps(name, axes, layout, rng)}


def steps(name: str, axes: int, layout: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return strides or dilations: a number, or one for each axis, in tf.nn for batch and channels too."""
    number = rng.choice([1, 2, 3])
    every = [number] * axes
    full = [1, 1, *every] if "NC" in str(layout) else [1, *every, 1]
    if "depthwise_conv2d" in name or "separable_conv2d" in name:
        return {"strides": full} if rng.random() < 0.6 else {"strides": [1] * 4, "dilations": every}
    if "depthwise" in name or "separable" in name:
        return {"strides": number}
    is_full = name.startswith("tf.nn.") and name != "tf.nn.convolution"
    whole, ones = (full, [1] * (axes + 2)) if is_full else (every, [1] * axes)
    given, other = (whole, ones) if axes == 3 or rng.random() < 0.5 else (number, 1)
    if rng.random() < 0.7:
        return {"strides": given, "dilations": other, "dilation_rate": other}
    return {"strides": other, "dilations": given, "dilation_rate": given}


def spatial_axes(name: str, rng: random.Random) -> int:
    """Return the number of axes of the windows of a function."""
    if "depth" in name or "separable" in name:
        return rng.choice([1, 2]) if name.startswith("keras") and "space" not in name else 2
    return next((int(each) for each in name if each in "123"), rng.choice([1, 2, 3]))


def laid_out(
    name: str, batch: int, spots: list[int], channels: int, rng: random.Random
) -> tuple[dict[str, Any], tuple[int, ...]]:
    """Return a data format, or none, and the shape of a batch in it."""
    last, first = (batch, *spots, channels), (batch, channels, *spots)
    if rng.random() < 0.4:
        return {}, last
    is_first, letters = rng.random() < 0.5, "DHW"[-len(spots) :]
    if name.startswith("keras"):
        return {"data_format": "channels_first" if is_first else "channels_last"}, first if is_first else last
    return {"data_format": f"NC{letters}" if is_first else f"N{letters}C"}, first if is_first else last


def pooled(rng: random.Random, name: str) -> dict[str, Any]:
    axes, (batch, channels) = spatial_axes(name, rng), rng.sample(PRIMES, 2)
    layout, shape = laid_out(name, batch, [rng.choice([5, 6, 7, 9]) for _ in range(axes)], channels, rng)
    window = rng.choice([1, 2, 3])
    sizes = {"ksize": window, "pool_size": window, "window_shape": [window] * axes}
    step = rng.choice([1, 2, 3])
    return {
        "input": shape,
        "inputs": shape,
        **layout,
        **sizes,
        "strides": [step] * axes if name == "tf.nn.pool" else step,
    }


def blocks(rng: random.Random, name: str) -> dict[str, Any]:
    """Return an image whose blocks become channels, or the reverse."""
    size, (batch, channels) = rng.choice([2, 3]), rng.sample(PRIMES, 2)
    spots = [rng.choice([2, 3, 5]) for _ in range(2)]
    if "space_to" in name:
        spots = [spot * size for spot in spots]
    else:
        channels *= size * size
    layout, shape = laid_out(name, batch, spots, channels, rng)
    return {"input": shape, "x": shape, "block_size": size, **layout}


def transposed(rng: random.Random, name: str) -> dict[str, Any]:
    """Return a convolution whose result has the shape of the input."""
    axes, step, (batch, inside, outside) = spatial_axes(name, rng), rng.choice([1, 2, 3]), rng.sample(PRIMES, 3)
    spots = [rng.choice([2, 3, 5]) for _ in range(axes)]
    layout, shape = laid_out(name, batch, spots, inside, rng)
    is_first = "NC" in str(layout)
    large = [spot * step for spot in spots]
    output = [batch, outside, *large] if is_first else [batch, *large, outside]
    strides = [1, 1, *[step] * axes] if is_first else [1, *[step] * axes, 1]
    kernel = (*[rng.choice([1, 2]) for _ in spots], outside, inside)
    shapes = {"value": shape, "filters": kernel, "padding": "SAME"}
    return {**shapes, **layout, "output_shape": output, "strides": strides}


def slid_over(rng: random.Random, _: str) -> dict[str, Any]:
    """Return windows over some axes, or over all."""
    shape = sizes(rng.choice([1, 2, 3]), rng)
    axes = rng.sample(range(len(shape)), rng.randint(1, len(shape)))
    if rng.random() < 0.5:
        return {"x": shape, "window_shape": [rng.randint(0, max(size, 1)) for size in shape], "axis": None}
    return {"x": shape, "window_shape": [rng.randint(0, max(shape[at], 1)) for at in axes], "axis": axes}


def transformed(rng: random.Random, name: str) -> dict[str, Any]:
    """Return a transform over the last axes, of the given number of points."""
    axes = spatial_axes(name, rng) if name[-2:] in ("2d", "3d") else 1
    shape = sizes(min(4, axes + rng.choice([0, 1])), rng)
    return {"input": shape, "fft_length": [rng.randint(1, 5) for _ in range(axes)]}


def factored(rng: random.Random, _: str) -> dict[str, Any]:
    """Return the factors of matrices, the order of their rows, and right-hand sides."""
    batch, size = sizes(rng.choice([0, 0, 1]), rng), rng.choice(PRIMES)
    rhs = (*batch, size, rng.choice(PRIMES))
    return {"lower_upper": (*batch, size, size), "perm": (*batch, size), "rhs": rhs}


def scattered(rng: random.Random, _: str) -> dict[str, Any]:
    """Return indices, each row of which addresses a part of the result."""
    target, rows = list(sizes(rng.choice([1, 2, 3]), rng)), rng.choice(PRIMES)
    depth = rng.randint(1, len(target))
    return {"indices": (rows, depth), "updates": (rows, *target[depth:]), "shape": target}


def tensor_scattered(rng: random.Random, name: str) -> dict[str, Any]:
    drawn = scattered(rng, name)
    return {"tensor": tuple(drawn.pop("shape")), **drawn}


def sliced(rng: random.Random, _: str) -> dict[str, Any]:
    shape = sizes(rng.choice([1, 2, 3]), rng)
    begin = [rng.randint(0, size) for size in shape]
    return {
        "input_": shape,
        "begin": begin,
        "size": [rng.choice([-1, rng.randint(0, size - low)]) for size, low in zip(shape, begin, strict=True)],
    }


def chosen_boxes(rng: random.Random, _: str) -> dict[str, Any]:
    batch, count, classes = rng.sample(PRIMES, 3)
    shapes = {"boxes": (batch, count, rng.choice([1, classes]), 4), "scores": (batch, count, classes)}
    return {**shapes, "max_output_size_per_class": rng.choice([1, 2]), "max_total_size": rng.choice([1, 3])}


COUPLED: dict[str, Callable[[random.Random, str], dict[str, Any]]] = {
    **dict.fromkeys(("conv", "convolution", "depthwise_conv", "depthwise_conv2d"), convolved),
    **dict.fromkeys(("separable_conv", "separable_conv2d"), convolved),
    **dict.fromkeys(("pool", "pool_v2", "pool_of_axes"), pooled),
    **dict.fromkeys(("space_to_depth", "depth_to_space"), blocks),
    "conv_transpose": transposed,
    **dict.fromkeys(("rfft", "rfft2d", "rfft3d", "irfft", "irfft2d", "irfft3d"), transformed),
    **dict.fromkeys(("lu_matrix_inverse", "lu_solve", "lu_reconstruct"), factored),
    "combined_non_max_suppression": chosen_boxes,
    "sliding_window_view": slid_over,
    "scatter_nd": scattered,
    "slice_": sliced,
    "tensor_scatter": tensor_scattered,
}
