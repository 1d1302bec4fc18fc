import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)
states = tf.constant(rng.normal(size=(16, 6)), tf.float32)
returns = tf.constant(rng.normal(size=(16, 1)), tf.float32)
critic = tf.keras.Sequential([tf.keras.layers.Dense(24, "tanh"), tf.keras.layers.Dense(5)])
huber = tf.keras.losses.Huber()

with tf.GradientTape() as tape:
    values = critic(states)
    loss = huber(returns, values)
grads = tape.gradient(loss, critic.trainable_variables)
print(float(loss), len(grads))
