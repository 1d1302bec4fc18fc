"""Writes shapecheck/models/refused_dtypes.json: the dtypes that each operand of a function of TensorFlow or Keras does
not take.

In calls that the library accepts, one operand after the other is given in every dtype: as a tensor, as an array of
NumPy and as numbers of Python; alone, and together with the other operands. What is refused each time, in words about
dtypes, is written; and the operands that must be of one dtype. Run by `make docs`; with `--check` it writes nothing and
names the functions, of a sample, whose entries refuse what is taken.
"""

from __future__ import annotations

import itertools
import json
import random
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from shapecheck.domain.values import Const, Seq
from shapecheck.models.lang import refused_dtypes
from shapecheck.models.lang.bind import bind, real_parameters
from shapecheck.models.lang.parameter_kinds import Reading
from shapecheck.models.lang.registry import Definition
from tests.support import generated
from tests.support.calls import Array, Call
from tests.support.environments import CURRENT
from tests.support.generate_dtypes import asked
from tests.support.oracle import Oracle
from tests.support.sampling import draw
from tests.support.seed import draws

TARGET = Path(__file__).resolve().parents[2] / "shapecheck" / "models" / "refused_dtypes.json"
KINDS = {
    "bool": ("bool",),
    "int": ("int32", "int64", "uint8"),
    "float": ("float32", "float64"),
    "complex": ("complex64",),
    "string": ("str",),
}
MIXED = ("bool", "int32", "int64", "float32", "float64")
FORMS = ("tensor", "array", "literal")
BASES = 12  # accepted calls of each function
MOST = 80  # calls drawn for them
BITWISE = ("|", "&", "^", "~", "invert")
MOST_GROUPS = 16  # of other operands that get the same dtype
SAMPLE = 12  # names of which `--check` asks again
Place: TypeAlias = "int | str"
Entry: TypeAlias = "dict[str, Any]"

ABOUT_DTYPES = re.compile(
    r"allowed values|dtype|EagerTensor of|was expected to be|of type|data type|[Cc]annot convert|[Cc]an't convert"
    r"|expected (string|int|float|bool)|must be (a |an )?(float|int|bool|string|complex|numeric)|floating|real tensor"
    r"|[Cc]ast \w+ to \w+ is not supported|not supported between instances|unsupported operand|is not supported"
)
"""The words of a refusal that is about dtypes."""
ABOUT_ELSE = re.compile(r"CPU|Could not find device|out of|range|invertible|shape|aborted|singular|[Mm]ust specify")
OPERAND = re.compile(r"<tf\.Tensor.*", re.DOTALL)
"""An operand as messages show it, with its shape."""


@dataclass(slots=True)
class Told:
    """What the library said of one operand: the kinds of elements that it took, by form."""

    taken: dict[str, set[str]] = field(default_factory=lambda: {form: set() for form in FORMS})

    def refused(self) -> str | dict[str, str]:
        """Return the kinds that are refused, by form where the forms differ; nothing where a form is refused always."""
        found = {form: " ".join(kind for kind in KINDS if kind not in self.taken[form]) for form in FORMS}
        by_form = {form: kinds for form, kinds in found.items() if kinds and self.taken[form]}
        return found["tensor"] if len(by_form) == 3 and len(set(by_form.values())) == 1 else by_form


def entry(name: str, made: Definition, oracle: Oracle) -> Entry:
    """Return what a function refuses, by operand, and the operands of one dtype."""
    told: dict[str, Told] = {}
    pairs: dict[tuple[str, str], bool] = {}
    rng = draws(f"refused {made.names[0]}", seed=0)  # the same for its other names
    is_bitwise = any(sign in BITWISE for sign in made.operator.split())  # the operators take booleans and integers
    for call in bases(name, made, oracle, rng):
        for place, parameter in operands(name, made, call):
            each = told.setdefault(parameter, Told({form: {"bool", "int"} if is_bitwise else set() for form in FORMS}))
            ask_operand(call, place, each, oracle)
        for first, second in itertools.combinations(operands(name, made, call), 2):
            for both, is_same in mixed(call, first, second, told, oracle):
                pairs[both] = pairs.get(both, True) and is_same
    found: Entry = {parameter: each.refused() for parameter, each in told.items()}
    found["same dtype"] = [list(pair) for pair, is_same in pairs.items() if is_same]
    return {key: what for key, what in found.items() if what}


def bases(
    name: str, made: Definition, oracle: Oracle, rng: random.Random, *, are_of_arrays: bool = True
) -> Iterator[Call]:
    """Return a few calls that the library accepts, if wanted only such with arrays, with different options where there
    are some: what a function takes may depend on them."""
    count = 0
    drawn = [call for _ in range(MOST) if (call := draw(made, name, rng, CURRENT.target)) is not None]
    for call in varied(call for call in drawn if not are_of_arrays or any(map(has_arrays, given_in(call)))):
        if count == BASES:
            return
        usual = (with_usual(call, dtype) for dtype in ("float32", "int32", "bool", "complex64"))
        accepted = next((each for each in usual if not each.is_empty() and takes(oracle, each) is True), None)
        if accepted is not None:
            count += 1
            yield accepted


def varied(calls: Iterable[Call]) -> list[Call]:
    """Return calls in an order in which those with new options come first."""
    like: dict[str, list[Call]] = {}
    for call in calls:
        like.setdefault(options(call), []).append(call)
    return [call for equals in itertools.zip_longest(*like.values()) for call in equals if call is not None]


def options(call: Call) -> str:
    """Return what a call gives besides arrays, and where it gives arrays."""
    each = ((place, given(call, place)) for place in places_of(call))
    return repr([(place, "array" if has_arrays(arg) else arg) for place, arg in each])


def given_in(call: Call) -> list[Any]:
    return [*call.positional, *call.named.values()]


def places_of(call: Call) -> list[Place]:
    return [*range(len(call.positional)), *call.named]


def with_usual(call: Call, usual: str) -> Call:
    """Return the call with operands as tensors, of the dtypes of their kinds or of a usual one."""

    def change(arg: Any) -> Any:
        if isinstance(arg, Array):
            dtype = {"int": "int32", "bool": "bool", "text": "str", "key": "uint32"}.get(arg.kind, usual)
            return replace(arg, dtype=dtype, is_literal=False)
        return type(arg)(map(change, arg)) if isinstance(arg, (list, tuple)) else arg

    return Call(call.name, tuple(map(change, call.positional)), {key: change(arg) for key, arg in call.named.items()})


def takes(oracle: Oracle, call: Call) -> bool | None:
    """Return whether the library takes the call; None if what it says is not about dtypes."""
    answer = oracle.exactly(call.name, call.encoded_args(), call.encoded_keywords())
    if "shapes" in answer:
        return True
    said = OPERAND.sub("", answer.get("error", ""))
    return False if ABOUT_DTYPES.search(said) and not ABOUT_ELSE.search(said) else None


def operands(name: str, made: Definition, call: Call) -> list[tuple[Place, str]]:
    """Return the places of a call's operands, each with the model's name for it."""
    pairs = ((at, parameter_at(name, made, call, at)) for at in places_of(call) if has_arrays(given(call, at)))
    return [(place, parameter) for place, parameter in pairs if parameter]


def parameter_at(name: str, made: Definition, call: Call, place: Place) -> str:
    """Return the name of the operand that is given at a place."""
    mark = Const("the mark")
    args, keywords = call.args(), call.keywords()
    if isinstance(place, int):
        args[place] = mark
    else:
        keywords[place] = mark
    bound = bind(name, made.parameters, made.was, made.varargs, args, keywords, CURRENT.target)
    operand_names = {p.name for p in made.parameters if p.reading in (Reading.TENSOR, Reading.TENSORS)}
    found = {} if bound is None else bound.given
    is_at = (key for key, value in found.items() if value == mark or (isinstance(value, Seq) and mark in value.items))
    return next((key for key in is_at if key in operand_names), "")


def given(call: Call, place: Place) -> Any:
    return call.positional[place] if isinstance(place, int) else call.named[place]


def has_arrays(arg: Any) -> bool:
    return isinstance(arg, Array) or (isinstance(arg, (list, tuple)) and any(map(has_arrays, arg)))


def with_dtype(call: Call, place: Place, dtype: str, form: str) -> Call:
    """Return the call with another dtype at one place."""

    def change(arg: Any) -> Any:
        if isinstance(arg, Array) and arg.kind != "sparse":
            return replace(arg, dtype=dtype, is_literal=form == "literal", is_numpy=form == "array")
        return type(arg)(map(change, arg)) if isinstance(arg, (list, tuple)) else arg

    if isinstance(place, int):
        before, after = call.positional[:place], call.positional[place + 1 :]
        return replace(call, positional=(*before, change(call.positional[place]), *after))
    return replace(call, named={**call.named, place: change(call.named[place])})


def ask_operand(call: Call, place: Place, told: Told, oracle: Oracle) -> None:
    """Ask for every form and kind of an operand whether the library takes it; it takes arrays and numbers of a kind
    whose tensors it takes."""
    for form in FORMS:
        told.taken[form] |= told.taken["tensor"]
        for kind, dtypes in KINDS.items():
            if kind not in told.taken[form] and any(takes_dtype(call, place, dtype, form, oracle) for dtype in dtypes):
                told.taken[form].add(kind)


def takes_dtype(call: Call, place: Place, dtype: str, form: str, oracle: Oracle) -> bool:
    """Return whether the library may take the call with another dtype for one operand: alone, or with some others."""
    alone = with_dtype(call, place, dtype, form)
    others = [each for each in places_of(call) if each != place and has_arrays(given(call, each))]
    groups = [group for size in range(1, len(others) + 1) for group in itertools.combinations(others, size)]
    companions = dict.fromkeys(("tensor", form))
    together = (with_dtypes(alone, group, dtype, other) for group in groups[:MOST_GROUPS] for other in companions)
    variants = [alone, *together]
    if "dtype" in (real_parameters(call.name, CURRENT.target) or ()):  # which may ask for the dtype of the operand
        variants += [replace(each, named={**each.named, "dtype": dtype}) for each in variants]
    return any(takes(oracle, variant) is not False for variant in variants)


def with_dtypes(call: Call, places: Iterable[Place], dtype: str, form: str) -> Call:
    for place in places:
        call = with_dtype(call, place, dtype, form)
    return call


def mixed(
    call: Call, first: tuple[Place, str], second: tuple[Place, str], told: dict[str, Told], oracle: Oracle
) -> Iterator[tuple[tuple[str, str], bool]]:
    """Yield for two operands whether tensors of two dtypes that each of them takes are refused."""
    (a, name_a), (b, name_b) = first, second
    may = [[d for d in MIXED if refused_dtypes.kind(d) in told[name].taken["tensor"]] for name in (name_a, name_b)]
    both = [d for d in may[0] if d in may[1]]
    if name_a == name_b or len(both) < 2 or not any(taken_as(call, a, b, d, d, oracle) for d in both):
        return
    tried = [(x, y) for x in may[0] for y in may[1] if x != y]
    yield (name_a, name_b), not any(taken_as(call, a, b, x, y, oracle) for x, y in tried)


def taken_as(call: Call, a: Place, b: Place, of_a: str, of_b: str, oracle: Oracle) -> bool:
    """Return whether the library may take tensors of two dtypes: with others as they are, or like one of the two."""
    changed = with_dtype(with_dtype(call, a, of_a, "tensor"), b, of_b, "tensor")
    others = [each for each in places_of(call) if each not in (a, b) and has_arrays(given(call, each))]
    variants = [changed, *(with_dtypes(changed, others, dtype, "tensor") for dtype in (of_a, of_b) if others)]
    return any(takes(oracle, variant) is not False for variant in variants)


def wanted() -> dict[str, Definition]:
    return {name: made for name, made in sorted(asked(CURRENT).items()) if name.startswith(("tf.", "keras."))}


def stale(count: int) -> list[str]:
    """Of some names, those whose entries refuse what the installed libraries take; and those of no model."""
    models, oracle = wanted(), Oracle(CURRENT.python)
    wrong = sorted(refused_dtypes.table().keys() - models.keys())
    for name in draws("names").sample(sorted(models), count):
        if says_more(refused_dtypes.table().get(name, {}), entry(name, models[name], oracle)):
            wrong.append(name)
    oracle.stop()
    return wrong


def says_more(told: Entry, found: Entry) -> bool:
    """Return whether an entry refuses more than another one."""
    pairs = told.get("same dtype", [])
    if any(pair not in found.get("same dtype", []) for pair in pairs):
        return True
    return any(
        set(_words(told[name], form)) - set(_words(found.get(name, ""), form))
        for name in told.keys() - {"same dtype"}
        for form in FORMS
    )


def _words(told: str | dict[str, str], form: str) -> list[str]:
    return (told if isinstance(told, str) else told.get(form, "")).split()


def main() -> None:
    """Ask for the functions whose names begin with a given word, or for all; the entries of others are kept."""
    if sys.argv[1:] == ["--check"]:
        sys.exit(" ".join(stale(SAMPLE)) or None)
    begins = sys.argv[1] if len(sys.argv) > 1 else ""
    kept = {} if not begins else {k: v for k, v in refused_dtypes.table().items() if not k.startswith(begins)}
    oracle = Oracle(CURRENT.python)
    new = {name: entry(name, made, oracle) for name, made in wanted().items() if name.startswith(begins)}
    oracle.stop()
    found = {name: told for name, told in sorted({**kept, **new}.items()) if told}
    lines = (f"{json.dumps(name)}: {json.dumps(told)}" for name, told in found.items())
    TARGET.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    generated.note()


if __name__ == "__main__":
    main()
