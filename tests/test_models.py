"""Every model against the real library, on generated calls: no model has a test of its own.

Calls are drawn by the kinds of a model's parameters: valid ones from its signature, then a share is damaged.  Sizes are
distinct primes with a share of 0, 1 and equal ones.  `SHAPECHECK_CASES` sets the number of calls per name.
"""

from __future__ import annotations

import os
import random
import sys
import traceback
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from oracle import Oracle
from sampling import Call, draw
from stub_context import StubContext

from shapecheck import values
from shapecheck.models.lang.bind import real_parameters, translation
from shapecheck.models.lang.context import Target
from shapecheck.models.lang.kinds import Reading
from shapecheck.models.lang.op import REGISTRY, Definition, Model, load, op
from shapecheck.shapes.claims import claim_symbols, holds
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.size import Kind, Size, Symbol, evaluate, fresh, symbols
from shapecheck.values import Seq, Value, items_of

CASES = int(os.environ.get("SHAPECHECK_CASES", "10"))
TARGET = Target(tensorflow=2, keras=3, numpy=2)
load()


def families() -> dict[str, list[Definition]]:
    """The models that have an oracle, by family."""
    by_family: dict[str, list[Definition]] = {}
    for model in REGISTRY.values():
        made = model.definition
        if made.form == "op" and not made.oracle.startswith("none") and made.family.startswith("ops."):
            found = by_family.setdefault(made.family, [])
            if made not in found:
                found.append(made)
    return by_family


FAMILIES = families()


@dataclass
class Tally:
    """What came of the calls."""

    calls: int = 0
    accepted: int = 0
    rejected: int = 0
    blind: int = 0
    names: set[str] = field(default_factory=set)
    proved: set[str] = field(default_factory=set)
    blind_names: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    started = Oracle()
    yield started
    started.stop()


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_models_agree_with_the_library(family: str, oracle: Oracle) -> None:
    tally = Tally()
    for made in FAMILIES[family]:
        for name in made.names:
            check_name(name, made, oracle, tally)
    report(family, tally)
    assert not tally.faults, f"{len(tally.faults)} of {tally.calls}\n" + "\n".join(shortest(tally.faults))
    assert tally.names <= tally.proved, f"never accepted: {sorted(tally.names - tally.proved)}"
    assert tally.blind <= 0.25 * tally.accepted, f"too many of unknown rank: {tally.blind} of {tally.accepted}"


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_every_parameter_is_one_of_the_library(family: str) -> None:
    """A parameter that no library spells would never be bound."""
    unknown = {(made.function.__name__, p.name) for made in FAMILIES[family] for p in made.parameters}
    for made in FAMILIES[family]:
        parameters = [p for p in made.parameters if p.reading is not Reading.TARGET]
        for name in made.names:
            for old in (False, True):
                real = real_parameters(made.oracle or name, old)
                open_ended = real is None or made.varargs or any(part.startswith("**") for part in real)
                spelled = {p.name for p in parameters} if open_ended else set()
                spelled |= set(translation(parameters, real or [], made.was).values())
                unknown -= {(made.function.__name__, each) for each in spelled}
        unknown -= {(made.function.__name__, p.name) for p in made.parameters if p.reading is Reading.TARGET}
    assert not unknown


def check_name(name: str, made: Definition, oracle: Oracle, tally: Tally) -> None:
    """Draws calls of one name and compares."""
    rng = random.Random(zlib.crc32(name.encode()))
    for turn in range(max(4 * CASES, 60)):
        if turn >= CASES and (not tally.calls or (made.oracle or name) in tally.proved):
            return
        call = draw(made, made.oracle or name, rng)
        if call is None:
            return
        answer = oracle.call(call.name, call.encoded_args(), call.encoded_keywords())
        if "missing" in answer:
            return
        tally.calls += 1
        tally.names.add(call.name)
        if "numeric" in answer:
            continue
        try:
            compare(Model(call.name, made), call, answer, tally)
            if "shapes" in answer:
                compare_blind(Model(call.name, made), call, answer["shapes"], rng, tally)
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            tally.faults.append(f"{call}: the model fails with {error!r} at {where.filename}:{where.lineno}")


def compare(model: Model, call: Call, answer: dict[str, Any], tally: Tally) -> None:
    """Agreement on fully known shapes."""
    ctx = StubContext(TARGET)
    found = model.run(ctx, call.args(), call.keywords())
    if "shapes" in answer:
        tally.accepted += 1
        tally.proved.add(call.name)
        if ctx.clashes and is_degenerate(call, answer["shapes"]):
            return
        if ctx.clashes:
            tally.faults.append(f"{call}: library gives {answer['shapes']}, model rejects: {ctx.clashes[0][1]}")
        elif not fits(found, answer["shapes"], {}):
            tally.faults.append(f"{call}: library gives {answer['shapes']}, model gives {shown(found)}")
        elif wrong := wrong_dtypes(found, answer["dtypes"]):
            tally.faults.append(f"{call}: library gives {wrong[1]}, model gives {wrong[0]}")
        elif not is_ranked(found):
            tally.blind += 1
            tally.blind_names[call.name] = tally.blind_names.get(call.name, 0) + 1
    else:
        tally.rejected += 1
        if call.is_empty():
            return  # there is no smallest element, no average, …
        if not ctx.clashes and is_known(found):
            tally.faults.append(f"{call}: library rejects ({answer['error'][:120]}), model gives {shown(found)}")


def is_degenerate(call: Call, shapes: Any) -> bool:
    """Kernels do not look at all of their operands when there is nothing to compute."""
    return call.is_empty() or (isinstance(shapes, list) and 0 in shapes)


def compare_blind(model: Model, call: Call, shapes: Any, rng: random.Random, tally: Tally) -> None:
    """Hide half of the sizes and some ranks: the true result must remain possible."""
    true: dict[Symbol, int] = {}
    ctx = StubContext(TARGET)

    def hide(shape: Shape) -> Shape:
        return hidden(shape, rng, true)

    found = model.run(ctx, call.args(hide), call.keywords(hide))
    if is_degenerate(call, shapes):
        return
    if ctx.clashes:
        tally.faults.append(f"blind {call}: library accepts, model rejects: {ctx.clashes[0][1]}")
    elif not fits(found, shapes, true):
        tally.faults.append(f"blind {call}: library gives {shapes}, model gives {shown(found)}")
    for claim in ctx.facts:
        if claim_symbols(claim) <= set(true) and not holds(claim, true):
            tally.faults.append(f"blind {call}: library accepts, model demands {claim}")


def hidden(shape: Shape, rng: random.Random, true: dict[Symbol, int]) -> Shape:
    """The shape with half of its sizes, or its rank, not known."""
    sizes: list[Size] = []
    for size in shape.head:
        if rng.random() < 0.5:
            symbol = fresh("B", Kind.DYNAMIC)
            (one,) = symbols(symbol)
            true[one] = int(str(size))
            sizes.append(symbol)
        else:
            sizes.append(size)
    if rng.random() < 0.75:
        return Shape(tuple(sizes))
    low = rng.randint(0, len(sizes))
    high = rng.randint(low, len(sizes))
    return rng.choice([UNRANKED, Shape(tuple(sizes[:low]), tuple(sizes[high:]))])


def fits(found: Value, shapes: Any, true: dict[Symbol, int]) -> bool:
    """Whether a result may have these shapes, where the hidden sizes are `true`."""
    if isinstance(shapes, dict):
        if not isinstance(found, Seq):
            return isinstance(found, (values.Lost, values.Many))
        parts = shapes["many"]
        return len(parts) == len(found.items) and all(map(lambda a, b: fits(a, b, true), found.items, parts))
    if not isinstance(found, values.Tensor):
        return isinstance(found, values.Lost)
    shape = found.shape
    if shape.tail is None and len(shape.head) != len(shapes):
        return False
    if shape.min_rank > len(shapes):
        return False
    pairs = [*zip(shape.head, shapes, strict=False), *zip(reversed(shape.tail or ()), reversed(shapes), strict=False)]
    return all(may_be(size, wanted, true) for size, wanted in pairs)


def may_be(size: Size, wanted: int, true: dict[Symbol, int]) -> bool:
    if not symbols(size) <= set(true):
        return True
    try:
        return evaluate(size, true) == wanted
    except ZeroDivisionError:
        return True


def wrong_dtypes(found: Value, real: list[str]) -> tuple[str, str] | None:
    """A dtype that the model tells and the library does not have, with the library's."""
    told = [part.dtype if isinstance(part, values.Tensor) else None for part in items_of(found) or (found,)]
    pairs = zip(told, real, strict=False)
    return next(((mine, theirs) for mine, theirs in pairs if mine and theirs and mine != theirs), None)


def is_ranked(found: Value) -> bool:
    if isinstance(found, Seq):
        return all(map(is_ranked, found.items))
    return isinstance(found, values.Tensor) and found.shape.tail is None


def is_known(found: Value) -> bool:
    if isinstance(found, Seq):
        return all(map(is_known, found.items))
    if not isinstance(found, values.Tensor):
        return False
    return found.shape.tail is None and all(isinstance(size, int) for size in found.shape.head)


def shown(found: Value) -> str:
    if isinstance(found, Seq):
        return f"[{', '.join(map(shown, found.items))}]"
    return str(found.shape) if isinstance(found, values.Tensor) else str(found)


def shortest(faults: list[str]) -> list[str]:
    """The shortest disagreeing calls of each name, all on one line each."""
    by_name: dict[str, list[str]] = {}
    for fault in sorted((" ".join(fault.split()) for fault in faults), key=len):
        by_name.setdefault(fault.removeprefix("blind ").split("(")[0], []).append(fault)
    return [fault for group in by_name.values() for fault in group[:2]][:80]


def report(family: str, tally: Tally) -> None:
    print(f"{family}: {len(tally.names)} names, {tally.calls} calls, {tally.accepted} accepted,", end=" ")
    print(f"{tally.rejected} rejected,", end=" ")
    print(f"never accepted: {sorted(tally.names - tally.proved)},", end=" ")
    print(f"{tally.blind} of unknown rank {dict(sorted(tally.blind_names.items())[:12])}")


def test_a_name_has_one_model() -> None:
    with pytest.raises(ValueError, match=r"np\.matmul has two models"):
        op("np.matmul")(lambda: "")
