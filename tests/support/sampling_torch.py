"""Draws arguments of functions of PyTorch that only fit together; lists are arguments, tuples shapes of tensors."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from tests.support.sampling_arguments import PRIMES, sizes

Drawn = dict[str, Any]


def axes_of(name: str, rng: random.Random) -> int:
    """Return the number of spatial axes that a name tells."""
    return next((int(each) for each in name if each in "123"), rng.choice([1, 2, 3]))


def maps(axes: int, channels: int, rng: random.Random) -> tuple[int, ...]:
    """Return the shape of maps, a fifth of them without a batch."""
    batch = () if rng.random() < 0.2 else (rng.choice([1, *PRIMES]),)
    return (*batch, channels, *(rng.choice([5, 6, 7, 9, 11]) for _ in range(axes)))


def each(axes: int, choices: tuple[int, ...], rng: random.Random) -> Any:
    """Return a number for all axes, or one for each."""
    return rng.choice(choices) if rng.random() < 0.5 else [rng.choice(choices) for _ in range(axes)]


def some(rng: random.Random, **options: Any) -> Drawn:
    """Return a share of the options."""
    return {name: value for name, value in options.items() if rng.random() < 0.4}


def convolved(rng: random.Random, name: str) -> Drawn:
    axes, groups, (taken, made) = axes_of(name, rng), rng.choice([1, 1, 1, 2, 3]), rng.sample(PRIMES, 2)
    kernel = [rng.choice([1, 2, 3]) for _ in range(axes)]
    padding = rng.choice(["same", "valid"]) if rng.random() < 0.15 else each(axes, (0, 1, 2), rng)
    weight = (groups * made, taken, *kernel)
    options = some(
        rng, bias=(groups * made,), padding=padding, dilation=each(axes, (1, 2), rng), stride=each(axes, (1, 2, 3), rng)
    )
    if options.get("padding") == "same":
        options.pop("stride", None)
    return {"input": maps(axes, groups * taken, rng), "weight": weight, "groups": groups, **options}


def widened(rng: random.Random, name: str) -> Drawn:
    axes, groups, (taken, made) = axes_of(name, rng), rng.choice([1, 1, 1, 2, 3]), rng.sample(PRIMES, 2)
    kernel = [rng.choice([1, 2, 3]) for _ in range(axes)]
    given = some(rng, bias=(groups * made,), padding=each(axes, (0, 1), rng), dilation=each(axes, (1, 2), rng))
    given |= some(rng, stride=each(axes, (1, 2, 3), rng), output_padding=each(axes, (0, 1), rng))
    weight = (groups * taken, made, *kernel)
    return {"input": maps(axes, groups * taken, rng), "weight": weight, "groups": groups, **given}


def pooled(rng: random.Random, name: str) -> Drawn:
    axes = axes_of(name, rng)
    given = some(rng, stride=each(axes, (1, 2, 3), rng), padding=each(axes, (0, 1), rng), ceil_mode=rng.random() < 0.7)
    if "max" in name:
        given |= some(rng, dilation=each(axes, (1, 2), rng))
    return {"input": maps(axes, rng.choice(PRIMES), rng), "kernel_size": each(axes, (1, 2, 3), rng), **given}


def adapted(rng: random.Random, name: str) -> Drawn:
    axes = axes_of(name, rng)
    wanted = each(axes, (1, 2, 3, 5), rng)
    if isinstance(wanted, list) and axes > 1 and rng.random() < 0.3:
        wanted[rng.randrange(axes)] = None
    return {"input": maps(axes, rng.choice(PRIMES), rng), "output_size": wanted}


def resized(rng: random.Random, _: str) -> Drawn:
    axes = rng.choice([1, 2, 2, 3])
    mode = rng.choice(["nearest", "area", "nearest-exact", *("linear", "bilinear", "bicubic", "trilinear")])
    given = {"input": (rng.choice(PRIMES), *maps(axes, rng.choice(PRIMES), rng)[-axes - 1 :])}
    how = (
        {"size": each(axes, (1, 3, 8, 12), rng)} if rng.random() < 0.5 else {"scale_factor": rng.choice([2, 0.5, 1.5])}
    )
    return {**given, **how, "mode": mode}


def padded(rng: random.Random, _: str) -> Drawn:
    shape = sizes(rng.choice([1, 2, 3, 4]), rng)
    axes = rng.randint(0, len(shape)) if rng.random() < 0.9 else len(shape) + 1
    widths = [rng.choice([0, 1, 2, -1]) for _ in range(2 * axes)]
    if rng.random() < 0.6:
        return {"input": shape, "pad": widths}
    axes = rng.choice([1, 2])
    mode = rng.choice(["reflect", "replicate", "circular"])
    return {"input": maps(axes, 3, rng), "pad": [rng.choice([0, 1, 2]) for _ in range(2 * axes)], "mode": mode}


def columns(rng: random.Random, _: str) -> Drawn:
    given = some(rng, dilation=each(2, (1, 2), rng), padding=each(2, (0, 1), rng), stride=each(2, (1, 2), rng))
    return {"input": maps(2, rng.choice(PRIMES), rng), "kernel_size": each(2, (1, 2, 3), rng), **given}


def uncolumned(rng: random.Random, _: str) -> Drawn:
    kernel, step, spots = ([rng.choice(choices) for _ in range(2)] for choices in ((1, 2, 3), (1, 2), (5, 6, 7)))
    channels, windows = rng.choice(PRIMES), 1
    for size, window, stride in zip(spots, kernel, step, strict=True):
        windows *= (size - window) // stride + 1
    shape = (channels * kernel[0] * kernel[1], windows + (rng.random() < 0.1))
    batch = () if rng.random() < 0.2 else (rng.choice(PRIMES),)
    return {"input": (*batch, *shape), "output_size": spots, "kernel_size": kernel, "stride": step}


def shuffled(rng: random.Random, _: str) -> Drawn:
    factor, (batch, channels, height, width) = rng.choice([1, 2, 3]), rng.sample(PRIMES, 4)
    large = rng.random() < 0.5
    shape = (
        (batch, channels * factor**2, height, width) if large else (batch, channels, height * factor, width * factor)
    )
    return {"input": shape, "upscale_factor": factor, "downscale_factor": factor}


def sampled(rng: random.Random, _: str) -> Drawn:
    axes, batch = rng.choice([2, 2, 3]), rng.choice(PRIMES)
    return {
        "input": (batch, *maps(axes, rng.choice(PRIMES), rng)[-axes - 1 :]),
        "grid": (batch, *(rng.choice([1, 2, 3]) for _ in range(axes)), axes),
    }


def attended(rng: random.Random, _: str) -> Drawn:
    batch = sizes(rng.choice([0, 1, 2]), rng)
    queries, keys, width, inner = rng.sample(PRIMES, 4)
    given = {"query": (*batch, queries, width), "key": (*batch, keys, width), "value": (*batch, keys, inner)}
    return {**given, **some(rng, attn_mask=(queries, keys))}


COUPLED: dict[str, Callable[[random.Random, str], Drawn]] = {
    **dict.fromkeys(("convolve", "conv"), convolved),
    **dict.fromkeys(("widen", "conv_transpose"), widened),
    **dict.fromkeys(("max_pool", "avg_pool"), pooled),
    "adaptive_pool": adapted,
    "interpolate": resized,
    "pad": padded,
    "unfold": columns,
    "fold": uncolumned,
    **dict.fromkeys(("pixel_shuffle", "pixel_unshuffle"), shuffled),
    "grid_sample": sampled,
    "scaled": attended,
}
