"""Blocks of the segmentation network."""
import keras
from keras import layers, ops


def double_conv(x, filters, name, norm=True):
    for part in "ab":
        x = layers.Conv2D(filters, 3, padding="same", use_bias=not norm, name=f"{name}_{part}")(x)
        if norm:
            x = layers.BatchNormalization(name=f"{name}_{part}_bn")(x)
        x = layers.Activation("relu", name=f"{name}_{part}_relu")(x)
    return x


@keras.saving.register_keras_serializable("unet_any_size")
class CropLike(layers.Layer):
    """Cuts the first map to the size of the second; sizes may be known only at run time."""

    def call(self, inputs):
        x, like = inputs
        height, width = ops.shape(like)[1], ops.shape(like)[2]
        return x[:, :height, :width, :]

    def compute_output_shape(self, shapes):
        x, like = shapes
        return (x[0], like[1], like[2], x[3])


def squeeze_excite(x, ratio=4):
    channels = x.shape[-1]
    s = layers.GlobalAveragePooling2D(keepdims=True)(x)
    s = layers.Dense(max(channels // ratio, 1), activation="relu")(s)
    s = layers.Dense(channels, activation="sigmoid")(s)
    return layers.Multiply()([x, s])
