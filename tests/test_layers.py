"""Models of Keras layers compared with the real ones: what is accepted, and with which shapes."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from random import Random
from typing import Any

import pytest

from shapecheck.domain.values import Ref, Seq, Tensor, Value, items_of
from shapecheck.models.lang.bind import real_parameters
from shapecheck.models.lang.context import Target
from shapecheck.models.lang.registry import load, lookup
from shapecheck.models.layers.base_layer import LAYERS
from shapecheck.shapes.shape import of
from shapecheck.shapes.size import Kind, Size
from tests.support import layer_oracle
from tests.support.child import Child
from tests.support.generated import is_other_release
from tests.support.layer_oracle import flat
from tests.support.layer_samples import MERGES, Sample, sample
from tests.support.seed import draws
from tests.support.stub_context import StubContext, value_of

load()
TARGET = Target(keras=3)
CASES = int(os.environ.get("SHAPECHECK_CASES", "12"))
NAMES = sorted(name for name, made in LAYERS.items() if not made.oracle and "experimental" not in name)
ALIASES = ("AvgPool", "MaxPool1", "MaxPool2", "MaxPool3")
ABSENT = {  # not in Keras 3
    "AtrousConvolution1D", "AtrousConvolution2D", "ConvRecurrent2D", "CuDNNGRU", "CuDNNLSTM", "Deconvolution2D",
    "Deconvolution3D", "GlobalMaxPool", "Highway", "LocallyConnected1D", "LocallyConnected2D", "MaxoutDense",
    "ParametricSoftplus", "SReLU", "SyncBatchNormalization", "ThresholdedReLU", "StringLookup", "IntegerLookup",
    "Hashing", "Discretization", "ReversibleEmbedding", "RandAugment", "AugMix", "Solarization", "Equalization",
    "AutoContrast",
}  # fmt: skip


def is_tested(name: str) -> bool:
    """Return whether Keras 3 has the layer; synonyms and random augmentation are left out."""
    plain = name.rsplit(".", 1)[-1]
    return plain not in ABSENT and not plain.startswith(("Random", *ALIASES)) and "Convolution" not in plain


@pytest.fixture(scope="module")
def oracle() -> Iterator[Child]:
    made = Child(layer_oracle.__name__)
    yield made
    made.stop()


@dataclass
class Prediction:
    clashes: list[tuple[str, str]]
    results: list[Value]


@pytest.mark.parametrize("name", [name for name in NAMES if is_tested(name)])
def test_layer_agrees_with_keras(name: str, oracle: Child) -> None:
    random = draws(name)
    disagreements = []
    for turn in range(CASES):
        drawn = sample(name, LAYERS[name], random)
        real = oracle.ask(drawn.request())
        predicted = predict(name, drawn, by_position=bool(turn % 2))
        complaint = compare(drawn, predicted, real)
        if complaint and not is_exception(drawn, real) and not (predicted.clashes and fails_later(drawn, oracle)):
            disagreements.append(f"{drawn.layer} on {drawn.calls}{' symbolic' if drawn.symbolic else ''}: {complaint}")
    assert not disagreements, "\n".join(disagreements[:5])


@pytest.mark.parametrize("name", [name for name in NAMES if is_tested(name)])
def test_layer_with_options_agrees_with_keras(name: str, oracle: Child) -> None:
    """Those that a model does not name are offered by the real constructor, one at a time."""
    random = draws(name)
    offered = oracle.ask({"options": name.rsplit(".", 1)[-1]})["options"]
    disagreements = []
    for _ in range(CASES):
        drawn = sample(name, LAYERS[name], random)
        drawn.calls = drawn.calls[:1]
        left = [(option, values) for option, values in offered.items() if option not in drawn.layer["arguments"]]
        if "shapes" not in oracle.ask(drawn.request()) or predict(name, drawn, by_position=False).clashes or not left:
            continue
        option, values = random.choice(left)
        drawn.layer["arguments"][option] = random.choice(values)
        real = oracle.ask(drawn.request())
        complaint = "shapes" in real and compare_all(drawn, predict(name, drawn, by_position=False), real)
        if complaint and not is_exception(drawn, real):
            disagreements.append(f"{drawn.layer} on {drawn.calls}{' symbolic' if drawn.symbolic else ''}: {complaint}")
    assert not disagreements, "\n".join(disagreements[:5])


def compare_all(drawn: Sample, predicted: Prediction, real: dict[str, Any]) -> str:
    """Return what is wrong with the predicted shapes or dtypes; empty if nothing is."""
    complaint = compare(drawn, predicted, real)
    if complaint or not isinstance(real["shapes"], list):
        return complaint
    for result, dtypes in zip(predicted.results, real["dtypes"], strict=True):
        items = items_of(result) if isinstance(result, Seq) else (result,)
        for item, dtype in zip(items or (), dtypes, strict=False):
            if isinstance(item, Tensor) and item.dtype not in (None, dtype):
                return f"Keras gives {dtype}, we {item.dtype}"
    return ""


def fails_later(drawn: Sample, oracle: Child) -> bool:
    """Return whether a layer that accepts symbolic inputs refuses arrays, for any size of open axes."""

    def is_refused(size: int) -> bool:
        calls = [[[size if each is None else each for each in shape] for shape in call] for call in drawn.calls]
        return "shapes" not in oracle.ask(replace(drawn, symbolic=False, calls=calls).request())

    return drawn.symbolic and all(map(is_refused, (2, 5, 11, 24)))


def predict(name: str, drawn: Sample, by_position: bool, target: Target = TARGET) -> Prediction:
    ctx = context(target)
    made = lookup(name)
    assert made is not None
    keywords = {key: value_of(value) for key, value in drawn.layer["arguments"].items()}
    order = real_parameters(name, target) or () if by_position else []
    args = [keywords.pop(key) for key in takewhile(keywords.__contains__, order)]
    layer = made.run(ctx, args, keywords)
    called = lookup(f"{name}.__call__")
    assert called is not None and isinstance(layer, Ref)
    results = []
    for shapes in drawn.calls:
        inputs = [tensor(ctx, shape, drawn) for shape in shapes]
        args = [Seq("list", tuple(inputs))] if drawn.listed else inputs
        results.append(called.run(ctx, [layer, *args], {}))
    return Prediction(ctx.clashes, results)


def context(target: Target = TARGET) -> StubContext:
    return StubContext(target=target, heap={0: {}})


def tensor(ctx: StubContext, shape: list[int | None], drawn: Sample) -> Tensor:
    sizes: list[Size] = [ctx.fresh("B", Kind.DYNAMIC) if size is None else size for size in shape]
    return Tensor(of(sizes), "float32", "keras" if drawn.symbolic else "tf")


def compare(drawn: Sample, predicted: Prediction, real: dict[str, Any]) -> str:
    """Return what is wrong with the prediction; nothing if it may be right."""
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
    """Return whether a difference is known, each for a reason."""
    name, error = drawn.layer["name"], real.get("error", "")
    ranks = {len(shape) for call in drawn.calls for shape in call}
    again = len(drawn.calls) > 1
    opened = any(size is None for call in drawn.calls for shape in call for size in shape[1:])
    if drawn.symbolic and ("Attention" in name or name.startswith("ConvLSTM")):
        return True  # Keras checks little before the layer runs
    if drawn.symbolic and opened and name in (*MERGES, "Reshape", "DepthwiseConv1D", "DepthwiseConv2D"):
        return True  # the same: what clashes for any size is not seen before
    if again and name.startswith("ConvLSTM"):
        return True  # the pictures have the size of the first ones, where that was known
    if again and name in (*MERGES, "SimpleRNN", "GroupNormalization", "MultiHeadAttention"):
        return True  # Keras 3 checks batches, ranks or channels at the first call only
    if name in MERGES and 1 in ranks:
        return True  # without a batch
    if (
        name in MERGES
        and "different batch sizes" in error
        and any(shape[0] == 1 for call in drawn.calls for shape in call)
    ):
        return True  # one row, which a model stretches that was built before
    if name.startswith("Adaptive") or name in ("Normalization", "RMSNormalization", "CategoryEncoding"):
        return True  # ranks and axes that no program uses: other ranks pass by accident
    if "Transpose" in name and not drawn.symbolic and "InvalidArgument" in error:
        return True  # TensorFlow's kernels do not take dilations that Keras does
    if name in ("Resizing", "CenterCrop") and (not ranks <= {3, 4} or "dtype" in drawn.layer["arguments"]):
        return True  # judged only when run; what is resized becomes float32
    if name == "AdditiveAttention" and any(shape[-1] == 1 for call in drawn.calls for shape in call):
        return True  # a width of 1 broadcasts
    if name in FORMS and re.search(FORMS[name], error):
        return True
    return is_other_release("keras") and is_of_older_release(drawn, real)


FORMS = {  # refusals of forms of arguments, by Keras's own words
    "SeparableConv1D": "causal",  # legal in Keras 2
    "GroupNormalization": "pop index",
    "UpSampling1D": r"Expected an integer|int\(\) argument",
}


def is_of_older_release(drawn: Sample, real: dict[str, Any]) -> bool:
    """Return whether a difference is known of earlier releases of Keras 3."""
    if "Attention" in drawn.layer["name"] and "transpose expects" in real.get("error", ""):
        return True  # inputs of unequal ranks
    return any(0 in shape for shape in flat(real.get("shapes", [])))  # windows that do not fit give nothing


# Training ----------------------------------------------------------------------------------------------------------

LOSSES = ("categorical_crossentropy", "sparse_categorical_crossentropy", "binary_crossentropy", "mse", "hinge")


@pytest.mark.parametrize("loss", LOSSES)
def test_fit_agrees_with_keras(loss: str, oracle: Child, legacy: Child) -> None:
    """Keras 2 and Keras 3 refuse what we refuse; we refuse what Keras 3 refuses, if the program targets it."""
    random = draws(loss)
    disagreements = []
    for _ in range(max(3, CASES // 4)):
        request = training(loss, random)
        refusals = ["error" in each.ask(request) for each in (oracle, legacy)]
        ours, new = fit_clashes(request, None), fit_clashes(request, 3)
        if (ours and not all(refusals)) or (new and not refusals[0]):
            disagreements.append(f"{request}: accepted by Keras, we say {(ours or new)[0]}")
        if refusals[0] and not new and loss not in ("mse", "hinge"):
            disagreements.append(f"{request}: refused by Keras")
    assert not disagreements, "\n".join(disagreements[:5])


@pytest.fixture(scope="module")
def legacy() -> Iterator[Child]:
    made = Child(layer_oracle.__name__, environment={"TF_USE_LEGACY_KERAS": "1"})
    yield made
    made.stop()


def training(loss: str, random: Random) -> dict[str, Any]:
    """Return shapes of data and targets, half of them valid."""
    shape = random.choice(([5], [5], [7, 5], [6, 6, 1]))
    units, flat = random.choice((1, 3, 3)), random.random() < 0.7
    x = (
        [8, *shape]
        if random.random() < 0.8
        else random.choice(([8, *shape, 1], [8, *shape[:-1]], [8, *shape[1:], 3], [5]))
    )
    kept = [8, *shape[:-1]] if not flat and len(shape) > 1 else [8]
    right = kept if loss.startswith("sparse") else [*kept, units]
    wrong = random.choice(([8], [8, 1], [8, units + 1], [8, units, 1], [8, 2, units], [*kept, 1], [7, units], kept))
    y = right if random.random() < 0.4 else wrong
    return {"fit": loss, "input": shape, "flat": flat, "units": units, "x": x, "y": y}


def fit_clashes(request: dict[str, Any], keras: int | None) -> list[tuple[str, str]]:
    ctx = StubContext(target=Target(keras=keras), heap={0: {}})
    start = run(ctx, "keras.Input", shape=value_of(request["input"]))
    hidden = start
    if len(request["input"]) > 1 and request["flat"]:
        hidden = run(ctx, "keras.layers.Flatten.__call__", run(ctx, "keras.layers.Flatten"), start)
    dense = run(ctx, "keras.layers.Dense", units=value_of(request["units"]))
    output = run(ctx, "keras.layers.Dense.__call__", dense, hidden)
    model = run(ctx, "keras.Model", start, output)
    run(ctx, "keras.Model.compile", model, loss=value_of(request["fit"]))
    x, y = (Tensor(of(request[name]), "float32", "np") for name in ("x", "y"))
    run(ctx, "keras.Model.fit", model, x, y)
    return ctx.clashes


def run(ctx: StubContext, name: str, *args: Value, **keywords: Value) -> Value:
    made = lookup(name)
    assert made is not None, name
    return made.run(ctx, args, keywords)
