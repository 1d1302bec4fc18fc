"""Writes shapecheck/models/dtypes.json: the rule by which each modelled function determines the dtype of its result.

Calls that a library accepts are repeated with operands of every dtype; of the rules that contradict no result, the one
that tells most of them is written, unless the model itself states it. Run by `make docs`; with `--check` it writes
nothing and names the functions, of a sample, whose rules are stale. `--only scipy.signal. …` asks anew for names that
begin so.
"""

from __future__ import annotations

import itertools
import json
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from shapecheck.models.lang import dtypes
from shapecheck.models.lang.bind import bind
from shapecheck.models.lang.evaluate import cases_of, operands_of
from shapecheck.models.lang.parameter_kinds import Tensor
from shapecheck.models.lang.registry import Definition
from tests.support import generated
from tests.support.agreement import families
from tests.support.calls import Array, Call
from tests.support.environments import CURRENT, OLD, PACKS, Environment
from tests.support.oracle import Oracle
from tests.support.sampling import DTYPES, draw
from tests.support.seed import draws
from tests.support.stub_context import StubContext

TARGET = Path(__file__).resolve().parents[2] / "shapecheck" / "models" / "dtypes.json"
WORDS = ("", " float", " mean", " sum", " whole", " real", " mean real", " float real", " complex", " float complex")
WORDS += (" mean complex", " real mean", " sum real")
CONSTANTS = (*DTYPES, "complex128", "float64", "int8", "string")
EXCEPT = ("", " -bool", " -float16", " -int64", " -complex")
OF = ("first", "promote", "each", "common", "last", "rest")
RULES = [*("".join(pair) for pair in itertools.product(OF, WORDS)), *CONSTANTS]
RULES = [said + without for without in EXCEPT for said in RULES]
SAMPLE = 60  # names of which `--check` asks again
Observation = tuple[list[Tensor], list[str]]


def rules(environment: Environment, usual: Mapping[str, str], beginnings: tuple[str, ...] = ("",)) -> dict[str, str]:
    """Return, by name, the rules that follow neither from models nor from the defaults."""
    oracle, found = Oracle(environment.python), {}
    for name, made in sorted(asked(environment).items()):
        said = rule_apart(name, made, environment, oracle, usual) if name.startswith(beginnings) else None
        if said is not None:
            found[name] = said
    oracle.stop()
    return found


def asked(environment: Environment) -> dict[str, Definition]:
    """Return the models to query in an environment, by name."""
    models = [(name, made) for made in itertools.chain(*families(environment.package).values()) for name in made.names]
    return {name: made for name, made in models if name.split(".")[0] not in environment.leaves_out}


def rule_apart(
    name: str, made: Definition, environment: Environment, oracle: Oracle, usual: Mapping[str, str]
) -> str | None:
    """Return the rule of a function, unless the model or the defaults state the same."""
    said = explained(name, made.dtype or "first", list(observations(made, name, environment, oracle)))
    return said if said != usual.get(name, normal(made.dtype)) else None


def explained(name: str, declared: str, seen: list[Observation]) -> str | None:
    """Return the rule that tells most and contradicts no observation, "?" if none does; one for each result."""
    seen = [(operands, results) for operands, results in seen if results and all(results)]
    if not seen:
        return None
    parts = declared.split(",")
    outputs = []
    count = max(len(results) for _, results in seen)
    for at in range(count):
        own = [(operands, results[at]) for operands, results in seen if at < len(results)]
        likely = [said for said in RULES if count > 1 or not said.startswith("each")]
        outputs.append(rule_of(name, [parts[min(at, len(parts) - 1)], *likely], own, at))
    return normal(",".join([*outputs, *parts[len(outputs) :]]))


def normal(said: str) -> str:
    """Return rules of several results, written once if they are the same."""
    parts = [part or "first" for part in said.split(",")]
    return parts[0] if len(set(parts)) == 1 else ",".join(parts)


def rule_of(name: str, candidates: list[str], seen: list[tuple[list[Tensor], str]], output: int) -> str:
    """Return the first of the candidates that tell most."""

    def told(said: str) -> int:
        """Return how many results a rule tells, 0 if one of them is another."""
        answers = [(dtypes.by_rule(said, name, operands, output), dtype) for operands, dtype in seen]
        is_wrong = any(mine not in (dtype, None) for mine, dtype in answers)
        return 0 if is_wrong else sum(mine == dtype for mine, dtype in answers)

    best = max((said or "first" for said in candidates if said != "?"), key=told)
    return best if told(best) else "?"


def observations(made: Definition, name: str, environment: Environment, oracle: Oracle) -> Iterator[Observation]:
    """Yield operands of accepted calls with the dtypes of their results."""
    rng, is_graph = draws(name, seed=0), environment.target.tensorflow == 1
    for call in accepted(made, name, environment, oracle, rng):
        for variant in variants(call, rng):
            asked = variant.encoded_args(), variant.encoded_keywords()
            answer = oracle.call(variant.name, *asked, is_graph)
            operands = operands_read(made, variant, environment) if answer.get("dtypes") else None
            if operands is not None:
                yield operands, answer["dtypes"]
                if name.startswith(("np.", "scipy.")) and variant.has_numbers():
                    for other in oracle.others(variant.name, *asked, answer["attempt"], seed=0):
                        yield operands, other["dtypes"]


def accepted(
    made: Definition, name: str, environment: Environment, oracle: Oracle, rng: random.Random
) -> Iterator[Call]:
    """Return a few calls that the library accepts, without a dtype, and with different arguments."""
    found: Counter[str] = Counter()
    for _ in range(60):
        call = draw(made, made.oracle or name, rng, environment.target)
        if call is None or found.total() == 4:
            return
        if "float32" in (*call.positional, *call.named.values()) or call.is_empty() or found[form(call)] == 2:
            continue
        is_graph = environment.target.tensorflow == 1
        answer = oracle.call(call.name, call.encoded_args(), call.encoded_keywords(), is_graph)
        if "missing" in answer:
            return
        if "shapes" in answer:
            found[form(call)] += 1
            yield call


def form(call: Call) -> str:
    """Return the names of the arguments of a call, and its flags."""
    given = [*enumerate(call.positional), *call.named.items()]
    return str([(name, arg if isinstance(arg, bool) else type(arg).__name__) for name, arg in given])


def variants(call: Call, rng: random.Random) -> Iterator[Call]:
    """Yield the call with operands of one dtype, of several, and with numbers and lists of Python."""
    floats = [array for array in arrays(call) if array.kind == "float"]
    for dtype in (*DTYPES, "int16"):
        yield retyped(call, [(dtype, False)] * len(floats))
    if len(floats) > 1:
        for _ in range(8):
            yield retyped(call, [(rng.choice(DTYPES), False) for _ in floats])
        for dtype, number, shape in itertools.product(
            ("float16", "uint8", "float32"), ("int64", "float64"), ((), None)
        ):
            for at in range(len(floats)):
                yield retyped(
                    call, [(number, True) if each == at else (dtype, False) for each in range(len(floats))], shape
                )
    for _ in range(6):
        yield retyped(call, [literal(rng) if rng.random() < 0.6 else (rng.choice(DTYPES), False) for _ in floats])


def literal(rng: random.Random) -> tuple[str, bool]:
    return rng.choice(("int64", "float64", "bool")), True


def arrays(arg: Any) -> Iterator[Array]:
    if isinstance(arg, Call):
        yield from arrays((*arg.positional, *arg.named.values()))
    elif isinstance(arg, Array):
        yield arg
    elif isinstance(arg, (list, tuple)):
        for item in arg:
            yield from arrays(item)


def retyped(call: Call, kinds: Iterable[tuple[str, bool]], literal_shape: tuple[int, ...] | None = None) -> Call:
    """Return the call with other dtypes, and with lists or, of shape (), numbers instead of arrays."""
    rest = iter(kinds)

    def change(arg: Any) -> Any:
        if isinstance(arg, Array) and arg.kind == "float":
            dtype, is_literal = next(rest)
            shape = arg.shape if literal_shape is None or not is_literal else literal_shape
            return replace(arg, shape=shape, dtype=dtype, is_literal=is_literal)
        return type(arg)(map(change, arg)) if isinstance(arg, (list, tuple)) else arg

    positional = tuple(map(change, call.positional))
    return Call(call.name, positional, {name: change(arg) for name, arg in call.named.items()})


def operands_read(made: Definition, call: Call, environment: Environment) -> list[Tensor] | None:
    """Return the operands as the model reads them."""
    said = made.names[0], made.parameters, made.was, made.varargs
    bound = bind(call.name, *said[1:], call.args(), call.keywords(), environment.target)
    ctx = StubContext(environment.target)
    return operands_of(next(cases_of(made.parameters, bound.given, ctx, call.name))) if bound is not None else None


def stale(count: int) -> list[str]:
    """Of some names, those whose rules are no longer what the installed libraries say; and those of no model."""
    models, found = asked(CURRENT), dtypes.table()[CURRENT.name]
    wrong, oracle = sorted(found.keys() - models.keys()), Oracle(CURRENT.python)
    for name in draws("names").sample(sorted(models), count):
        if rule_apart(name, models[name], CURRENT, oracle, {}) != found.get(name):
            wrong.append(name)
    oracle.stop()
    return wrong


def of_names(*beginnings: str) -> None:
    """Write the rules of the functions of the installed libraries whose names begin so; the others are kept."""
    found = json.loads(TARGET.read_text())
    kept = {name: rule for name, rule in found[CURRENT.name].items() if not name.startswith(beginnings)}
    found[CURRENT.name] = dict(sorted((kept | rules(CURRENT, {}, beginnings)).items()))
    TARGET.write_text(json.dumps(found, indent=0) + "\n")


def of_packs() -> None:
    """Write the rules of the packs whose environment is there."""
    for environment in filter(lambda each: each.is_there, PACKS):
        found = {"installed": rules(environment, {})}
        TARGET.parents[2].joinpath(*environment.package.split("."), TARGET.name).write_text(
            json.dumps(found, indent=0) + "\n"
        )


def main() -> None:
    """Query the environments whose names contain a given word, or all that exist; the rules of others are kept."""
    if sys.argv[1:] == ["packs"]:
        of_packs()
        return
    if sys.argv[1:2] == ["--only"]:
        of_names(*sys.argv[2:])
        return
    if sys.argv[1:] == ["--check"]:
        sys.exit(" ".join(stale(SAMPLE)) or None)
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    found = json.loads(TARGET.read_text()) if TARGET.is_file() else {}
    for environment in (CURRENT, *OLD):
        if not environment.is_there or wanted not in environment.name:
            print(f"{environment.name}: rules are kept")
            continue
        found[environment.name] = rules(environment, {} if environment is CURRENT else found[CURRENT.name])
        TARGET.write_text(json.dumps(found, indent=0) + "\n")
    generated.note()


if __name__ == "__main__":
    main()
