"""Binding of the arguments of a call to a model's parameters, by the real parameter lists of the library."""

from __future__ import annotations

import json
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from shapecheck.domain.values import NONE, Const, HomogeneousSeq, Lost, Range, Ref, Seq, Tensor, Value
from shapecheck.models.lang.context import Target
from shapecheck.models.lang.names import tables
from shapecheck.models.lang.packs import CORE, classes_of_arrays, package_of
from shapecheck.models.lang.parameter_kinds import Parameter, Reading
from shapecheck.models.lang.parameter_tables import present

ANY = Target()
GUARDED = frozenset(f"tf.nn.{kind}_cross_entropy_with_logits" for kind in ("softmax", "sparse_softmax", "sigmoid")) | {
    "tf.nn.softmax_cross_entropy_with_logits_v2"
}
"""Functions that begin with a parameter in TensorFlow 1 which must be None, so that others are named."""


@dataclass(slots=True)
class Bound:
    """Arguments by the model's parameter names, and those that the model does not name by the library's."""

    given: dict[str, Value] = field(default_factory=dict)
    others: dict[str, Value] = field(default_factory=dict)


@cache
def signatures(edition: str = "signatures", package: str = CORE) -> dict[str, Any]:
    """A table: the real parameter lists by name, which a pack may have, or of "older" versions, where they differ."""
    found = files(package).joinpath(f"{edition}.json")
    return json.loads(found.read_text(encoding="utf-8")) if found.is_file() else {}


@cache
def real_parameters(name: str, target: Target = ANY) -> tuple[str, ...] | None:
    """Return the library's parameter list for a name, in the version of the program's target where lists differ."""
    if (package := package_of(name)) != CORE:
        own = signatures(package=package).get(name)
        return present(name) if own is None else tuple(own)
    older = signatures("older_signatures")
    for version in filter(older.__contains__, _versions(name, target)):
        if name in older[version]:
            return tuple(older[version][name])
    first = "tf.compat.v1." + name.removeprefix("tf.")
    names = (first, name) if target.tensorflow == 1 else (name, first)
    known = next((listed for listed in map(present, names) if listed is not None), None)
    found = known or next((lists[name] for lists in older.values() if name in lists), None)
    return None if found is None else tuple(found)


def _versions(name: str, target: Target) -> list[str]:
    """Return the older versions that a program targets, of the library that owns a name."""
    root = name.split(".", 1)[0]
    old = {"tf": target.tensorflow == 1, "keras": target.keras == 2 or target.tensorflow == 1, "np": target.numpy == 1}
    versions = {"tf": "tensorflow 1.15", "keras": "keras 2.15", "np": "numpy 1.26"}
    return [versions[root]] if old.get(root) else []


def bind(
    name: str,
    parameters: Sequence[Parameter],
    was: Mapping[str, str],
    varargs: str,
    args: Sequence[Value],
    keywords: Mapping[str, Value],
    target: Target = ANY,
    around: Mapping[str, Value] = MappingProxyType({}),
) -> Bound | None:
    """Return the arguments by parameter, also those given by scopes; None if they do not fit the parameter list."""
    bound = Bound()
    declared = {parameter.name: parameter for parameter in parameters if parameter.reading is not Reading.TARGET}
    order = list(declared)
    real = real_parameters(name, target)
    if _begins_with_object(name, args) and "self" not in declared:
        args, real = args[1:], real[1:] if real is not None else None  # the object itself takes no part in this
    if target.tensorflow == 1 and name in GUARDED and args:
        if args[0] == NONE:
            args = args[1:]
        elif target.before_1_0:  # the logits came first, and no later version of TensorFlow 1 takes them by position
            args = [*reversed(args[:2]), *args[2:]]
    if varargs:
        args, rest = args[: order.index(varargs)], args[order.index(varargs) :]
        if rest:
            bound.given[varargs] = _collected(name, rest, declared[varargs], real)
    positions = order if real is None or varargs else _positional(real)
    if len(args) > len(positions):
        return None
    names = {**was, **{spelled: spelled for spelled in order}, **translation(list(declared.values()), real or (), was)}
    is_consistent = _fill(bound, declared, names, list(zip(positions, args, strict=False)), respelled(name, keywords))
    return bound if is_consistent and _complete(bound, declared, around) else None


def respelled(name: str, keywords: Mapping[str, Value]) -> Mapping[str, Value]:
    """Return keyword arguments by the library's names, where its functions take other spellings of them, too."""
    spellings = tables(package_of(name))["spellings"] if keywords else {}
    if not spellings:
        return keywords
    real = real_parameters(name) or ()
    return {spelled if spelled in real else spellings.get(spelled, spelled): each for spelled, each in keywords.items()}


def _positional(real: Sequence[str]) -> list[str]:
    return [spelled for spelled in real if not spelled.startswith("*")]


def _begins_with_object(name: str, args: Sequence[Value]) -> bool:
    """Whether a method is called with its object as the first argument, which is no operand."""
    cls = name.rpartition(".")[0]
    is_method = cls.rpartition(".")[2][:1].isupper() and cls not in classes_of_arrays()
    return bool(args) and isinstance(args[0], Ref) and is_method


def _collected(name: str, rest: Sequence[Value], parameter: Parameter, real: Sequence[str] | None) -> Value:
    """The value of the parameter that collects further arguments: a sequence may be given in their place, save of sizes
    of random numbers."""
    many = parameter.reading is Reading.TENSORS
    if name.startswith("np.random."):
        return Seq("tuple", tuple(rest))
    is_open = many and real is not None and any(spelled.startswith("*") for spelled in real)
    whole = (Seq, HomogeneousSeq, Range) if many else (Seq, HomogeneousSeq, Range, Tensor, Lost)
    is_single = len(rest) == 1 and not is_open and isinstance(rest[0], whole)
    return rest[0] if is_single else Seq("tuple", tuple(rest))


def _fill(
    bound: Bound,
    declared: Container[str],
    names: Mapping[str, str],
    by_position: Sequence[tuple[str, Value]],
    keywords: Mapping[str, Value],
) -> bool:
    """Stores arguments under the model's names; False where one parameter is given two values."""
    for spelled, value in [*by_position, *keywords.items()]:
        meant = names.get(spelled, "")
        store, key = (bound.given, meant) if meant in declared else (bound.others, spelled)
        before = store.get(key, value)
        if before != value and (spelled not in keywords or before != Const(None)):
            return False
        store[key] = value
    return True


def _complete(bound: Bound, declared: Mapping[str, Parameter], around: Mapping[str, Value]) -> bool:
    """Adds what is said around the call; whether all that is required is there then."""
    for said, value in around.items():
        if said in declared:
            bound.given.setdefault(said, value)
    return all(name in bound.given for name, parameter in declared.items() if parameter.required)


def translation(parameters: Sequence[Parameter], real: Sequence[str], was: Mapping[str, str]) -> dict[str, str]:
    """Return the mapping from the library's parameter names to the model's: by name, by `was`, and operands by
    position.
    """
    order = [parameter.name for parameter in parameters]
    to_model = {name: name for name in real if name in order}
    for name in real:
        if name in was and was[name] not in to_model.values():
            to_model.setdefault(name, was[name])
    for parameter, name in zip(parameters, real, strict=False):
        if name.startswith("*"):
            break
        movable = parameter.required or parameter.reading in (Reading.TENSOR, Reading.TENSORS)
        if parameter.name not in to_model.values() and movable:
            to_model.setdefault(name, parameter.name)
    return to_model


RETELLING = frozenset(
    "axes retstep returned full full_output cov signature return_index return_inverse return_counts return_sign "
    "num_rows num_cols".split()
)


def is_retold(bound: Bound) -> bool:
    """Return whether an argument that the model does not name changes the form of the library's result."""
    given = (value for name, value in bound.others.items() if name in RETELLING)
    return any(value not in (Const(None), Const(False)) for value in given)
