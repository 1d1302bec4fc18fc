import numpy as np
import tensorflow as tf


class Policy(tf.keras.Model):
    def __init__(self, actions=2, hidden=24):
        super().__init__()
        self.dense1 = tf.keras.layers.Dense(hidden, activation="relu")
        self.dense2 = tf.keras.layers.Dense(hidden, activation="relu")
        self.logits = tf.keras.layers.Dense(actions)

    def call(self, states):
        return self.logits(self.dense2(self.dense1(states)))


class Pole:
    """Falls sooner or later, whatever one does."""

    def __init__(self, seed=0):
        self.rng = np.random.default_rng(seed)

    def episode(self, steps=25):
        states = self.rng.normal(size=(steps, 4)).astype("float32")
        actions = self.rng.integers(0, 2, size=steps)
        rewards = np.ones(steps, dtype="float32")
        return states, actions, rewards


def discounted(rewards, gamma=0.98):
    returns = np.zeros(len(rewards), dtype="float32")
    running = 0.0
    for t in reversed(range(len(rewards))):
        running = rewards[t] + gamma * running
        returns[t] = running
    return (returns - returns.mean()) / (returns.std() + 1e-8)


policy, pole = Policy(), Pole()
optimizer = tf.keras.optimizers.Adam(0.01)
for update in range(3):
    states, actions, rewards = pole.episode()
    returns = discounted(rewards)
    with tf.GradientTape() as tape:
        log_probs = tf.nn.log_softmax(policy(states))
        chosen = tf.reduce_sum(log_probs * tf.one_hot(actions, 2), axis=1, keepdims=True)
        loss = -tf.reduce_mean(chosen * returns[:, None])
    gradients = tape.gradient(loss, policy.trainable_variables)
    optimizer.apply_gradients(zip(gradients, policy.trainable_variables))
    print(update, float(loss))
