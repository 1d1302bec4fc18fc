"""Keras layers, as we model them, against the real ones: what is accepted, and with which shapes."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from layer_oracle import Oracle, flat
from layer_samples import MERGES, Sample, sample
from stub_context import StubContext, value_of

from shapecheck.models.lang.context import Target
from shapecheck.models.lang.op import load, lookup
from shapecheck.models.layers.keras import LAYERS
from shapecheck.shapes.size import Kind, Size
from shapecheck.values import Ref, Seq, Tensor, Value, items_of

load()
CASES = int(os.environ.get("SHAPECHECK_CASES", "6"))
NAMES = sorted(name for name, made in LAYERS.items() if not made.oracle and "experimental" not in name)
ALIASES = (
    "Convolution",
    "MaxPool1",
    "MaxPool2",
    "MaxPool3",
    "AvgPool",
    "GlobalMaxPool1",
    "GlobalMaxPool2",
    "GlobalMaxPool3",
)
ABSENT = {  # not in Keras 3
    "AtrousConvolution1D", "AtrousConvolution2D", "ConvRecurrent2D", "CuDNNGRU", "CuDNNLSTM", "Deconvolution2D",
    "Deconvolution3D", "GlobalMaxPool", "Highway", "LocallyConnected1D", "LocallyConnected2D", "MaxoutDense",
    "ParametricSoftplus", "SReLU", "SyncBatchNormalization", "ThresholdedReLU", "StringLookup", "IntegerLookup",
    "Hashing", "Discretization", "RandAugment", "AugMix", "Solarization", "Equalization", "AutoContrast",
}  # fmt: skip


def is_tested(name: str) -> bool:
    """Whether Keras 3 has the layer; synonyms and random augmentation are left out."""
    plain = name.rsplit(".", 1)[-1]
    return plain not in ABSENT and not plain.startswith(("Random", *ALIASES)) and "Convolution" not in plain


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    made = Oracle()
    yield made
    made.close()


@dataclass
class Prediction:
    clashes: list[tuple[str, str]]
    results: list[Value]


@pytest.mark.parametrize("name", [name for name in NAMES if is_tested(name)])
def test_layer_agrees_with_keras(name: str, oracle: Oracle) -> None:
    random = Random(zlib.crc32(name.encode()))
    disagreements = []
    for _ in range(CASES):
        drawn = sample(name, LAYERS[name], random)
        real = oracle.ask(drawn.request())
        complaint = compare(drawn, predict(name, drawn), real)
        if complaint and not is_exception(drawn, real):
            disagreements.append(f"{drawn.layer} on {drawn.calls}{' symbolic' if drawn.symbolic else ''}: {complaint}")
    assert not disagreements, "\n".join(disagreements[:5])


def predict(name: str, drawn: Sample) -> Prediction:
    ctx = context()
    made = lookup(name)
    assert made is not None
    layer = made.run(ctx, [], {key: value_of(value) for key, value in drawn.layer["arguments"].items()})
    called = lookup(f"{name}.__call__")
    assert called is not None and isinstance(layer, Ref)
    results = []
    for shapes in drawn.calls:
        inputs = [tensor(ctx, shape, drawn) for shape in shapes]
        args = [Seq("list", tuple(inputs))] if drawn.listed else inputs
        results.append(called.run(ctx, [layer, *args], {}))
    return Prediction(ctx.clashes, results)


def context() -> StubContext:
    return StubContext(target=Target(keras=3), heap={0: {}})


def tensor(ctx: StubContext, shape: list[int | None], drawn: Sample) -> Tensor:
    sizes: list[Size] = [ctx.fresh("B", Kind.DYNAMIC) if size is None else size for size in shape]
    from shapecheck.shapes.shape import of

    return Tensor(of(sizes), "float32", "keras" if drawn.symbolic else "tf")


def compare(drawn: Sample, predicted: Prediction, real: dict[str, Any]) -> str:
    """What is wrong with the prediction; nothing if it may be right."""
    if "crash" in real:
        return ""
    if "error" in real:
        return "" if predicted.clashes else f"Keras refuses: {real['error'][:150]}"
    if predicted.clashes:
        return f"Keras accepts with {real['shapes']}, we say {predicted.clashes[0]}"
    for result, shapes in zip(predicted.results, real["shapes"], strict=True):
        complaint = differs(result, shapes)
        if complaint:
            return complaint
    return ""


def differs(result: Value, shapes: Any) -> str:
    expected = flat(shapes)
    items = items_of(result) if isinstance(result, Seq) else (result,)
    if len(items or ()) != len(expected):
        return f"Keras gives {expected}, we {result}"
    for item, shape in zip(items or (), expected, strict=True):
        if not isinstance(item, Tensor) or not may_be(item, shape):
            return f"Keras gives {shape}, we {item.shape if isinstance(item, Tensor) else item}"
    return ""


def may_be(tensor: Tensor, shape: list[int | None]) -> bool:
    sizes = tensor.shape.head
    if tensor.shape.tail is not None or len(sizes) != len(shape):
        return False
    return all(
        ours == real if isinstance(ours, int) and real is not None else real is None
        for ours, real in zip(sizes, shape, strict=True)
    )


def is_exception(drawn: Sample, real: dict[str, Any]) -> bool:
    """Known differences, each for a reason."""
    name, error = drawn.layer["name"], real.get("error", "")
    if drawn.symbolic and ("Attention" in name or name.startswith("ConvLSTM")):
        return True  # Keras checks little before the layer runs
    if drawn.symbolic and name in MERGES and None in [size for shape in drawn.calls[-1] for size in shape[1:]]:
        return True  # the same: what clashes for any size is not seen before
    if name.startswith("Adaptive") or name in ("Normalization", "RMSNormalization", "CategoryEncoding"):
        return True  # ranks and axes that no program uses: other ranks pass by accident
    if "Transpose" in name and not drawn.symbolic and "InvalidArgument" in error:
        return True  # TensorFlow's kernels do not take dilations that Keras does
    if "ConvLSTM" in name and "static input shapes" in error:
        return True
    if name in ("Resizing", "CenterCrop") and len(drawn.calls[0][0]) not in (3, 4):
        return True  # judged only when run
    if name == "SeparableConv1D" and "causal" in error:
        return True  # legal in Keras 2
    return name == "UpSampling1D" and "Expected an integer" in error
