"""Writes the steps of a slice, one line each, and generates the values that they need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from shapecheck.dataflow.graph.steps import Step
from shapecheck.domain.values import Dict, Guard, Ref, Seq, Tensor, Value
from shapecheck.runtime.replay.calls import Calls
from shapecheck.runtime.replay.program import Dialect, Program, Unrenderable, argument_names, variable_like
from shapecheck.runtime.replay.render import Values
from shapecheck.runtime.replay.sizes import Numbers
from shapecheck.runtime.replay.slicing import BackwardSlicer, is_change
from shapecheck.shapes.size import Symbol, symbols
from shapecheck.source import Place

Key: TypeAlias = "tuple[int, int] | Tensor"


class Writer:
    """An unfinished program, with the variables that hold its tensors and objects.

    `fixed` are the symbols that Keras inputs must not leave open as their batch (None: all); `guards` is the path that
    the program takes.
    """

    def __init__(
        self,
        slicer: BackwardSlicer,
        numbers: Numbers,
        dialect: Dialect,
        fixed: frozenset[Symbol] | None = None,
        guards: Guard = (),
    ) -> None:
        self.slicer = slicer
        self.program = Program(dialect)
        self.values = Values(self.program, numbers, self.tensor, self.object, guards)
        self.calls = Calls(self.program, self.values)
        self.tensors: dict[Key, str] = {}
        self.made: dict[Tensor, str] = {}  # out of nothing
        self._objects: dict[int, str] = {}
        self._wanted: dict[Key, str] = {}
        self._fixed = fixed
        self._numbers = numbers

    def prepare(self, steps: Iterable[Step]) -> None:
        """Take variable names from the operands of these steps in the source."""
        for step in steps:
            names = argument_names(step)
            for argument, tensor in step.operands():
                if argument in names and self._holds(step, argument, tensor):
                    self._wanted[_key(tensor)] = names[argument]

    def _holds(self, step: Step, argument: int | str, tensor: Tensor) -> bool:
        """Return whether the argument is the tensor, not a collection that contains it."""
        value = step.args[argument] if isinstance(argument, int) else dict(step.keywords)[argument]
        return value == tensor

    def write(self, step: Step) -> int | None:
        """Add a step's line and return its index; None if the step cannot be written, so that its results must be
        generated."""
        try:
            return self.write_strictly(step)
        except Unrenderable:
            return None

    def write_strictly(self, step: Step) -> int:
        """Add a step's line and return its index; raises Unrenderable."""
        text = self.calls.text(step)
        if self.calls.is_statement(step) or is_change(step):
            return self.program.add(text, step.place)
        name = self.program.fresh(self._name_for(step))
        self._bind(step, name)
        return self.program.add(f"{name} = {text}", step.place)

    def _name_for(self, step: Step) -> str:
        if isinstance(step.result, Tensor) and _key(step.result) in self._wanted:
            return self._wanted[_key(step.result)]
        return variable_like(step.name.removesuffix(".__call__") + ("_output" if "__call__" in step.name else ""))

    def _bind(self, step: Step, name: str) -> None:
        if isinstance(step.result, Ref):
            self._objects[step.result.address] = name
        elif step.result is not None:
            for tensor, path in _paths(step.result, name):
                if tensor.step == step.id:
                    self.tensors.setdefault(_key(tensor), path)

    def tensor(self, tensor: Tensor) -> str:
        """Return the variable that holds a tensor, which is generated if no step made it."""
        key = _key(tensor)
        if key not in self.tensors:
            text = self.values.source(tensor, batch=self._is_fixed(tensor))
            name = self.program.fresh(self._wanted.get(key, "x"))
            self.program.add(f"{name} = {text}", self.origin(tensor))
            self.tensors[key] = self.made[tensor] = name
        return self.tensors[key]

    def sizes(self, tensor: Tensor) -> tuple[int, ...]:
        """Return the sizes of a tensor in the replay."""
        return tuple(self._numbers.of_axis(size) for size in tensor.shape.sizes)

    def placeholder(self, tensor: Tensor) -> str:
        """Return the variable of a placeholder, declared as in the program where its step was written."""
        key = _key(tensor)
        if key not in self.tensors:
            self.tensors[key] = self.program.fresh(self._wanted.get(key, "placeholder"))
            self.program.add(f"{self.tensors[key]} = {self.values.placeholder(tensor)}", self.origin(tensor))
        return self.tensors[key]

    def _is_fixed(self, tensor: Tensor) -> bool:
        batch = tensor.shape.known[:1]
        return self._fixed is None or any(symbols(size) & self._fixed for size in batch)

    def origin(self, tensor: Tensor) -> Place | None:
        """Return the place where the program makes a tensor."""
        return self.slicer.graph[tensor.step].place if tensor.step else None

    def object(self, ref: Ref) -> str:
        """Return the variable that holds an object, which must have been made."""
        if ref.address not in self._objects:
            raise Unrenderable(f"uses a {ref.cls} of unknown origin")
        return self._objects[ref.address]


def _key(tensor: Tensor) -> Key:
    return (tensor.step, tensor.output) if tensor.step else tensor


def _paths(value: Value, text: str) -> Iterator[tuple[Tensor, str]]:
    """Yield the tensors in a value, each with the expression that accesses it."""
    match value:
        case Tensor():
            yield value, text
        case Seq(kind="list" | "tuple", items=items):
            for position, item in enumerate(items):
                yield from _paths(item, f"{text}[{position}]")
        case Dict(items=items):
            for key, item in items:
                yield from _paths(item, f"{text}[{getattr(key, 'value', None)!r}]")
