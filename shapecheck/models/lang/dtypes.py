"""Which dtype a result has.

A rule says whose dtype is taken, and what becomes of it: "promote float" is the common dtype of all operands, made one
that can hold fractions; "first -bool" is that of the first operand, except where there are truth values.  A rule that
is a dtype means just that, "?" that it is not known.
`dtypes.json` holds the rule of each function; it is generated, by asking the libraries.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Literal, TypeAlias

from shapecheck.domain import values
from shapecheck.models.lang.context import Target
from shapecheck.models.lang.kinds import Tensor
from shapecheck.shapes import dtype as dtypes

Library: TypeAlias = Literal["np", "keras", "tf"]

INTEGERS = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
NARROW = dict.fromkeys(("bool", "int8", "uint8"), "float16") | dict.fromkeys(("int16", "uint16"), "float32")
REAL = {"complex64": "float32", "complex128": "float64"}
COMPLEX = {"float16": "complex64", "float32": "complex64", "float64": "complex128"}
DOUBLE = dict.fromkeys(INTEGERS, "float64")
SINGLE = dict.fromkeys(INTEGERS, "float32")
SMALL = {"int8": "int32", "int16": "int32", "uint8": "uint32", "uint16": "uint32"}
LARGE = dict.fromkeys(("int8", "int16", "int32"), "int64") | dict.fromkeys(("uint8", "uint16", "uint32"), "uint64")
WORDS: dict[str, dict[Library, dict[str, str]]] = {
    "float": {"np": DOUBLE | NARROW, "keras": SINGLE, "tf": SINGLE | {"int32": "float64", "int64": "float64"}},
    "mean": {"np": DOUBLE, "keras": SINGLE, "tf": SINGLE},
    "sum": {"np": LARGE | {"bool": "int64"}, "keras": SMALL | {"bool": "int32"}, "tf": {}},
    "whole": {"np": {"bool": "int8"}, "keras": {"bool": "int32"}, "tf": {}},
    "real": {"np": REAL, "keras": REAL, "tf": REAL},
    "complex": {"np": COMPLEX, "keras": COMPLEX, "tf": COMPLEX},
}
WHOSE = ("?", "first", "last", "each", "common", "promote", "rest")
EXCEPTIONS = {f"-{name}" for name in ("complex", *DOUBLE, *NARROW, *REAL, *COMPLEX)}
WIDE = {"int32": "int64", "float32": "float64", "complex64": "complex128"}  # NumPy's Python numbers


def library_of(name: str) -> Library:
    """Whose way with dtypes a function has."""
    return "np" if name.startswith(("np.", "scipy.")) else "keras" if name.startswith("keras.") else "tf"


@cache
def table() -> dict[str, dict[str, str]]:
    """The generated rules: of the libraries that are installed, and those of older ones that differ."""
    found = files("shapecheck.models").joinpath("dtypes.json")
    return json.loads(found.read_text(encoding="utf-8")) if found.is_file() else {}


def rule(name: str, target: Target) -> str | None:
    """The rule of a function, None for one that was not asked."""
    rules = table()
    version = "tensorflow 1.15" if target.tensorflow == 1 else "tensorflow 2.15" if target.numpy == 1 else "installed"
    return rules.get(version, {}).get(name) or rules.get("installed", {}).get(name)


def check(said: str) -> None:
    """Raises ValueError for a rule that no result could follow, as one with a typing error."""
    for mine in said.split(","):
        whose, *words = mine.split() or ["first"]
        unknown = [whose] if whose not in WHOSE and not _is_dtype(whose) else []
        unknown += [word for word in words if word not in WORDS and word not in EXCEPTIONS]
        if unknown:
            raise ValueError(f"{', '.join(unknown)} in the dtype rule {said!r} is neither a dtype nor a word of rules")


def _is_dtype(name: str) -> bool:
    return name == "object" or dtypes.canonical(name) == name


def depends_on_values(name: str, operands: Sequence[Tensor]) -> bool:
    """Whether scalars take part, of which NumPy 1 looks at the value."""
    is_mixed = len({operand.dtype for operand in operands}) > 1
    return is_mixed and library_of(name) == "np" and any(operand.rank in (0, None) for operand in operands)


def by_rule(said: str, name: str, operands: Sequence[Tensor], output: int = 0) -> str | None:
    """The dtype that a rule gives; for several results there are rules with commas between."""
    *_, mine = said.split(",")[: output + 1]
    whose, *words = mine.split() or ["first"]
    library = library_of(name)
    dtype = _taken(whose, operands, library, output)
    for word in words:
        if word.startswith("-"):
            dtype = None if any(_is_excepted(operand.dtype, word[1:]) for operand in operands) else dtype
        else:
            dtype = dtype and WORDS[word][library].get(dtype, dtype)
    return dtype


def _is_excepted(dtype: str | None, excepted: str) -> bool:
    """Whether a rule says nothing of an operand; "complex" is either of the complex dtypes."""
    return dtype in (None, excepted) or (excepted == "complex" and dtype in REAL)


def _taken(whose: str, operands: Sequence[Tensor], library: Library, output: int) -> str | None:
    match whose:
        case "?":
            return None
        case "first" | "last":
            return _of_one(operands if whose == "first" else operands[::-1], library)
        case "each":  # as many results as operands
            return operands[output].dtype if output < len(operands) else None
        case "common":  # numbers of Python count like arrays
            return _common([operand.dtype for operand in operands], library)
        case "promote" | "rest":  # the rest are those that a condition, as the first one, chooses from
            return promoted(operands if whose == "promote" else operands[1:], library)
    return whose


def _of_one(operands: Sequence[Tensor], library: Library) -> str | None:
    """TensorFlow reads lists of numbers as what the other operands are."""
    chosen = next((operand for operand in operands if operand.dtype), None)
    if chosen is None or (library == "tf" and is_plain(chosen.given) and {o.dtype for o in operands} != {chosen.dtype}):
        return None
    return chosen.dtype


def promoted(operands: Sequence[Tensor], library: Library) -> str | None:
    """The common dtype; Python numbers adapt to arrays, and NumPy's arrays to tensors."""
    if library == "tf":
        tensors = [operand for operand in operands if getattr(operand.value, "library", "") != "np"]
        arrays = [operand for operand in operands if not is_plain(operand.given)]
        names = [operand.dtype for operand in tensors or arrays or operands]
        return _common(names, library) if tensors or arrays or len(set(names)) == 1 else None
    if any(operand.dtype == "string" for operand in operands):
        return "string"  # texts go with nothing else, but for the number of times that one is repeated
    strong = [operand for operand in operands if not is_python_number(operand)]
    common = _common([operand.dtype for operand in strong or operands], library)
    if not strong or common is None:
        return common
    return _adapted(common, [operand.dtype for operand in operands if is_python_number(operand)], library)


def _common(names: Sequence[str | None], library: Library) -> str | None:
    common = names[0] if names else None
    combine = weakly if library == "keras" else dtypes.promote
    for name in names[1:]:
        common = combine(common, name) if common and name else None
    return common


def weakly(a: str, b: str) -> str | None:
    """The dtype that Keras makes of two: integers do not widen floats."""
    kinds: list[dtypes.DtypeKind] = ["bool", "int", "float", "complex"]
    ranks = [kinds.index(found) if (found := _kind(name)) in kinds else None for name in (a, b)]
    if None in ranks:
        return None
    if "complex" in (_kind(a), _kind(b)):
        return "complex64"
    low, high = ranks
    if low == high:
        return dtypes.promote(a, b)
    return a if (low or 0) > (high or 0) else b


def _kind(name: str) -> dtypes.DtypeKind | None:
    plain = dtypes.canonical(name)
    return dtypes.kind(plain) if plain is not None else None


def _adapted(common: str, numbers: Sequence[str | None], library: Library) -> str | None:
    """The dtype of arrays together with Python numbers, which count only where they are of a higher kind."""
    kinds = ["bool", "int", "float", "complex"]
    if not numbers or common == "object":
        return common
    if None in numbers or _kind(common) not in kinds:
        return None
    for name in numbers:
        kind = _kind(name or "")
        if kind not in kinds:
            return None
        if kinds.index(kind) > kinds.index(_kind(common) or ""):
            is_single = library != "np" or common in ("float32", "float16")
            numbered = {"int": "int32" if library != "np" else "int64", "float": "float32" if is_single else "float64"}
            common = numbered.get(kind, "complex64" if is_single else "complex128")
    return common


def is_float(dtype: str | None) -> bool | None:
    """Whether numbers of a dtype may have fractions; None for what is neither a real number nor an integer."""
    name = dtypes.canonical(dtype) if dtype is not None else None
    if name is None or name in ("bool", "string") or name.startswith("complex"):
        return None
    return "float" in name


def is_python_number(operand: Tensor) -> bool:
    return operand.rank == 0 and is_plain(operand.given)


def widened(tensor: values.Tensor, name: str, given: values.Value) -> values.Tensor:
    """What a function makes of an argument: numbers of Python have 64 bits where NumPy reads them."""
    if library_of(name) != "np" or tensor.dtype not in WIDE or not is_plain(given):
        return tensor
    return replace(tensor, dtype=WIDE[tensor.dtype])


def is_plain(given: values.Value) -> bool:
    """Whether a value is made of Python's numbers only."""
    return given != values.NONE and not any(
        isinstance(part, (values.Tensor, values.Lost, values.Ref)) for part in values.walk(given)
    )
