"""Models of Keras layers with part of the input's shape, or some of the arguments, hidden: Keras's result must remain
possible, and nothing may clash.

The random layers are those of the agreement test; only calls that Keras accepts count.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from shapecheck.domain.values import Lost, Ref, Seq, Tensor, Value, items_of
from shapecheck.models.lang.registry import lookup
from shapecheck.models.layers.base_layer import LAYERS
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size
from tests.support.child import Child
from tests.support.layer_oracle import flat
from tests.support.layer_samples import Sample, sample
from tests.support.seed import SEED, draws
from tests.support.stub_context import StubContext, value_of
from tests.test_layers import CASES, NAMES, context, is_exception, is_tested, oracle

__all__ = ["oracle"]


@pytest.mark.parametrize("name", [name for name in NAMES if is_tested(name)])
def test_layer_is_sound_when_blind(name: str, oracle: Child) -> None:
    random = draws(name, SEED + 1)
    wrong = []
    for drawn, real in accepted(name, oracle, random):
        ctx = context()
        shapes = [veiled(ctx, shape, random) for shape in drawn.calls[0]]
        complaint = judged(ctx, name, drawn, shapes, plain(drawn), real)
        if complaint:
            wrong.append(f"{drawn.layer} on {[str(s) for s in shapes]} of {drawn.calls[0]}: {complaint}")
    assert not wrong, "\n".join(wrong[:5])


@pytest.mark.parametrize("name", [name for name in NAMES if is_tested(name)])
def test_layer_is_sound_with_unknown_arguments(name: str, oracle: Child) -> None:
    random = draws(name, SEED + 2)
    wrong = []
    for drawn, real in accepted(name, oracle, random):
        ctx = context()
        hidden = [key for key in drawn.layer["arguments"] if key != "layer" and random.random() < 0.5]
        arguments = plain(drawn) | {key: Lost("an argument") for key in hidden}
        shapes = [whole(ctx, shape) for shape in drawn.calls[0]]
        complaint = judged(ctx, name, drawn, shapes, arguments, real)
        if complaint:
            wrong.append(f"{drawn.layer} without {hidden} on {drawn.calls[0]}: {complaint}")
    assert not wrong, "\n".join(wrong[:5])


def accepted(name: str, oracle: Child, random: Random) -> Iterator[tuple[Sample, list[int | None]]]:
    """Return random layers with one call each that Keras accepts, and its resulting shapes."""
    for _ in range(CASES):
        drawn = sample(name, LAYERS[name], random)
        drawn.calls = drawn.calls[:1]
        real = oracle.ask(drawn.request())
        if not ("error" in real or "crash" in real or is_exception(drawn, real)):
            yield drawn, real["shapes"][0]


def plain(drawn: Sample) -> dict[str, Value]:
    """Return the arguments of a layer unchanged."""
    return {key: value_of(value) for key, value in drawn.layer["arguments"].items()}


def judged(
    ctx: StubContext, name: str, drawn: Sample, shapes: list[Shape], arguments: dict[str, Value], real: Any
) -> str:
    """Return why the result of our model is impossible; nothing if it is possible."""
    library = "keras" if drawn.symbolic else "tf"
    result = called(ctx, name, arguments, [Tensor(shape, "float32", library) for shape in shapes], drawn.listed)
    return contradiction(result, real) or (f"clash {ctx.clashes[0]}" if ctx.clashes else "")


def called(ctx: StubContext, name: str, arguments: dict[str, Value], inputs: list[Tensor], listed: bool) -> Value:
    """Return the result of our model of a layer."""
    make, call = lookup(name), lookup(f"{name}.__call__")
    assert make is not None and call is not None
    layer = make.run(ctx, [], arguments)
    assert isinstance(layer, Ref)
    return call.run(ctx, [layer, *([Seq("list", tuple(inputs))] if listed else inputs)], {})


def whole(ctx: StubContext, shape: list[int | None]) -> Shape:
    """Return the shape unchanged."""
    return Shape(tuple(ctx.fresh("B", Kind.DYNAMIC) if size is None else size for size in shape))


def veiled(ctx: StubContext, shape: list[int | None], random: Random) -> Shape:
    """Return the shape with sizes lost, its middle or its rank unknown, or unchanged."""
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
    """Return why our shapes exclude the real ones; nothing if they do not."""
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
    """Return whether a shape may be the real one, judging by its plain numbers."""
    if ours.min_rank > len(real) or (ours.is_ranked and ours.min_rank < len(real)):
        return False
    tail = ours.tail or ()
    pairs = [*zip(ours.head, real, strict=False), *zip(reversed(tail), reversed(real), strict=False)]
    return all(not isinstance(size, int) or real_size is None or size == real_size for size, real_size in pairs)
