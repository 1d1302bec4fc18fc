import keras
import numpy as np
import tensorflow as tf


class Regressor(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(1)
        self.mae = keras.metrics.MeanAbsoluteError()

    def call(self, x):
        return self.dense(x)

    def train_step(self, data):
        x, y = data
        mae = self.mae
        with tf.GradientTape() as tape:
            prediction = self(x, training=True)
            loss = tf.reduce_mean(tf.square(y - prediction))
        self.optimizer.apply_gradients(
            zip(tape.gradient(loss, self.trainable_variables), self.trainable_variables)
        )
        mae.update_state(y, prediction)
        return {"loss": loss, "mae": mae.result()}


model = Regressor()
model.compile(optimizer="sgd")
model.fit(np.random.rand(12, 3), np.random.rand(12, 1), verbose=0)
