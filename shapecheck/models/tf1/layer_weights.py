"""The kernels that layer functions of TensorFlow 1 create in the enclosing variable scope.

Where the scope reuses variables, as that of a discriminator does for its second input, they are the earlier ones.
"""

from __future__ import annotations

from shapecheck.domain.values import FALSE, NONE, TRUE, Value, as_size, as_sizes, as_str
from shapecheck.models.lang import Context
from shapecheck.models.lang.arguments import as_tensor
from shapecheck.models.lang.bind import Bound
from shapecheck.models.tf1.variable_scopes import note_made, weights
from shapecheck.shapes.shape import Shape
from shapecheck.shapes.size import Size

BASES = {"fully_connected": "fully_connected", "conv2d": "Conv", "conv2d_transpose": "Conv2d_transpose"}
ALIASES = {"linear": "fully_connected", "relu": "fully_connected", "relu6": "fully_connected"}
ALIASES |= {"convolution2d": "conv2d", "convolution2d_transpose": "conv2d_transpose"}


def kernel(ctx: Context, name: str, bound: Bound, result: Value) -> None:
    """Keep the shape of the kernel, or compare it with the shared one."""
    inputs = as_tensor(bound.given.get("inputs", NONE), ctx)
    shape = _kernel(bound, inputs.shape, is_transposed="transpose" in name)
    if shape is None:
        note_made(ctx, None, None)
        return
    last = name.rsplit(".", 1)[-1]
    base = last if name.startswith("tf.layers.") else BASES.get(ALIASES.get(last, last), "")
    own = bound.others.get("name", NONE) if name.startswith("tf.layers.") else bound.others.get("scope", NONE)
    if base and (own == NONE or as_str(own) is not None):
        out = shape.sizes[-2 if "transpose" in name else -1]
        weights(ctx, base, own, bound.others.get("reuse", NONE), shape, inputs, more=_others(bound, out))


def _others(bound: Bound, out: Size) -> dict[str, Shape | None]:
    """Return the shape of the bias, if there is one."""
    uses = bound.others.get("use_bias", TRUE)
    if bound.others.get("trainable", TRUE) != TRUE:
        return {"bias": None, "kernel": None}
    return {} if uses == FALSE else {"bias": Shape((out,)) if uses == TRUE else None}


def _kernel(bound: Bound, inputs: Shape, *, is_transposed: bool) -> Shape | None:
    """Return the window, then the channels of the input and those of the result; transposed, in the other order."""
    out = as_size(bound.given.get("units") or bound.given.get("filters") or NONE)
    layout = as_str(bound.given.get("data_format", NONE)) or ""
    first = layout == "channels_first" or layout.startswith("NC")
    channels = inputs.size(1 if first else -1)
    window = _window(bound, inputs)
    if out is None or channels is None or window is None:
        return None
    return Shape((*window, out, channels) if is_transposed else (*window, channels, out))


def _window(bound: Bound, inputs: Shape) -> tuple[Size, ...] | None:
    if "units" in bound.given:
        return ()
    given = bound.given.get("kernel_size", NONE)
    one, several = as_size(given), as_sizes(given)
    if one is None or inputs.rank is None:
        return several
    return (one,) * (inputs.rank - 2)
