"""Element types, as canonical strings: `float32`, `int64`, `bool`, `string`, `complex64`.

The type of a record is a string as well: the list of its fields, each with name, type and the shape within the record.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Literal, TypeAlias

DtypeKind: TypeAlias = Literal["float", "int", "bool", "string", "complex"]

_FLOATS = {"float16": 1, "bfloat16": 1, "float32": 2, "float64": 3}
_SIGNED = {"int8": 1, "int16": 2, "int32": 3, "int64": 4}
_UNSIGNED = {"uint8": 1, "uint16": 2, "uint32": 3, "uint64": 4}
_COMPLEX = {"complex64": 2, "complex128": 3}
_RANK_FLOAT = {1: "float16", 2: "float32", 3: "float64"}
_RANK_SIGNED = {rank: name for name, rank in _SIGNED.items()}
_RANK_COMPLEX = {rank: name for name, rank in _COMPLEX.items()}

_KINDS: dict[str, DtypeKind] = {
    **dict.fromkeys([*_FLOATS], "float"),
    **dict.fromkeys([*_SIGNED, *_UNSIGNED], "int"),
    **dict.fromkeys([*_COMPLEX], "complex"),
    "bool": "bool",
    "string": "string",
}

_ALIASES = {
    **{name: name for name in _KINDS},
    **dict.fromkeys(["half", "f2", "e"], "float16"),
    **dict.fromkeys(["float", "single", "f4", "f"], "float32"),
    **dict.fromkeys(["double", "float_", "f8", "d"], "float64"),
    **dict.fromkeys(["i1", "byte", "b"], "int8"),
    **dict.fromkeys(["i2", "short", "h"], "int16"),
    **dict.fromkeys(["i4", "intc", "i"], "int32"),
    **dict.fromkeys(["i8", "int", "int_", "long", "longlong", "intp", "l", "q"], "int64"),
    **dict.fromkeys(["u1", "ubyte", "B"], "uint8"),
    **dict.fromkeys(["u2", "ushort", "H"], "uint16"),
    **dict.fromkeys(["u4", "uintc", "I"], "uint32"),
    **dict.fromkeys(["u8", "uint", "ulong", "ulonglong", "uintp", "L", "Q"], "uint64"),
    **dict.fromkeys(["bool_", "bool8", "b1", "?"], "bool"),
    **dict.fromkeys(["csingle", "c8", "F"], "complex64"),
    **dict.fromkeys(["complex", "cdouble", "complex_", "c16", "D"], "complex128"),
    **dict.fromkeys(["str", "str_", "bytes", "bytes_", "object", "object_", "U", "S", "O"], "string"),
}


def canonical(name: str) -> str | None:
    """Return the canonical name of a dtype in the spelling of any library (`tf.float32`, `double`, `<f4`); None if
    unknown."""
    last = name.strip().rsplit(".", 1)[-1]
    return _ALIASES.get(last.lstrip("<>=|")) or _ALIASES.get(last.removesuffix("_ref"))


def width(name: str | None) -> int | None:
    """Return the size of an element in bytes; None if that is not known."""
    plain = canonical(name) if name is not None else None
    if plain is None or plain in ("bool", "string"):
        return 1 if plain == "bool" else None
    return int("".join(filter(str.isdigit, plain))) // 8


def may_be_objects(name: str | None) -> bool:
    """Return whether the elements of an array may be Python objects, including strings."""
    return name in ("object", "string")


def kind(dtype: str) -> DtypeKind:
    """Return the kind of element of a canonical dtype; raise KeyError for other names."""
    return _KINDS[dtype]


def promote(a: str, b: str) -> str | None:
    """Return the dtype that NumPy 2 promotes two dtypes to; None if there is none or it is unknown."""
    if "object" in (a, b):
        return "object"
    if a == b:
        return a if a in _KINDS else None
    kinds = {_KINDS.get(a), _KINDS.get(b)}
    if None in kinds or "string" in kinds:
        return None
    if a == "bool" or b == "bool":
        return b if a == "bool" else a
    if kinds == {"int"}:
        return _promote_ints(a, b)
    if {a, b} == {"float16", "bfloat16"}:
        return "float32"
    rank = max(_float_rank(a), _float_rank(b))
    if "complex" in kinds:
        return _RANK_COMPLEX[max(rank, 2)]
    return "bfloat16" if rank == 1 and "bfloat16" in (a, b) else _RANK_FLOAT[rank]


def _float_rank(dtype: str) -> int:
    """Return the rank of the smallest float (1, 2, 3 for 16, 32, 64 bits) that is as wide as the dtype needs."""
    whole = _SIGNED.get(dtype) or _UNSIGNED.get(dtype)
    return min(whole, 3) if whole else _FLOATS.get(dtype) or _COMPLEX[dtype]


def _promote_ints(a: str, b: str) -> str:
    """Return the dtype that NumPy 2 promotes two integer dtypes to."""
    if (a in _SIGNED) == (b in _SIGNED):
        ranks = _SIGNED if a in _SIGNED else _UNSIGNED
        return max(a, b, key=ranks.__getitem__)
    signed, unsigned = (a, b) if a in _SIGNED else (b, a)
    rank = max(_SIGNED[signed], _UNSIGNED[unsigned] + 1)
    return _RANK_SIGNED.get(rank, "float64")


# Records -----------------------------------------------------------------------------------------------------------

Field: TypeAlias = tuple[str | None, tuple[int, ...] | None]


_REPEATED = re.compile(r"(?P<order>[<>|=]?)\s*(?P<times>\d+|\([\d\s,]*\))(?P<type>.+)")


def repeated(text: str) -> tuple[tuple[int, ...], str]:
    """Return the shape and the element type of a text with a repeat count: `3f4`, `(2,3)f4`."""
    found = _REPEATED.fullmatch(text.strip())
    if found is None:
        return (), text.strip()
    return tuple(int(size) for size in re.findall(r"\d+", found["times"])), found["order"] + found["type"]


def record(fields: Iterable[tuple[str, Field]]) -> str:
    """Return the type of a record; the type or shape of a field is None if it is not known."""
    return json.dumps([(name, dtype, shape) for name, (dtype, shape) in fields])


def fields_of(dtype: str | None) -> dict[str, Field]:
    """Return the fields of a record type by name; none for other types."""
    if dtype is None or not dtype.startswith("["):
        return {}
    return {name: (inner, None if shape is None else tuple(shape)) for name, inner, shape in json.loads(dtype)}
