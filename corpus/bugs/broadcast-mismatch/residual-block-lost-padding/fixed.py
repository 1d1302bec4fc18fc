import keras
from keras import layers, ops


class ConvNorm(layers.Layer):
    def __init__(self, filters, kernel_size, stride=1, padding=0, activate=True, **kwargs):
        super().__init__(**kwargs)
        self.pad = layers.ZeroPadding2D(padding) if padding else None
        self.conv = layers.Conv2D(filters, kernel_size, strides=stride, use_bias=False)
        self.norm = layers.BatchNormalization()
        self.activate = activate

    def call(self, x, training=None):
        if self.pad is not None:
            x = self.pad(x)
        x = self.norm(self.conv(x), training=training)
        return ops.relu(x) if self.activate else x


def residual(x, filters, name):
    shortcut = x
    x = ConvNorm(filters, 3, padding=1, name=name + "_a")(x)
    x = ConvNorm(filters, 3, padding=1, activate=False, name=name + "_b")(x)
    x = layers.Lambda(lambda pair: pair[0] + pair[1], name=name + "_add")([x, shortcut])
    return ops.relu(x)


def make_generator(size=64, filters=8, blocks=3):
    image = keras.Input((size, size, 3))
    x = ConvNorm(filters, 7, padding=3, name="head")(image)
    x = ConvNorm(filters * 2, 3, stride=2, padding=1, name="down")(x)
    for i in range(blocks):
        x = residual(x, filters * 2, "res%d" % i)
    x = layers.UpSampling2D(2)(x)
    x = layers.Conv2D(3, 7, padding="same", activation="tanh")(x)
    return keras.Model(image, x, name="generator")


generator = make_generator()
generator.summary()
