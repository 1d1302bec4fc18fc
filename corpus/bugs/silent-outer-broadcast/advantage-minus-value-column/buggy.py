"""One policy-gradient update on a recorded episode."""
import keras
import numpy as np
import tensorflow as tf

STEPS, STATE, ACTIONS = 40, 5, 3
GAMMA = 0.97


def discounted(rewards):
    total, out = 0.0, np.zeros(STEPS, dtype="float32")
    for t in reversed(range(STEPS)):
        total = rewards[t] + GAMMA * total
        out[t] = total
    return out


state = keras.Input((STATE,))
trunk = keras.layers.Dense(32, activation="tanh")(state)
policy = keras.layers.Dense(ACTIONS)(trunk)
value = keras.layers.Dense(1)(trunk)
agent = keras.Model(state, [policy, value])
optimizer = keras.optimizers.Adam(1e-3)

states = tf.random.normal([STEPS, STATE])
actions = tf.random.uniform([STEPS], maxval=ACTIONS, dtype=tf.int32)
returns = tf.constant(discounted(np.random.rand(STEPS)))

with tf.GradientTape() as tape:
    logits, values = agent(states)
    advantage = returns - values
    nll = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=actions, logits=logits)
    actor = tf.reduce_mean(nll * tf.stop_gradient(advantage))
    critic = tf.reduce_mean(advantage ** 2)
    loss = actor + 0.5 * critic
grads = tape.gradient(loss, agent.trainable_variables)
optimizer.apply_gradients(zip(grads, agent.trainable_variables))
print(float(loss))
