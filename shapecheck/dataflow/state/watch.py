"""What follows the evaluation of some part of a program, besides the analysis itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shapecheck.dataflow.state.arguments import Arguments
from shapecheck.dataflow.state.frame import Frame
from shapecheck.domain.values import Ref, Value

if TYPE_CHECKING:
    from shapecheck import ir


class Watch:
    """What is told of expressions and statements; it need not heed all of them."""

    __slots__ = ()

    def evaluated(self, node: ir.Expr, frame: Frame, value: Value) -> None:
        """Note the value of an expression."""

    def assigned(self, targets: Sequence[ir.Expr], node: ir.Expr, frame: Frame) -> None:
        """Note an assignment of the value of an expression."""

    def augmented(self, node: ir.Augmented, frame: Frame, before: Value, result: Value) -> None:
        """Note `target op= value`."""

    def appended(self, owner: Ref, given: Arguments) -> None:
        """Note items that are added to a list."""

    def branched(self, node: ir.If, first_step: int) -> None:
        """Note the end of an `if` statement that began with this step."""

    def returned(self, node: ir.Expr | None) -> None:
        """Note the end of a function by `return`."""
