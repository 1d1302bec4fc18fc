"""A layer's weights would need the size of an axis that is declared as None."""

from __future__ import annotations

from shapecheck.clash_kind import ClashKind
from shapecheck.findings import Severity
from shapecheck.rules.call import Call, Words
from shapecheck.rules.rule import rule
from shapecheck.shapes.size import Kind


@rule("SHP112", Severity.ERROR, on={ClashKind.UNBUILT})
def undefined_input_axis(call: Call) -> Words:
    if call.name.startswith("tf.train."):
        return call.says("set_shape gives an item its shape")
    last = [size for argument in call.arguments[:1] if (size := argument.shape.size(-1)) is not None]
    symbols = {symbol for size in last if not isinstance(size, int) for symbol in size.symbols()}
    origins = {symbol.origin for symbol in symbols if symbol.kind is Kind.DYNAMIC}
    origin = origins.pop() if len(origins) == 1 else None
    return call.says(f"in line {origin.row}, replace None by the size" if origin is not None else "")
