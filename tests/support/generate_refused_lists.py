"""Writes refused_lists.json of a pack: the operands for which its functions take no lists, but arrays and numbers.

In calls that the library accepts, one array after the other is given as a list of Python's numbers. An operand is
written if all such calls are refused. With `--check` it writes nothing and names the functions, of a sample, whose
entries are other ones.
"""

from __future__ import annotations

import json
import sys
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

from shapecheck.models.lang import refused_lists
from shapecheck.models.lang.packs import package_of
from shapecheck.models.lang.registry import REGISTRY, Definition, load
from tests.support.calls import Array, Call
from tests.support.environments import JAX, Environment
from tests.support.generate_refused_dtypes import bases, given, operands, with_dtype
from tests.support.oracle import Oracle
from tests.support.seed import draws

DTYPES = ("float32", "int32", "bool")
MOST = 4  # calls of each function
LISTS_OF_AXES = ("jax.numpy.einsum",)  # which lists beside arrays may be
SAMPLE = 12  # names of which `--check` asks again


def entry(name: str, made: Definition, oracle: Oracle) -> str:
    """Return the operands for which a function takes no list."""
    taken: dict[str, bool] = {}
    for call in islice(bases(name, made, oracle, draws(f"lists {name}", seed=0)), MOST):
        for place, parameter in operands(name, made, call):
            if has_rows(given(call, place)) and not taken.get(parameter):
                taken[parameter] = any(takes(oracle, with_dtype(call, place, dtype, "literal")) for dtype in DTYPES)
    return " ".join(sorted(parameter for parameter, is_taken in taken.items() if not is_taken))


def has_rows(arg: Any) -> bool:
    """Return whether an argument becomes a list where its arrays are literals."""
    if isinstance(arg, (list, tuple)):
        return all(map(has_rows, arg))
    return isinstance(arg, Array) and bool(arg.shape)


def takes(oracle: Oracle, call: Call) -> bool:
    return "error" not in oracle.exactly(call.name, call.encoded_args(), call.encoded_keywords())


def wanted(environment: Environment) -> dict[str, Definition]:
    """Return the functions of a pack that are called, by name."""
    load(environment.package)
    made = {model.name: model.definition for model in REGISTRY.values() if model.definition.form == "op"}
    names = sorted(name for name in made if package_of(name) == environment.package and name not in LISTS_OF_AXES)
    return {name: made[name] for name in names}


def generated(environment: Environment, names: list[str]) -> dict[str, str]:
    models, oracle = wanted(environment), Oracle(environment.python)
    found = {name: entry(name, models[name], oracle) for name in names}
    oracle.stop()
    return found


def main() -> None:
    """Ask for the functions whose names begin with a given word, or for all; the entries of others are kept."""
    models, table = wanted(JAX), refused_lists.table(JAX.package)
    if sys.argv[1:] == ["--check"]:
        names = draws("names").sample(sorted(models), SAMPLE)
        sys.exit(" ".join(n for n, found in generated(JAX, names).items() if found != table.get(n, "")) or None)
    begins = sys.argv[1] if len(sys.argv) > 1 else ""
    kept = {name: told for name, told in table.items() if not name.startswith(begins)}
    told = generated(JAX, [name for name in sorted(models) if name.startswith(begins)])
    found = dict(sorted((kept | {name: each for name, each in told.items() if each}).items()))
    lines = (f"{json.dumps(name)}: {json.dumps(told)}" for name, told in found.items())
    target = Path(str(files(JAX.package).joinpath("refused_lists.json")))
    target.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
