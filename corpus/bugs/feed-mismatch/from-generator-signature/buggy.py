import numpy as np
import tensorflow as tf

FRAMES, BINS = 40, 13


def examples():
    rng = np.random.default_rng(0)
    for i in range(24):
        yield rng.normal(size=(FRAMES, BINS)).astype("float32"), i % 3


dataset = tf.data.Dataset.from_generator(
    examples,
    output_signature=(
        tf.TensorSpec(shape=(FRAMES, BINS), dtype=tf.float32),
        tf.TensorSpec(shape=(), dtype=tf.int64),
    ),
)
dataset = dataset.shuffle(24).batch(8)
inputs = tf.keras.Input((BINS, FRAMES))
x = tf.keras.layers.Conv1D(16, 3, activation="relu")(inputs)
x = tf.keras.layers.GlobalMaxPooling1D()(x)
model = tf.keras.Model(inputs, tf.keras.layers.Dense(3, activation="softmax")(x))
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(dataset, epochs=1, verbose=0)
