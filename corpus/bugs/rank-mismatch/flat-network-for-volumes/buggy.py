import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import (
    Activation, BatchNormalization, Conv2D, Conv3D, Input, MaxPooling2D, MaxPooling3D, UpSampling2D,
    UpSampling3D, concatenate
)
from tensorflow.keras.models import Model


class Preprocessor:
    """Cuts patches out of scans; three numbers in the patch shape mean volumes."""

    def __init__(self, patch_shape, batch_size=2):
        self.patch_shape = patch_shape
        self.batch_size = batch_size

    def batch(self, classes=2, seed=0):
        rng = np.random.RandomState(seed)
        x = rng.normal(size=(self.batch_size, *self.patch_shape, 1)).astype("float32")
        y = (x > 0).astype("int32")
        return x, tf.keras.utils.to_categorical(y, classes)


class UNet:
    def __init__(self, three_dim, filters=4, depth=2):
        self.conv = Conv3D if three_dim else Conv2D
        self.pool = MaxPooling3D if three_dim else MaxPooling2D
        self.up = UpSampling3D if three_dim else UpSampling2D
        self.filters, self.depth = filters, depth

    def block(self, x, filters):
        x = self.conv(filters, 3, padding="same")(x)
        return Activation("relu")(BatchNormalization()(x))

    def build(self, input_shape, classes):
        inputs = Input(input_shape)
        x, skips = inputs, []
        for level in range(self.depth):
            x = self.block(x, self.filters * 2 ** level)
            skips.append(x)
            x = self.pool(2)(x)
        x = self.block(x, self.filters * 2 ** self.depth)
        for skip in reversed(skips):
            x = self.block(concatenate([self.up(2)(x), skip]), skip.shape[-1])
        return Model(inputs, self.conv(classes, 1, activation="softmax")(x))


preprocessor = Preprocessor(patch_shape=(8, 16, 16))
model = UNet(three_dim=False).build(preprocessor.patch_shape + (1,), 2)
model.compile("adam", "categorical_crossentropy")
x, y = preprocessor.batch()
print(model.train_on_batch(x, y))
