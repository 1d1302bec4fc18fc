"""Certainty of dtypes: the program states it, or the operation that made the tensor leaves no choice."""

from __future__ import annotations

import re

from shapecheck.dataflow.graph.steps import Graph, Step
from shapecheck.domain.values import NONE, Tensor
from shapecheck.models.lang.traits import has

_DEEPEST = 20
_SAYS = re.compile(  # operations with one dtype, or with that of their argument
    r"tf\.(compat\.v1\.)?(math\.|random\.|dtypes\.|linalg\.)?"
    r"(cast|to_float|to_int32|to_int64|to_double|argmax|argmin|arg_max|shape|size|rank|range|one_hot|zeros|ones|eye"
    r"|random_normal|random_uniform|truncated_normal|normal|uniform|equal|not_equal|less|greater|logical_and|==|!=|<|>)"
)
_LAYER = re.compile(  # a layer with weights, whose dtype it has
    r"keras\.layers\.(Dense|EinsumDense|Embedding|LSTM|GRU|SimpleRNN|\w*Conv\w+|BatchNormalization|LayerNormalization)"
    r"\.__call__"
)
_GIVEN = re.compile(r"tf\.(compat\.v1\.)?(constant|Variable|placeholder|convert_to_tensor)")
_KEEPS = re.compile(
    r"tf\.(compat\.v1\.)?(math\.|linalg\.)?"
    r"([-+*]|\[\]|neg|negative|abs|square|add|subtract|multiply|matmul|identity|reshape|transpose|squeeze|expand_dims"
    r"|tile|concat|stack|reduce_(sum|mean|max|min)|sqrt|exp|log|sin|cos|tanh|sigmoid|relu|maximum|minimum|pow|\*\*)"
)
_FILLED = re.compile(  # arrays whose dtype the call alone decides
    r"np\.(zeros|ones|empty|full|eye|identity|arange|linspace|array|asarray|ndarray\.astype|argmax|argmin|argsort"
    r"|random\.(\w+\.)?(rand|randn|random|random_sample|uniform|normal|standard_normal|randint|integers|permutation))"
)
_ELEMENTWISE = re.compile(
    r"np\.([-+*/]|\[\]|negative|neg|(ndarray\.)?(reshape|transpose|copy|ravel|squeeze)|expand_dims|ndarray\.flatten"
    r"|concatenate|stack|vstack|hstack|repeat|tile)"
)


def maker(graph: Graph, tensor: Tensor) -> Step | None:
    """Return the step that made a tensor; at a phi, that of the first branch."""
    seen: set[int] = set()
    while tensor.step and tensor.step not in seen and tensor.step <= len(graph.steps):
        seen.add(tensor.step)
        step = graph[tensor.step]
        joined = [arg for arg in step.args if isinstance(arg, Tensor)] if step.kind == "phi" else []
        if not joined:
            return step
        tensor = joined[0]
    return None


def has_certain_dtype(graph: Graph, tensor: Tensor, depth: int = _DEEPEST) -> bool:
    """Return whether a tensor of TensorFlow, or an array of NumPy, certainly has its inferred dtype."""
    step = maker(graph, tensor)
    if step is None or not depth or tensor.dtype is None:
        return False
    if tensor.library == "np":
        return _is_certain_array(graph, step, depth)
    if has(step.name, "keeps the dtype of an array"):
        arrays = [operand for _, operand in step.operands()]
        return len(arrays) == 1 and has_certain_dtype(graph, arrays[0], depth - 1)
    if tensor.library != "tf":
        return False
    if _LAYER.fullmatch(step.name):
        return True
    if not _KEEPS.fullmatch(step.name) or _SAYS.fullmatch(step.name) or _GIVEN.fullmatch(step.name):
        return _says_dtype(step) or _is_converted(graph, step, depth)
    sources = [operand for _, operand in step.operands() if operand.library == "tf" and operand.step]
    return any(source.dtype == tensor.dtype and has_certain_dtype(graph, source, depth - 1) for source in sources)


def _is_converted(graph: Graph, step: Step, depth: int) -> bool:
    """Return whether a tensor is made of an array or a tensor, whose dtype is certain, and keeps that."""
    if not _GIVEN.fullmatch(step.name) or not isinstance(step.result, Tensor) or len(step.args) > 1:
        return False
    given = [operand for _, operand in step.operands()]
    is_kept = len(given) == 1 and given[0].dtype == step.result.dtype
    return is_kept and has_certain_dtype(graph, given[0], depth - 1)


def _is_certain_array(graph: Graph, step: Step, depth: int) -> bool:
    """Return whether the dtype of an array depends only on what the program says."""
    operands = [operand for _, operand in step.operands()]
    if not (_FILLED if not operands else _ELEMENTWISE).fullmatch(step.name):
        return step.name == "np.ndarray.astype"
    return all(operand.library == "np" and has_certain_dtype(graph, operand, depth - 1) for operand in operands)


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
