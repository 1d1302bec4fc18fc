import numpy as np
import tensorflow as tf


def make_windows(values, window):
    inputs = np.stack([values[i:i + window] for i in range(len(values) - window)])
    targets = values[window:, :1]
    return inputs, targets


rng = np.random.default_rng(8)
values = rng.normal(size=(90, 4)).astype("float32")
inputs, targets = make_windows(values, 12)
n_train = 60
train = tf.data.Dataset.from_tensor_slices((inputs[:n_train], targets[:n_train])).shuffle(60)
valid = tf.data.Dataset.from_tensor_slices((inputs[n_train:], targets[n_train:])).batch(16)
train = train.batch(16)

model = tf.keras.models.Sequential([
    tf.keras.layers.Input((12, 4)),
    tf.keras.layers.LSTM(10),
    tf.keras.layers.Dense(1),
])
model.compile(loss="mae", optimizer=tf.keras.optimizers.Adam())
model.fit(train, epochs=1, validation_data=valid, verbose=0)
