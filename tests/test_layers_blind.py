"""Keras layers with part of their input's shape hidden: what Keras gives must remain possible, and nothing may clash.

The same random layers as in the agreement test; only calls that Keras accepts count.
"""

from __future__ import annotations

import zlib
from random import Random
from typing import Any

import pytest
from child import Child
from layer_oracle import flat
from layer_samples import sample
from stub_context import StubContext, value_of
from test_layers import CASES, NAMES, context, is_exception, is_tested, oracle

from shapecheck.models.lang.op import lookup
from shapecheck.models.layers.keras import LAYERS
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size
from shapecheck.values import Lost, Ref, Seq, Tensor, Value, items_of

__all__ = ["oracle"]


@pytest.mark.parametrize("name", [name for name in NAMES if is_tested(name)])
def test_layer_is_sound_when_blind(name: str, oracle: Child) -> None:
    random = Random(zlib.crc32(name.encode()) + 1)
    wrong = []
    for _ in range(CASES):
        drawn = sample(name, LAYERS[name], random)
        drawn.calls = drawn.calls[:1]
        real = oracle.ask(drawn.request())
        if "error" in real or "crash" in real or is_exception(drawn, real):
            continue
        ctx = context()
        shapes = [veiled(ctx, shape, random) for shape in drawn.calls[0]]
        library = "keras" if drawn.symbolic else "tf"
        inputs = [Tensor(shape, "float32", library) for shape in shapes]
        result = called(ctx, name, drawn.layer["arguments"], inputs, drawn.listed)
        complaint = contradiction(result, real["shapes"][0]) or (f"clash {ctx.clashes[0]}" if ctx.clashes else "")
        if complaint:
            wrong.append(f"{drawn.layer} on {[str(s) for s in shapes]} of {drawn.calls[0]}: {complaint}")
    assert not wrong, "\n".join(wrong[:5])


def called(ctx: StubContext, name: str, arguments: dict[str, Any], inputs: list[Tensor], listed: bool) -> Value:
    """What our model of a layer gives."""
    make, call = lookup(name), lookup(f"{name}.__call__")
    assert make is not None and call is not None
    layer = make.run(ctx, [], {key: value_of(value) for key, value in arguments.items()})
    assert isinstance(layer, Ref)
    return call.run(ctx, [layer, *([Seq("list", tuple(inputs))] if listed else inputs)], {})


def veiled(ctx: StubContext, shape: list[int | None], random: Random) -> Shape:
    """The shape with sizes lost, its middle or its rank unknown, or as it is."""
    form = random.randrange(4)
    if form == 0:
        return UNRANKED
    sizes: list[Size] = [
        ctx.fresh("B", Kind.DYNAMIC) if size is None else size if random.random() < 0.5 else ctx.fresh("?", Kind.LOST)
        for size in shape
    ]
    if form == 1 and sizes:
        cut = random.randrange(len(sizes))
        return Shape(tuple(sizes[:cut]), tuple(sizes[cut + 1 :]))
    return Shape(tuple(sizes))


def contradiction(result: Value, shapes: Any) -> str:
    """Why the real shapes cannot be what we said; nothing if they can."""
    if isinstance(result, Lost):
        return ""
    expected = flat(shapes)
    items = items_of(result) if isinstance(result, Seq) else (result,)
    if items is None or len(items) != len(expected):
        return f"Keras gives {expected}, we {result}"
    for item, shape in zip(items, expected, strict=True):
        if isinstance(item, Tensor) and not possible(item.shape, shape):
            return f"Keras gives {shape}, we {item.shape}"
    return ""


def possible(ours: Shape, real: list[int | None]) -> bool:
    """Whether a shape may be the real one, as far as plain numbers tell."""
    if ours.min_rank > len(real) or (ours.is_ranked and ours.min_rank < len(real)):
        return False
    tail = ours.tail or ()
    pairs = [*zip(ours.head, real, strict=False), *zip(reversed(tail), reversed(real), strict=False)]
    return all(not isinstance(size, int) or real_size is None or size == real_size for size, real_size in pairs)
