"""Models of Keras layers for Keras 2, compared with those of TensorFlow 1.15 and 2.15 if these are installed."""

from __future__ import annotations

import re
from typing import Any

import pytest

from shapecheck.models.layers.base_layer import LAYERS
from tests.support import layer_oracle
from tests.support.child import Child
from tests.support.environments import OLD, Environment
from tests.support.layer_oracle import flat
from tests.support.layer_samples import Sample, sample
from tests.support.seed import draws
from tests.test_layers import CASES, NAMES, compare, fails_later, is_exception, predict


@pytest.mark.parametrize("environment", OLD, ids=lambda each: each.name)
def test_layers_agree_with_older_keras(environment: Environment) -> None:
    if not environment.is_there:
        pytest.skip(f"{environment.name} is not there: make diff")
    oracle = Child(layer_oracle.__name__, python=environment.python)
    try:
        disagreements = [said for name in filter(is_compared, NAMES) for said in differences(name, oracle, environment)]
    finally:
        oracle.stop()
    assert not disagreements, f"{len(disagreements)}\n" + "\n".join(disagreements[:80])


def is_compared(name: str) -> bool:
    plain = name.rsplit(".", 1)[-1]
    return plain not in UNLIKE and not plain.startswith("Random")


def differences(name: str, oracle: Child, environment: Environment) -> list[str]:
    random = draws(name)
    found = []
    for turn in range(max(1, CASES // 4)):
        drawn = sample(name, LAYERS[name], random)
        real = oracle.ask(drawn.request())
        if real.get("shapes") == "missing":
            break
        predicted = predict(name, drawn, bool(turn % 2), environment.target)
        complaint = compare(drawn, predicted, real)
        is_known = is_exception(drawn, real) or is_of_its_time(drawn, real)
        if complaint and not is_known and not (predicted.clashes and fails_later(drawn, oracle)):
            found.append(f"{drawn.layer} on {drawn.calls}{' symbolic' if drawn.symbolic else ''}: {complaint}")
    return found


REFUSED = {  # Keras's own words, and why such a refusal is not about shapes
    r"not understood|missing \d required": "arguments that the layer has not, or must have",
    r"invalid border mode|int\(\) argument": "forms of arguments that came later",
    r"nonetype": "weights for each place, of which there must be a known number",
    r"softmax to a tensor that is 1d": "what has no batch",
    r"failed to convert": "axes of which not all are known",
}
UNLIKE = {
    "AdditiveAttention": "the scale is as wide as the values, though it belongs to the keys",
    "Hashing": "takes what a table has learned", "IntegerLookup": "the same", "StringLookup": "the same",
    "Normalization": "the same",
}  # fmt: skip


def is_of_its_time(drawn: Sample, real: dict[str, Any]) -> bool:
    """Return whether a difference is known of older versions, each for a reason."""
    name, error = drawn.layer["name"], real.get("error", "").lower()
    ranks = [{len(shape) for shape in call} for call in drawn.calls]
    if error:
        return (
            any(re.search(words, error) for words in REFUSED)
            or ("Normalization" in name and ranks[0] != ranks[-1])  # axes were counted in the first input
            or (name == "Dot" and max(ranks[0]) > 3)  # matrices were stacked in one axis only
        )
    return (
        len(drawn.calls) > 1  # inputs are judged when a layer is built
        or (name == "UpSampling3D" and ranks != [{5}])  # looks at no number of axes
        or (name == "Reshape" and drawn.symbolic)  # judged when run, if the batch is not known
        or (not drawn.symbolic and any(0 in shape for shape in flat(real["shapes"])))  # kernels that give nothing
    )
