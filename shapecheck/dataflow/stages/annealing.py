"""Attributes of models that callbacks of Keras change during training."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shapecheck import ir
from shapecheck.dataflow.stages.trace_effects import assigned_targets
from shapecheck.domain.values import Class, Function, Ref, Seq, Value
from shapecheck.ir.walk import nodes_in
from shapecheck.models.lang.settings import CALLBACKS

if TYPE_CHECKING:
    from shapecheck.dataflow.tracer import Tracer

REPEATED = ("on_epoch", "on_batch", "on_train_batch")
RETRACING = frozenset("compile make_train_function train_function".split())


@dataclass(slots=True)
class Annealing:
    """The attributes that methods of callbacks assign, by the identities of their definitions; None for those that have
    a model traced again."""

    assigned: dict[int, list[ir.Attribute] | None] = field(default_factory=dict)


def annealed_attributes(t: Tracer, model: Ref) -> frozenset[str]:
    """Return the attributes that callbacks of the training of a model assign."""
    callbacks = t.heap.get((model.address, CALLBACKS))
    if callbacks is None:
        return frozenset()
    given = t.freeze(callbacks, deep=False)
    items = given.items if isinstance(given, Seq) else (given,)
    return frozenset(name for item in items if isinstance(item, Ref) for name in _assigned_by(t, item, model))


def _assigned_by(t: Tracer, callback: Ref, model: Ref) -> Iterator[str]:
    """Yield the attributes of a model that the methods of a callback assign, unless one has the model traced again."""
    methods = [(method, _assigned_attributes(t, method)) for method in _methods(t, callback)]
    if any(targets is None for _, targets in methods):
        return
    for method, targets in methods:
        for target in targets or () if method.name.startswith(REPEATED) and method.params else ():
            if _is_model(t, target.value, method, callback, model):
                yield target.name


def _assigned_attributes(t: Tracer, method: ir.FunctionDef) -> list[ir.Attribute] | None:
    """Return the attributes that a method assigns; None if it has the model traced again."""
    known = t.component(Annealing).assigned
    if id(method) not in known:
        parts = list(nodes_in(method.body))
        retraces = any(isinstance(part, ir.Attribute) and part.name in RETRACING for part in parts)
        targets = (target for part in parts for target in assigned_targets(part))
        found = [target for target in targets if isinstance(target, ir.Attribute)]
        known[id(method)] = None if retraces else found
    return known[id(method)]


def _methods(t: Tracer, callback: Ref) -> Iterator[ir.FunctionDef]:
    cls = t.heap.get((callback.address, "__class__"))
    if isinstance(cls, Class):
        for _, value in t.heap.at(cls.address):
            node = t.functions[value.key].node if isinstance(value, Function) else None
            if isinstance(node, ir.FunctionDef):
                yield node


def _is_model(t: Tracer, node: ir.Expr, method: ir.FunctionDef, callback: Ref, model: Ref) -> bool:
    """Return whether an expression in a method of a callback is the model: `self.model` or another attribute."""
    match node:
        case ir.Attribute(value=ir.Name(id=receiver), name=name) if receiver == method.params[0].name:
            held: Value | None = t.heap.get((callback.address, name))
            return name == "model" or held == model
    return False
