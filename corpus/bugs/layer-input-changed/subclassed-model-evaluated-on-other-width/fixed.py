import numpy as np
import tensorflow as tf


class Regressor(tf.keras.Model):
    def __init__(self, hidden=(24, 12), **kwargs):
        super().__init__(**kwargs)
        self.blocks = [tf.keras.layers.Dense(h, activation="relu") for h in hidden]
        self.head = tf.keras.layers.Dense(1)

    def call(self, x):
        for block in self.blocks:
            x = block(x)
        return tf.squeeze(self.head(x), -1)


rng = np.random.default_rng(21)
frame = rng.normal(size=(80, 13)).astype("float32")
train, test = frame[:60], frame[60:]

model = Regressor()
fitted = model(train[:, 1:])
residual = fitted - train[:, 0]
print("train mse", float(tf.reduce_mean(residual ** 2)))

forecast = model(test[:, 1:])
print("test mse", float(tf.reduce_mean((forecast - test[:, 0]) ** 2)))
