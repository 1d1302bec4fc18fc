"""The models of a traced program, with their layers as Keras lists them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import prod

from shapecheck.dataflow.graph.producers import producers
from shapecheck.dataflow.graph.steps import Step
from shapecheck.dataflow.tracer import Tracer
from shapecheck.domain.values import NONE, Class, Ref, Tensor, Value, as_str, items_of, walk
from shapecheck.fingerprint import function_around
from shapecheck.models.layers.inner_layers import layers_of
from shapecheck.models.layers.weight_shapes import weights_of
from shapecheck.report.model_table import LayerRow, ModelTable
from shapecheck.shapes.shape import UNRANKED, Shape
from shapecheck.shapes.text import show
from shapecheck.source import Place

_ASSIGNED = re.compile(r"\s*(?:self\.)?(\w+)\s*(?::[^=]+)?=\s*")
_MODELS = ("keras.Sequential", "keras.Model")
_STARTS = tuple(f"{model}.__init__" for model in _MODELS)
_MOST_NESTED = 12

Output = tuple[int, int]


def model_tables(t: Tracer) -> list[ModelTable]:
    """Return the models that a program makes, in the order of their places."""
    objects = _Objects(t)
    found: dict[tuple[Place, str], ModelTable] = {}
    for model, place in objects.models():
        table = objects.table(model, place)
        known = found.get((place, table.kind))
        if table.rows and (known is None or _knows(table) > _knows(known)):
            found[place, table.kind] = table
    return sorted(found.values(), key=lambda table: (table.place.filename, table.place.start))


def _knows(table: ModelTable) -> int:
    """Return how many output shapes are known: of several models of one place that is shown of which most is."""
    return sum(bool(row.output) for row in table.rows)


@dataclass
class _Objects:
    """The layers and models on the heap of a tracer, and the steps that made and called them."""

    t: Tracer
    made: dict[Ref, Step] = field(default_factory=dict)
    calls: dict[Ref, list[Step]] = field(default_factory=dict)
    weights: dict[Ref, list[Tensor]] = field(default_factory=dict)
    faulty: set[Ref] = field(default_factory=set)

    def __post_init__(self) -> None:
        for step in self.t.graph.steps:
            owner = step.args[0] if step.args and isinstance(step.args[0], Ref) else None
            if owner is not None and step.name.endswith(".__call__"):
                self.calls.setdefault(owner, []).append(step)
            elif owner is not None and step.name.endswith(".__init__"):
                self.made.setdefault(owner, step)
            elif owner is not None and step.name.endswith(".add_weight") and isinstance(step.result, Tensor):
                self.weights.setdefault(owner, []).append(step.result)
            elif isinstance(step.result, Ref) and step.kind == "op":
                self.made.setdefault(step.result, step)
        for clash in self.t.clashes:
            if clash.claim is not None and clash.step.args and isinstance(clash.step.args[0], Ref):
                self.faulty.add(clash.step.args[0])

    def models(self) -> Iterator[tuple[Ref, Place]]:
        """Yield the models, each with the place that makes it."""
        for ref, step in self.made.items():
            if step.name in _MODELS or (step.name in _STARTS and ref.cls == "user"):
                yield ref, step.frames[-1].place if ref.cls == "user" and step.frames else step.place

    def table(self, model: Ref, place: Place) -> ModelTable:
        layers = self.layers(model)
        named = {item: name for name, item in self._attributes(model)} if model.cls == "user" else {}
        made_by = {output: number for number, layer in enumerate(layers) for output in self._outputs(layer)}
        fed: dict[Output, str] = {}
        rows = tuple(self._row(layer, named.get(layer, ""), made_by, fed, place) for layer in layers)
        total = self._total(model, layers)
        return ModelTable(self._name(model, place), self._kind(model), place, rows, tuple(fed.values()), total)

    def layers(self, model: Ref) -> list[Ref]:
        """Return the layers of a model in the order in which Keras lists them."""
        if self._is_functional(model):
            outputs = list(walk(self.get(model, "@outputs") or NONE))
            called = [owner for owner, _ in producers(self.t.graph, outputs)]
            return list(dict.fromkeys(called))
        if model.cls == "user":
            inside = dict.fromkeys(item for _, item in self._attributes(model))
            listed = items_of(self.get(model, "@layers") or NONE) or ()
            return [*inside, *(item for item in listed if isinstance(item, Ref) and item not in inside)]
        return [layer for layer in layers_of(self.t.context, model) or () if isinstance(layer, Ref)]

    def get(self, ref: Ref, name: str) -> Value | None:
        return self.t.heap.get((ref.address, name))

    def _is_functional(self, model: Ref) -> bool:
        return self.get(model, "@inputs") is not None

    def _attributes(self, owner: Ref) -> Iterator[tuple[str, Ref]]:
        """Yield the layers among the attributes of an object, also those in containers, with the attribute's name."""
        for name, value in self.t.heap.at(owner.address):
            if isinstance(name, str) and not name.startswith(("@", "__")):
                frozen = self.t.freeze(value)
                parts = [part for part in walk(frozen) if isinstance(part, Ref) and self._is_layer(part)]
                yield from ((name if len(parts) == 1 else f"{name}[{i}]", part) for i, part in enumerate(parts))

    def _is_layer(self, ref: Ref) -> bool:
        step = self.made.get(ref)
        if step is None:
            return ref in self.calls
        return step.name.startswith(("keras.layers.", "keras.applications.", *_MODELS))

    def _row(
        self, layer: Ref, attribute: str, made_by: Mapping[Output, int], fed: dict[Output, str], model: Place
    ) -> LayerRow:
        made, calls = self.made.get(layer), self.calls.get(layer, [])
        first = calls[0] if calls else None
        place = made.place if made is not None else model
        name = as_str(self.get(layer, "name") or NONE) or attribute
        inputs = () if first is None else tuple(show(tensor.shape) for _, tensor in first.operands())
        output = ", ".join(dict.fromkeys(shape for call in calls for shape in _shapes(call.result)))
        parameters = self._total(layer, () if self._is_leaf(layer) else self.layers(layer))
        read = [found for call in calls for found in self._read(call, made_by, fed)]
        rows = tuple(sorted({made_by[output] for output in read if output in made_by}))
        outside = tuple(sorted({list(fed).index(output) for output in read if output not in made_by}))
        return LayerRow(name, self._kind(layer), place, inputs, output, parameters, rows, outside, layer in self.faulty)

    def _outputs(self, layer: Ref) -> Iterator[Output]:
        for call in self.calls.get(layer, ()):
            yield from _outputs(call.result)

    def _read(self, call: Step, made_by: Mapping[Output, int], fed: dict[Output, str]) -> Iterator[Output]:
        """Yield the outputs of layers, and the tensors from outside, that a call reads, also through operations between
        them; those from outside are added to what the model is fed with."""
        todo, seen = [tensor for _, tensor in call.operands()], set()
        while todo:
            tensor = todo.pop()
            key = tensor.step, tensor.output
            if key in made_by:
                yield key
            elif key not in seen:
                seen.add(key)
                operands = [operand for _, operand in self.t.graph[tensor.step].operands()] if tensor.step else []
                todo += operands
                if not operands and tensor.role != "variable":
                    fed.setdefault(key, show(tensor.shape))
                    yield key

    def _kind(self, ref: Ref) -> str:
        cls = self.get(ref, "__class__")
        if isinstance(cls, Class):
            return cls.name
        if ref.cls == "keras.Model":
            return "Functional"
        return ref.cls.rpartition(".")[2]

    def _name(self, model: Ref, place: Place) -> str:
        """Return the name that a model was given, or that of the variable or function around it."""
        given = as_str(self.get(model, "name") or NONE)
        if given:
            return given
        assigned = _ASSIGNED.fullmatch(place.line(place.row)[: place.column - 1])
        is_whole = not place.line(place.end_row)[place.end_column - 1 :].strip()
        return assigned[1] if assigned and is_whole else function_around(place)

    # --- parameters ------------------------------------------------------------------------------------------------

    def _is_leaf(self, layer: Ref) -> bool:
        return layer.cls not in (*_MODELS, "user")

    def _total(self, owner: Ref, layers: Iterable[Ref]) -> int | None:
        """Return the number of parameters of an object and of the layers inside it, each counted once."""
        counted: dict[Ref, int | None] = {}
        self._count(owner, counted, 0)
        for layer in layers:
            self._count(layer, counted, 0)
        counts = list(counted.values())
        return None if None in counts else sum(count or 0 for count in counts)

    def _count(self, layer: Ref, counted: dict[Ref, int | None], depth: int) -> None:
        if layer in counted or depth > _MOST_NESTED:
            return
        if self._is_leaf(layer):
            counted[layer] = _size(weights_of(self.t.context, layer))
            return
        counted[layer] = _size([weight.shape for weight in self._own_weights(layer)])
        for inner in self.layers(layer):
            self._count(inner, counted, depth + 1)

    def _own_weights(self, owner: Ref) -> list[Tensor]:
        """Return the weights that a layer of the program adds itself, and the variables among its attributes."""
        if owner.cls != "user":
            return []
        held = (part for _, value in self.t.heap.at(owner.address) for part in walk(self.t.freeze(value)))
        variables = [part for part in held if isinstance(part, Tensor) and part.role == "variable"]
        return list({(part.step, part.output): part for part in (*self.weights.get(owner, ()), *variables)}.values())


def _size(shapes: Iterable[Shape] | None) -> int | None:
    """Return the number of elements of all shapes; None if one is not known."""
    total = 0
    for shape in (UNRANKED,) if shapes is None else shapes:
        sizes = [size for size in shape.head if isinstance(size, int)]
        if not shape.is_ranked or len(sizes) != shape.rank:
            return None
        total += prod(sizes)
    return total


def _shapes(result: Value | None) -> list[str]:
    return [] if result is None else [show(part.shape) for part in walk(result) if isinstance(part, Tensor)]


def _outputs(result: Value | None) -> list[Output]:
    return [] if result is None else [(p.step, p.output) for p in walk(result) if isinstance(p, Tensor) and p.step]
