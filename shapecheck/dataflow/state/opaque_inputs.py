"""Arrays that values which are not followed depend on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from shapecheck.domain.values import Int, Lost, Scalar, Tensor, Value
from shapecheck.shapes.size import is_lost


@dataclass(slots=True)
class OpaqueInputs:
    """The arrays passed to opaque calls, by the results of these calls, and those with an attribute that is not
    followed, by its value; and the same for what Python computes from such values.
    """

    arrays: dict[Value, tuple[Tensor, ...]] = field(default_factory=dict)

    def note(self, result: Value, given: Sequence[Value]) -> None:
        """Note that a value which is not followed depends on the arrays among the given values."""
        self.arrays[result] = tuple(value for value in given if isinstance(value, Tensor))

    def derive(self, result: Value, operands: Sequence[Value]) -> Value:
        """Return what Python makes of values that are not followed, after noting the arrays that those depend on."""
        is_new = isinstance(result, (Lost, Scalar)) or (isinstance(result, Int) and is_lost(result.size))
        found = tuple(array for operand in operands for array in self.arrays.get(operand, ())) if is_new else ()
        if found:
            self.arrays[result] = found
        return result
