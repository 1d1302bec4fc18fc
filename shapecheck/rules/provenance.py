"""What the program says of dtypes elsewhere than in the call that a rule judges."""

from __future__ import annotations

import re

from shapecheck.dataflow.graph import certain_dtypes
from shapecheck.domain.values import Tensor
from shapecheck.rules.call import Call

_DEEPEST = 20
_BROKEN = re.compile(  # numbers with something after the point
    r"np\.(sqrt|exp|log|log2|log10|sin|cos|tan|tanh|power|/|divide|true_divide|linspace|mean|std|var|reciprocal"
    r"|random\.(rand|randn|random|random_sample|uniform|normal|standard_normal)"
    r"|random\.(RandomState|Generator)\.(rand|randn|random|uniform|normal|standard_normal))"
)
_ELEMENTWISE = re.compile(r"np\.([-+*]|\[\]|negative|neg|reshape|ndarray\.reshape|transpose|expand_dims|ndarray\.copy)")
_CHANGES = re.compile(
    r".*\b(set_floatx|set_policy|set_global_policy|set_dtype_policy|experimental_enable_numpy_behavior)"
)


def dtypes_may_change(call: Call) -> bool:
    """Return whether the program changes the default dtypes, or compares as TensorFlow 1 does: by identity."""
    names = {step.name for step in call.graph.steps}
    by_identity = call.step.name in ("tf.==", "tf.!=") and any(
        "placeholder" in name or "Session" in name for name in names
    )
    return by_identity or any(_CHANGES.fullmatch(name) for name in names)


def has_certain_dtype(call: Call, tensor: Tensor) -> bool:
    """Return whether a tensor of TensorFlow certainly has its inferred dtype."""
    return tensor.library == "tf" and certain_dtypes.has_certain_dtype(call.graph, tensor)


def has_fractions(call: Call, array: Tensor, depth: int = _DEEPEST) -> bool:
    """Return whether an array of NumPy certainly holds numbers with fractional parts."""
    step = call.maker(array)
    if step is None or not depth or array.library != "np":
        return False
    if _BROKEN.fullmatch(step.name):
        return True
    if step.name in ("np.array", "np.asarray", "np.float32", "np.float64"):
        return array.content is not None
    if not _ELEMENTWISE.fullmatch(step.name):
        return False
    return any(has_fractions(call, operand, depth - 1) for _, operand in step.operands() if operand.library == "np")
