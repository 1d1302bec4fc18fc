"""Models of operands that are partly known: what they say is true of the operands that these may be.

No library is asked, so that the models which cannot be compared with one are examined, too.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from shapecheck.clash_kind import ClashKind
from shapecheck.domain import values
from shapecheck.domain.values import Seq, Value
from shapecheck.models.lang.context import Target
from shapecheck.models.lang.packs import BUILT_IN
from shapecheck.models.lang.registry import REGISTRY, Definition, Model, load
from shapecheck.shapes.symbol import Symbol
from tests.support.agreement import Veil, is_degenerate, withheld
from tests.support.calls import Call
from tests.support.comparing import fits, is_known, is_number, shown, wrong_dtypes
from tests.support.sampling import draw
from tests.support.seed import draws
from tests.support.stub_context import StubContext

CALLS = 10
VEILS = 4
TARGET = Target(tensorflow=2, keras=3, numpy=2)
ASSUMED = {
    "np.random.choice": "elements of an array, not numbers below one",
    "np.random.RandomState.choice": "the same",
    "keras.ops.ctc_loss": "outputs of single precision",
    "tf.contrib.layers.conv2d": "an image: before TensorFlow 1.5, the window had as many axes as the input",
    "torch.chunk": "an axis that makes as many parts as are asked for",
    "torch.nn.Flatten": "more than a scalar, which becomes a vector",
}
for pack in BUILT_IN:
    load(pack.package)


def definitions() -> dict[str, Definition]:
    """Return the models of functions and layers by their first name; a layer as a function of all its arguments."""
    found = {model.definition.names[0]: model.definition for model in REGISTRY.values()}
    layers = {f"{name}.of": replace(made, form="op") for name, made in found.items() if made.form == "layer"}
    functions = {name: made for name, made in found.items() if made.form == "op"}
    return {name: made for name, made in (functions | layers).items() if name.removesuffix(".of") not in ASSUMED}


def sizes_of(found: Value) -> object:
    """Return the sizes of a result that is known, as an oracle tells them."""
    if isinstance(found, Seq):
        return {"many": [sizes_of(item) for item in found.items]}
    if is_number(found):
        return []
    assert isinstance(found, values.Tensor)
    return [int(str(size)) for size in found.shape.head]


def faults(name: str, made: Definition) -> Iterator[str]:
    """Yield what a model says of partly known operands that is not true of the known ones."""
    rng = draws(name)
    model = Model(name, made)
    for _ in range(CALLS):
        call = draw(made, name, rng, TARGET)
        if call is None:
            return
        ctx = StubContext(TARGET)
        known = model.run(ctx, call.args(), call.keywords())
        is_odd = any(kind is ClashKind.NEVER_EQUAL for kind, *_ in ctx.notices)  # True or False, for two tensors
        if ctx.clashes or is_odd or not is_known(known) or is_degenerate(call, sizes_of(known)):
            continue
        for _ in range(VEILS):
            yield from untrue(model, call, known, rng)


def untrue(model: Model, call: Call, known: Value, rng: random.Random) -> Iterator[str]:
    """Yield what is said, and not true, where sizes and ranks, dtypes or other arguments are hidden."""
    true: dict[Symbol, int] = {}
    veil, ctx = Veil(rng, true), StubContext(TARGET)
    found = model.run(ctx, call.args(veil.hidden), call.keywords(veil.hidden))
    yield from complaints(f"{call} seen as {veil.seen}", ctx, found, known, true)
    ctx = StubContext(TARGET)
    args = [without_dtypes(value, rng) for value in call.args()]
    found = model.run(ctx, args, {name: without_dtypes(value, rng) for name, value in call.keywords().items()})
    yield from complaints(f"{call} of some unknown dtypes", ctx, found, known, {})
    args, keywords, hidden = withheld(call, rng)
    ctx = StubContext(TARGET)
    yield from complaints(f"{call} without {hidden}", ctx, model.run(ctx, args, keywords), known, {})


def complaints(said: str, ctx: StubContext, found: Value, known: Value, true: dict[Symbol, int]) -> Iterator[str]:
    if ctx.clashes and ctx.clashes[0][0] is not ClashKind.UNBUILT:  # a layer needs a known size
        yield f"{said}: {ctx.clashes[0][1]}"
    elif not ctx.clashes and not fits(found, sizes_of(known), true):
        yield f"{said}: {shown(found)}, not {shown(known)}"
    elif not ctx.clashes and (wrong := wrong_dtypes(found, dtypes_of(known))):
        yield f"{said}: {wrong[0]}, not {wrong[1]}"


def dtypes_of(found: Value) -> list[str]:
    """Return the dtypes of results, "" where one is not known."""
    parts = found.items if isinstance(found, Seq) else (found,)
    return [(part.dtype or "") if isinstance(part, values.Tensor) else "" for part in parts]


def without_dtypes(value: Value, rng: random.Random) -> Value:
    """Return a value in which the dtypes of about half of the arrays are not known."""
    if isinstance(value, Seq):
        return replace(value, items=tuple(without_dtypes(item, rng) for item in value.items))
    return replace(value, dtype=None) if isinstance(value, values.Tensor) and rng.random() < 0.5 else value


@pytest.mark.parametrize("family", sorted({made.family for made in definitions().values()}))
def test_what_is_said_of_partly_known_operands_is_true_of_all(family: str) -> None:
    found = {name: next(faults(name, made), None) for name, made in definitions().items() if made.family == family}
    assert not any(found.values()), "\n".join(filter(None, found.values()))
