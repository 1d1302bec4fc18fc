import keras
import numpy as np
import tensorflow as tf


class WeightedRegressor(keras.Model):
    def __init__(self, outputs, **kwargs):
        super().__init__(**kwargs)
        self.hidden = keras.layers.Dense(32, activation="relu")
        self.head = keras.layers.Dense(outputs)
        self.channel_weights = tf.constant([0.5, 0.3, 0.2])
        self.loss_tracker = keras.metrics.Mean(name="loss")

    def call(self, inputs):
        return self.head(self.hidden(inputs))

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            predicted = self(x, training=True)
            squared = tf.square(y - predicted)
            loss = tf.reduce_mean(squared * self.channel_weights)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        self.loss_tracker.update_state(loss)
        return {"loss": self.loss_tracker.result()}


rng = np.random.default_rng(0)
x = rng.normal(size=(64, 9)).astype("float32")
y = rng.normal(size=(64, 4)).astype("float32")
model = WeightedRegressor(4)
model.compile(optimizer=keras.optimizers.Adam(1e-3))
model.fit(x, y, batch_size=16, epochs=1, verbose=0)
