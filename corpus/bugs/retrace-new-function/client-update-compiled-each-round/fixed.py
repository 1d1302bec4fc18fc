import numpy as np
import tensorflow as tf
from tensorflow import keras

rng = np.random.default_rng(3)
clients = [(rng.normal(size=(20, 4)).astype("float32"), rng.integers(0, 2, 20)) for _ in range(4)]


def make_model():
    return keras.Sequential([keras.Input((4,)), keras.layers.Dense(6, activation="relu"), keras.layers.Dense(2)])


server, local = make_model(), make_model()
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def local_update(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, local(x))
    for variable, gradient in zip(local.trainable_variables, tape.gradient(loss, local.trainable_variables)):
        variable.assign_sub(0.1 * gradient)
    return loss


update = tf.function(local_update)
for round_number in range(3):
    collected = []
    for x, y in clients:
        local.set_weights(server.get_weights())
        loss = update(tf.constant(x), tf.constant(y))
        collected.append(local.get_weights())
    server.set_weights([np.mean(parts, axis=0) for parts in zip(*collected)])
    print(round_number, float(loss))
