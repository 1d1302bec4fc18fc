"""Builds a Keras model from a list of layer descriptions."""
from tensorflow import keras
from tensorflow.keras import layers

REGISTRY = {}


def register(name):
    def wrap(function):
        REGISTRY[name] = function
        return function

    return wrap


@register("conv")
def conv(filters, size=3, stride=1, norm=False, act="relu", padding="same", **_):
    stack = [layers.Conv2D(filters, size, strides=stride, padding=padding, use_bias=not norm)]
    if norm:
        stack.append(layers.BatchNormalization())
    return stack + [layers.Activation(act)]


@register("pool")
def pool(size=2, kind="max", **_):
    cls = {"max": layers.MaxPooling2D, "avg": layers.AveragePooling2D}[kind]
    return [cls(size)]


@register("flatten")
def flatten(how="flat", **_):
    return [layers.Flatten() if how == "flat" else layers.GlobalAveragePooling2D()]


@register("dense")
def dense(units, act="relu", drop=0.0, **_):
    stack = [layers.Dense(units, activation=act)]
    return stack + ([layers.Dropout(drop)] if drop else [])


def residual(x, *descriptions):
    """The shortcut is projected only when the shapes call for it."""
    y = apply(x, *descriptions)
    if x.shape[1:] != y.shape[1:]:
        stride = x.shape[1] // y.shape[1]
        x = layers.Conv2D(y.shape[-1], 1, strides=stride)(x)
    return layers.Activation("relu")(layers.add([x, y]))


def apply(x, *descriptions):
    for item in descriptions:
        options = dict(item)
        kind = options.pop("kind")
        if kind == "residual":
            x = residual(x, *options["body"])
        elif kind == "repeat":
            x = apply(x, *(options["body"] * options["times"]))
        else:
            for layer in REGISTRY[kind](**options):
                x = layer(x)
    return x


def build(shape, descriptions, classes, name):
    inputs = keras.Input(shape=shape)
    x = apply(inputs, *descriptions)
    if len(x.shape) > 2:
        x = layers.GlobalMaxPooling2D()(x)
    return keras.Model(inputs, layers.Dense(classes)(x), name=name)
