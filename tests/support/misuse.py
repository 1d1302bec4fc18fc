"""Models beside real libraries on misused functions: in calls that the library takes, one argument after the other is
replaced by one of a wrong rank, container or dtype, or by an array where a number belongs.

python -m tests.support.misuse --only np.concatenate

prints false alarms (the library takes the call, the model refuses it), wrong results, and gaps (the library refuses
what the model takes); the exit status is 1 if there are any of the first two. The library's answer is for this very
call: no other dtypes are tried.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from shapecheck.models.lang.bind import real_parameters
from shapecheck.models.lang.registry import REGISTRY, Definition, Model
from tests.support.agreement import is_compared, refusal
from tests.support.calls import Array, Call
from tests.support.comparing import fits, shown
from tests.support.environments import CURRENT
from tests.support.misuse_oddities import is_odd
from tests.support.oracle import Oracle
from tests.support.sampling import draw
from tests.support.seed import SEED, draws
from tests.support.stub_context import StubContext

TARGET = CURRENT.target
USUAL = {"int": "int32", "bool": "bool", "text": "str"}
NUMBERS = {"bool": "bool", "int64": "int", "float64": "float", "complex64": "float"}
MOST = 60  # calls drawn until one is accepted


@dataclass
class Findings:
    """What was found: disagreements, and calls that only the library refuses."""

    calls: int = 0
    names: set[str] = field(default_factory=set)
    false_alarms: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)

    def faults(self) -> list[str]:
        return [*self.false_alarms, *self.wrong]


# ------------------------------------------------------------------------------------------------ wrong arguments


def substitutes(usual: Any) -> Iterator[tuple[str, Any]]:
    """Return wrong arguments in place of a usual one, each with what is wrong about it."""
    match usual:
        case Array(kind="sparse"):
            return
        case Array():
            yield from _arrays(usual)
        case list() | tuple() if any(isinstance(item, Array) for item in usual):
            yield from _lists(usual)
        case _:
            yield from _plain(usual)


def _arrays(usual: Array) -> Iterator[tuple[str, Any]]:
    shape = usual.shape
    yield "rank", replace(usual, shape=(), is_literal=False)
    yield "rank", replace(usual, shape=(5,), is_literal=False)
    yield "rank", replace(usual, shape=shape[1:], is_literal=False)
    yield "rank", replace(usual, shape=(*shape, 3), is_literal=False)
    yield "rank", replace(usual, shape=(2, 3, 5, 7), is_literal=False)
    yield "dtype", Array(shape, "text", "str")
    for dtype in NUMBERS:
        if dtype != usual.dtype:
            kind = NUMBERS[dtype] if usual.kind == "text" else usual.kind  # a text is no number
            yield "dtype", replace(usual, kind=kind, dtype=dtype, is_literal=False)
    yield "container", [usual, usual]
    yield "container", [usual, replace(usual, shape=(*shape, 2))]
    yield "container", None
    yield "container", "text"
    yield "container", ()


def _lists(usual: Any) -> Iterator[tuple[str, Any]]:
    yield "container", usual[0]
    yield "container", None
    yield "container", 2
    yield "container", [usual, usual]
    yield "container", [*usual, "text"]
    for at, item in enumerate(usual):
        if isinstance(item, Array):
            for kind, other in _arrays(item):
                yield kind, [*usual[:at], other, *usual[at + 1 :]]


def _plain(usual: Any) -> Iterator[tuple[str, Any]]:
    if _are_integers(usual):
        yield "whole", float(usual) if isinstance(usual, int) else type(usual)(map(float, usual))
    yield "array", Array((2, 3), "float", "float32")
    yield "array", Array((3,), "float", "float32")
    yield "array", Array((2,), "int", "int64")
    yield "array", Array((2, 2), "int", "int64")
    for other in ("text", 1.5, 1, None, True, [1], [1, 0], [1.5], ("text",)):
        if type(other) is not type(usual) or isinstance(other, (list, tuple)):
            yield "kind", other


def _are_integers(usual: Any) -> bool:
    items = usual if isinstance(usual, (list, tuple)) else [usual]
    return bool(items) and all(type(item) is int for item in items)


def misused(call: Call, extra: dict[str, list[Any]]) -> Iterator[tuple[str, str, Call]]:
    """Return calls with one argument replaced, with its name and what is wrong; `extra` are options not given."""
    names = real_parameters(call.name, TARGET) or ()
    for at, usual in enumerate(call.positional):
        for kind, other in substitutes(usual):
            given = (*call.positional[:at], other, *call.positional[at + 1 :])
            yield names[at] if at < len(names) else str(at), kind, replace(call, positional=given)
    for name, usual in call.named.items():
        for kind, other in substitutes(usual):
            yield name, kind, replace(call, named={**call.named, name: other})
    yield "the next", "surplus", replace(call, positional=(*call.positional, Array((2, 3), "float", "float32")))
    yield "the next", "surplus", replace(call, positional=(*call.positional, Array((3,), "float", "float32")))
    for name, offered in extra.items():
        if name in call.named or name in names[: len(call.positional)]:
            continue
        wrong = [("array", Array((2, 3), "float", "float32")), ("array", Array((3,), "float", "float32"))]
        for kind, other in [*(("option", _option(call, each)) for each in offered), *wrong, ("kind", "text")]:
            yield name, kind, replace(call, named={**call.named, name: other})


def _option(call: Call, offered: Any) -> Any:
    if not isinstance(offered, dict):
        return offered
    like = next((each.shape for each in call.positional if isinstance(each, Array)), ())
    return Array(like if offered["t"] == "like" else (), offered["k"], "float32")


# ------------------------------------------------------------------------------------------------- the comparison


@dataclass
class Misuse:
    """Compares models with the installed libraries."""

    oracle: Oracle
    bases: int = 2  # calls of each name whose arguments are replaced
    most: int = 10**6  # replacements of each name
    seed: int = SEED
    findings: Findings = field(default_factory=Findings)

    def name(self, name: str, made: Definition) -> None:
        """Misuse one function."""
        rng = draws(f"misuse of {name}", self.seed)
        extra = self.oracle.options(name)
        tried: set[str] = set()
        for base in self.accepted(name, made, rng):
            calls = list(misused(base, extra))
            rng.shuffle(calls)
            for parameter, kind, call in calls[: self.most]:
                if str(call) not in tried:
                    tried.add(str(call))
                    self.compare(made, parameter, kind, call)

    def accepted(self, name: str, made: Definition, rng: Random) -> Iterator[Call]:
        """Return calls that the library takes as they are."""
        count = 0
        for _ in range(MOST):
            call = draw(made, name, rng, TARGET)
            if call is None or count == self.bases:
                return
            call = exact(call)
            if not call.is_empty() and not refusal(made, call, TARGET) and "shapes" in self.ask(call):
                count += 1
                yield call

    def ask(self, call: Call) -> dict[str, Any]:
        return self.oracle.exactly(call.name, call.encoded_args(), call.encoded_keywords())

    def compare(self, made: Definition, parameter: str, kind: str, call: Call) -> None:
        answer = self.ask(call)
        if "missing" in answer or answer.get("lax"):
            return
        self.findings.calls += 1
        self.findings.names.add(call.name)
        fault = self.disagreement(made, parameter, kind, call, answer)
        if fault is not None and not is_odd(fault[1]):
            getattr(self.findings, fault[0]).append(fault[1])

    def disagreement(
        self, made: Definition, parameter: str, kind: str, call: Call, answer: dict[str, Any]
    ) -> tuple[str, str] | None:
        """Return what kind of disagreement there is, and what it is, if the model and the library disagree."""
        ctx = StubContext(TARGET, is_sure_of_dtypes=True)
        try:
            found = Model(call.name, made).run(ctx, call.args(), call.keywords())
        except Exception as error:
            return "wrong", f"{call}: the model fails with {error!r}"
        if "shapes" not in answer:
            said = f"{call}: {parameter}: {kind}: {shown(found)}: {answer['error'][:100]}"
            return None if ctx.clashes or ctx.notices else ("gaps", said)
        if ctx.clashes:
            return "false_alarms", f"{call}: library gives {answer['shapes']}, model rejects: {ctx.clashes[0][1]}"
        if not fits(found, answer["shapes"], {}):
            return "wrong", f"{call}: library gives {answer['shapes']}, model gives {shown(found)}"
        return None


def exact(call: Call) -> Call:
    """Return the call with a dtype for each array."""

    def typed(arg: Any) -> Any:
        if isinstance(arg, Array):
            return replace(arg, dtype=arg.dtype or USUAL.get(arg.kind, "float32"))
        return type(arg)(map(typed, arg)) if isinstance(arg, (list, tuple)) else arg

    return Call(call.name, tuple(map(typed, call.positional)), {key: typed(arg) for key, arg in call.named.items()})


def misuse(oracle: Oracle, is_wanted: Callable[[str], bool], bases: int, most: int, seed: int) -> Findings:
    """Misuse all functions whose names are wanted."""
    judge = Misuse(oracle, bases, most, seed)
    for name, model in sorted(REGISTRY.items()):
        if is_compared(model.definition) and model.definition.oracle in ("", name) and is_wanted(name):
            judge.name(name, model.definition)
    return judge.findings


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="names that begin with one of these, separated by commas")
    parser.add_argument("--bases", type=int, default=2, help="calls of each name whose arguments are replaced")
    parser.add_argument("--most", type=int, default=10**6, help="replacements of each call")
    parser.add_argument("--seed", type=int, default=SEED, help="another number draws other calls")
    parser.add_argument("--no-gaps", action="store_true", help="leave out calls that only the library refuses")
    asked = parser.parse_args()
    oracle = Oracle()
    found = misuse(
        oracle, lambda name: name.startswith(tuple(asked.only.split(","))), asked.bases, asked.most, asked.seed
    )
    oracle.stop()
    print(f"{len(found.names)} names, {found.calls} calls, {len(found.gaps)} gaps")
    for title, lines in (("false alarm", found.false_alarms), ("wrong", found.wrong), ("gap", found.gaps)):
        for line in lines if title != "gap" or not asked.no_gaps else ():
            print(f"{title}: {' '.join(line.split())}")
    return int(bool(found.faults()))


if __name__ == "__main__":
    sys.exit(main())
