"""TensorFlow 1's names of initialisers: objects that make a tensor of the shape they are called with."""

from __future__ import annotations

from shapecheck.domain.values import Value
from shapecheck.models.lang import Context, behaviour

NAMES = """constant glorot_normal glorot_uniform he_normal he_uniform identity lecun_normal lecun_uniform ones
orthogonal random_normal random_uniform truncated_normal uniform_unit_scaling variance_scaling zeros""".split()
CONTRIB = "{xavier_initializer,xavier_initializer_conv2d,variance_scaling_initializer}"


@behaviour(
    *(f"tf.initializers.{name}" for name in NAMES),
    *(f"tf.{name}_initializer" for name in NAMES),
    f"tf.contrib.{{layers,slim}}.{CONTRIB}",
)
def initializer(ctx: Context, *args: Value, **keywords: Value) -> Value:
    return ctx.new("keras.initializers.Initializer", **keywords)
