"""Writes shapecheck/models/refused_values.json: the kinds of values that each option of a function of TensorFlow or
Keras does not take.

In calls that the library accepts, one option after the other is given as a text, None, a list, a number or an array. A
kind of which all samples are refused in all these calls is written. Run by `make docs`; with `--check` it writes
nothing and names the functions, of a sample, whose entries refuse what is taken.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from shapecheck.domain.values import Const
from shapecheck.models.lang import refused_values
from shapecheck.models.lang.bind import bind, real_parameters
from shapecheck.models.lang.parameter_kinds import Reading
from shapecheck.models.lang.registry import Definition
from tests.support import generated
from tests.support.calls import Array, Call
from tests.support.environments import CURRENT
from tests.support.generate_dtypes import asked
from tests.support.generate_refused_dtypes import Place, bases, given, has_arrays
from tests.support.oracle import ABORTED, Oracle
from tests.support.seed import draws

TARGET = Path(__file__).resolve().parents[2] / "shapecheck" / "models" / "refused_values.json"
TEXTS = (
    "text",
    "float32",
    "same",
    "SAME",
    "VALID",
    "full",
    "channels_last",
    "NHWC",
    "mean",
    "constant",
    "CONSTANT",
    "linear",
)
KINDS = {  # of which all are refused if some are, by what a model says of the option
    Reading.AXIS: ("text", "list", "float", "array"),
    Reading.AXES: ("text", "float"),
    Reading.SIZE: ("text", "list", "float", "array"),
    Reading.SIZES: ("text",),
    Reading.SHAPE: ("text", "float"),
    Reading.FLAG: ("list", "array"),
    Reading.CHOICE: ("list", "float", "array"),
    Reading.TEXT: ("list", "float", "array"),
}
SAMPLE = 40  # names of which `--check` asks again
LEFT_OUT = ("name", "dtype", "seed")  # of no interest, or with an annotation of their own


def samples(call: Call) -> dict[str, list[Any]]:
    """Return values by kind; arrays and lists also have the sizes of the operands."""
    shapes = [arg.shape for arg in (*call.positional, *call.named.values()) if isinstance(arg, Array)]
    own = next((shape for shape in shapes if shape), (2,))
    forms = dict.fromkeys(((2, 3), (3,), (2,), (2, 2), own, own[-1:], own[:1], (len(own),), (len(own), 2)))
    some = [Array(shape, "float", dtype) for shape in forms for dtype in ("float32", "int32", "bool")]
    lists = [[1], [1, 0], [1.5], [1] * len(own), [0, 1, 2][: len(own)], [[1, 1]] * len(own), [1.0] * own[-1]]
    return {
        "text": [*TEXTS],
        "none": [None],
        "list": lists,
        "float": [1.5, 0.5, -1.0, 0.0, 1.0, 2.0, 3.0],
        "array": [array for array in some if array.shape != (1,)],
    }


def entry(name: str, made: Definition, oracle: Oracle) -> dict[str, str]:
    """Return the kinds of values that each option refuses."""
    taken: dict[str, set[str]] = {}
    for call in bases(name, made, oracle, draws(f"values {name}", seed=0), are_of_arrays=False):
        for place in places(call):
            parameter = parameter_at(name, made, call, place)
            if parameter and parameter not in LEFT_OUT:
                ask(call, place, taken.setdefault(parameter, set()), oracle)
    kinds = samples(Call(name, (), {}))
    told = told_kinds(made, oracle.options(name))
    found = {
        parameter: " ".join(kind for kind in kinds if kind not in each and kind in told.get(parameter, ()))
        for parameter, each in taken.items()
    }
    return {parameter: words for parameter, words in found.items() if words}


def told_kinds(made: Definition, offered: dict[str, list[Any]]) -> dict[str, set[str]]:
    """Return the kinds that samples can tell of each option: a list or a text that is refused may be the wrong one."""
    told: dict[str, set[str]] = {}
    if any(name.endswith("roll") for name in made.names):  # takes a list of axes with a list of shifts
        return told
    for name, values in offered.items():
        are_numbers = bool(values) and all(isinstance(each, (bool, int, float)) for each in values)
        told[name] = {"text", "list", "array"} if are_numbers else set()
    for parameter in made.parameters:
        kinds = {*KINDS.get(parameter.reading, ())}
        if parameter.name in offered and any(isinstance(each, str) for each in offered[parameter.name]):
            kinds.discard("text")
        is_never_none = parameter.required or (parameter.default is not None and not parameter.optional)
        told[parameter.name] = kinds | ({"none"} if kinds and is_never_none else set())
    return told


def places(call: Call) -> list[Place]:
    """Return the places of options: those that are given, and those that are not."""
    named = [name for name in real_parameters(call.name, CURRENT.target) or () if not name.startswith("*")]
    more = [name for name in named[len(call.positional) :] if name not in call.named]
    usual: list[Place] = [*range(len(call.positional)), *call.named]
    return [*(place for place in usual if not has_arrays(given(call, place))), *more]


def parameter_at(name: str, made: Definition, call: Call, place: Place) -> str:
    """Return the name of the option that is given at a place: the model's, or the library's where it has none."""
    mark, marked = Const("the mark"), with_value(call, place, "the mark")
    bound = bind(name, made.parameters, made.was, made.varargs, marked.args(), marked.keywords(), CURRENT.target)
    if bound is None:
        return ""
    operands = {p.name for p in made.parameters if p.reading in (Reading.TENSOR, Reading.TENSORS)}
    found = (key for store in (bound.given, bound.others) for key, value in store.items() if value == mark)
    return next((key for key in found if key not in operands), "")


def with_value(call: Call, place: Place, value: Any) -> Call:
    if isinstance(place, int):
        return replace(call, positional=(*call.positional[:place], value, *call.positional[place + 1 :]))
    return replace(call, named={**call.named, place: value})


def ask(call: Call, place: Place, taken: set[str], oracle: Oracle) -> None:
    """Ask for every kind that was not taken yet whether the library takes a sample of it."""
    for kind, values in samples(call).items():
        if kind not in taken and any(takes(oracle, with_value(call, place, value)) for value in values):
            taken.add(kind)


def takes(oracle: Oracle, call: Call) -> bool:
    """Return whether the library may take the call."""
    answer = oracle.exactly(call.name, call.encoded_args(), call.encoded_keywords())
    return "error" not in answer or answer["error"] == ABORTED


def wanted() -> dict[str, Definition]:
    return {name: made for name, made in sorted(asked(CURRENT).items()) if name.startswith(("tf.", "keras."))}


def stale(count: int) -> list[str]:
    """Of some names, those whose entries refuse what the installed libraries take; and those of no model."""
    models, oracle = wanted(), Oracle(CURRENT.python)
    wrong = sorted(refused_values.table().keys() - models.keys())
    for name in draws("names").sample(sorted(models), count):
        found, told = entry(name, models[name], oracle), refused_values.table().get(name, {})
        if any(set(words.split()) - set(found.get(option, "").split()) for option, words in told.items()):
            wrong.append(name)
    oracle.stop()
    return wrong


def main() -> None:
    """Ask for the functions whose names begin with a given word, or for all; the entries of others are kept."""
    if sys.argv[1:] == ["--check"]:
        sys.exit(" ".join(stale(SAMPLE)) or None)
    begins = sys.argv[1] if len(sys.argv) > 1 else ""
    kept = {} if not begins else {k: v for k, v in refused_values.table().items() if not k.startswith(begins)}
    oracle = Oracle(CURRENT.python)
    new = {name: entry(name, made, oracle) for name, made in wanted().items() if name.startswith(begins)}
    oracle.stop()
    found = {name: told for name, told in sorted({**kept, **new}.items()) if told}
    lines = (f"{json.dumps(name)}: {json.dumps(told)}" for name, told in found.items())
    TARGET.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    generated.note()


if __name__ == "__main__":
    main()
