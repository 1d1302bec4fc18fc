"""Certainty of dtypes: the program states it, or the operation that made the tensor leaves no choice."""

from __future__ import annotations

import re

from shapecheck.dataflow.graph.steps import Step
from shapecheck.domain.values import NONE, Tensor
from shapecheck.rules.call import Call

_DEEPEST = 20
_SAYS = re.compile(  # operations with one dtype, or with that of their argument
    r"tf\.(compat\.v1\.)?(math\.|random\.|dtypes\.|linalg\.)?"
    r"(cast|to_float|to_int32|to_int64|to_double|argmax|argmin|arg_max|shape|size|rank|range|one_hot|zeros|ones|eye"
    r"|random_normal|random_uniform|truncated_normal|normal|uniform|equal|not_equal|less|greater|logical_and|==|!=|<|>)"
)
_GIVEN = re.compile(r"tf\.(compat\.v1\.)?(constant|Variable|placeholder|convert_to_tensor)")
_KEEPS = re.compile(
    r"tf\.(compat\.v1\.)?(math\.|linalg\.)?"
    r"([-+*]|\[\]|neg|negative|abs|square|add|subtract|multiply|matmul|identity|reshape|transpose|squeeze|expand_dims"
    r"|tile|concat|stack|reduce_(sum|mean|max|min)|sqrt|exp|log|sin|cos|tanh|sigmoid|relu|maximum|minimum|pow|\*\*)"
)
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


def has_certain_dtype(call: Call, tensor: Tensor, depth: int = _DEEPEST) -> bool:
    """Return whether a tensor of TensorFlow certainly has its inferred dtype."""
    step = call.maker(tensor)
    if step is None or not depth or tensor.library != "tf":
        return False
    if not _KEEPS.fullmatch(step.name) or _SAYS.fullmatch(step.name) or _GIVEN.fullmatch(step.name):
        return _says_dtype(step)
    sources = [operand for _, operand in step.operands() if operand.library == "tf" and operand.step]
    return any(source.dtype == tensor.dtype and has_certain_dtype(call, source, depth - 1) for source in sources)


def _says_dtype(step: Step) -> bool:
    """Whether an operation makes its result of a dtype that is known from the call alone."""
    if _SAYS.fullmatch(step.name):
        return _is_plain(step)
    if not _GIVEN.fullmatch(step.name):
        return False
    return dict(step.keywords).get("dtype", NONE) != NONE or _is_literal(step) or "placeholder" in step.name


def _is_plain(step: Step) -> bool:
    """Return whether the operation's arguments do not decide the dtype, as the bounds of a range would."""
    name = step.name.rsplit(".", 1)[-1]
    if name in ("shape", "size"):
        return not any(key == "out_type" for key, _ in step.keywords) and len(step.args) < 2
    if name != "range":
        return True
    return all(operand.library == "tf" or operand.content is not None for _, operand in step.operands())


def _is_literal(step: Step) -> bool:
    """Return whether a tensor is made of literal numbers."""
    return isinstance(step.result, Tensor) and step.result.content is not None and not list(step.operands())


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
