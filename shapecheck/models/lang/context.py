"""What a model may ask of the tracer while it runs.

This is the whole surface between library models and the dataflow engine: models never see the tracer itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Lost, Ref, Tensor, Value
from shapecheck.shapes.facts import Claim, Verdict
from shapecheck.shapes.size import Expr, Kind, Size
from shapecheck.target import Target as Target

STAGED = "__staged__"
UNCONVERTED = "unconverted"
"""The attribute of a function that is made into a graph: what is computed for nothing is left out of that."""


class Context(Protocol):
    """The tracer as a model sees it.  Values passed to models are frozen (`Seq`, `Dict` …, not list references);
    `Ref`s to instances of library or user classes stay references."""

    @property
    def target(self) -> Target: ...

    @property
    def without_options(self) -> bool:
        """Whether the program is followed as it runs with an empty command line, so that defaults hold."""

    @property
    def is_alone(self) -> bool:
        """Whether a function is followed on its own, so that what was done before it is called is not known."""

    def left_open(self, value: Value) -> Value:
        """The value of an option that a user may well give, although the program is followed without any: what fails
        for one of its values alone is not told."""

    def require(self, kind: ClashKind, claim: Claim, message: str, *operands: Value) -> Verdict:
        """States what the call at hand must meet.  NEVER is recorded as a clash of the current step, with `kind`
        naming the mismatch and `message` a sentence without the op's name ("x has 128 columns, w has 64 rows"); a claim
        that may hold becomes a fact of the path.  ALWAYS is answered only for what holds without any facts."""

    def notice(self, kind: ClashKind, message: str, *operands: Value) -> None:
        """Records a legal but suspicious pattern at the current step, for the pattern rules."""

    def known(self, claim: Claim) -> Verdict:
        """Decides a claim under the path's facts without stating it."""

    def fresh(self, name: str, kind: Kind, why: str = "", low: int | None = 0) -> Expr:
        """A new symbol whose origin is the place of the current step."""

    def resolve(self, size: Size) -> Size:
        """The size with everything substituted that the path's facts force."""

    def lost(self, reason: str) -> Lost:
        """A value that is not followed; counted by reason."""

    def call(self, function: Value, args: Sequence[Value], keywords: Mapping[str, Value] | None = None) -> Value:
        """Calls any callable value: a function of the program, a library function, a layer, a model."""

    def call_in_graph(self, function: Value, args: Sequence[Value], *, is_converted: bool = True) -> Value:
        """Return what a function gives that a library traces into a graph, with symbolic tensors for its arguments;
        AutoGraph converts it where `is_converted` says so."""

    def call_independently(self, functions: Sequence[Value]) -> list[Value]:
        """The results of functions of which a run takes only one: what one teaches is not known to the next."""

    def repeat(self, function: Value, args: Sequence[Value]) -> Value:
        """What any of many calls of a function gives, whatever those before it have changed."""

    def apply(self, name: str, *args: Value, **keywords: Value) -> Value:
        """Calls a library function by canonical name, as a step of its own."""

    def get(self, owner: Value, name: str) -> Value | None:
        """An attribute of an object: user attributes, methods and what models have `set`; a variable of the module that
        runs, of `Library("__main__")`.  None if there is none."""

    def set(self, owner: Value, name: str, value: Value) -> None:
        """Sets an attribute of an object on the heap (models prefix private ones with `_`), of a function or of an
        object of a library."""

    def new(self, cls: str, **attributes: Value) -> Ref:
        """Makes an instance of a library class."""

    def refine(self, tensor: Tensor, refined: Tensor) -> None:
        """From here on the tensor has the refined shape, wherever the program holds it."""

    def overwrite(self, array: Tensor) -> None:
        """From here on the numbers in an array are others, wherever the program holds it."""

    def ambient(self) -> Value | None:
        """What `with` statements around the present call have set; None if there is nothing."""

    def set_ambient(self, value: Value) -> None:
        """Sets that; when the `with` statement at hand is left, it is as before."""

    def freeze(self, value: Value) -> Value:
        """The value with list, dict and set references replaced by what they hold now."""

    def elements(self, value: Value) -> tuple[Value, ...] | None:
        """The items that iterating over a value gives, where their number is known and small."""

    def element(self, value: Value) -> Value:
        """What one item of an iteration over a value looks like."""

    def producers(self, outputs: Sequence[Value]) -> Sequence[tuple[Ref, Value]]:
        """The objects whose calls the outputs come from, each with what that call gave, in the order of the calls."""

    def results(self, owner: Value) -> Sequence[Value]:
        """What the calls of an object gave, the last one last."""

    def keyword(self, tensor: Tensor, name: str) -> Value | None:
        """A keyword argument of the operation that made a tensor; None if that has no such argument."""

    def replay(
        self, outputs: Sequence[Value], feeds: Mapping[Value, Value], *, objects_here: bool = False
    ) -> tuple[Value, ...]:
        """Re-executes the part of the dataflow graph between the fed tensors and `outputs` with the fed values in
        their place, stating every constraint on the way again (a placeholder's feed, a functional model's call).
        Clashes are recorded at the operations where they arise, with the current call on their path; with
        `objects_here`, those of objects that were called, as layers are, at the current call.  What cannot be
        re-executed is lost."""
