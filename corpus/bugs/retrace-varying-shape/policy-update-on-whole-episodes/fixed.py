import numpy as np
import tensorflow as tf
from tensorflow import keras

policy = keras.Sequential([keras.Input((4,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(2)])
optimizer = keras.optimizers.Adam(0.01)
optimizer.build(policy.trainable_variables)


@tf.function(
    input_signature=[
        tf.TensorSpec([None, 4], tf.float32),
        tf.TensorSpec([None], tf.int32),
        tf.TensorSpec([None], tf.float32),
    ]
)
def update(states, actions, returns):
    with tf.GradientTape() as tape:
        logits = policy(states)
        chosen = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=actions, logits=logits)
        loss = tf.reduce_mean(chosen * returns)
    gradients = tape.gradient(loss, policy.trainable_variables)
    optimizer.apply_gradients(zip(gradients, policy.trainable_variables))
    return loss


def play(rng, length):
    states = rng.normal(size=(length, 4)).astype("float32")
    actions = rng.integers(0, 2, length).astype("int32")
    rewards = np.ones(length, "float32")
    returns = np.cumsum(rewards[::-1])[::-1]
    return states, actions, (returns - returns.mean()) / (returns.std() + 1e-6)


rng = np.random.default_rng(11)
for length in rng.permutation(np.arange(5, 17)):
    states, actions, returns = play(rng, int(length))
    loss = update(tf.constant(states), tf.constant(actions), tf.constant(returns))
print("last loss", float(loss))
