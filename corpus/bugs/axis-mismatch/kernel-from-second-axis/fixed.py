import keras
import numpy as np
import tensorflow as tf


class GatedLinear(keras.layers.Layer):
    """Two products of the input, one of which opens and closes the other."""

    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units

    def build(self, input_shape):
        width = input_shape[-1]
        self.kernel = self.add_weight(shape=(width, self.units), initializer="glorot_uniform", name="kernel")
        self.gate = self.add_weight(shape=(width, self.units), initializer="glorot_uniform", name="gate")
        self.bias = self.add_weight(shape=(self.units,), initializer="zeros", name="bias")

    def call(self, inputs):
        value = tf.matmul(inputs, self.kernel) + self.bias
        return value * tf.sigmoid(tf.matmul(inputs, self.gate))

    def get_config(self):
        return {**super().get_config(), "units": self.units}


class Forecaster(keras.Model):
    def __init__(self, units, horizon):
        super().__init__()
        self.first = GatedLinear(units)
        self.second = GatedLinear(units)
        self.pool = keras.layers.GlobalAveragePooling1D()
        self.out = keras.layers.Dense(horizon)

    def call(self, series):
        x = self.first(series)
        x = self.second(x)
        return self.out(self.pool(x))


rng = np.random.default_rng(0)
history = rng.normal(size=(32, 24, 5)).astype("float32")
future = history[:, -1:, 0] + rng.normal(size=(32, 3)).astype("float32") * 0.1
model = Forecaster(units=8, horizon=3)
optimizer = keras.optimizers.Adam()
for start in range(0, 32, 8):
    x, y = history[start:start + 8], future[start:start + 8]
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_weights)
    optimizer.apply_gradients(zip(gradients, model.trainable_weights))
print(float(loss))
