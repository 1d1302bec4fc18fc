import numpy as np
import tensorflow as tf
from tensorflow import keras

BATCH = 16
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(4, activation="relu"), keras.layers.Dense(1)])
optimizer = keras.optimizers.Adam()
optimizer.build(model.trainable_variables)


@tf.function(input_signature=[tf.TensorSpec([BATCH, 8], tf.float32), tf.TensorSpec([BATCH, 1], tf.float32)])
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


x = np.random.rand(50, 8).astype("float32")
y = x.sum(axis=1, keepdims=True)
dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(50).batch(BATCH)
for inputs, targets in dataset:
    loss = step(inputs, targets)
print(float(loss))
