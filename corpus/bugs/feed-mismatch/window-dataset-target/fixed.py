import numpy as np
import tensorflow as tf

WINDOW = 12
series = np.sin(np.arange(200) * 0.1).astype("float32")


def windowed(series, window, batch):
    ds = tf.data.Dataset.from_tensor_slices(series)
    ds = ds.window(window + 1, shift=1, drop_remainder=True)
    ds = ds.flat_map(lambda w: w.batch(window + 1, drop_remainder=True))
    ds = ds.map(lambda w: (w[:-1], w[-1:]))
    return ds.batch(batch).prefetch(1)


train = windowed(series[:150], WINDOW, 16)
inputs = tf.keras.Input((WINDOW,))
x = tf.keras.layers.Dense(10, activation="relu")(inputs)
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(x))
model.compile(loss="mse", optimizer="sgd")
model.fit(train, epochs=1, verbose=0)
