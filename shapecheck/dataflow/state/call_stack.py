"""The call stack, and the table of the functions of the program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from shapecheck.dataflow.state.frame import Definition
from shapecheck.domain.values import Value
from shapecheck.findings import Frame as CallFrame
from shapecheck.ir import FunctionDef, Lambda


@dataclass(slots=True)
class CallStack:
    """The frames of the call path in a finding, the keys of the functions being traced, the guards at the present call,
    the number of exception handlers that are running and of those for missing keys around, and the keys of functions
    of which a call was too deep in a recursion to be followed.
    """

    frames: list[CallFrame] = field(default_factory=list)
    functions: list[int] = field(default_factory=list)
    guards_at_call: Mapping[Value, bool] = field(default_factory=dict)
    handlers: int = 0
    key_handlers: int = 0
    cut: list[int] = field(default_factory=list)


@dataclass(slots=True)
class FunctionTable:
    """All functions of the program by key, and the ids of the nodes whose bodies have been traced."""

    definitions: list[Definition] = field(default_factory=list)
    traced: set[int] = field(default_factory=set)
    _keys: dict[tuple[int, int], int] = field(default_factory=dict)

    def __getitem__(self, key: int) -> Definition:
        return self.definitions[key]

    def __len__(self) -> int:
        return len(self.definitions)

    def key_of(self, definition: Definition) -> int:
        """Return the key of a definition, which is added if its node is new in its scope."""
        met = (id(definition.node), definition.frame.address)
        if met not in self._keys:
            self._keys[met] = len(self.definitions)
            self.definitions.append(definition)
        return self._keys[met]

    def is_traced(self, node: FunctionDef | Lambda) -> bool:
        """Return whether the body of a function was traced."""
        return id(node) in self.traced
