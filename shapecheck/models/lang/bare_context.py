"""A context without a program: a model runs with plain facts, and what it states is collected."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, Literal

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import (
    NONE,
    BoundLibraryMethod,
    Const,
    Function,
    Library,
    Lost,
    Ref,
    Seq,
    Tensor,
    Value,
    items_of,
    of_size,
)
from shapecheck.models.lang.context import Target
from shapecheck.models.lang.gradients import Cut, Flow, Output, Recording
from shapecheck.models.lang.registry import lookup, lookup_method
from shapecheck.shapes.claims import Claim
from shapecheck.shapes.facts import EMPTY, Facts, Verdict
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Expr, Kind, Size, Symbol, fresh
from shapecheck.shapes.solve import decide
from shapecheck.source import Place, Source


@dataclass
class BareContext:
    """A context that decides with `Facts`, and keeps clashes and notices as (kind, message)."""

    target: Target = field(default_factory=Target)
    facts: Facts = EMPTY
    is_sure_of_dtypes: bool = False
    clashes: list[tuple[ClashKind, str]] = field(default_factory=list)
    notices: list[tuple[ClashKind, str]] = field(default_factory=list)
    heap: dict[int, dict[str, Value]] = field(default_factory=dict)
    without_options: bool = False
    is_alone: bool = False
    is_in_graph: bool = False
    is_compiled: bool = False

    def require(self, kind: ClashKind, claim: Claim, message: str, *operands: Value) -> Verdict:
        verdict = self.known(claim)
        if verdict is Verdict.NEVER:
            self.clashes.append((kind, message))
        elif verdict is not Verdict.ALWAYS:
            self.facts = self.facts.add(claim)
        return verdict

    def notice(self, kind: ClashKind, message: str, *operands: Value) -> None:
        self.notices.append((kind, message))

    def notice_of(self, tensor: Tensor, kind: ClashKind, message: str) -> None:
        self.notice(kind, message)

    def known(self, claim: Claim) -> Verdict:
        return decide(self.facts, claim)

    def fresh(self, name: str, kind: Kind, why: str = "", low: int | None = 0) -> Expr:
        return fresh(name, kind, why=why, low=low)

    def facts_of(self, path: Value) -> Mapping[str, Any] | None:
        return None

    def default_graph(self) -> Ref | None:
        return None

    def stranger(self, graph: Value | None, values: Iterable[Value]) -> Tensor | None:
        return None

    def head_of(self, path: Value) -> bytes | None:
        return None

    def left_open(self, value: Value) -> Value:
        return value

    def resolve(self, size: Size) -> Size:
        return self.facts.resolve(size)

    def lost(self, reason: str) -> Lost:
        return Lost(reason)

    def call(self, function: Value, args: Sequence[Value], keywords: Mapping[str, Value] | None = None) -> Value:
        if isinstance(function, Library) and (model := lookup(function.name)):
            return model.run(self, args, keywords or {})
        if isinstance(function, Ref) and (model := lookup_method(function.cls, "__call__")):
            return model.run(self, [function, *args], keywords or {})
        return Lost("not callable here") if not isinstance(function, (Function, BoundLibraryMethod)) else Lost("code")

    def call_traced(
        self,
        kind: str,
        function: Value,
        args: Sequence[Value],
        keywords: Mapping[str, Value] | None = None,
        *,
        has_values: bool = False,
        is_total: bool = False,
        fixed: Container[int] = (),
    ) -> Value:
        return self.call(function, args, keywords)

    def call_in_graph(
        self,
        function: Value,
        args: Sequence[Value],
        keywords: Mapping[str, Value] | None = None,
        *,
        is_converted: bool = True,
    ) -> Value:
        return self.call(function, args, keywords)

    def call_eagerly(self, function: Value, args: Sequence[Value]) -> Value:
        return self.call(function, args)

    def call_with_values(
        self, function: Value, args: Sequence[Value], keywords: Mapping[str, Value] | None = None
    ) -> Value:
        return self.call(function, args, keywords)

    def symbolic(self, value: Value) -> Value:
        return value

    def call_by_keras(
        self,
        function: Value,
        args: Sequence[Value],
        keywords: Mapping[str, Value] | None = None,
        *,
        may_convert: bool = True,
        is_repeated: bool = False,
        knows_sizes: bool = False,
        is_compiled: bool = False,
    ) -> Value:
        return self.call(function, args, keywords)

    def note_version(self) -> None:
        pass

    def note_training(self) -> None:
        pass

    def parameters(self, function: Value) -> dict[str, bool] | None:
        return None

    def traces(self, function: Value) -> Sequence[Mapping[str, Value]]:
        return ()

    def traced_functions(self, owner: Ref) -> Sequence[Value]:
        return ()

    def untracked(self, owner: Ref, function: Value, args: Sequence[Value]) -> Tensor | Ref | None:
        return None

    def call_inside(self, function: Value, args: Sequence[Value]) -> Value:
        return self.call(function, args)

    def call_independently(self, functions: Sequence[Value], runs: int | None = None) -> list[Value]:
        return [self.call(function, []) for function in functions]

    def repeat(self, function: Value, args: Sequence[Value]) -> Value:
        return self.call(function, args)

    def apply(self, name: str, *args: Value, **keywords: Value) -> Value:
        model = lookup(name)
        return model.run(self, args, keywords) if model else Lost(name)

    def as_layer_size(self, value: Value) -> Value:
        return value

    def get(self, owner: Value, name: str) -> Value | None:
        return self.heap[owner.address].get(name) if isinstance(owner, Ref) else None

    def set(self, owner: Value, name: str, value: Value) -> None:
        if isinstance(owner, Ref):
            self.heap.setdefault(owner.address, {})[name] = value

    def note(self, about: Tensor | Symbol, what: str, value: Value) -> None:
        pass

    def noted(self, about: Tensor | Symbol, what: str) -> Value | None:
        return None

    def new(self, cls: str, /, **attributes: Value) -> Ref:
        self.heap[len(self.heap) + 1] = dict(attributes)
        return Ref(len(self.heap), cls)

    def ambient(self) -> Value | None:
        return None

    def set_ambient(self, value: Value) -> None:
        pass

    def refine(self, tensor: Value, refined: Value) -> None:
        pass

    def attempt(self, run: Callable[[], Value]) -> Value:
        return run()

    def overwrite(self, array: Value) -> None:
        pass

    def freeze(self, value: Value) -> Value:
        return value

    def elements(self, value: Value) -> tuple[Value, ...] | None:
        return items_of(value)

    def element(self, value: Value) -> Value:
        items = items_of(value)
        return items[0] if items else Lost("element")

    def producers(self, outputs: Sequence[Value]) -> Sequence[tuple[Ref, Value]]:
        return ()

    def operations(
        self, name: str, targets: Sequence[Tensor], sources: Sequence[Tensor]
    ) -> Sequence[tuple[Value, ...]]:
        return ()

    def sources(self, owner: Ref) -> Sequence[Ref]:
        return ()

    def held(self, owner: Ref) -> Sequence[Value]:
        return tuple(self.heap.get(owner.address, {}).values())

    @property
    def place(self) -> Place:
        return Place(Source("", ""), 0, 0)

    @property
    def moment(self) -> int:
        return 0

    def operation(self, tensor: Tensor) -> tuple[str, tuple[Value, ...]]:
        return "", ()

    def has_certain_dtype(self, value: Value) -> bool:
        return self.is_sure_of_dtypes

    def gradient_flow(self, recording: Recording, targets: Sequence[Tensor]) -> Flow:
        return Flow(is_complete=False)

    def culprit(self, cuts: Sequence[Cut], sources: Sequence[Tensor]) -> Cut | None:
        return None

    def same_objects(self, tensor: Tensor) -> AbstractSet[Output]:
        return frozenset()

    def missing(self, what: str, reason: str) -> Value:
        return NONE

    def refuse_missing(self, *values: Value) -> None:
        return None

    def as_number(self, size: Value) -> Value:
        return size

    def static_shape(self, tensor: Value, shape: Shape, kind: Literal["shape", "tuple"]) -> Value:
        return Lost("the rank is not known") if shape.tail is not None else Seq(kind, tuple(map(of_size, shape.head)))

    def results(self, owner: Value) -> Sequence[Value]:
        return ()

    def keyword(self, tensor: Tensor, name: str) -> Value | None:
        return None

    def replay(
        self, outputs: Sequence[Value], feeds: Mapping[Value, Value], *, objects_here: bool = False
    ) -> tuple[Value, ...]:
        return tuple(Lost("replay") for _ in outputs)


def value_of(thing: Any) -> Value:
    """The abstract value of a plain Python value."""
    if isinstance(thing, (list, tuple)):
        return Seq("list" if isinstance(thing, list) else "tuple", tuple(value_of(item) for item in thing))
    return Const(thing)
