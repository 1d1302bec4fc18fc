import numpy as np
import tensorflow as tf

BATCH = 16
STEPS, FEATURES = 6, 4


def to_sequences(x, y):
    x = tf.reshape(x, [BATCH, STEPS, FEATURES])
    return x, y


rng = np.random.default_rng(0)
x = rng.normal(size=(100, STEPS * FEATURES)).astype("float32")
y = rng.normal(size=(100, 1)).astype("float32")
train = tf.data.Dataset.from_tensor_slices((x, y)).batch(BATCH).map(to_sequences)
model = tf.keras.Sequential([tf.keras.Input((STEPS, FEATURES)), tf.keras.layers.LSTM(8), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(train, epochs=1, verbose=0)
