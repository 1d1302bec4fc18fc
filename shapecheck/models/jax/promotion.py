"""The dtypes of JAX: floats win over integers of any width, Python's numbers adapt, and nothing has 64 bits.

A result of Python's numbers alone adapts as they do, which no dtype tells: it is not known.
"""

from __future__ import annotations

from collections.abc import Sequence

from shapecheck.models.lang.context import Target
from shapecheck.models.lang.dtypes import COMPLEX, INTEGERS, REAL, is_python_number, weakly
from shapecheck.models.lang.parameter_kinds import Tensor
from shapecheck.shapes.dtype import canonical, kind

NARROWED = {"int64": "int32", "uint64": "uint32", "float64": "float32", "complex128": "complex64"}
_FLOAT = dict.fromkeys(INTEGERS, "float32")
_SUM = dict.fromkeys(("bool", "int8", "int16"), "int32") | dict.fromkeys(("uint8", "uint16"), "uint32")
WORDS = {
    "float": _FLOAT,
    "mean": _FLOAT,
    "sum": _SUM,
    "whole": {"bool": "int32"},
    "real": REAL,
    "complex": COMPLEX | _FLOAT,
}
SETTINGS = frozenset("descending eps epsilon indices_are_sorted label_smoothing stable unique_indices".split())
_KINDS = ("bool", "int", "float", "complex")
_NUMBERS = {"bool": "bool", "int32": "int", "float32": "float", "complex64": "complex"}
_DEFAULTS = {"int": "int32", "float": "float32", "complex": "complex64"}


def common(names: Sequence[str | None]) -> str | None:
    """Return the dtype of arrays of several."""
    found = _narrow(names[0]) if names else None
    for name in names[1:]:
        other = _narrow(name)
        found = _narrow(weakly(found, other)) if found and other else None
    return found


def promoted(operands: Sequence[Tensor]) -> str | None:
    """Return the common dtype of operands; numbers of Python count only where they are of a higher kind."""
    made = common([operand.dtype for operand in operands if not is_python_number(operand)])
    for operand in filter(is_python_number, operands):
        plain = canonical(made or "")
        if made is None or plain is None or kind(plain) not in _KINDS or operand.dtype not in _NUMBERS:
            return None
        number = _NUMBERS[operand.dtype]
        if _KINDS.index(number) > _KINDS.index(kind(plain)):
            made = _DEFAULTS[number]
    return made


def as_made(dtype: str | None, target: Target) -> str | None:
    """Return the dtype that an array has which is to have a dtype."""
    return _narrow(dtype)


def _narrow(name: str | None) -> str | None:
    """Return a dtype with 32 bits; what NumPy would make an array of objects is not known here."""
    return None if name in (None, "object", "string") else NARROWED.get(name, name)
