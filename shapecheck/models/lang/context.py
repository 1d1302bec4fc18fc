"""The interface between library models and the tracer.

This is all that models may use of the dataflow engine; they never see the tracer itself.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Literal, Protocol

from shapecheck.clash_kind import ClashKind
from shapecheck.domain.values import Lost, Ref, Tensor, Value
from shapecheck.models.lang.gradients import Cut, Flow, Output, Recording
from shapecheck.shapes.facts import Claim, Verdict
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Expr, Kind, Size, Symbol
from shapecheck.source import Place
from shapecheck.target import Target as Target


class Context(Protocol):
    """The tracer as a model sees it. Values passed to models are frozen (`Seq`, `Dict` …, not list references); `Ref`s
    to instances of library or user classes stay references.
    """

    @property
    def target(self) -> Target: ...

    @property
    def without_options(self) -> bool:
        """Return whether the program is traced as it runs with an empty command line, so that defaults hold."""

    @property
    def is_in_graph(self) -> bool:
        """Return whether a graph is being built, so that operations do not run at once."""

    @property
    def is_compiled(self) -> bool:
        """Return whether XLA compiles the graph that is being built."""

    @property
    def is_alone(self) -> bool:
        """Return whether a function is traced on its own, so that the calls before it are not known."""

    def head_of(self, path: Value) -> bytes | None:
        """Return the beginning of a file with data beside the program; None if it is not known."""

    def facts_of(self, path: Value) -> Mapping[str, Any] | None:
        """Return what the header of a file with data says (`shapecheck.project.data_headers`), None if it is not known.
        "is_named" tells that the user has named its folder, so that its rows are those that the program will read."""

    def left_open(self, value: Value) -> Value:
        """Return the value of an option that a user may well give, although the program is traced without any. A
        failure for only one of its values is not reported.
        """

    def require(self, kind: ClashKind, claim: Claim, message: str, *operands: Value) -> Verdict:
        """State a constraint of the current call. NEVER is recorded as a clash of the current step, with `kind` naming
        the mismatch and `message` a sentence without the op's name ("x has 128 columns, w has 64 rows"); a claim that
        may hold becomes a fact of the path. ALWAYS is the answer only for what holds without any facts.
        """

    def notice(self, kind: ClashKind, message: str, *operands: Value) -> None:
        """Record a legal but suspicious pattern at the current step, for the pattern rules."""

    def notice_of(self, tensor: Tensor, kind: ClashKind, message: str) -> None:
        """Record a legal but suspicious pattern at the step that made a tensor."""

    def known(self, claim: Claim) -> Verdict:
        """Decide a claim under the path's facts without stating it."""

    def fresh(self, name: str, kind: Kind, why: str = "", low: int | None = 0) -> Expr:
        """Return a new symbol whose origin is the place of the current step."""

    def resolve(self, size: Size) -> Size:
        """Return the size with everything substituted that the path's facts force."""

    def lost(self, reason: str) -> Lost:
        """Return a value that is not followed; lost values are counted by reason."""

    def call(self, function: Value, args: Sequence[Value], keywords: Mapping[str, Value] | None = None) -> Value:
        """Call any callable value: a function of the program, a library function, a layer, a model."""

    def call_in_graph(
        self,
        function: Value,
        args: Sequence[Value],
        keywords: Mapping[str, Value] | None = None,
        *,
        is_converted: bool = True,
    ) -> Value:
        """Return the result of a function that a library traces into a graph, with symbolic tensors for its arguments;
        AutoGraph converts it where `is_converted` says so."""

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
        """Return the result of a function that a library traces with its own kind of arrays for the arguments, but for
        those at `fixed` positions; they have values (`has_values`) where only derivatives are taken. All operations
        are part of a trace that `is_total`, and otherwise those that depend on the arguments."""

    def call_eagerly(self, function: Value, args: Sequence[Value]) -> Value:
        """Return the result of a function that Python runs with values, although a graph may be built around it."""

    def call_with_values(
        self, function: Value, args: Sequence[Value], keywords: Mapping[str, Value] | None = None
    ) -> Value:
        """Return the result of a function that runs with values while derivatives are taken, unless more is traced."""

    def symbolic(self, value: Value) -> Value:
        """Return a value as functions of the graph that is being built are given it: tensors without values."""

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
        """Return the result of a function that Keras traces into a graph, which `is_repeated` if the graph runs for
        each batch, and `is_compiled` if XLA compiles it; before Keras 3, AutoGraph converts those that `may_convert`
        tells."""

    def note_training(self) -> None:
        """Note that the layers of models run in graphs, which Keras has built."""

    def note_version(self) -> None:
        """Note that something fails in Keras 3 alone: a program of unknown version is checked for it as well."""

    def parameters(self, function: Value) -> dict[str, bool] | None:
        """Return the names of the parameters of a function of the program, and whether each is required, without the
        first one of a method; None if the function takes any number of arguments, or is not known."""

    def traces(self, function: Value) -> Sequence[Mapping[str, Value]]:
        """Return the arguments, by name, of the calls of a traced function that needed a graph of their own."""

    def traced_functions(self, owner: Ref) -> Sequence[Value]:
        """Return the functions that TensorFlow traces among the methods and attributes of an object."""

    def untracked(self, owner: Ref, function: Value, args: Sequence[Value]) -> Tensor | Ref | None:
        """Return a variable that a function reads, and that no attribute of an object holds; None without one."""

    def call_inside(self, function: Value, args: Sequence[Value]) -> Value:
        """Return the result of a function inside an operation of a graph, as the body of a loop is."""

    def call_independently(self, functions: Sequence[Value], runs: int | None = None) -> list[Value]:
        """Return the results of functions of which a run takes only one: the facts of one are not known in the next."""

    def repeat(self, function: Value, args: Sequence[Value]) -> Value:
        """Return the result of any of many calls of a function, whatever the calls before it have changed."""

    def apply(self, name: str, *args: Value, **keywords: Value) -> Value:
        """Call a library function by canonical name, as a step of its own."""

    def as_layer_size(self, value: Value) -> Value:
        """Return a size of a layer, which is one at least. For an unknown parameter it is a number, which the parameter
        is from here on wherever the program uses it.
        """

    def get(self, owner: Value, name: str) -> Value | None:
        """Return an attribute of an object: user attributes, methods and what models have `set`; a variable of the
        running module, for `Library("__main__")`. None if there is none.
        """

    def set(self, owner: Value, name: str, value: Value) -> None:
        """Set an attribute of an object on the heap (models prefix private ones with `_`), of a function or of an
        object of a library.
        """

    def note(self, about: Tensor | Symbol, what: str, value: Value) -> None:
        """Keep something about an array that an operation gave, or about a symbol."""

    def noted(self, about: Tensor | Symbol, what: str) -> Value | None:
        """Return what was kept about an array or a symbol; None if there is nothing."""

    def new(self, cls: str, /, **attributes: Value) -> Ref:
        """Return a new instance of a library class."""

    def refine(self, tensor: Tensor, refined: Tensor) -> None:
        """Give the tensor the refined shape from here on, wherever the program holds it."""

    def overwrite(self, array: Tensor) -> None:
        """Make the elements of an array unknown from here on, wherever the program holds it."""

    def attempt(self, run: Callable[[], Value]) -> Value:
        """Return what a computation gives that a library tries; if it fails, that is no fault of the program."""

    def ambient(self) -> Value | None:
        """Return what enclosing `with` statements have set; None if there is nothing."""

    def set_ambient(self, value: Value) -> None:
        """Set that until the current `with` statement is left."""

    def freeze(self, value: Value) -> Value:
        """Return the value with list, dict and set references replaced by their present contents."""

    def elements(self, value: Value) -> tuple[Value, ...] | None:
        """Return the items of an iteration over a value, if their number is known and small."""

    def element(self, value: Value) -> Value:
        """Return a value that stands for each item of an iteration over a value."""

    def producers(self, outputs: Sequence[Value]) -> Sequence[tuple[Ref, Value]]:
        """Return the objects whose calls made the outputs, each with the result of that call, in the order of the
        calls.
        """

    def operations(
        self, name: str, targets: Sequence[Tensor], sources: Sequence[Tensor]
    ) -> Sequence[tuple[Value, ...]]:
        """Return the arguments of operations of a name between the sources and the targets that depend on them."""

    def sources(self, owner: Ref) -> Sequence[Ref]:
        """Return the objects that an object was made from, directly or not."""

    def held(self, owner: Ref) -> Sequence[Value]:
        """Return the values of the attributes that an object has itself."""

    @property
    def moment(self) -> int:
        """Return the number of steps so far."""

    @property
    def place(self) -> Place:
        """Return the place of the call."""

    def operation(self, tensor: Tensor) -> tuple[str, tuple[Value, ...]]:
        """Return the name of the operation that made a tensor, and its arguments by position."""

    def has_certain_dtype(self, value: Value) -> bool:
        """Return whether the program leaves no doubt about the dtype of a tensor, or of numbers of Python."""

    def gradient_flow(self, recording: Recording, targets: Sequence[Tensor]) -> Flow:
        """Return what the derivatives of tensors may reach."""

    def culprit(self, cuts: Sequence[Cut], sources: Sequence[Tensor]) -> Cut | None:
        """Return the cut that separates a result from these sources, or from other variables."""

    def same_objects(self, tensor: Tensor) -> AbstractSet[Output]:
        """Return the tensors that may be the same object as a tensor, which a conversion returns as it is."""

    def missing(self, what: str, reason: str) -> Value:
        """Return None as the result of the present step, with the name of that and the reason for it."""

    def refuse_missing(self, *values: Value) -> None:
        """State that the present step raises if one of the values is a result that is missing."""

    def as_number(self, size: Value) -> Value:
        """Return a dimension as a number of Python: None in TensorFlow 1 if the graph does not know it."""

    def default_graph(self) -> Ref | None:
        """Return the graph of the program that operations belong to now."""

    def stranger(self, graph: Value | None, values: Iterable[Value]) -> Tensor | None:
        """Return a tensor in the values that certainly belongs to another graph than this one of the program."""

    def static_shape(self, tensor: Value, shape: Shape, kind: Literal["shape", "tuple"]) -> Value:
        """Return the shape of a tensor as Python has it at this stage, with None where a graph does not know a size."""

    def results(self, owner: Value) -> Sequence[Value]:
        """Return the results of the calls of an object, in order."""

    def keyword(self, tensor: Tensor, name: str) -> Value | None:
        """Return a keyword argument of the operation that made a tensor; None if that has no such argument."""

    def replay(
        self, outputs: Sequence[Value], feeds: Mapping[Value, Value], *, objects_here: bool = False
    ) -> tuple[Value, ...]:
        """Re-execute the part of the dataflow graph between the fed tensors and `outputs` with the fed values in their
        place, stating every constraint again (a placeholder's feed, a functional model's call). Clashes are recorded
        at the operations where they arise, with the current call on their path; with `objects_here`, those of objects
        that were called, as layers are, at the current call. What cannot be re-executed is lost.
        """
