"""Random programs that make Keras models, and what Keras says of their layers.

Started as a module, this file is the child that runs the programs named on its command line.
"""

from __future__ import annotations

import json
import runpy
import sys
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

IMAGE: Sequence[Callable[[Random], str]] = (
    lambda r: f"Conv2D({r.choice((4, 6))}, {r.choice((1, 3))}, padding='same', use_bias={r.random() < 0.7})",
    lambda r: f"Conv2D(6, 3, strides={r.choice((1, 2))}, padding='same', groups=2)",
    lambda r: f"SeparableConv2D({r.choice((4, 6))}, 3, padding='same', depth_multiplier={r.choice((1, 2))})",
    lambda r: f"DepthwiseConv2D(3, padding='same', depth_multiplier={r.choice((1, 2))})",
    lambda r: f"Conv2DTranspose(4, {r.choice((2, 3))}, strides=2, padding='same')",
    lambda r: "BatchNormalization()",
    lambda r: f"BatchNormalization(scale={r.random() < 0.5}, center=False)",
    lambda r: "GroupNormalization(2)",
    lambda r: "LayerNormalization()",
    lambda r: "PReLU(shared_axes=[1, 2])",
    lambda r: "Activation('relu')",
    lambda r: "MaxPooling2D(2, padding='same')",
    lambda r: "Dropout(0.5)",
    lambda r: "UpSampling2D()",
    lambda r: "ZeroPadding2D(1)",
)
SEQUENCE: Sequence[Callable[[Random], str]] = (
    lambda r: f"LSTM({r.choice((3, 5))}, return_sequences=True)",
    lambda r: f"GRU({r.choice((3, 5))}, return_sequences=True, reset_after={r.random() < 0.7})",
    lambda r: f"Bidirectional(layers.LSTM({r.choice((3, 5))}, return_sequences=True))",
    lambda r: f"SimpleRNN({r.choice((3, 5))}, return_sequences=True)",
    lambda r: f"TimeDistributed(layers.Dense({r.choice((3, 5))}))",
    lambda r: f"Conv1D({r.choice((3, 5))}, 3, padding='causal')",
    lambda r: "LayerNormalization(axis=[1, 2])",
    lambda r: f"Dense({r.choice((3, 5))}, use_bias={r.random() < 0.7})",
    lambda r: "SpatialDropout1D(0.2)",
)
ENDS = {"image": ("Flatten()", "GlobalAveragePooling2D()"), "sequence": ("GlobalMaxPooling1D()", "Flatten()")}
KINDS = {"image": IMAGE, "sequence": SEQUENCE}
INPUTS = {"image": "(8, 8, 6)", "sequence": "(7, 4)"}
HEAD = "import keras\nfrom keras import layers\n\n"


def program(random: Random) -> str:
    """Return a program that makes one model and calls it `model`."""
    kind = random.choice(("image", "sequence"))
    middle = [random.choice(KINDS[kind])(random) for _ in range(random.randint(1, 4))]
    chain = [*middle, random.choice(ENDS[kind]), f"Dense({random.choice((2, 10))})"]
    form = random.choice((sequential, functional, branched, subclassed))
    return HEAD + form(INPUTS[kind], chain, random)


def sequential(shape: str, chain: Sequence[str], random: Random) -> str:
    if random.random() < 0.5:
        lines = [f"model = keras.Sequential([keras.Input({shape})])", *(f"model.add(layers.{one})" for one in chain)]
        return "\n".join(lines)
    inside = ", ".join(f"layers.{one}" for one in chain)
    return f"model = keras.Sequential([{inside}])\nmodel.build((None, *{shape}))"


def functional(shape: str, chain: Sequence[str], random: Random) -> str:
    steps = "\n".join(f"x = layers.{one}(x)" for one in chain)
    return f"x = start = keras.Input({shape})\n{steps}\nmodel = keras.Model(start, x)"


def branched(shape: str, chain: Sequence[str], random: Random) -> str:
    *middle, end, last = chain
    steps = "\n    ".join(f"x = layers.{one}(x)" for one in middle)
    merge = random.choice(("Concatenate", "Add"))
    return f"""def branch(start):
    x = start
    {steps}
    return layers.{end}(x)


start = keras.Input({shape})
shared = layers.Dense(4)
merged = layers.{merge}()([shared(branch(start)), shared(branch(start))])
model = keras.Model(start, layers.{last}(merged))"""


def subclassed(shape: str, chain: Sequence[str], random: Random) -> str:
    first, *middle, last = [one.replace("PReLU(shared_axes=[1, 2])", "ReLU()") for one in chain]
    blocks = ", ".join(f"layers.{one}" for one in middle)
    return f"""class Scale(layers.Layer):
    def build(self, shape):
        self.scale = self.add_weight(shape=(shape[-1],), name="scale")

    def call(self, x):
        return x * self.scale


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.first = layers.{first}
        self.scale = Scale()
        self.blocks = [{blocks}]
        self.last = layers.{last}

    def call(self, x):
        x = self.scale(self.first(x))
        for block in self.blocks:
            x = block(x)
        return self.last(x)


model = Net()
model(keras.ops.zeros((2, *{shape})))"""


def summary(path: str) -> dict[str, Any]:
    """Return the layers of the model that a program makes, and the total of its parameters, as Keras counts them."""
    model = runpy.run_path(path)["model"]
    layers = [layer for layer in model.layers if type(layer).__name__ != "InputLayer"]
    rows = sorted([type(layer).__name__, layer.count_params(), output_shape(layer)] for layer in layers)
    return {"layers": rows, "total": model.count_params()}


def output_shape(layer: Any) -> str:
    """Return the shape of a layer's output as it is shown in tables; empty for a layer that was called with values."""
    try:
        sizes = layer.output.shape
    except AttributeError:
        return ""
    return str(tuple("B" if size is None else size for size in sizes)).replace("'", "")


if __name__ == "__main__":
    print(json.dumps([summary(path) for path in sys.argv[1:]]))
