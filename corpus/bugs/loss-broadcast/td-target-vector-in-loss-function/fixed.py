import numpy as np
import tensorflow as tf

value_net = tf.keras.Sequential(
    [tf.keras.layers.Dense(16, activation="relu", input_shape=(4,)), tf.keras.layers.Dense(1)]
)
optimizer = tf.keras.optimizers.legacy.SGD(0.01)
batch = np.random.rand(8, 4).astype("float32")
rewards = np.random.rand(8).astype("float32")

with tf.GradientTape() as tape:
    values = value_net(batch)
    errors = tf.keras.losses.mean_squared_error(rewards[:, None], values)
    loss = tf.reduce_mean(errors)
optimizer.apply_gradients(zip(tape.gradient(loss, value_net.trainable_variables), value_net.trainable_variables))
print(loss.numpy())
