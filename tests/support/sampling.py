"""Draws calls for a model, by the kinds of its parameters."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from functools import cache
from inspect import Parameter as Declared
from inspect import signature
from typing import Any

from shapecheck.models.lang.bind import real_parameters, translation
from shapecheck.models.lang.constraints import Refused
from shapecheck.models.lang.context import Target
from shapecheck.models.lang.parameter_kinds import Blind, Parameter, Reading, Sizes, Tensor, Tensors
from shapecheck.models.lang.registry import Definition
from shapecheck.models.lang.signature import Axis, Computed, Many, Pattern, Signature, parse
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Kind, fresh
from tests.support.calls import Array, Call
from tests.support.generate_signatures import resolve
from tests.support.sampling_arguments import COUPLED, PRIMES, SKIP, argument, sizes
from tests.support.sampling_torch import COUPLED as COUPLED_IN_TORCH
from tests.support.stub_context import value_of

INTS = {"indices", "ids", "segment_ids", "box_indices", "begin", "obj", "x_labels", "perm", "pvals"}
BOOLS = {"mask"}
POOLS = {**dict.fromkeys("pqr", (2, 3)), **dict.fromkeys("hwd", (6, 7, 9, 11)), "c": (*PRIMES, 4, 9)}
DTYPES = ("float32", "float64", "float16", "int32", "int64", "uint8", "bool", "complex64")
SPARSE = {"sp_input", "sp_a", "sp_b"}


# Drawing -----------------------------------------------------------------------------------------------------------


def draw(made: Definition, name: str, rng: random.Random, target: Target) -> Call | None:
    """Return one call; None if the model has parameters that cannot be drawn."""
    plain: dict[str, Any] = {}
    coupled = (COUPLED_IN_TORCH if name.startswith("torch.") else COUPLED).get(made.function.__name__)
    lacks = False
    rank = rng.choice([0, 1, 2, 2, 3, 3, 4])
    shapes = operand_shapes(made, rank, rng)
    first = next((shape for name, shape in shapes.items() if isinstance(shape, tuple) and name != "key"), ())
    for parameter in made.parameters:
        if parameter.reading in (Reading.TENSOR, Reading.TENSORS, Reading.TARGET):
            continue
        if not parameter.required and rng.random() < 0.5:
            continue
        drawn = argument(parameter, first, rng, made)
        if drawn is SKIP:
            lacks |= parameter.required
            continue
        plain[parameter.name] = drawn
    if lacks and coupled is None:
        return None
    shapes |= by_signature(made, plain, rng) or {}
    if coupled and (lacks or rng.random() < 0.6):
        together = coupled(rng, name)
        shapes |= {name: value for name, value in together.items() if isinstance(value, tuple)}
        plain |= {name: value for name, value in together.items() if not isinstance(value, tuple)}
    if rng.random() < 0.4:
        shapes = damaged(shapes, rng)
    common = rng.choice(DTYPES) if rng.random() < 0.5 else ""
    for parameter in made.parameters:
        if parameter.name in shapes:
            drawn = tensors(shapes[parameter.name], parameter.name, name)
            plain[parameter.name] = typed(drawn, name, common, rng)
    return spelled(made, name, plain, target, rng)


def typed(drawn: Any, function: str, dtype: str, rng: random.Random) -> Any:
    """Return arrays mostly of one dtype, some of another, and some numbers and lists of Python."""
    if isinstance(drawn, list):
        return [typed(each, function, dtype, rng) for each in drawn]
    if drawn.kind != "float":
        return drawn
    if rng.random() < 0.15:
        dtype = rng.choice(DTYPES)
    is_literal = (
        not function.startswith("keras.backend.")
        and math.prod(drawn.shape) <= 9
        and 0 not in drawn.shape
        and rng.random() < 0.15
    )
    if is_literal:
        dtype = rng.choice(("int64", "float64", "bool"))
    return replace(drawn, dtype=dtype, is_literal=is_literal)


def tensors(shape: Any, name: str, function: str) -> Any:
    if name == "key" and function.startswith("jax.random."):
        return Array((2,), "key", "uint32")
    kind = (
        "text"
        if function.startswith(("tf.strings.", "tf.string_"))
        else "int"
        if name in INTS or (name == "labels" and "sparse" in function) or (name == "targets" and "top_k" in function)
        else "bool"
        if name in BOOLS
        else "float"
    )
    if name in SPARSE:
        kind = "sparse"
    if isinstance(shape, list):
        return [Array(each, kind) for each in shape]
    return Array(shape, kind)


def operand_shapes(made: Definition, rank: int, rng: random.Random) -> dict[str, Any]:
    """Return shapes that are related to each other."""
    shapes: dict[str, Any] = {}
    base = sizes(rank, rng)
    for parameter in made.parameters:
        if parameter.reading not in (Reading.TENSOR, Reading.TENSORS):
            continue
        if not parameter.required and rng.random() < 0.4:
            continue
        if parameter.reading is Reading.TENSORS:
            count = rng.choice([2, 2, 3])
            shapes[parameter.name] = [related(base, rng, mild=True) for _ in range(count)]
        else:
            shapes[parameter.name] = base if not shapes else related(base, rng)
    return shapes


def related(base: tuple[int, ...], rng: random.Random, mild: bool = False) -> tuple[int, ...]:
    """Return a shape like another one: with ones, without leading axes, reversed, or with an axis changed."""
    shape = list(base)
    kind = rng.random()
    if kind < (0.6 if mild else 0.3) or not shape:
        return tuple(shape)
    axis = rng.randrange(len(shape))
    if kind < 0.45:
        shape[axis] = 1
    elif kind < 0.6 and not mild:
        del shape[: rng.randint(0, len(shape))]
    elif kind < 0.7 and not mild:
        shape.reverse()
    elif kind < 0.8 and not mild:
        del shape[axis]
    elif kind < 0.9 and not mild:
        shape.append(rng.choice(PRIMES))
    else:
        shape[axis] = rng.choice(PRIMES)
    return tuple(shape)


def damaged(shapes: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return shapes with one operand changed in one axis, or in its rank."""
    names = [name for name, shape in shapes.items() if isinstance(shape, tuple)]
    if not names:
        return shapes
    name = rng.choice(names)
    shape = list(shapes[name])
    if shape and rng.random() < 0.6:
        axis = rng.randrange(len(shape))
        shape[axis] = rng.choice([size for size in (1, 2, 3, 5, 7) if size != shape[axis]])
    elif shape and rng.random() < 0.5:
        del shape[rng.randrange(len(shape))]
    elif len(shape) < 5:
        shape.insert(rng.randint(0, len(shape)), rng.choice(PRIMES))
    return {**shapes, name: tuple(shape)}


def by_signature(made: Definition, plain: dict[str, Any], rng: random.Random) -> dict[str, Any] | None:
    """Return shapes that satisfy the model's own signature, if it has one."""
    names = [p.name for p in made.parameters if p.reading is Reading.TENSOR and (p.required or rng.random() < 0.5)]
    given: dict[str, Any] = {}
    for parameter in made.parameters:
        if parameter.reading is Reading.TARGET:
            given[parameter.name] = Target()
        elif parameter.name in names:
            given[parameter.name] = Tensor(parameter.name, Shape(sizes(rng.choice([1, 2, 3]), rng)))
        elif parameter.reading is Reading.TENSORS and "equation" in plain:
            dummies = tuple(Tensor(str(at)) for at in range(plain["equation"].count(",") + 1))
            given[parameter.name] = Tensors(parameter.name, dummies)
        elif parameter.reading is Reading.TENSORS:
            return None
        elif parameter.name in plain:
            given[parameter.name] = converted(parameter, plain[parameter.name])
        elif parameter.required:
            return None
        elif parameter.reading in (Reading.TENSOR, Reading.SIZES):
            given[parameter.name] = converted(parameter, parameter.default)
    try:
        answer = made.function(**given)
    except (Blind, Refused, AttributeError, TypeError, ValueError):
        return None
    main = answer[0] if isinstance(answer, tuple) else answer
    if not isinstance(main, str):
        return None
    signature: Signature = parse(main)
    if "equation" in plain:
        listed = instantiate(signature, [str(at) for at in range(9)], given, rng)
        return {made.varargs: list(listed.values())}
    return instantiate(signature, names, given, rng)


def converted(parameter: Parameter, value: Any) -> Any:
    def lost(name: str) -> Any:
        return fresh(name, Kind.LOST)

    match parameter.reading:
        case Reading.SIZES if value is not None:
            many = isinstance(value, (list, tuple))
            return Sizes(tuple(value) if many else (value,), lost, is_single=not many)
        case Reading.SHAPE:
            return Shape(tuple(value) if isinstance(value, (list, tuple)) else (value,))
        case Reading.AXES:
            return (value,) if isinstance(value, int) else value
        case Reading.ANY:
            return value_of(value)
    return value


def instantiate(signature: Signature, names: list[str], given: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    axes: dict[str, int] = {name: value for name, value in given.items() if isinstance(value, int)}
    groups: dict[str, tuple[int, ...]] = {}
    large = len(signature.inputs) and any(len(pattern) >= 3 for pattern in signature.inputs)

    def one(pattern: Pattern) -> tuple[int, ...]:
        shape: list[int] = []
        drop = rng.random() < 0.3
        for token in pattern:
            match token:
                case Axis(optional=True) if drop:
                    continue
                case Axis(name=name):
                    pool = POOLS.get(name, PRIMES) if large or name in "pqr" else PRIMES
                    shape.append(axes.setdefault(name, rng.choice([*pool, 1])))
                case Many(name=name, cast=cast):
                    group = groups.setdefault(name, sizes(rng.choice([0, 1, 2]), rng))
                    shape += [1 if rng.random() < 0.2 else size for size in group] if cast else group
                case Computed(text=text):
                    shape.append(computed(text, axes))
        return tuple(shape)

    return {name: one(pattern) for name, pattern in zip(names, signature.inputs, strict=False)}


def computed(text: str, axes: dict[str, int]) -> int:
    from shapecheck.models.lang.expression import Unknown, evaluate
    from shapecheck.models.lang.expression import parse as parse_expression

    try:
        return int(str(evaluate(parse_expression(text), axes)))
    except (Unknown, ValueError):
        return 2


# Spelling ------------------------------------------------------------------------------------------------------------


def spelled(made: Definition, name: str, arguments: dict[str, Any], target: Target, rng: random.Random) -> Call:
    """Return the call as the library spells it: some arguments by position, others by its own keywords, if they are
    known."""
    order = [p.name for p in made.parameters if p.reading is not Reading.TARGET]
    real = real_parameters(name, target)
    if made.varargs and made.varargs in arguments:
        head = [arguments.pop(each) for each in order[: order.index(made.varargs)] if each in arguments]
        rest = arguments.pop(made.varargs)
        return Call(name, (*head, *rest) if isinstance(rest, list) else (*head, rest), arguments)
    if real is None:
        present = [each for each in order if each in arguments]
        prefix = order[: len(present)] == present
        if prefix:
            return Call(name, tuple(arguments[each] for each in present), {})
        lead = [each for at, each in enumerate(order) if each in arguments and order[: at + 1] == present[: at + 1]]
        named = {each: arguments[each] for each in present if each not in lead}
        return Call(name, tuple(arguments[each] for each in lead), named)
    back = {
        model: library
        for library, model in translation(
            [p for p in made.parameters if p.reading is not Reading.TARGET], real, made.was
        ).items()
    }
    least, most = by_position(name)
    count = min(most, max(least, rng.choice([1, 2, 2, 2, 3, 9])))
    positional = [
        each
        for each in order[:count]
        if each in arguments and order.index(each) < len(real) and back.get(each) == real[order.index(each)]
    ]
    positional = [each for each, first in zip(positional, order, strict=False) if each == first]
    if any(part.startswith("**") for part in real):
        back = {each: each for each in order} | back
    named = {back[each]: value for each, value in arguments.items() if each in back and each not in positional}
    return Call(name, tuple(arguments[each] for each in positional), named)


@cache
def by_position(name: str) -> tuple[int, int]:
    """Return how many arguments of a function of NumPy must be given by position, and how many may be."""
    if name.startswith("np.ndarray."):
        return 3, 9
    try:
        kinds = [each.kind for each in signature(resolve(name)).parameters.values()] if name.startswith("np.") else []
    except (TypeError, ValueError):
        return 3, 9
    by_name = kinds.index(Declared.KEYWORD_ONLY) if Declared.KEYWORD_ONLY in kinds else 9
    return kinds.count(Declared.POSITIONAL_ONLY), by_name
