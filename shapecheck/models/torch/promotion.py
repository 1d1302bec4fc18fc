"""The dtypes of PyTorch: tensors with axes win over scalars of the same category, and scalars over Python's numbers.

The categories are bool, integer, float and complex. Source: torch.result_type.
"""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.models.lang.context import Target
from shapecheck.models.lang.dtypes import COMPLEX, INTEGERS, REAL, is_python_number
from shapecheck.models.lang.parameter_kinds import Tensor
from shapecheck.shapes.dtype import kind

_FLOAT = dict.fromkeys(INTEGERS, "float32")
_SUM = dict.fromkeys(INTEGERS, "int64")
WORDS = {
    "float": _FLOAT,
    "mean": _FLOAT,
    "sum": _SUM,
    "whole": {"bool": "int64"},
    "real": REAL,
    "complex": COMPLEX | _FLOAT,
}
SETTINGS = frozenset(
    "align_corners alpha antialias approximate beta correction delta descending dropout_p eps full hard "
    "ignore_index is_causal label_smoothing log_input log_target lower margin max_norm max_val min_val momentum "
    "negative_slope norm_type p padding_idx recompute_scale_factor replacement scale_grad_by_freq sparse stable "
    "swap tau threshold training unbiased upper".split()
)
_CATEGORIES = {"bool": 0, "int": 1, "uint": 1, "float": 2, "complex": 3}
_ORDER = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64")
_KNOWN = {*_ORDER, "complex64", "complex128"}
_OF_NUMBERS = {"bool": "bool", "int": "int64", "float": "float32", "complex": "complex64"}


def common(names: Sequence[str | None]) -> str | None:
    """Return the dtype of tensors of several."""
    found = names[0] if names else None
    for name in names[1:]:
        found = _wider(found, name)
    return found


def _wider(one: str | None, other: str | None) -> str | None:
    if one == other or one is None or other is None:
        return one if one == other else None
    if one not in _ORDER or other not in _ORDER:
        return None
    pair = {one, other}
    if pair == {"uint8", "int8"}:
        return "int16"
    if pair == {"float16", "bfloat16"}:
        return "float32"
    return max(pair, key=_ORDER.index)


def promoted(operands: Sequence[Tensor]) -> str | None:
    """Return the common dtype of operands; scalars count only where they are of a higher category."""
    numbers = [operand for operand in operands if is_python_number(operand)]
    tensors = [operand for operand in operands if not is_python_number(operand)]
    if any(operand.rank is None for operand in tensors) and len({operand.dtype for operand in tensors}) > 1:
        return None
    groups = (
        [operand.dtype for operand in tensors if operand.rank != 0],
        [operand.dtype for operand in tensors if operand.rank == 0],
        [operand.dtype and _OF_NUMBERS.get(kind(operand.dtype)) for operand in numbers],
    )
    made: str | None = None
    for group in filter(None, groups):
        mine = common(group)
        if mine is None or mine not in _KNOWN:
            return None
        if made is None or _category(mine) > _category(made):
            made = _as_wide(mine, made)
    return made


def _as_wide(name: str, tensors: str | None) -> str | None:
    """Return the dtype of a scalar, which has the width of tensors of fractions if it is complex itself."""
    if not name.startswith("complex") or tensors is None or kind(tensors) != "float":
        return name
    return COMPLEX[tensors] if tensors in ("float32", "float64") else None


def _category(name: str) -> int:
    return _CATEGORIES.get(kind(name), 0)


def as_made(dtype: str | None, target: Target) -> str | None:
    """Return the dtype that a tensor has which is to have a dtype."""
    return dtype
