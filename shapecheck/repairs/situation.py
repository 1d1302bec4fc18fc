"""A clash beside the text of its program: where its operands are written, and what they were computed from."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from shapecheck.clash_kind import ClashKind
from shapecheck.dataflow.graph.steps import Step
from shapecheck.domain.values import Ref, Tensor, Value
from shapecheck.findings import Edit
from shapecheck.models.lang.registry import REGISTRY
from shapecheck.repairs.program_text import ProgramText
from shapecheck.rules.call import Argument, Call
from shapecheck.shapes.claims import AllOf, AnyOf, AtLeast, Claim, Divides, Equal, Not
from shapecheck.shapes.shape import Shape
from shapecheck.source import Place

_MOST_SITES = 30
_ENDS_NAME = re.compile(r"[\w)\]]\s*$")

MODULES = {"np": "numpy", "tf": "tensorflow", "keras": "keras.ops", "jax": "jax.numpy"}
"""The modules whose functions rearrange the arrays of a kind."""
KERAS, TORCH = "keras", "torch"
"""Kinds of arrays that are rearranged by functions and methods of names of their own."""


@dataclass(frozen=True, slots=True)
class Site:
    """An operation that leads to the clash, with its expression in the program."""

    step: Step
    node: ast.expr | ast.AugAssign


@dataclass(frozen=True, slots=True)
class OperandText:
    """An operand of the clash with its expression."""

    argument: Argument
    node: ast.expr


@dataclass(frozen=True, slots=True)
class Candidate:
    """Edits that may be a repair; of several, those of less weight are tried first."""

    weight: int
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class Situation:
    """What repairs are made from: a clash, and the text of the program."""

    call: Call
    text: ProgramText

    @property
    def kind(self) -> ClashKind:
        return self.call.clash.kind

    @cached_property
    def node(self) -> ast.expr | ast.AugAssign | None:
        """Return the expression or augmented assignment that fails."""
        return self.text.at(self.call.step.place)

    @property
    def tensorflow(self) -> str:
        """Return the name of the module TensorFlow in the program; "" if it is not imported."""
        return self.text.aliases.get("tensorflow", self.text.aliases.get("tensorflow.compat.v1", ""))

    def module_of(self, library: str) -> str:
        """Return the name in the program of the module for arrays of a kind; "" if it is not imported."""
        return self.text.aliases.get(MODULES.get(library, ""), "")

    @property
    def backend(self) -> str:
        """Return the name of the backend of Keras in the program, or of TensorFlow; "" if neither is imported."""
        names = (self.text.aliases.get(each) for each in ("keras.backend", "tensorflow.keras.backend"))
        return next((name for name in names if name), self.tensorflow)

    @cached_property
    def functional(self) -> str:
        """Return the name of the functions of layers of PyTorch in the program; "" if they are not imported."""
        names = self.text.aliases.items()
        found = {module.partition(".")[2]: name for module, name in names if module.split(".")[0] == TORCH}
        whole = found.get("", "")
        layers = found.get("nn", f"{whole}.nn" if whole else "")
        return found.get("nn.functional", f"{layers}.functional" if layers else "")

    @cached_property
    def keras(self) -> tuple[str, str]:
        """Return the package of Keras that the program imports from, and the name of it; "" if there is none."""
        package = next((name.partition(KERAS)[0] + KERAS for name in self.text.aliases if KERAS in name.split(".")), "")
        return package, self.text.aliases.get(package, f"{self.tensorflow}.{KERAS}" if self.tensorflow else "")

    @cached_property
    def is_of_torch(self) -> bool:
        """Return whether an operand is a tensor of PyTorch."""
        return any(argument.tensor.library == TORCH for argument in self.call.arguments)

    @cached_property
    def is_of_maps(self) -> bool:
        """Return whether a convolution takes what another one has made, whose axes are in the right order."""
        before = self.call.graph.ancestors([argument.tensor.step for argument in self.call.arguments])
        return ".Conv" in self.call.step.name and any(".Conv" in step.name for step in before)

    @cached_property
    def compares_classes(self) -> bool:
        """Return whether the operation is a comparison, whose operands must be alike to be comparable at all."""
        return isinstance(self.node, ast.Compare) or callee(self.node) in ("equal", "not_equal")

    @cached_property
    def operands(self) -> tuple[OperandText, ...]:
        """Return the operands that are written in the failing expression, without declared inputs that are fed, and
        where the same values are given to the functions around it."""
        here = tuple(self._data() if self.call.is_inner else self._written())
        return (*here, *self._given())

    def _given(self) -> Iterator[OperandText]:
        """Yield the arguments of calls on the way that are operands, and items that are stored to be fed."""
        for argument in self.call.arguments:
            for node in self.calls_on_the_way():
                for given in (*node.args, *(each.value for each in node.keywords)):
                    if _is_same(self.text.value(given), argument.tensor):
                        yield OperandText(argument, given)
            if self.kind is ClashKind.FEED:
                yield from (OperandText(argument, node) for node in self.text.stored_items(argument.tensor))

    def shape_here(self, node: ast.expr) -> Shape | None:
        """Return the shape of an expression where it fails, if it is an operand, and otherwise what it always has."""
        given = (each.argument.shape for each in self.operands if each.node is node)
        return next(given, self.text.shape(node))

    def calls_on_the_way(self) -> Iterator[ast.Call]:
        """Yield the calls of the program's functions that lead to the clash, the innermost first."""
        for frame in reversed(self.call.step.frames):
            node = self.text.at(frame.place)
            if isinstance(node, ast.Call):
                yield node

    def _data(self) -> Iterator[OperandText]:
        """Yield the first argument of a call that leads to an operation in a model, unless it is a data set."""
        data = self.node.args[0] if isinstance(self.node, ast.Call) and self.node.args else None
        if data is not None and self.call.arguments and not isinstance(self.text.value(data), Ref):
            yield OperandText(self.call.arguments[0], data)

    def _written(self) -> Iterator[OperandText]:
        for argument in self.call.arguments:
            is_fed = self.kind is ClashKind.FEED and argument.tensor.role == "placeholder"
            node = None if is_fed else self._find(argument.text) if argument.text else self._given_as(argument)
            if node is not None:
                yield OperandText(argument, node)

    def _given_as(self, argument: Argument) -> ast.expr | None:
        """Return the only argument of the failing call that has the shape of an operand without a text."""
        given = self.node.args if isinstance(self.node, ast.Call) and self.kind is ClashKind.SIGNATURE else []
        alike = [node for node in given if self.text.shape(node) == argument.shape]
        return alike[0] if len(alike) == 1 else None

    def _find(self, text: str) -> ast.expr | None:
        """Return the first part of the failing expression with this text, however its lines are broken."""
        parts = () if self.node is None else ast.walk(self.node)
        nodes = (node for node in parts if isinstance(node, ast.expr) and not _is_bound(node))
        return next((node for node in nodes if self.text.text(node).split() == text.split()), None)

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        """Return the operations and calls of this source on which the clash depends, the nearest first."""
        found: dict[tuple[int, int], Site] = {}
        for step in self._steps():
            for place in (step.place, *(frame.place for frame in reversed(step.frames))):
                node = self.text.at(place)
                if node is not None and len(found) < _MOST_SITES:
                    found.setdefault((place.start, place.end), Site(step, node))
        return tuple(found.values())

    def _steps(self) -> Iterator[Step]:
        """Yield the failing step, those that it depends on, and then the layers and inputs before it."""
        step, graph = self.call.step, self.call.graph
        roots = [tensor.step for _, tensor in step.operands()] + [each.tensor.step for each in self.call.arguments]
        yield step
        yield from reversed([each for each in graph.ancestors(roots) if each.id < step.id])
        for each in reversed(graph.steps[: step.id - 1]):
            if each.name.startswith(("keras.", "torch.nn.")) or _is_layer(each.name) or each.name == "tf.placeholder":
                yield each

    @cached_property
    def unequal(self) -> tuple[tuple[int, int], ...]:
        """Return the pairs of integers that should be equal, as channels and those that a filter takes should be."""
        claim = self.call.clash.claim
        if isinstance(claim, Divides) and "conv" in self.call.step.name.lower():
            claim = Equal(claim.divisor, claim.a)
        return () if claim is None else tuple(dict.fromkeys(_pairs(claim)))

    def candidate(self, weight: int, node: ast.expr, text: str) -> Candidate:
        """Return the replacement of an expression."""
        return Candidate(weight, (self.text.replaced(node, text),))

    def removed(self, weight: int, start: int, end: int) -> Candidate:
        """Return the removal of a part of the text."""
        return Candidate(weight, (Edit(Place(self.text.source, start, end), ""),))

    def replaced_text(self, weight: int, start: int, end: int, text: str) -> Candidate:
        """Return another text for a part that is no expression."""
        return Candidate(weight, (Edit(Place(self.text.source, start, end), text),))

    def inserted(self, weight: int, at: int, text: str) -> Candidate:
        return Candidate(weight, (self.text.inserted(at, text),))

    def followed(self, weight: int, node: ast.expr, text: str) -> Candidate:
        """Return an expression with an index or the call of a method behind it."""
        (start, end), code = self.text.span(node), self.text.source.code
        if code[start - 1 : start] == "(" and code[end : end + 1] == ")" and not _ENDS_NAME.search(code[: start - 1]):
            return self.inserted(weight, end + 1, text)
        is_whole = isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
        return self.candidate(
            weight, node, f"{self.text.text(node) if is_whole else f'({self.text.text(node)})'}{text}"
        )

    def without_keyword(self, weight: int, call: ast.Call, keyword: str) -> Candidate:
        """Return a call without a keyword argument; if it is the only one, a decorator without a call, and another call
        with the opposite value."""
        parts: list[ast.expr] = [call.func, *call.args, *(each.value for each in call.keywords)]
        if len(parts) == 2 and any(call in getattr(node, "decorator_list", ()) for node in self.text.nodes):
            return self.candidate(weight, call, self.text.text(call.func))
        given = next(each.value for each in call.keywords if each.arg == keyword)
        before = [part for part in parts if self.text.span(part)[1] < self.text.span(given)[0]]
        if len(before) < 2:
            is_false = isinstance(given, ast.Constant) and given.value is False
            return self.candidate(weight, given, "True" if is_false else "False")
        return self.removed(weight, max(self.text.span(part)[1] for part in before), self.text.span(given)[1])

    def with_keyword(self, weight: int, call: ast.Call, keyword: str, value: str) -> Candidate:
        """Return a call with a keyword argument, replaced or added."""
        given = next((each.value for each in call.keywords if each.arg == keyword), None)
        if given is not None:
            return self.candidate(weight, given, value)
        parts = [call.func, *call.args, *(each.value for each in call.keywords)]
        end = self.text.span(call)[1] - 1 if len(parts) == 1 else max(self.text.span(part)[1] for part in parts)
        return self.inserted(weight, end, f"{keyword}={value}" if len(parts) == 1 else f", {keyword}={value}")


def _is_layer(name: str) -> bool:
    model = REGISTRY.get(name)
    return model is not None and model.definition.form == "layer"


def _is_same(value: Value | None, tensor: Tensor) -> bool:
    """Return whether a value is this result of an operation."""
    return isinstance(value, Tensor) and value.step == tensor.step != 0 and value.output == tensor.output


def _is_bound(node: ast.expr) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Store)


def callee(node: ast.AST | None) -> str:
    """Return the last part of the name of what is called; "" for what is no call."""
    match node:
        case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
            return name
    return ""


def _pairs(claim: Claim) -> Iterator[tuple[int, int]]:
    match claim:
        case Equal(int(a), int(b)) | AtLeast(int(a), int(b)):
            yield a, b
        case AllOf(claims) | AnyOf(claims):
            for each in claims:
                yield from _pairs(each)
        case Not(inner):
            yield from _pairs(inner)
