"""Attributes of models that callbacks of Keras change during training."""

from __future__ import annotations

from collections.abc import Iterator
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
    methods = list(_methods(t, callback))
    parts = [part for method in methods for part in nodes_in(method.body)]
    if any(isinstance(part, ir.Attribute) and part.name in RETRACING for part in parts):
        return
    for method in methods:
        for part in nodes_in(method.body) if method.name.startswith(REPEATED) and method.params else ():
            for target in assigned_targets(part):
                if isinstance(target, ir.Attribute) and _is_model(t, target.value, method, callback, model):
                    yield target.name


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
