import numpy as np
import tensorflow as tf
from tensorflow import keras

q_network = keras.Sequential([keras.Input((4,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(2)])
optimizer = keras.optimizers.Adam(1e-2)


def replay(states, actions, targets):
    with tf.GradientTape() as tape:
        q = q_network(states, training=True)
        chosen = tf.reduce_sum(q * tf.one_hot(actions, 2), axis=1)
        loss = tf.reduce_mean(tf.square(targets - chosen))
    grads = tape.gradient(loss, q_network.trainable_variables)
    optimizer.apply_gradients(zip(grads, q_network.trainable_variables))
    return float(loss)


rng = np.random.default_rng(0)
batch = rng.normal(size=(16, 4)).astype("float32")
print(replay(batch, rng.integers(0, 2, 16), rng.normal(size=16).astype("float32")))
