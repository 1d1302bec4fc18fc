"""Character spans of syntax nodes, measured by libcst's code generator with a state that only adds up lengths.

The spans are those of libcst's PositionProvider, in offsets, at a sixth of its cost. It knows nothing of the IR.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Final

import libcst as cst
from libcst._nodes.expression import _BaseParenthesizedNode
from libcst._nodes.internal import CodegenState

_UNWANTED_BASES = (
    cst.BaseParenthesizableWhitespace,
    cst.Comment,
    cst.EmptyLine,
    cst.Newline,
    cst.TrailingWhitespace,
    cst.BaseBinaryOp,
    cst.BaseBooleanOp,
    cst.BaseCompOp,
    cst.BaseAugOp,
    cst.BaseUnaryOp,
    cst.LeftParen,
    cst.LeftSquareBracket,
    cst.RightSquareBracket,
    cst.LeftCurlyBrace,
    cst.RightCurlyBrace,
    cst.Comma,
    cst.Dot,
    cst.Colon,
    cst.Semicolon,
    cst.AssignEqual,
    cst.Asynchronous,
    cst.Element,
    cst.DictElement,
    cst.StarredDictElement,
    cst.AssignTarget,
    cst.ComparisonTarget,
    cst.Annotation,
    cst.Parameters,
    cst.ParamStar,
    cst.ParamSlash,
    cst.AsName,
    cst.Decorator,
    cst.FormattedStringText,
)


def _subclasses(base: type[cst.CSTNode]) -> set[type[cst.CSTNode]]:
    derived = base.__subclasses__()
    return set(derived).union(*(_subclasses(each) for each in derived))


EVERY: Final = frozenset(_subclasses(cst.CSTNode))  # type: ignore[type-abstract]
WANTED: Final = frozenset(kind for kind in EVERY if not set(_UNWANTED_BASES).intersection(kind.__mro__))

Spans = dict[int, tuple[int, int]]


class _Range:
    """Records the span of one node while its own code is written."""

    __slots__ = ("end_node", "node", "start", "start_node", "state")

    def __init__(
        self, state: SpanState, node: cst.CSTNode, start_node: cst.CSTNode | None, end_node: cst.CSTNode | None
    ) -> None:
        self.state = state
        self.node = node
        self.start_node = start_node
        self.end_node = end_node

    def __enter__(self) -> None:
        self.start = self.state.at

    def __exit__(self, *error: object) -> None:
        state = self.state
        spans = state.spans
        start = self.start if self.start_node is None else spans[id(self.start_node)][0]
        end = state.at if self.end_node is None else spans[id(self.end_node)][1]
        spans[id(self.node)] = (start, end)


class _Nothing:
    """Replaces `_Range` at nodes whose span is not needed."""

    __slots__ = ()

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass


_NOTHING = _Nothing()


class _Parenthesized:
    """Generates the code around an expression as libcst does, without its generators: the parentheses, and the span
    within."""

    __slots__ = ("node", "start", "state")

    def __init__(self, node: _BaseParenthesizedNode, state: SpanState) -> None:
        self.node = node
        self.state = state

    def __enter__(self) -> None:
        for parenthesis in self.node.lpar:
            parenthesis._codegen(self.state)
        self.start = self.state.at

    def __exit__(self, *error: object) -> None:
        state, node = self.state, self.node
        if type(node) in state.wanted:
            state.spans[id(node)] = (self.start, state.at)
        for parenthesis in node.rpar:
            parenthesis._codegen(state)


def _parenthesize(node: _BaseParenthesizedNode, state: SpanState) -> _Parenthesized:
    return _Parenthesized(node, state)


def _codegen(node: cst.CSTNode, state: SpanState, **options: Any) -> None:
    """Generate code as libcst does; two of five nodes are blanks within a line."""
    if type(node) is cst.SimpleWhitespace:
        state.at += len(node.value)
        return
    state.before_codegen(node)
    node._codegen_impl(state, **options)
    state.after_codegen(node)


@contextmanager
def _swift() -> Iterator[None]:
    """Replace these two functions of libcst for a while, which saves a third of the time."""
    before = cst.CSTNode._codegen, _BaseParenthesizedNode._parenthesize
    cst.CSTNode._codegen = _codegen  # type: ignore[assignment,method-assign]
    _BaseParenthesizedNode._parenthesize = _parenthesize  # type: ignore[assignment,method-assign]
    try:
        yield
    finally:
        cst.CSTNode._codegen, _BaseParenthesizedNode._parenthesize = before  # type: ignore[method-assign]


class SpanState(CodegenState):
    """Counts characters instead of collecting tokens; records spans by node identity, and comments."""

    __slots__ = ("at", "comments", "indent", "spans", "stack", "wanted")

    def __init__(self, module: cst.Module, wanted: frozenset[type[cst.CSTNode]]) -> None:
        super().__init__(default_indent=module.default_indent, default_newline=module.default_newline)
        self.at = 0
        self.indent = 0
        self.stack: list[int] = []
        self.spans: Spans = {}
        self.comments: list[tuple[int, str]] = []
        self.wanted = wanted

    def increase_indent(self, value: str) -> None:
        self.indent_tokens.append(value)
        self.indent += len(value)

    def decrease_indent(self) -> None:
        self.indent -= len(self.indent_tokens.pop())

    def add_indent_tokens(self) -> None:
        self.at += self.indent

    def add_token(self, value: str) -> None:
        self.at += len(value)

    def before_codegen(self, node: cst.CSTNode) -> None:
        self.stack.append(self.at)

    def after_codegen(self, node: cst.CSTNode) -> None:
        start = self.stack.pop()
        kind = type(node)
        if kind in self.wanted:
            key = id(node)
            if key not in self.spans:
                self.spans[key] = (start, self.at)
        elif kind is cst.Comment:
            self.comments.append((start, node.value))  # type: ignore[attr-defined]

    def record_syntactic_position(  # type: ignore[override]
        self, node: cst.CSTNode, *, start_node: cst.CSTNode | None = None, end_node: cst.CSTNode | None = None
    ) -> _Range | _Nothing:
        if type(node) in self.wanted:
            return _Range(self, node, start_node, end_node)
        return _NOTHING


def measure(module: cst.Module, wanted: frozenset[type[cst.CSTNode]] = WANTED) -> tuple[Spans, list[tuple[int, str]]]:
    """Return spans of the wanted nodes by `id`, and every comment with its offset."""
    state = SpanState(module, wanted)
    with _swift():
        module._codegen(state)
    return state.spans, state.comments
