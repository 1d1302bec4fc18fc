"""Layers: objects that are constructed with a configuration, called on tensors, and remember axes of the first call."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    FALSE,
    NONE,
    Const,
    OpenSize,
    Ref,
    Seq,
    Tensor,
    Value,
    as_size,
    items_of,
    of_size,
    walk,
)
from shapecheck.models.lang.answer import Result, asked, work_out
from shapecheck.models.lang.apply import IN_GRAPHS, Application
from shapecheck.models.lang.apply import Bound as Binding
from shapecheck.models.lang.bind import Bound, bind
from shapecheck.models.lang.constraints import Need, never, not_known
from shapecheck.models.lang.context import Context
from shapecheck.models.lang.evaluate import (
    Case,
    Recipe,
    cases_of,
    finished,
    is_impossible,
    is_one,
    joined,
    operands_of,
    state,
    unknown,
)
from shapecheck.models.lang.parameter_kinds import Blind, Parameter, Reading, fresh_lost
from shapecheck.models.lang.parameter_kinds import Tensor as Operand
from shapecheck.models.lang.scalar_checks import is_float
from shapecheck.models.lang.signature import Memory, Signature, parse
from shapecheck.models.lang.traits import has
from shapecheck.shapes.claims import FALSE as IMPOSSIBLE
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Expr, Kind, Size

Check: TypeAlias = Callable[[Mapping[str, Value]], Need | None]
CHECKS: dict[str, Check] = {}
InputCheck: TypeAlias = Callable[[Context, Ref, Value], "Need | None"]
INPUT_CHECKS: dict[str, InputCheck] = {}
APART: dict[str, set[str]] = {}
"""The arguments of layers, by the names of these, that an attribute of the same name shows in another form."""
CALL_READINGS = (Reading.TENSOR, Reading.TENSORS)
NO_SAY = frozenset(  # keywords of a call that do not affect the result's shape
    "inputs x sequences name training mask attention_mask query_mask value_mask key_mask use_causal_mask "
    "deterministic use_running_average rng rngs".split()
)

SIZES_OF_WEIGHTS = tuple(
    "embedding_dim hidden_size in_channels in_features input_size num_embeddings out_channels out_features".split()
)
"""Parameters of layers that make weights of these sizes at once, in libraries other than Keras."""


def construct(
    name: str,
    parameters: Sequence[Parameter],
    was: Mapping[str, str],
    ctx: Context,
    args: Sequence[Value],
    keywords: Mapping[str, Value],
) -> Value:
    """Return a new layer object with the constructor's arguments as attributes."""
    own = [parameter for parameter in parameters if parameter.reading not in CALL_READINGS]
    bound = bind(name, own, was, "", args, keywords, ctx.target)
    if bound is None:
        return ctx.lost(f"arguments of {name}")
    for parameter in own:
        if parameter.reading is Reading.SIZE:
            _require_integer(ctx, name, parameter.name, bound.given.get(parameter.name, NONE))
        if parameter.name in bound.given:
            bound.given[parameter.name] = _as_size(parameter, bound.given[parameter.name], ctx)
    said = _no_configuration(name, own, bound, ctx)
    if said is not None:
        ctx.require(said.kind, said.claim, said.message)
        return ctx.lost("a layer that cannot be made")
    others = {spelled: _readable(value, ctx) for spelled, value in bound.others.items()}
    apart = APART.get(name, ())
    held = bound.given | others
    return ctx.new(name, **{f"@{spelled}" if spelled in apart else spelled: value for spelled, value in held.items()})


def kept_apart(cls: str, argument: str) -> None:
    """Keep an argument of a layer as `@argument`, since a model tells what the attribute of that name is."""
    APART.setdefault(cls, set()).add(argument)


def configured(*names: str) -> Callable[[Check], Check]:
    """Register a check of the arguments that layers are made with, by name: it returns a need that cannot be met."""

    def register(check: Check) -> Check:
        CHECKS.update(dict.fromkeys(names, check))
        return check

    return register


def takes(*names: str) -> Callable[[InputCheck], InputCheck]:
    """Register a check of what layers are called with, by name: it returns a need that cannot be met."""

    def register(check: InputCheck) -> InputCheck:
        INPUT_CHECKS.update({f"{name}.__call__": check for name in names})
        return check

    return register


def _no_configuration(name: str, own: Sequence[Parameter], bound: Bound, ctx: Context) -> Need | None:
    """Return why a layer cannot be made: a window has a size for each axis of the layer, for example."""
    given = {parameter: ctx.freeze(value) for parameter, value in bound.given.items()}
    axes = re.search(r"([123])D", name)
    for parameter in [each for each in own if each.reading is Reading.SIZES] if axes else ():
        value = given.get(parameter.name)
        if value == NONE and not parameter.optional:
            return never(ClashKind.RANK, f"{parameter.name} is None, where a number is needed")
        items = items_of(value or NONE)
        if items is not None and axes is not None and len(items) != int(axes[1]):
            return never(ClashKind.RANK, f"{parameter.name} has {len(items)} entries, the layer has {axes[1]} axes")
    for parameter in own:
        value = given.get(parameter.name)
        if isinstance(value, Seq) and _is_one_number(name, parameter):
            said = f"{parameter.name} is a {value.kind} of {len(value.items)} values, where a number is needed"
            return never(ClashKind.RANK, said)
    return CHECKS[name](given) if name in CHECKS else None


def _is_one_number(layer: str, parameter: Parameter) -> bool:
    """Return whether a parameter of a layer is one number, of which weights are made, for example."""
    is_size = parameter.reading is Reading.SIZE and parameter.required
    return is_size and (layer.startswith("keras.") or parameter.name in SIZES_OF_WEIGHTS)


def _as_size(parameter: Parameter, value: Value, ctx: Context) -> Value:
    """Return what a parameter is given, as a size if it always is one."""
    return ctx.as_layer_size(value) if parameter.reading is Reading.SIZE and parameter.required else value


def _require_integer(ctx: Context, layer: str, name: str, value: Value) -> None:
    """State that a size of a layer is no float, which Keras 2 rounds and others refuse where they make weights."""
    if not is_float(value):
        return
    is_of_keras = layer.startswith("keras.")
    if ctx.target.keras == 3 if is_of_keras else name in SIZES_OF_WEIGHTS:
        ctx.require(ClashKind.NOT_INTEGER, IMPOSSIBLE, f"{name} is a float, not an integer", value)
    elif is_of_keras:
        ctx.note_version()


def _readable(value: Value, ctx: Context) -> Value:
    """Return an argument that the model does not name as an attribute; data may be kept in another form."""
    parts = [] if isinstance(value, Const) else list(walk(ctx.freeze(value)))
    is_data = any(isinstance(part, Tensor) or _is_float(part) for part in parts)
    return ctx.lost("data given to a layer") if is_data else value


def _is_float(value: Value) -> bool:
    return isinstance(value, Const) and isinstance(value.value, float)


def call(recipe: Recipe, ctx: Context, args: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """Return the result of calling a layer object; `args` starts with the object."""
    owner, *inputs = args
    if not isinstance(owner, Ref):
        return ctx.lost(f"which {recipe.name} is called")
    given = configuration(recipe.parameters, owner, ctx)
    taken = [parameter for parameter in recipe.parameters if parameter.reading in CALL_READINGS]
    first = _first_input(recipe, ctx, inputs, keywords)
    refused = _no_input(recipe.name, first, ctx, owner)
    if refused is not None:
        ctx.require(refused.kind, refused.claim, refused.message, first)
    if refused is not None or not is_one(recipe.name, "the input", first, ctx):
        return ctx.lost("a call that fails")
    if not taken:
        parameters = (Parameter("inputs", Reading.TENSOR), *recipe.parameters)
        given["inputs"] = first
    else:
        parameters = (*taken, *(p for p in recipe.parameters if p not in taken))
        given |= {parameter.name: value for parameter, value in zip(taken, [first, *inputs[1:]], strict=False)}
        given |= {p.name: keywords[p.name] for p in taken if p.name in keywords}
    result = _run(recipe, parameters, Bound(given), owner, bool(taken), ctx)
    surplus = keywords.keys() - NO_SAY - {parameter.name for parameter in taken}
    told = sorted(name for name in surplus if keywords[name] not in (NONE, FALSE))
    return ctx.lost(f"{recipe.name} with {told[0]}") if told else result


def _no_input(called: str, first: Value, ctx: Context, owner: Ref) -> Need | None:
    """Return why a layer cannot be called with an input: None is what a function without a result gives."""
    layer = called.removesuffix(".__call__")
    if first == NONE and has(layer, "refuses None") and not has(layer, "takes None"):
        return never(ClashKind.NOTHING, "the input is None, where a tensor is needed")
    return INPUT_CHECKS[called](ctx, owner, first) if called in INPUT_CHECKS else None


def _first_input(recipe: Recipe, ctx: Context, inputs: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """What a layer is called with first, by position or by name."""
    first = inputs[0] if inputs else keywords.get("inputs", keywords.get("x"))
    return ctx.lost(f"the input of {recipe.name}") if first is None else ctx.freeze(first)


def configuration(parameters: Sequence[Parameter], owner: Ref, ctx: Context) -> dict[str, Value]:
    """Return the constructor's arguments of the layer object."""
    found: dict[str, Value] = {}
    for parameter in parameters:
        if parameter.reading not in (*CALL_READINGS, Reading.TARGET):
            value = ctx.get(owner, parameter.name)
            if value is not None:
                found[parameter.name] = _as_size(parameter, ctx.freeze(value), ctx)
    return found


def _run(
    recipe: Recipe, parameters: Sequence[Parameter], bound: Bound, owner: Ref, takes_inputs: bool, ctx: Context
) -> Value:
    missing = [p.name for p in parameters if p.required and p.name not in bound.given]
    if missing:
        return unknown(recipe, bound, ctx, f"{missing[0]} is not known")
    try:
        cases = list(cases_of(parameters, bound.given, ctx))
        worked = [_one_case(recipe, case, owner, takes_inputs, ctx) for case in cases]
    except Blind as why:
        return unknown(recipe, bound, ctx, str(why))
    pairs = list(zip(cases, worked, strict=True))
    if len(pairs) > 1:
        possible = [pair for pair in pairs if not is_impossible(pair[1][0], ctx)]
        if possible:
            _remember([application for _, (_, application) in possible], owner, ctx)
            return joined([finished(recipe, case, part, bound, ctx) for case, (part, _) in possible], ctx)
    case, (result, application) = pairs[0]
    needs = (*result.needs, *_remember([application], owner, ctx))
    result = replace(result, needs=needs)
    state(result, operands_of(case), ctx)
    return finished(recipe, case, result, bound, ctx)


def _one_case(recipe: Recipe, case: Case, owner: Ref, takes_inputs: bool, ctx: Context) -> tuple[Result, Application]:
    arguments = case if takes_inputs else {name: value for name, value in case.items() if name != "inputs"}
    answer = asked(recipe.function, arguments)
    names: dict[str, Binding] = {k: v for k, v in case.items() if isinstance(v, (int, Expr, Shape))}
    if ctx.target.tensorflow == 1:
        names[IN_GRAPHS] = 1
    application = Application(names | _remembered(answer, owner, ctx), fresh_lost(ctx))
    return work_out(answer, operands_of(case), application), application


def _remembered(answer: Any, owner: Ref, ctx: Context) -> dict[str, Binding]:
    """Return the axes that the layer knows from an earlier call."""
    known: dict[str, Binding] = {}
    for name in _memory_names(answer):
        value = ctx.get(owner, "_axis_" + name)
        size = as_size(value) if value is not None else None
        if size is not None:
            known["@" + name] = ctx.resolve(size)
    return known


def _memory_names(answer: Any) -> list[str]:
    main = answer[0] if isinstance(answer, tuple) else answer
    if not isinstance(main, str) or "@" not in main:
        return []
    signature: Signature = parse(main)
    return [token.name for pattern in signature.inputs for token in pattern if isinstance(token, Memory)]


def _remember(applications: Sequence[Application], owner: Ref, ctx: Context) -> list[Need]:
    """Keep the axes met for the first time, on which all cases agree. They must be known, since weights of that size
    are created.
    """
    needs = []
    met, *others = [_axes_met(application) for application in applications]
    for name, size in met.items():
        if any(other.get(name) != size for other in others):
            continue
        if ctx.get(owner, "_axis_" + name[1:]) != of_size(size):
            ctx.set(owner, "_axis_" + name[1:], of_size(size))
        operand, at = applications[0].origins[name]
        if _is_declared_dynamic(ctx.resolve(size)) or _is_unknown_here(ctx, operand, at):
            where = "last axis" if at == -1 else f"axis {at}"
            needs.append(not_known(where, operand.name, size))
    return needs


def _axes_met(application: Application) -> dict[str, Size]:
    """Return the sizes of the axes that a layer remembers."""
    bindings = {name: application.bindings[name] for name in application.origins if name.startswith("@")}
    return {name: size for name, size in bindings.items() if isinstance(size, (int, Expr))}


def _is_unknown_here(ctx: Context, operand: Operand, axis: int) -> bool:
    """Return whether the graph that is being built does not know a size, since only elements of a tensor tell it."""
    if not isinstance(operand.value, Tensor) or operand.value.shape != operand.shape:
        return False
    shape = ctx.static_shape(operand.value, operand.shape, "tuple")
    return isinstance(shape, Seq) and isinstance(shape.items[axis], OpenSize)


def _is_declared_dynamic(size: Size) -> bool:
    return not isinstance(size, int) and all(symbol.kind is Kind.DYNAMIC for symbol in size.symbols())
