"""Layers written for eager execution: Python decisions on values, in a model that is told to run eagerly."""
import keras
import numpy as np
import tensorflow as tf


class Gate(keras.layers.Layer):
    def __init__(self, threshold, **options):
        super().__init__(**options)
        self.threshold = threshold
        self.opened = 0

    def build(self, shape):
        self.scale = self.add_weight(shape=(shape[-1],), initializer="ones")

    def call(self, inputs):
        spread = tf.math.reduce_std(inputs)
        if spread > self.threshold:
            self.opened += 1
            return inputs * self.scale
        return tf.zeros_like(inputs)


class Watched(keras.Model):
    def __init__(self):
        super().__init__()
        self.gate = Gate(0.2)
        self.out = keras.layers.Dense(1)
        self.seen = []

    def call(self, inputs):
        self.seen.append(float(tf.reduce_mean(inputs).numpy()))
        return self.out(self.gate(inputs))

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(keras.losses.mean_squared_error(y, self(x)))
        if np.isnan(float(loss)):
            return {"loss": tf.constant(0.0)}
        self.optimizer.apply_gradients(zip(tape.gradient(loss, self.trainable_variables), self.trainable_variables))
        return {"loss": loss}


def main():
    rng = np.random.default_rng(6)
    x = rng.normal(size=(40, 5)).astype("float32")
    y = x.sum(axis=1, keepdims=True)
    model = Watched()
    model.compile("sgd", run_eagerly=True)
    history = model.fit(x, y, batch_size=8, epochs=2, verbose=0)
    print(history.history["loss"], model.gate.opened, len(model.seen))


main()
