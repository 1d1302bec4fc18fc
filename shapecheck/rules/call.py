"""A clash as its rule sees it: the operation and operands as written, their shapes and origins, and what is certain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph import certain_dtypes
from shapecheck.dataflow.graph.clash import Clash
from shapecheck.dataflow.graph.steps import Graph, Step
from shapecheck.domain.values import Dict, Seq, Tensor, Value, walk
from shapecheck.findings import Fix
from shapecheck.models.lang.packs import arrays, made_by
from shapecheck.rules.expression_text import ExpressionText, items, parse
from shapecheck.shapes.broadcast import broadcast
from shapecheck.shapes.facts import EMPTY, AllOf, Claim, Equal, Facts, Verdict
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size, is_open
from shapecheck.shapes.solve import decide

ABOUT_CALLS = frozenset(
    {
        ClashKind.ANNOTATION,
        ClashKind.SIGNATURE,
        ClashKind.RETRACE_FUNCTION,
        ClashKind.RETRACE_SHAPE,
        ClashKind.RETRACE_VALUE,
    }
)
"""Kinds of clashes of a call as it is written, whatever its function is named."""
_NEAR = 4000  # how many steps back an operation is looked for that another one is part of
_DEEPEST = 12
_MODELS = ("Sequential", "Model", "Functional")


@dataclass(frozen=True, slots=True)
class Argument:
    """A tensor that takes part: its text where it is used ("" if it has none), and its shape."""

    text: str
    tensor: Tensor
    shape: Shape

    @property
    def rank(self) -> int | None:
        return self.shape.rank


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a rule about a clash; `message` without the operation's name."""

    message: str
    help: str = ""
    fix: Fix | None = None


@dataclass(frozen=True)
class Call:
    """A clash as its rule sees it. `is_everywhere` means that its place clashes like this each time it is reached."""

    clash: Clash
    graph: Graph
    is_everywhere: bool = True

    @property
    def step(self) -> Step:
        return self.clash.step

    @property
    def name(self) -> str:
        """Return the operation's canonical name; a layer's for its call."""
        return self.step.name.removesuffix(".__call__")

    @property
    def advice(self) -> str:
        """Return what the library of the operands suggests, "" if that is what the rule says."""
        kinds = {part.library for value in self.clash.operands for part in walk(value) if isinstance(part, Tensor)}
        kinds = kinds or {kind for kind in [made_by(self.step.name)] if kind is not None}
        return next((said for kind in kinds if (said := arrays(kind).advice.get(self.clash.kind.value))), "")

    @cached_property
    def written(self) -> ExpressionText:
        return parse(self.step.place.text)

    # --- the operation -----------------------------------------------------------------------------------------------

    @cached_property
    def op(self) -> str:
        """Return the operation as the user wrote it, followed in brackets by an operation that a written call leads
        to."""
        if self.is_inner:
            return f"{self.written.operation} ({_last(self.step.name)})"
        return f"{self.written.operation} =" if self.step.name.endswith("[]=") else self.written.operation

    @cached_property
    def is_inner(self) -> bool:
        """Return whether the operation is part of what is written: a layer in a model that is called, a loss in
        `fit`."""
        callee = self.written.name
        if self.clash.kind in ABOUT_CALLS:
            return False
        if not callee or _last(self.step.name) == callee:
            return False
        return any(_leads_on(step, callee) for step in self._before() if step.name != self.step.name)

    def _before(self) -> Iterator[Step]:
        """Yield earlier steps at the same place."""
        step = self.step
        for earlier in reversed(self.graph.steps[max(0, step.id - _NEAR) : step.id - 1]):
            if earlier.place == step.place and earlier.frames == step.frames:
                yield earlier

    @property
    def is_tried(self) -> bool:
        """Return whether the operation at this place gets one tensor with other arguments in other iterations."""
        mine = self.step
        turns = [s for s in self.graph.steps if s.place == mine.place and s.name == mine.name and s.args]
        return any(turn.args[0] == mine.args[0] and turn.args[1:] != mine.args[1:] for turn in turns)

    # --- operands ----------------------------------------------------------------------------------------------------

    @cached_property
    def arguments(self) -> tuple[Argument, ...]:
        """Return the tensors that the clash is about; all that the operation reads if it names none."""
        named = [value for operand in self.clash.operands for value in walk(operand) if isinstance(value, Tensor)]
        tensors = named or [tensor for _, tensor in self.step.operands()]
        said = [self._text(tensor) for tensor in tensors]
        if "" in said and len(tensors) == len(self.sources):
            said = [text or source for text, (source, _) in zip(said, self.sources, strict=True)]
        return tuple(Argument(text, tensor, self.shape(tensor)) for text, tensor in zip(said, tensors, strict=True))

    @cached_property
    def sources(self) -> tuple[tuple[str, Value], ...]:
        """Return the values of the step's arguments, each with its text in the call."""
        if self.is_inner:
            return ()
        texts, values = self.written.arguments, self.step.args
        if self.written.owner and len(values) == len(texts) + 1:
            texts = (self.written.owner, *texts)
        pairs = list(zip(texts, values, strict=True)) if len(texts) == len(values) else []
        pairs += [(self.written.keywords[k], v) for k, v in self.step.keywords if k in self.written.keywords]
        return tuple(pairs)

    def _text(self, tensor: Tensor) -> str:
        return next((text for text, value in self._parts() if _same(value, tensor)), "")

    def _parts(self) -> Iterator[tuple[str, Value]]:
        """Yield the arguments and the items of sequences and dicts among them, each with its text."""
        for text, value in self.sources:
            yield text, value
            if isinstance(value, Seq):
                yield from ((item_text(text, at, len(value.items)), item) for at, item in enumerate(value.items))
            elif isinstance(value, Dict):
                inside = [part for pair in value.items for part in pair]
                yield from zip(items(text), inside, strict=False) if len(items(text)) == len(inside) else ()

    def shape(self, tensor: Tensor) -> Shape:
        """Return the shape under the facts of the path."""
        return tensor.shape.map(self.facts.resolve)

    def maker(self, tensor: Tensor) -> Step | None:
        """Return the step that made a tensor; at a phi, that of the first branch."""
        step = certain_dtypes.maker(self.graph, tensor)
        return None if step is self.step else step

    def source_of(self, tensor: Tensor) -> Step | None:
        """Return the step that made a tensor, or the one that it is computed from element by element."""
        step = self.maker(tensor)
        for _ in range(_DEEPEST):
            same = [] if step is None else [operand for _, operand in step.operands() if operand.step]
            if len(same) != 1 or same[0].shape != tensor.shape or (before := self.maker(same[0])) is None:
                break
            step = before
        return step

    # --- certainty ---------------------------------------------------------------------------------------------------

    @property
    def facts(self) -> Facts:
        return EMPTY if self.clash.facts is None else self.clash.facts

    def surely(self, claim: Claim) -> bool:
        """Return whether a claim holds for all sizes that the program can have here."""
        return decide(self.facts, claim) is Verdict.ALWAYS

    def surely_not(self, claim: Claim) -> bool:
        return decide(self.facts, claim) is Verdict.NEVER

    def always(self, a: Size, b: Size) -> bool:
        """Return whether two sizes are certainly equal."""
        return a == b or self.surely(Equal(a, b))

    def alike(self, a: Iterable[Size], b: Iterable[Size]) -> bool:
        """Return whether two sequences of sizes are certainly equal."""
        first, second = tuple(a), tuple(b)
        return len(first) == len(second) and all(map(self.always, first, second))

    def fits(self, sizes: Iterable[Size], declared: Iterable[Size]) -> bool:
        """Return whether sizes certainly equal the declared ones, as far as any are declared."""
        given, wanted = tuple(sizes), tuple(declared)
        pairs = zip(given, wanted, strict=False)
        return len(given) == len(wanted) and all(is_open(size) or self.always(mine, size) for mine, size in pairs)

    def broadcasts(self, *shapes: Shape) -> bool:
        """Return whether shapes certainly broadcast."""
        return self.surely(AllOf(broadcast(shapes)[1]))

    # --- words -------------------------------------------------------------------------------------------------------

    def says(self, help: str = "", message: str = "", fix: Fix | None = None) -> Words:
        """Return the words with the clash's own message, or another one, with a help line and a fix."""
        return Words(message or self.clash.message, help, fix)


def item_text(text: str, at: int, count: int) -> str:
    """Return the text of an item of a written sequence."""
    inside = items(text)
    if at < len(inside) == count:
        return inside[at]
    return f"{text}[{at}]" if text.replace(".", "").isidentifier() else ""


def _same(value: Value, tensor: Tensor) -> bool:
    if not isinstance(value, Tensor) or not tensor.step:
        return value == tensor
    return (value.step, value.output) == (tensor.step, tensor.output)


def _last(name: str) -> str:
    return name.removesuffix(".__call__").rsplit(".", 1)[-1]


def _leads_on(step: Step, callee: str) -> bool:
    """Return whether a step is what the callee names, and so may have led to others at its place."""
    name = _last(step.name)
    return name == callee or (step.name.endswith(".__call__") and name in _MODELS)
