"""Input signatures: what a traced function takes for each of its parameters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.domain.traversal import map_children
from shapecheck.domain.values import NONE, Const, Dict, Function, Library, Seq, Tensor, Value, as_str
from shapecheck.shapes.shape import substitute_shape
from shapecheck.shapes.size import Size, is_open, symbols
from shapecheck.shapes.symbol import Symbol

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

BINDERS = {"input_signature": "tf.function.bind", "concrete_signature": "tf.function.bind_concrete"}
"""The models that apply a signature, by the option of the `tf.function` object that holds it."""

KEPT = "concrete_values"
"""The option that holds the values of Python in all calls of one graph, by the names of parameters."""


def has_signature(t: Tracer, function: Function) -> bool:
    """Return whether an input signature, or what one of its graphs has kept, says what a function takes."""
    held = (t.heap.get((function.graph, option)) for option in ("input_signature", KEPT)) if function.graph else ()
    return any(signature not in (None, NONE) for signature in held)


def as_specified(t: Tracer, function: Function, given: Arguments) -> Arguments | None:
    """Return the arguments of a call as the signatures of the function describe them; None if they do not fit."""
    if function.graph and t.stage.is_eager:
        given = given.with_values([_with_rank(value) for value in given.values])
    bound: Arguments | None = _with_kept_values(t, function, given)
    for option, binder in BINDERS.items():
        signature = t.heap.get((function.graph, option))
        if signature not in (None, NONE) and bound is not None:
            bound = _bound(t, binder, signature, function, bound)
    return bound


def _with_rank(value: Value) -> Value:
    """Return an argument of a call that runs: what has a value has a rank, which the function is traced for."""
    if isinstance(value, Tensor):
        return replace(value, is_rank_open=False) if value.is_rank_open else value
    return map_children(value, _with_rank)


def _with_kept_values(t: Tracer, function: Function, given: Arguments) -> Arguments:
    """Return the arguments of a call of one graph with the values that belong to it, if the call has tensors alone."""
    kept = t.heap.get((function.graph, KEPT))
    values = {as_str(name) or "": value for name, value in kept.items} if isinstance(kept, Dict) else {}
    definition = t.functions[function.key]
    first = 1 if definition.owner is not None and definition.kind != "static" else 0
    names = [param.name for param in definition.node.params if param.kind == "plain"][first:]
    missing = [name for name in names if name in values]
    are_tensors_alone = first + len(names) - len(missing) == len(given.args) + len(given.keywords)
    if not missing or not are_tensors_alone or given.keywords.keys() & values.keys():
        return given
    tensors = iter(given.args[first:])
    named: dict[str, Value] = {**{name: values[name] for name in missing}, **given.keywords}
    named |= zip((name for name in names if name not in named), tensors, strict=False)
    return replace(given, args=given.args[:first], keywords=named)


def _bound(t: Tracer, binder: str, signature: Value, function: Function, given: Arguments) -> Arguments | None:
    """Return the arguments as the model of a signature changes them; None if it refuses them."""
    definition = t.functions[function.key]
    params = definition.node.params
    if any(param.kind.startswith("*") for param in params):
        return given
    first = 1 if definition.owner is not None and definition.kind != "static" else 0
    plain = [Const(param.name) for param in params if param.kind != "keyword"][first:]
    surplus = [Const(at) for at in range(len(given.args) - first - len(plain))]
    names: list[Value] = [*plain, *surplus]
    positional = zip(names, given.args[first:], strict=False)
    named: list[tuple[Value, Value]] = [
        (Const(param.name), given.keywords[param.name]) for param in params if param.name in given.keywords
    ]
    defaults = Dict(tuple((Const(name), value) for name, value in function.defaults))
    clashes = len(t.clashes)
    optional = {*given.keywords, *(name for name, _ in function.defaults)}
    open_names = plain[max(len(given.args) - first, 0) :] if given.is_complete else []
    left = [name for name in open_names if name.value not in optional]
    request = Arguments(given.place, [signature, Dict((*positional, *named)), defaults, Seq("tuple", tuple(left))])
    bound = t.freeze(t.call(Library(binder), request), deep=False)
    if not isinstance(bound, Dict):
        return given if len(t.clashes) == clashes else None
    values = {as_str(name): value for name, value in bound.items}
    args = [values.get(as_str(name), value) for name, value in zip(names, given.args[first:], strict=False)]
    keywords = {name: values.get(name, value) for name, value in given.keywords.items()}
    return replace(given, args=(*given.args[:first], *args), keywords=keywords)


def sizes_given(specified: Iterable[Value], given: Iterable[Value]) -> dict[Symbol, Size]:
    """Return the sizes that a call gives for those that a signature leaves open."""
    found: dict[Symbol, Size] = {}
    for declared, actual in zip(specified, given, strict=False):
        if declared is actual:
            continue
        match declared, actual:
            case Tensor(), Tensor() if declared.shape.is_ranked and declared.shape.rank == actual.shape.rank:
                pairs = zip(declared.shape.sizes, actual.shape.sizes, strict=True)
                found |= {next(iter(symbols(size))): now for size, now in pairs if is_open(size)}
            case Seq(), Seq():
                found |= sizes_given(declared.items, actual.items)
            case Dict(), Dict():
                found |= sizes_given((item for _, item in declared.items), (item for _, item in actual.items))
    return found


def with_sizes(value: Value, sizes: dict[Symbol, Size]) -> Value:
    """Return a result with sizes in place of symbols."""
    if isinstance(value, Tensor):
        return replace(value, shape=substitute_shape(value.shape, sizes))
    return map_children(value, lambda part: with_sizes(part, sizes)) if sizes else value
